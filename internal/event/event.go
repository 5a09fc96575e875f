// Package event tells what changed: who could use which tool, since when and
// by which change. It records; it decides nothing.
package event

import (
	"time"

	"github.com/toolrest/toolrest/plan"
)

// TypePlanChanged is the type of [PlanChanged].
const TypePlanChanged = "plan.changed"

// PlanChanged says that a swap of the config or of the tools changed what one
// agent has.
type PlanChanged struct {
	Type  string    `json:"type"`
	Time  time.Time `json:"time"`
	Agent string    `json:"agent"`
	plan.Change
}
