package mcp

import (
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// pending are the requests of a connection that were read and whose answers
// are not written.
type pending struct {
	mu    sync.Mutex // guards the fields below
	ids   map[jsonrpc.ID]struct{}
	open  int
	empty chan struct{} // closed when open becomes 0; nil while nobody waits
}

// add reports false when a request with this id is still to be answered.
func (p *pending) add(id jsonrpc.ID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, twice := p.ids[id]; twice {
		return false
	}
	if p.ids == nil {
		p.ids = map[jsonrpc.ID]struct{}{}
	}
	p.ids[id] = struct{}{}
	p.open++
	return true
}

// free lets the id be used again. It comes before the answer is written: the
// client may be quick. It reports whether a request had the id.
func (p *pending) free(id jsonrpc.ID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.ids[id]
	delete(p.ids, id)
	return ok
}

// settle comes after the answer of a request that was freed is written.
func (p *pending) settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open--
	if p.open == 0 && p.empty != nil {
		close(p.empty)
		p.empty = nil
	}
}

func (p *pending) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open
}

// wait reports whether all requests were answered before the time was over or
// stop was closed.
func (p *pending) wait(most time.Duration, stop <-chan struct{}) bool {
	p.mu.Lock()
	if p.open == 0 {
		p.mu.Unlock()
		return true
	}
	if p.empty == nil {
		p.empty = make(chan struct{})
	}
	empty := p.empty
	p.mu.Unlock()
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-empty:
		return true
	case <-timer.C:
	case <-stop:
	}
	return false
}
