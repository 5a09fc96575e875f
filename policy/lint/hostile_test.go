package lint_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/lint"
	"github.com/toolrest/toolrest/policy/survey"
)

func entries(n int, text func(int) string) policy.List {
	l := policy.List{Set: true}
	for i := range n {
		l.Entries = append(l.Entries, policy.Entry{Text: text(i)})
	}
	return l
}

// Configs of any size come to an end, and what was not looked at is said.
func TestLargeConfigsAreBounded(t *testing.T) {
	many := func(i int) string { return fmt.Sprintf("tool_%d", i) }
	sections := func(n int) (out []policy.KeyedSection) {
		for i := range n {
			out = append(out, policy.KeyedSection{Key: fmt.Sprintf("id:%d", i), Section: policy.Section{Deny: entries(1, many)}})
		}
		return out
	}
	groups := make([]policy.Group, 3000)
	for i := range groups {
		groups[i] = policy.Group{ID: fmt.Sprint(i), Tools: &policy.Section{Deny: entries(1, many)}}
	}
	for name, c := range map[string]struct {
		cfg     policy.Config
		bounded string
	}{
		"a long list":  {policy.Config{Tools: policy.Scope{Section: policy.Section{Deny: entries(20_000, many)}}}, "entries were not weighed"},
		"many senders": {policy.Config{Tools: policy.Scope{BySender: sections(3000)}}, "situations beyond"},
		"many groups":  {policy.Config{Channels: []policy.Channel{{ID: "chat", Groups: groups}}}, "situations beyond"},
		"long names": {policy.Config{Tools: policy.Scope{Section: policy.Section{
			Deny: entries(20, func(i int) string { return strings.Repeat("x*", 5000+i) }),
		}}}, ""},
		"odd bytes": {policy.Config{Tools: policy.Scope{Section: policy.Section{
			Allow: entries(3, func(i int) string { return "\xff\x00\n" + strings.Repeat("\x1b", i) }),
		}}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			report, err := lint.Check(context.Background(), &c.cfg, survey.NewInventory(policy.Default, nil), &lint.Options{Situations: 200, Work: 3_000_000})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(report.Bounded, "\n"); !strings.Contains(got, c.bounded) || (c.bounded == "") != (got == "") {
				t.Errorf("bounded: %q, want %q", got, c.bounded)
			}
			for _, f := range report.Findings {
				if len(f.Text) > 400 {
					t.Errorf("a text of %d bytes", len(f.Text))
				}
			}
		})
	}
}

func TestCheckEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	cfg := &policy.Config{Tools: policy.Scope{Section: policy.Section{Deny: entries(3, func(i int) string { return fmt.Sprint(i) })}}}
	if _, err := lint.Check(ctx, cfg, survey.NewInventory(policy.Default, nil), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}
