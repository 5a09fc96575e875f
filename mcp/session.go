package mcp

import (
	"fmt"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolrest/toolrest"
)

// sessionTable holds the sessions over HTTP and is the only one that ends
// them. A session is in it from before its client hears of it until it ends.
type sessionTable struct {
	max  int
	idle time.Duration

	mu      sync.Mutex // guards the fields below, and those of the sessions
	byID    map[string]*httpSession
	opening int            // places that are reserved and not taken
	alive   sync.WaitGroup // places that are reserved and sessions that have not ended
	ended   chan struct{}  // set by shut; closed when nothing is alive
}

// httpSession is one session. Its fields are guarded by the table's lock.
type httpSession struct {
	*scope
	conn    *sdk.ServerSession
	streams int           // streams of events that are open
	posts   int           // other HTTP requests in progress
	quiet   chan struct{} // set by remove; closed when posts is 0
	timer   *time.Timer
}

func newSessionTable(max int, idle time.Duration) *sessionTable {
	return &sessionTable{max: max, idle: idle, byID: map[string]*httpSession{}}
}

// place is the right to open one session.
type place struct {
	table   *sessionTable
	session *httpSession
}

// reserve gives a place, or says why there is none.
func (t *sessionTable) reserve() (*place, string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended != nil {
		return nil, "this server is shutting down"
	}
	if len(t.byID)+t.opening >= t.max {
		return nil, fmt.Sprintf("%d sessions are open, which is the limit: end one with DELETE, or try again later", t.max)
	}
	t.opening++
	t.alive.Add(1)
	return &place{table: t}, ""
}

// take puts the session in its place. One that comes while the table shuts is
// ended at once.
func (p *place) take(sc *scope, conn *sdk.ServerSession) {
	t, id := p.table, conn.ID()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.opening--
	s := &httpSession{scope: sc, conn: conn, posts: 1}
	s.timer = time.AfterFunc(t.idle, func() { t.expire(id, s) })
	s.timer.Stop() // the request that opens the session is in progress
	p.session = s
	t.byID[id] = s
	if t.ended != nil {
		t.remove(id, s)
		go t.close(s)
	}
}

// leave ends the request that was to open the session.
func (p *place) leave() {
	t := p.table
	t.mu.Lock()
	session := p.session
	if session == nil { // nothing came of it
		t.opening--
		t.alive.Done()
	}
	t.mu.Unlock()
	if session != nil {
		t.leave(session, &session.posts)
	}
}

// enter gives the open session that has this id and belongs to this caller,
// and keeps it from being idle until the function that comes with it is
// called. A caller learns nothing of the sessions of others.
func (t *sessionTable) enter(id string, who toolrest.Caller, stream bool) (leave func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.byID[id]
	if s == nil || s.who != who {
		return nil, false
	}
	count := &s.posts
	if stream {
		count = &s.streams
	}
	*count++
	s.timer.Stop()
	return func() { t.leave(s, count) }, true
}

func (t *sessionTable) leave(s *httpSession, count *int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	*count--
	switch {
	case s.quiet != nil && s.posts == 0 && count == &s.posts:
		close(s.quiet)
	case s.quiet == nil && s.posts+s.streams == 0:
		s.timer.Reset(t.idle)
	}
}

// end ends a session and waits for it. It reports false where there is none.
func (t *sessionTable) end(id string, who toolrest.Caller) bool {
	t.mu.Lock()
	s := t.byID[id]
	if s == nil || s.who != who {
		t.mu.Unlock()
		return false
	}
	t.remove(id, s)
	t.mu.Unlock()
	t.close(s)
	return true
}

// expire is run by the session's timer. A request may have come just before.
func (t *sessionTable) expire(id string, s *httpSession) {
	t.mu.Lock()
	if s.posts+s.streams > 0 || t.byID[id] != s {
		t.mu.Unlock()
		return
	}
	t.remove(id, s)
	t.mu.Unlock()
	t.close(s)
}

// shut ends all sessions and lets no new one in. The channel is closed when
// the last has ended.
func (t *sessionTable) shut() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended != nil {
		return t.ended
	}
	t.ended = make(chan struct{})
	for id, s := range t.byID {
		t.remove(id, s)
		go t.close(s)
	}
	go func() {
		t.alive.Wait()
		close(t.ended)
	}()
	return t.ended
}

// remove takes a session out, after which close must be called. The lock is
// held.
func (t *sessionTable) remove(id string, s *httpSession) {
	delete(t.byID, id)
	s.timer.Stop()
	s.quiet = make(chan struct{})
	if s.posts == 0 {
		close(s.quiet)
	}
}

// close cancels the session's calls, lets their answers be written, and frees
// its streams. Once the connection closes the SDK would write no answer.
func (t *sessionTable) close(s *httpSession) {
	defer t.alive.Done()
	s.cancel(errSessionEnded)
	timer := time.NewTimer(cancelTime)
	defer timer.Stop()
	select {
	case <-s.quiet:
	case <-timer.C:
	}
	_ = s.conn.Close() // it has no error of its own: the connection is ours
}
