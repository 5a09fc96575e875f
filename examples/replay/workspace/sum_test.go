package sum

import "testing"

func TestOf(t *testing.T) {
	for want, numbers := range map[int][]int{
		0: {},
		7: {7},
		6: {1, 2, 3},
	} {
		if got := Of(numbers...); got != want {
			t.Errorf("Of(%v) = %d, want %d", numbers, got, want)
		}
	}
}
