package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Rewrite writes value in the order of text, which holds a value of the same
// shape; members that value lacks are left out. Where nothing differs it gives
// text. Both are of what [Decode] gives.
func Rewrite(text json.RawMessage, value any) (json.RawMessage, error) {
	w := rewriter{dec: json.NewDecoder(bytes.NewReader(text))}
	w.dec.UseNumber()
	if err := w.value(value, true); err != nil {
		return nil, fmt.Errorf("write a value again: %w", err)
	}
	if !w.changed {
		return text, nil
	}
	return w.out.Bytes(), nil
}

type rewriter struct {
	dec     *json.Decoder
	out     bytes.Buffer
	changed bool
}

// value passes one value of the text by, and writes v for it when keep is set.
func (w *rewriter) value(v any, keep bool) error {
	token, err := w.dec.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('{'):
		object, _ := v.(map[string]any)
		return w.members(object, keep)
	case json.Delim('['):
		list, _ := v.([]any)
		return w.items(list, keep)
	}
	switch v.(type) {
	case map[string]any, []any: // in the place of a null
		w.changed = true
	default:
		w.changed = w.changed || !keep || v != any(token)
	}
	if keep {
		return w.write(v)
	}
	return nil
}

func (w *rewriter) members(object map[string]any, keep bool) error {
	between := w.open('{', keep)
	for w.dec.More() {
		name, err := w.dec.Token()
		if err != nil {
			return err
		}
		member, ok := object[name.(string)]
		if keep && ok {
			between()
			if err := w.write(name); err != nil {
				return err
			}
			w.out.WriteByte(':')
		}
		if err := w.value(member, keep && ok); err != nil {
			return err
		}
	}
	return w.end('}', keep)
}

func (w *rewriter) items(list []any, keep bool) error {
	between := w.open('[', keep)
	for i := 0; w.dec.More(); i++ {
		ok := keep && i < len(list)
		var item any
		if ok {
			between()
			item = list[i]
		}
		if err := w.value(item, ok); err != nil {
			return err
		}
	}
	return w.end(']', keep)
}

// open writes the beginning, and gives what to call before each part.
func (w *rewriter) open(c byte, keep bool) (between func()) {
	if !keep {
		return func() {}
	}
	w.out.WriteByte(c)
	first := true
	return func() {
		if !first {
			w.out.WriteByte(',')
		}
		first = false
	}
}

func (w *rewriter) end(c byte, keep bool) error {
	if keep {
		w.out.WriteByte(c)
	}
	_, err := w.dec.Token()
	return err
}

func (w *rewriter) write(v any) error {
	enc := json.NewEncoder(&w.out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	w.out.Truncate(w.out.Len() - 1) // its line break
	return nil
}
