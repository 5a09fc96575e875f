package policy

// groupSection gives the section that counts in the group chat of the session:
// the first group that is configured under one of its ids, what it says of the
// sender before what it says of all, then the entry for all groups.
func (r *resolver) groupSection() (Section, bool) {
	c := r.res.Conversation
	name := chatName(c.Channel)
	if len(c.Groups) == 0 || name == "" {
		return Section{}, false
	}
	channel, ok := r.cfg.channel(name)
	if !ok {
		return Section{}, false
	}
	groups := channel.groupsFor(r.ctx.Account)
	keys := keysOf(r.ctx.Sender, name, r.cfg.Dialect)
	for _, g := range []*Group{firstOf(groups, c.Groups), firstOf(groups, []string{everything})} {
		if g == nil {
			continue
		}
		if s, ok := keys.find(g.BySender); ok {
			return s.Section, true
		}
		if g.Tools != nil {
			return *g.Tools, true
		}
	}
	return Section{}, false
}

// firstOf gives the group with the first of the ids that any group has.
func firstOf(groups []Group, ids []string) *Group {
	best, at := len(ids), -1
	for i := range groups {
		for n, id := range ids[:best] {
			if groups[i].ID == id {
				best, at = n, i
				break
			}
		}
	}
	if at < 0 {
		return nil
	}
	return &groups[at]
}
