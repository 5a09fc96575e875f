package modeltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"unicode/utf8"
)

// event is one server-sent event. The name is empty on wires that have none.
type event struct{ name, data string }

// page is what a proxy or a wrong server answers.
const page = `<!DOCTYPE html><html><head><title>Welcome</title><style>b{color:red}</style></head>
<body><h1>It works!</h1><script>alert("no")</script><p>This is the default page.</p></body></html>`

func (s *Server) answer(w http.ResponseWriter, r *http.Request, turn Turn, n int, req *Request) {
	f := turn.Fault
	switch {
	case f == nil && !req.Stream:
		write(w, http.StatusOK, s.wire.whole(turn, n, req))
	case f == nil:
		begin(w)
		send(w, n, s.wire.events(turn, n, req))
	case f.Kind == FaultStatus:
		if f.RetryAfter != "" {
			w.Header().Set("Retry-After", f.RetryAfter)
		}
		write(w, f.Status, s.wire.problem(f.refusal()))
	case f.Kind == FaultHTML:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(max(f.Status, http.StatusOK))
		fmt.Fprint(w, page)
	case f.Kind == FaultWhole:
		write(w, http.StatusOK, s.wire.whole(turn, n, req))
	case f.Kind == FaultRedirect:
		http.Redirect(w, r, f.Location, http.StatusTemporaryRedirect)
	default:
		s.spoil(w, r, *f, n, s.wire.events(turn, n, req))
	}
}

// spoil streams some events and then does what the fault says.
func (s *Server) spoil(w http.ResponseWriter, r *http.Request, f Fault, n int, events []event) {
	if f.After > len(events) {
		s.t.Errorf("a fault after %d events, but the turn has %d", f.After, len(events))
		f.After = len(events)
	}
	begin(w)
	send(w, n, events[:f.After])
	switch f.Kind {
	case FaultDrop:
		panic(http.ErrAbortHandler)
	case FaultHang:
		select {
		case <-r.Context().Done():
		case <-s.quit:
		}
	case FaultInStream:
		send(w, n, []event{{"error", string(s.wire.problem(f.refusal()))}})
	case FaultGarbage:
		send(w, n, []event{{"message_delta", `{"type":"message_delta","delta":{`}})
	case FaultEnd:
	}
}

func (f Fault) refusal() *refusal {
	return &refusal{status: f.Status, kind: f.Type, code: f.Code, text: f.Message}
}

func begin(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.WriteHeader(http.StatusOK)
	flush(w)
}

func flush(w http.ResponseWriter) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

// send writes events in pieces that end anywhere, also inside a character.
func send(w http.ResponseWriter, seed int, events []event) {
	var all bytes.Buffer
	for _, e := range events {
		if e.name != "" {
			fmt.Fprintf(&all, "event: %s\n", e.name)
		}
		fmt.Fprintf(&all, "data: %s\n\n", e.data)
	}
	random := rand.New(rand.NewPCG(uint64(seed), uint64(all.Len())))
	for rest := all.Bytes(); len(rest) > 0; {
		size := min(1+random.IntN(200), len(rest))
		if _, err := w.Write(rest[:size]); err != nil {
			return // the client is gone
		}
		flush(w)
		rest = rest[size:]
	}
}

// pieces cuts a text between any two characters, as tokens do.
func pieces(s string, seed int) []string {
	random := rand.New(rand.NewPCG(uint64(seed), uint64(len(s))))
	var out []string
	for len(s) > 0 {
		size := 0
		for range 1 + random.IntN(6) {
			_, width := utf8.DecodeRuneInString(s[size:])
			size += width
		}
		out = append(out, s[:size])
		s = s[size:]
	}
	return out
}

func encode(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("modeltest: encode %T: %v", v, err))
	}
	return string(raw)
}

// members is a JSON object to send.
type members = map[string]any
