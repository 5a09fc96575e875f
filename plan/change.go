package plan

import (
	"strings"

	"github.com/toolrest/toolrest/registry"
)

// State says whether a tool is there for a caller.
type State string

// The states of a tool.
const (
	StateVisible State = "visible" // it can be called
	StateHidden  State = "hidden"  // it is registered, and something takes it away
	StateGone    State = "gone"    // no tool of this name is registered
)

// Standing is a tool's state and why it is so. The reason of a visible tool
// is empty.
type Standing struct {
	State  State  `json:"state"`
	Reason string `json:"reason,omitempty"`
}

// Change is what happened to one tool from one plan to the next.
type Change struct {
	Tool string   `json:"tool"`
	Old  Standing `json:"old"`
	New  Standing `json:"new"`
	// Cause is what brought it about: "config", "mcp server outlook".
	Cause string `json:"cause"`
}

// Diff tells how the plans differ: a change for each tool whose state is
// another or that is hidden for another reason, in the order of the new plan,
// those that are gone last. A rule that merely stands on another line is no
// change. A nil plan has no tools. Diff is pure, and linear in both plans.
func Diff(old, new *Plan, cause string) []Change {
	before, after := standings(old), standings(new)
	var out []Change
	each(new, func(row *registry.Row) {
		was, ok := before[row.Name]
		if !ok {
			was = Standing{State: StateGone, Reason: gone}
		}
		if is := after[row.Name]; was != is {
			out = append(out, Change{Tool: row.Name, Old: was, New: is, Cause: cause})
		}
	})
	each(old, func(row *registry.Row) {
		if _, ok := after[row.Name]; !ok {
			out = append(out, Change{Tool: row.Name, Old: before[row.Name], New: Standing{State: StateGone, Reason: gone}, Cause: cause})
		}
	})
	return out
}

const gone = "no source brings it"

// each visits the rows of p, the visible ones first.
func each(p *Plan, visit func(*registry.Row)) {
	if p == nil {
		return
	}
	for _, e := range p.Visible() {
		visit(e.Row)
	}
	for _, h := range p.Hidden() {
		visit(h.Row)
	}
}

func standings(p *Plan) map[string]Standing {
	if p == nil {
		return nil
	}
	visible, hidden := p.listed()
	out := make(map[string]Standing, len(visible)+len(hidden))
	for _, e := range visible {
		out[e.Name] = Standing{State: StateVisible}
	}
	for i := range hidden {
		out[hidden[i].Name] = Standing{State: StateHidden, Reason: hidden[i].why()}
	}
	return out
}

// why gives what the tool lacks, and else the step that is enforced.
func (h *Hidden) why() string {
	if len(h.Diagnostics) > 0 {
		var missing []string
		for _, d := range h.Diagnostics {
			missing = append(missing, d.Message)
		}
		return strings.Join(missing, "; ")
	}
	step := h.Step()
	return step.Reason()
}
