package approve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// screen is the size of a terminal in characters.
type screen struct{ width, height int }

// around is how many rows a question has beside the call itself.
const around = 9

// margin stands before every row of the call, so that nothing in it can pass
// for the question.
const margin = "│ "

// question puts the call in words. Everything that came from a model is shown
// in rows with a margin, without what a terminal would obey or a reader would
// not see. What a person cannot see whole, a person cannot approve: a call that
// is taller than the screen is refused.
func question(request Request, size screen) (string, error) {
	body, err := body(request)
	if err != nil {
		return "", err
	}
	rows := wrap(body, max(20, size.width-len(margin)-2), size.height)
	if most := max(3, size.height-around); len(rows) > most {
		return "", fmt.Errorf("the call is too long to be shown for approval: more than %d rows on this terminal; make it taller, or the call shorter", most)
	}
	var b strings.Builder
	who := request.Call.Caller
	fmt.Fprintf(&b, "\nThe agent %s (%s) wants to use %s:\n\n", printable(who.Agent), who.Surface, printable(request.Call.Tool))
	for _, row := range rows {
		b.WriteString(margin + row + "\n")
	}
	if request.Why != "" {
		fmt.Fprintf(&b, "\nAsked because %s.\n", printable(request.Why))
	}
	fmt.Fprintf(&b, "Allow this once (%s, %d bytes)? [y/N] ", counted(strings.Count(body, "\n")+1), len(body))
	return b.String(), nil
}

func counted(lines int) string {
	if lines == 1 {
		return "1 line"
	}
	return strconv.Itoa(lines) + " lines"
}

// body is the command alone where the call has nothing else, and the whole
// arguments otherwise.
func body(request Request) (string, error) {
	args, err := request.Call.Object()
	if err != nil {
		return "", err
	}
	if command, ok := args["command"].(string); ok && len(args) == 1 {
		return command, nil
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(args); err != nil {
		return "", errors.New("the arguments cannot be shown")
	}
	return strings.TrimSuffix(buf.String(), "\n"), nil
}

// wrap breaks text into rows of at most so many columns; it may stop when there
// are more than most. Characters that can be wide count as two columns.
func wrap(text string, width, most int) []string {
	var rows []string
	for line := range strings.SplitSeq(text, "\n") {
		row, used := "", 0
		for _, r := range printable(line) {
			w := 1
			if r > unicode.MaxLatin1 {
				w = 2
			}
			if used+w > width {
				rows, row, used = append(rows, row), "", 0
			}
			row, used = row+string(r), used+w
		}
		if rows = append(rows, row); len(rows) > most {
			break
		}
	}
	return rows
}

// printable replaces what a terminal would obey, and what a reader would not
// see: control and direction characters, and those that show nothing.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if shows(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// blanks are characters that count as letters or symbols and show nothing.
var blanks = map[rune]bool{'\u115f': true, '\u1160': true, '\u2800': true, '\u3164': true, '\uffa0': true}

func shows(r rune) bool {
	return r < unicode.MaxASCII && r >= ' ' ||
		unicode.IsPrint(r) && !blanks[r] && !unicode.In(r, unicode.Bidi_Control, unicode.Variation_Selector,
			unicode.Other_Default_Ignorable_Code_Point, unicode.Mn, unicode.Me)
}
