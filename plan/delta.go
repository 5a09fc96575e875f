package plan

import (
	"slices"

	"github.com/toolrest/toolrest/registry"
)

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
