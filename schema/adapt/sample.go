package adapt

import (
	"encoding/json"
	"iter"
	"math"
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/toolrest/toolrest/schema/tree"
)

// maxPicks is how many variants of each union are tried.
const maxPicks = 16

// samples gives arguments that are likely to satisfy a schema: the required
// ones and all, for each variant of its unions.
func samples(root *tree.Node) iter.Seq[json.RawMessage] {
	whole := *plainProfile
	whole.mergeAll = true
	c := &converter{root: root, profile: &whole}
	n := c.schema(root)
	return func(yield func(json.RawMessage) bool) {
		if c.fault != nil {
			return
		}
		for pick := range maxPicks {
			for _, all := range []bool{false, true} {
				s := &sampler{pick: pick, all: all}
				if !yield(tree.Encode(s.value(n, 0))) {
					return
				}
			}
		}
	}
}

// sampler makes one value for a schema. It takes the pick-th variant of every
// union.
type sampler struct {
	pick int
	all  bool // optional properties too
	made int
}

func (s *sampler) value(n *tree.Node, depth int) *tree.Node {
	if s.made++; !n.Is(tree.Object) || depth > 20 || s.made > 5000 {
		return tree.Text("x")
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if union := n.Get(key); union.Len() > 0 {
			member := union.Members()[s.pick%union.Len()].Value
			rest := n.Without(key)
			if member.Is(tree.Object) {
				rest = intersect(rest, member)
			}
			return s.value(rest, depth+1)
		}
	}
	if values, ok := literals(n); ok {
		return values[s.pick%len(values)]
	}
	switch s.typ(n) {
	case "object":
		return s.object(n, depth)
	case "array":
		return s.array(n, depth)
	case "number", "integer":
		return number(n)
	case "boolean":
		return tree.True
	case "null":
		return tree.NullNode
	}
	return tree.Text(text(n))
}

func (s *sampler) typ(n *tree.Node) string {
	names := typeNames(n.Get("type"))
	for _, name := range names {
		if name != "null" {
			return name
		}
	}
	if len(names) > 0 {
		return names[0]
	}
	return inferred(n)
}

func (s *sampler) object(n *tree.Node, depth int) *tree.Node {
	required := n.Get("required").Strings()
	properties := n.Get("properties")
	var out []tree.Member
	has := map[string]bool{}
	for _, m := range properties.Members() {
		if s.all || contains(required, m.Key) {
			has[m.Key] = true
			out = append(out, tree.Member{Key: m.Key, Value: s.value(m.Value, depth+1)})
		}
	}
	for _, key := range required {
		if !has[key] {
			has[key] = true
			out = append(out, tree.Member{Key: key, Value: s.value(n.Get("additionalProperties"), depth+1)})
		}
	}
	for i := 0; len(out) < count(n, "minProperties"); i++ {
		out = append(out, tree.Member{Key: "key" + strconv.Itoa(i), Value: s.value(n.Get("additionalProperties"), depth+1)})
	}
	return tree.Map(out...)
}

func (s *sampler) array(n *tree.Node, depth int) *tree.Node {
	var out []*tree.Node
	for _, m := range n.Get("prefixItems").Members() {
		out = append(out, s.value(m.Value, depth+1))
	}
	least := count(n, "minItems")
	if s.all && least == 0 && n.Get("items").Is(tree.Object) {
		least = 1
	}
	for len(out) < least {
		out = append(out, s.value(n.Get("items"), depth+1))
	}
	return tree.List(out...)
}

// count is a number of a schema, bounded.
func count(n *tree.Node, keyword string) int {
	f, _ := n.Get(keyword).Float()
	return int(min(f, 100))
}

func number(n *tree.Node) *tree.Node {
	least, ok := n.Get("minimum").Float()
	if e, over := n.Get("exclusiveMinimum").Float(); over && (!ok || e >= least) {
		least, ok = math.Floor(e)+1, true
	}
	if most, bounded := n.Get("maximum").Float(); bounded && !ok {
		least = math.Min(0, math.Floor(most))
	}
	if step, given := n.Get("multipleOf").Float(); given {
		least = math.Ceil(least/step) * step
	}
	if n.Get("type").IsText("integer") {
		least = math.Ceil(least)
	}
	if math.Abs(least) > 1<<53 {
		return tree.Int(0)
	}
	if least == math.Trunc(least) {
		return tree.Int(int(least))
	}
	parsed, err := tree.Parse([]byte(strconv.FormatFloat(least, 'g', -1, 64)), nil)
	if err != nil {
		return tree.Int(0)
	}
	return parsed
}

// formats have a text of each.
var formats = map[string]string{
	"date-time": "2020-01-02T03:04:05Z", "date": "2020-01-02", "time": "03:04:05Z", "email": "a@example.com",
	"uri": "https://example.com/", "uri-reference": "/a", "uuid": "123e4567-e89b-12d3-a456-426614174000",
	"ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "hostname": "example.com", "duration": "P1D",
}

func text(n *tree.Node) string {
	out := "x"
	if format, ok := n.Get("format").Str(); ok && formats[format] != "" {
		return formats[format]
	}
	if pattern, ok := n.Get("pattern").Str(); ok {
		if re, err := syntax.Parse(pattern, syntax.Perl); err == nil && len(pattern) < 1000 {
			out = matching(re.Simplify(), 0)
		}
	}
	if least := count(n, "minLength"); len(out) < least {
		out += strings.Repeat("x", least-len(out))
	}
	return out
}

// matching gives a short text that an expression matches.
func matching(re *syntax.Regexp, depth int) string {
	if depth > 50 {
		return ""
	}
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			if re.Rune[i+1] >= '0' {
				return string(max(re.Rune[i], '0'))
			}
		}
		if len(re.Rune) > 0 {
			return string(re.Rune[0])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "x"
	case syntax.OpPlus, syntax.OpCapture, syntax.OpAlternate:
		return matching(re.Sub[0], depth+1)
	case syntax.OpConcat:
		var b strings.Builder
		for _, sub := range re.Sub {
			b.WriteString(matching(sub, depth+1))
		}
		return b.String()
	}
	return ""
}
