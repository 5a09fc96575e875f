package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxExact is the largest integer that survives as a JSON number everywhere.
const maxExact = 1<<53 - 1

// fault is a message that cannot be served, as the error that answers it.
type fault struct {
	id   json.RawMessage // as it came; nil where there is none to answer to
	code int64
	text string
}

// encode gives the JSON-RPC error. The SDK's own encoder leaves out an id that
// is null, which JSON-RPC wants to see.
func (f *fault) encode() []byte {
	id := f.id
	if id == nil {
		id = json.RawMessage("null")
	}
	data, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id,
		"error": map[string]any{"code": f.code, "message": f.text},
	})
	if err != nil {
		panic("mcp: encode a fault: " + err.Error()) // the id was parsed before
	}
	return data
}

func tooLong(size string, limit int64) *fault {
	return &fault{code: jsonrpc.CodeInvalidRequest, text: fmt.Sprintf(
		"the message is %s: over the limit of %d bytes, and was skipped; send less in one message", size, limit)}
}

// parseFrame reads one JSON-RPC message, strictly. It gives a message, or the
// fault that answers it, or neither: an unusable answer is dropped, because to
// answer an answer can go on forever.
func parseFrame(data []byte) (jsonrpc.Message, *fault) {
	if !utf8.Valid(data) {
		return nil, &fault{code: jsonrpc.CodeParseError, text: "the message is not UTF-8"}
	}
	data = bytes.TrimSpace(data)
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, new(json.RawMessage)); errors.As(err, &syntax) {
		return nil, &fault{code: jsonrpc.CodeParseError, text: fmt.Sprintf("the message is not JSON: %v (byte %d)", err, syntax.Offset)}
	}
	if data[0] == '[' {
		return nil, &fault{code: jsonrpc.CodeInvalidRequest, text: "batches are not served: send each message by itself"}
	}
	members, problem := object(data)
	id, idProblem := requestID(members)
	f := &fault{id: members["id"], code: jsonrpc.CodeInvalidRequest}
	if idProblem != "" {
		f.id = nil
	}
	if problem != "" {
		f.text = "the message " + problem
		return nil, f
	}
	if isAnswer(members) {
		msg, err := jsonrpc.DecodeMessage(data)
		if err != nil {
			return nil, nil
		}
		return msg, nil
	}
	if f.text = envelopeProblem(members, idProblem); f.text != "" {
		return nil, f
	}
	return request(data, members, id, f)
}

// request makes the message of an envelope that is sound, when its parameters
// are too.
func request(data []byte, members map[string]json.RawMessage, id jsonrpc.ID, f *fault) (jsonrpc.Message, *fault) {
	var method string
	_ = json.Unmarshal(members["method"], &method) // envelopeProblem saw a string
	if f.code, f.text = paramsProblem(method, members["params"]); f.text != "" {
		if f.id == nil && f.code == jsonrpc.CodeInvalidParams {
			return nil, nil // nobody answers a notification
		}
		return nil, f
	}
	// The SDK is stricter than encoding/json about how deep values may nest.
	if _, err := jsonrpc.DecodeMessage(data); err != nil {
		f.code, f.text = jsonrpc.CodeInvalidRequest, err.Error()
		return nil, f
	}
	return &jsonrpc.Request{ID: id, Method: method, Params: members["params"]}, nil
}

// isAnswer reports whether a message without a method answers one.
func isAnswer(members map[string]json.RawMessage) bool {
	_, method := members["method"]
	_, result := members["result"]
	_, failure := members["error"]
	return !method && (result || failure)
}

func envelopeProblem(members map[string]json.RawMessage, idProblem string) string {
	var version, method string
	switch {
	case json.Unmarshal(orNull(members["jsonrpc"]), &version) != nil || version != "2.0":
		return `"jsonrpc" must be "2.0"`
	case idProblem != "":
		return idProblem
	case json.Unmarshal(orNull(members["method"]), &method) != nil || method == "":
		return `"method" must be a string that is not empty`
	}
	return ""
}

// requestID gives the id of a request, which is invalid where there is none.
func requestID(members map[string]json.RawMessage) (jsonrpc.ID, string) {
	raw, ok := members["id"]
	if !ok {
		return jsonrpc.ID{}, ""
	}
	var v any
	_ = json.Unmarshal(raw, &v) // the message was valid JSON
	switch v := v.(type) {
	case string:
		id, err := jsonrpc.MakeID(v)
		return id, errText(err)
	case float64:
		if v != float64(int64(v)) || v > maxExact || v < -maxExact {
			return jsonrpc.ID{}, `"id" must be a string or an integer of at most 53 bits`
		}
		id, err := jsonrpc.MakeID(v)
		return id, errText(err)
	}
	return jsonrpc.ID{}, `"id" must be a string or an integer, but ` + kindOf(raw) + " came"
}

// paramsProblem checks what the SDK would answer with the whole of the
// parameters and the names of its types.
func paramsProblem(method string, raw json.RawMessage) (int64, string) {
	if raw == nil || string(raw) == "null" {
		return 0, ""
	}
	if kindOf(raw) != "an object" {
		return jsonrpc.CodeInvalidRequest, `"params" must be an object, but ` + kindOf(raw) + " came"
	}
	params, problem := object(raw)
	if problem != "" {
		return jsonrpc.CodeInvalidRequest, `"params" ` + problem
	}
	if meta := orNull(params["_meta"]); kindOf(meta) != "null" && kindOf(meta) != "an object" {
		return jsonrpc.CodeInvalidParams, `"params._meta" must be an object, but ` + kindOf(meta) + " came"
	}
	if method == "tools/call" {
		var name string
		if json.Unmarshal(orNull(params["name"]), &name) != nil || name == "" {
			return jsonrpc.CodeInvalidParams, `"params.name" must be the name of a tool`
		}
	}
	if cursor := orNull(params["cursor"]); method == "tools/list" && kindOf(cursor) != "null" && kindOf(cursor) != "a string" {
		return jsonrpc.CodeInvalidParams, `"params.cursor" must be a string, but ` + kindOf(cursor) + " came"
	}
	return 0, ""
}

// object takes the text of a JSON value apart into its members. It says what
// is wrong with one that is no object or has a member twice: two readers of
// such a message could see two different ones.
func object(raw []byte) (map[string]json.RawMessage, string) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, "must be an object, but " + kindOf(raw) + " came"
	}
	members := map[string]json.RawMessage{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return members, "is not JSON: " + err.Error()
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return members, "is not JSON: " + err.Error()
		}
		name := key.(string)
		if _, twice := members[name]; twice {
			return members, "has the member " + strconv.Quote(shorten(name)) + " twice"
		}
		members[name] = value
	}
	if _, err := dec.Token(); err != nil {
		return members, "is not JSON: " + err.Error()
	}
	if len(bytes.TrimSpace(raw[dec.InputOffset():])) > 0 {
		return members, "has something behind its end"
	}
	return members, ""
}

// kindOf names the kind of a JSON value from its first byte.
func kindOf(raw []byte) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// orNull makes a missing value one that parses as no string at all.
func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}

// shorten keeps a name that somebody else chose from filling an error.
func shorten(s string) string {
	const most = 64
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
