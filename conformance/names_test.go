package conformance

var namesAnswers = map[string]answer{}
