package main

import (
	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
)

// caller is the local user behind a door: the owner, as an agent. Its name is
// folded as those of the config are, and no more than that: every door must
// refuse the same names.
func caller(agent string, surface toolrest.Surface) toolrest.Caller {
	if agent = names.Fold(agent); agent == "" {
		agent = names.MainAgent
	}
	return toolrest.Caller{Agent: agent, Surface: surface, Owner: true}
}

func cliCaller(agent string) toolrest.Caller { return caller(agent, toolrest.SurfaceCLI) }
