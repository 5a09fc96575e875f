package plan

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

// world is what plans are made of in these tests: rows that come, go and are
// replaced, some policies, and facts that change with their version.
type world struct {
	rows    []*registry.Row
	version uint64
	set     bool // whether the environment has KEY
}

var worldNames = rapid.SampledFrom([]string{"read", "write", "exec", "a", "B", "b10", "kb__find", "kb__drop", "tts", "émile", "x_1", "zz"})

func newRow(t *rapid.T, name string) *registry.Row {
	row := &registry.Row{Source: "core"}
	row.Name = name
	row.Description = rapid.SampledFrom([]string{"one", "two"}).Draw(t, "description")
	row.Ref = toolrest.ExecutorRef{Kind: toolrest.OwnerCore, Tool: name}
	if strings.HasPrefix(name, "kb__") {
		row.Owner = toolrest.Owner{Kind: toolrest.OwnerMCP, ID: "kb"}
	}
	if rapid.Bool().Draw(t, "keyed") {
		key := worldNames.Draw(t, "key")
		row.SortKey = &key
	}
	if rapid.Bool().Draw(t, "conditional") {
		row.Availability = toolrest.When(toolrest.Signal{Kind: toolrest.SignalEnv, Name: "KEY"})
	}
	return row
}

// step changes one thing: a row, a name twice, a tool without an executor, the
// facts.
func (w *world) step(t *rapid.T) {
	rows := slices.Clone(w.rows)
	at := -1
	if len(rows) > 0 {
		at = rapid.IntRange(0, len(rows)-1).Draw(t, "at")
	}
	switch action := rapid.SampledFrom([]string{"add", "add", "replace", "remove", "break", "facts", "nothing"}).Draw(t, "action"); {
	case action == "add":
		rows = slices.Insert(rows, at+1, newRow(t, worldNames.Draw(t, "name")))
	case action == "facts":
		w.version, w.set = w.version+1, !w.set
		return
	case at < 0 || action == "nothing":
	case action == "replace":
		rows[at] = newRow(t, rows[at].Name)
	case action == "remove":
		rows = slices.Delete(rows, at, at+1)
	case action == "break":
		rows[at] = newRow(t, rows[at].Name)
		rows[at].Ref = toolrest.ExecutorRef{}
	}
	w.rows = rows
}

func (w *world) snapshot() *registry.Snapshot { return &registry.Snapshot{Rows: w.rows} }

func (w *world) context() Context {
	value := map[bool]string{true: "x"}[w.set]
	return Context{FactsVersion: w.version, Facts: Facts{Env: func(string) string { return value }}}
}

func worldPipelines() []*policy.Pipeline {
	deny := func(texts ...string) *policy.Pipeline {
		l := policy.Layer{Label: "tools.allow"}
		for _, text := range texts {
			l.Deny = append(l.Deny, policy.Entry{Text: text})
		}
		return policy.Compile(policy.Default, []policy.Layer{l})
	}
	return []*policy.Pipeline{deny(), deny("kb__*", "a"), deny("exec", "bundle-mcp")}
}

// seen is all that a plan says.
type seen struct {
	Visible, Hidden []string
	Said            map[string]string
}

func look(p *Plan) seen {
	s := seen{Said: map[string]string{}}
	say := func(row *registry.Row) string {
		d := p.Resolve(row.Name)
		text := fmt.Sprintf("%p %v", row, d.Entry != nil)
		if d.Refusal != nil {
			text += d.Refusal.Error()
		}
		if d.Entry != nil && d.Entry.Row != row || d.Hidden != nil && d.Hidden.Row != row {
			text += " another row"
		}
		return text
	}
	for _, e := range p.Visible() {
		s.Visible = append(s.Visible, e.Name)
		s.Said[e.Name] = say(e.Row)
	}
	for _, h := range p.Hidden() {
		lacks := ""
		for _, d := range h.Diagnostics {
			lacks += d.Reason + ": " + d.Message
		}
		s.Hidden = append(s.Hidden, fmt.Sprint(h.Name, lacks, h.Step(), h.why()))
		s.Said[h.Name] = say(h.Row)
	}
	for _, name := range []string{"read", "zz", "nobody"} {
		if d := p.Resolve(name); d.Refusal != nil && d.Hidden == nil {
			s.Said[name] = string(d.Refusal.Code)
		}
	}
	return s
}

