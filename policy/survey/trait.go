package survey

import (
	"strconv"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// trait is one thing that differs from the plain situation. Empty fields say
// nothing about theirs.
type trait struct {
	words                string
	provider, model, api string
	channel, account     string
	group                string
	sender               toolrest.Sender
	depth                int
	session              string // what follows the agent in the session's key
	sandbox              string
	surface              toolrest.Surface
	stranger             bool // not the owner
	run                  runKind
}

// runKind is a kind of run that brings tools along.
type runKind uint8

const (
	plainRun  runKind = iota
	answering         // it answers a heartbeat, by the message tool
	searching         // it searches its tools
	doingBoth
)

var runs = [...]policy.Run{
	answering: {Message: true, Heartbeat: true},
	searching: {ToolSearch: true},
	doingBoth: {Message: true, Heartbeat: true, ToolSearch: true},
}

// asked is a situation in a form that can be compared.
type asked struct {
	caller toolrest.Caller
	run    runKind
}

func (a asked) context() policy.Context {
	return policy.Context{Caller: a.caller, Run: runs[a.run]}
}

// assemble makes the situation that has all traits. It answers false when they
// contradict each other: two chat services, two senders of one kind.
func assemble(agent string, traits []trait, o Options) (asked, bool) {
	run := plainRun
	c := toolrest.Caller{Agent: agent, Surface: toolrest.SurfaceAgent, Owner: true}
	session, ok := "", true
	for i := range traits {
		t := &traits[i]
		ok = set(&c.Provider, t.provider) && set(&c.Model, t.model) && set(&c.API, t.api) &&
			set(&c.Channel, t.channel) && set(&c.Account, t.account) && set(&c.Group, t.group) &&
			set(&c.Sender.ID, t.sender.ID) && set(&c.Sender.E164, t.sender.E164) &&
			set(&c.Sender.Username, t.sender.Username) && set(&c.Sender.Name, t.sender.Name) &&
			set(&session, t.session) && set(&c.Sandbox, t.sandbox) && ok
		c.Depth = max(c.Depth, t.depth)
		if t.surface != "" {
			c.Surface = t.surface
		}
		c.Owner = c.Owner && !t.stranger
		run = max(run, t.run)
	}
	if o.Forced && c.Sandbox == "" {
		c.Sandbox = "off"
	}
	setSession(&c, session, o)
	return asked{c, run}, ok && (session == "" || c.Group == "" && c.Depth == 0)
}

// set fills a field; it answers false where it has another value already.
func set(field *string, value string) bool {
	if value == "" || *field == value {
		return true
	}
	if *field != "" {
		return false
	}
	*field = value
	return true
}

// setSession gives the key that such a session has.
func setSession(c *toolrest.Caller, session string, o Options) {
	prefix := "agent:" + c.Agent + ":"
	switch {
	case c.Group != "":
		c.Session = prefix + c.Channel + ":group:" + c.Group
	case session != "":
		c.Session = prefix + session
	case !o.Forced:
		c.Session = prefix + names.MainAgent
	}
	Spawn(c)
}

// Spawn gives a caller the session that it has so many levels down, started by
// the session that it had. A caller of depth zero stays as it is.
func Spawn(c *toolrest.Caller) {
	if c.Depth == 0 {
		return
	}
	c.SpawnedBy = c.Session
	c.Session = "agent:" + c.Agent
	for i := range c.Depth {
		c.Session += ":subagent:" + strconv.Itoa(i+1)
	}
}
