package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set by the build.
var version = "0.1.0-dev"

type versionCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

type versionInfo struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (c *versionCmd) Run(s streams) error {
	v := versionInfo{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				v.Revision = setting.Value
			}
		}
	}
	if c.JSON {
		return printJSON(s.out, v)
	}
	line := fmt.Sprintf("toolrest %s (%s, %s)", v.Version, v.Go, v.Platform)
	if v.Revision != "" {
		line += " " + v.Revision
	}
	_, err := fmt.Fprintln(s.out, line)
	return err
}
