package registry_test

import (
	"context"
	"fmt"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/dispatch"
	"github.com/toolrest/toolrest/plan"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/registry"
)

type greetIn struct {
	Name string `json:"name"`
}

// A program registers its own tools, says which of them an agent may use, and
// hands the model's calls to a dispatcher.
func ExampleRegistry() {
	greet := toolrest.Typed("greet", "Greets somebody.", func(_ context.Context, in greetIn) (string, error) {
		return "Hello, " + in.Name + "!", nil
	}, nil)
	erase := toolrest.Typed("erase", "Erases everything.", func(context.Context, struct{}) (string, error) {
		return "gone", nil
	}, nil)

	reg, err := registry.New(&registry.Options{Check: plan.Check},
		registry.Source{Kind: registry.SDK, Name: "demo", Tools: []toolrest.Tool{greet, erase}})
	if err != nil {
		panic(err)
	}
	deny := policy.List{Set: true, Entries: []policy.Entry{{Text: "erase"}}}
	config := &policy.Config{Tools: policy.Scope{Section: policy.Section{Path: "tools", Deny: deny}}}
	rules := policy.Compile(policy.Default, policy.Resolve(config, policy.Context{}).Layers)
	d := dispatch.New(dispatch.Options{
		Plan: func(_ context.Context, who toolrest.Caller) (*plan.Plan, error) {
			return plan.Build(reg.Snapshot(), rules, plan.Context{Caller: who})
		},
	})

	ctx := context.Background()
	for _, call := range []*toolrest.Call{
		{Tool: "greet", Args: []byte(`{"name":"Ada"}`)},
		{Tool: "greet", Args: []byte(`{"nmae":"Ada"}`)},
		{Tool: "erase"},
	} {
		fmt.Println(d.Dispatch(ctx, call).AllText())
	}
	// Output:
	// Hello, Ada!
	// greet: the arguments do not fit:
	// - name: required, but missing
	// - nmae: no such argument; did you mean name? (there are: name)
	// do not repeat this call unchanged
	// erase: denied by tools.deny, rule 'erase'
	// to change it: remove 'erase' from tools.deny
	// do not repeat this call unchanged
}
