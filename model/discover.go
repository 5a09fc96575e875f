package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Probe asks the server at a base URL for the models that it has. The key is
// empty where there is none.
type Probe func(ctx context.Context, baseURL, key string) ([]string, error)

// DiscoverOptions say where to look for a model. The zero value looks nowhere.
type DiscoverOptions struct {
	// Getenv reads the environment. Nil is an empty one.
	Getenv func(string) string
	// Probe asks servers. Nil asks none.
	Probe Probe
	// Timeout bounds all probes together. 0 is half a second.
	Timeout time.Duration
}

// Choice is a model that was found, and where.
type Choice struct {
	Ref      Ref
	Provider Provider
	// BaseURL is where to send requests, and BaseURLFrom who said so; empty
	// for the provider's own.
	BaseURL, BaseURLFrom string
	// KeyEnv is the environment variable that holds the key, or empty.
	KeyEnv string
	// Why says in a few words why it was chosen.
	Why string
}

// ErrNoModel is matched by the error of [Discover] when there is no model.
var ErrNoModel = errors.New("no model is configured and none was found")

// Discover chooses a model when none was named: the provider whose key is in
// the environment, in the order of [Providers]; else the first model of a
// server at $OPENAI_BASE_URL or of a local one. Local servers are asked side
// by side, and the order of the list decides between them, not their speed.
// Without a model the error names the ways to get one.
func Discover(ctx context.Context, opts *DiscoverOptions) (Choice, error) {
	var o DiscoverOptions
	if opts != nil {
		o = *opts
	}
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	if o.Probe == nil {
		o.Probe = func(context.Context, string, string) ([]string, error) { return nil, errors.New("no probe") }
	}
	if o.Timeout <= 0 {
		o.Timeout = 500 * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	for _, p := range Providers() {
		if p.KeyEnv != "" && o.env(p.KeyEnv) != "" {
			return o.keyed(ctx, p), nil
		}
	}
	return o.local(ctx)
}

func (o DiscoverOptions) env(name string) string {
	if name == "" {
		return ""
	}
	return strings.TrimSpace(o.Getenv(name))
}

// keyed takes the provider's default model. Another server behind the OpenAI
// wire has models of its own, so it is asked.
func (o DiscoverOptions) keyed(ctx context.Context, p Provider) Choice {
	c := Choice{
		Ref: Ref{p.ID, p.Default}, Provider: p, BaseURL: p.BaseURL, KeyEnv: p.KeyEnv,
		Why: "$" + p.KeyEnv + " is set",
	}
	base := o.env(p.BaseURLEnv)
	if base == "" {
		return c
	}
	c.BaseURL, c.BaseURLFrom = base, "$"+p.BaseURLEnv
	if p.API != APIOpenAI {
		return c
	}
	if found, err := o.Probe(ctx, base, o.env(p.KeyEnv)); err == nil && len(found) > 0 && !slices.Contains(found, p.Default) {
		c.Ref.Model = pick(found)
		c.Why += ", and the server at $" + p.BaseURLEnv + " has this model"
	}
	return c
}

// candidate is a server to ask, and what it answered.
type candidate struct {
	choice Choice
	models []string
	err    error
}

func (o DiscoverOptions) local(ctx context.Context) (Choice, error) {
	all := o.candidates()
	var wg sync.WaitGroup
	for i := range all {
		wg.Go(func() { all[i].models, all[i].err = o.Probe(ctx, all[i].choice.BaseURL, "") })
	}
	wg.Wait()
	for _, c := range all {
		if c.err == nil && len(c.models) > 0 {
			c.choice.Ref = Ref{c.choice.Provider.ID, pick(c.models)}
			return c.choice, nil
		}
	}
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return Choice{}, fmt.Errorf("look for a model: %w", err)
	}
	return Choice{}, none(all)
}

func (o DiscoverOptions) candidates() []candidate {
	var all []candidate
	for _, p := range Providers() {
		if base := o.env(p.BaseURLEnv); base != "" && p.API == APIOpenAI {
			all = append(all, candidate{choice: Choice{
				Provider: p, BaseURL: base, BaseURLFrom: "$" + p.BaseURLEnv,
				Why: "the server at $" + p.BaseURLEnv + " has it",
			}})
		}
		if p.Local() {
			all = append(all, candidate{choice: Choice{
				Provider: p, BaseURL: p.BaseURL, Why: p.Title + " runs at " + p.BaseURL,
			}})
		}
	}
	return all
}

// pick takes the first model that can hold a conversation.
func pick(models []string) string {
	i := slices.IndexFunc(models, func(m string) bool { return !strings.Contains(strings.ToLower(m), "embed") })
	return models[max(i, 0)]
}

func none(asked []candidate) error {
	var b strings.Builder
	b.WriteString("\n  set a key: export ANTHROPIC_API_KEY=… or OPENAI_API_KEY=…")
	b.WriteString("\n  or start a local server: ")
	for i, p := range slices.DeleteFunc(Providers(), func(p Provider) bool { return !p.Local() }) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("`" + p.Start + "` (" + p.Title + ")")
	}
	b.WriteString("\n  or see a recorded run: --model replay:FILE")
	for _, c := range asked {
		if c.err == nil {
			fmt.Fprintf(&b, "\n%s answers at %s but has no model: load one first", c.choice.Provider.Title, c.choice.BaseURL)
		} else if c.choice.BaseURLFrom != "" {
			fmt.Fprintf(&b, "\nthe server at %s gave no models: %v", c.choice.BaseURLFrom, c.err)
		}
	}
	return fmt.Errorf("%w:%s", ErrNoModel, b.String())
}
