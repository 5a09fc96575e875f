package adapt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/toolrest/toolrest/schema/check"
	"github.com/toolrest/toolrest/schema/openclaw"
	"github.com/toolrest/toolrest/schema/tree"
)

// maxWire is how large a schema may be on the wire, in bytes.
const maxWire = 512 << 10

// arenas are memory for trees: a result has texts alone.
var arenas = sync.Pool{New: func() any { return new(tree.Arena) }}

func build(raw json.RawMessage, t Target, kind Kind) *Result {
	arena := arenas.Get().(*tree.Arena)
	defer func() {
		arena.Reset()
		arenas.Put(arena)
	}()
	n, fault := readWith(arena.Parse, raw)
	if fault != nil {
		return &Result{Fault: fault}
	}
	if t.Dialect == OpenClaw {
		return buildOpenClaw(n, t, kind)
	}
	c := &converter{root: n, profile: configured(profiles[kind], t.Compat)}
	out, note := c.tool()
	if c.fault != nil {
		return &Result{Fault: c.fault}
	}
	r := &Result{Schema: tree.Encode(out), Note: note}
	if len(r.Schema) > maxWire {
		return &Result{Fault: tooLarge(out, len(r.Schema))}
	}
	if t.Strict {
		if strict := closed(out); len(check.OpenAIStrict(strict)) == 0 {
			r.Strict = tree.Encode(strict)
		}
	}
	return r
}

// read parses a schema. null stands for absent parameters.
func read(raw json.RawMessage) (*tree.Node, *Fault) { return readWith(tree.Parse, raw) }

func readWith(parse func([]byte, *tree.Limits) (*tree.Node, error), raw json.RawMessage) (*tree.Node, *Fault) {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = noArguments
	}
	n, err := parse(raw, nil)
	var wrong *tree.Error
	if errors.As(err, &wrong) {
		return nil, &Fault{Path: wrong.Path, Reason: wrong.Reason}
	}
	if n.Is(tree.Null) {
		return tree.Empty, nil
	}
	return n, nil
}

// configured is a profile without what a configuration says that the server
// refuses.
func configured(p *profile, c Compat) *profile {
	if len(c.Unsupported) == 0 && !c.OmitEmptyItems {
		return p
	}
	own := *p
	for _, key := range c.Unsupported {
		switch kw := keywordOf(strings.TrimSpace(key)); kw {
		case unknown, kwType, kwProperties:
		case kwAnyOf, kwOneOf:
			own.unions = noUnions
		case kwAllOf:
			own.mergeAll = true
		default:
			own.takes[kw] = false
		}
	}
	if c.OmitEmptyItems {
		own.emptyItems = false
	}
	return &own
}

// tooLarge names the largest part of a schema that is too large.
func tooLarge(n *tree.Node, size int) *Fault {
	var path []string
	for depth := 0; depth < maxPath; depth++ {
		var largest tree.Member
		at, most := "", 0
		for i, m := range n.Members() {
			if s := m.Value.Size(); s > most {
				largest, most, at = m, s, m.Key
				if n.Is(tree.Array) {
					at = fmt.Sprint(i)
				}
			}
		}
		if largest.Value == nil || most < size/2 {
			break
		}
		path, n = append(path, at), largest.Value
	}
	return &Fault{Path: pathOf(path), Reason: fmt.Sprintf("the schema has %d bytes in the provider's form, more than %d; this is the largest part", size, maxWire)}
}

// closed is the strict form: objects say that they take no other properties.
func closed(n *tree.Node) *tree.Node {
	out := n.Each(func(m tree.Member) *tree.Node {
		switch keywordOf(m.Key) {
		case kwProperties:
			return m.Value.Each(func(m tree.Member) *tree.Node { return closed(m.Value) })
		case kwItems:
			return closed(m.Value)
		case kwAnyOf:
			return m.Value.Each(func(m tree.Member) *tree.Node { return closed(m.Value) })
		}
		return m.Value
	})
	if !out.Is(tree.Object) || !out.Get("type").IsText("object") {
		return out
	}
	if !out.Has("required") {
		out = out.With("required", tree.List())
	}
	if !out.Has("additionalProperties") {
		out = out.With("additionalProperties", tree.False)
	}
	return out
}

// buildOpenClaw goes the way of the original: its normaliser, the plugin of
// the provider, the transport of the wire.
func buildOpenClaw(n *tree.Node, t Target, kind Kind) *Result {
	out, err := openclaw.Normalize(n, openclaw.Options{Provider: t.Provider, Model: t.Model, Compat: t.Compat})
	if err != nil {
		return &Result{Fault: &Fault{Reason: err.Error()}}
	}
	if v := openclaw.Violations(out, "", true); len(v) > 0 {
		return &Result{Fault: faultOf(v[0])}
	}
	if out, err = plugin(out, t); err != nil {
		return &Result{Fault: &Fault{Reason: err.Error()}}
	}
	if v := openclaw.Violations(out, "", false); len(v) > 0 {
		return &Result{Fault: faultOf(v[0])}
	}
	return transport(out, t, kind)
}

func plugin(n *tree.Node, t Target) (*tree.Node, error) {
	switch {
	case fold(t.Compat.Profile) == "deepseek":
		return openclaw.DeepSeek(n), nil
	case fold(t.Provider) == "google", fold(t.Provider) == "google-vertex":
		return openclaw.CleanGemini(n)
	}
	return openclaw.Plugin(n, openclaw.Route{Provider: t.Provider, API: t.API, BaseURL: t.BaseURL}), nil
}

func transport(n *tree.Node, t Target, kind Kind) *Result {
	if kind == Anthropic {
		out, ok := openclaw.Anthropic(n)
		if !ok {
			return &Result{Fault: &Fault{Reason: "its properties or its required list cannot be sent"}}
		}
		return &Result{Schema: tree.Encode(out)}
	}
	if kind == Gemini {
		return &Result{Schema: tree.Encode(n)}
	}
	out, err := openclaw.OpenAI(n, false, t.Compat)
	if err != nil {
		return &Result{Fault: &Fault{Reason: err.Error()}}
	}
	r := &Result{Schema: tree.Encode(out)}
	if !t.Strict {
		return r
	}
	if found, err := openclaw.StrictViolations(n, ""); err == nil && len(found) == 0 {
		if strict, err := openclaw.OpenAI(n, true, t.Compat); err == nil {
			r.Strict = tree.Encode(strict)
		}
	}
	return r
}

func faultOf(v openclaw.Violation) *Fault {
	path, key := strings.TrimPrefix(v.Path, "."), ""
	if v.Dynamic {
		return &Fault{Path: path, Reason: "dynamic references are not followed"}
	}
	if path == "type" {
		path, key = "", "type"
	}
	return &Fault{Path: path, Keyword: key, Reason: v.Reason}
}
