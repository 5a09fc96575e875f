package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy/survey"
)

// who says for whom, and in which circumstances, a command looks at the
// tools. Without any flag it is the local user as the agent main.
type who struct {
	Agent     string   `placeholder:"ID" predictor:"none" help:"The agent. Default: main."`
	Model     string   `placeholder:"PROVIDER/MODEL" predictor:"none" help:"The model that calls."`
	Channel   string   `placeholder:"NAME" predictor:"none" help:"The chat service that the turn comes through."`
	Account   string   `placeholder:"ID" predictor:"none" help:"Which of its accounts there."`
	Group     idFlag   `placeholder:"ID" predictor:"none" help:"The group or channel of the chat service."`
	Sender    []string `placeholder:"WHO" sep:"none" predictor:"none" help:"Who wrote the message: an id, or id:…, e164:…, username:…, name:…; may be repeated."`
	Session   string   `placeholder:"KEY" predictor:"none" help:"The session's key, instead of one that follows from the other flags."`
	Depth     int      `placeholder:"N" predictor:"none" help:"As a sub-agent, N sessions below the first."`
	Sandboxed *bool    `negatable:"" help:"As if the session ran in a sandbox, or not; else the config decides."`
	Owner     *bool    `negatable:"" help:"As the owner, or as somebody else. The local user is the owner, a sender only when the config says so."`
}

// idFlag is an id of a chat service. Some begin with a minus sign, and are no
// flag all the same.
type idFlag string

// Decode takes the next word whatever it begins with, but for two minus signs.
func (f *idFlag) Decode(ctx *kong.DecodeContext) error {
	token := ctx.Scan.Pop()
	word := token.String()
	if token.Type == kong.EOLToken || strings.HasPrefix(word, "--") && token.Type != kong.FlagValueToken {
		return errors.New("an id must follow")
	}
	*f = idFlag(word)
	return nil
}

// maxDepth bounds --depth: a config allows 5 levels at most.
const maxDepth = 16

// caller gives the caller that the flags describe. The owner of a chat is
// whom isOwner takes for it.
func (w who) caller(isOwner func(toolrest.Caller) bool) (toolrest.Caller, error) {
	agent := w.Agent
	if id, _, ok := names.SplitSession(w.Session); ok && agent == "" {
		agent = id
	}
	c := cliCaller(agent)
	c.Channel, c.Account, c.Group = w.Channel, w.Account, string(w.Group)
	if w.Model != "" {
		provider, model, ok := strings.Cut(w.Model, "/")
		if !ok || provider == "" || model == "" {
			return c, exit{exitUsage, fmt.Errorf("--model wants PROVIDER/MODEL, as openai/gpt-5.5, and not %q", w.Model)}
		}
		c.Provider, c.Model = provider, model
	}
	if w.Depth < 0 || w.Depth > maxDepth {
		return c, exit{exitUsage, fmt.Errorf("--depth wants a number from 0 to %d", maxDepth)}
	}
	if w.Group != "" && w.Channel == "" && w.Session == "" {
		return c, exit{exitUsage, fmt.Errorf("--group wants --channel, too: which chat service has the group?")}
	}
	if w.Account != "" && w.Channel == "" {
		return c, exit{exitUsage, fmt.Errorf("--account wants --channel, too: which chat service has the account?")}
	}
	if err := w.sender(&c.Sender); err != nil {
		return c, err
	}
	w.session(&c)
	switch {
	case w.Owner != nil:
		c.Owner = *w.Owner
	case c.Channel != "" || c.Sender != (toolrest.Sender{}):
		c.Owner = isOwner(c)
	}
	if w.Sandboxed != nil {
		c.Sandbox = "off"
		if *w.Sandboxed {
			c.Sandbox = "on"
		}
	}
	return c, nil
}

// as gives the same circumstances for another agent.
func (w who) as(c toolrest.Caller, agent string) toolrest.Caller {
	c.Agent = agent
	w.session(&c)
	return c
}

func (w who) sender(s *toolrest.Sender) error {
	fields := map[string]*string{"id": &s.ID, "e164": &s.E164, "username": &s.Username, "name": &s.Name}
	for _, text := range w.Sender {
		kind, value, ok := strings.Cut(text, ":")
		field := fields[strings.ToLower(kind)]
		if !ok || field == nil {
			field, value = &s.ID, text
		}
		if strings.TrimSpace(value) == "" {
			return exit{exitUsage, fmt.Errorf("--sender %q names nobody", text)}
		}
		*field = value
	}
	return nil
}

// session gives the keys that a session of this kind has.
func (w who) session(c *toolrest.Caller) {
	c.Session, c.Depth = w.Session, w.Depth
	if w.Session != "" {
		return
	}
	if w.Group != "" {
		c.Session = "agent:" + c.Agent + ":" + w.Channel + ":group:" + string(w.Group)
	}
	survey.Spawn(c)
}

// words tells in a few words what the flags add to the agent.
func (w who) words() string {
	var out []string
	add := func(format, value string) {
		if value != "" {
			out = append(out, fmt.Sprintf(format, value))
		}
	}
	add("with the model %s", w.Model)
	add("in %s", w.Channel)
	add("group %s", string(w.Group))
	add("from %s", strings.Join(w.Sender, ", "))
	add("in the session %s", w.Session)
	if w.Depth > 0 {
		out = append(out, fmt.Sprintf("as a sub-agent at depth %d", w.Depth))
	}
	if w.Sandboxed != nil && *w.Sandboxed {
		out = append(out, "in a sandbox")
	}
	if w.Owner != nil && !*w.Owner {
		out = append(out, "not as the owner")
	}
	return strings.Join(out, ", ")
}