// same compares the plans, or the errors instead of them.
func same(t *rapid.T, what string, got *Plan, gotErr error, want *Plan, wantErr error) {
	if (gotErr == nil) != (wantErr == nil) || gotErr != nil && gotErr.Error() != wantErr.Error() {
		t.Fatalf("%s: error %v, want %v", what, gotErr, wantErr)
	}
	if gotErr != nil {
		return
	}
	if diff := cmp.Diff(look(want), look(got)); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

// Whatever changes, a plan that follows the change is the plan that would be
// built.
func TestRebuildIsBuild(t *testing.T) {
	pipelines := worldPipelines()
	rapid.Check(t, func(t *rapid.T) {
		w := &world{version: 1}
		var last *Plan
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			w.step(t)
			snap, pipeline, ctx := w.snapshot(), pipelines[rapid.IntRange(0, 2).Draw(t, "pipeline")], w.context()
			want, wantErr := Build(snap, pipeline, ctx)
			got, err := Rebuild(last, snap, pipeline, ctx)
			same(t, "rebuilt", got, err, want, wantErr)
			if err == nil {
				last = got
			} else {
				w = &world{version: w.version + 1}
				last = nil
			}
		}
	})
}

// A cache says what a plan would that was built at this moment, also to several
// callers with several policies and when an older snapshot is asked for again.
func TestCacheIsNeverStale(t *testing.T) {
	pipelines := worldPipelines()
	callers := []toolrest.Caller{{Agent: "a"}, {Agent: "b"}, {Agent: "b", Session: "s"}}
	rapid.Check(t, func(t *rapid.T) {
		c := NewCache(&CacheOptions{Plans: rapid.IntRange(0, 3).Draw(t, "plans")})
		w := &world{version: rapid.SampledFrom([]uint64{0, 1}).Draw(t, "version")}
		var old []*registry.Snapshot
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			w.step(t)
			snap := w.snapshot()
			old = append(old, snap)
			if rapid.IntRange(0, 3).Draw(t, "again") == 0 {
				snap = rapid.SampledFrom(old).Draw(t, "old")
			}
			for range 2 {
				pipeline, ctx := pipelines[rapid.IntRange(0, 2).Draw(t, "pipeline")], w.context()
				ctx.Caller = rapid.SampledFrom(callers).Draw(t, "caller")
				want, wantErr := Build(snap, pipeline, ctx)
				got, err := c.Plan(snap, pipeline, ctx)
				same(t, "cached", got, err, want, wantErr)
				if err == nil && got.Context.Caller != ctx.Caller {
					t.Fatalf("the plan of %+v for %+v", got.Context.Caller, ctx.Caller)
				}
				if known := c.Known(snap); !slices.Equal(knows(known), knows(Known(snap))) {
					t.Fatal("the cache knows other plugins")
				}
			}
			if len(c.plans) > max(1, c.most) {
				t.Fatalf("%d plans are kept, at most %d may be", len(c.plans), c.most)
			}
			if _, err := Build(w.snapshot(), pipelines[0], w.context()); err != nil {
				w.rows = nil
			}
		}
	})
}

func knows(k *policy.Known) []string {
	var out []string
	for _, name := range []string{"kb__find", "kb__drop", "bundle-mcp", "read"} {
		if k.Has(name) {
			out = append(out, name)
		}
	}
	return out
}

