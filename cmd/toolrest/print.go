package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// printJSON writes v for programs: indented, with its characters as they are.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// isTerminal reports whether w or r is a terminal.
func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// paint colours text where a person sees it on a terminal.
type paint struct{ on bool }

func painter(w io.Writer) paint {
	return paint{on: isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

func (p paint) code(code, s string) string {
	if !p.on || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p paint) bold(s string) string  { return p.code("1", s) }
func (p paint) dim(s string) string   { return p.code("2", s) }
func (p paint) red(s string) string   { return p.code("31", s) }
func (p paint) green(s string) string { return p.code("32", s) }

// table aligns the columns of rows; the last one is as long as it is.
func table(rows [][]string) []string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		var b strings.Builder
		for j, cell := range row {
			b.WriteString(cell)
			if j < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[j]-len([]rune(cell))+2))
			}
		}
		lines[i] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

// indent puts a margin before every line of s.
func indent(s, margin string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = margin + line
		}
	}
	return strings.Join(lines, "\n")
}

// visible replaces what a terminal would obey, for text that a tool or a model
// wrote.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "\\x%02x", r)
	}
	return b.String()
}

// nearby writes paths below the current folder as people do, so that they are
// short and still open where they are clicked.
func nearby(s string) string {
	dir, err := os.Getwd()
	if err != nil || dir == "/" {
		return s
	}
	return strings.ReplaceAll(s, dir+"/", "")
}
