package policy

import "math/bits"

// link looks once for what matches write.
func (b *block) link() {
	s := Subject{name: writeTool}
	b.each(&s, func(m *matched) {
		b.write.deny |= m.deny
		b.write.allow |= m.allow
	})
	b.write.deny &^= b.named
	b.write.allow &^= b.named
}

// each visits all that matches s but the link to write.
func (b *block) each(s *Subject, visit func(*matched)) {
	visit(&b.all)
	if i, ok := b.words[s.name]; ok {
		visit(&b.found[i].name)
	}
	if s.plugin != "" {
		if i, ok := b.words[s.plugin]; ok {
			visit(&b.found[i].plugin)
		}
	}
	if s.fromPlugin {
		visit(&b.plugins)
	}
	if b.raw != nil {
		if m := b.raw[s.tool.Name]; m != nil {
			visit(m)
		}
	}
	if len(b.globs.globs) > 0 {
		b.globs.candidates(s.name, func(g *indexedGlob) {
			if g.matches(s.name, s.breaks) {
				visit(&g.matched)
			}
		})
	}
}

// masks gives the layers that deny and that allow s. A glob that would add
// nothing is not even tried.
func (b *block) masks(s *Subject, d Dialect) (deny, allow uint64) {
	deny, allow = b.all.deny, b.all.allow
	add := func(m *matched) {
		deny |= m.deny
		allow |= m.allow
	}
	if i, ok := b.words[s.name]; ok {
		add(&b.found[i].name)
	}
	if s.plugin != "" {
		if i, ok := b.words[s.plugin]; ok {
			add(&b.found[i].plugin)
		}
	}
	if s.fromPlugin {
		add(&b.plugins)
	}
	if b.raw != nil {
		if m := b.raw[s.tool.Name]; m != nil {
			add(m)
		}
	}
	if len(b.globs.globs) > 0 {
		b.globs.candidates(s.name, func(g *indexedGlob) {
			if (g.deny&^deny)|(g.allow&^allow) != 0 && g.matches(s.name, s.breaks) {
				add(&g.matched)
			}
		})
	}
	if s.linked() {
		allow |= b.write.allow
		if d == Default {
			deny |= b.write.deny
		}
	}
	if !s.tool.Optional {
		deny &^= b.named
	}
	return deny, allow
}

// removing gives the layers that take s away.
func (b *block) removing(s *Subject, d Dialect) uint64 {
	deny, allow := b.masks(s, d)
	limits := b.limits
	if !s.tool.Optional {
		limits &^= b.named
	}
	return deny | limits&^allow
}

// entry gives the first entry of a layer's list that matches s.
func (b *block) entry(s *Subject, layer int, deny bool) (best hit, ok bool) {
	b.each(s, func(m *matched) {
		layers := m.allow
		if deny {
			layers = m.deny
		}
		if layers>>layer&1 == 0 {
			return
		}
		for i := m.head; i != 0; i = b.hits[i-1].next {
			if h := b.hits[i-1]; int(h.layer) == layer && h.deny == deny {
				if !ok || h.entry < best.entry {
					best, ok = h, true
				}
				return
			}
		}
	})
	return best, ok
}

// firstOf gives the place of the lowest bit in the pipeline.
func (b *block) firstOf(layers uint64) int { return b.first + bits.TrailingZeros64(layers) }
