package conformance

var resolveAnswers = map[string]answer{}
