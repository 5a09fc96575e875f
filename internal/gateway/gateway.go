package gateway

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"
)

// Endpoint serves MCP requests. Shutdown ends all that runs for them,
// including their open streams, and waits until that is done or ctx has ended.
type Endpoint interface {
	http.Handler
	Shutdown(ctx context.Context) error
}

// Options refine a [Gateway]. The zero value is good.
type Options struct {
	// MaxBody is the size in bytes over which a request's body is refused. The
	// default is 4 MiB.
	MaxBody int64
	// HeaderTimeout and BodyTimeout are how long a client may take to send the
	// header and the body of a request. The defaults are 10 and 30 seconds.
	HeaderTimeout, BodyTimeout time.Duration
	// Grace is how long Serve waits for open requests when it is told to stop.
	// The default is 5 seconds.
	Grace time.Duration
	// Ready, where set, reports why requests cannot be served yet. The reason
	// goes to the log; /readyz says only whether there is one.
	Ready func(ctx context.Context) error
	// Logger gets refusals and failures, without tokens, arguments or
	// addresses of requests. The default is silence.
	Logger *slog.Logger
}

func (o *Options) withDefaults() Options {
	var out Options
	if o != nil {
		out = *o
	}
	if out.MaxBody <= 0 {
		out.MaxBody = 4 << 20
	}
	setDefault(&out.HeaderTimeout, 10*time.Second)
	setDefault(&out.BodyTimeout, 30*time.Second)
	setDefault(&out.Grace, 5*time.Second)
	if out.Ready == nil {
		out.Ready = func(context.Context) error { return nil }
	}
	if out.Logger == nil {
		out.Logger = slog.New(slog.DiscardHandler)
	}
	return out
}

func setDefault(d *time.Duration, value time.Duration) {
	if *d <= 0 {
		*d = value
	}
}

// Gateway is the handler of all HTTP requests. It may be used by several
// goroutines at once.
type Gateway struct {
	mcp      Endpoint
	token    [sha256.Size]byte // the digest of the owner's token
	opts     Options
	stopping atomic.Bool
}

// New makes a gateway. It panics without an endpoint, and without a token:
// there is no gateway that is open to everybody.
func New(mcp Endpoint, token string, opts *Options) *Gateway {
	if mcp == nil || token == "" {
		panic("gateway: New needs an endpoint and a token")
	}
	return &Gateway{mcp: mcp, token: sha256.Sum256([]byte(token)), opts: opts.withDefaults()}
}

// ServeHTTP routes a request: /mcp to the endpoint, /healthz and /readyz to
// their answers, and all else to 404.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if reason := foreign(r); reason != "" {
		g.refuse(w, r, http.StatusForbidden, reason)
		return
	}
	switch r.URL.Path {
	case "/mcp":
		g.serveMCP(w, r)
	case "/healthz":
		g.serveHealth(w, r, nil)
	case "/readyz":
		g.serveHealth(w, r, g.notReady(r.Context()))
	default:
		g.refuse(w, r, http.StatusNotFound, "nothing is served at this path: MCP is at /mcp, and the health checks are /healthz and /readyz")
	}
}

func (g *Gateway) serveMCP(w http.ResponseWriter, r *http.Request) {
	if reason := g.unauthorised(r); reason != "" {
		w.Header().Set("WWW-Authenticate", `Bearer realm="toolrest"`)
		g.refuse(w, r, http.StatusUnauthorized, reason)
		return
	}
	r = r.Clone(asOwner(r.Context()))
	r.Header.Del("Authorization") // nothing behind this needs the secret
	if g.readBody(w, r) {
		g.mcp.ServeHTTP(w, r)
	}
}

func (g *Gateway) serveHealth(w http.ResponseWriter, r *http.Request, problem error) {
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		g.refuse(w, r, http.StatusMethodNotAllowed, "a health check is a GET")
	case problem != nil:
		g.opts.Logger.Warn("gateway: not ready", "error", problem)
		answer(w, http.StatusServiceUnavailable, []byte(`{"status":"not ready"}`))
	default:
		answer(w, http.StatusOK, []byte(`{"status":"ok"}`))
	}
}

func (g *Gateway) notReady(ctx context.Context) error {
	if g.stopping.Load() {
		return errStopping
	}
	return g.opts.Ready(ctx)
}
