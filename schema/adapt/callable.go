package adapt

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/toolrest/toolrest/schema"
	"github.com/toolrest/toolrest/schema/tree"
)

// Uncallable says that no arguments are right for both sides: what the model
// may send by the adapted schema, the original refuses.
type Uncallable struct {
	Provider string
	// Path is the argument for which it was seen: "edits[0].mode".
	Path   string
	Reason string
}

func (u *Uncallable) Error() string {
	at := u.Reason
	if u.Path != "" {
		at = u.Path + ": " + u.Reason
	}
	return fmt.Sprintf("cannot be called on %s because %s", u.Provider, at)
}

// Callable looks for arguments that satisfy a schema and its form for a target
// as well. It gives a [*Fault] where the schema cannot be sent or compiled,
// and an [*Uncallable] where the arguments that it tried are right by the
// original and wrong by the adapted schema. Nil means that arguments were
// found, or that none were found for the original alone: it proves what it
// reports, not its absence. It compiles both schemas, which takes a
// millisecond; it is for registration and lint, not for calls.
func Callable(original json.RawMessage, t Target) error {
	r := Adapt(original, t)
	if r.Fault != nil {
		return r.Fault
	}
	want, err := schema.Compile(original)
	if err != nil {
		return &Fault{Reason: err.Error()}
	}
	sent, err := schema.Compile(r.Schema)
	if err != nil {
		return &Fault{Reason: "its form for the provider: " + err.Error()}
	}
	root, fault := read(original)
	if fault != nil {
		return fault
	}
	var first error
	for args := range samples(root) {
		if want.Validate(args) != nil {
			continue
		}
		err := sent.Validate(args)
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return uncallable(first, t)
}

func uncallable(err error, t Target) error {
	var invalid *schema.InvalidError
	if err == nil || !errors.As(err, &invalid) || len(invalid.Violations) == 0 {
		return nil
	}
	v := invalid.Violations[0]
	provider := t.Provider
	if provider == "" {
		provider = string(t.Kind())
	}
	return &Uncallable{Provider: provider, Path: v.Path, Reason: tree.Short(v.Text)}
}
