package adapt

import (
	"strings"

	"github.com/toolrest/toolrest/schema/tree"
)

// telling says in words what a provider does not take as a keyword.
type telling struct{ parts []string }

// Bounds of what is told, in bytes.
const (
	maxTold  = 300
	maxValue = 80
)

// words begin what is told of a keyword.
var words = [keywords]string{
	kwFormat: "format", kwPattern: "pattern", kwMinLength: "characters at least", kwMaxLength: "characters at most",
	kwMinimum: "at least", kwMaximum: "at most", kwExclusiveMinimum: "more than", kwExclusiveMaximum: "less than",
	kwMultipleOf: "a multiple of", kwMinItems: "items at least", kwMaxItems: "items at most",
	kwMinProperties: "keys at least", kwMaxProperties: "keys at most",
}

// lost notes a keyword that is left out. What cannot be said in a few words is
// not told.
func (t *telling) lost(kw keyword, v *tree.Node) {
	text := v.String()
	if s, ok := v.Str(); ok {
		text = s
	}
	switch {
	case kw == kwUniqueItems && v.IsTrue():
		t.parts = append(t.parts, "no item twice")
	case kw == kwAdditionalProperties && v.Is(tree.Object):
		t.parts = append(t.parts, "keys of your choice"+valuesOf(v))
	case words[kw] != "" && len(text) <= maxValue:
		t.parts = append(t.parts, words[kw]+" "+text)
	}
}

func valuesOf(v *tree.Node) string {
	if typ, ok := v.Get("type").Str(); ok {
		return " with values of type " + typ
	}
	return ""
}

func (t *telling) String() string {
	if len(t.parts) == 0 {
		return ""
	}
	text := "(" + strings.Join(t.parts, "; ") + ")"
	if len(text) > maxTold {
		return ""
	}
	return text
}

// oneOfText names the values of an enum that is left out.
func oneOfText(enum *tree.Node) string {
	var parts []string
	size := 0
	for _, m := range enum.Members() {
		text := m.Value.String()
		if size += len(text); size > maxTold {
			return ""
		}
		parts = append(parts, text)
	}
	return "(one of: " + strings.Join(parts, ", ") + ")"
}
