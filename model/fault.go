package model

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/toolrest/toolrest/internal/names"
)

func (e *Endpoint) fault(kind Kind, message, hint string, err error) *Error {
	return &Error{Kind: kind, Provider: e.ref.Provider, Model: e.ref.Model, Message: message, Hint: hint, Err: err}
}

func (e *Endpoint) retryable(kind Kind, message, hint string, err error) *Error {
	f := e.fault(kind, message, hint, err)
	f.Retryable = true
	return f
}

// Refuse is the error for a request that cannot be sent.
func (e *Endpoint) Refuse(err error) *Error {
	return e.fault(KindRequest, "the request was not sent: "+e.safe(err.Error(), 400), "", err)
}

// refused reads an answer that is no stream of events.
func (e *Endpoint) refused(resp *http.Response, kind string, body []byte) *Error {
	status := resp.StatusCode
	if status/100 == 3 {
		f := e.fault(KindNotAPI, "the server sends us on to "+e.safe(resp.Header.Get("Location"), 200),
			"redirects are not followed, for they would carry the key along: set the base URL to where the API is"+e.baseFrom(), nil)
		f.Status = status
		return f
	}
	words, ok := readWords(body)
	if !ok {
		return e.notAPI(status, kind, resp.Header, body)
	}
	if status/100 == 2 && words.empty() {
		f := e.fault(KindNotAPI, "the server answered with one JSON value where a stream of events was asked for",
			"check that "+e.base+e.baseFrom()+" speaks this API and can stream", nil)
		f.Status = status
		return f
	}
	if status/100 == 2 {
		status = statusOf(words.Type)
	}
	f := e.judge(status, words)
	f.RetryAfter = retryAfter(resp.Header, time.Now())
	return f
}

// inStream reads an error that came after the head of the answer.
func (e *Endpoint) inStream(body []byte) *Error {
	words, ok := readWords(body)
	if !ok {
		words.Message = string(body)
	}
	return e.judge(statusOf(words.Type), words)
}

// notAPI is for answers that no model API gives. A proxy's page for an
// overloaded server is one too, so the status still counts.
func (e *Endpoint) notAPI(status int, kind string, header http.Header, body []byte) *Error {
	if kind == "" {
		kind = "unknown type"
	}
	text := "an answer of " + e.safe(kind, 60) + " that does not look like a model API's"
	if excerpt := e.safe(visibleText(kind, body), 160); excerpt != "" {
		text += ": " + strconv.Quote(excerpt)
	}
	f := e.fault(KindNotAPI, text, "check the base URL: "+e.base+e.baseFrom(), nil)
	f.Status = status
	if status >= 500 || status == http.StatusTooManyRequests {
		f.Retryable = true
		f.RetryAfter = retryAfter(header, time.Now())
		f.Hint = "a proxy may have answered for the server: try again later, or check the base URL: " + e.base + e.baseFrom()
	}
	return f
}

// judge turns a status and the server's words into an error with a hint.
func (e *Endpoint) judge(status int, w words) *Error {
	kind, retry := kindOf(status, w)
	f := e.fault(kind, "", "", nil)
	f.Status, f.Type, f.Retryable = status, e.safe(w.name(), 60), retry
	f.Message = says[kind]
	if m := e.safe(w.Message, 400); m != "" {
		f.Message += ": " + m
	}
	switch kind {
	case KindAuth:
		f.Hint = e.hintKey()
	case KindQuota:
		f.Hint = "look at the billing page of " + e.ref.Provider + ", or choose another model"
	case KindContext:
		f.Hint = "shorten the conversation, or choose a model with a larger context"
	case KindRate, KindServer:
		f.Hint = "this passes: try again later"
	}
	return f
}

var says = map[Kind]string{
	KindAuth:     "the server refuses the key",
	KindQuota:    "the account is at its limit",
	KindNotFound: "the server does not know the model or the path",
	KindContext:  "the conversation is too long for the model",
	KindRate:     "the server limits the rate of requests",
	KindServer:   "the server failed",
	KindRequest:  "the server refuses the request",
}

func (e *Endpoint) hintKey() string {
	if e.key != "" {
		return "the key came from " + orSomewhere(e.access.KeyFrom) + ": set a valid one there, or choose another model"
	}
	if p, err := Find(e.ref.Provider, nil); err == nil && p.KeyEnv != "" {
		return "no key was sent: set $" + p.KeyEnv
	}
	return "no key was sent: set models.providers." + e.ref.Provider + ".apiKey in the config"
}

// hintNotFound asks the server which models it has.
func (e *Endpoint) hintNotFound(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	found, err := e.Models(ctx)
	if err != nil {
		return "it lists no models either: check the base URL " + e.base + e.baseFrom()
	}
	if slices.Contains(found, e.ref.Model) {
		return "it lists this model, so the path is wrong: check the base URL " + e.base + e.baseFrom()
	}
	var hint string
	if near := names.Nearest(e.ref.Model, found, 3); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, ", ") + "?"
	} else if len(found) > 0 {
		hint = "it has " + strings.Join(found[:min(5, len(found))], ", ")
		if more := len(found) - 5; more > 0 {
			hint += " and " + strconv.Itoa(more) + " more"
		}
	} else {
		hint = "it has no model at all"
	}
	if e.ref.Provider == "ollama" {
		hint += "; get another with `ollama pull NAME`"
	}
	return hint
}

func (e *Endpoint) baseFrom() string { return from(e.access.BaseURLFrom) }

// unreachable is for a request that got no answer.
func (e *Endpoint) unreachable(err error) *Error {
	text := "no answer"
	var dns *net.DNSError
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err // the URL is shown in the hint
	}
	switch {
	case err == nil:
	case errors.Is(err, syscall.ECONNREFUSED):
		text = "nothing listens at " + e.base
	case errors.As(err, &dns):
		text = "the host of " + e.base + " is not known"
	default:
		text = "cannot reach the server: " + e.safe(err.Error(), 200)
	}
	hint := "check the network and the base URL " + e.base + e.baseFrom()
	if p, findErr := Find(e.ref.Provider, nil); findErr == nil && p.Local() {
		hint = "start it with `" + p.Start + "`, or check the base URL " + e.base + e.baseFrom()
	}
	return e.retryable(KindConnect, text, hint, err)
}

func isNetwork(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// retryAfter reads how long to wait, in milliseconds, seconds or as a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	var d time.Duration
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		d = seconds(ms / 1000)
	} else if s, err := strconv.ParseFloat(h.Get("Retry-After"), 64); err == nil {
		d = seconds(s)
	} else if t, err := http.ParseTime(h.Get("Retry-After")); err == nil {
		d = t.Sub(now)
	}
	return min(max(d, 0), 24*time.Hour)
}

func seconds(s float64) time.Duration {
	const day = 24 * 60 * 60
	if !(s > 0) { // NaN too
		return 0
	}
	return time.Duration(min(s, day) * float64(time.Second))
}

// safe makes a server's words fit to print: on one line, short, without the
// key and without what a terminal would act on.
func (e *Endpoint) safe(s string, most int) string {
	if len(e.key) >= 8 {
		s = strings.ReplaceAll(s, e.key, "[the key]")
	}
	s = strings.Map(func(r rune) rune {
		if unprintable(r) {
			return ' '
		}
		return r
	}, s)
	return clip(strings.Join(strings.Fields(s), " "), most)
}
