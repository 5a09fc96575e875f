package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

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

func start(t *testing.T, sources ...Source) *Registry {
	t.Helper()
	r, err := New(nil, sources...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func rows(s *Snapshot) []string {
	var out []string
	for _, r := range s.Rows {
		out = append(out, r.Name+" from "+r.Source)
	}
	return out
}

func TestMerge(t *testing.T) {
	sources := []Source{
		source(MCP, "m", "plug", "mcp"),
		source(Plugin, "p", "read", "plug", "Exec", "bash", "q"),
		source(SDK, "", "extra", "mine"),
		source(Extension, "ext", "exec", "extra"),
		source(Extension, "late", "extra", "exec", "own"),
		source(SDK, "again", "mine"),
		source(Plugin, "q", "search"),
		source(Core, "", "read", "exec"),
	}
	want := []string{
		"read from core", "exec from extension ext", "extra from <sdk:extra>", "own from extension late", "mine from <sdk:mine>",
		"plug from plugin p", "search from plugin q", "mcp from mcp m",
	}
	snap := start(t, sources...).Snapshot()
	if got := rows(snap); !slices.Equal(got, want) {
		t.Errorf("rows %q\nwant %q", got, want)
	}
	want = []string{
		"extra of extension late is left out: extension ext has a tool of that name",
		"exec of extension late is left out: extension ext has a tool of that name",
		"read of plugin p is left out: core has a tool of that name",
		"Exec of plugin p is left out: extension ext has exec, which is the same name to a policy",
		"bash of plugin p is left out: extension ext has exec, which is the same name to a policy",
		"q of plugin p is left out: it is named as plugin q is",
		"plug of mcp m is left out: plugin p has a tool of that name",
	}
	if got := snap.Notes(); !slices.Equal(got, want) {
		t.Errorf("notes %q\nwant %q", got, want)
	}
	if err := snap.Err(); err == nil || !strings.Contains(err.Error(), "7 tools are left out, the first: extra of extension late") {
		t.Errorf("err = %v", err)
	}
	if row := snap.Find("exec"); row == nil || !row.BuiltIn || row.Kind != Extension || snap.Find("Exec") != nil {
		t.Errorf("exec is %+v", row)
	}
}

func TestRefsAndOwners(t *testing.T) {
	posing := source(Plugin, "evil", "a")
	posing.Tools[0].Owner = toolrest.Owner{Kind: toolrest.OwnerCore}
	channel := source(MCP, "wiki", "find")
	channel.Tools[0].Owner = toolrest.Owner{Kind: toolrest.OwnerSDK, ID: "raw wiki"}
	r := start(t, source(Core, "", "read"), source(SDK, "", "mine"), posing, channel, source(MCP, "mail", "send"))
	var refs []string
	for _, row := range r.Snapshot().Rows {
		refs = append(refs, row.Ref.String())
	}
	if want := []string{"core:read", "sdk:mine:mine", "plugin:evil:a", "mcp:raw wiki:find", "mcp:mail:send"}; !slices.Equal(refs, want) {
		t.Errorf("refs %q, want %q", refs, want)
	}
}

// broken are sources that break the contract, with the code for each.
func broken() map[string]Source {
	bare := source(Plugin, "p", "good", "bare")
	bare.Tools[1].Executor = nil
	keyless := source(Plugin, "p", "keyless")
	keyless.Tools[0].Executor = nil
	keyless.Tools[0].Availability = toolrest.When(toolrest.Signal{Kind: toolrest.SignalEnv, Name: "KEY"})
	return map[string]Source{
		"duplicate-tool-name plugin p":                source(Plugin, "p", "twice", "good", "twice"),
		"missing-executor plugin p":                   bare,
		"missing-executor plugin p for want of a key": keyless,
		"source-name plugin":                          source(Plugin, "", "a"),
		"source-name mcp \"a\\nb\"":                   source(MCP, "a\nb", "a"),
		"source-name plugin Bundle-MCP":               source(Plugin, "Bundle-MCP", "a"),
		"source-name plugin \"group:plugins\"":        source(Plugin, "group:plugins", "a"),
		"source-name moon m":                          source("moon", "m", "a"),
		"plugin-id-taken plugin read":                 source(Plugin, "read", "a"),
		"refused plugin checked":                      source(Plugin, "checked", "poison"),
		"duplicate-tool-name sdk mine":                source(SDK, "mine", "a", "a"),
	}
}

// refusePoison is a check that knows no sources.
func refusePoison(s *Snapshot) error {
	if s.Find("poison") != nil {
		return errors.New("poison")
	}
	return nil
}

func TestABrokenSourceIsLeftOutAtStart(t *testing.T) {
	for want, bad := range broken() {
		r, err := New(&Options{Check: refusePoison}, source(Core, "", "read", "exec"), bad, source(MCP, "m", "mcp"))
		if err != nil {
			t.Errorf("%s: %v", want, err)
			continue
		}
		snap := r.Snapshot()
		if got := rows(snap); !slices.Equal(got, []string{"read from core", "exec from core", "mcp from mcp m"}) {
			t.Errorf("%s: rows %q", want, got)
		}
		if len(snap.LeftOut) != 1 || !strings.HasPrefix(want, snap.LeftOut[0].Code+" "+snap.LeftOut[0].Source) {
			t.Errorf("%s: left out %v", want, snap.LeftOut)
		}
		if notes := snap.Notes(); len(notes) != 1 || !strings.Contains(notes[0], " is left out: ") || snap.Err() == nil {
			t.Errorf("%s: notes %q, err %v", want, notes, snap.Err())
		}
	}
}

func TestABrokenSourceKeepsTheLastGoodSnapshot(t *testing.T) {
	for want, bad := range broken() {
		r, err := New(&Options{Check: refusePoison}, source(Core, "", "read"), source(MCP, "m", "mcp"))
		if err != nil {
			t.Fatal(err)
		}
		before := r.Snapshot()
		err = r.Refresh(source(Core, "", "read", "write"), bad)
		var contract *ContractError
		if !errors.As(err, &contract) || !strings.HasPrefix(want, contract.Code+" "+contract.Source) {
			t.Errorf("%s: %v", want, err)
		}
		if r.Snapshot() != before {
			t.Errorf("%s: the last good snapshot is gone", want)
		}
	}
}

// TestASourceThatWasLeftOutHoldsUpNobody: it had no tools to lose. Once it was
// mended, it counts.
func TestASourceThatWasLeftOutHoldsUpNobody(t *testing.T) {
	core, bad := source(Core, "", "read"), source(Plugin, "p", "a", "a")
	r := start(t, core, bad)
	if err := r.Refresh(core, bad, source(MCP, "m", "mcp")); err != nil || len(r.Snapshot().Rows) != 2 || len(r.Snapshot().LeftOut) != 1 {
		t.Fatalf("%v, rows %q, left out %v", err, rows(r.Snapshot()), r.Snapshot().LeftOut)
	}
	if err := r.Refresh(core, bad, source(Plugin, "p", "b", "b")); err == nil {
		t.Fatal("a second source of the same name is broken, and nobody says so")
	}
	if err := r.Refresh(core, source(Plugin, "p", "a")); err != nil || len(r.Snapshot().LeftOut) != 0 {
		t.Fatalf("%v, left out %v", err, r.Snapshot().LeftOut)
	}
	if err := r.Refresh(core, bad); err == nil || len(r.Snapshot().Rows) != 2 {
		t.Fatalf("%v, rows %q", err, rows(r.Snapshot()))
	}
}

func TestACheckOfTheWhole(t *testing.T) {
	bad := errors.New("two of them do not go together")
	check := func(s *Snapshot) error {
		if s.Find("a") != nil && s.Find("b") != nil {
			return bad
		}
		return nil
	}
	both := []Source{source(Plugin, "x", "a"), source(Plugin, "y", "b")}
	if _, err := New(&Options{Check: check}, both...); !errors.Is(err, bad) {
		t.Errorf("err = %v", err)
	}
	r, err := New(&Options{Check: check}, both[0])
	if err != nil {
		t.Fatal(err)
	}
	before := r.Snapshot()
	if err := r.Refresh(both...); !errors.Is(err, bad) || r.Snapshot() != before {
		t.Errorf("err = %v", err)
	}
}

func TestOneBadToolLeavesTheOthers(t *testing.T) {
	s := source(Plugin, "p", "", "good", strings.Repeat("x", 10_000), "a\x1b[2Jb", "\xff", "group:fs", "array", "cut", "output", "fine")
	s.Tools[6].InputSchema = []byte(`["type"]`)
	s.Tools[7].InputSchema = []byte(`{"type":`)
	s.Tools[8].OutputSchema = []byte(`7`)
	snap := start(t, s).Snapshot()
	if got := rows(snap); !slices.Equal(got, []string{"good from plugin p", "fine from plugin p"}) {
		t.Errorf("rows %q", got)
	}
	want := []string{
		`"" of plugin p is left out: its name is empty`,
		strings.Repeat("x", 64) + `… (10000 bytes) of plugin p is left out: its name is 10000 bytes long, more than 256`,
		`"a\x1b[2Jb" of plugin p is left out: its name holds U+001B, which cannot be seen`,
		`"\xff" of plugin p is left out: its name is not valid UTF-8`,
		`"group:fs" of plugin p is left out: its name is written like a group`,
		`array of plugin p is left out: its input schema is not a JSON object`,
		`cut of plugin p is left out: its input schema is not a JSON object`,
		`output of plugin p is left out: its output schema is not a JSON object`,
	}
	if diff := cmp.Diff(want, snap.Notes()); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

func TestRowsThatDidNotChangeAreShared(t *testing.T) {
	first, second := "1", "2"
	base := func() Source {
		s := source(Plugin, "p", "a", "b", "c")
		s.Prompts = map[string]Prompt{"a": {Snippet: "helps"}}
		return s
	}
	one := base()
	r := start(t, one)
	before := r.Snapshot()
	copied := one
	copied.Tools = slices.Clone(one.Tools)
	if err := r.Refresh(copied); err != nil || r.Snapshot() != before {
		t.Errorf("nothing changed, and there is another snapshot (%v)", err)
	}
	for name, change := range map[string]func(*Source){
		"description":  func(s *Source) { s.Tools[0].Description += "!" },
		"schema":       func(s *Source) { s.Tools[0].InputSchema = []byte(`{"type":"object","title":"x"}`) },
		"output":       func(s *Source) { s.Tools[0].OutputSchema = []byte(`{}`) },
		"title":        func(s *Source) { s.Tools[0].Title = "A" },
		"sort key":     func(s *Source) { s.Tools[0].SortKey = &first },
		"another key":  func(s *Source) { s.Tools[0].SortKey = &second },
		"availability": func(s *Source) { s.Tools[0].Availability = toolrest.When(toolrest.Signal{Kind: "x"}) },
		"executor":     func(s *Source) { s.Tools[0].Executor = named("a", "plugin p").Executor },
		"lazy":         func(s *Source) { s.Tools[0].Executor = toolrest.Lazy(notBuilt) },
		"uncomparable": func(s *Source) { s.Tools[0].Executor = words{"a"} },
		"prompt":       func(s *Source) { s.Prompts = nil },
		"optional":     func(s *Source) { s.Optional = []string{"a"} },
		"another":      nil,
	} {
		r := start(t, one)
		before := r.Snapshot()
		s := one
		s.Tools = slices.Clone(one.Tools)
		next := []Source{s}
		if change == nil {
			next = []Source{source(Core, "", "other"), s}
		} else {
			change(&next[0])
		}
		if err := r.Refresh(next...); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		after := r.Snapshot()
		if after == before || after.Version != before.Version+1 {
			t.Errorf("%s: the snapshot stayed", name)
		}
		if change != nil && after.Find("a") == before.Find("a") {
			t.Errorf("%s: the row stayed", name)
		}
		if after.Find("b") != before.Find("b") || after.Find("c") != before.Find("c") {
			t.Errorf("%s: another row changed too", name)
		}
	}
}

func notBuilt(context.Context) (toolrest.Executor, error) { return nil, errors.New("not built") }

// words cannot be compared: a comparison would panic.
type words []string

func (words) Execute(context.Context, *toolrest.Call) (*toolrest.Result, error) { return nil, nil }

// TestManyTools would not end if the work grew with the square.
func TestManyTools(t *testing.T) {
	const n = 100_000
	good, bad := Source{Kind: MCP, Name: "big"}, Source{Kind: MCP, Name: "copy"}
	run := named("", "").Executor
	for i := range n {
		tool := toolrest.Tool{Descriptor: toolrest.Descriptor{Name: fmt.Sprintf("big__tool_%d", i)}, Executor: run}
		good.Tools, bad.Tools = append(good.Tools, tool), append(bad.Tools, tool)
	}
	r := start(t, good, bad)
	if err := r.Refresh(good, bad); err != nil {
		t.Fatal(err)
	}
	snap := r.Snapshot()
	if len(snap.Rows) != n || len(snap.Skipped) != n || snap.Version != 1 {
		t.Errorf("%d rows, %d skipped, version %d", len(snap.Rows), len(snap.Skipped), snap.Version)
	}
	if notes := snap.Notes(); len(notes) != maxNotes+1 || notes[maxNotes] != "and 99990 more tools of mcp copy" {
		t.Errorf("notes %q", notes)
	}
}

func TestSchemaIsCompiledOnce(t *testing.T) {
	row := start(t, source(Core, "", "read")).Snapshot().Rows[0]
	a, err := row.Arguments()
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := row.Arguments(); a != b {
		t.Error("compiled twice")
	}
}

// TestNothingIsBuiltBeforeACall: metadata at once, the executor on the first
// call, once for all calls at a time, again after a failure.
func TestNothingIsBuiltBeforeACall(t *testing.T) {
	var mu sync.Mutex
	builds, fail := 0, true
	tool := named("slow", "")
	tool.Executor = toolrest.Lazy(func(context.Context) (toolrest.Executor, error) {
		mu.Lock()
		defer mu.Unlock()
		builds++
		if fail {
			return nil, errors.New("no driver")
		}
		return named("slow", "done").Executor, nil
	})
	s := Source{Kind: Plugin, Name: "p", Tools: []toolrest.Tool{tool}, Prompts: map[string]Prompt{"slow": {Snippet: "is slow"}}}
	r := start(t, s)
	session := NewSession(r, nil)
	row := session.View().Find("slow")
	if _, err := row.Arguments(); err != nil || session.View().Prompt() == "" || r.Refresh(s) != nil || builds != 0 {
		t.Fatalf("%d builds before the first call (%v)", builds, err)
	}
	call := &toolrest.Call{Tool: "slow"}
	if _, err := row.Executor.Execute(t.Context(), call); err == nil || !strings.Contains(err.Error(), "no driver") {
		t.Fatalf("err = %v", err)
	}
	fail = false
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if res, err := row.Executor.Execute(t.Context(), call); err != nil || res.AllText() != "done" {
				t.Errorf("%v, %v", res, err)
			}
		})
	}
	wg.Wait()
	if builds != 2 {
		t.Errorf("%d builds, want 2", builds)
	}
}

// TestWhatIsAbsentHasAReason: of a source that is left out, each of its tools.
func TestWhatIsAbsentHasAReason(t *testing.T) {
	faulty := source(Plugin, "q", "fine", "bad")
	faulty.Tools[1].InputSchema = []byte(`7`)
	r := start(t, source(Core, "", "read"), source(Plugin, "p", "a", "a", "b"), source(Plugin, "read", "c"), faulty)
	for name, want := range map[string]string{
		"a": "plugin p is left out: two of its tools are named a", "b": "plugin p is left out: two of its tools are named a",
		"c": "plugin read is left out: core has a tool", "bad": "bad of plugin q is left out: ",
		"read": "", "fine": "", "nobody": "",
	} {
		if got, ok := r.Snapshot().Absent(name); ok != (want != "") || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, %v, want %q", name, got, ok, want)
		}
	}
}
