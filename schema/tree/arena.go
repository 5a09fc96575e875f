package tree

// Arena parses one text after the other in the same memory, for those who are
// done with a tree before they read the next: it saves most of what Parse
// allocates. It is not safe for use by several goroutines. The zero value is
// ready for use.
type Arena struct {
	p      parser
	blocks blocks
}

// Parse is [Parse], but the nodes are gone with the next Reset. What Append,
// String, Str and Strings give stays.
func (a *Arena) Parse(raw []byte, limits *Limits) (*Node, error) {
	open, path, nodes, slots := a.p.open[:0], a.p.path[:0], a.p.nodes, a.p.slots
	a.p = parser{open: open, path: path, nodes: nodes, slots: slots, blocks: &a.blocks}
	return a.p.parse(raw, limits)
}

// Reset ends the life of all nodes that were parsed. Their texts stay in
// memory until others take their place: clearing would cost as much as parsing.
func (a *Arena) Reset() {
	open, path := a.p.open[:0], a.p.path[:0]
	if cap(open) > maxScratch {
		open, path = nil, nil
	}
	a.p = parser{open: open, path: path}
	a.blocks.reset()
}

// The sizes of blocks, in nodes and members, and how many are kept.
const (
	blockSize = 256
	maxBlocks = 64
)

// blocks give room for nodes and members. Those of an arena are used again.
type blocks struct {
	nodeBlocks [][]Node
	slotBlocks [][]Member
	nodesUsed  int // blocks
	slotsUsed  int
}

// nodes gives room for some nodes: about as many as are expected.
func (b *blocks) nodes(expected int) []Node {
	if b == nil {
		return make([]Node, min(max(4, expected), blockSize/2))
	}
	if b.nodesUsed == len(b.nodeBlocks) {
		b.nodeBlocks = append(b.nodeBlocks, make([]Node, blockSize))
	}
	b.nodesUsed++
	return b.nodeBlocks[b.nodesUsed-1]
}

// slots gives room for at least count members.
func (b *blocks) slots(count int) []Member {
	if b == nil || count > blockSize {
		return make([]Member, count)
	}
	if b.slotsUsed == len(b.slotBlocks) {
		b.slotBlocks = append(b.slotBlocks, make([]Member, blockSize))
	}
	b.slotsUsed++
	return b.slotBlocks[b.slotsUsed-1]
}

func (b *blocks) reset() {
	b.nodeBlocks = b.nodeBlocks[:min(len(b.nodeBlocks), maxBlocks)]
	b.slotBlocks = b.slotBlocks[:min(len(b.slotBlocks), maxBlocks)]
	b.nodesUsed, b.slotsUsed = 0, 0
}
