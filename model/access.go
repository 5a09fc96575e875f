package model

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
)

// Access says how to reach the server of a model. The options of the wires
// hold one.
type Access struct {
	// Provider is the id to show in errors and references. Empty is the
	// wire's own.
	Provider string
	// BaseURL is where the API begins; empty is the wire's own. It has no
	// user, query or fragment.
	BaseURL string
	// BaseURLFrom says who set it: "$OPENAI_BASE_URL", "toolrest.json5:3:7".
	BaseURLFrom string
	// APIKey is sent as a bearer token. Empty sends none.
	APIKey string
	// KeyFrom says where the key came from. It is shown, the key never.
	KeyFrom string
	// HTTPClient makes the requests; nil is one with the default transport.
	// Redirects are refused, for they would carry key and conversation on.
	HTTPClient *http.Client
	// IdleTimeout is how long nothing may arrive. 0 is two minutes.
	IdleTimeout time.Duration
}

// String shows an Access without its key.
func (a Access) String() string {
	key := "no key"
	if a.APIKey != "" {
		key = "a key from " + orSomewhere(a.KeyFrom)
	}
	return fmt.Sprintf("%s at %s with %s", a.Provider, a.BaseURL, key)
}

// GoString is String.
func (a Access) GoString() string { return a.String() }

func orSomewhere(from string) string {
	if from == "" {
		return "the program"
	}
	return from
}

// Endpoint is one model at one server. It is immutable and safe for use by
// several goroutines.
type Endpoint struct {
	ref    Ref
	access Access
	key    string // trimmed
	base   string
	header http.Header // of requests that are no turn
	list   string      // the URL that lists models
	http   *http.Client
	idle   time.Duration
}

// NewEndpoint checks access and fills what is missing for a wire. The header
// goes with requests that list models, beside the key's. It refuses a base URL
// or a key that cannot work.
func NewEndpoint(api API, name string, access Access, header http.Header) (*Endpoint, error) {
	if strings.TrimSpace(name) == "" {
		panic("model: NewEndpoint needs the name of a model")
	}
	if access.Provider == "" {
		access.Provider = string(api)
	}
	if access.BaseURL == "" {
		access.BaseURL = own(access.Provider, api)
	}
	base, err := baseURL(api, access.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("base URL of %s%s: %w", access.Provider, from(access.BaseURLFrom), err)
	}
	key := strings.TrimSpace(access.APIKey)
	if strings.ContainsFunc(key, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsGraphic(r) || r == ' ' }) {
		return nil, fmt.Errorf("the key of %s%s holds characters that no key has: copy it again", access.Provider, from(access.KeyFrom))
	}
	e := &Endpoint{
		ref: Ref{access.Provider, name}, access: access, key: key, base: base,
		header: header.Clone(), list: base + "/models", idle: access.IdleTimeout,
	}
	if api == APIAnthropic {
		e.list = base + "/v1/models?limit=100"
	}
	if e.idle <= 0 {
		e.idle = 2 * time.Minute
	}
	e.http = direct(access.HTTPClient)
	if e.header == nil {
		e.header = http.Header{}
	}
	if key != "" {
		e.header.Set("Authorization", "Bearer "+key)
	}
	return e, nil
}

// Ref names the model.
func (e *Endpoint) Ref() Ref { return e.ref }

// BaseURL is where requests go, without a slash at the end.
func (e *Endpoint) BaseURL() string { return e.base }

// Key is the key to send, or empty.
func (e *Endpoint) Key() string { return e.key }

// HTTP is the client to send with.
func (e *Endpoint) HTTP() *http.Client { return e.http }

// String names the model and its server, not the key.
func (e *Endpoint) String() string { return e.ref.String() + " at " + e.base }

// GoString is String.
func (e *Endpoint) GoString() string { return e.String() }

func from(source string) string {
	if source == "" {
		return ""
	}
	return " (from " + source + ")"
}

func own(provider string, api API) string {
	var first string
	for _, p := range Providers() {
		if p.ID == provider {
			return p.BaseURL
		}
		if p.API == api && first == "" {
			first = p.BaseURL
		}
	}
	return first
}

// direct is a client that follows no redirect.
func direct(c *http.Client) *http.Client {
	var out http.Client
	if c != nil {
		out = *c
	}
	out.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &out
}

// baseURL brings a base URL into the form of the wire, for people write it
// with and without the version and the last part of the path.
func baseURL(api API, raw string) (string, error) {
	raw = strings.TrimSpace(raw)
	u, err := url.Parse(raw)
	switch {
	case err != nil: // the error would quote it, secrets and all
		return "", fmt.Errorf("it is no URL")
	case u.User != nil:
		return "", fmt.Errorf("it holds a user or password: give the key as apiKey")
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return "", fmt.Errorf("%q is no http or https URL", clip(raw, 80))
	case u.RawQuery != "" || u.Fragment != "":
		return "", fmt.Errorf("it has a query or a fragment")
	}
	base := strings.TrimRight(u.Scheme+"://"+u.Host+u.EscapedPath(), "/")
	if api == APIAnthropic {
		return strings.TrimSuffix(strings.TrimSuffix(base, "/messages"), "/v1"), nil
	}
	base = strings.TrimSuffix(base, "/chat/completions")
	if base == u.Scheme+"://"+u.Host {
		base += "/v1"
	}
	return base, nil
}
