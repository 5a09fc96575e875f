package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Violation is one thing that is wrong with a value.
type Violation struct {
	// Path is where: "edits[0].oldText", or empty for the value itself.
	Path string `json:"path"`
	// Text says what was found and what was expected.
	Text string `json:"text"`
	// Word is a name or a text that is none of Known: who knows which one was
	// probably meant can say so.
	Word  string   `json:"-"`
	Known []string `json:"-"`
}

func (v Violation) String() string {
	if v.Path == "" {
		return v.Text
	}
	return v.Path + ": " + v.Text
}

// InvalidError lists all that is wrong with a value, in the order of the paths.
type InvalidError struct {
	Violations []Violation
}

func (e *InvalidError) Error() string {
	lines := make([]string, len(e.Violations))
	for i, v := range e.Violations {
		lines[i] = v.String()
	}
	return strings.Join(lines, "; ")
}

func (s *Schema) explain(e *jsonschema.ValidationError) *InvalidError {
	out := &InvalidError{}
	s.collect(e, &out.Violations)
	slices.SortStableFunc(out.Violations, func(a, b Violation) int { return strings.Compare(a.Path, b.Path) })
	out.Violations = slices.CompactFunc(out.Violations, func(a, b Violation) bool { return a.Path == b.Path && a.Text == b.Text })
	return out
}

// collect walks to the leaves: the inner nodes only say that something below
// them failed. Those of a union are told beside the leaves, which otherwise
// look as if each had to be mended.
func (s *Schema) collect(e *jsonschema.ValidationError, out *[]Violation) {
	if len(*out) >= maxViolations {
		return
	}
	at := pathOf(e.InstanceLocation)
	add := func(path, text string) { *out = append(*out, Violation{Path: path, Text: text}) }
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf:
		add(at, fmt.Sprintf("fits none of %s", alternatives(len(e.Causes))))
	case *kind.OneOf:
		if len(k.Subschemas) == 2 {
			add(at, fmt.Sprintf("fits the alternatives %d and %d at once, want one alone", k.Subschemas[0]+1, k.Subschemas[1]+1))
		} else {
			add(at, fmt.Sprintf("fits none of %s", alternatives(len(e.Causes))))
		}
	case *kind.Required:
		for _, name := range k.Missing[:min(len(k.Missing), maxViolations)] {
			add(join(at, name), "required, but missing")
		}
	case *kind.AdditionalProperties:
		known := s.propertyNames(e.SchemaURL)
		slices.Sort(k.Properties)
		for _, name := range k.Properties[:min(len(k.Properties), maxViolations)] {
			*out = append(*out, Violation{Path: join(at, shorten(name)), Text: "no such argument", Word: name, Known: known})
		}
	default:
		if len(e.Causes) == 0 {
			v := wording(e.ErrorKind)
			v.Path = at
			*out = append(*out, v)
		}
	}
	for _, c := range e.Causes {
		s.collect(c, out)
	}
}

func alternatives(n int) string {
	if n == 1 {
		return "1 alternative; it wants:"
	}
	return strconv.Itoa(n) + " alternatives; one of them must fit"
}

// wording says what was found and what was expected.
func wording(k jsonschema.ErrorKind) Violation {
	text := ""
	switch k := k.(type) {
	case *kind.Type:
		text = "got " + k.Got + ", want " + strings.Join(k.Want, " or ")
	case *kind.Enum:
		return oneOf(k.Got, k.Want)
	case *kind.Const:
		return oneOf(k.Got, []any{k.Want})
	case *kind.Pattern:
		text = fmt.Sprintf("got %s, want a text that matches %s", show(k.Got), shorten(k.Want))
	case *kind.Format:
		text = fmt.Sprintf("got %s, want the format %s", show(k.Got), k.Want)
	case *kind.Minimum:
		text = bound(k.Got, "at least", k.Want)
	case *kind.Maximum:
		text = bound(k.Got, "at most", k.Want)
	case *kind.ExclusiveMinimum:
		text = bound(k.Got, "more than", k.Want)
	case *kind.ExclusiveMaximum:
		text = bound(k.Got, "less than", k.Want)
	case *kind.MultipleOf:
		text = bound(k.Got, "a multiple of", k.Want)
	case *kind.MinLength:
		text = "got " + count(k.Got, "character") + fmt.Sprintf(", want at least %d", k.Want)
	case *kind.MaxLength:
		text = "got " + count(k.Got, "character") + fmt.Sprintf(", want at most %d", k.Want)
	case *kind.MinItems:
		text = "got " + count(k.Got, "item") + fmt.Sprintf(", want at least %d", k.Want)
	case *kind.MaxItems:
		text = "got " + count(k.Got, "item") + fmt.Sprintf(", want at most %d", k.Want)
	case *kind.UniqueItems:
		text = fmt.Sprintf("items %d and %d are the same, want each only once", k.Duplicates[0], k.Duplicates[1])
	case *kind.FalseSchema:
		text = "nothing may stand here"
	default:
		text = k.LocalizedString(message.NewPrinter(language.English))
	}
	return Violation{Text: shorten(text)}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func bound(got *big.Rat, relation string, want *big.Rat) string {
	return "got " + decimal(got) + ", want " + relation + " " + decimal(want)
}

func decimal(r *big.Rat) string {
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// maxListed is how many allowed values a violation lists.
const maxListed = 30

func oneOf(got any, want []any) Violation {
	v := Violation{}
	listed := make([]string, 0, min(len(want), maxListed))
	for _, w := range want {
		if text, ok := w.(string); ok {
			v.Known = append(v.Known, text)
		}
		if len(listed) < maxListed {
			listed = append(listed, show(w))
		}
	}
	if text, ok := got.(string); ok {
		v.Word = text
	}
	list := strings.Join(listed, ", ")
	if n := len(want) - len(listed); n > 0 {
		list += fmt.Sprintf(" and %d more", n)
	}
	if len(want) > 1 {
		list = "one of " + list
	}
	v.Text = strings.ToValidUTF8("got "+show(got)+", want "+list, "")
	return v
}

// show gives a value as JSON, cut where it is long.
func show(v any) string {
	const most = 80
	text := fmt.Sprint(v)
	if raw, err := json.Marshal(v); err == nil {
		text = string(raw)
	}
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// propertyNames gives the names of the properties of the schema at a location,
// in order.
func (s *Schema) propertyNames(place string) []string {
	object, ok := s.at(place).(map[string]any)
	if !ok {
		return nil
	}
	properties, _ := object["properties"].(map[string]any)
	return slices.Sorted(maps.Keys(properties))
}

// at gives the part of the document that a location names.
func (s *Schema) at(place string) any {
	pointer, ok := strings.CutPrefix(place, location+"#")
	if !ok {
		return nil
	}
	v := s.document
	if pointer == "" {
		return v
	}
	for part := range strings.SplitSeq(pointer[1:], "/") {
		switch in := v.(type) {
		case map[string]any:
			v = in[unescape(part)]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}

// unescape reads a part of a location: a JSON pointer in a URL.
func unescape(part string) string {
	if plain, err := url.PathUnescape(part); err == nil {
		part = plain
	}
	return strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
}

func pathOf(location []string) string {
	var path string
	for _, part := range location {
		path = join(path, part)
	}
	return path
}

func join(path, part string) string {
	if part != "" && strings.Trim(part, "0123456789") == "" {
		return path + "[" + part + "]"
	}
	if path == "" {
		return part
	}
	return path + "." + part
}

// typeName is the JSON type of a decoded value.
func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}
