package expect

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/json5"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/survey"
)

// Error is one thing that is wrong with a file of expectations.
type Error struct {
	Pos  toolrest.Pos
	Path string // the key
	Text string
	Hint string // what to do about it, or empty
}

// Error gives file:line:col: path: text, and the hint in a line of its own.
func (e *Error) Error() string {
	text := e.Pos.String() + ": "
	if e.Path != "" {
		text += e.Path + ": "
	}
	text += e.Text
	if e.Hint != "" {
		text += "\n  " + e.Hint
	}
	return text
}

// Errors is all that is wrong with a file.
type Errors []*Error

// Error joins the lines of all errors.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// maxErrors bounds what is said about one file.
const maxErrors = 50

// Read reads a file of expectations. The config says which agents and servers
// there are, the inventory which tools. What is wrong comes as [Errors].
func Read(file string, text []byte, cfg *policy.Config, inv *survey.Inventory) (*Suite, error) {
	r := &reader{file: file, cfg: cfg, inv: inv}
	tree, err := json5.Parse(file, text)
	if err != nil {
		return nil, r.syntax(err)
	}
	s := &Suite{File: file}
	for _, m := range r.object(tree, "", keysOfFile) {
		if m.Key == "contexts" {
			s.Cases = r.cases(m.Value)
		}
	}
	if len(r.errs) == 0 && len(s.Cases) == 0 {
		r.wrong(tree, "", "nothing is expected", "write contexts: { 'a name': { agent: 'main', sees: ['read'] } }")
	}
	if len(r.errs) > 0 {
		slices.SortStableFunc(r.errs, func(a, b *Error) int {
			return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
		})
		return nil, r.errs
	}
	return s, nil
}

var (
	keysOfFile = []string{"contexts"}
	keysOfCase = []string{
		"agent", "model", "channel", "account", "group", "sender", "session", "sandboxed", "depth", "owner", "surface",
		"sees", "only", "not", "removedBy",
	}
	keysOfSender = []string{"id", "e164", "username", "name"}
	surfaces     = []string{
		string(toolrest.SurfaceAgent), string(toolrest.SurfaceMCPStdio), string(toolrest.SurfaceMCPHTTP),
		string(toolrest.SurfaceHTTP), string(toolrest.SurfaceSkill), string(toolrest.SurfaceCLI),
	}
)

// reader turns the tree into cases and notes what is wrong.
type reader struct {
	file string
	cfg  *policy.Config
	inv  *survey.Inventory
	errs Errors
}

func (r *reader) syntax(err error) error {
	var all json5.Errors
	if !errors.As(err, &all) {
		return fmt.Errorf("read %s: %w", r.file, err)
	}
	for _, e := range all {
		r.add(toolrest.Pos{File: r.file, Line: e.Line, Col: e.Col}, e.Path, e.Text, e.Hint)
	}
	return r.errs
}

func (r *reader) add(at toolrest.Pos, path, text, hint string) {
	if len(r.errs) < maxErrors {
		r.errs = append(r.errs, &Error{Pos: at, Path: path, Text: text, Hint: hint})
	}
}

func (r *reader) pos(n *json5.Node) toolrest.Pos {
	return toolrest.Pos{File: r.file, Line: n.Line, Col: n.Col}
}

func (r *reader) wrong(n *json5.Node, path, text, hint string) { r.add(r.pos(n), path, text, hint) }

// object gives the members of an object that may have these keys.
func (r *reader) object(n *json5.Node, path string, keys []string) []json5.Member {
	if n.Kind != json5.Object {
		r.wrong(n, path, "expected an object, found "+n.Kind.String(), "")
		return nil
	}
	var out []json5.Member
	for _, m := range n.Members {
		if keys == nil || slices.Contains(keys, m.Key) {
			out = append(out, m)
			continue
		}
		at := toolrest.Pos{File: r.file, Line: m.Line, Col: m.Col}
		r.add(at, json5.JoinKey(path, m.Key), "unknown key "+json5.Excerpt(m.Key), nearest(m.Key, keys, "the keys here are: "))
	}
	return out
}

// nearest tells what was probably meant, else all that there is.
func nearest(word string, known []string, all string) string {
	if near := names.Nearest(word, known, 3); len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "?"
	}
	if all == "" || len(known) > 40 {
		return ""
	}
	return all + strings.Join(known, ", ")
}

func (r *reader) cases(n *json5.Node) []Case {
	var out []Case
	for _, m := range r.object(n, "contexts", nil) {
		path := json5.JoinKey("contexts", m.Key)
		if names.Trim(m.Key) == "" {
			r.add(toolrest.Pos{File: r.file, Line: m.Line, Col: m.Col}, path, "a blank name", "say in a few words what the situation is")
		}
		c := Case{Name: m.Key, Pos: toolrest.Pos{File: r.file, Line: m.Line, Col: m.Col}}
		r.read(&c, m.Value, path)
		out = append(out, c)
	}
	return out
}

