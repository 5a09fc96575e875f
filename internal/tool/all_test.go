package tool

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/toolrest/toolrest"
)

// No more calls hold files at the same time than there are slots, and one that
// waits for a slot can be cancelled.
func TestLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		block := make(chan struct{})
		var at, most int
		one := toolrest.Handler(func(context.Context, *toolrest.Call) (*toolrest.Result, error) {
			at++
			most = max(most, at)
			<-block
			at--
			return toolrest.TextResult("ok"), nil
		})
		slots := make(chan struct{}, 1)
		queued := limited(one, slots)
		done := make(chan error, 2)
		run := func(ctx context.Context) {
			_, err := queued.Execute(ctx, &toolrest.Call{})
			done <- err
		}
		go run(t.Context())
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		go run(ctx)
		synctest.Wait()
		cancel()
		if err := <-done; err != context.Canceled {
			t.Errorf("err = %v", err)
		}
		close(block)
		if err := <-done; err != nil || most != 1 {
			t.Errorf("err = %v, %d at once", err, most)
		}
	})
}
