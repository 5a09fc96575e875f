package conformance

var pipelineAnswers = map[string]answer{}
