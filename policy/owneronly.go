package policy

import "github.com/toolrest/toolrest"

// LabelOwner is the label of the layer that keeps tools for the owner.
const LabelOwner = "owner only"

// ownerLayer removes the owner's tools for everybody else. In the dialect
// OpenClaw an agent's run has no such layer; doors from outside have.
func ownerLayer(d Dialect, at toolrest.Surface, owner bool) (Layer, bool) {
	if owner || d == OpenClaw && !fromOutside(at) {
		return Layer{}, false
	}
	l := Layer{
		Label: LabelOwner, Place: PlaceOwner, Exact: d == OpenClaw,
		Why:    "only the owner may use it, and this caller is not the owner",
		Remedy: "let the owner ask: the local user, a token that was made the owner's, or a sender whom commands.ownerAllowFrom names",
	}
	for _, row := range d.catalogue().All() {
		if row.OwnerOnly {
			l.Deny = append(l.Deny, Entry{Text: row.ID})
		}
	}
	return l, true
}

// fromOutside reports whether a door is open to other programs than the one
// that runs the agent.
func fromOutside(at toolrest.Surface) bool {
	return at == toolrest.SurfaceHTTP || at == toolrest.SurfaceMCPHTTP
}