// read fills a case.
func (r *reader) read(c *Case, n *json5.Node, path string) {
	who := &circumstances{caller: toolrest.Caller{Agent: names.MainAgent, Surface: toolrest.SurfaceAgent}}
	for _, m := range r.object(n, path, keysOfCase) {
		at := json5.JoinKey(path, m.Key)
		switch m.Key {
		case "sees":
			c.Sees = r.wants(m.Value, at)
		case "only":
			c.Only, c.HasOnly, c.OnlyPos = r.wants(m.Value, at), true, r.pos(m.Value)
		case "not":
			c.Not = r.wants(m.Value, at)
		case "removedBy":
			c.RemovedBy = r.removals(m.Value, at)
		default:
			r.circumstance(who, m, at)
		}
	}
	if n.Kind == json5.Object && !c.HasOnly && len(c.Sees)+len(c.Not)+len(c.RemovedBy) == 0 && len(r.errs) == 0 {
		r.wrong(n, path, "expects nothing", "say what it sees, or what it does not: sees, only, not, removedBy")
	}
	if who.caller.Group != "" && who.caller.Channel == "" && who.caller.Session == "" {
		r.wrong(n, path, "a group without a channel", "say which chat service has the group: channel: 'telegram'")
	}
	c.Asks.Caller, c.OwnerFromConfig = who.finish()
}

// circumstances are whom a case asks for, while they are read.
type circumstances struct {
	caller toolrest.Caller
	owner  *bool
}

// finish fills what follows from the rest, as the command line does: the local
// user is the owner, and of those in a chat the config knows it.
func (w *circumstances) finish() (toolrest.Caller, bool) {
	c := w.caller
	if c.Session == "" {
		c.Session = "agent:" + c.Agent + ":" + names.MainAgent
		if c.Group != "" {
			c.Session = "agent:" + c.Agent + ":" + names.Fold(c.Channel) + ":group:" + c.Group
		}
		survey.Spawn(&c)
	}
	chat := c.Channel != "" || c.Sender != (toolrest.Sender{})
	if w.owner != nil {
		c.Owner = *w.owner
		return c, false
	}
	c.Owner = !chat
	return c, chat
}

// maxDepth bounds the depth of a sub-agent.
const maxDepth = 16

func (r *reader) circumstance(w *circumstances, m json5.Member, at string) {
	c := &w.caller
	switch m.Key {
	case "agent":
		r.agent(c, m.Value, at)
	case "model":
		c.Provider, c.Model, _ = strings.Cut(r.string(m.Value, at), "/")
	case "channel":
		c.Channel = r.string(m.Value, at)
	case "account":
		c.Account = r.string(m.Value, at)
	case "group":
		c.Group = r.string(m.Value, at)
	case "session":
		c.Session = r.string(m.Value, at)
	case "sender":
		r.sender(&c.Sender, m.Value, at)
	case "surface":
		text := r.string(m.Value, at)
		if c.Surface = toolrest.Surface(text); text != "" && !slices.Contains(surfaces, text) {
			r.wrong(m.Value, at, "unknown surface "+json5.Excerpt(text), nearest(text, surfaces, "it is one of: "))
		}
	case "sandboxed":
		if on := r.flag(m.Value, at); on != nil {
			c.Sandbox = "off"
			if *on {
				c.Sandbox = "on"
			}
		}
	case "owner":
		w.owner = r.flag(m.Value, at)
	case "depth":
		n := m.Value
		if n.Kind != json5.Number || n.Number != math.Trunc(n.Number) || n.Number < 0 || n.Number > maxDepth {
			r.wrong(n, at, fmt.Sprintf("expected a whole number from 0 to %d", maxDepth), "")
			return
		}
		c.Depth = int(n.Number)
	}
}

func (r *reader) agent(c *toolrest.Caller, n *json5.Node, at string) {
	text := r.string(n, at)
	c.Agent = names.AgentID(text)
	known := []string{names.MainAgent}
	for cfg := r.cfg; cfg != nil; cfg = cfg.Base {
		for i := range cfg.Agents {
			known = append(known, names.AgentID(cfg.Agents[i].ID))
		}
	}
	if text != "" && !slices.Contains(known, c.Agent) {
		r.wrong(n, at, "the config has no agent "+json5.Excerpt(text), nearest(text, known, "there are: "))
	}
}

func (r *reader) sender(s *toolrest.Sender, n *json5.Node, at string) {
	fields := map[string]*string{"id": &s.ID, "e164": &s.E164, "username": &s.Username, "name": &s.Name}
	if n.Kind == json5.Object {
		for _, m := range r.object(n, at, keysOfSender) {
			*fields[m.Key] = r.string(m.Value, json5.JoinKey(at, m.Key))
		}
		return
	}
	text := r.string(n, at)
	kind, value, ok := strings.Cut(text, ":")
	if field := fields[names.Fold(kind)]; ok && field != nil {
		*field = value
		return
	}
	s.ID = text
}

func (r *reader) string(n *json5.Node, path string) string {
	if n.Kind != json5.String || names.Trim(n.Text) == "" {
		r.wrong(n, path, "expected a text that is not blank", "")
		return ""
	}
	return n.Text
}

func (r *reader) flag(n *json5.Node, path string) *bool {
	if n.Kind != json5.Bool {
		r.wrong(n, path, "expected true or false, found "+n.Kind.String(), "")
		return nil
	}
	return &n.Bool
}
