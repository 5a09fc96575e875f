package openclaw

import (
	"strconv"
	"strings"

	"github.com/toolrest/toolrest/schema/tree"
)

// Options choose what [Normalize] does.
type Options struct {
	Provider, Model string
	Compat          Compat
}

// Compat is what a configuration says of a model.
type Compat struct {
	// Profile names a family of rules: "gemini", "deepseek".
	Profile string
	// Unsupported are keywords that the model's server refuses.
	Unsupported []string
	// OmitEmptyItems takes away the items of arrays that say nothing.
	OmitEmptyItems bool
}

func itoa(i int) string { return strconv.Itoa(i) }

// Normalize brings a schema to the form in which all others work on it, and
// applies what the provider's and the model's names ask for. What is no object
// stays as it is. It fails with [ErrTooLarge] alone.
func Normalize(n *tree.Node, o Options) (*tree.Node, error) {
	if !n.Is(tree.Object) && !n.Is(tree.Array) {
		return n, nil
	}
	out, err := InlineRefs(n)
	if err != nil {
		return nil, err
	}
	out = shapeRoot(dropOpenAPI(out))
	if out.Is(tree.Object) {
		out = addItems(out)
	}
	if o.Compat.OmitEmptyItems {
		out = dropEmptyItems(out)
	}
	if o.gemini() {
		if out, err = CleanGemini(out); err != nil {
			return nil, err
		}
	}
	if drop := usable(o.Compat.Unsupported); len(drop) > 0 {
		out = Strip(out, drop)
	}
	return out, nil
}

func (o Options) gemini() bool {
	provider := fold(o.Provider)
	if strings.Contains(provider, "anthropic") {
		return false
	}
	return strings.Contains(provider, "google") || strings.Contains(provider, "gemini") ||
		geminiModel(fold(o.Model)) || fold(o.Compat.Profile) == "gemini"
}

func fold(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// geminiModel reports whether gemini stands in a model's id as a word.
func geminiModel(id string) bool {
	const word = "gemini"
	for from := 0; ; {
		i := strings.Index(id[from:], word)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(word)
		if (start == 0 || strings.IndexByte("/:", id[start-1]) >= 0) && (end == len(id) || strings.IndexByte("-/:.", id[end]) >= 0) {
			return true
		}
		from = end
	}
}
