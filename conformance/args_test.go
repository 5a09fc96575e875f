package conformance

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/internal/arguments"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/schema"
)

var argsAnswers = map[string]answer{
	"execution/args:args.validate":          argsValidate,
	"execution/args:args.prepareNormalized": argsPrepare,
	"execution/args:args.repairStream":      argsRepair,
	"execution/args:args.htmlDecode":        argsEntities,
	"execution/args:toolname.dispatch":      toolnameDispatch,
	"execution/args:toolname.allowed":       toolnameAllowed,
}

// argsValidate asks for the arguments that the tool gets, or for what is
// wrong with them: each of the expected paths must be told of, itself or, for
// what an object must not have, one of its members.
func argsValidate(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct{ Schema, Args json.RawMessage }](t, input)
	value, err := schema.Decode(in.Args)
	if err != nil {
		t.Fatal(err)
	}
	got, err := arguments.Fit(compile(t, in.Schema), in.Args, value, arguments.Options{Dialect: policy.OpenClaw})
	var invalid *schema.InvalidError
	if !errors.As(err, &invalid) {
		if err != nil {
			t.Fatal(err)
		}
		return map[string]any{"value": got}, expected
	}
	wanted, _ := expected.(map[string]any)["invalid"].([]any)
	told := []any{}
	for _, path := range wanted {
		if tells(invalid, path.(string)) {
			told = append(told, path)
		}
	}
	return map[string]any{"invalid": told}, expected
}

func tells(e *schema.InvalidError, path string) bool {
	for _, v := range e.Violations {
		at := strings.TrimPrefix(strings.NewReplacer("[", ".", "]", "").Replace(v.Path), ".")
		parent := ""
		if i := strings.LastIndexByte(at, '.'); i >= 0 {
			parent = at[:i]
		}
		if orRoot(at) == path || orRoot(parent) == path {
			return true
		}
	}
	return false
}

func orRoot(path string) string {
	if path == "" {
		return "root"
	}
	return path
}

func compile(t *testing.T, raw json.RawMessage) *schema.Schema {
	t.Helper()
	s, err := schema.Compile(raw)
	if err != nil {
		t.Fatalf("schema %s: %v", raw, err)
	}
	return s
}

// argsPrepare asks whether no arguments are an empty object.
func argsPrepare(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct{ Schema, Args json.RawMessage }](t, input)
	s := compile(t, in.Schema)
	prepared := in.Args
	if s.NeedsNothing() {
		prepared = arguments.Complete(s, in.Args)
	}
	out := map[string]any{"hasPrepare": s.NeedsNothing()}
	if len(prepared) > 0 {
		out["prepared"] = prepared
	}
	return map[string]any{"value": out}, expected
}

func argsRepair(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct{ Raw, ToolName string }](t, input)
	m, ok := arguments.Mend([]byte(in.Raw), in.ToolName, nil, policy.OpenClaw)
	if !ok {
		return map[string]any{"value": nil}, expected
	}
	kind := "repaired"
	if m.Whole {
		kind = "preserved"
	}
	return map[string]any{"value": map[string]any{
		"args": m.Args, "kind": kind, "leadingPrefix": m.Before, "trailingSuffix": m.After,
	}}, expected
}

func argsEntities(t *testing.T, input json.RawMessage, expected any) (any, any) {
	return map[string]any{"value": arguments.Unescape(decode[struct{ Value any }](t, input).Value)}, expected
}

// toolnameDispatch asks which name was meant. One that means none stays what
// it is, without the white space around it where it is more than that.
func toolnameDispatch(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		Name, ID string
		Allowed  []string
	}](t, input)
	meant, ok := names.Meant(in.Name, in.ID, in.Allowed)
	if !ok && strings.TrimSpace(in.Name) != "" {
		meant = names.Trim(in.Name)
	} else if !ok {
		meant = in.Name
	}
	return map[string]any{"value": meant}, expected
}

func toolnameAllowed(t *testing.T, input json.RawMessage, expected any) (any, any) {
	in := decode[struct {
		Name    string
		Allowed []string
	}](t, input)
	return map[string]any{"value": names.Callable(in.Name, in.Allowed)}, expected
}
