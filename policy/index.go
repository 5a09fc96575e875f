package policy

// blockSize is how many layers one index holds: one bit of a word for each.
const blockSize = 64

// block is an index over the entries of up to blockSize layers: one look tells
// in which of them a name is allowed or denied, however many layers and
// entries there are.
type block struct {
	first  int    // the place of its first layer in the pipeline
	limits uint64 // layers with an allow list that restricts
	named  uint64 // layers that judge optional tools alone

	words   map[string]int32 // a normalised entry or a group's member → found
	found   []meaning
	raw     map[string]*matched // the entries of Exact layers
	all     matched             // "*"
	plugins matched             // group:plugins
	write   matched             // what matches the tool write, for what follows it
	globs   globIndex
	hits    []hit
}

// meaning is what an entry without a star can mean: a tool's name and a
// plugin's id.
type meaning struct{ name, plugin matched }

// matched are the layers that one key allows or denies, with the first entry
// of each. The hits stand in the order of the layers, deny before allow.
type matched struct {
	deny, allow uint64
	head, tail  int32 // in block.hits, plus one
}

type hit struct {
	layer   uint8
	deny    bool
	kind    kind   // how the entry was read: bare for a name, pluginOnly for an id
	members uint16 // of a group
	entry   int32
	next    int32
}

// newBlock compiles the layers.
func newBlock(first int, layers []Layer, v vocabulary) block {
	b := block{first: first}
	b.reserve(layers)
	for i := range layers {
		l := &layers[i]
		if l.Named {
			b.named |= 1 << i
		}
		b.addList(i, true, l.Deny, l, v)
		usable := b.addList(i, false, l.Allow, l, v)
		if usable && !l.unlimited() || l.Closed || l.Named {
			b.limits |= 1 << i
		}
	}
	b.link()
	b.globs.at = nil
	return b
}

// reserve makes room for what the layers will need, more or less.
func (b *block) reserve(layers []Layer) {
	n := 0
	for i := range layers {
		n += len(layers[i].Allow) + len(layers[i].Deny)
	}
	const ofGroups = 32
	b.words = make(map[string]int32, n/2+ofGroups)
	b.found = make([]meaning, 0, n/2+ofGroups)
	b.hits = make([]hit, 0, 2*n+ofGroups)
}

// unlimited reports whether the layer has "*" at the head of its allow list
// although nobody wrote it: such a list only names tools that others want
// named.
func (l *Layer) unlimited() bool { return l.Implicit && len(l.Allow) > 0 && l.Allow[0].Text == "*" }

// addList indexes a list and reports whether anything in it is usable.
func (b *block) addList(layer int, deny bool, entries []Entry, l *Layer, v vocabulary) bool {
	usable := false
	for i, e := range entries {
		if i == 0 && !deny && l.unlimited() {
			continue
		}
		name, kind := v.read(l, e)
		usable = usable || kind != unusable
		h := hit{layer: uint8(layer), deny: deny, kind: kind, entry: int32(i)}
		switch kind {
		case exactly:
			b.addRaw(name, h)
		case anyTool:
			b.add(&b.all, h)
		case anyPlugin:
			b.add(&b.plugins, h)
		case pattern:
			b.add(&b.globs.intern(name).matched, h)
		case group:
			members, _ := v.group(name)
			h.members = uint16(len(members))
			for _, id := range members {
				b.add(&b.meaning(id).name, h)
			}
		case bare:
			m := b.meaning(name)
			b.add(&m.name, h)
			h.kind = pluginOnly
			b.add(&m.plugin, h)
		case pluginOnly:
			b.add(&b.meaning(name).plugin, h)
		}
	}
	return usable
}

func (b *block) addRaw(name string, h hit) {
	if b.raw == nil {
		b.raw = map[string]*matched{}
	}
	m := b.raw[name]
	if m == nil {
		m = &matched{}
		b.raw[name] = m
	}
	b.add(m, h)
}

func (b *block) meaning(name string) *meaning {
	i, ok := b.words[name]
	if !ok {
		i = int32(len(b.found))
		b.words[name] = i
		b.found = append(b.found, meaning{})
	}
	return &b.found[i]
}

// add notes a hit, unless the list has an earlier one of the same layer.
func (b *block) add(m *matched, h hit) {
	if h.deny {
		m.deny |= 1 << h.layer
	} else {
		m.allow |= 1 << h.layer
	}
	if m.tail != 0 {
		if last := b.hits[m.tail-1]; last.layer == h.layer && last.deny == h.deny {
			return
		}
	}
	b.hits = append(b.hits, h)
	at := int32(len(b.hits))
	if m.tail == 0 {
		m.head = at
	} else {
		b.hits[m.tail-1].next = at
	}
	m.tail = at
}
