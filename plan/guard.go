package plan

import "github.com/toolrest/toolrest/policy"

// Guard refuses to start a turn in which allow lists ask for tools and none is
// left to call: a model without its tools would make up what they say. Its
// error is a [*policy.GuardError]; nil is good.
func (p *Plan) Guard(run policy.Run, facts policy.GuardFacts) error {
	if e := policy.Guard(policy.ListSources(p.pipeline.Layers(), run), p.Names(), facts); e != nil {
		return e
	}
	return nil
}
