package gateway

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

const (
	maxHeader   = 64 << 10 // bytes of a request's header
	idleTimeout = 2 * time.Minute
)

var errStopping = errors.New("the gateway is stopping")

// Serve answers the requests that come to ln until ctx ends, and then returns
// nil. At the end it stops accepting, has the endpoint cancel what runs, and
// waits up to [Options].Grace for the answers to be written; connections that
// are open after that are cut. An error means that ln failed.
//
// Serve closes ln. A gateway is served once.
func (g *Gateway) Serve(ctx context.Context, ln net.Listener) error {
	// Requests outlive ctx, so that the answers of cancelled calls are written.
	base, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	var fresh unused
	server := &http.Server{
		Handler:           g,
		ReadHeaderTimeout: g.opts.HeaderTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		// No WriteTimeout: a call and a stream of events take what they take.
		BaseContext: func(net.Listener) context.Context { return base },
		ConnState:   fresh.track,
		ErrorLog:    slog.NewLogLogger(g.opts.Logger.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(ln) }()
	select {
	case err := <-failed:
		fresh.close()
		g.stop(server, cut)
		return fmt.Errorf("serve http at %s: %w", ln.Addr(), err)
	case <-ctx.Done():
		fresh.close()
		g.stop(server, cut)
		<-failed
		return nil
	}
}

// stop ends the requests in progress: kindly at first.
func (g *Gateway) stop(server *http.Server, cut func()) {
	g.stopping.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), g.opts.Grace)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- g.mcp.Shutdown(ctx) }()
	err := errors.Join(server.Shutdown(ctx), <-ended)
	if err != nil {
		g.opts.Logger.Warn("gateway: cut what did not end in time", "grace", g.opts.Grace, "error", err)
	}
	cut()
	_ = server.Close() // what is left of it
}
