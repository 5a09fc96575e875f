package model

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
)

// words are what a server says about an error.
type words struct{ Type, Code, Message string }

func (w words) empty() bool { return w == words{} }

// name is the most telling class: the code where there is one, as in
// "model_not_found", else the type.
func (w words) name() string {
	if w.Code != "" && strings.Trim(w.Code, "0123456789") != "" {
		return w.Code
	}
	return w.Type
}

// readWords reads the error bodies that are around: Anthropic's and OpenAI's,
// Ollama's string, and the "message" and "detail" of frameworks. It is false
// for what is no JSON object; the words are empty where none are found.
func readWords(body []byte) (words, bool) {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) == 1 {
		body = list[0]
	}
	var outer map[string]json.RawMessage
	if json.Unmarshal(body, &outer) != nil || outer == nil {
		return words{}, false
	}
	var inner map[string]json.RawMessage
	switch {
	case json.Unmarshal(outer["error"], &inner) == nil && inner != nil:
		return words{text(inner["type"]), text(inner["code"]), text(inner["message"])}, true
	case text(outer["error"]) != "":
		return words{Message: text(outer["error"])}, true
	case outer["message"] != nil && (outer["code"] != nil || outer["type"] != nil || outer["object"] != nil):
		return words{text(outer["type"]), text(outer["code"]), text(outer["message"])}, true
	case outer["detail"] != nil:
		return words{Message: text(outer["detail"])}, true
	case outer["message"] != nil:
		return words{Message: text(outer["message"])}, true
	}
	return words{}, true
}

// text is a string, or any other value as it is written.
func text(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// statusOf is the status that belongs to a type, for errors that come inside
// a stream.
func statusOf(typ string) int {
	switch typ {
	case "invalid_request_error":
		return http.StatusBadRequest
	case "authentication_error":
		return http.StatusUnauthorized
	case "billing_error":
		return http.StatusPaymentRequired
	case "permission_error":
		return http.StatusForbidden
	case "not_found_error":
		return http.StatusNotFound
	case "request_too_large":
		return http.StatusRequestEntityTooLarge
	case "rate_limit_error":
		return http.StatusTooManyRequests
	case "timeout_error":
		return http.StatusGatewayTimeout
	case "overloaded_error":
		return 529
	}
	return http.StatusInternalServerError
}

// tooLong are the ways in which servers say that a conversation does not fit.
var tooLong = regexp.MustCompile(`(?i)context.length|context.window|maximum context|prompt is too long|exceeds? the (available )?context|too many tokens`)

// kindOf classes an error, and says whether it passes.
func kindOf(status int, w words) (Kind, bool) {
	switch {
	case w.Code == "insufficient_quota", w.Type == "insufficient_quota", status == http.StatusPaymentRequired:
		return KindQuota, false
	case w.Code == "model_not_found", status == http.StatusNotFound:
		return KindNotFound, false
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return KindAuth, false
	case status == http.StatusTooManyRequests:
		return KindRate, true
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status == http.StatusConflict:
		return KindServer, true
	case status/100 == 4 && (w.Code == "context_length_exceeded" || tooLong.MatchString(w.Message)):
		return KindContext, false
	case status/100 == 5:
		return KindServer, true
	}
	return KindRequest, false
}

var (
	unseen = regexp.MustCompile(`(?is)<(script|style)\b.*?(</(script|style)\s*>|$)`)
	tag    = regexp.MustCompile(`(?s)<[^>]*(>|$)`)
)

// visibleText is what a person would see of an answer.
func visibleText(kind string, body []byte) string {
	s := strings.ToValidUTF8(string(body[:min(len(body), 8<<10)]), " ")
	if strings.Contains(kind, "html") || strings.HasPrefix(strings.TrimSpace(s), "<") {
		s = tag.ReplaceAllString(unseen.ReplaceAllString(s, " "), " ")
	}
	return s
}
