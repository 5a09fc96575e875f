package config

import (
	"fmt"
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

// parse reads the whole file but the workspace.
func (r *reader) parse() {
	tree, err := json5.Parse(r.file, r.cfg.text)
	r.addSyntax(err)
	if tree == nil {
		return
	}
	r.cfg.tree = tree
	r.check(tree, &root, "")
	r.cfg.Policy = policyReader{pos: r.pos, text: func(n *json5.Node) string { return r.texts[n] }}.config(tree)
	tools := child(tree, "tools", json5.Object)
	r.cfg.Tools = r.section(tools, "tools")
	if exec := r.exec(tools, "tools"); exec.written() {
		r.cfg.Exec = exec
	}
	r.agents(child(child(tree, "agents", json5.Object), "list", json5.Array))
	r.models(child(tree, "models", json5.Object))
}

func (r *reader) pos(n *json5.Node) toolrest.Pos {
	return toolrest.Pos{File: r.file, Line: n.Line, Col: n.Col}
}

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

// section reads what a scope says about tools; n is nil where it says nothing.
func (r *reader) section(n *json5.Node, path string) policy.Section {
	s := policy.Section{Path: path}
	if n != nil {
		s.Pos = r.pos(n)
	}
	s.Profile, s.ProfilePos = r.text(n, "profile")
	s.Allow = r.entries(n, path, "allow")
	s.AlsoAllow = r.entries(n, path, "alsoAllow")
	s.Deny = r.entries(n, path, "deny")
	r.checkLists(n, s)
	return s
}

func (r *reader) entries(n *json5.Node, path, name string) policy.List {
	list := policy.List{Path: json5.JoinKey(path, name)}
	array := child(n, name, json5.Array)
	if array == nil {
		return list
	}
	list.Set, list.Pos = true, r.pos(array)
	for _, item := range array.Items {
		if text, ok := r.texts[item]; ok {
			list.Entries = append(list.Entries, policy.Entry{Text: text, Pos: r.pos(item)})
		}
	}
	return list
}

// checkLists refuses lists that say something else than they seem to: an
// empty allow list would forbid nothing, and allow beside alsoAllow leaves open
// which of them restricts.
func (r *reader) checkLists(n *json5.Node, s policy.Section) {
	allow, also := child(n, "allow", json5.Array), child(n, "alsoAllow", json5.Array)
	if allow != nil && len(s.Allow.Entries) == len(allow.Items) && allBlank(s.Allow.Entries) {
		r.add(allow, s.Allow.Path, "the list allows nothing, which would not forbid anything", "write deny: ['*'] or delete the list")
	}
	if len(s.Allow.Entries) > 0 && len(s.AlsoAllow.Entries) > 0 {
		text := fmt.Sprintf("it cannot stand beside allow (%s)", s.Allow.Pos)
		r.add(also, s.AlsoAllow.Path, text, "put the entries of one list into the other")
	}
}

func allBlank(entries []policy.Entry) bool {
	for _, e := range entries {
		if names.Fold(e.Text) != "" {
			return false
		}
	}
	return true
}

// exec reads exec.ask of a scope. An untrusted config can only make it ask.
func (r *reader) exec(n *json5.Node, path string) Exec {
	n = child(child(n, "exec", json5.Object), "ask", json5.String)
	if n == nil {
		return Exec{}
	}
	ask := r.texts[n]
	if !r.trusted && ask != AskAlways {
		if ask != "" {
			r.ignore(n, path+".exec.ask", "a config that is not trusted cannot let commands run unasked")
		}
		return Exec{}
	}
	return Exec{Ask: ask, Pos: r.pos(n)}
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
		tools := child(n, "tools", json5.Object)
		a.Tools = r.section(tools, path+".tools")
		a.Exec = r.exec(tools, path+".tools")
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
