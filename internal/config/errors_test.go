package config_test

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolrest/toolrest/internal/config"
)

// TestErrors holds what Load says to the broken configs of testdata/errors.
func TestErrors(t *testing.T) {
	eachArchive(t, "errors", func(p *place, _ *txtar.Archive) string {
		c, err := p.load()
		if err == nil {
			p.t.Fatalf("loaded from %q", c.File)
		}
		if strings.Contains(err.Error(), "hunter2") {
			p.t.Errorf("the error shows what a variable holds: %v", err)
		}
		return err.Error()
	})
}

func TestErrorsAreBounded(t *testing.T) {
	p := newPlace(t)
	p.here("{" + strings.Repeat("tools: 1,", 40) + "tools: {deny: [" + strings.Repeat("1,", 5000) + "]}}")
	_, err := p.load()
	all := asErrors(t, err)
	if len(all) != 101 || !strings.Contains(err.Error(), "too many errors") {
		t.Errorf("%d errors", len(all))
	}
}

func TestErrorsInTheOrderOfTheFile(t *testing.T) {
	p := newPlace(t)
	p.here("{\n agents: { list: [{ id: '!' }] },\n tools: { x: 1, allow: [] },\n y: 1,\n}")
	_, err := p.load()
	var before *config.Error
	for _, e := range asErrors(t, err) {
		if before != nil && (e.Line < before.Line || e.Line == before.Line && e.Col < before.Col) {
			t.Errorf("%v comes after %v", e, before)
		}
		before = e
	}
}
