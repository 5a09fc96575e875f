package config

import (
	"fmt"
	"path/filepath"
	"regexp"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/json5"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// reader fills a config from the tree of its file. It relies on the checker:
// a value of the wrong form was noted, and is then passed over.
type reader struct {
	checker
	cfg  *Config
	opts *Options
}

// read reads the whole tree but the workspace.
func (r *reader) read(tree *json5.Node) {
	r.cfg.dialect = r.dialectOf(tree)
	r.dialect = r.cfg.dialect
	if r.dialect == policy.OpenClaw {
		r.vars = varsOf(tree)
	}
	r.check(tree, &root, spot{known: openclaw})
	if !r.trusted {
		tree = r.prune(tree, &root, "")
	}
	r.cfg.tree = tree
	r.cfg.Policy = policyReader{pos: r.pos, text: r.decoded}.config(tree)
	if exec := r.exec(child(tree, "tools", json5.Object), "tools"); exec.written() {
		r.cfg.Exec = exec
	}
	agents := child(tree, "agents", json5.Object)
	r.cfg.Model = r.model(child(agents, "defaults", json5.Object))
	r.agents(child(agents, "list", json5.Array))
	r.models(child(tree, "models", json5.Object))
}

// dialectOf tells whose config it is: the name of the file says so, or the
// config itself.
func (r *reader) dialectOf(tree *json5.Node) policy.Dialect {
	if !r.trusted {
		return policy.Default
	}
	if said := child(child(tree, "tools", json5.Object), "dialect", json5.String); said != nil {
		if said.Text == dialectOpenClaw {
			return policy.OpenClaw
		}
		return policy.Default
	}
	if filepath.Base(r.cfg.File) == OpenClawFileName {
		return policy.OpenClaw
	}
	return policy.Default
}

// decoded gives a text with what it refers to.
func (r *reader) decoded(n *json5.Node) string { return r.texts[n] }

// text gives the decoded text of a key, or nothing where it is missing or
// wrong.
func (r *reader) text(n *json5.Node, name string) (string, toolrest.Pos) {
	t := child(n, name, json5.String)
	if t == nil {
		return "", toolrest.Pos{}
	}
	return r.texts[t], r.pos(t)
}

func (r *reader) ignore(n *json5.Node, path, why string) {
	r.cfg.Ignored = append(r.cfg.Ignored, Ignored{Path: path, Pos: r.pos(n), Why: why})
}

// exec reads whether the commands of a scope ask. An untrusted config can only
// make them ask.
func (r *reader) exec(n *json5.Node, path string) Exec {
	n, path = child(n, "exec", json5.Object), path+".exec"
	ask := child(n, "ask", json5.String)
	if word, key := r.bound(n, path); word != nil {
		return Exec{Ask: AskAlways, Key: key, Pos: r.pos(word), bound: true}
	}
	if ask == nil {
		return Exec{}
	}
	value := r.texts[ask]
	if value == "on-miss" {
		value = AskAlways
	}
	if !r.trusted && value != AskAlways {
		if value != "" {
			r.ignore(ask, path+".ask", "a config that is not trusted cannot let commands run unasked")
		}
		return Exec{}
	}
	return Exec{Ask: value, Key: path + ".ask", Pos: r.pos(ask), unbound: child(n, "security", json5.String) != nil}
}

// bound gives the value that allows less than every command, and its key. There
// is no list of allowed commands here, so that it makes each one ask.
func (r *reader) bound(n *json5.Node, path string) (*json5.Node, string) {
	mode, security := child(n, "mode", json5.String), child(n, "security", json5.String)
	if mode != nil && (security != nil || n.Get("ask") != nil) {
		r.add(mode, path+".mode", "it cannot stand beside security or ask", "write either mode, or security and ask")
	}
	for _, key := range []string{"mode", "security"} {
		if word := child(n, key, json5.String); word != nil && r.texts[word] != "full" {
			r.warn(word, path, "there is no list of allowed commands here, so that each command is asked for")
			return word, path + "." + key
		}
	}
	return nil, ""
}

// model reads the key model of an agent, or of what counts for all.
func (r *reader) model(n *json5.Node) string {
	if of := child(n, "model", json5.Object); of != nil {
		text, _ := r.text(of, "primary")
		return text
	}
	text, _ := r.text(n, "model")
	return text
}

var agentID = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

func (r *reader) agents(list *json5.Node) {
	if list == nil {
		return
	}
	first := map[string]toolrest.Pos{}
	for i, n := range list.Items {
		if n.Kind != json5.Object {
			continue
		}
		path := json5.JoinIndex("agents.list", i)
		a := Agent{Pos: r.pos(n)}
		a.ID = r.agentID(child(n, "id", json5.String), path+".id", first)
		a.Exec = r.exec(child(n, "tools", json5.Object), path+".tools")
		a.Model = r.model(n)
		a.AllowAgents = policyReader{pos: r.pos, text: r.decoded}.list(child(n, "subagents", json5.Object), path+".subagents", "allowAgents")
		if r.cfg.agents == nil {
			r.cfg.agents = map[string]int{}
		}
		r.cfg.agents[a.ID] = len(r.cfg.Agents)
		r.cfg.Agents = append(r.cfg.Agents, a)
	}
}

func (r *reader) agentID(n *json5.Node, path string, first map[string]toolrest.Pos) string {
	text, ok := r.texts[n]
	if !ok {
		return "" // missing or wrong, as was noted
	}
	id := names.Fold(text)
	if r.dialect == policy.OpenClaw {
		id = names.AgentID(text)
	}
	if !agentID.MatchString(id) {
		r.add(n, path, "this is not an agent id", "an id has letters, digits, - and _, begins with a letter or digit, and has at most 64 of them")
		return ""
	}
	if before, twice := first[id]; twice {
		r.add(n, path, fmt.Sprintf("duplicate agent id %q, first written at %s", id, before), "give each agent an id of its own")
		return id
	}
	first[id] = r.pos(n)
	return id
}
