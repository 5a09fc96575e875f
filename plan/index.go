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

// changed compares the rows of two snapshots by identity. It gives up when
// more than a few differ.
func changed(old, new []*registry.Row) (gone, added []*registry.Row, ok bool) {
	most := 64 + len(old)/64
	if len(old) == len(new) {
		for i := range old {
			if old[i] != new[i] {
				gone, added = append(gone, old[i]), append(added, new[i])
			}
		}
		gone, added = without(gone, added), without(added, gone)
		return gone, added, len(gone)+len(added) <= most
	}
	start := 0
	for start < len(old) && start < len(new) && old[start] == new[start] {
		start++
	}
	end := 0
	for end < len(old)-start && end < len(new)-start && old[len(old)-1-end] == new[len(new)-1-end] {
		end++
	}
	oldMiddle, newMiddle := old[start:len(old)-end], new[start:len(new)-end]
	gone, added = without(oldMiddle, newMiddle), without(newMiddle, oldMiddle)
	return gone, added, len(gone)+len(added) <= most
}

// without gives the rows of list that others lack.
func without(list, others []*registry.Row) []*registry.Row {
	if len(list) == 0 || len(others) == 0 {
		return list
	}
	has := make(map[*registry.Row]bool, len(others))
	for _, row := range others {
		has[row] = true
	}
	var out []*registry.Row
	for _, row := range list {
		if !has[row] {
			out = append(out, row)
		}
	}
	return out
}

// splice gives a copy of slots in order, in which the items of went are gone
// and those of came stand at their places. Both are in order.
func splice(list []int32, went, came []*item, compare func(int32, *item) int) []int32 {
	out := make([]int32, 0, len(list)-len(went)+len(came))
	from := 0
	for len(went)+len(came) > 0 {
		drop := len(came) == 0 || len(went) > 0 && compareItems(went[0], came[0]) <= 0
		var next *item
		if drop {
			next, went = went[0], went[1:]
		} else {
			next, came = came[0], came[1:]
		}
		at, _ := slices.BinarySearchFunc(list[from:], next, compare)
		out = append(out, list[from:from+at]...)
		from += at
		if drop {
			from++
		} else {
			out = append(out, next.slot)
		}
	}
	return append(out, list[from:]...)
}
