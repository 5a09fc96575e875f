package diff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/toolrest/toolrest/internal/config"
	"github.com/toolrest/toolrest/policy"
	"github.com/toolrest/toolrest/policy/diff"
	"github.com/toolrest/toolrest/policy/survey"
)

func read(t interface{ Fatal(...any) }, name, text string) *policy.Config {
	cfg, err := config.ReadPolicy(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func compare(old, new *policy.Config) (diff.Report, []survey.Situation) {
	situations := survey.Of([]*policy.Config{new, old}, nil).Situations
	inv := survey.NewInventory(policy.Default, nil)
	return diff.Compare(old, new, inv, situations), situations
}

// tell prints a report, a line a change.
func tell(r diff.Report) string {
	var b strings.Builder
	for _, a := range r.Agents {
		fmt.Fprintf(&b, "agent %s new %v: %d\n", a.ID, a.New, a.Tools)
	}
	for _, block := range r.Blocks {
		b.WriteString(block.Where + ":\n")
		for _, c := range block.Changes {
			sign := "-"
			if c.Appears {
				sign = "+"
			}
			fmt.Fprintf(&b, " %s%s: %s -> %s\n", sign, c.Tool, c.Before, c.After)
		}
	}
	return b.String()
}

// owners are the lines of the tools that the owner alone has.
func owners(sign string) string {
	const free, removed = "no layer restricts it", "removed by owner only: only the owner may use it, and this caller is not the owner"
	change := removed + " -> " + free
	if sign == "-" {
		change = free + " -> " + removed
	}
	var b strings.Builder
	for _, tool := range []string{"cron", "gateway", "nodes"} {
		fmt.Fprintf(&b, " %s%s: %s\n", sign, tool, change)
	}
	return b.String()
}

func TestCompare(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"other words": {
			`{ tools: { deny: ['exec', 'process', 'code_execution'] } }`, `{ tools: { deny: ['group:runtime'] } }`, "",
		},
		"everywhere": {
			`{ tools: { profile: 'minimal' } }`, `{ tools: { profile: 'minimal', alsoAllow: ['tts'] } }`,
			"everywhere:\n +tts: not part of tools.profile (minimal) (o:1:21) -> allowed by tools.allow, rule 'tts' (n:1:44)\n",
		},
		"one agent": {
			`{ agents: { list: [ { id: 'a' }, { id: 'b' } ] } }`, `{ agents: { list: [ { id: 'a', tools: { deny: ['read'] } }, { id: 'b' } ] } }`,
			"a:\n -read: no layer restricts it -> denied by agents.a.tools.deny, rule 'read' (n:1:48)\n",
		},
		"one model of all agents": {
			`{ agents: { list: [ { id: 'a' } ] } }`, `{ agents: { list: [ { id: 'a' } ] }, tools: { byProvider: { 'o/m': { deny: ['read'] } } } }`,
			"main, model o/m; a, model o/m:\n -read: no layer restricts it -> denied by tools.byProvider.deny, rule 'read' (n:1:77)\n",
		},
		"all but some": {
			`{ tools: { toolsBySender: { 'id:1': { deny: ['read'] } } } }`, `{ tools: { deny: ['read'], toolsBySender: { 'id:1': {} } } }`,
			"main; main, sub-agent at depth 1; main, not the local user:\n" +
				" -read: no layer restricts it -> denied by tools.deny, rule 'read' (n:1:19)\n",
		},
		"one model had it already": {
			`{ tools: { byProvider: { o: { deny: ['read'] } } } }`, `{ tools: { deny: ['read'] } }`,
			"main, but not: provider o:\n -read: no layer restricts it -> denied by tools.deny, rule 'read' (n:1:19)\n",
		},
		"who is the owner": {
			`{ commands: { ownerAllowFrom: ['1'] } }`, `{ commands: { ownerAllowFrom: ['2'] } }`,
			"main, sender 2, not the local user:\n" + owners("+") +
				"main, sender 1, not the local user:\n" + owners("-"),
		},
		"agents come and go": {
			`{ agents: { list: [ { id: 'a', tools: { allow: ['read'] } } ] } }`, `{ agents: { list: [ { id: 'b', tools: { allow: ['read', 'tts'] } } ] } }`,
			"agent b new true: 2\nagent a new false: 1\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			report, _ := compare(read(t, "o", c.old), read(t, "n", c.new))
			if diff := cmp.Diff(c.want, tell(report)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if report.Same() != (c.want == "") {
				t.Errorf("same: %v", report.Same())
			}
		})
	}
}

// The report holds exactly the decisions that differ, and turned round it is
// the same with the signs turned round.
func TestCompareIsExact(t *testing.T) {
	entry := rapid.SampledFrom([]string{"'read'", "'group:fs'", "'web_*'", "'exec'", "'cron'", "'nonsense'", "'*'"})
	section := rapid.Custom(func(t *rapid.T) string {
		key := rapid.SampledFrom([]string{"allow", "alsoAllow", "deny"}).Draw(t, "key")
		return fmt.Sprintf("%s: [%s]", key, strings.Join(rapid.SliceOfN(entry, 0, 3).Draw(t, "list"), ","))
	})
	text := rapid.Custom(func(t *rapid.T) string {
		return fmt.Sprintf("{ tools: { profile: '%s', %s, byProvider: { o: { %s } } }, agents: { list: [ { id: 'a', tools: { %s } } ] } }",
			rapid.SampledFrom([]string{"minimal", "coding", "full"}).Draw(t, "profile"), section.Draw(t, "tools"), section.Draw(t, "provider"), section.Draw(t, "agent"))
	})
	rapid.Check(t, func(t *rapid.T) {
		old, new := read(t, "o", text.Draw(t, "old")), read(t, "n", text.Draw(t, "new"))
		report, situations := compare(old, new)
		var told, want []string
		for _, b := range report.Blocks {
			for _, s := range b.Situations {
				for _, c := range b.Changes {
					told = append(told, fmt.Sprint(s, c.Tool, c.Appears))
					if c.Before.Text == "" || c.After.Text == "" || c.Before == c.After {
						t.Fatalf("no reason: %+v", c)
					}
				}
			}
		}
		inv := survey.NewInventory(policy.Default, nil)
		for _, s := range situations {
			was, is := inv.Pipeline(old, &s), inv.Pipeline(new, &s)
			for _, tool := range inv.Tools {
				if had, has := was.Decide(tool).Kept, is.Decide(tool).Kept; had != has {
					want = append(want, fmt.Sprint(s.String(), tool.Name, has))
				}
			}
		}
		slices.Sort(told)
		slices.Sort(want)
		if !slices.Equal(told, want) {
			t.Fatalf("told %q\nwant %q", told, want)
		}
		turned, _ := compare(new, old)
		if len(turned.Blocks) != len(report.Blocks) {
			t.Fatalf("turned round it differs otherwise:\n%s\n%s", tell(report), tell(turned))
		}
	})
}
