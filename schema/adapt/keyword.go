package adapt

// keyword is a key of a schema that has a meaning.
type keyword uint8

const (
	unknown keyword = iota
	kwType
	kwTitle
	kwDescription
	kwDefault
	kwExamples
	kwEnum
	kwConst
	kwFormat
	kwPattern
	kwMinLength
	kwMaxLength
	kwMinimum
	kwMaximum
	kwExclusiveMinimum
	kwExclusiveMaximum
	kwMultipleOf
	kwMinItems
	kwMaxItems
	kwUniqueItems
	kwMinContains
	kwMaxContains
	kwMinProperties
	kwMaxProperties
	kwRequired
	kwProperties
	kwPatternProperties
	kwDependentRequired
	kwDependentSchemas
	kwAdditionalProperties
	kwUnevaluatedProperties
	kwPropertyNames
	kwItems
	kwPrefixItems
	kwContains
	kwUnevaluatedItems
	kwAnyOf
	kwOneOf
	kwAllOf
	kwNot
	kwIf
	kwThen
	kwElse
	keywords // how many there are
)

var keywordNames = [keywords]string{
	kwType: "type", kwTitle: "title", kwDescription: "description", kwDefault: "default", kwExamples: "examples",
	kwEnum: "enum", kwConst: "const", kwFormat: "format", kwPattern: "pattern", kwMinLength: "minLength",
	kwMaxLength: "maxLength", kwMinimum: "minimum", kwMaximum: "maximum", kwExclusiveMinimum: "exclusiveMinimum",
	kwExclusiveMaximum: "exclusiveMaximum", kwMultipleOf: "multipleOf", kwMinItems: "minItems", kwMaxItems: "maxItems",
	kwUniqueItems: "uniqueItems", kwMinContains: "minContains", kwMaxContains: "maxContains",
	kwMinProperties: "minProperties", kwMaxProperties: "maxProperties", kwRequired: "required",
	kwProperties: "properties", kwPatternProperties: "patternProperties", kwDependentRequired: "dependentRequired",
	kwDependentSchemas: "dependentSchemas", kwAdditionalProperties: "additionalProperties",
	kwUnevaluatedProperties: "unevaluatedProperties", kwPropertyNames: "propertyNames", kwItems: "items",
	kwPrefixItems: "prefixItems", kwContains: "contains", kwUnevaluatedItems: "unevaluatedItems",
	kwAnyOf: "anyOf", kwOneOf: "oneOf", kwAllOf: "allOf", kwNot: "not", kwIf: "if", kwThen: "then", kwElse: "else",
}

// keywordOf gives the keyword of a key, unknown for all others. A switch is
// several times as fast as a map here.
func keywordOf(key string) keyword {
	switch key {
	case "type":
		return kwType
	case "title":
		return kwTitle
	case "description":
		return kwDescription
	case "default":
		return kwDefault
	case "examples":
		return kwExamples
	case "enum":
		return kwEnum
	case "const":
		return kwConst
	case "format":
		return kwFormat
	case "pattern":
		return kwPattern
	case "minLength":
		return kwMinLength
	case "maxLength":
		return kwMaxLength
	case "minimum":
		return kwMinimum
	case "maximum":
		return kwMaximum
	case "exclusiveMinimum":
		return kwExclusiveMinimum
	case "exclusiveMaximum":
		return kwExclusiveMaximum
	case "multipleOf":
		return kwMultipleOf
	case "minItems":
		return kwMinItems
	case "maxItems":
		return kwMaxItems
	case "uniqueItems":
		return kwUniqueItems
	case "minContains":
		return kwMinContains
	case "maxContains":
		return kwMaxContains
	case "minProperties":
		return kwMinProperties
	case "maxProperties":
		return kwMaxProperties
	case "required":
		return kwRequired
	case "properties":
		return kwProperties
	}
	return rarerKeyword(key)
}

func rarerKeyword(key string) keyword {
	switch key {
	case "patternProperties":
		return kwPatternProperties
	case "dependentRequired":
		return kwDependentRequired
	case "dependentSchemas":
		return kwDependentSchemas
	case "additionalProperties":
		return kwAdditionalProperties
	case "unevaluatedProperties":
		return kwUnevaluatedProperties
	case "propertyNames":
		return kwPropertyNames
	case "items":
		return kwItems
	case "prefixItems":
		return kwPrefixItems
	case "contains":
		return kwContains
	case "unevaluatedItems":
		return kwUnevaluatedItems
	case "anyOf":
		return kwAnyOf
	case "oneOf":
		return kwOneOf
	case "allOf":
		return kwAllOf
	case "not":
		return kwNot
	case "if":
		return kwIf
	case "then":
		return kwThen
	case "else":
		return kwElse
	}
	return unknown
}
