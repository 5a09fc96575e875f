package policy

// Place is a layer's place in the pipeline. Layers stand in the order of these
// constants.
type Place uint8

// The places. From Profile to Inherited they are the layers of the config, in
// the order of OpenClaw; the ones before are filters and the run's own gates.
const (
	PlaceBaseline        Place = iota // what an untrusted config cannot widen
	PlaceRun                          // the run's own allow list, and runs that only save
	PlaceMessageProvider              // what a chat service cannot carry
	PlaceModel                        // what the model does itself, or is too small for
	PlaceOwner                        // tools for the owner alone
	PlaceOptional                     // optional plugin tools, which want to be named
	PlaceProfile
	PlaceProviderProfile
	PlaceTools
	PlaceProvider
	PlaceAgent
	PlaceAgentProvider
	PlaceGroup
	PlaceSender
	PlaceSandbox
	PlaceSubagent
	PlaceInherited
	PlaceSurface // what a door does not offer
	PlaceActive  // the active set of the session
)

// IsFilter reports whether the place is beside the layers that a config's lists
// make.
func (p Place) IsFilter() bool { return p < PlaceProfile || p > PlaceInherited }
