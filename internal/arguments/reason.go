package arguments

import (
	"errors"
	"strings"

	"github.com/toolrest/toolrest/internal/names"
	"github.com/toolrest/toolrest/schema"
)

// Reason puts an error of [Read] in words for the model that wrote the
// arguments: all that is wrong, each with its path, what was found and what is
// allowed, and which name was probably meant.
func Reason(err error) string {
	var unreadable *UnreadableError
	if errors.As(err, &unreadable) {
		return "the arguments cannot be read: " + unreadable.Error() + "; nothing was run. Write one whole JSON object. You wrote: " + unreadable.excerpt()
	}
	var invalid *schema.InvalidError
	if !errors.As(err, &invalid) {
		return "the arguments cannot be read: " + err.Error()
	}
	var b strings.Builder
	b.WriteString("the arguments do not fit:")
	for _, v := range invalid.Violations {
		b.WriteString("\n- " + v.String() + hint(v))
	}
	return b.String()
}

// maxNamed is how many names a hint lists.
const maxNamed = 20

// hint names what was probably meant, and for a name that nothing has what
// there is.
func hint(v schema.Violation) string {
	if v.Word == "" {
		return ""
	}
	text := ""
	// Short words are near to everything.
	if near := names.Nearest(v.Word, v.Known, 1); len(v.Word) > 2 && len(near) > 0 {
		text = "; did you mean " + near[0] + "?"
	}
	if !strings.HasSuffix(v.Text, "no such argument") {
		return text
	}
	switch n := len(v.Known); {
	case n == 0:
		return text + " (there are none)"
	case n > maxNamed:
		return text + " (there are: " + strings.Join(v.Known[:maxNamed], ", ") + ", …)"
	}
	return text + " (there are: " + strings.Join(v.Known, ", ") + ")"
}
