package config_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/toolrest/toolrest/internal/config"
)

// Large and odd input is loaded or refused at its place, in linear time.
func TestHostileInput(t *testing.T) {
	repeat := func(n int, item string) string { return strings.Repeat(item+",", n) }
	var names, agents strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&names, "k%d: {},", i)
	}
	for i := range 20_000 {
		fmt.Fprintf(&agents, "{id: 'a%d'},", i)
	}
	long := strings.Repeat("x", 10<<10)
	tests := []struct{ name, text, want string }{
		{"entries", "{tools: {deny: [" + repeat(100_000, "'group:fs'") + "]}}", ""},
		{"wrong entries", "{tools: {deny: [" + repeat(100_000, "1") + "]}}", "too many errors"},
		{"providers", "{tools: {byProvider: {" + names.String() + "}}}", ""},
		{"groups", "{channels: {c: {groups: {" + names.String() + "}}}}", ""},
		{"unused keys", "{cron: {" + names.String() + "}}", "too many errors"},
		{"unknown keys", "{" + names.String() + "}", "too many errors"},
		{"agents", "{agents: {list: [" + agents.String() + "]}}", ""},
		{"the same agent", "{agents: {list: [" + repeat(20_000, "{id: 'a'}") + "]}}", "duplicate agent id"},
		{"a long name", "{tools: {deny: ['" + long + "'], byProvider: {'" + long + "': {}}}}", ""},
		{"a long key", "{" + long + ": 1}", "unknown key"},
		{"a long agent", "{agents: {list: [{id: '" + long + "'}]}}", "not an agent id"},
		{"many references", "{tools: {deny: ['" + strings.Repeat("${A}", 100_000) + "']}}", "not set"},
		{"half references", "{tools: {deny: ['" + strings.Repeat("${", 200_000) + "']}}", "does not begin"},
		{"quoted references", "{tools: {deny: ['" + strings.Repeat("$${", 1_000_000) + "']}}", ""},
		{"no UTF-8", "{tools: {deny: ['\xff']}}", "not UTF-8"},
		{"half a pair", `{tools: {deny: ['\ud800']}}`, ""},
		{"deep", "{cron: " + strings.Repeat("{a:", 500), "deeper"},
		{"a prototype", "{tools: {__proto__: {allow: ['*']}, constructor: {}}}", "unknown key"},
		{"a group of itself", "{tools: {allow: ['group:fs', 'group:x', 'group:group:fs']}}", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			p.own(tt.text)
			began := time.Now()
			_, err := p.load()
			if took := time.Since(began); took > 30*time.Second { // quadratic work would take minutes
				t.Errorf("took %v", took)
			}
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Fatalf("want %q, got %.300v", tt.want, err)
			}
			if err != nil {
				havePlaces(t, err)
			}
		})
	}
}

func havePlaces(t *testing.T, err error) {
	t.Helper()
	var all config.Errors
	if !errors.As(err, &all) {
		t.Fatalf("no list of errors: %v", err)
	}
	for _, e := range all {
		if e.File == "" || e.Line < 1 || e.Col < 1 || e.Text == "" {
			t.Errorf("an error without a place: %+v", e)
		}
	}
}

// FuzzIncludes puts texts where a config and a part of it are: nothing panics, every error has a
// place, and what loads can be edited.
func FuzzIncludes(f *testing.F) {
	seeds := []string{
		"{}", "", "[]", "{tools: {deny: ['exec']}}", "{$include: './part.json5'}", "{tools: {$include: ['./part.json5', './part.json5']}}",
		"{agents: {list: [{id: 'a', tools: {byProvider: {x: {profile: 'coding'}}}}]}}", "{cron: {enabled: true, x: 1}}",
		"{tools: {dialect: 'openclaw', allow: ['${X}']}, env: {X: 'y'}}", "{channels: {c: {groups: {g: {tool: {}}}}}}",
		"{commands: {ownerAllowFrom: [1e3, 0x10, 'a']}}", "{tools: {allow: ['a'], alsoAllow: ['b']}}",
		"{models: {providers: {p: {baseUrl: 'x', apiKey: {source: 'env'}}}}}", "{agents: {defaults: {subagents: {maxSpawnDepth: 9}}}}",
		"{$include: {$include: []}}", "{agents: {list: [{$include: './toolrest.json5'}]}}",
	}
	for _, seed := range seeds {
		f.Add(seed, "{deny: ['read']}")
		f.Add("{tools: {$include: './part.json5', deny: ['x']}}", seed)
	}
	p := newPlace(f)
	f.Fuzz(func(t *testing.T, text, part string) {
		for path, content := range map[string]string{config.FileName: text, "part.json5": part} {
			if err := os.WriteFile(filepath.Join(p.work, path), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		opts := p.options()
		for _, opts.Path = range []string{"", config.FileName} { // untrusted, and named
			c, err := config.Load(opts)
			if err != nil {
				havePlaces(t, err)
				continue
			}
			c.Fix(denyExec())
			changes, err := c.Apply(denyExec())
			if err != nil {
				t.Errorf("an edit of a config that loads: %v", err)
			}
			for _, change := range changes {
				change.Diff()
			}
		}
	})
}
