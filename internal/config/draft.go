package config

import (
	"fmt"
	"slices"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/json5"
	"github.com/toolrest/toolrest/policy"
)

// draft is the text of a config while edits are made in it.
type draft struct {
	file string
	text []byte
}

// locate says where an edit applies: the place, and the path of the key that
// shows it best: the list or key itself, or the topmost one that is added.
func (d *draft) locate(e policy.Edit) (toolrest.Pos, string) {
	node, done, rest, err := d.find(e.Path)
	if err != nil {
		return toolrest.Pos{File: d.file}, ""
	}
	if len(rest) > 0 {
		done = append(done, rest[0])
	}
	return toolrest.Pos{File: d.file, Line: node.Line, Col: node.Col}, json5.FormatPath(done)
}

// find walks along a path as far as it exists.
func (d *draft) find(path string) (node *json5.Node, done, rest []json5.Step, err error) {
	steps, err := json5.ParsePath(path)
	if err != nil {
		return nil, nil, nil, err
	}
	if node, err = json5.Parse(d.file, d.text); err != nil {
		return nil, nil, nil, err
	}
	node, at := walk(node, steps)
	return node, steps[:at:at], steps[at:], nil
}

// walk follows steps as far as they lead, and gives how many that are.
func walk(node *json5.Node, steps []json5.Step) (*json5.Node, int) {
	for i, s := range steps {
		next := step(node, s)
		if next == nil {
			return node, i
		}
		node = next
	}
	return node, len(steps)
}

func step(n *json5.Node, s json5.Step) *json5.Node {
	if !s.IsIndex {
		return n.Get(s.Key)
	}
	if s.Index < len(n.Items) {
		return n.Items[s.Index]
	}
	return nil
}

// make makes the edit in the text.
func (d *draft) make(e policy.Edit) error {
	node, _, rest, err := d.find(e.Path)
	if err != nil {
		return err
	}
	edits, err := textEdits(node, rest, e)
	if err != nil {
		return fmt.Errorf("edit %s: %w", e.Path, err)
	}
	d.text, err = json5.Apply(d.text, edits)
	return err
}

func textEdits(node *json5.Node, rest []json5.Step, e policy.Edit) ([]json5.TextEdit, error) {
	value := json5.Quote(e.Value)
	switch {
	case e.Op == policy.EditRemove:
		i := slices.IndexFunc(node.Items, func(item *json5.Node) bool { return item.Kind == json5.String && item.Text == e.Value })
		if len(rest) > 0 || i < 0 {
			return nil, fmt.Errorf("no entry %s", value)
		}
		return node.RemoveItem(i), nil
	case e.Op == policy.EditSet && len(rest) == 0:
		return node.Replace(value), nil
	case e.Op == policy.EditSet:
		return insert(node, rest, value)
	case len(rest) > 0:
		return insert(node, rest, "["+value+"]")
	case node.Kind != json5.Array:
		return nil, fmt.Errorf("%s where a list is wanted", node.Kind)
	}
	return node.AppendItem(value), nil
}

// insert adds a key, and the objects that it lies in.
func insert(node *json5.Node, rest []json5.Step, value string) ([]json5.TextEdit, error) {
	for i := len(rest) - 1; i > 0; i-- {
		if rest[i].IsIndex {
			return nil, fmt.Errorf("no such entry")
		}
		value = "{ " + json5.QuoteKey(rest[i].Key) + ": " + value + " }"
	}
	if rest[0].IsIndex || node.Kind != json5.Object {
		return nil, fmt.Errorf("%s where an object is wanted", node.Kind)
	}
	return node.AppendMember(rest[0].Key, value), nil
}

// maxShown bounds what is shown of one key, in bytes: who has a longer list
// finds the place without it.
const maxShown = 600

// tell gives an instruction, and the key as it then reads.
func (d *draft) tell(s *instruction) []string {
	node, done, rest, err := d.find(s.anchor)
	if err != nil || len(rest) > 0 || len(done) == 0 || done[len(done)-1].IsIndex {
		return s.lines
	}
	text := json5.QuoteKey(done[len(done)-1].Key) + ": " + node.Source() + ","
	if len(text) > maxShown {
		return s.lines
	}
	lines := slices.Clone(s.lines)
	lines[len(lines)-1] += ", so that it reads"
	return append(lines, indented(text)...)
}
