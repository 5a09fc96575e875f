package arguments

import (
	"testing"

	"github.com/toolrest/toolrest"
	"github.com/toolrest/toolrest/internal/tool/applypatch"
	"github.com/toolrest/toolrest/internal/tool/edit"
	"github.com/toolrest/toolrest/internal/tool/exec"
	"github.com/toolrest/toolrest/internal/tool/read"
	"github.com/toolrest/toolrest/internal/tool/write"
)

// The calls that are most of all calls take the short way: the schemas of
// these tools hold nothing that the quick look does not know.
func TestCoreToolsTakeTheShortWay(t *testing.T) {
	for _, c := range []struct {
		tool toolrest.Descriptor
		args string
	}{
		{read.Describe(), `{"path":"a.txt","offset":1,"limit":20}`},
		{write.Describe(), `{"path":"a.txt","content":"two\nlines \u00e4\n"}`},
		{edit.Describe(), `{"path":"a.txt","edits":[{"oldText":"a\n","newText":""}]}`},
		{applypatch.Describe(), `{"input":"*** Begin Patch\n*** End Patch\n"}`},
		{exec.Describe(), `{"command":"ls -l","timeout":10}`},
	} {
		if s := compile(t, string(c.tool.InputSchema)); !s.Accepts([]byte(c.args)) {
			t.Errorf("%s: the long way for %s: %v", c.tool.Name, c.args, s.Validate([]byte(c.args)))
		}
	}
}
