package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/toolrest/toolrest/model"
)

// turn is one recorded answer.
type turn struct {
	pieces  []piece
	calls   []called
	results []expected // nil where the recording has none
	done    *done
	line    int // where it begins
}

// piece is what one line brings: text, thinking, or the call of that index.
type piece struct {
	kind model.BlockKind
	text string
	call int
}

type called struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
	Raw  *string         `json:"raw"`
	line int
}

type done struct {
	Stop  model.Stop  `json:"stop"`
	Usage model.Usage `json:"usage"`
}

type expected struct {
	Call     string  `json:"call"`
	Name     string  `json:"name"`
	IsError  *bool   `json:"isError"`
	Contains string  `json:"contains"`
	Text     *string `json:"text"` // for people; not compared
	line     int
}

// parser collects turns line by line.
type parser struct {
	turns []turn
	open  bool // the last turn has no end yet
	ids   map[string]bool
}

// parse reads a whole recording. The error names a line.
func parse(src []byte) (Header, []turn, int, error) {
	var h Header
	p := parser{ids: map[string]bool{}}
	lines := bytes.Split(src, []byte("\n"))
	first := true
	for i, line := range lines {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var err error
		if first {
			first = false
			h, err = readHeader(line)
		} else {
			err = p.line(line, i+1)
		}
		if err != nil && i == len(lines)-1 && !json.Valid(line) {
			err = errors.New("the recording is cut off in the middle of this line")
		}
		if err != nil {
			return h, nil, i + 1, err
		}
	}
	last := len(bytes.Split(bytes.TrimRight(src, " \t\r\n"), []byte("\n")))
	if first {
		return h, nil, 1, errors.New("the file is empty")
	}
	return h, p.turns, last, p.end()
}

// line reads one line that is not the header.
func (p *parser) line(raw []byte, number int) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil || members == nil {
		return errors.New("this line is no JSON object")
	}
	if len(members) != 1 {
		return fmt.Errorf("this line has %d members, not one", len(members))
	}
	for kind, value := range members {
		if kind == "results" {
			return p.results(value, number)
		}
		t := p.turn(number)
		switch kind {
		case "text":
			return t.say(model.BlockText, value)
		case "thinking":
			return t.say(model.BlockThinking, value)
		case "call":
			return p.call(t, value, number)
		case "done":
			p.open = false
			return t.end(value)
		default:
			return fmt.Errorf("a line of the kind %.40q is not known: text, thinking, call, done, results", kind)
		}
	}
	return nil
}

// turn gives the open turn, or begins one.
func (p *parser) turn(number int) *turn {
	if !p.open {
		p.turns = append(p.turns, turn{line: number})
		p.open = true
	}
	return &p.turns[len(p.turns)-1]
}

func (t *turn) say(kind model.BlockKind, value json.RawMessage) error {
	var s string
	if err := strict(value, &s); err != nil || s == "" {
		return fmt.Errorf("%s wants a string that is not empty", kind)
	}
	t.pieces = append(t.pieces, piece{kind: kind, text: s})
	return nil
}

func (p *parser) call(t *turn, value json.RawMessage, number int) error {
	c := called{line: number}
	if err := strict(value, &c); err != nil {
		return fmt.Errorf("call: %w", err)
	}
	switch {
	case c.ID == "" || c.Name == "" || len(c.ID+c.Name) > maxText || !printable(c.ID+c.Name):
		return errors.New("a call wants an id and a name, short and printable")
	case p.ids[c.ID]:
		return fmt.Errorf("the call %q stands twice", c.ID)
	case (c.Args == nil) == (c.Raw == nil):
		return fmt.Errorf("the call %q wants args or raw", c.ID)
	case c.Raw == nil && (len(c.Args) == 0 || c.Args[0] != '{'):
		return fmt.Errorf("the args of the call %q are no object: give them as raw", c.ID)
	}
	if c.Raw != nil {
		c.Args = json.RawMessage(*c.Raw)
	}
	p.ids[c.ID] = true
	t.pieces = append(t.pieces, piece{kind: model.BlockCall, call: len(t.calls)})
	t.calls = append(t.calls, c)
	return nil
}

var stops = []model.Stop{model.StopEnd, model.StopCalls, model.StopLength, model.StopRefused}

func (t *turn) end(value json.RawMessage) error {
	t.done = new(done)
	if err := strict(value, t.done); err != nil {
		return fmt.Errorf("done: %w", err)
	}
	switch {
	case !slices.Contains(stops, t.done.Stop):
		return fmt.Errorf("stop is %.40q, not end, calls, length or refused", t.done.Stop)
	case len(t.pieces) == 0:
		return errors.New("the turn ends without a text or a call")
	case t.done.Stop == model.StopCalls && len(t.calls) == 0, t.done.Stop == model.StopEnd && len(t.calls) > 0:
		return fmt.Errorf("the turn made %d calls, and its stop is %s", len(t.calls), t.done.Stop)
	}
	return nil
}

// results must fit the calls of the turn before, in order.
func (p *parser) results(value json.RawMessage, number int) error {
	if p.open || len(p.turns) == 0 {
		return errors.New("results stand after the done of a turn with calls, and not here")
	}
	t := &p.turns[len(p.turns)-1]
	if t.results != nil || len(t.calls) == 0 {
		return errors.New("results stand after the done of a turn with calls, once")
	}
	if err := strict(value, &t.results); err != nil {
		return fmt.Errorf("results: %w", err)
	}
	if len(t.results) != len(t.calls) {
		return fmt.Errorf("there are %d results for %d calls", len(t.results), len(t.calls))
	}
	for i := range t.results {
		r, c := &t.results[i], t.calls[i]
		if r.Call != c.ID || r.Name != c.Name {
			return fmt.Errorf("result %d answers %q of %q, but the call is %q of %q", i+1, r.Call, r.Name, c.ID, c.Name)
		}
		r.line = number
	}
	return nil
}

// end wants the last turn to be whole and to answer.
func (p *parser) end() error {
	switch n := len(p.turns); {
	case n == 0:
		return errors.New("the recording has a header and no turn: it is cut off")
	case p.open:
		return errors.New("the recording is cut off: the last turn has no done")
	case len(p.turns[n-1].calls) > 0:
		return errors.New("the recording is cut off: nothing follows the last calls")
	}
	return nil
}

// strict decodes one JSON value without unknown members.
func strict(raw []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("something follows the value")
	}
	return nil
}
