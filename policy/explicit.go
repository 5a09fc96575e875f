package policy

import "github.com/toolrest/toolrest/internal/names"

// Explicit is what the lists that count for a caller say of their own accord:
// what loading plugins goes by. Entries are trimmed, not normalised.
type Explicit struct {
	Allow []Entry // each once, the first of equal ones
	Deny  []Entry
	// Defaults is set when some scope has an alsoAllow without an allow list:
	// what plugins bring without being named then comes as well.
	Defaults bool
}

// ExplicitSections reads the lists of sections, in their order.
func ExplicitSections(sections ...Section) Explicit {
	var c collector
	for _, s := range sections {
		p, _ := pick(s)
		c.add(p)
	}
	return c.out
}

// ExplicitLayers reads the lists of the config's layers, and what the run
// itself names. A profile counts without what alsoAllow adds to it.
func ExplicitLayers(d Dialect, layers []Layer, run Run) Explicit {
	var c collector
	for _, l := range layers {
		if l.Place < PlaceProfile || l.Place > PlaceInherited {
			continue
		}
		p := picked{allow: l.Allow, deny: l.Deny, implicit: l.Implicit}
		if l.Place <= PlaceProviderProfile {
			p.allow, _ = profileEntries(d, l.Profile, l.AllowPos)
		}
		c.add(p)
	}
	c.add(picked{allow: run.Allow.Entries})
	c.add(picked{allow: builtIn(run.Requested...)})
	return c.out
}

// Restrictive reports whether the section's allow list lets less than
// everything through.
func (s Section) Restrictive() bool {
	p, _ := pick(s)
	return restricts(&Layer{Allow: p.allow})
}

// collector joins lists.
type collector struct {
	out  Explicit
	seen map[string]bool // what is allowed already
}

func (c *collector) add(p picked) {
	if c.seen == nil {
		c.seen = map[string]bool{"": true}
	}
	for _, e := range p.allow {
		e.Text = names.Trim(e.Text)
		if c.seen[e.Text] || p.implicit && e.Text == everything {
			continue
		}
		c.seen[e.Text] = true
		c.out.Allow = append(c.out.Allow, e)
	}
	c.out.Defaults = c.out.Defaults || p.implicit
	for _, e := range p.deny {
		if e.Text = names.Trim(e.Text); e.Text != "" {
			c.out.Deny = append(c.out.Deny, e)
		}
	}
}
