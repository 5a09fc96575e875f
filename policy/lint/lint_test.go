package lint_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/lint"
	"github.com/toolrest/toolrest/policy/survey"
)

// readConfig reads a config as a loader would, without what a loader refuses.
func readConfig(t *testing.T, name string, text []byte) *policy.Config {
	t.Helper()
	cfg, err := config.ReadPolicy(name, text)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(name, "openclaw") {
		cfg.Dialect = policy.OpenClaw
	} else {
		cfg.DefaultProfile = "coding"
	}
	return cfg
}

// pluginTools are loaded in all cases.
var pluginTools = []policy.Tool{
	{Name: "wiki__search", Plugin: "bundle-mcp"}, {Name: "wiki__edit", Plugin: "bundle-mcp"},
	{Name: "camera_snap", Plugin: "cam"}, {Name: "camera_pan", Plugin: "cam", Optional: true},
}

func check(t *testing.T, cfg *policy.Config, tools []policy.Tool) lint.Report {
	t.Helper()
	report, err := lint.Check(context.Background(), cfg, survey.NewInventory(cfg.Dialect, tools), nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestFindings compares what is found in each config of testdata with what is
// written there. The comment of an archive says which tools are loaded.
func TestFindings(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var tools []policy.Tool
			if strings.Contains(string(archive.Comment), "with plugins") {
				tools = pluginTools
			}
			for i := 0; i+1 < len(archive.Files); i += 2 {
				name := archive.Files[i].Name
				cfg := readConfig(t, name, archive.Files[i].Data)
				got := tell(check(t, cfg, tools))
				if os.Getenv("UPDATE_SCRIPTS") != "" {
					archive.Files[i+1].Data = []byte(got)
				}
				if diff := cmp.Diff(string(archive.Files[i+1].Data), got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
			if os.Getenv("UPDATE_SCRIPTS") != "" {
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// tell prints findings with all their parts.
func tell(r lint.Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s: %s: %s: %s\n", f.Pos, f.Severity, f.Code, f.Text)
		for _, p := range f.Proof {
			fmt.Fprintf(&b, "  %s\n", p)
		}
		for _, e := range f.Entries {
			fmt.Fprintf(&b, "  dead: %s\n", e.Text)
		}
		if f.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", f.Hint)
		}
		if !f.Fix.Empty() {
			word := "fix"
			if f.Safe {
				word = "safe fix"
			}
			fmt.Fprintf(&b, "  %s: %s\n", word, f.Fix)
		}
	}
	for _, s := range r.Bounded {
		fmt.Fprintf(&b, "bounded: %s\n", s)
	}
	return b.String()
}
