package plan

import (
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/catalog"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// Decision is the answer for one name. Doors enforce it and explain prints
// it; there is no other.
type Decision struct {
	// Tool is the resolved name, or the name as it was asked for when nothing
	// has it.
	Tool string
	// Entry is set when the tool is visible, and so callable.
	Entry *Entry
	// Hidden is set when the tool is registered but not visible.
	Hidden *Hidden
	// Fix is the smallest change of the config that policy asks for.
	Fix policy.Fix
	// Refusal is set whenever Entry is not.
	Refusal *toolrest.Refusal

	subject  *policy.Subject // nil for an unknown name
	pipeline *policy.Pipeline
}

// Trace gives what each layer of the policy does to the tool. It is empty for
// an unknown name.
func (d Decision) Trace() policy.Trace {
	if d.subject == nil {
		return policy.Trace{}
	}
	return d.pipeline.Trace(d.subject)
}

// Resolve decides about a name: the exact name first, then its normalised
// form, so that an alias finds its tool.
func (p *Plan) Resolve(name string) Decision {
	it := p.index.names.find(name)
	if it == nil {
		it = p.index.names.find(names.Normalise(name))
	}
	if it == nil {
		if reason, ok := p.index.snap.Absent(name); ok {
			return refuseAbsent(name, reason)
		}
		if row, ok := p.catalogue().Lookup(names.Normalise(name)); ok {
			return p.refuseUnbuilt(row)
		}
		return p.refuseUnknown(name)
	}
	if hidden := p.hidden.get(it.slot); hidden != nil {
		return p.refuseHidden(hidden)
	}
	return Decision{Tool: it.name, Entry: &it.entry, subject: &it.subject, pipeline: p.pipeline}
}

// refuseHidden names what is missing first: no change of the config brings
// back a tool that cannot work.
func (p *Plan) refuseHidden(h *Hidden) Decision {
	d := Decision{Tool: h.Name, Hidden: h, Fix: p.pipeline.Allow(h.subject.Tool()), subject: h.subject, pipeline: p.pipeline}
	if len(h.Diagnostics) > 0 {
		var missing []string
		for _, diagnostic := range h.Diagnostics {
			missing = append(missing, diagnostic.Message)
		}
		d.Refusal = &toolrest.Refusal{Code: toolrest.CodeHidden, Tool: h.Name, Reason: "not available here: " + strings.Join(missing, "; ")}
		return d
	}
	step := h.Step()
	code := toolrest.CodeDenied
	if step.Place == policy.PlaceActive {
		code = toolrest.CodeInactive
	}
	d.Refusal = &toolrest.Refusal{
		Code: code, Tool: h.Name, Reason: step.Reason(),
		Layer: step.Layer, Rule: step.Rule, Pos: step.Pos, Fix: d.Fix.String(),
	}
	return d
}

// refuseAbsent is for a tool that a source brings and the registry left out:
// no change of the config brings it back.
func refuseAbsent(name, reason string) Decision {
	return Decision{Tool: name, Refusal: &toolrest.Refusal{
		Code: toolrest.CodeHidden, Tool: name, Reason: "not available here: " + reason,
	}}
}

func (p *Plan) refuseUnbuilt(row catalog.Row) Decision {
	subject := policy.Prepare(policy.Tool{Name: row.ID, Plugin: row.Plugin})
	reason := "not in this build"
	if row.Plugin != "" {
		reason = "not in this build (it comes with the plugin " + row.Plugin + ")"
	}
	return Decision{
		Tool: row.ID, subject: &subject, pipeline: p.pipeline,
		Refusal: &toolrest.Refusal{Code: toolrest.CodeHidden, Tool: row.ID, Reason: reason},
	}
}

func (p *Plan) refuseUnknown(name string) Decision {
	known := p.Names()
	nearest := names.Nearest(name, known, 3)
	reason := "no tool has this name"
	if len(nearest) == 0 {
		nearest = nil
		reason += ", and none of the visible ones is close; there are " + listed(known)
	}
	return Decision{Tool: name, Refusal: &toolrest.Refusal{
		Code: toolrest.CodeUnknown, Tool: name, Reason: reason, Nearest: nearest,
	}}
}

// listed names a few tools, enough for a model to choose from.
func listed(all []string) string {
	const most = 20
	if len(all) == 0 {
		return "none"
	}
	if len(all) > most {
		return strings.Join(all[:most], ", ") + ", …"
	}
	return strings.Join(all, ", ")
}