// manyRows is a snapshot large enough for changes to be followed.
func manyRows(n int) []*registry.Row {
	rows := make([]*registry.Row, n)
	for i := range rows {
		rows[i] = &registry.Row{Source: "core"}
		rows[i].Name = fmt.Sprintf("t%d", i)
		rows[i].Ref = toolrest.ExecutorRef{Kind: toolrest.OwnerCore, Tool: rows[i].Name}
	}
	return rows
}

// What did not change is shared, so that a change costs little.
func TestRebuildShares(t *testing.T) {
	rows := manyRows(5000)
	pipeline, ctx := worldPipelines()[0], Context{FactsVersion: 1}
	last, err := Build(&registry.Snapshot{Rows: rows}, pipeline, ctx)
	if err != nil {
		t.Fatal(err)
	}
	changed := slices.Clone(rows)
	one := *rows[77]
	changed[77] = &one
	next, err := Rebuild(last, &registry.Snapshot{Rows: changed}, pipeline, ctx)
	if err != nil {
		t.Fatal(err)
	}
	shared := 0
	for i := range next.index.items {
		if next.index.items[i] == last.index.items[i] {
			shared++
		}
	}
	if want := len(last.index.items) - 1; shared != want {
		t.Errorf("%d pages are shared, want %d", shared, want)
	}
	if d := next.Resolve("t77"); d.Entry == nil || d.Entry.Row != &one {
		t.Error("the changed row is not the one that is found")
	}
	if d := last.Resolve("t77"); d.Entry == nil || d.Entry.Row != rows[77] {
		t.Error("the old plan has changed")
	}
}

