// Command library shows a Go program that gives a model one tool of its own,
// under a policy, through the same dispatch that the binary uses.
package main

import (
	"context"
	"fmt"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/dispatch"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

type stockIn struct {
	Item string `json:"item" jsonschema:"what to count"`
}

func main() {
	stock := toolrest.Typed("stock", "Counts an item in the warehouse.",
		func(ctx context.Context, in stockIn) (string, error) {
			return fmt.Sprintf("%d %s", len(in.Item)*7, in.Item), nil
		}, nil)

	tools, err := registry.New(&registry.Options{Check: plan.Check},
		registry.Source{Kind: registry.SDK, Tools: []toolrest.Tool{stock}})
	if err != nil {
		panic(err)
	}
	allow := policy.List{Set: true, Entries: []policy.Entry{{Text: "stock"}}}
	config := &policy.Config{Tools: policy.Scope{Section: policy.Section{Path: "tools", Allow: allow}}}
	run := dispatch.New(dispatch.Options{
		Plan: func(_ context.Context, who toolrest.Caller) (*plan.Plan, error) {
			rules := policy.Compile(policy.Default, policy.Resolve(config, policy.Context{Caller: who}).Layers)
			return plan.Build(tools.Snapshot(), rules, plan.Context{Caller: who})
		},
	})

	// The model asks; every call has exactly one result.
	for _, args := range []string{`{"item":"bolts"}`, `{"itme":"bolts"}`} {
		fmt.Println(run.Dispatch(context.Background(), &toolrest.Call{Tool: "stock", Args: []byte(args)}).AllText())
	}
}
