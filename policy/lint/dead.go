package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// verdict is what is known of an entry.
type verdict uint8

const (
	unweighed verdict = iota // there was no time to find out
	matters                  // some decision depends on it
	idle                     // none does
)

// weigh finds out which entries no decision depends on.
func (c *checker) weigh() error {
	c.inert = make([][]verdict, len(c.lists))
	skipped := 0
	for n, l := range c.lists {
		c.inert[n] = make([]verdict, len(l.Entries))
		for at := range l.Entries {
			if c.work <= 0 {
				skipped++
				continue
			}
			inert, err := c.isInert(l, at)
			if err != nil {
				return err
			}
			c.inert[n][at] = matters
			if inert && c.partial && !c.repeats(place{n, at}, nil) {
				c.inert[n][at] = unweighed // it may matter where nobody asked
			} else if inert {
				c.inert[n][at] = idle
			}
		}
	}
	if skipped > 0 {
		c.bound("%d entries were not weighed: there are too many to try each", skipped)
	}
	return nil
}

// place is an entry: its list and its place there.
type place struct {
	list, at int
}

// useless reports the entries that name nothing, and the dead ones.
func (c *checker) useless() {
	var found []Finding
	var removable []place
	index := map[place]int{}
	for n, l := range c.lists {
		for at, e := range l.Entries {
			f := Finding{Pos: e.Pos, Path: l.path, Entry: e.Text, Dead: c.inert[n][at] == idle}
			switch {
			case c.describeUnknown(&f, l, e):
			case f.Dead && !c.told[l.List]:
				c.describeDead(&f, l, at)
			default:
				continue
			}
			if f.Dead && f.Code != UnknownName {
				removable = append(removable, place{n, at})
				index[place{n, at}] = len(found)
			}
			found = append(found, f)
		}
	}
	gone := c.removable(removable)
	for _, p := range gone {
		f := &found[index[p]]
		f.Repeats = c.repeats(p, gone)
		f.Fix.Edits = []policy.Edit{{Op: policy.EditRemove, Path: f.Path, Value: f.Entry, Pos: f.Pos}}
		f.Safe = c.lists[p.list].kind != deny || f.Repeats
		if !f.Safe {
			f.Hint = "it may be meant as a second lock: it starts to count when the other one is opened"
		}
	}
	for _, f := range found {
		if f.Dead && f.Fix.Empty() && f.Hint == "" {
			f.Hint = "it is one of several that do the same: one of them has to stay"
			if l, ok := c.listAt(f.Path); ok && l.kind == allow && len(l.Entries) == 1 {
				f.Hint = "it is the only entry of its list: delete the list"
			}
		}
		c.report(f)
	}
}

// repeats reports whether the entries that stay in the list mean all that the
// entry means, also of tools that are not known yet.
func (c *checker) repeats(p place, gone []place) bool {
	l := c.lists[p.list]
	e := l.Entries[p.at]
	text := names.Normalise(e.Text)
	if text == "" {
		return true
	}
	var stay []policy.Entry
	for at, other := range l.Entries {
		if at == p.at || slices.Contains(gone, place{p.list, at}) {
			continue
		}
		if t := names.Normalise(other.Text); t == text || t == "*" {
			return true
		}
		stay = append(stay, other)
	}
	if len(stay) == 0 || strings.Contains(text, "*") {
		return false
	}
	said := c.matches(l.kind, stay...)
	means := c.matches(l.kind, e)
	return len(means) > 0 && !slices.ContainsFunc(means, func(tool int) bool { return !slices.Contains(said, tool) })
}

// removable gives entries that can all go together: of two that do the same
// one stays, and so does the last entry of an allow list, for an empty one is
// refused.
func (c *checker) removable(from []place) []place {
	slices.SortStableFunc(from, func(a, b place) int {
		breadth := func(p place) int { return breadth(c.lists[p.list].Entries[p.at].Text) }
		return cmp.Or(cmp.Compare(breadth(a), breadth(b)), cmp.Compare(b.list, a.list), cmp.Compare(b.at, a.at))
	})
	whole := map[int][]policy.Entry{}
	gone := map[int]map[int]bool{}
	defer func() {
		for n, entries := range whole {
			c.lists[n].Entries = entries
		}
	}()
	var out []place
	for _, p := range from {
		l := c.lists[p.list]
		if whole[p.list] == nil {
			whole[p.list], gone[p.list] = l.Entries, map[int]bool{}
		}
		gone[p.list][p.at] = true
		before := l.Entries
		l.Entries = rest(whole[p.list], gone[p.list])
		if l.kind == allow && !usable(l.Entries) || c.work <= 0 || !c.unchanged(l) {
			l.Entries = before
			delete(gone[p.list], p.at)
			continue
		}
		out = append(out, p)
	}
	return out
}

