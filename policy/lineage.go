package policy

import (
	"strings"

	"github.com/toolrest/toolrest/internal/names"
)

// Lineage says whether a session was started by another, and what it may do
// with sessions of its own.
type Lineage struct {
	Subagent bool
	Depth    int    // how many sessions lie above
	Role     string // "main", "orchestrator" or "leaf"
	Scope    string // what it controls: "children" or "none"
}

// The roles and scopes of a session.
const (
	roleMain         = "main"
	roleOrchestrator = "orchestrator"
	roleLeaf         = "leaf"
	scopeChildren    = "children"
	scopeNone        = "none"
)

// lineage reads the session's key, what is stored of it, and else what the
// caller says.
func (r *resolver) lineage() Lineage {
	key := names.Trim(r.ctx.Session)
	l := Lineage{Subagent: r.ctx.Depth > 0 || r.isSubagent(key)}
	depth, stored := r.storedDepth(key)
	switch {
	case stored:
		l.Depth = depth
	case r.ctx.Depth > 0:
		l.Depth = r.ctx.Depth
	default:
		l.Depth = nested(key)
	}
	l.Role = r.cfg.roleAt(l.Depth)
	var s Session
	if l.Subagent && isSpawnedKey(key) {
		s, _ = r.stored(key)
	}
	if role, ok := word(s.Role, roleMain, roleOrchestrator, roleLeaf); ok {
		l.Role = role
	}
	l.Scope = scopeChildren
	if l.Role == roleLeaf {
		l.Scope = scopeNone
	}
	if scope, ok := word(s.ControlScope, scopeChildren, scopeNone); ok {
		l.Scope = scope
	}
	return l
}

// roleAt gives the role at a depth: sessions may start others until the
// greatest depth is reached.
func (c *Config) roleAt(depth int) string {
	switch {
	case depth <= 0:
		return roleMain
	case depth < max(c.Defaults.MaxSpawnDepth, 1):
		return roleOrchestrator
	}
	return roleLeaf
}

// word gives the known word that text is, whatever its case.
func word(text string, known ...string) (string, bool) {
	text = names.Fold(text)
	for _, w := range known {
		if w == text {
			return w, true
		}
	}
	return "", false
}

// hasKind reports whether a key, or the part of it behind its agent, begins
// so.
func hasKind(key, kind string) bool {
	return beginsWith(key, kind) || beginsWith(behindAgent(key), kind)
}

func beginsWith(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// behindAgent gives REST of a key "agent:ID:REST", or nothing. It is what
// names.SplitSession gives, but for empty segments inside of REST.
func behindAgent(key string) string {
	agent, rest, _ := strings.Cut(strings.TrimLeft(key, ":"), ":")
	if !strings.EqualFold(agent, "agent") {
		return ""
	}
	_, rest, _ = strings.Cut(strings.TrimLeft(rest, ":"), ":")
	return strings.Trim(rest, ":")
}

func isSubagentKey(key string) bool { return hasKind(key, "subagent:") }

// isForeignKey is set for sessions that another agent program runs.
func isForeignKey(key string) bool { return hasKind(key, "acp:") }

// isSpawnedKey is set for keys of which the store may know who started them.
func isSpawnedKey(key string) bool { return isSubagentKey(key) || isForeignKey(key) }

// nested counts the sub-agents below the first that a key names.
func nested(key string) int { return strings.Count(names.Fold(key), ":subagent:") }

// stored gives what the store knows of a session. Only keys that name their
// agent can be found.
func (r *resolver) stored(key string) (Session, bool) {
	if r.ctx.Sessions == nil {
		return Session{}, false
	}
	if _, _, ok := names.SplitSession(key); !ok {
		return Session{}, false
	}
	return r.ctx.Sessions(key)
}

// isSubagent reports whether a key is a sub-agent's, or that of a foreign
// session that the store calls one, or that one of these has started.
func (r *resolver) isSubagent(key string) bool {
	seen := map[string]bool{}
	for key != "" && !seen[key] {
		if isSubagentKey(key) {
			return true
		}
		if !isForeignKey(key) {
			return false
		}
		s, _ := r.stored(key)
		_, hasRole := word(s.Role, roleMain, roleOrchestrator, roleLeaf)
		_, hasScope := word(s.ControlScope, scopeChildren, scopeNone)
		if hasRole || hasScope {
			return true
		}
		seen[key] = true
		key = names.Trim(s.SpawnedBy)
	}
	return false
}

// storedDepth gives the depth that the store knows, be it only by those who
// started the session. It follows them without end, but each once.
func (r *resolver) storedDepth(key string) (int, bool) {
	if r.ctx.Sessions == nil {
		return 0, false
	}
	seen := map[string]bool{}
	for above := 0; ; above++ {
		var s Session
		if !seen[key] {
			s = r.anyStored(key)
		}
		if s.SpawnDepth != nil && *s.SpawnDepth >= 0 {
			return above + *s.SpawnDepth, true
		}
		parent := names.Trim(s.SpawnedBy)
		if parent == "" {
			return above + nested(key), above > 0
		}
		seen[key] = true
		key = parent
	}
}

// anyStored also finds sessions whose key leaves out the default agent.
func (r *resolver) anyStored(key string) Session {
	if key == "" || key == globalSession || key == "unknown" {
		return Session{}
	}
	if s, ok := r.stored(key); ok {
		return s
	}
	if _, _, ok := names.SplitSession(key); ok {
		return Session{}
	}
	s, _ := r.stored("agent:" + r.cfg.defaultAgent() + ":" + key)
	return s
}
