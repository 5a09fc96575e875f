package lint

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/policy"
)

// reasons group tools by what is said of them.
type reasons struct {
	order []string
	tools map[string][]string
}

func (r *reasons) add(tool string, s policy.Step) {
	reason := "no layer restricts it"
	if s.Layer != "" {
		reason = s.Reason()
	}
	if p := s.Pos.String(); p != "" {
		reason += " (" + p + ")"
	}
	if r.tools == nil {
		r.tools = map[string][]string{}
	}
	if r.tools[reason] == nil {
		r.order = append(r.order, reason)
	}
	r.tools[reason] = append(r.tools[reason], tool)
}

// lines gives a line a reason, a few at most.
func (r *reasons) lines() []string {
	const most = 6
	var out []string
	for i, reason := range r.order {
		if i == most {
			out = append(out, fmt.Sprintf("and %d more reasons", len(r.order)-most))
			break
		}
		out = append(out, few(r.tools[reason])+": "+reason)
	}
	return out
}

// few lists names, and counts those that are too many.
func few(all []string) string {
	const most = 6
	if len(all) <= most {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), len(all)-most)
}

// quote shows an entry as it was written, unless it is long or cannot be seen.
func quote(s string) string {
	const most = 64
	if len(s) <= most && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return "'" + s + "'"
	}
	return names.Show(s)
}
