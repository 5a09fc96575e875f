package adapt

import (
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/toolrest/toolrest/schema/tree"
)

// schemas draws the schema of a tool: unions in unions, references that lead
// in circles, tuples, booleans, long enums, keywords of older drafts. Half of
// them are well-formed, the others have anything anywhere.
func schemas(wild bool) *rapid.Generator[*tree.Node] {
	return rapid.Custom(func(t *rapid.T) *tree.Node {
		g := &drawing{t: t, wild: wild}
		key := rapid.SampledFrom([]string{"", "$defs", "definitions"}).Draw(t, "defs")
		g.refs = []string{"#"}
		if key != "" {
			g.refs = append(g.refs, "#/"+key+"/A", "#/"+key+"/B", "#/"+key+"/C", "#/"+key+"/A")
		}
		if wild {
			g.refs = append(g.refs, "#/properties/a", "#/nowhere", "other.json")
		}
		root := g.object(0).With("type", tree.Text("object"))
		if key != "" {
			defs := make([]tree.Member, 0, 3)
			for _, name := range []string{"A", "B", "C"} {
				defs = append(defs, tree.Member{Key: name, Value: g.schema(1)})
			}
			root = root.With(key, tree.Map(defs...))
		}
		return root
	})
}

type drawing struct {
	t    *rapid.T
	wild bool
	refs []string
}

// chance is true once in n times.
func (g *drawing) chance(n int) bool { return rapid.IntRange(0, n-1).Draw(g.t, "chance") == 0 }

func (g *drawing) of(options ...string) string {
	return rapid.SampledFrom(options).Draw(g.t, "of")
}

var drawnNames = []string{"a", "b", "id", "name", "type", "items", "properties", "~optional", "$filter", "größe"}

func (g *drawing) schema(depth int) *tree.Node {
	switch {
	case g.chance(12):
		return rapid.SampledFrom([]*tree.Node{tree.True, tree.False, tree.Empty}).Draw(g.t, "trivial")
	case g.wild && g.chance(15):
		return g.value()
	case g.chance(8):
		return tree.Map(tree.Member{Key: "$ref", Value: tree.Text(g.of(g.refs...))})
	case depth < 4 && g.chance(3):
		return g.object(depth)
	}
	return g.plain(depth)
}

func (g *drawing) object(depth int) *tree.Node {
	n := tree.Empty
	if g.chance(2) {
		n = n.With("type", tree.Text("object"))
	}
	if !g.chance(5) {
		n = n.With("properties", g.named(depth, drawnNames))
	}
	if g.chance(2) {
		n = n.With("required", g.names())
	}
	if g.chance(4) {
		n = n.With("additionalProperties", g.schema(depth+1))
	}
	if g.chance(10) {
		n = n.With("patternProperties", g.named(depth, []string{"^x", "^(.*)$", ""}))
	}
	return g.more(n, depth)
}

func (g *drawing) names() *tree.Node {
	return tree.Texts(rapid.SliceOfNDistinct(rapid.SampledFrom(drawnNames), 0, 3, rapid.ID[string]).Draw(g.t, "names")...)
}

func (g *drawing) named(depth int, keys []string) *tree.Node {
	var out []tree.Member
	for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom(keys), 0, 3, rapid.ID[string]).Draw(g.t, "keys") {
		out = append(out, tree.Member{Key: key, Value: g.schema(depth + 1)})
	}
	return tree.Map(out...)
}

// more adds unions, words, conditions and, if wild, nonsense.
func (g *drawing) more(n *tree.Node, depth int) *tree.Node {
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		if depth < 4 && g.chance(5) {
			var members []*tree.Node
			for range rapid.IntRange(0, 3).Draw(g.t, "members") {
				members = append(members, g.schema(depth+1))
			}
			n = n.With(key, tree.List(members...))
		}
	}
	for key, value := range map[string]*tree.Node{
		"title": tree.Text("T"), "description": tree.Text("d"), "nullable": tree.True, "default": tree.NullNode,
		"$schema": tree.Text("http://json-schema.org/draft-07/schema#"), "x-own": tree.Empty, "readOnly": tree.True,
	} {
		if g.chance(12) {
			n = n.With(key, value)
		}
	}
	for _, key := range []string{"not", "if", "then", "else", "contains", "propertyNames"} {
		if depth < 4 && g.chance(25) {
			n = n.With(key, g.schema(depth+1))
		}
	}
	if g.wild && g.chance(6) {
		n = n.With(keywordNames[rapid.IntRange(1, int(keywords)-1).Draw(g.t, "keyword")], g.value())
	}
	return n
}

func (g *drawing) plain(depth int) *tree.Node {
	n := tree.Empty
	typ := g.of("string", "number", "integer", "boolean", "array", "null", "object", "")
	switch {
	case typ == "":
	case g.chance(5):
		n = n.With("type", tree.Texts(typ, g.of("string", "null", "array", "integer")))
		if list := n.Get("type"); tree.Equal(list.Members()[0].Value, list.Members()[1].Value) {
			n = n.With("type", tree.Text(typ))
		}
	default:
		n = n.With("type", tree.Text(typ))
	}
	if g.chance(4) {
		n = n.With("enum", g.enum())
	}
	if g.chance(8) {
		n = n.With("const", g.value())
	}
	n = g.limits(n)
	if strings.Contains(n.Get("type").String(), "array") && !g.chance(4) {
		if g.chance(4) {
			n = n.With(g.of("items", "prefixItems"), tree.List(g.schema(depth+1), g.schema(depth+1)))
		} else {
			n = n.With("items", g.schema(depth+1))
		}
	}
	return g.more(n, depth)
}

func (g *drawing) enum() *tree.Node {
	if g.chance(20) {
		var long []string
		for i := range 2000 {
			long = append(long, "value"+strconv.Itoa(i))
		}
		return tree.Texts(long...)
	}
	values := newValues()
	var out []*tree.Node
	for range rapid.IntRange(1, 4).Draw(g.t, "values") {
		if v := g.value(); values.add(v) {
			out = append(out, v)
		}
	}
	return tree.List(out...)
}

func (g *drawing) limits(n *tree.Node) *tree.Node {
	for _, key := range []string{"minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum", "multipleOf"} {
		if g.chance(15) {
			n = n.With(key, tree.Int(rapid.IntRange(1, 9).Draw(g.t, "limit")))
		}
	}
	if g.chance(15) {
		n = n.With("format", tree.Text(g.of("uri", "date-time", "email", "int32")))
	}
	if g.chance(15) {
		n = n.With("pattern", tree.Text(g.of("^a", "[0-9]+$", "x|y")))
	}
	if g.chance(25) {
		n = n.With("exclusiveMinimum", tree.True)
	}
	return n
}

func (g *drawing) value() *tree.Node {
	return rapid.SampledFrom([]*tree.Node{
		tree.Text("a"), tree.Text("b"), tree.Text(""), tree.Int(0), tree.Int(1), tree.Int(2), tree.True, tree.False,
		tree.NullNode, tree.List(), tree.List(tree.Int(1)), tree.Empty, tree.Map(tree.Member{Key: "a", Value: tree.Int(1)}),
	}).Draw(g.t, "value")
}
