package config_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/internal/config"
)

func TestSecretsAreNotPrinted(t *testing.T) {
	p := newPlace(t)
	p.own(`{ models: { providers: { p: { apiKey: 'hunter2' } } } }`)
	c := p.mustLoad()
	provider := c.Models.Providers[0]
	if provider.APIKey.Reveal() != "hunter2" || provider.APIKey.IsZero() {
		t.Fatal("the secret is lost")
	}
	hidden := struct{ inner config.Provider }{provider} // fmt cannot call methods through it
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%p", "%w"} {
		fmt.Fprintf(&out, verb+" "+verb+" "+verb+" "+verb+"\n", provider.APIKey, provider, hidden, &hidden)
	}
	encoded, err := json.Marshal(provider)
	if err != nil {
		t.Fatal(err)
	}
	out.Write(encoded)
	for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(handler).Info("x", "key", provider.APIKey, "provider", provider, "hidden", hidden)
	}
	for _, leak := range []string{"hunter2", fmt.Sprintf("%x", "hunter2"), fmt.Sprintf("%X", "hunter2"), "[104 117"} {
		if strings.Contains(out.String(), leak) {
			t.Errorf("%q is printed:\n%s", leak, out.String())
		}
	}
	if !strings.Contains(string(encoded), "(secret)") {
		t.Errorf("JSON %s", encoded)
	}
	if zero := (config.Secret{}); !zero.IsZero() || zero.Reveal() != "" {
		t.Error("the zero secret is not empty")
	}
}
