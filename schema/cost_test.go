package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Alternatives that lead back to themselves, and parts that double at every
// level, cost a power of their depth: such a check is refused before it
// begins, with a reason.
func TestCheckIsBounded(t *testing.T) {
	nested := `{"v":` + strings.Repeat("[", 60) + `"x"` + strings.Repeat("]", 60) + "}"
	unions := `{"type":"object","properties":{"v":{"$ref":"#/$defs/u"}},"$defs":{"u":{"anyOf":[` +
		strings.Repeat(`{"type":"array","items":{"$ref":"#/$defs/u"},"maxItems":0},`, 2) + `{"type":"array","items":{"$ref":"#/$defs/u"}}]}}}`
	var doubled strings.Builder
	for i := range 60 {
		fmt.Fprintf(&doubled, `"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	for name, schema := range map[string]string{
		"alternatives": unions,
		"parts":        `{"type":"object","properties":{"v":{"$ref":"#/$defs/d0"}},"$defs":{` + doubled.String() + `"d60":{"type":"array"}}}`,
		"the root":     `{"$ref":"#/$defs/d0","$defs":{` + doubled.String() + `"d60":{"type":"object"}}}`,
	} {
		s, err := Compile(json.RawMessage(schema))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(json.RawMessage(nested)); err == nil || !strings.Contains(err.Error(), "take too long") {
			t.Errorf("%s: %v", name, err)
		}
		value, err := Decode([]byte(nested))
		if err != nil {
			t.Fatal(err)
		}
		if !same(s.Coerce(value, nil), value) || !same(s.Coerce(value, &CoerceOptions{OpenClaw: true}), value) {
			t.Errorf("%s: changed", name)
		}
		s.NeedsNothing()
		s.Members()
	}
	s, err := Compile(json.RawMessage(unions))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(json.RawMessage(`{"v":[[[[]]]]}`)); err != nil {
		t.Errorf("an honest depth: %v", err)
	}
}
