package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/policy/expect"
)

type policyTestCmd struct {
	File string `arg:"" optional:"" predictor:"file" help:"The expectations. Default: toolrest_test.json5 beside the config."`
	JSON bool   `name:"json" help:"Print JSON."`
}

func (policyTestCmd) Help() string {
	return `A file of expectations names situations and what is so in each of them:

  {
    contexts: {
      'ops in the office group': {
        agent: 'ops', channel: 'telegram', group: '-100123', sender: 'id:42',
        sees: ['read', 'group:web'],
        not: ['exec', 'kb__delete_*'],
        removedBy: { exec: 'agents.ops.tools.deny' },
      },
    },
  }

Also: only, model, account, session, sandboxed, depth, owner, surface. It asks
the policy; whether a tool is in this build or has its credentials is another
question, which toolrest tools answers.

Exit code: 0 all holds, 1 something does not, or the file is wrong.`
}

// tested is how a suite went.
type tested struct {
	File    string          `json:"file"`
	Config  string          `json:"config,omitempty"`
	Passed  int             `json:"passed"`
	Failed  int             `json:"failed"`
	Results []expect.Result `json:"results"`
}

func (c *policyTestCmd) Run(ctx context.Context, g *cli, s streams) error {
	d, err := open(ctx, g, s, use{})
	if err != nil {
		return err
	}
	defer d.Close()
	st := d.now()
	st.warnUntrusted(s)
	suite, err := st.suite(c.file(st.config))
	if err != nil {
		return err
	}
	cfg := st.config.Policy
	t := tested{File: suite.File, Config: st.config.File, Results: suite.Check(cfg, st.inventory(cfg.Dialect))}
	for _, r := range t.Results {
		if len(r.Failures) == 0 {
			t.Passed++
		} else {
			t.Failed++
		}
	}
	if c.JSON {
		err = printJSON(s.out, t)
	} else {
		err = printTested(s, t)
	}
	if err == nil && t.Failed > 0 {
		return exit{code: exitFailed}
	}
	return err
}

// file is the named file, else the one beside the config.
func (c *policyTestCmd) file(cfg *config.Config) string {
	if c.File != "" {
		return c.File
	}
	return suiteBeside(cfg)
}

func suiteBeside(cfg *config.Config) string {
	if cfg.File == "" {
		return expect.FileName
	}
	return filepath.Join(filepath.Dir(cfg.File), expect.FileName)
}

// suite reads a file of expectations for the config of the stack.
func (st *stack) suite(file string) (*expect.Suite, error) {
	text, err := config.ReadText(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there are no expectations in %s: the file is not there\n  toolrest policy test --help shows how one looks", nearby(file))
	}
	if err != nil {
		return nil, fmt.Errorf("read the expectations: %w", err)
	}
	cfg := st.config.Policy
	suite, err := expect.Read(file, text, cfg, st.inventory(cfg.Dialect))
	if err != nil {
		return nil, errors.New("the expectations are wrong\n" + visible(nearby(err.Error())))
	}
	return suite, nil
}

func printTested(s streams, t tested) error {
	p := painter(s.out)
	var b strings.Builder
	for _, r := range t.Results {
		word := p.green("ok  ")
		if len(r.Failures) > 0 {
			word = p.red("FAIL")
		}
		fmt.Fprintf(&b, "%s  %s\n", word, visible(r.Name))
		for _, f := range r.Failures {
			fmt.Fprintf(&b, "      %s: %s\n", visible(f.Pos.String()), visible(f.Text))
			if f.Hint != "" {
				fmt.Fprintf(&b, "        %s\n", visible(f.Hint))
			}
		}
	}
	fmt.Fprintf(&b, "%d passed, %d failed\n", t.Passed, t.Failed)
	_, err := fmt.Fprint(s.out, nearby(b.String()))
	return err
}
