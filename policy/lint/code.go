package lint

// Code names a kind of finding. The values are stable: programs and people
// refer to them, and docs/lint.md has a paragraph about each.
type Code string

// The codes.
const (
	DeadAllow         Code = "dead-allow"           // an allow entry that no decision depends on
	DeadDeny          Code = "dead-deny"            // a deny entry that no decision depends on
	NeverTogether     Code = "never-together"       // an allow list that has nothing in common with what other layers leave
	UnknownName       Code = "unknown-name"         // an entry that names nothing that exists
	AllowAndAlsoAllow Code = "allow-and-also-allow" // both lists in one scope
	EmptyAllow        Code = "empty-allow"          // an allow list without entries, which restricts nothing
	PluginOnlyList    Code = "plugin-only-list"     // an allow list that names plugin tools alone
	ExecWithoutWrite  Code = "exec-without-write"   // commands may run where files may not be written
	ProfileHidesTools Code = "profile-hides-plugin" // a profile that takes away tools of plugins or servers
	SectionNoTool     Code = "section-without-tool" // tools.exec or tools.fs is set up, and the profile lacks the tools
	SandboxOff        Code = "sandbox-off"          // lists for a sandbox that nobody runs in
	Refused           Code = "refused"              // the loader refuses the config
	BareSender        Code = "bare-sender"          // a key of toolsBySender that does not say what it names
)

// Codes are all codes, sorted as they are explained.
var Codes = []Code{
	DeadAllow, DeadDeny, NeverTogether, UnknownName, AllowAndAlsoAllow, EmptyAllow, PluginOnlyList,
	ExecWithoutWrite, ProfileHidesTools, SectionNoTool, SandboxOff, BareSender, Refused,
}

// Severity says how bad a finding is.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // the config is refused, or says the opposite of what it does
	Warning Severity = "warning" // somebody is mistaken about what the config does
	Note    Severity = "note"    // it works; it could be said better
)

var severities = map[Code]Severity{
	DeadAllow: Warning, DeadDeny: Warning, NeverTogether: Error, UnknownName: Warning,
	AllowAndAlsoAllow: Error, EmptyAllow: Error, PluginOnlyList: Warning, ExecWithoutWrite: Warning,
	ProfileHidesTools: Warning, SectionNoTool: Warning, SandboxOff: Warning, BareSender: Note, Refused: Error,
}
