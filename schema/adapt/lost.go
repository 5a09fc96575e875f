package adapt

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/toolrest/toolrest/schema/tree"
)

// Loss is a constraint of a schema that its adapted form does not have.
// Arguments are held to it all the same.
type Loss struct {
	Path    string `json:"path"`
	Keyword string `json:"keyword,omitempty"` // empty for a whole schema
	// Was and Is are the values of the keyword, as JSON; Is is empty where the
	// keyword is gone.
	Was string `json:"was"`
	Is  string `json:"is,omitempty"`
}

func (l Loss) String() string {
	at := l.Path
	if l.Keyword != "" {
		at = joinPath(at, l.Keyword)
	}
	if l.Is == "" {
		return at + ": " + tree.Short(l.Was) + " is gone"
	}
	return at + ": " + tree.Short(l.Was) + " became " + tree.Short(l.Is)
}

// maxLosses is how many are told.
const maxLosses = 200

// Losses compares a schema with its adapted form. What says nothing about
// values, as a title does, is no loss. It fails with a [*Fault] where a schema
// cannot be read.
func Losses(original, adapted json.RawMessage) ([]Loss, error) {
	before, fault := read(original)
	if fault != nil {
		return nil, fault
	}
	after, fault := read(adapted)
	if fault != nil {
		return nil, fault
	}
	if before, fault = plain(before); fault != nil {
		return nil, fault
	}
	if after, fault = plain(after); fault != nil {
		return nil, fault
	}
	d := &difference{}
	d.schema("", before, after)
	return d.losses, nil
}

// plain puts references in place.
func plain(root *tree.Node) (*tree.Node, *Fault) {
	c := &converter{root: root, profile: plainProfile}
	return c.schema(root), c.fault
}

// plainProfile takes all: what is left to do is to follow references and to
// say in today's words what older drafts say.
var plainProfile = func() *profile {
	p := *profiles[OpenAI]
	return &p
}()

type difference struct{ losses []Loss }

func (d *difference) lose(path, keyword string, was, is *tree.Node) {
	if len(d.losses) < maxLosses {
		d.losses = append(d.losses, Loss{path, keyword, was.String(), is.String()})
	}
}

// schema compares what stands at one place.
func (d *difference) schema(path string, was, is *tree.Node) {
	switch {
	case was.IsTrue() || tree.Equal(was, is):
		return
	case !was.Is(tree.Object) || !is.Is(tree.Object):
		d.lose(path, "", was, is)
		return
	}
	for _, m := range was.Members() {
		d.keyword(path, m, is)
	}
}

func (d *difference) keyword(path string, m tree.Member, is *tree.Node) {
	now := is.Get(m.Key)
	at := joinPath(path, m.Key)
	switch kw := keywordOf(m.Key); kw {
	case unknown, kwTitle, kwDescription, kwDefault, kwExamples:
	case kwProperties, kwPatternProperties, kwDependentSchemas:
		d.below(at, m, now)
	case kwAnyOf, kwOneOf, kwAllOf, kwPrefixItems:
		d.list(path, at, m, now)
	case kwItems, kwContains, kwAdditionalProperties, kwPropertyNames, kwNot, kwIf, kwThen, kwElse:
		if m.Value.IsTrue() || m.Value.Is(tree.Object) && m.Value.Len() == 0 {
			return
		}
		if now == nil {
			d.lose(path, m.Key, m.Value, nil)
			return
		}
		d.schema(at, m.Value, now)
	case kwConst:
		if values, ok := literals(is); !ok || len(values) != 1 || !tree.Equal(values[0], m.Value) {
			d.lose(path, m.Key, m.Value, now)
		}
	case kwRequired, kwEnum:
		if !sameValues(m.Value, now) {
			d.lose(path, m.Key, m.Value, now)
		}
	default:
		if !tree.Equal(m.Value, now) {
			d.lose(path, m.Key, m.Value, now)
		}
	}
}

func (d *difference) below(at string, m tree.Member, now *tree.Node) {
	has := now.Index()
	for _, p := range m.Value.Members() {
		if has[p.Key] == nil {
			d.lose(joinPath(at, p.Key), "", p.Value, nil)
			continue
		}
		d.schema(joinPath(at, p.Key), p.Value, has[p.Key])
	}
}

func (d *difference) list(path, at string, m tree.Member, now *tree.Node) {
	if now.Len() != m.Value.Len() {
		d.lose(path, m.Key, m.Value, now)
		return
	}
	for i, p := range m.Value.Members() {
		d.schema(fmt.Sprintf("%s[%s]", at, strconv.Itoa(i)), p.Value, now.Members()[i].Value)
	}
}

// sameValues reports whether the lists have the same values in any order.
func sameValues(a, b *tree.Node) bool {
	if !b.Is(tree.Array) {
		return a.Len() == 0
	}
	in := newValues(items(b)...)
	for _, v := range items(a) {
		if !in.has(v) {
			return false
		}
	}
	return unique(a).Len() == unique(b).Len()
}
