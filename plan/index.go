package plan

import (
	"maps"
	"slices"

	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

// index is what plans of one snapshot share, whoever they are for: the rows in
// order, each in the form in which policy compares it. It is immutable; the
// index of a later snapshot shares what did not change.
type index struct {
	snap  *registry.Snapshot
	items pages[item]
	order []int32 // the slots of the items
	plain bool    // no row needs the weights of the collation
	names nameIndex
	slots int     // how many were ever in use
	free  []int32 // those that are not any more
}

// item is a row of an index.
type item struct {
	ordinal
	entry   Entry
	subject policy.Subject
	slot    int32 // its place in the states of a plan, as long as it lives
}

func newItem(row *registry.Row, slot int32) item {
	return item{
		ordinal: newOrdinal(row.Name, row.SortKey), entry: Entry{Row: row},
		subject: policy.Prepare(subject(row)), slot: slot,
	}
}

// nameIndex finds an item by its exact name: what changed lately lies over what is
// shared with former indices. A nil item in over is one that is gone.
type nameIndex struct{ base, over map[string]*item }

func (n nameIndex) find(name string) *item {
	if it, ok := n.over[name]; ok {
		return it
	}
	return n.base[name]
}

// maxOver is how many changed names are carried from index to index before all
// are put into one map again.
const maxOver = 1024

// newIndex indexes a snapshot. What it costs to compare the rows that last
// has, too, is taken from there.
func newIndex(snap *registry.Snapshot, last *index) (*index, error) {
	n := len(snap.Rows)
	x := &index{snap: snap, items: newPages[item](n), order: make([]int32, n), slots: n}
	items, sorted := make([]item, n), make([]*item, n)
	for i, row := range snap.Rows {
		it := &items[i]
		*it = newItem(row, int32(i))
		if last != nil && !last.plain {
			if old := last.names.find(row.Name); old != nil && old.entry.Row == row {
				it.weights = old.weights
			}
		}
		x.items.set(int32(i), it)
		sorted[i] = it
	}
	x.plain = sortItems(sorted)
	for i, it := range sorted {
		x.order[i] = it.slot
	}
	x.names.base = make(map[string]*item, n)
	for i := range items {
		x.names.base[items[i].name] = &items[i]
	}
	if len(x.names.base) < n {
		return nil, repeated(sorted)
	}
	return x, nil
}

// repeated is the error for the first name, in order, that stands twice.
func repeated(sorted []*item) error {
	seen := make(map[string]bool, len(sorted))
	for _, it := range sorted {
		if seen[it.name] {
			return &ContractError{Code: codeDuplicate, Tool: it.name, Source: it.entry.Source}
		}
		seen[it.name] = true
	}
	return nil
}

// all gives the items in order.
func (x *index) all(yield func(*item) bool) {
	for _, slot := range x.order {
		if !yield(x.items.get(slot)) {
			return
		}
	}
}

// update gives the index of snap, and which items went and came compared to x.
// It gives ok false when too much changed for that to be worth while, or when
// snap may break the contract: a new index tells.
func (x *index) update(snap *registry.Snapshot) (next *index, went, came []*item, ok bool) {
	gone, added, ok := changed(x.snap.Rows, snap.Rows)
	if !ok {
		return nil, nil, nil, false
	}
	next = &index{snap: snap, plain: x.plain, slots: x.slots, free: slices.Clone(x.free)}
	next.names = nameIndex{base: x.names.base, over: make(map[string]*item, len(x.names.over)+len(gone)+len(added))}
	maps.Copy(next.names.over, x.names.over)
	for _, row := range gone {
		it := x.names.find(row.Name)
		went = append(went, it)
		next.names.over[it.name] = nil
		next.free = append(next.free, it.slot)
	}
	for _, row := range added {
		fresh := newItem(row, next.slot())
		it := &fresh
		if next.names.find(it.name) != nil || x.plain && !it.plain() {
			return nil, nil, nil, false
		}
		next.names.over[it.name] = it
		came = append(came, it)
	}
	if !x.plain {
		weigh(came)
	}
	slices.SortFunc(went, compareItems)
	slices.SortFunc(came, compareItems)
	next.place(x, went, came)
	next.settle()
	return next, went, came, true
}

// place takes over the items and the order of x, but for what changed.
func (next *index) place(x *index, went, came []*item) {
	next.items = x.items.copied(next.slots)
	owned := map[int32]bool{}
	for _, it := range went {
		next.items.replace(it.slot, nil, owned)
	}
	for _, it := range came {
		next.items.replace(it.slot, it, owned)
	}
	next.order = splice(x.order, went, came, func(slot int32, it *item) int { return compareItems(x.items.get(slot), it) })
}

func (x *index) slot() int32 {
	if n := len(x.free); n > 0 {
		slot := x.free[n-1]
		x.free = x.free[:n-1]
		return slot
	}
	x.slots++
	return int32(x.slots - 1)
}

// settle puts all names into one map when many have changed.
func (x *index) settle() {
	if len(x.names.over) <= maxOver {
		return
	}
	x.names = nameIndex{base: make(map[string]*item, len(x.order))}
	for it := range x.all {
		x.names.base[it.name] = it
	}
}
