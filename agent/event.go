package agent

import (
	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/model"
)

// Event is one thing that a run tells: the events of the model but its
// [model.Done], and [CallBegan], [CallEnded], [TurnEnded] and [Ended].
type Event any

// CallBegan says that a call is handed to its tool.
type CallBegan struct{ Call model.Call }

// CallEnded brings the one result of a call. Calls of one message run at the
// same time and end in any order.
type CallEnded struct {
	Call   model.Call
	Result *toolrest.Result
}

// TurnEnded says that the model has written a whole message.
type TurnEnded struct {
	Usage model.Usage
	Stop  model.Stop
}

// Ended says that the model has stopped calling.
type Ended struct{ Stop model.Stop }
