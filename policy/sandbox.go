package policy

import (
	"slices"

	"github.com/toolrest/toolrest/internal/names"
)

// Sandboxing says whether a session is sandboxed and where that follows from.
type Sandboxing struct {
	// SandboxAgent is the agent whose word counts: that of the session's key.
	SandboxAgent string
	// SandboxMode is "off", "non-main" or "all", or as it was written.
	SandboxMode string
	// MainSession is the key of the agent's main session.
	MainSession string
	Sandboxed   bool
	// SandboxAllow and SandboxDeny are the paths of the lists that the sandbox's
	// layer comes from; empty for the built-in ones.
	SandboxAllow, SandboxDeny string
}

// The modes of a sandbox. Any other word is "non-main".
const (
	sandboxOff = "off"
	sandboxAll = "all"
)

// globalSession is the one session that all share when the scope says so.
const globalSession = "global"

// sandboxing finds out whether the session is sandboxed. A session without a
// key is not.
func (r *resolver) sandboxing() Sandboxing {
	key := names.Trim(r.ctx.Session)
	s := Sandboxing{SandboxAgent: r.cfg.sessionAgent(key, r.res.AgentID)}
	s.SandboxMode = r.cfg.sandboxMode(s.SandboxAgent)
	s.MainSession = r.cfg.mainSession(s.SandboxAgent)
	switch {
	case r.ctx.Sandbox != "":
		s.Sandboxed = r.ctx.Sandbox != sandboxOff
	case key == "" || s.SandboxMode == sandboxOff:
	default:
		s.Sandboxed = s.SandboxMode == sandboxAll || !r.cfg.isMain(key, s.SandboxAgent)
	}
	return s
}

// sessionAgent gives the agent that a session belongs to: that of its key,
// else the default one; without a key it is the agent that asks.
func (c *Config) sessionAgent(key, asks string) string {
	if id, _, ok := names.SplitSession(key); ok {
		return names.AgentID(id)
	}
	if key == "" && asks != "" {
		return asks
	}
	return c.defaultAgent()
}

func (c *Config) sandboxMode(agent string) string {
	if a := c.agent(agent); a != nil && a.SandboxMode != "" {
		return a.SandboxMode
	}
	if c.Defaults.SandboxMode != "" {
		return c.Defaults.SandboxMode
	}
	return sandboxOff
}

func (c *Config) mainSession(agent string) string {
	if c.SessionScope == globalSession {
		return globalSession
	}
	return "agent:" + agent + ":" + c.mainKey()
}

// mainKey is how an agent's main session is called.
func (c *Config) mainKey() string {
	if key := names.Fold(c.MainKey); key != "" {
		return key
	}
	return names.MainAgent
}

// isMain reports whether a key means the main session of the agent, by one of
// the names that it has or had.
func (c *Config) isMain(key, agent string) bool {
	main := c.mainKey()
	if key == "main" || key == main || key == c.mainSession(agent) {
		return true
	}
	for _, a := range [2]string{agent, names.MainAgent} {
		if key == "agent:"+a+":"+main || key == "agent:"+a+":main" {
			return true
		}
	}
	return false
}

// What a sandbox allows and denies where nothing is configured: the tools that
// work inside, and not those that reach the host or the world.
var (
	sandboxAllows = builtIn("exec", "process", "read", "write", "edit", "apply_patch", "image", "sessions_list",
		"sessions_history", "sessions_send", "sessions_spawn", "sessions_yield", "subagents", "session_status")
	sandboxDenies = builtIn(slices.Concat([]string{"browser", "canvas", "nodes", "cron", "gateway"}, chats)...)
)

// imageTool is always part of a sandbox's allow list, unless a list names it.
const imageTool = "image"

// sandbox adds the layer of the sandbox. Each of its lists is the agent's where
// the agent has one, else the global one, else built in.
func (r *resolver) sandbox() {
	var own Section
	if a := r.cfg.agent(r.res.SandboxAgent); a != nil {
		own = a.Tools.Sandbox
	}
	global := r.cfg.Tools.Sandbox
	allow, also, deny := first(own.Allow, global.Allow), first(own.AlsoAllow, global.AlsoAllow), first(own.Deny, global.Deny)
	l := Layer{Place: PlaceSandbox, Allow: sandboxAllow(allow, also), Deny: present(deny.Entries), DenyPath: deny.path(sandboxPath, "deny")}
	l.Widen = widenSandbox(allow, also)
	l.AllowPath, l.AllowPos = l.Widen.Path, allow.Pos
	if !deny.written() {
		l.Deny, l.Lift = r.withoutMatches(sandboxDenies, slices.Concat(allow.Entries, also.Entries)), l.Widen
	}
	d := r.cfg.Dialect
	if usable(l.Allow) && !d.lists(l.Allow, imageTool) && !d.lists(l.Deny, imageTool) {
		l.Allow = append(slices.Clip(l.Allow), Entry{Text: imageTool})
	}
	r.res.SandboxDeny = deny.source()
	r.res.SandboxAllow = firstSet(own.Allow, own.AlsoAllow, global.Allow, global.AlsoAllow).source()
	r.add(l)
}

// sandboxPath is where the lists of the sandbox stand when nobody wrote them.
const sandboxPath = "tools.sandbox.tools"

// first gives the agent's list where it was written, else the global one.
func first(own, global List) List {
	if own.written() {
		return own
	}
	return global
}

func firstSet(lists ...List) List {
	for _, l := range lists {
		if l.written() {
			return l
		}
	}
	return List{}
}

// source is the path of a list that was written.
func (l List) source() string {
	if !l.written() {
		return ""
	}
	return l.Path
}

// sandboxAllow merges the lists: an empty allow list stays empty and lets
// everything through, whatever stands beside it.
func sandboxAllow(allow, also List) []Entry {
	switch {
	case !allow.written() && len(also.Entries) == 0:
		return sandboxAllows
	case !allow.written():
		return union(sandboxAllows, also.Entries)
	case len(allow.Entries) == 0:
		return []Entry{}
	}
	return union(allow.Entries, also.Entries)
}

// widenSandbox is the edit that lets one more tool into the sandbox, past the
// built-in deny list too: in the allow list where there is one, for alsoAllow
// is refused beside it.
func widenSandbox(allow, also List) *Edit {
	if len(allow.Entries) > 0 {
		return &Edit{Op: EditAdd, Path: allow.path(sandboxPath, "allow"), Pos: allow.Pos}
	}
	return &Edit{Op: EditAdd, Path: also.path(sandboxPath, "alsoAllow"), Pos: also.Pos}
}

// withoutMatches leaves out the entries that one of the patterns matches: who
// names a tool of the built-in deny list wants it.
func (r *resolver) withoutMatches(list, patterns []Entry) []Entry {
	if !usable(patterns) {
		return list
	}
	asked := Compile(r.cfg.Dialect, []Layer{{Allow: patterns}})
	return slices.DeleteFunc(slices.Clone(list), func(e Entry) bool { return asked.Decide(Tool{Name: e.Text}).Kept })
}

// lists reports whether a list names a tool itself or by a core group.
func (d Dialect) lists(list []Entry, tool string) bool {
	for _, e := range list {
		name := names.Normalise(e.Text)
		members, _ := d.catalogue().Group(name)
		if name == tool || slices.Contains(members, tool) {
			return true
		}
	}
	return false
}
