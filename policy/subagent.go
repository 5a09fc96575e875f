package policy

import (
	"slices"

	"github.com/toolrest/toolrest/internal/names"
)

// What sub-agents do not get: tools that steer the whole, and for those that
// may start no others, tools to do so.
var (
	subagentDenies = builtIn("gateway", "agents_list", "session_status", "cron", "sessions_send")
	leafDenies     = builtIn("subagents", "sessions_list", "sessions_history", "sessions_spawn")
)

// subagentPath is where the lists of sub-agents stand when nobody wrote them.
const subagentPath = "tools.subagents.tools"

// subagent adds the layer of sub-agents: the built-in deny list without the
// tools that the config names one by one, then its own lists.
func (r *resolver) subagent() {
	s := r.cfg.Tools.Subagents
	denied := subagentDenies
	if r.res.Role == roleLeaf {
		denied = slices.Concat(subagentDenies, leafDenies)
	}
	l := Layer{
		Place: PlaceSubagent, Deny: slices.Concat(withoutNamed(denied, s.Allow.Entries, s.AlsoAllow.Entries), s.Deny.Entries),
		DenyPath: s.Deny.path(subagentPath, "deny"), AllowPath: s.Allow.path(subagentPath, "allow"), AllowPos: s.Allow.Pos,
		Lift: &Edit{Op: EditAdd, Path: s.AlsoAllow.path(subagentPath, "alsoAllow"), Pos: s.AlsoAllow.Pos},
	}
	if s.Allow.written() {
		l.Allow = present(s.Allow.Entries)
		if s.AlsoAllow.written() {
			l.Allow = union(s.Allow.Entries, s.AlsoAllow.Entries)
		}
		if usable(s.Allow.Entries) {
			l.Lift = &Edit{Op: EditAdd, Path: l.AllowPath, Pos: l.AllowPos}
		}
	}
	r.add(l)
}

// withoutNamed leaves out what one of the lists names exactly: neither a group
// nor a glob lifts a built-in denial.
func withoutNamed(denied []Entry, lists ...[]Entry) []Entry {
	named := map[string]bool{}
	for _, list := range lists {
		for _, e := range list {
			named[names.Normalise(e.Text)] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(denied), func(e Entry) bool { return named[e.Text] })
}
