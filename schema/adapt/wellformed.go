package adapt

import "github.com/toolrest/toolrest/schema/tree"

// wellFormed reports whether a keyword has a value that it may have. What
// stands inside is the business of those who go there.
func wellFormed(kw keyword, n *tree.Node) bool {
	switch kw {
	case kwType:
		return n.Is(tree.String) || n.Is(tree.Array)
	case kwTitle, kwDescription, kwFormat, kwPattern:
		return n.Is(tree.String)
	case kwEnum, kwExamples:
		return n.Is(tree.Array)
	case kwRequired:
		return n.Is(tree.Array) && len(n.Strings()) == n.Len()
	case kwMinimum, kwMaximum, kwExclusiveMinimum, kwExclusiveMaximum:
		return n.Is(tree.Number)
	case kwMultipleOf:
		f, ok := n.Float()
		return ok && f > 0
	case kwMinLength, kwMaxLength, kwMinItems, kwMaxItems, kwMinContains, kwMaxContains, kwMinProperties, kwMaxProperties:
		f, ok := n.Float()
		return ok && f >= 0 && typeOf(n) == "integer"
	case kwUniqueItems:
		return n.Is(tree.Bool)
	case kwProperties, kwPatternProperties, kwDependentSchemas:
		return n.Is(tree.Object)
	case kwDependentRequired:
		return isDependencies(n)
	case kwAnyOf, kwOneOf, kwAllOf, kwPrefixItems:
		return n.Is(tree.Array)
	case kwItems, kwContains, kwAdditionalProperties, kwUnevaluatedProperties, kwUnevaluatedItems, kwPropertyNames,
		kwNot, kwIf, kwThen, kwElse:
		return n.Is(tree.Object) || n.Is(tree.Bool)
	}
	return true
}

func isDependencies(n *tree.Node) bool {
	if !n.Is(tree.Object) {
		return false
	}
	for _, m := range n.Members() {
		if !wellFormed(kwRequired, m.Value) {
			return false
		}
	}
	return true
}

// malformed says what is wrong where wellFormed is false.
var malformed = [keywords]string{
	kwType: "must be the name of a type or a list of them", kwFormat: "must be a string", kwPattern: "must be a string",
	kwEnum: "must be a list", kwMinimum: "must be a number", kwMaximum: "must be a number",
	kwExclusiveMinimum: "must be a number", kwExclusiveMaximum: "must be a number", kwMultipleOf: "must be a number above 0",
	kwMinLength: notCount, kwMaxLength: notCount, kwMinItems: notCount, kwMaxItems: notCount, kwMinContains: notCount,
	kwMaxContains: notCount, kwMinProperties: notCount, kwMaxProperties: notCount, kwUniqueItems: "must be true or false",
	kwProperties: "must be an object of schemas", kwPatternProperties: "must be an object of schemas",
	kwDependentSchemas: "must be an object of schemas", kwDependentRequired: "must be an object of lists of names",
	kwAnyOf: notSchemas, kwOneOf: notSchemas, kwAllOf: notSchemas, kwPrefixItems: notSchemas,
	kwItems: notSchema, kwContains: notSchema, kwAdditionalProperties: notSchema, kwUnevaluatedProperties: notSchema,
	kwUnevaluatedItems: notSchema, kwPropertyNames: notSchema, kwNot: notSchema, kwIf: notSchema, kwThen: notSchema, kwElse: notSchema,
}

const (
	notCount   = "must be a whole number from 0"
	notSchema  = "must be a schema"
	notSchemas = "must be a list of schemas"
)
