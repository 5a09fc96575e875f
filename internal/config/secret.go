package config

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is a text that is not printed: not by fmt, not by log/slog, not as
// JSON. [Secret.Reveal] gives it to the one who needs it. The zero Secret is
// empty.
type Secret struct {
	// A pointer, so that a printer that goes around the methods shows no text.
	text *string
}

const concealed = "(secret)"

func newSecret(text string) Secret { return Secret{text: &text} }

// Reveal gives the text itself.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// IsZero reports whether there is no text.
func (s Secret) IsZero() bool { return s.Reveal() == "" }

// String does not give the text.
func (s Secret) String() string { return concealed }

// Format writes the same for every verb.
func (s Secret) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, concealed) }

// LogValue is what log/slog prints.
func (s Secret) LogValue() slog.Value { return slog.StringValue(concealed) }

// MarshalText is what encoders write.
func (s Secret) MarshalText() ([]byte, error) { return []byte(concealed), nil }
