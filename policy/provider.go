package policy

import "github.com/toolrest/toolrest/internal/names"

// providerSection gives the one section of byProvider that counts for a model:
// the exact model's, else the provider's. It replaces the other; they are not
// merged. Among keys that mean the same the one that is spelt canonically
// counts, else the first.
func providerSection(list []KeyedSection, provider, model string) (*KeyedSection, bool) {
	if names.Trim(provider) == "" {
		return nil, false
	}
	whole := names.ProviderKey(provider)
	exact := ""
	if model = names.Fold(model); model != "" {
		exact = whole + "/" + model
	}
	best, rank := -1, rankNone
	for i := range list {
		r := rankKey(list[i].Key, whole, exact)
		if r < rank || r == rank && r < rankNone && !precedes(list[best].Key, list[i].Key) {
			best, rank = i, r
		}
	}
	if best < 0 {
		return nil, false
	}
	return &list[best], true
}

// How well a key of byProvider names a model: the least counts.
const (
	rankExact         = 0
	rankExactLoose    = 1
	rankProvider      = 2
	rankProviderLoose = 3
	rankNone          = 4
)

func rankKey(key, provider, model string) int {
	normal := names.ProviderKey(key)
	rank := rankNone
	switch {
	case normal == "":
		return rankNone
	case normal == model:
		rank = rankExact
	case normal == provider:
		rank = rankProvider
	default:
		return rankNone
	}
	if names.Fold(key) != normal {
		rank++
	}
	return rank
}
