// Package openai speaks OpenAI's chat completions, streaming, through the
// vendor's SDK. Most other servers speak it too, local ones among them, and
// are reached by their base URL.
//
// This API takes no images in the results of tools: they follow in a user
// message after all results, and the result says so. Thinking that a server
// shows is passed on, and never sent back. The schemas of tools are sent byte
// for byte.
//
// The package reads no environment, repeats no request, and refuses
// redirects.
package openai

import (
	"context"
	"errors"
	"iter"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/toolrest/toolrest/model"
)

// Options refine a client. The zero value reaches the vendor without a key,
// which it refuses.
type Options struct {
	model.Access
	// MaxTokens is asked for where a request names no limit. 0 leaves it to
	// the server.
	MaxTokens int
}

// Client is a model behind chat completions. It is safe for use by several
// goroutines.
type Client struct {
	end         *model.Endpoint
	max         int
	completions sdk.ChatCompletionService
}

var _ model.Model = (*Client)(nil)

// New makes a client for the model of this name; it connects to nothing yet.
// It refuses a base URL or a key that cannot work, and panics without a name.
func New(name string, opts *Options) (*Client, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	end, err := model.NewEndpoint(model.APIOpenAI, name, o.Access, nil)
	if err != nil {
		return nil, err
	}
	sdkOptions := []option.RequestOption{
		option.WithBaseURL(end.BaseURL() + "/"),
		option.WithHTTPClient(end.HTTP()),
		option.WithMaxRetries(0),
	}
	if end.Key() != "" {
		sdkOptions = append(sdkOptions, option.WithAPIKey(end.Key()))
	}
	return &Client{end: end, max: o.MaxTokens, completions: sdk.NewChatCompletionService(sdkOptions...)}, nil
}

// String names the model and its server.
func (c *Client) String() string { return c.end.String() }

// GoString is String.
func (c *Client) GoString() string { return c.end.String() }

// Models asks the server which models it has.
func (c *Client) Models(ctx context.Context) ([]string, error) { return c.end.Models(ctx) }

// Stream takes one turn: see [model.Model].
func (c *Client) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		body, names, err := c.encode(req)
		if err != nil {
			yield(nil, c.end.Refuse(err))
			return
		}
		x := c.end.Begin(ctx)
		defer x.Close()
		stream := c.completions.NewStreaming(x.Context(), sdk.ChatCompletionNewParams{},
			option.WithRequestBody("application/json", body), option.WithMiddleware(x.Send))
		defer stream.Close()
		t := turn{names: names, draft: model.Draft{From: c.end.Ref().String(), Taken: model.TakenIDs(req.Messages)}}
		for stream.Next() {
			for _, e := range t.read(stream.Current()) {
				if !yield(e, nil) {
					return
				}
			}
		}
		// The usage comes after the answer is complete. A stream that breaks
		// off in between has lost nothing else.
		if t.complete() {
			yield(t.done(), nil)
			return
		}
		var inStream *ssestream.StreamError
		if err = stream.Err(); errors.As(err, &inStream) {
			x.Reported(inStream.Event.Data)
		}
		yield(nil, x.Fail(err, t.draft.Partial()))
	}
}
