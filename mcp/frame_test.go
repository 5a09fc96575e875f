package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"pgregory.net/rapid"
)

// badFrames are messages that cannot be served, with the error that answers
// each, and a part of its text. Code 0 is for those that are dropped.
var badFrames = []struct {
	name, frame string
	code        int64
	id, text    string
}{
	{"word", `hello`, -32700, "null", "byte 1"},
	{"cut object", `{"jsonrpc":"2.0","id":1`, -32700, "null", "not JSON"},
	{"cut string", `{"jsonrpc":"2.0","method":"to`, -32700, "null", "not JSON"},
	{"trailing comma", `{"jsonrpc":"2.0","id":1,"method":"ping",}`, -32700, "null", "not JSON"},
	{"single quotes", `{'jsonrpc':'2.0'}`, -32700, "null", "not JSON"},
	{"comment", `{"jsonrpc":"2.0" /* hi */,"id":1,"method":"ping"}`, -32700, "null", "not JSON"},
	{"two objects", `{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}`, -32700, "null", "not JSON"},
	{"garbage behind", `{"jsonrpc":"2.0","id":1,"method":"ping"} x`, -32700, "null", "not JSON"},
	{"header of another framing", `Content-Length: 20`, -32700, "null", "not JSON"},
	{"NaN", `{"jsonrpc":"2.0","id":NaN,"method":"ping"}`, -32700, "null", "not JSON"},
	{"leading zero", `{"jsonrpc":"2.0","id":01,"method":"ping"}`, -32700, "null", "not JSON"},
	{"raw tab in a string", "{\"jsonrpc\":\"2.0\",\"id\":\"a\tb\",\"method\":\"ping\"}", -32700, "null", "not JSON"},
	{"NUL byte", "{\"jsonrpc\":\"2.0\",\"id\":1,\x00\"method\":\"ping\"}", -32700, "null", "not JSON"},
	{"byte order mark", "\ufeff{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", -32700, "null", "not JSON"},
	{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}", -32700, "null", "UTF-8"},
	{"cut UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":\"\xe2\x82\",\"method\":\"ping\"}", -32700, "null", "UTF-8"},
	{"UTF-16", "{\x00\"\x00j\x00\xff\xfe", -32700, "null", "UTF-8"},
	{"no nesting without an end", strings.Repeat("[", 20000), -32700, "null", "not JSON"},
	{"null", `null`, -32600, "null", "null came"},
	{"number", `42`, -32600, "null", "a number came"},
	{"string", `"tools/list"`, -32600, "null", "a string came"},
	{"boolean", `true`, -32600, "null", "a boolean came"},
	{"empty batch", `[]`, -32600, "null", "batches"},
	{"batch", `[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]`, -32600, "null", "batches"},
	{"empty object", `{}`, -32600, "null", `"jsonrpc" must be`},
	{"no version", `{"id":1,"method":"ping"}`, -32600, "1", `"jsonrpc" must be`},
	{"version 1.0", `{"jsonrpc":"1.0","id":2,"method":"ping"}`, -32600, "2", `"jsonrpc" must be`},
	{"version is a number", `{"jsonrpc":2.0,"id":"x","method":"ping"}`, -32600, `"x"`, `"jsonrpc" must be`},
	{"version is null", `{"jsonrpc":null,"id":3,"method":"ping"}`, -32600, "3", `"jsonrpc" must be`},
	{"members in capitals", `{"JSONRPC":"2.0","ID":1,"METHOD":"ping"}`, -32600, "null", `"jsonrpc" must be`},
	{"no method", `{"jsonrpc":"2.0","id":4}`, -32600, "4", `"method" must be`},
	{"empty method", `{"jsonrpc":"2.0","id":5,"method":""}`, -32600, "5", `"method" must be`},
	{"method is a number", `{"jsonrpc":"2.0","id":6,"method":7}`, -32600, "6", `"method" must be`},
	{"method is null", `{"jsonrpc":"2.0","id":7,"method":null}`, -32600, "7", `"method" must be`},
	{"method is an object", `{"jsonrpc":"2.0","id":"é","method":{}}`, -32600, `"é"`, `"method" must be`},
	{"id is null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, "null", "null came"},
	{"id is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, "null", "an object came"},
	{"id is an array", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, -32600, "null", "an array came"},
	{"id is a boolean", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, -32600, "null", "a boolean came"},
	{"id is a fraction", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, -32600, "null", "53 bits"},
	{"id is too large to be exact", `{"jsonrpc":"2.0","id":9007199254740994,"method":"ping"}`, -32600, "null", "53 bits"},
	{"id is astronomical", `{"jsonrpc":"2.0","id":1e300,"method":"ping"}`, -32600, "null", "53 bits"},
	{"id is out of range", `{"jsonrpc":"2.0","id":1e999,"method":"ping"}`, -32600, "null", "id"},
	{"params is an array", `{"jsonrpc":"2.0","id":8,"method":"tools/list","params":[]}`, -32600, "8", "an array came"},
	{"params is a string", `{"jsonrpc":"2.0","id":9,"method":"tools/list","params":"{}"}`, -32600, "9", "a string came"},
	{"params is a number", `{"jsonrpc":"2.0","id":10,"method":"tools/call","params":0}`, -32600, "10", "a number came"},
	{"params of a notification is an array", `{"jsonrpc":"2.0","method":"notifications/initialized","params":[]}`, -32600, "null", "an array came"},
	{"method twice", `{"jsonrpc":"2.0","id":11,"method":"ping","method":"tools/call"}`, -32600, "11", `"method" twice`},
	{"id twice", `{"jsonrpc":"2.0","id":12,"id":13,"method":"ping"}`, -32600, "12", `"id" twice`},
	{"a member twice in disguise", `{"jsonrpc":"2.0","id":14,"method":"ping","m\u0065thod":"ping"}`, -32600, "14", `"method" twice`},
	{"name twice", `{"jsonrpc":"2.0","id":15,"method":"tools/call","params":{"name":"alpha","name":"zeta"}}`, -32600, "15", `"name" twice`},
	{"nested too deeply", `{"jsonrpc":"2.0","id":16,"method":"tools/call","params":{"name":"alpha","arguments":{"a":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}}}`, -32600, "16", "depth"},
	{"meta is a number", `{"jsonrpc":"2.0","id":17,"method":"tools/list","params":{"_meta":1}}`, -32602, "17", "_meta"},
	{"cursor is a number", `{"jsonrpc":"2.0","id":18,"method":"tools/list","params":{"cursor":1}}`, -32602, "18", "cursor"},
	{"call without a name", `{"jsonrpc":"2.0","id":19,"method":"tools/call","params":{"arguments":{}}}`, -32602, "19", "params.name"},
	{"call of a number", `{"jsonrpc":"2.0","id":20,"method":"tools/call","params":{"name":1}}`, -32602, "20", "params.name"},
	{"call of nothing", `{"jsonrpc":"2.0","id":21,"method":"tools/call","params":{"name":""}}`, -32602, "21", "params.name"},
	{"notification with bad parameters", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":1}}`, 0, "", ""},
	{"error to nothing", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"you too"}}`, 0, "", ""},
	{"result without an id", `{"jsonrpc":"2.0","result":{}}`, 0, "", ""},
	{"answer of another version", `{"jsonrpc":"1.0","id":1,"result":{}}`, 0, "", ""},
	{"error that is none", `{"jsonrpc":"2.0","id":1,"error":"boo"}`, 0, "", ""},
}

func TestParseFrameRefuses(t *testing.T) {
	for _, test := range badFrames {
		t.Run(test.name, func(t *testing.T) {
			msg, f := parseFrame([]byte(test.frame))
			if msg != nil {
				t.Fatalf("became a message: %+v", msg)
			}
			if f == nil {
				if test.code != 0 {
					t.Fatal("was dropped in silence")
				}
				return
			}
			checkFault(t, f.encode(), test.code, test.id, test.text)
		})
	}
}

// checkFault wants data to be the error answer that says so.
func checkFault(t testing.TB, data []byte, code int64, id, text string) {
	t.Helper()
	var got frame
	if err := json.Unmarshal(data, &got); err != nil || got.Error == nil {
		t.Fatalf("no error answer: %s", data)
	}
	if got.Error.Code != code || string(got.ID) != id || got.Version != "2.0" {
		t.Errorf("got code %d id %s, want %d %s: %s", got.Error.Code, got.ID, code, id, data)
	}
	if !strings.Contains(got.Error.Message, text) {
		t.Errorf("want %q in %q", text, got.Error.Message)
	}
	if len(data) > 500 {
		t.Errorf("the answer repeats what came: %d bytes", len(data))
	}
}

func TestParseFrameAccepts(t *testing.T) {
	tests := map[string]struct {
		frame, method, params string
		id                    any
	}{
		"request":         {`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "ping", "", int64(1)},
		"string id":       {`{"jsonrpc":"2.0","id":"é","method":"ping"}`, "ping", "", "é"},
		"empty string id": {`{"jsonrpc":"2.0","id":"","method":"ping"}`, "ping", "", ""},
		"negative id":     {`{"jsonrpc":"2.0","id":-9007199254740991,"method":"ping"}`, "ping", "", int64(-maxExact)},
		"integral id":     {`{"jsonrpc":"2.0","id":1e3,"method":"ping"}`, "ping", "", int64(1000)},
		"notification":    {`{"jsonrpc":"2.0","method":"x"}`, "x", "", nil},
		"null params":     {`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}`, "tools/list", "null", int64(1)},
		"unknown members": {`{"jsonrpc":"2.0","id":1,"method":"ping","x":{"x":1}}`, "ping", "", int64(1)},
		"white space":     {" \t{ \"jsonrpc\" : \"2.0\" , \"id\" : 1, \"method\" : \"x\", \"params\" : { \"a\" : 1 } } \r\n", "x", `{ "a" : 1 }`, int64(1)},
		"null meta":       {`{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":null,"cursor":null}}`, "x", `{"_meta":null,"cursor":null}`, int64(1)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			msg, f := parseFrame([]byte(test.frame))
			if f != nil {
				t.Fatal(f.text)
			}
			req := msg.(*jsonrpc.Request)
			if req.Method != test.method || string(req.Params) != test.params || req.ID.Raw() != test.id {
				t.Errorf("got %q %s %v", req.Method, req.Params, req.ID.Raw())
			}
		})
	}
	if msg, f := parseFrame([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}`)); f != nil || msg.(*jsonrpc.Response).ID.Raw() != int64(1) {
		t.Errorf("answer: %v, %v", msg, f)
	}
}

// What the SDK's client sends is understood, whatever it says.
func TestParseFrameReadsWhatTheSDKWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id, err := jsonrpc.MakeID(rapid.OneOf(
			rapid.Map(rapid.String(), func(s string) any { return s }),
			rapid.Map(rapid.Int64Range(-maxExact, maxExact), func(n int64) any { return float64(n) }),
		).Draw(t, "id"))
		if err != nil {
			t.Fatal(err)
		}
		params, err := json.Marshal(map[string]any{"name": rapid.StringMatching(`.+`).Draw(t, "name"), "arguments": rapid.MapOf(rapid.String(), rapid.String()).Draw(t, "arguments")})
		if err != nil {
			t.Fatal(err)
		}
		data, err := jsonrpc.EncodeMessage(&jsonrpc.Request{ID: id, Method: "tools/call", Params: params})
		if err != nil {
			t.Fatal(err)
		}
		msg, f := parseFrame(data)
		if f != nil {
			t.Fatalf("%s: %s", data, f.text)
		}
		if req := msg.(*jsonrpc.Request); req.ID != id || string(req.Params) != string(params) {
			t.Errorf("%s became %v %s", data, req.ID, req.Params)
		}
	})
}

// FuzzParseFrame wants a request that the SDK reads in the same way, or a
// short error in JSON, from whatever comes.
func FuzzParseFrame(f *testing.F) {
	for _, test := range badFrames {
		f.Add([]byte(test.frame))
	}
	f.Add([]byte(initialize))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		msg, flt := parseFrame(data)
		if flt != nil {
			if out := flt.encode(); msg != nil || !json.Valid(out) || !utf8.Valid(out) || len(out) > 1000+6*len(flt.id) {
				t.Fatalf("%q: %v %q", data, msg, out)
			}
			return
		}
		req, ok := msg.(*jsonrpc.Request)
		if !ok {
			return
		}
		same, err := jsonrpc.DecodeMessage(data)
		if err != nil || fmt.Sprint(same.(*jsonrpc.Request).ID) != fmt.Sprint(req.ID) || same.(*jsonrpc.Request).Method != req.Method {
			t.Fatalf("%q: read as %+v, by the SDK as %+v (%v)", data, req, same, err)
		}
	})
}
