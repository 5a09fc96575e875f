package dispatch

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/toolrest/toolrest"
)

// bound cuts the text of a result to what a model can read: the head and the
// tail stay, the middle is named.
func (d *Dispatcher) bound(next handler) handler {
	return func(ctx context.Context, f *flight) *toolrest.Result {
		r := next(ctx, f)
		if textBytes(r) > d.opts.MaxText {
			r = cutTexts(r, d.opts.MaxText)
		}
		if dataBytes(r) > d.opts.MaxData {
			r = dropData(r, d.opts.MaxData)
		}
		if r.Refusal != nil {
			r = shortRefusal(r)
		}
		return r
	}
}

// maxStated bounds each text of a refusal, in bytes: it travels beside the
// content.
const maxStated = 8 << 10

func shortRefusal(r *toolrest.Result) *toolrest.Result {
	f := r.Refusal
	if max(len(f.Tool), len(f.Reason), len(f.Rule), len(f.Fix), len(f.Layer)) <= maxStated {
		return r
	}
	short, cut := *f, *r
	for _, text := range []*string{&short.Tool, &short.Reason, &short.Rule, &short.Fix, &short.Layer} {
		*text = middleOut(*text, maxStated)
	}
	cut.Refusal = &short
	return &cut
}

func textBytes(r *toolrest.Result) int {
	n := len(r.Structured)
	for _, c := range r.Content {
		n += len(c.Text)
	}
	return n
}

func dataBytes(r *toolrest.Result) int {
	n := 0
	for _, c := range r.Content {
		n += len(c.Data)
	}
	return n
}

// dropData leaves out the blocks that no longer fit: half an image is none.
func dropData(r *toolrest.Result, budget int) *toolrest.Result {
	kept := *r
	kept.Content = nil
	for _, c := range r.Content {
		if len(c.Data) > budget {
			c = toolrest.Text(fmt.Sprintf("[%s left out: %d bytes are more than a result may carry]", c.Kind, len(c.Data)))
		}
		budget -= len(c.Data)
		kept.Content = append(kept.Content, c)
	}
	return &kept
}

// cutTexts shares the budget among the blocks in their order. A structured
// value cannot be cut, so one that does not fit is left out: its text says the
// same.
func cutTexts(r *toolrest.Result, budget int) *toolrest.Result {
	cut := *r
	cut.Content = nil
	for _, c := range r.Content {
		if c.Kind == toolrest.ContentText {
			c.Text = middleOut(c.Text, budget)
			budget = max(0, budget-len(c.Text))
		}
		cut.Content = append(cut.Content, c)
	}
	if len(cut.Structured) > budget {
		cut.Structured = nil
	}
	return &cut
}

// middleOut keeps two thirds of the budget of the head and one third of the
// tail, on whole characters.
func middleOut(s string, budget int) string {
	if len(s) <= budget {
		return s
	}
	head, tail := budget/3*2, budget/3
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	from := len(s) - tail
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return fmt.Sprintf("%s\n[… %d of %d bytes left out …]\n%s", s[:head], from-head, len(s), s[from:])
}
