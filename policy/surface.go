package policy

import (
	"slices"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
)

// httpDenied are the tools that HTTP invocation does not offer by itself:
// whoever holds its token shall not thereby hold the machine.
var httpDenied = []string{
	"exec", "spawn", "shell", "fs_write", "fs_delete", "fs_move", "apply_patch",
	"sessions_spawn", "sessions_send", "cron", "gateway", "nodes",
}

// hostTools work on the host's files and commands. In the dialect OpenClaw
// HTTP invocation and skill commands do not have them.
var hostTools = []string{"read", "write", "edit", "apply_patch", "exec", "process"}

// surfaceLayers are what the door itself does not offer. In the dialect
// OpenClaw its lists hold exact names; in Default they are read as all lists
// are, and what lifts a denial is a name.
func surfaceLayers(cfg *Config, ctx Context) []Layer {
	at := ctx.Surface
	var out []Layer
	if at == toolrest.SurfaceHTTP && !(cfg.Dialect == OpenClaw && ctx.Run.Loopback) {
		out = append(out, httpLayer(cfg))
	}
	if deny := cfg.Gateway.Deny; fromOutside(at) && len(deny.Entries) > 0 {
		out = append(out, Layer{
			Label: "gateway.tools.deny", Place: PlaceSurface, Exact: cfg.Dialect == OpenClaw,
			Deny: deny.Entries, DenyPath: deny.path(cfg.Gateway.Path, "deny"),
			Why: "the gateway does not offer it",
		})
	}
	if cfg.Dialect == OpenClaw && (at == toolrest.SurfaceHTTP || at == toolrest.SurfaceSkill) {
		out = append(out, Layer{
			Label: "door (" + string(at) + ")", Place: PlaceSurface, Exact: true, Deny: builtIn(hostTools...),
			Why: "this door has no tools for files and commands", Remedy: "use it in a run of the agent",
		})
	}
	return out
}

// httpLayer is the deny list of HTTP invocation, without what the config lifts.
// A config that is not trusted lifts nothing.
func httpLayer(cfg *Config) Layer {
	lifted := cfg.Gateway.Allow
	l := Layer{
		Label: "http default deny", Place: PlaceSurface, Exact: cfg.Dialect == OpenClaw,
		Why:  "HTTP invocation offers it only when gateway.tools.allow names it",
		Lift: &Edit{Op: EditAdd, Path: lifted.path(gatewayPath(cfg), "allow"), Pos: lifted.Pos},
	}
	if cfg.Baseline != nil {
		lifted, l.Lift, l.Remedy = List{}, nil, cfg.Baseline.Remedy
	}
	for _, tool := range httpDenied {
		if !cfg.Dialect.lifts(lifted.Entries, tool) {
			l.Deny = append(l.Deny, Entry{Text: tool})
		}
	}
	return l
}

func gatewayPath(cfg *Config) string {
	if cfg.Gateway.Path == "" {
		return "gateway.tools"
	}
	return cfg.Gateway.Path
}

// lifts reports whether a list names the tool itself.
func (d Dialect) lifts(list []Entry, tool string) bool {
	if d == Default {
		return hasName(list, tool)
	}
	return slices.ContainsFunc(list, func(e Entry) bool { return e.Text == tool })
}

// skips reports whether a door goes without the layers of a place. Only the
// dialect OpenClaw has such doors: HTTP invocation knows neither senders nor
// sandboxes, and neither it nor skill commands have the filters of a run.
func (c *Config) skips(at toolrest.Surface, p Place) bool {
	if c.Dialect != OpenClaw {
		return false
	}
	switch at {
	case toolrest.SurfaceHTTP:
		return p == PlaceSender || p == PlaceSandbox || p == PlaceMessageProvider || p == PlaceModel
	case toolrest.SurfaceSkill:
		return p == PlaceMessageProvider || p == PlaceModel
	}
	return false
}

// atDoor gives the circumstances as a door of the dialect OpenClaw sees them:
// HTTP invocation does not know the model, and no profile keeps out what it
// was asked for, but for the tools of the catalogue.
func (c *Config) atDoor(ctx Context) Context {
	if c.Dialect != OpenClaw || ctx.Surface != toolrest.SurfaceHTTP {
		return ctx
	}
	ctx.Provider, ctx.Model, ctx.API, ctx.Sender = "", "", "", toolrest.Sender{}
	ctx.Run.Also = slices.Concat(ctx.Run.Also, ctx.Run.Requested)
	return ctx
}

// AskedFor gives those of the names that a door was asked for which no profile
// keeps out in the dialect OpenClaw: all but the ids of the catalogue.
func AskedFor(d Dialect, tools ...string) []string {
	return slices.DeleteFunc(slices.Clone(tools), func(name string) bool {
		_, known := d.catalogue().Lookup(names.Normalise(name))
		return known
	})
}

// ChatOf gives the chat service that a message came through: the first of the
// words that names one, or empty.
func ChatOf(words ...string) string {
	for _, word := range words {
		if name := chatName(word); name == consoleChat || slices.Contains(chats, name) {
			return name
		}
	}
	return ""
}

// consoleChat is the chat of the console.
const consoleChat = "webchat"

// RepliesTo gives the way of delivery of a turn that an event of a chat
// started: what happens in a room is answered by the message tool alone, but
// in the chat of the console.
func RepliesTo(event, channel string) string {
	if event == "room_event" && names.Fold(channel) != consoleChat {
		return deliveryByTool
	}
	return ""
}
