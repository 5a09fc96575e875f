package main

import (
	"fmt"
	"strings"

	"github.com/posener/complete"
	"github.com/willabides/kongplete"

	"github.com/toolrest/toolrest/internal/catalog"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

func (completionCmd) Help() string {
	return `Examples:

  source <(toolrest completion bash)
  toolrest completion zsh > "${fpath[1]}/_toolrest"
  toolrest completion fish > ~/.config/fish/completions/toolrest.fish`
}

// The shells ask the program itself: it answers on stdout when COMP_LINE is
// set.
var completionScripts = map[string]string{
	"bash": `complete -o default -C toolrest toolrest
`,
	"zsh": `#compdef toolrest
autoload -U +X bashcompinit && bashcompinit
complete -o default -C toolrest toolrest
`,
	"fish": `complete --command toolrest --no-files --arguments '(env COMP_LINE=(commandline --cut-at-cursor) toolrest)'
`,
}

func (c *completionCmd) Run(s streams) error {
	_, err := fmt.Fprint(s.out, completionScripts[c.Shell])
	return err
}

func predictors() []kongplete.Option {
	return []kongplete.Option{
		kongplete.WithPredictor("file", complete.PredictFiles("*")),
		kongplete.WithPredictor("none", complete.PredictNothing),
		kongplete.WithPredictor("tool", complete.PredictFunc(predictTool)),
	}
}

func predictTool(args complete.Args) []string {
	var out []string
	for _, row := range catalog.Default.All() {
		if strings.HasPrefix(row.ID, args.Last) {
			out = append(out, row.ID)
		}
	}
	return out
}
