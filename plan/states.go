package plan

// states tell, for each slot of an index, why its tool is hidden; nil is
// visible. They come in pages, so that two plans share most of them.
type states []*[pageSize]*Hidden

const pageSize = 512

func newStates(slots int) states { return make(states, (slots+pageSize-1)/pageSize) }

func (s states) get(slot int32) *Hidden {
	if page := s[slot/pageSize]; page != nil {
		return page[slot%pageSize]
	}
	return nil
}

func (s states) set(slot int32, h *Hidden) {
	page := &s[slot/pageSize]
	if *page == nil {
		*page = new([pageSize]*Hidden)
	}
	(*page)[slot%pageSize] = h
}

// copied gives states for so many slots that share every page with s.
func (s states) copied(slots int) states {
	out := newStates(slots)
	copy(out, s)
	return out
}

// replace is set for states that share pages with others: it copies the page
// unless owned has it, which it then does.
func (s states) replace(slot int32, h *Hidden, owned map[int32]bool) {
	at := slot / pageSize
	if page := s[at]; page != nil && !owned[at] {
		mine := *page
		s[at] = &mine
	}
	owned[at] = true
	s.set(slot, h)
}
