package names

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxName is the length of the longest name that may be registered, in bytes.
const MaxName = 256

// Check refuses names of tools, plugins and servers that could not be shown,
// sent or named in a policy: empty, too long, not UTF-8, with outer white
// space, with characters that cannot be seen, or written like a group. The
// error is a phrase that follows the name.
func Check(name string) error {
	switch {
	case name == "":
		return errors.New("is empty")
	case len(name) > MaxName:
		return fmt.Errorf("is %d bytes long, more than %d", len(name), MaxName)
	case !utf8.ValidString(name):
		return errors.New("is not valid UTF-8")
	case Trim(name) != name:
		return errors.New("begins or ends with white space")
	case strings.HasPrefix(strings.ToLower(name), "group:"):
		return errors.New("is written like a group")
	}
	for _, r := range name {
		if !unicode.IsGraphic(r) {
			return fmt.Errorf("holds %U, which cannot be seen", r)
		}
	}
	return nil
}

// maxShown is how much of a name a message holds, in bytes.
const maxShown = 64

// Show gives a name as messages print it: in quotes with escapes where it is
// not plain, and cut where it is long.
func Show(name string) string {
	cut := name
	if len(name) > maxShown {
		cut = name[:maxShown]
		for cut != "" && !utf8.RuneStart(name[len(cut)]) {
			cut = cut[:len(cut)-1]
		}
	}
	if Check(cut) != nil {
		cut = strconv.QuoteToGraphic(cut)
	}
	if len(name) > maxShown {
		return fmt.Sprintf("%s… (%d bytes)", cut, len(name))
	}
	return cut
}
