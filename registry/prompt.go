package registry

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/toolrest/toolrest/internal/names"
)

// Prompt is what the system prompt says of a tool beside its description.
type Prompt struct {
	// Snippet is one line on what the tool is good for.
	Snippet string `json:"snippet,omitempty"`
	// Guidelines are sentences on how to use it.
	Guidelines []string `json:"guidelines,omitempty"`
}

// The most that one tool may say in a prompt: the bytes of a text, and the
// number of guidelines.
const (
	maxText       = 2000
	maxGuidelines = 50
)

// squeeze makes the snippet one line, and trims the guidelines, each once.
func (p Prompt) squeeze() Prompt {
	var out Prompt
	out.Snippet = names.OneLine(clean(p.Snippet))
	for _, g := range p.Guidelines {
		g = names.Trim(clean(g))
		if g != "" && !slices.Contains(out.Guidelines, g) && len(out.Guidelines) < maxGuidelines {
			out.Guidelines = append(out.Guidelines, g)
		}
	}
	return out
}

func (p Prompt) same(b Prompt) bool {
	return p.Snippet == b.Snippet && slices.Equal(p.Guidelines, b.Guidelines)
}

// clean cuts a text, and takes out of it what is no text.
func clean(s string) string {
	if len(s) > maxText {
		end := maxText
		for end > 0 && !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end] + "…"
	}
	return strings.Map(visible, strings.ToValidUTF8(s, "\ufffd"))
}

// visible takes out control characters and those that hide or turn text
// around; what joins letters and signs stays.
func visible(r rune) rune {
	switch {
	case strings.ContainsRune("\t\n\v\f\r\u200c\u200d\ufeff", r):
		return r
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}

// ToolPrompt writes the part of a system prompt that tells of the tools, in
// the order given, each tool and each guideline once. Every line is one line,
// whatever a source wrote. Without rows it is empty.
func ToolPrompt(rows []*Row) string {
	if len(rows) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Your tools:\n")
	told, given := map[string]bool{}, map[string]bool{}
	var guidelines []string
	for _, row := range rows {
		if told[row.Name] {
			continue
		}
		told[row.Name] = true
		b.WriteString("- " + row.Name)
		if row.Prompt.Snippet != "" {
			b.WriteString(": " + row.Prompt.Snippet)
		}
		b.WriteByte('\n')
		for _, g := range row.Prompt.Guidelines {
			if line := names.OneLine(g); !given[line] {
				given[line] = true
				guidelines = append(guidelines, line)
			}
		}
	}
	if len(guidelines) > 0 {
		b.WriteString("\nHow to use them:\n")
	}
	for _, line := range guidelines {
		b.WriteString("- " + line + "\n")
	}
	return b.String()
}
