package tactical

import (
	"slices"
	"testing"
)

func TestSplitGivesEachPhaseItsShare(t *testing.T) {
	split := Split{{0, 0, 0}, {0, 1, 0}, {1, 0, 1}}
	for points, want := range [][]int{{0, 0, 0}, {0, 1, 0}, {1, 0, 1}, {1, 1, 1}, {1, 2, 1}, {2, 1, 2}, {2, 2, 2}} {
		if got := split.Points(points); !slices.Equal(got, want) {
			t.Errorf("%d points are split %v, want %v", points, got, want)
		}
	}
	if got := Split(nil).Points(4); len(got) != 0 {
		t.Errorf("a turn without phases gives %v", got)
	}
}

func TestRingNumbersShieldsClockwise(t *testing.T) {
	for ahead, want := range map[Ring][]int{1: {1, 2, 3, 4, 5, 6}, 2: {2, 3, 4, 5, 6, 1}} {
		for side, number := range want {
			if got := ahead.Number(side); got != number {
				t.Errorf("with %d ahead side %d has shield %d, want %d", ahead, side, got, number)
			}
			if got := ahead.Side(number); got != side {
				t.Errorf("with %d ahead shield %d is on side %d, want %d", ahead, number, got, side)
			}
		}
	}
	if got, want := Ring(2).Nearest(1), []int{1, 2, 6, 3, 5, 4}; !slices.Equal(got, want) {
		t.Errorf("the shields nearest to 1 are %v, want %v", got, want)
	}
}
