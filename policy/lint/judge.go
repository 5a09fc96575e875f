package lint

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/survey"
)

// judge compares the decisions of a config with those of the same config
// without an entry. It changes its own copy of the config and puts it back;
// it is not safe for use by several goroutines.
type judge struct {
	ctx      context.Context
	cfg      *policy.Config
	inv      *survey.Inventory
	sits     []survey.Situation
	lists    []list
	subjects []policy.Subject
	// before are the decisions of the whole config by situation; made on first
	// need.
	before []bits
	said   [][]policy.Layer // the layers of the whole config, likewise
	known  map[string]bits  // by the text of all layers
	work   int              // what may still be spent, in entries and sections
	size   int              // how many sections a resolver may look at
}

// bits are the kept tools, by their place in the inventory.
type bits []uint64

func newJudge(ctx context.Context, cfg *policy.Config, inv *survey.Inventory, sits []survey.Situation, lists []list, work int) *judge {
	j := &judge{ctx: ctx, cfg: cfg, inv: inv, sits: sits, lists: lists, known: map[string]bits{}, work: work}
	j.before, j.said, j.size = make([]bits, len(sits)), make([][]policy.Layer, len(sits)), len(scopesOf(cfg))
	for _, t := range inv.Tools {
		j.subjects = append(j.subjects, policy.Prepare(t))
	}
	return j
}

// kept decides about every tool in a situation, as the config stands now.
func (j *judge) kept(s *survey.Situation) bits {
	j.work -= j.size
	layers := j.inv.Resolve(j.cfg, s).Layers
	key := j.text(layers)
	if b, ok := j.known[key]; ok {
		return b
	}
	if len(j.known) == maxKnown {
		clear(j.known)
	}
	p := j.inv.Compile(j.cfg.Dialect, layers)
	b := make(bits, (len(j.subjects)+63)/64)
	for i := range j.subjects {
		if p.Judge(&j.subjects[i]).Kept() {
			b[i/64] |= 1 << (i % 64)
		}
	}
	j.known[key] = b
	return b
}

// maxKnown bounds the memory for decisions.
const maxKnown = 4096

// text writes down all that decides in layers, so that equal texts decide
// alike.
func (j *judge) text(layers []policy.Layer) string {
	var b []byte
	for i := range layers {
		l := &layers[i]
		flags := byte(0)
		for n, flag := range [...]bool{l.Exact, l.Closed, l.Named, l.Implicit} {
			if flag {
				flags |= 1 << n
			}
		}
		b = append(b, flags)
		j.work -= 1 + len(l.Allow) + len(l.Deny)
		for _, list := range [...][]policy.Entry{l.Allow, l.Deny} {
			b = binary.AppendUvarint(b, uint64(len(list)))
			for _, e := range list {
				b = binary.AppendUvarint(b, uint64(len(e.Text)))
				b = append(b, e.Text...)
			}
		}
	}
	return string(b)
}

// whole gives the decisions of the whole config in a situation.
func (j *judge) whole(i int) bits {
	if j.before[i] == nil {
		j.before[i] = j.kept(&j.sits[i])
	}
	return j.before[i]
}

// layers gives the layers of the whole config in a situation. It must not be
// asked for the first time while an entry is out of its list.
func (j *judge) layers(i int) []policy.Layer {
	if j.said[i] == nil {
		j.said[i] = j.inv.Resolve(j.cfg, &j.sits[i]).Layers
	}
	return j.said[i]
}

// without does something while the entry is out of its list.
func (j *judge) without(l list, at int, do func()) {
	entries := l.Entries
	l.Entries = slices.Concat(entries[:at:at], entries[at+1:])
	defer func() { l.Entries = entries }()
	do()
}

// isInert reports whether no decision depends on an entry of a list.
func (j *judge) isInert(l list, at int) (inert bool, err error) {
	inert = true
	for i := range j.sits {
		if !l.concerns(&j.sits[i]) {
			continue
		}
		if err := j.ctx.Err(); err != nil {
			return false, err
		}
		before := j.whole(i)
		j.without(l, at, func() { inert = slices.Equal(before, j.kept(&j.sits[i])) })
		if !inert {
			return false, nil
		}
	}
	return true, nil
}

// matches gives the tools that an entry means, in a list of that kind.
func (j *judge) matches(k kind, entries ...policy.Entry) []int {
	var out []int
	l := policy.Layer{Place: policy.PlaceTools, Allow: entries}
	if k == deny {
		l = policy.Layer{Place: policy.PlaceTools, Deny: entries}
	}
	p := j.inv.Compile(j.cfg.Dialect, []policy.Layer{l})
	for i := range j.subjects {
		if p.Judge(&j.subjects[i]).Kept() == (k != deny) {
			out = append(out, i)
		}
	}
	return out
}

// tracer gives what happens to tools in a situation, as the config stands now.
func (j *judge) tracer(s *survey.Situation) func(tool int) policy.Trace {
	p := j.inv.Pipeline(j.cfg, s)
	return func(tool int) policy.Trace { return p.Trace(&j.subjects[tool]) }
}

func (j *judge) name(tool int) string { return j.inv.Tools[tool].Name }

// real reports whether a tool is known, and not made up for a server that
// nobody has asked yet.
func (j *judge) real(tool int) bool { return !strings.Contains(j.name(tool), "*") }
