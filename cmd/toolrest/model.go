package main

import (
	"context"
	"fmt"
	"os"

	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/model"
)

// chosenModel is the model of a run.
type chosenModel struct {
	model model.Model
	ref   model.Ref // whom the policy decides for; zero for a recording
	about string    // what is told at the start: which model, and why
	// workspace and prompt come with a recording: the folder that it plays in,
	// a copy that close removes, and what it was asked.
	workspace, prompt string
	close             func()
}

// access is how a model is reached.
type access struct {
	ref      model.Ref
	provider model.Provider
	model.Access
	why string
}

// chooseAccess takes the named model, else the first one in the config, else
// what the environment or a local server offers.
func (d *door) chooseAccess(ctx context.Context, name string) (*access, error) {
	cfg := d.now().config
	own, err := providersOf(cfg)
	if err != nil {
		return nil, err
	}
	if name == "" {
		name = firstModel(cfg)
	}
	if name == "" {
		choice, err := model.Discover(ctx, &model.DiscoverOptions{Getenv: os.Getenv, Probe: model.HTTPProbe(nil)})
		if err != nil {
			return nil, err
		}
		a := &access{ref: choice.Ref, provider: choice.Provider, why: choice.Why}
		a.Access = model.Access{Provider: choice.Provider.ID, BaseURL: choice.BaseURL, BaseURLFrom: choice.BaseURLFrom}
		a.takeKey(choice.KeyEnv)
		return a, nil
	}
	ref, err := model.Parse(name)
	if err != nil {
		return nil, err
	}
	p, err := model.Find(ref.Provider, own)
	if err != nil {
		return nil, err
	}
	a := &access{ref: ref, provider: p}
	a.Access = model.Access{Provider: p.ID, BaseURL: p.BaseURL}
	a.takeKey(p.KeyEnv)
	if base := os.Getenv(p.BaseURLEnv); p.BaseURLEnv != "" && base != "" {
		a.BaseURL, a.BaseURLFrom = base, "$"+p.BaseURLEnv
	}
	for _, c := range cfg.Models.Providers {
		if c.ID == p.ID {
			a.configured(c)
		}
	}
	return a, a.complete()
}

// complete refuses to go to a vendor's own address without a key: nothing
// would come of it.
func (a *access) complete() error {
	if a.provider.KeyEnv == "" || a.APIKey != "" || a.BaseURLFrom != "" {
		return nil
	}
	return fmt.Errorf("there is no key for %s: set $%s, or models.providers.%s.apiKey in the config", a.ref, a.provider.KeyEnv, a.provider.ID)
}

func (a *access) takeKey(env string) {
	if key := os.Getenv(env); env != "" && key != "" {
		a.APIKey, a.KeyFrom = key, "$"+env
	}
}

// configured takes what the config says over the environment.
func (a *access) configured(c config.Provider) {
	if c.BaseURL != "" {
		a.BaseURL, a.BaseURLFrom = c.BaseURL, c.Pos.String()
	}
	if !c.APIKey.IsZero() {
		a.APIKey, a.KeyFrom = c.APIKey.Reveal(), c.Pos.String()
	}
}

func firstModel(cfg *config.Config) string {
	for _, p := range cfg.Models.Providers {
		if len(p.Models) > 0 {
			return p.ID + "/" + p.Models[0].ID
		}
	}
	return ""
}

// providersOf gives the providers of the config. One that the program knows
// already is completed from what it knows.
func providersOf(cfg *config.Config) ([]model.Provider, error) {
	var out []model.Provider
	for _, c := range cfg.Models.Providers {
		p, err := model.Find(c.ID, nil)
		if err != nil {
			p = model.Provider{ID: c.ID, API: model.APIOpenAI, Title: c.ID}
		}
		switch c.API {
		case "":
		case "openai", "openai-completions":
			p.API = model.APIOpenAI
		case "anthropic", "anthropic-messages":
			p.API = model.APIAnthropic
		default:
			return nil, fmt.Errorf("%s: models.providers.%s.api: %q is not a wire of this build; there are openai-completions and anthropic-messages", c.Pos, c.ID, c.API)
		}
		if c.BaseURL != "" {
			p.BaseURL = c.BaseURL
		}
		if p.BaseURL == "" {
			return nil, fmt.Errorf("%s: models.providers.%s has no baseUrl", c.Pos, c.ID)
		}
		out = append(out, p)
	}
	return out, nil
}
