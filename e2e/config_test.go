package e2e

import (
	"strings"
	"testing"
)

// TestConfigsThatAreWrong: each command refuses them alike, with the place,
// and says nothing on stdout, which for `mcp` belongs to the protocol.
func TestConfigsThatAreWrong(t *testing.T) {
	tests := map[string]struct {
		config string
		want   []string // FILE stands for the path of the config
	}{
		"duplicate key": {
			"{\n  tools: { deny: ['exec'] },\n  tools: {},\n}\n",
			[]string{"FILE:3:3", "tools", "2:3"},
		},
		"missing workspace": {
			"{\n  workspace: 'WORKSPACE/gone',\n}\n",
			[]string{"FILE:2:14", "workspace", "gone"},
		},
		"workspace is a file": {
			"{ workspace: './toolrest.json5' }",
			[]string{"FILE:1:14", "workspace"},
		},
		"unknown key": {
			"{ tools: { alow: ['exec'] } }",
			[]string{"FILE:1:12", "tools.alow", "did you mean", "allow"},
		},
		"two errors": {
			"{ wrkspace: '.', tools: { profile: 'codng' } }",
			[]string{"FILE:1:3", "workspace", "FILE:1:36", "coding"},
		},
		"no JSON5":   {"{ tools: [ }", []string{"FILE:1:12"}},
		"wrong type": {"{ tools: { deny: 'exec' } }", []string{"FILE:1:18", "tools.deny"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, test.config)
			for _, command := range [][]string{{"mcp"}, {"serve", "--addr", "127.0.0.1:0"}, {"run", "hello"}, {"tools", "--json"}, {"call", "read", "{}"}, {"explain", "read"}} {
				out := w.run(append(command, "--config", w.config)...)
				if out.code == 0 || out.stdout != "" {
					t.Errorf("%q: exit code %d, stdout %q", command, out.code, out.stdout)
				}
				for _, part := range test.want {
					contains(t, out.stderr, strings.ReplaceAll(part, "FILE", w.config))
				}
			}
		})
	}
}

func TestNamedConfigThatIsMissing(t *testing.T) {
	w := newWorld(t, askOff)
	out := w.run("tools", "--config", w.path("gone.json5"))
	if out.code == 0 {
		t.Errorf("exit code 0: %s", out.stdout)
	}
	contains(t, out.stderr, "gone.json5")
}
