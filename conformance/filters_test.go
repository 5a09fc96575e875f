package conformance

var filtersAnswers = map[string]answer{}
