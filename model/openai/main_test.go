package openai

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/toolrest/toolrest/model"
	"github.com/toolrest/toolrest/model/modeltest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var wire = modeltest.Wire{
	Start: modeltest.NewOpenAI,
	Open: func(name string, a model.Access) (model.Model, error) {
		return New(name, &Options{Access: a})
	},
}

func TestContract(t *testing.T) { modeltest.Contract(t, wire) }

func TestStreams(t *testing.T) { wire.Streams(t, "testdata/streams.txtar") }
