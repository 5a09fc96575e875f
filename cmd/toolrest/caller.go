package main

import (
	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
)

// caller is the local user behind a door: the owner, as an agent.
func caller(agent string, surface toolrest.Surface) toolrest.Caller {
	if agent == "" {
		agent = names.MainAgent
	}
	return toolrest.Caller{Agent: agent, Surface: surface, Owner: true}
}

func cliCaller(agent string) toolrest.Caller { return caller(agent, toolrest.SurfaceCLI) }
