package registry

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/toolrest/toolrest"
)

func named(name, about string) toolrest.Tool {
	return toolrest.Tool{
		Descriptor: toolrest.Descriptor{Name: name, Description: about},
		Executor: toolrest.Handler(func(context.Context, *toolrest.Call) (*toolrest.Result, error) {
			return toolrest.TextResult(about), nil
		}),
	}
}

func source(kind Kind, name string, tools ...string) Source {
	s := Source{Kind: kind, Name: name}
	for _, t := range tools {
		s.Tools = append(s.Tools, named(t, string(kind)+" "+name))
	}
	return s
}

func rows(s *Snapshot) []string {
	var out []string
	for _, r := range s.Rows {
		out = append(out, r.Name+" from "+r.Source)
	}
	return out
}

func TestMerge(t *testing.T) {
	r, err := New(nil,
		source(Core, "", "read", "exec"),
		source(Extension, "ext", "exec", "extra"),
		source(SDK, "", "extra", "mine"),
		source(Plugin, "p", "read", "plug"),
		source(MCP, "m", "plug", "mcp"),
	)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"read from core", "exec from extension ext", "extra from <sdk:extra>", "mine from <sdk:mine>", "plug from plugin p", "mcp from mcp m"}
	if got := rows(r.Snapshot()); !slices.Equal(got, want) {
		t.Errorf("rows %q\nwant %q", got, want)
	}
	var skipped []string
	for _, s := range r.Snapshot().Skipped {
		skipped = append(skipped, s.String())
	}
	want = []string{
		"read of plugin p is left out: core has a tool of that name",
		"plug of mcp m is left out: plugin p has a tool of that name",
	}
	if !slices.Equal(skipped, want) {
		t.Errorf("skipped %q\nwant %q", skipped, want)
	}
}

func TestRefs(t *testing.T) {
	r, err := New(nil, source(Core, "", "read"), source(MCP, "wiki", "find"), source(SDK, "", "mine"))
	if err != nil {
		t.Fatal(err)
	}
	var refs []string
	for _, row := range r.Snapshot().Rows {
		refs = append(refs, row.Ref.String())
	}
	if want := []string{"core:read", "mcp:wiki:find", "sdk:mine:mine"}; !slices.Equal(refs, want) {
		t.Errorf("refs %q, want %q", refs, want)
	}
}

func TestRefreshKeepsTheLastGoodSnapshot(t *testing.T) {
	bad := errors.New("contract")
	var refuse bool
	r, err := New(&Options{Check: func(*Snapshot) error {
		if refuse {
			return bad
		}
		return nil
	}}, source(Core, "", "read"))
	if err != nil {
		t.Fatal(err)
	}
	before := r.Snapshot()
	refuse = true
	if err := r.Refresh(source(Core, "", "write")); !errors.Is(err, bad) {
		t.Fatalf("err = %v", err)
	}
	if r.Snapshot() != before {
		t.Error("a refused snapshot was swapped in")
	}
	refuse = false
	if err := r.Refresh(source(Core, "", "write")); err != nil {
		t.Fatal(err)
	}
	if got := rows(r.Snapshot()); !slices.Equal(got, []string{"write from core"}) || r.Snapshot().Version != before.Version+1 {
		t.Errorf("rows %q, version %d", got, r.Snapshot().Version)
	}
}

func TestRefusals(t *testing.T) {
	noName := named("", "x")
	noObject := named("x", "x")
	noObject.InputSchema = []byte(`["type"]`)
	cut := named("y", "y")
	cut.InputSchema = []byte(`{"type":`)
	for want, tool := range map[string]toolrest.Tool{"has no name": noName, "schema of x": noObject, "schema of y": cut} {
		_, err := New(nil, Source{Kind: Core, Tools: []toolrest.Tool{tool}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("err = %v, want %q", err, want)
		}
	}
}

func TestSchemaIsCompiledOnce(t *testing.T) {
	r, err := New(nil, source(Core, "", "read"))
	if err != nil {
		t.Fatal(err)
	}
	row := r.Snapshot().Rows[0]
	a, err := row.Arguments()
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := row.Arguments(); a != b {
		t.Error("compiled twice")
	}
}
