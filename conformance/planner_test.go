package conformance

var plannerAnswers = map[string]answer{}
