package modeltest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// maxBody is what the real API takes, in bytes.
const maxBody = 32 << 20

// wire is what differs between the APIs.
type wire interface {
	// path is where turns are asked for.
	path() string
	// check reads a request or panics with a *refusal.
	check(header http.Header, body []byte) *Request
	// events are the answer as a stream, and whole is it as one value.
	events(turn Turn, n int, req *Request) []event
	whole(turn Turn, n int, req *Request) []byte
	// problem is an error body.
	problem(r *refusal) []byte
	// list is the body that lists models.
	list(models []string) []byte
}

// Server is a scripted model server on the loopback interface.
type Server struct {
	// URL is the base URL in the form that the vendor's SDK wants.
	URL string
	// Models are those that the server has; the first is the one to use.
	Models []string

	t    testing.TB
	wire wire
	http *httptest.Server
	quit chan struct{} // closed when the test is over

	mu       sync.Mutex // guards the fields below
	turns    []Turn
	played   int
	requests []*Request
	refused  []string
	lenient  bool
}

func newServer(t testing.TB, w wire, models []string, turns []Turn) *Server {
	t.Helper()
	s := &Server{t: t, wire: w, Models: models, turns: turns, quit: make(chan struct{})}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = s.http.URL
	t.Cleanup(s.close)
	return s
}

func (s *Server) close() {
	close(s.quit)
	s.http.CloseClientConnections()
	s.http.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.played < len(s.turns) {
		s.t.Errorf("the script has %d turns, %d were played", len(s.turns), s.played)
	}
}

// Client is an HTTP client that leaves no connection behind.
func (s *Server) Client() *http.Client { return s.http.Client() }

// AllowRefusals lets requests be refused without failing the test.
func (s *Server) AllowRefusals() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lenient = true
}

// Requests gives the requests that were accepted so far, in order.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Refusals gives the reasons of those that were refused so far.
func (s *Server) Refusals() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.refused)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	defer func() {
		switch problem := recover().(type) {
		case nil:
		case *refusal:
			s.refuse(w, r, problem)
		default:
			panic(problem)
		}
	}()
	if strings.HasSuffix(r.URL.Path, "/models") && r.Method == http.MethodGet {
		s.authenticate(r)
		write(w, http.StatusOK, s.wire.list(s.Models))
		return
	}
	if r.URL.Path != s.wire.path() {
		panic(&refusal{status: http.StatusNotFound, text: fmt.Sprintf("Invalid URL (%s %s)", r.Method, r.URL.Path)})
	}
	if r.Method != http.MethodPost {
		panic(&refusal{status: http.StatusMethodNotAllowed, text: "Method Not Allowed"})
	}
	s.turn(w, r)
}

// authenticate accepts both headers that keys have gone in.
func (s *Server) authenticate(r *http.Request) {
	key := r.Header.Get("X-Api-Key")
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		key = bearer
	}
	switch key {
	case Key:
	case "":
		panic(&refusal{status: http.StatusUnauthorized, text: "You didn't provide an API key"})
	default: // the real ones repeat a part of the key too
		panic(&refusal{status: http.StatusUnauthorized, code: "invalid_api_key", text: "Incorrect API key provided: " + key})
	}
}

func (s *Server) turn(w http.ResponseWriter, r *http.Request) {
	s.authenticate(r)
	if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); kind != "application/json" {
		panic(&refusal{status: http.StatusBadRequest, text: "the content type must be application/json"})
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil || len(body) > maxBody {
		panic(&refusal{status: http.StatusRequestEntityTooLarge, kind: "request_too_large", text: "Request exceeds the maximum size"})
	}
	req := s.wire.check(r.Header, body)
	if !slices.Contains(s.Models, req.Model) {
		panic(&refusal{status: http.StatusNotFound, code: "model_not_found", param: "model", text: "model: " + req.Model})
	}
	turn, n, ok := s.next(req)
	if !ok {
		s.t.Errorf("the script is over, and a further request came: %s", body)
		panic(&refusal{status: http.StatusInternalServerError, text: "the script is over"})
	}
	if turn.Expect != nil {
		turn.Expect(s.t, req)
	}
	s.answer(w, r, turn, n, req)
}

func (s *Server) next(req *Request) (Turn, int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.turns); n > 0 && s.played == n && s.turns[n-1].Repeat {
		s.played--
	}
	if s.played == len(s.turns) {
		return Turn{}, 0, false
	}
	s.requests = append(s.requests, req)
	s.played++
	return s.turns[s.played-1], s.played, true
}

func (s *Server) refuse(w http.ResponseWriter, r *http.Request, problem *refusal) {
	s.mu.Lock()
	s.refused = append(s.refused, problem.text)
	lenient := s.lenient
	s.mu.Unlock()
	if !lenient {
		s.t.Errorf("%s %s was refused with status %d: %s", r.Method, r.URL.Path, problem.status, problem.text)
	}
	write(w, problem.status, s.wire.problem(problem))
}

func write(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone, which is its business
}
