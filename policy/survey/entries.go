package survey

import "github.com/toolrest/toolrest/policy"

// Entries gives the texts of all lists of the configs.
func Entries(configs ...*policy.Config) []string {
	var out []string
	for _, cfg := range configs {
		for ; cfg != nil; cfg = cfg.Base {
			Sections(cfg, func(s *policy.Section) {
				for _, l := range []*policy.List{&s.Allow, &s.AlsoAllow, &s.Deny} {
					for _, e := range l.Entries {
						out = append(out, e.Text)
					}
				}
			})
		}
	}
	return out
}

// Sections visits every section of a config, but not those of its base.
func Sections(cfg *policy.Config, visit func(*policy.Section)) {
	keyed := func(list []policy.KeyedSection) {
		for i := range list {
			visit(&list[i].Section)
		}
	}
	scope := func(s *policy.Scope) {
		visit(&s.Section)
		keyed(s.ByProvider)
		keyed(s.BySender)
		visit(&s.Sandbox)
		visit(&s.Subagents)
	}
	groups := func(list []policy.Group) {
		for i := range list {
			if list[i].Tools != nil {
				visit(list[i].Tools)
			}
			keyed(list[i].BySender)
		}
	}
	scope(&cfg.Tools)
	for i := range cfg.Agents {
		scope(&cfg.Agents[i].Tools)
	}
	for i := range cfg.Channels {
		groups(cfg.Channels[i].Groups)
		for j := range cfg.Channels[i].Accounts {
			groups(cfg.Channels[i].Accounts[j].Groups)
		}
	}
	visit(&cfg.Gateway)
}
