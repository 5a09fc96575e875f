package adapt

import (
	"strconv"
	"strings"

	"github.com/toolrest/toolrest/schema/tree"
)

// Fault is why a schema cannot be sent.
type Fault struct {
	// Path is where in the schema: "properties.edits.items"; empty for its root.
	Path string `json:"path"`
	// Keyword is the key that is at fault there, where it is one.
	Keyword string `json:"keyword,omitempty"`
	Reason  string `json:"reason"`
}

func (f *Fault) Error() string {
	at := f.Path
	if f.Keyword != "" {
		at = joinPath(at, f.Keyword)
	}
	if at == "" {
		return f.Reason
	}
	return at + ": " + f.Reason
}

func joinPath(path, part string) string {
	if path == "" {
		return part
	}
	return path + "." + part
}

// maxPath is how many parts of a path are told.
const maxPath = 16

// pathOf joins the parts; those that are numbers are indexes.
func pathOf(parts []string) string {
	var b strings.Builder
	for i, part := range parts {
		if i == maxPath {
			b.WriteString("…")
			break
		}
		if _, err := strconv.Atoi(part); err == nil && i > 0 && listKeyword(parts[i-1]) {
			b.WriteString("[" + part + "]")
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(tree.Short(part))
	}
	return b.String()
}

func listKeyword(key string) bool {
	switch key {
	case "allOf", "anyOf", "oneOf", "prefixItems", "items":
		return true
	}
	return false
}
