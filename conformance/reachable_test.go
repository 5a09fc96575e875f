package conformance

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/callgraph/rta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/toolrest/toolrest/internal/need"
)

const module = "github.com/toolrest/toolrest/"

// waiting are functions that answer cases and that no door calls yet, with
// the part of the program that will.
var waiting = map[string]string{
	"(*internal/names.Taken).Tool":   byClients,
	"(*policy.Loading).DeniesPlugin": byPlugins, "(*policy.Loading).DeniesTool": byPlugins, "(*policy.Loading).Entry": byPlugins,
	"(*policy.Loading).Optional": byPlugins, "policy.NewLoading": byPlugins, "policy.PluginTools": byPlugins, "policy.ExplicitSections": byPlugins,
	"policy.NeedsOf": byPlugins, "policy.Expand": byPlugins,
	"(*registry.Session).Refresh": bySessions, "(*registry.Session).SetActive": bySessions, "(*registry.Session).View": bySessions,
	"(*registry.View).Names": bySessions, "registry.NewSession": bySessions,
	"internal/names.CouldBecome": "streamed tool calls",
	"internal/names.Callable":    "the repair of transcripts",
	"policy.ChatOf":              byChats, "policy.RepliesTo": byChats,
	"schema/openclaw.Anthropic": byModels, "schema/openclaw.CleanGemini": byModels, "schema/openclaw.DeepSeek": byModels,
	"schema/openclaw.InlineRefs": byModels, "schema/openclaw.MergeProperty": byModels, "schema/openclaw.Normalize": byModels,
	"schema/openclaw.OpenAI": byModels, "schema/openclaw.Plugin": byModels, "schema/openclaw.StrictViolations": byModels,
	"schema/openclaw.Strip": byModels, "schema/openclaw.Violations": byModels, "(schema/openclaw.Violation).String": byModels,
	"schema/openclaw.FindKeywords": "nobody: it finds what Strip leaves", "schema/tree.Encode": byModels, "schema/tree.Parse": byModels, "(*schema/tree.Node).String": byModels,
}

// Parts of the program that are still to come.
const (
	byClients  = "the MCP client"
	byPlugins  = "the plugin host"
	bySessions = "sessions that change their active tools"
	byChats    = "chat doors"
	byModels   = "the model clients, through package schema/adapt"
)

// TestAnswersAreTheProducts holds the runner to its promise: what it calls to
// answer a case is reached from the program's main, too.
func TestAnswersAreTheProducts(t *testing.T) {
	need.Full(t) // it analyses the whole program, which takes half a minute
	called := calledFunctions(t)
	if len(called) < 20 {
		t.Fatalf("only %d functions answer cases: %v", len(called), called)
	}
	reached := reachable(t)
	for _, name := range called {
		_, waits := waiting[name]
		switch {
		case !reached[name] && !waits:
			t.Errorf("%s answers cases, and no door calls it", name)
		case reached[name] && waits:
			t.Errorf("%s is called by a door now: take it out of the list of those that wait", name)
		}
	}
	for name := range waiting {
		if !slices.Contains(called, name) {
			t.Errorf("%s waits, and answers no case", name)
		}
	}
}

// calledFunctions are the functions and methods of the module that the tests
// of this package use to answer.
func calledFunctions(t *testing.T) []string {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Tests: true, Dir: "."}, ".")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, pkg := range pkgs {
		for ident, object := range pkg.TypesInfo.Uses {
			f, ok := object.(*types.Func)
			if !ok || f.Pkg() == nil || !strings.HasPrefix(f.Pkg().Path(), module) || slices.Contains([]string{module + "conformance", module + "internal/need"}, f.Pkg().Path()) {
				continue
			}
			if file := pkg.Fset.Position(ident.Pos()).Filename; strings.Contains(file, "reported") {
				continue
			}
			if _, isInterface := receiver(f).(*types.Interface); !isInterface {
				seen[strings.ReplaceAll(f.FullName(), module, "")] = true
			}
		}
	}
	var out []string
	for name := range seen {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func receiver(f *types.Func) types.Type {
	recv := f.Signature().Recv()
	if recv == nil {
		return nil
	}
	return recv.Type().Underlying()
}

// reachable are the functions that a run of the program can come to.
func reachable(t *testing.T) map[string]bool {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: ".."}, "./cmd/toolrest")
	if err != nil {
		t.Fatal(err)
	}
	if packages.PrintErrors(pkgs) > 0 {
		t.Fatal("the program does not load")
	}
	prog, mains := ssautil.AllPackages(pkgs, ssa.InstantiateGenerics)
	prog.Build()
	roots := []*ssa.Function{mains[0].Func("main"), mains[0].Func("init")}
	// Kong calls the Run methods of the commands by reflection.
	out := map[string]bool{}
	for f := range rta.Analyze(append(roots, commands(prog, mains[0])...), false).Reachable {
		if f.Object() != nil {
			out[strings.ReplaceAll(fmt.Sprint(f.Object().(*types.Func).FullName()), module, "")] = true
		}
	}
	return out
}

func commands(prog *ssa.Program, main *ssa.Package) []*ssa.Function {
	var out []*ssa.Function
	for _, member := range main.Members {
		named, ok := member.(*ssa.Type)
		if !ok {
			continue
		}
		for _, typ := range []types.Type{named.Type(), types.NewPointer(named.Type())} {
			if m := prog.MethodSets.MethodSet(typ).Lookup(main.Pkg, "Run"); m != nil {
				out = append(out, prog.MethodValue(m))
			}
		}
	}
	return out
}
