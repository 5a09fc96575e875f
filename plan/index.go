package plan

import (
	"slices"

	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

// index is what plans of one snapshot share, whoever they are for: the rows in
// order, each in the form in which policy compares it. It is immutable; the
// index of a later snapshot shares what did not change.
type index struct {
	snap  *registry.Snapshot
	order []*item
	plain bool // no row needs the weights of the collation
	names nameIndex
	slots int // how many slots are in use, or were
	free  []int32
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

// newIndex indexes a snapshot. Rows that last has, too, are taken from there.
func newIndex(snap *registry.Snapshot, last *index) (*index, error) {
	x := &index{snap: snap, order: make([]*item, 0, len(snap.Rows)), slots: len(snap.Rows)}
	items := make([]item, len(snap.Rows))
	for i, row := range snap.Rows {
		items[i] = newItem(row, int32(i))
		it := &items[i]
		if last != nil && !last.plain {
			if old := last.names.find(row.Name); old != nil && old.entry.Row == row {
				it.keyWeights, it.nameWeights = old.keyWeights, old.nameWeights
			}
		}
		x.order = append(x.order, it)
	}
	x.plain = sortItems(x.order)
	x.names.base = make(map[string]*item, len(x.order))
	for _, it := range x.order {
		if x.names.base[it.name] != nil {
			return nil, &ContractError{Code: codeDuplicate, Tool: it.name, Source: it.entry.Source}
		}
		x.names.base[it.name] = it
	}
	return x, nil
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
	for name, it := range x.names.over {
		next.names.over[name] = it
	}
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
	next.order = splice(x.order, went, came, compareItems, func(it *item) *item { return it })
	next.settle()
	return next, went, came, true
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
	for _, it := range x.order {
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

// splice gives a copy of an ordered list in which the items of went are gone
// and those of came stand at their places. Both are in order.
func splice[T any](list []T, went, came []*item, compare func(T, *item) int, turn func(*item) T) []T {
	out := make([]T, 0, len(list)-len(went)+len(came))
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
			out = append(out, turn(next))
		}
	}
	return append(out, list[from:]...)
}
