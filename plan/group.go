package plan

import (
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// Matching gives the names that an entry of a list stands for here: a group, a
// glob, a plugin's or an MCP server's tools. Those of the catalogue that are not in
// this build are among them. It is empty where the entry is a tool's own name,
// or means nothing.
func (p *Plan) Matching(entry string) []string {
	if strings.TrimSpace(entry) == "" || p.names(entry) {
		return nil
	}
	if server := names.Fold(entry); p.hasServer(server) {
		entry = server + "__*"
	}
	only := policy.Compile(p.pipeline.Dialect(), []policy.Layer{{Label: "only", Allow: []policy.Entry{{Text: entry}}}})
	var out []string
	for _, name := range p.Known() {
		d := p.Resolve(name)
		if d.subject != nil && only.Decide(d.subject.Tool()).Kept {
			out = append(out, name)
		}
	}
	return out
}

// names reports whether a tool has this name.
func (p *Plan) names(name string) bool {
	d := p.Resolve(name)
	return d.subject != nil
}

func (p *Plan) hasServer(id string) bool {
	for _, row := range p.index.snap.Rows {
		if row.Owner.Kind == toolrest.OwnerMCP && names.Fold(row.Owner.ID) == id {
			return true
		}
	}
	return false
}

// SourceReport says what one source brought and what of it a caller sees.
type SourceReport struct {
	Source  string   `json:"source"`
	Listed  int      `json:"listed"`
	Visible []string `json:"visible"`
	// Hidden are the others, each with the reason.
	Hidden []HiddenTool `json:"hidden,omitempty"`
}

// HiddenTool is a tool that is not visible, and why.
type HiddenTool struct {
	Tool   string `json:"tool"`
	Layer  string `json:"layer,omitempty"`
	Reason string `json:"reason"`
}

// Mute reports whether the source has tools and none of them is visible.
func (r SourceReport) Mute() bool { return r.Listed > 0 && len(r.Visible) == 0 }

// Sources reports on every source of the snapshot, in its order.
func (p *Plan) Sources() []SourceReport {
	var out []SourceReport
	at := map[string]int{}
	for _, row := range p.index.snap.Rows {
		i, ok := at[row.Source]
		if !ok {
			i = len(out)
			at[row.Source] = i
			out = append(out, SourceReport{Source: row.Source, Visible: []string{}})
		}
		r := &out[i]
		r.Listed++
		if d := p.Resolve(row.Name); d.Refusal == nil {
			r.Visible = append(r.Visible, row.Name)
		} else {
			r.Hidden = append(r.Hidden, HiddenTool{Tool: row.Name, Layer: d.Refusal.Layer, Reason: d.Refusal.Reason})
		}
	}
	return out
}
