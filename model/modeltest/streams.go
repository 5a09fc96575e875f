package modeltest

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolrest/toolrest/model"
)

// Streams plays the streams of a txtar file to a client, as they stand there,
// and compares what the client tells. "name" holds what a server sends and
// "name.want" what comes of it, one event a line and then the message.
func (w Wire) Streams(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, f := range archive.Files {
		if name, ok := strings.CutSuffix(f.Name, ".want"); ok {
			want[name] = string(f.Data)
		}
	}
	for _, f := range archive.Files {
		if strings.HasSuffix(f.Name, ".want") {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Content-Type", "text/event-stream")
				_, _ = rw.Write(f.Data) // the client may leave at the end it wants
			}))
			defer server.Close()
			client, err := w.Open("test", model.Access{BaseURL: server.URL, HTTPClient: server.Client()})
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			tell(&got, client.Stream(t.Context(), ask()))
			if diff := cmp.Diff(want[f.Name], got.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func tell(w io.Writer, stream iter.Seq2[model.Event, error]) {
	for e, err := range stream {
		var fault *model.Error
		if errors.As(err, &fault) {
			fmt.Fprintf(w, "error %s: %s\n", fault.Kind, fault.Message)
			if fault.Partial != nil {
				tellMessage(w, *fault.Partial)
			}
		}
		switch e := e.(type) {
		case model.TextDelta:
			fmt.Fprintf(w, "+ text %q\n", e.Text)
		case model.ThinkingDelta:
			fmt.Fprintf(w, "+ thinking %q\n", e.Text)
		case model.CallStarted:
			fmt.Fprintf(w, "+ call %s %q\n", e.ID, e.Name)
		case model.ArgsDelta:
			fmt.Fprintf(w, "+ args %s %q\n", e.ID, e.Text)
		case model.Done:
			fmt.Fprintf(w, "done %s %s%+v\n", e.Stop, e.Detail, e.Usage)
			tellMessage(w, e.Message)
		}
	}
}

func tellMessage(w io.Writer, m model.Message) {
	for _, b := range m.Blocks {
		switch b.Kind {
		case model.BlockCall:
			fmt.Fprintf(w, "call %s %q %s\n", b.Call.ID, b.Call.Name, b.Call.Args)
		default:
			fmt.Fprintf(w, "%s\n", strings.TrimSpace(fmt.Sprintf("%s %q %s %s", b.Kind, b.Text, b.Signature, b.Redacted)))
		}
	}
}
