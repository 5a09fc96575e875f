package toolrest_test

import (
	"context"
	"fmt"

	"github.com/toolrest/toolrest"
)

type weatherIn struct {
	City string `json:"city" jsonschema:"name of the city"`
	Days int    `json:"days,omitempty" jsonschema:"how many days ahead"`
}

type weatherOut struct {
	Degrees int `json:"degrees"`
}

func ExampleTyped() {
	weather := toolrest.Typed("weather", "Tells the temperature of a city.",
		func(ctx context.Context, in weatherIn) (weatherOut, error) {
			return weatherOut{Degrees: 10 + len(in.City)}, nil
		}, nil)

	fmt.Println(string(weather.InputSchema))
	result, err := weather.Executor.Execute(context.Background(), &toolrest.Call{
		Tool: "weather", Args: []byte(`{"city":"Oslo"}`),
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(result.AllText())
	// Output:
	// {"type":"object","properties":{"city":{"type":"string","description":"name of the city"},"days":{"type":"integer","description":"how many days ahead"}},"required":["city"],"additionalProperties":false}
	// {"degrees":14}
}
