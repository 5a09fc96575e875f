// Package anthropic speaks Anthropic's messages API, streaming, through the
// vendor's SDK. Other servers that speak it are reached by their base URL.
//
// Results of tools come first in the user message that follows their calls,
// with images inside. Thinking goes back as it came, to the model that wrote
// it and to no other. The schemas of tools are sent byte for byte.
//
// The package reads no environment and no profile of the SDK's, repeats no
// request, and refuses redirects.
package anthropic

import (
	"context"
	"errors"
	"iter"
	"net/http"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"github.com/toolrest/toolrest/model"
)

// Options refine a client. The zero value reaches the vendor without a key,
// which it refuses.
type Options struct {
	model.Access
	// MaxTokens is asked for where a request names no limit, which this API
	// demands. 0 is 32,000.
	MaxTokens int
}

// Client is a model behind the messages API. It is safe for use by several
// goroutines.
type Client struct {
	end      *model.Endpoint
	max      int
	messages sdk.MessageService
}

var _ model.Model = (*Client)(nil)

// New makes a client for the model of this name; it connects to nothing yet.
// It refuses a base URL or a key that cannot work, and panics without a name.
func New(name string, opts *Options) (*Client, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.MaxTokens <= 0 {
		o.MaxTokens = 32_000
	}
	end, err := model.NewEndpoint(model.APIAnthropic, name, o.Access, http.Header{"Anthropic-Version": {"2023-06-01"}})
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
	return &Client{end: end, max: o.MaxTokens, messages: sdk.NewMessageService(sdkOptions...)}, nil
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
		stream := c.messages.NewStreaming(x.Context(), sdk.MessageNewParams{Model: c.end.Ref().Model},
			option.WithRequestBody("application/json", body), option.WithMiddleware(x.Send))
		defer stream.Close()
		t := turn{names: names, draft: model.Draft{From: c.end.Ref().String(), Taken: model.TakenIDs(req.Messages)}}
		for !t.complete && stream.Next() {
			for _, e := range t.read(stream.Current()) {
				if !yield(e, nil) {
					return
				}
			}
		}
		if t.complete {
			yield(t.done(), nil)
			return
		}
		var inStream *sdk.Error
		if err = stream.Err(); errors.As(err, &inStream) {
			x.Reported([]byte(inStream.RawJSON()))
		}
		yield(nil, x.Fail(err, t.draft.Partial()))
	}
}
