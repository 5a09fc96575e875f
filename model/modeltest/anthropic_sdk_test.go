package modeltest_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"github.com/toolrest/toolrest/model/modeltest"
)

func anthropicService(s *modeltest.Server, key string) sdk.MessageService {
	return sdk.NewMessageService(option.WithBaseURL(s.URL+"/"), option.WithAPIKey(key),
		option.WithHTTPClient(s.Client()), option.WithMaxRetries(0))
}

func anthropicParams(messages ...sdk.MessageParam) sdk.MessageNewParams {
	return sdk.MessageNewParams{
		Model: "claude-test-1", MaxTokens: 100,
		System:   []sdk.TextBlockParam{{Text: "be brief"}},
		Messages: messages,
		Tools: []sdk.ToolUnionParam{
			{OfTool: &sdk.ToolParam{Name: "read", Description: sdk.String("reads"), InputSchema: sdk.ToolInputSchemaParam{
				Properties: map[string]any{"path": map[string]any{"type": "string"}},
			}}},
			{OfTool: &sdk.ToolParam{Name: "exec", InputSchema: sdk.ToolInputSchemaParam{Properties: map[string]any{}}}},
		},
	}
}

// TestAnthropicSDK is the proof that the server speaks as the vendor does:
// the vendor's own client accumulates what it sends and is accepted with what
// it answers.
func TestAnthropicSDK(t *testing.T) {
	for name, ask := range map[string]func(context.Context, sdk.MessageService, sdk.MessageNewParams) (*sdk.Message, error){
		"whole": func(ctx context.Context, s sdk.MessageService, p sdk.MessageNewParams) (*sdk.Message, error) {
			return s.New(ctx, p)
		},
		"stream": func(ctx context.Context, s sdk.MessageService, p sdk.MessageNewParams) (*sdk.Message, error) {
			var m sdk.Message
			stream := s.NewStreaming(ctx, p)
			defer stream.Close()
			for stream.Next() {
				if err := m.Accumulate(stream.Current()); err != nil {
					return nil, err
				}
			}
			return &m, stream.Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := modeltest.NewAnthropic(t,
				modeltest.Turn{
					Thinking: "hmm, " + words, Redacted: "b3BhcXVl", Text: words,
					Calls: []modeltest.Call{{"toolu_1", "read", args1}, {"toolu_2", "exec", args2}},
				},
				modeltest.Turn{
					Text: "done",
					Expect: func(t testing.TB, r *modeltest.Request) {
						want := []modeltest.Result{{ID: "toolu_1", Name: "read", Text: "contents"}, {ID: "toolu_2", Name: "exec", Text: "no", IsError: true}}
						if len(r.Results) != 2 || r.Results[0] != want[0] || r.Results[1] != want[1] || r.System != "be brief" || len(r.Tools) != 2 {
							t.Errorf("request: %+v", r)
						}
					},
				})
			service := anthropicService(s, modeltest.Key)
			prompt := sdk.NewUserMessage(sdk.NewTextBlock("go on"))
			first, err := ask(t.Context(), service, anthropicParams(prompt))
			if err != nil {
				t.Fatal(err)
			}
			checkAnthropicFirst(t, first)
			last, err := ask(t.Context(), service, anthropicParams(prompt, first.ToParam(),
				sdk.NewUserMessage(sdk.NewToolResultBlock("toolu_1", "contents", false), sdk.NewToolResultBlock("toolu_2", "no", true))))
			if err != nil {
				t.Fatal(err)
			}
			if last.StopReason != sdk.StopReasonEndTurn || len(last.Content) != 1 || last.Content[0].Text != "done" {
				t.Errorf("last: %s", last.RawJSON())
			}
		})
	}
}

func checkAnthropicFirst(t *testing.T, m *sdk.Message) {
	t.Helper()
	if m.StopReason != sdk.StopReasonToolUse || len(m.Content) != 5 {
		t.Fatalf("stop %s, %d blocks", m.StopReason, len(m.Content))
	}
	if m.Content[0].Thinking != "hmm, "+words || m.Content[0].Signature == "" || m.Content[1].Data != "b3BhcXVl" || m.Content[2].Text != words {
		t.Errorf("content: %+v", m.Content[:3])
	}
	for i, want := range []string{args1, args2} {
		var a, b any
		if json.Unmarshal(m.Content[3+i].Input, &a) != nil || json.Unmarshal([]byte(want), &b) != nil || !equal(a, b) {
			t.Errorf("input %d: %s, want %s", i, m.Content[3+i].Input, want)
		}
	}
	if m.Usage.OutputTokens != 20 || m.Usage.CacheReadInputTokens != 30 {
		t.Errorf("usage: %+v", m.Usage)
	}
}

func equal(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

func TestAnthropicSDKErrors(t *testing.T) {
	s := modeltest.NewAnthropic(t,
		modeltest.Turn{Fault: &modeltest.Fault{Status: 529}},
		modeltest.Turn{Text: "a text that breaks off", Fault: &modeltest.Fault{Kind: modeltest.FaultInStream, After: 3, Status: 529}},
	)
	s.AllowRefusals()
	prompt := anthropicParams(sdk.NewUserMessage(sdk.NewTextBlock("hi")))
	service := anthropicService(s, modeltest.Key)
	var e *sdk.Error
	if _, err := service.New(t.Context(), prompt); !errors.As(err, &e) || e.StatusCode != 529 || e.Type() != "overloaded_error" {
		t.Errorf("status: %v", err)
	}
	stream := service.NewStreaming(t.Context(), prompt)
	for stream.Next() {
	}
	if err := stream.Err(); !errors.As(err, &e) || e.Type() != "overloaded_error" {
		t.Errorf("in the stream: %v", err)
	}
	other := prompt
	other.Model = "claude-none"
	if _, err := service.New(t.Context(), other); !errors.As(err, &e) || e.StatusCode != 404 || e.Type() != "not_found_error" {
		t.Errorf("model: %v", err)
	}
	service = anthropicService(s, "wrong")
	if _, err := service.New(t.Context(), prompt); !errors.As(err, &e) || e.StatusCode != 401 || e.Type() != "authentication_error" {
		t.Errorf("key: %v", err)
	}
}

func TestAnthropicSDKModels(t *testing.T) {
	s := modeltest.NewAnthropic(t)
	service := sdk.NewModelService(option.WithBaseURL(s.URL+"/"), option.WithAPIKey(modeltest.Key), option.WithHTTPClient(s.Client()))
	page, err := service.List(t.Context(), sdk.ModelListParams{})
	if err != nil || len(page.Data) != 2 || page.Data[0].ID != "claude-test-1" {
		t.Errorf("%+v, %v", page, err)
	}
}
