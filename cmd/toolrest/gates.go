package main

import (
	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/policy"
)

// gates narrow the tools of one run, whatever else allows them.
type gates struct {
	Tools []string `placeholder:"LIST" predictor:"tool" help:"Only these of the agent's tools: names, groups or globs, with commas between them."`
}

// run gives the gates as policy wants them; without the flag there are none.
func (g gates) run() policy.Run {
	if g.Tools == nil {
		return policy.Run{}
	}
	list := policy.List{Set: true, Path: "--tools", Pos: toolrest.Pos{File: "--tools"}}
	for _, entry := range g.Tools {
		list.Entries = append(list.Entries, policy.Entry{Text: entry})
	}
	return policy.Run{Allow: list}
}
