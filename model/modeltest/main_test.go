package modeltest_test

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// story is one tool round trip with everything in it that is hard to cut:
// escapes, characters of several bytes, two calls at once.
const (
	args1 = `{"path":"dir/\u00e9\n\"quoted\".txt","note":"naïve – 漢字 😀"}`
	args2 = `{"command":"go test ./...","n":[1,2,{"deep":true}]}`
	words = "Grüße: <b>& „quotes“</b> 😀\nsecond line"
)
