package replay

import (
	"fmt"
	"strings"

	"github.com/toolrest/toolrest/model"
)

// next finds the turn to play, and checks that the conversation went as the
// recorded one did.
func (r *Recording) next(messages []model.Message) (*turn, error) {
	n := 0 // turns that were played
	for i, m := range messages {
		if m.Role != model.RoleAssistant {
			continue
		}
		if n == len(r.turns) {
			return nil, r.over()
		}
		if err := r.follow(&r.turns[n], m, messages[i+1:]); err != nil {
			return nil, err
		}
		n++
	}
	if n == len(r.turns) {
		return nil, r.over()
	}
	return &r.turns[n], nil
}

func (r *Recording) over() error {
	return r.wrong(r.last, fmt.Sprintf("the recording is over after %d turns", len(r.turns)), "a recording cannot answer anything else: choose a model with --model")
}

// follow compares one turn as it was played, with the results that came back.
func (r *Recording) follow(t *turn, m model.Message, after []model.Message) error {
	calls := m.Calls()
	for i, c := range t.calls {
		if i >= len(calls) || calls[i].ID != c.ID || calls[i].Name != c.Name {
			return r.wrong(c.line, fmt.Sprintf("the recording calls %s (%s), the conversation %s", c.Name, c.ID, nth(calls, i)), otherWay)
		}
	}
	if len(calls) > len(t.calls) {
		return r.wrong(t.line, fmt.Sprintf("the conversation calls %s, the recording does not", nth(calls, len(t.calls))), otherWay)
	}
	if len(calls) == 0 {
		return nil
	}
	return r.compare(t, resultsIn(after))
}

const otherWay = "the conversation went another way than the recorded one: begin a new one"

func nth(calls []model.Call, i int) string {
	if i >= len(calls) {
		return "nothing"
	}
	return fmt.Sprintf("%.60q (%.60q)", calls[i].Name, calls[i].ID)
}

// resultsIn gives the results at the head of messages.
func resultsIn(messages []model.Message) []model.Result {
	var out []model.Result
	for _, m := range messages {
		if m.Role != model.RoleResults {
			break
		}
		for _, b := range m.Blocks {
			if b.Result != nil {
				out = append(out, *b.Result)
			}
		}
	}
	return out
}

// compare is loose: the results must answer the calls in order, and fit what
// the recording relies on.
func (r *Recording) compare(t *turn, got []model.Result) error {
	for i, c := range t.calls {
		if i >= len(got) || got[i].CallID != c.ID || got[i].Name != c.Name {
			return r.wrong(c.line, fmt.Sprintf("the call of %s (%s) has no result in its place", c.Name, c.ID), otherWay)
		}
		if t.results == nil {
			continue
		}
		if err := r.fits(t.results[i], got[i]); err != nil {
			return err
		}
	}
	if len(got) > len(t.calls) {
		return r.wrong(t.line, fmt.Sprintf("there are %d results for %d calls", len(got), len(t.calls)), otherWay)
	}
	return nil
}

func (r *Recording) fits(want expected, got model.Result) error {
	text := textOf(got)
	switch {
	case want.IsError != nil && *want.IsError != got.IsError && got.IsError:
		return r.wrong(want.line, fmt.Sprintf("the recording goes on from a good result of %s (%s), but it was an error: %s", got.Name, got.CallID, brief(text)),
			"allow the call, or mend what it says, and begin anew: a recording cannot react to it")
	case want.IsError != nil && *want.IsError != got.IsError:
		return r.wrong(want.line, fmt.Sprintf("the recording goes on from an error of %s (%s), but it went well", got.Name, got.CallID), otherWay)
	case want.Contains != "" && !strings.Contains(text, want.Contains):
		return r.wrong(want.line, fmt.Sprintf("the recording relies on %q in the result of %s (%s), which was: %s", want.Contains, got.Name, got.CallID, brief(text)),
			"a recording needs the workspace and the programs that it was made with")
	}
	return nil
}

func textOf(r model.Result) string {
	var texts []string
	for _, p := range model.Parts(r.Content) {
		if p.Image == nil {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// brief is the beginning of a text on one line.
func brief(s string) string { return fmt.Sprintf("%.200q", s) }

func (r *Recording) wrong(line int, text, hint string) error {
	return &Error{File: r.file, Line: line, Text: text, Hint: hint}
}
