package plan

// pages hold one value for each slot of an index, in pages, so that two
// versions share most of them.
type pages[T any] []*[pageSize]*T

const pageSize = 512

func newPages[T any](slots int) pages[T] { return make(pages[T], (slots+pageSize-1)/pageSize) }

// get gives the value of a slot, or nil.
func (p pages[T]) get(slot int32) *T {
	if page := p[slot/pageSize]; page != nil {
		return page[slot%pageSize]
	}
	return nil
}

// set is for pages that nobody else has yet.
func (p pages[T]) set(slot int32, v *T) {
	page := &p[slot/pageSize]
	if *page == nil {
		*page = new([pageSize]*T)
	}
	(*page)[slot%pageSize] = v
}

// copied gives pages for so many slots that share every page with p.
func (p pages[T]) copied(slots int) pages[T] {
	out := newPages[T](slots)
	copy(out, p)
	return out
}

// replace is set for pages that are shared: it copies a page unless owned has
// it, which it then does.
func (p pages[T]) replace(slot int32, v *T, owned map[int32]bool) {
	at := slot / pageSize
	if page := p[at]; page != nil && !owned[at] {
		mine := *page
		p[at] = &mine
	}
	owned[at] = true
	p.set(slot, v)
}
