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
