package plan

import "github.com/toolrest/toolrest/policy"

// GuardStep gives what the guard does to every tool of a run as a step of its
// trace, and whether it does anything.
func (p *Plan) GuardStep(run policy.Run, facts policy.GuardFacts) (policy.Step, bool) {
	e := policy.Guard(policy.ListSources(p.pipeline.Layers(), run), p.Names(), facts)
	if e == nil {
		return policy.Step{}, false
	}
	return policy.Step{Layer: "guard of the run", Effect: policy.Stopped, Pos: e.Sources[0].Pos, Why: e.Error(), Place: policy.PlaceActive}, true
}

// Guard refuses to start a turn in which allow lists ask for tools and none is
// left to call: a model without its tools would make up what they say. Its
// error is a [*policy.GuardError]; nil is good.
func (p *Plan) Guard(run policy.Run, facts policy.GuardFacts) error {
	if e := policy.Guard(policy.ListSources(p.pipeline.Layers(), run), p.Names(), facts); e != nil {
		return e
	}
	return nil
}