// unchanged reports whether the config as it stands now decides as the whole
// one does, where the list matters.
func (c *checker) unchanged(l list) bool {
	for i := range c.sits {
		if c.ctx.Err() != nil {
			return false
		}
		if l.concerns(&c.sits[i]) && !slices.Equal(c.before[i], c.kept(&c.sits[i])) {
			return false
		}
	}
	return true
}

func rest(entries []policy.Entry, gone map[int]bool) []policy.Entry {
	var out []policy.Entry
	for i, e := range entries {
		if !gone[i] {
			out = append(out, e)
		}
	}
	return out
}

func usable(entries []policy.Entry) bool {
	return slices.ContainsFunc(entries, func(e policy.Entry) bool { return names.Trim(e.Text) != "" })
}

// breadth orders entries by how much they can mean: what says least goes
// first.
func breadth(text string) int {
	text = names.Normalise(text)
	switch {
	case text == "":
		return 0
	case text == "*":
		return 4
	case strings.Contains(text, "*"):
		return 3
	case strings.HasPrefix(text, "group:"):
		return 2
	}
	return 1
}

// describeDead says why an entry does nothing.
func (c *checker) describeDead(f *Finding, l list, at int) {
	f.Code = DeadAllow
	if l.kind == deny {
		f.Code = DeadDeny
	}
	e := l.Entries[at]
	f.Text = fmt.Sprintf("%s in %s changes nothing", quote(e.Text), l.path)
	if names.Trim(e.Text) == "" {
		f.Text += ": it is blank"
		return
	}
	tools := c.matches(l.kind, e)
	if len(tools) == 0 {
		f.Text += ": no known tool is meant by it"
		return
	}
	i, layer := c.reader(l, e)
	if i < 0 {
		f.Text += ": in no situation does anything read it"
		f.Proof = c.unreadBecause(l)
		return
	}
	s := &c.sits[i]
	var reasons reasons
	c.without(l, at, func() {
		trace := c.tracer(s)
		for _, tool := range tools {
			reasons.add(c.name(tool), deciding(trace(tool), layer))
		}
	})
	f.Proof = reasons.lines()
	if len(s.Traits) > 0 {
		f.Proof = append(f.Proof, "(as in the situation: "+s.String()+")")
	}
}

// reader gives the first situation in which the entry is part of a layer, and
// the layer's place; -1 when there is none.
func (c *checker) reader(l list, e policy.Entry) (int, policy.Place) {
	for i := range c.sits {
		if !l.concerns(&c.sits[i]) {
			continue
		}
		for _, layer := range c.layers(i) {
			entries := layer.Allow
			if l.kind == deny {
				entries = layer.Deny
			}
			if !layer.Named && slices.Contains(entries, e) {
				return i, layer.Place
			}
		}
	}
	return -1, 0
}

// unreadBecause says what keeps a list from being read, where that is plain.
func (c *checker) unreadBecause(l list) []string {
	switch {
	case l.kind == alsoAllow && l.scope.kind == scopeSandbox:
		return []string{"an empty allow list in the sandbox lets everything through, whatever stands in alsoAllow"}
	case l.kind == alsoAllow && l.scope.kind == scopeSubagents:
		return []string{"for sub-agents, alsoAllow lifts built-in denials by exact name, and adds to an allow list where there is one"}
	}
	return nil
}

// deciding picks the step that tells why a tool stays as it is: what removes
// it, else what allows it, else what the layer of the entry says.
func deciding(t policy.Trace, at policy.Place) policy.Step {
	if removing := t.Removing(); len(removing) > 0 {
		return removing[0]
	}
	is := func(s policy.Step, p policy.Place) bool { return s.Place == p && s.Effect == policy.Allowed }
	for _, fits := range []func(policy.Step) bool{
		func(s policy.Step) bool { return is(s, at) },
		func(s policy.Step) bool { return is(s, policy.PlaceProfile) },
		func(s policy.Step) bool { return s.Place == at },
	} {
		if i := slices.IndexFunc(t.Steps, fits); i >= 0 {
			return t.Steps[i]
		}
	}
	return policy.Step{}
}
