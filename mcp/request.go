package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolrest/toolrest"
)

// codeBusy is the JSON-RPC error of a request that may succeed later.
const codeBusy = -32000

// answer stands before all that the SDK answers by itself and takes the two
// requests that are about tools.
func (s *Server) answer(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (res sdk.Result, err error) {
		sc := scopeOf(ctx)
		if sc == nil {
			return nil, internal("the session has no caller")
		}
		ctx, done := sc.bind(ctx)
		defer done()
		defer func() {
			if p := recover(); p != nil {
				s.opts.Logger.Error("mcp: panic", "method", method, "panic", p, "stack", string(debug.Stack()))
				res, err = nil, internal("a defect of this server ended the request; its log has more")
			}
		}()
		switch req := req.(type) {
		case *sdk.ListToolsRequest:
			return s.list(ctx, sc, req)
		case *sdk.CallToolRequest:
			return s.call(ctx, sc, req)
		}
		res, err = next(ctx, method, req)
		if err == nil && method == "initialize" && sc.opened != nil {
			sc.opened(req.GetSession().(*sdk.ServerSession))
		}
		return res, err
	}
}

// list answers with the whole plan in one page.
func (s *Server) list(ctx context.Context, sc *scope, req *sdk.ListToolsRequest) (sdk.Result, error) {
	if p := req.Params; p != nil && p.Cursor != "" {
		return nil, invalid("this server gave out no cursor: the list of tools is one page")
	}
	tools, err := s.door.List(ctx, sc.of(req.Session))
	if err != nil {
		return nil, internal("list the tools: " + err.Error())
	}
	res := &sdk.ListToolsResult{Tools: make([]*sdk.Tool, len(tools))}
	res.CacheScope = "private" // the list is the caller's own
	for i := range tools {
		res.Tools[i] = s.wireTool(&tools[i])
	}
	return res, nil
}

// call hands a call to the door. Only what is no call at all is turned away
// before it.
func (s *Server) call(ctx context.Context, sc *scope, req *sdk.CallToolRequest) (sdk.Result, error) {
	modern := req.ProtocolVersion() >= statelessVersion
	args, refusal := arguments(req.Params)
	if refusal != nil {
		return s.wireResult(refusal.Result(), modern), nil
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	default:
		text := fmt.Sprintf("this server already runs %d calls, which is its limit: try again when one has ended", cap(s.slots))
		return nil, &jsonrpc.Error{Code: codeBusy, Message: text}
	}
	res := s.door.Dispatch(ctx, &toolrest.Call{
		ID:     "call_" + rand.Text(),
		Tool:   req.Params.Name,
		Args:   args,
		Caller: sc.of(req.Session),
	})
	if res == nil {
		s.opts.Logger.Error("mcp: a call ended without a result", "tool", req.Params.Name)
		res = (&toolrest.Refusal{
			Code: toolrest.CodeFailed, Tool: req.Params.Name,
			Reason: "the call ended without a result, which is a defect of this server",
		}).Result()
	}
	return s.wireResult(res, modern), nil
}

// arguments gives the bytes of a call's arguments; none and null are {}.
func arguments(p *sdk.CallToolParamsRaw) (json.RawMessage, *toolrest.Refusal) {
	raw := bytes.TrimSpace(p.Arguments)
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage("{}"), nil
	}
	if raw[0] == '{' {
		return json.RawMessage(raw), nil
	}
	return nil, &toolrest.Refusal{
		Code: toolrest.CodeArguments, Tool: p.Name,
		Reason: "the arguments must be a JSON object, but " + kindOf(raw) + " came",
	}
}

// of is the caller of a request that came in this session.
func (sc *scope) of(session *sdk.ServerSession) toolrest.Caller {
	who := sc.who
	who.Session = session.ID()
	return who
}

func internal(text string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: text}
}

func invalid(text string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: text}
}