// Names that change one after the other end in one map again.
func TestManyChangesSettle(t *testing.T) {
	rows := manyRows(3000)
	pipeline, ctx := worldPipelines()[0], Context{FactsVersion: 1}
	p, err := Build(&registry.Snapshot{Rows: rows}, pipeline, ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i := range maxOver + 10 {
		rows = slices.Clone(rows)
		one := *rows[i]
		rows[i] = &one
		if p, err = Rebuild(p, &registry.Snapshot{Rows: rows}, pipeline, ctx); err != nil {
			t.Fatal(err)
		}
		if len(p.index.names.over) > maxOver {
			t.Fatalf("%d changed names are carried on", len(p.index.names.over))
		}
	}
	for i, row := range rows {
		if e := p.Resolve(row.Name).Entry; e == nil || e.Row != row {
			t.Fatalf("%d: %s is lost", i, row.Name)
		}
	}
}

func TestAskingAgainAllocatesNothing(t *testing.T) {
	c, snap, pipeline := NewCache(nil), &registry.Snapshot{Rows: manyRows(1000)}, worldPipelines()[1]
	ctx := Context{Caller: toolrest.Caller{Agent: "main"}, FactsVersion: 1}
	first, err := c.Plan(snap, pipeline, ctx)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() {
		if p, _ := c.Plan(snap, pipeline, ctx); p != first {
			t.Fatal("another plan, although nothing has changed")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// The facts of a context without a version may say something else each time.
func TestFactsWithoutAVersionAreAskedEachTime(t *testing.T) {
	w := &world{}
	row := &registry.Row{}
	row.Name, row.Ref = "a", toolrest.ExecutorRef{Kind: toolrest.OwnerCore, Tool: "a"}
	row.Availability = toolrest.When(toolrest.Signal{Kind: toolrest.SignalEnv, Name: "KEY"})
	w.rows = []*registry.Row{row}
	c, snap, pipeline := NewCache(nil), w.snapshot(), worldPipelines()[0]
	for _, set := range []bool{false, true, false} {
		w.set = set
		p, err := c.Plan(snap, pipeline, w.context())
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Resolve("a").Entry != nil; got != set {
			t.Errorf("visible %v, want %v", got, set)
		}
	}
}

// Several goroutines ask while the tools change.
func TestCacheServesManyGoroutines(t *testing.T) {
	c, pipelines := NewCache(&CacheOptions{Plans: 3}), worldPipelines()
	rows := manyRows(300)
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			mine := rows
			for i := range 50 {
				mine = slices.Clone(mine)
				one := *mine[i]
				mine[i] = &one
				snap := &registry.Snapshot{Rows: mine}
				p, err := c.Plan(snap, pipelines[(worker+i)%3], Context{FactsVersion: uint64(1 + i%2), Caller: toolrest.Caller{Agent: fmt.Sprint(i % 3)}})
				if err != nil || p.Resolve(one.Name).Entry.Row != &one || len(p.Visible()) != 300 {
					t.Errorf("worker %d, change %d: %v", worker, i, err)
				}
				runtime.Gosched()
			}
		})
	}
	all.Wait()
}

// A name that stands twice is named by its first repetition in order, however
// the plan came about.
func TestDuplicatesAmongMany(t *testing.T) {
	rows := manyRows(500)
	last, err := Build(&registry.Snapshot{Rows: rows}, worldPipelines()[0], Context{FactsVersion: 1})
	if err != nil {
		t.Fatal(err)
	}
	twice := *rows[3]
	broken := &registry.Snapshot{Rows: append(slices.Clone(rows), &twice)}
	_, err = Rebuild(last, broken, worldPipelines()[0], Context{FactsVersion: 1})
	var contract *ContractError
	if !errors.As(err, &contract) || contract.Tool != "t3" || contract.Code != codeDuplicate {
		t.Errorf("error %v", err)
	}
	if err := Check(broken); !errors.As(err, &contract) || contract.Tool != "t3" {
		t.Errorf("check: %v", err)
	}
}

// The quick look at an expression agrees with the reasons.
func TestHoldsIsThatNothingIsMissing(t *testing.T) {
	signals := []toolrest.Signal{
		{Kind: toolrest.SignalAlways}, {Kind: "moon"}, {Kind: toolrest.SignalAuth, ProviderID: "p"}, {Kind: toolrest.SignalAuth, ProviderID: "q"},
		{Kind: toolrest.SignalConfig, Path: []string{"a"}}, {Kind: toolrest.SignalEnv, Name: "KEY"}, {Kind: toolrest.SignalPlugin, PluginID: "p"},
		{Kind: toolrest.SignalContext, Key: "k"}, {Kind: toolrest.SignalContext, Key: "k", HasEquals: true, Equals: 1},
	}
	var draw func(t *rapid.T, depth int) toolrest.Availability
	draw = func(t *rapid.T, depth int) (a toolrest.Availability) {
		part := func() toolrest.Availability { return draw(t, depth-1) }
		kinds := []string{"signal", "all", "any", "empty"}
		if depth == 0 {
			kinds = kinds[:1]
		}
		switch rapid.SampledFrom(kinds).Draw(t, "kind") {
		case "signal":
			s := rapid.SampledFrom(signals).Draw(t, "signal")
			a.Signal = &s
		case "all":
			a.AllOf = []toolrest.Availability{}
			for range rapid.IntRange(0, 3).Draw(t, "parts") {
				a.AllOf = append(a.AllOf, part())
			}
		case "any":
			a.AnyOf = []toolrest.Availability{}
			for range rapid.IntRange(0, 3).Draw(t, "parts") {
				a.AnyOf = append(a.AnyOf, part())
			}
		}
		return a
	}
	rapid.Check(t, func(t *rapid.T) {
		a := draw(t, 3)
		f := Facts{AuthProviders: map[string]bool{"p": true}, Plugins: map[string]bool{"p": rapid.Bool().Draw(t, "plugin")}, Values: map[string]any{"k": 2}}
		found := evaluate(&a, f)
		if got, want := holds(&a, &f), len(found) == 0; got != want {
			t.Fatalf("holds %v, but %v", got, found)
		}
	})
}
