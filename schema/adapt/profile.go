package adapt

// profile is what a family takes, as data.
type profile struct {
	takes [keywords]bool
	// unions are kept, kept as anyOf alone, or made into one schema.
	unions unionStyle
	// lists are types as lists: ["string", "null"].
	lists bool
	// typed wants a single type in every schema, null not among them.
	typed bool
	// textEnums takes enums of strings alone, without empty ones.
	textEnums bool
	// mergeAll makes one schema of an allOf.
	mergeAll bool
	// emptyItems takes {} for the items of an array.
	emptyItems bool
	// names says which names of the root's properties are taken; nil is all.
	names func(string) bool
}

type unionStyle int

const (
	keepUnions unionStyle = iota
	anyOfAlone
	noUnions
)

// drop takes keywords out of a profile.
func (p profile) drop(kws ...keyword) profile {
	for _, kw := range kws {
		p.takes[kw] = false
	}
	return p
}

// only makes a profile of few keywords.
func (p profile) only(kws ...keyword) profile {
	p.takes = [keywords]bool{}
	for _, kw := range kws {
		p.takes[kw] = true
	}
	return p
}

var profiles = func() map[Kind]*profile {
	all := profile{lists: true, emptyItems: true}
	for kw := unknown + 1; kw < keywords; kw++ {
		all.takes[kw] = true
	}
	claude := all
	claude.names = anthropicName
	counted := all.drop(kwMinLength, kwMaxLength, kwMinItems, kwMaxItems, kwMinContains, kwMaxContains)
	grok := counted
	grok.mergeAll = true
	mimo := all
	mimo.emptyItems = false
	narrow := profile{typed: true, mergeAll: true, emptyItems: true}
	gemini := narrow.only(kwType, kwTitle, kwDescription, kwDefault, kwEnum, kwProperties, kwRequired, kwItems)
	gemini.unions, gemini.textEnums = noUnions, true
	deep := narrow.only(kwType, kwTitle, kwDescription, kwDefault, kwEnum, kwProperties, kwRequired, kwItems,
		kwAdditionalProperties, kwAnyOf, kwPattern, kwFormat, kwMinimum, kwMaximum, kwExclusiveMinimum,
		kwExclusiveMaximum, kwMultipleOf)
	deep.unions = anyOfAlone
	return map[Kind]*profile{
		Gemini: &gemini, DeepSeek: &deep, XAI: &grok, Volcengine: &counted, Xiaomi: &mimo,
		Mistral: &all, Anthropic: &claude, OpenAI: &all,
	}
}()

// anthropicName reports whether Anthropic takes the name of a property.
func anthropicName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '_' && c != '.' && c != '-' {
			return false
		}
	}
	return len(name) > 0 && len(name) <= 64
}
