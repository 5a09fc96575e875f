package gateway

import (
	"net"
	"net/http"
	"sync"
)

// unused are the connections on which no request has come yet. Clients open
// some in advance, and [http.Server.Shutdown] waits five seconds for each.
type unused struct {
	mu     sync.Mutex // guards the fields below
	conns  map[net.Conn]struct{}
	closed bool
}

// track is for [http.Server.ConnState].
func (u *unused) track(c net.Conn, state http.ConnState) {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case state != http.StateNew:
		delete(u.conns, c)
	case u.closed:
		_ = c.Close() // accepted a moment before the listener closed
	default:
		if u.conns == nil {
			u.conns = map[net.Conn]struct{}{}
		}
		u.conns[c] = struct{}{}
	}
}

// close closes them, and those that are still to come.
func (u *unused) close() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.closed = true
	for c := range u.conns {
		_ = c.Close() // nobody has asked anything on it
	}
	clear(u.conns)
}
