package plan

import "github.com/toolrest/toolrest"

// holds is whether [evaluate] gives nothing against a. It makes no reasons, for
// most expressions hold.
func holds(a *toolrest.Availability, f *Facts) bool {
	switch {
	case a == nil:
		return true
	case a.Signal != nil:
		return signalHolds(a.Signal, f)
	case a.AllOf != nil:
		for i := range a.AllOf {
			if !holds(&a.AllOf[i], f) {
				return false
			}
		}
		return len(a.AllOf) > 0
	}
	for i := range a.AnyOf {
		if holds(&a.AnyOf[i], f) {
			return sound(a)
		}
	}
	return false
}

// sound reports whether nothing in a is malformed.
func sound(a *toolrest.Availability) bool {
	if a.Signal != nil {
		return known(a.Signal.Kind)
	}
	parts := a.AnyOf
	if a.AllOf != nil {
		parts = a.AllOf
	}
	for i := range parts {
		if !sound(&parts[i]) {
			return false
		}
	}
	return len(parts) > 0
}
