package plan

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/names"
)

// Facts are what availability is judged by. A nil field means that nothing of
// its kind is there.
type Facts struct {
	AuthProviders map[string]bool
	Config        map[string]any
	Env           func(name string) string
	Plugins       map[string]bool
	Values        map[string]any
	// Available answers the check "available" for a config path that has a
	// value.
	Available func(path []string) bool
}

// Diagnostic is one reason why a tool is hidden.
type Diagnostic struct {
	Reason  string           `json:"reason"` // a stable word: "auth-missing"
	Signal  *toolrest.Signal `json:"signal,omitempty"`
	Message string           `json:"message"`
}

// evaluate gives the reasons against availability; none means available.
func evaluate(a *toolrest.Availability, f Facts) []Diagnostic {
	switch {
	case a == nil:
		return nil
	case a.Signal != nil:
		return evaluateSignal(*a.Signal, f)
	case a.AllOf != nil && len(a.AllOf) == 0:
	case a.AllOf != nil:
		var out []Diagnostic
		for i := range a.AllOf {
			out = append(out, evaluate(&a.AllOf[i], f)...)
		}
		return out
	case len(a.AnyOf) > 0:
		return evaluateAny(a.AnyOf, f)
	}
	return []Diagnostic{unsupported(nil, "an availability expression without a signal or parts")}
}

// evaluateAny is satisfied by one part, but a malformed part hides the tool
// all the same: nobody knows what it was meant to demand.
func evaluateAny(parts []toolrest.Availability, f Facts) []Diagnostic {
	var all, malformed []Diagnostic
	var satisfied bool
	for i := range parts {
		found := evaluate(&parts[i], f)
		satisfied = satisfied || len(found) == 0
		for _, d := range found {
			all = append(all, d)
			if d.Reason == reasonUnsupported {
				malformed = append(malformed, d)
			}
		}
	}
	if satisfied {
		return malformed
	}
	return all
}

const reasonUnsupported = "unsupported-signal"

func unsupported(s *toolrest.Signal, what string) Diagnostic {
	return Diagnostic{Reason: reasonUnsupported, Signal: s, Message: "cannot judge " + what}
}

func evaluateSignal(s toolrest.Signal, f Facts) []Diagnostic {
	if !known(s.Kind) {
		return []Diagnostic{unsupported(&s, fmt.Sprintf("the signal %q", s.Kind))}
	}
	if signalHolds(&s, &f) {
		return nil
	}
	fail := func(reason, format string, args ...any) []Diagnostic {
		return []Diagnostic{{Reason: reason, Signal: &s, Message: fmt.Sprintf(format, args...)}}
	}
	switch s.Kind {
	case toolrest.SignalAuth:
		return fail("auth-missing", "no credentials for the provider %s", s.ProviderID)
	case toolrest.SignalConfig:
		return fail("config-missing", "the config has no usable value at %s", strings.Join(s.Path, "."))
	case toolrest.SignalEnv:
		return fail("env-missing", "the environment variable %s is not set", s.Name)
	case toolrest.SignalPlugin:
		return fail("plugin-disabled", "the plugin %s is not enabled", s.PluginID)
	}
	return fail("context-mismatch", "the run's context does not have the wanted %s", s.Key)
}

func known(k toolrest.SignalKind) bool {
	switch k {
	case toolrest.SignalAlways, toolrest.SignalAuth, toolrest.SignalConfig, toolrest.SignalEnv, toolrest.SignalPlugin, toolrest.SignalContext:
		return true
	}
	return false
}

// signalHolds reports whether a fact is as s wants it. A kind that nobody knows
// never is.
func signalHolds(s *toolrest.Signal, f *Facts) bool {
	switch s.Kind {
	case toolrest.SignalAlways:
		return true
	case toolrest.SignalAuth:
		return f.AuthProviders[s.ProviderID]
	case toolrest.SignalConfig:
		return configHolds(s, f)
	case toolrest.SignalEnv:
		return f.Env != nil && names.Trim(f.Env(s.Name)) != ""
	case toolrest.SignalPlugin:
		return f.Plugins[s.PluginID]
	case toolrest.SignalContext:
		value, there := f.Values[s.Key]
		whatever := !s.HasEquals && s.Equals == nil
		return there && (whatever || equal(value, s.Equals))
	}
	return false
}

func configHolds(s *toolrest.Signal, f *Facts) bool {
	var value any = f.Config
	if f.Config == nil {
		value = nil
	}
	for _, key := range s.Path {
		object, ok := value.(map[string]any)
		if !ok {
			return false
		}
		value = object[key]
	}
	if value == nil {
		return false
	}
	switch s.Check {
	case "", "exists":
		return true
	case "available":
		return f.Available != nil && f.Available(s.Path)
	}
	return nonEmpty(value)
}

// equal compares strictly, numbers by their value. Lists and objects equal
// nothing: a signal is about one plain value.
func equal(a, b any) bool {
	switch a.(type) {
	case nil, bool, string:
		return a == b
	}
	x, ok := number(a)
	y, too := number(b)
	return ok && too && x == y
}

func number(v any) (float64, bool) {
	switch r := reflect.ValueOf(v); {
	case v == nil:
		return 0, false
	case r.CanInt():
		return float64(r.Int()), true
	case r.CanUint():
		return float64(r.Uint()), true
	case r.CanFloat():
		return r.Float(), true
	}
	return 0, false
}

func nonEmpty(value any) bool {
	switch v := value.(type) {
	case string:
		return names.Trim(v) != ""
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	return true
}
