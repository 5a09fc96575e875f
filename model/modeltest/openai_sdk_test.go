package modeltest_test

import (
	"context"
	"errors"
	"testing"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/toolrest/toolrest/model/modeltest"
)

func openaiOptions(s *modeltest.Server, key string) []option.RequestOption {
	return []option.RequestOption{option.WithBaseURL(s.URL + "/"), option.WithAPIKey(key),
		option.WithHTTPClient(s.Client()), option.WithMaxRetries(0)}
}

func openaiParams(messages ...sdk.ChatCompletionMessageParamUnion) sdk.ChatCompletionNewParams {
	tool := func(name string) sdk.ChatCompletionToolUnionParam {
		return sdk.ChatCompletionFunctionTool(sdk.FunctionDefinitionParam{
			Name: name, Parameters: sdk.FunctionParameters{"type": "object", "properties": map[string]any{}},
		})
	}
	return sdk.ChatCompletionNewParams{
		Model: "gpt-test-1", Messages: messages,
		Tools: []sdk.ChatCompletionToolUnionParam{tool("read"), tool("exec")},
	}
}

// TestOpenAISDK is the proof that the server speaks as the vendor does.
func TestOpenAISDK(t *testing.T) {
	for name, ask := range map[string]func(context.Context, sdk.ChatCompletionService, sdk.ChatCompletionNewParams) (*sdk.ChatCompletion, error){
		"whole": func(ctx context.Context, s sdk.ChatCompletionService, p sdk.ChatCompletionNewParams) (*sdk.ChatCompletion, error) {
			return s.New(ctx, p)
		},
		"stream": func(ctx context.Context, s sdk.ChatCompletionService, p sdk.ChatCompletionNewParams) (*sdk.ChatCompletion, error) {
			p.StreamOptions.IncludeUsage = sdk.Bool(true)
			var all sdk.ChatCompletionAccumulator
			stream := s.NewStreaming(ctx, p)
			defer stream.Close()
			for stream.Next() {
				if !all.AddChunk(stream.Current()) {
					return nil, errors.New("the accumulator refuses a chunk")
				}
			}
			return &all.ChatCompletion, stream.Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := modeltest.NewOpenAI(t,
				modeltest.Turn{Text: words, Calls: []modeltest.Call{{"call_1", "read", args1}, {"call_2", "exec", args2}}},
				modeltest.Turn{
					Text: "done",
					Expect: func(t testing.TB, r *modeltest.Request) {
						want := []modeltest.Result{{ID: "call_1", Name: "read", Text: "contents"}, {ID: "call_2", Name: "exec", Text: "no"}}
						if len(r.Results) != 2 || r.Results[0] != want[0] || r.Results[1] != want[1] || r.System != "be brief" || len(r.Tools) != 2 {
							t.Errorf("request: %+v", r)
						}
					},
				})
			service := sdk.NewChatCompletionService(openaiOptions(s, modeltest.Key)...)
			prompt := []sdk.ChatCompletionMessageParamUnion{sdk.SystemMessage("be brief"), sdk.UserMessage("go on")}
			first, err := ask(t.Context(), service, openaiParams(prompt...))
			if err != nil {
				t.Fatal(err)
			}
			message := first.Choices[0].Message
			if message.Content != words || first.Choices[0].FinishReason != "tool_calls" || len(message.ToolCalls) != 2 || first.Usage.TotalTokens != 120 {
				t.Fatalf("first: %+v", first.Choices)
			}
			for i, want := range []string{args1, args2} {
				if got := message.ToolCalls[i].Function.Arguments; got != want {
					t.Errorf("arguments %d: %s, want %s", i, got, want)
				}
			}
			last, err := ask(t.Context(), service, openaiParams(append(prompt, message.ToParam(),
				sdk.ToolMessage("contents", "call_1"), sdk.ToolMessage("no", "call_2"))...))
			if err != nil {
				t.Fatal(err)
			}
			if last.Choices[0].FinishReason != "stop" || last.Choices[0].Message.Content != "done" {
				t.Errorf("last: %s", last.RawJSON())
			}
		})
	}
}

func TestOpenAISDKErrors(t *testing.T) {
	s := modeltest.NewOpenAI(t,
		modeltest.Turn{Fault: &modeltest.Fault{Status: 429, Code: "rate_limit_exceeded"}},
		modeltest.Turn{Text: "a text that breaks off", Fault: &modeltest.Fault{Kind: modeltest.FaultInStream, After: 3, Status: 500}},
	)
	s.AllowRefusals()
	prompt := openaiParams(sdk.UserMessage("hi"))
	service := sdk.NewChatCompletionService(openaiOptions(s, modeltest.Key)...)
	var e *sdk.Error
	if _, err := service.New(t.Context(), prompt); !errors.As(err, &e) || e.StatusCode != 429 || e.Code != "rate_limit_exceeded" {
		t.Errorf("status: %v", err)
	}
	stream := service.NewStreaming(t.Context(), prompt)
	for stream.Next() {
	}
	var inStream *ssestream.StreamError
	if err := stream.Err(); !errors.As(err, &inStream) {
		t.Errorf("in the stream: %v", err)
	}
	other := prompt
	other.Model = "gpt-none"
	if _, err := service.New(t.Context(), other); !errors.As(err, &e) || e.StatusCode != 404 || e.Code != "model_not_found" {
		t.Errorf("model: %v", err)
	}
	service = sdk.NewChatCompletionService(openaiOptions(s, "wrong")...)
	if _, err := service.New(t.Context(), prompt); !errors.As(err, &e) || e.StatusCode != 401 || e.Code != "invalid_api_key" {
		t.Errorf("key: %v", err)
	}
}

func TestOpenAISDKModels(t *testing.T) {
	s := modeltest.NewOpenAI(t)
	service := sdk.NewModelService(openaiOptions(s, modeltest.Key)...)
	page, err := service.List(t.Context())
	if err != nil || len(page.Data) != 3 || page.Data[0].ID != "gpt-test-1" {
		t.Errorf("%+v, %v", page, err)
	}
}
