package conformance

var registryAnswers = map[string]answer{}
