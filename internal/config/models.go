package config

import (
	"math"
	"net/url"

	"github.com/toolrest/toolrest/internal/json5"
	"github.com/toolrest/toolrest/policy"
)

// models reads the providers. An untrusted config has none of its own: it
// could send the user's words and keys anywhere.
func (r *reader) models(n *json5.Node) {
	if !r.trusted {
		r.cfg.Models = r.cfg.Base.Models
		return
	}
	if n == nil {
		return
	}
	r.cfg.Models.Pos = r.pos(n)
	providers := child(n, "providers", json5.Object)
	if providers == nil {
		return
	}
	for _, m := range providers.Members {
		if m.Value.Kind == json5.Object {
			path := json5.JoinKey("models.providers", m.Key)
			r.cfg.Models.Providers = append(r.cfg.Models.Providers, r.provider(m.Key, m.Value, path))
		}
	}
}

func (r *reader) provider(id string, n *json5.Node, path string) Provider {
	p := Provider{ID: id, Pos: r.pos(n)}
	p.API, _ = r.text(n, "api")
	p.BaseURL = r.baseURL(child(n, "baseUrl", json5.String), path+".baseUrl")
	if key := child(n, "apiKey", json5.String); key != nil && !r.unresolved[key] {
		p.APIKey = newSecret(r.texts[key])
	}
	if list := child(n, "models", json5.Array); list != nil {
		for i, item := range list.Items {
			if item.Kind == json5.Object {
				p.Models = append(p.Models, r.offered(item, json5.JoinIndex(path+".models", i)))
			}
		}
	}
	return p
}

// baseURL wants an address that a request can go to. Its error does not
// repeat the text, which may hold a key.
func (r *reader) baseURL(n *json5.Node, path string) string {
	text, ok := r.texts[n]
	if !ok {
		return ""
	}
	u, err := url.Parse(text)
	valid := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	if !valid && r.dialect == policy.OpenClaw {
		r.warn(n, path, "this is not the address of an API, so that the provider cannot be used")
		return ""
	}
	if !valid {
		r.add(n, path, "this is not the address of an API", "write https://host/path, or http:// for a server on this machine")
		return ""
	}
	return text
}

func (r *reader) offered(n *json5.Node, path string) Model {
	m := Model{Pos: r.pos(n)}
	m.ID, _ = r.text(n, "id")
	m.Name, _ = r.text(n, "name")
	m.ContextWindow = r.tokens(child(n, "contextWindow", json5.Number), path+".contextWindow")
	m.MaxTokens = r.tokens(child(n, "maxTokens", json5.Number), path+".maxTokens")
	if flag := child(n, "reasoning", json5.Bool); flag != nil {
		m.Reasoning = flag.Bool
	}
	return m
}

// tokens wants a whole number of tokens, from 1 to a thousand million.
func (r *reader) tokens(n *json5.Node, path string) int {
	const most = 1e9
	if n == nil {
		return 0
	}
	if n.Number != math.Trunc(n.Number) || n.Number < 1 || n.Number > most {
		r.add(n, path, "expected a whole number of tokens, at least 1", "")
		return 0
	}
	return int(n.Number)
}
