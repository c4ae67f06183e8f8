package hex

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// show returns a line as labels, "left/right" where it runs along a side.
func show(line [][2]Hex) string {
	var out []string
	for _, pair := range line {
		s := pair[0].Label()
		if pair[0] != pair[1] {
			s += "/" + pair[1].Label()
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestLineTable(t *testing.T) {
	for _, tc := range []struct {
		a, b Hex
		want string
	}{
		{At(5, 5), At(5, 5), ""},
		{At(5, 5), At(5, 4), ""},
		{At(5, 5), At(5, 1), "0504 0503 0502"},
		{At(5, 5), At(9, 3), "0604 0704 0803"},
		{At(5, 5), At(7, 5), "0604/0605"},
		{At(5, 5), At(9, 5), "0604/0605 0705 0804/0805"},
		{At(9, 5), At(5, 5), "0805/0804 0705 0605/0604"},
		{At(5, 5), At(6, 3), "0504/0604"},
		{At(5, 5), At(6, 2), "0504 0603"},
		// Four hexes away, five in between: it clips two at distance 2.
		{At(5, 5), At(6, 1), "0504 0603 0503 0602"},
		// One step further it meets a corner, which does not count.
		{At(5, 5), At(6, 0), "0504 0503 0602 0601"},
	} {
		if got := show(slices.Collect(Between(tc.a, tc.b))); got != tc.want {
			t.Errorf("line %s to %s: %s; want %s", tc.a, tc.b, got, tc.want)
		}
	}
}

// crossed uses the six corners of a hex, on paper scaled so that all coordinates are integers, to find whether the
// line passes through it (+1), along a side of it (0), or neither (-1). It shares no code with the walk under test.
func crossed(a, b, h Hex) int {
	// x in units of a sixth of the column spacing times root 3, y in
	// sixths of a hex height: a scaling of each axis keeps lines straight.
	paper := func(h Hex) (x, y int) {
		col, row := h.ColRow()
		return 3 * col, 2*row + 1 - (col & 1)
	}
	ax, ay := paper(a)
	bx, by := paper(b)
	hx, hy := paper(h)
	left, right, on := 0, 0, 0
	for _, c := range [6][2]int{{-1, -1}, {1, -1}, {2, 0}, {1, 1}, {-1, 1}, {-2, 0}} {
		switch s := (bx-ax)*(hy+c[1]-ay) - (by-ay)*(hx+c[0]-ax); {
		case s < 0:
			left++
		case s > 0:
			right++
		default:
			on++
		}
	}
	switch {
	case left > 0 && right > 0:
		return 1
	case on == 2:
		return 0
	default:
		return -1
	}
}

func TestLineAgainstCorners(t *testing.T) {
	for _, from := range []Hex{At(10, 10), At(11, 10)} {
		for to := range within(from, 11) {
			d := Distance(from, to)
			through, along := make(map[Hex]bool), make(map[Hex]bool)
			for h := range within(from, d) {
				// Every hex on the infinite line that is no further than d from either end lies between them.
				if from == to || h == from || h == to || Distance(h, to) > d {
					continue
				}
				switch crossed(from, to, h) {
				case 1:
					through[h] = true
				case 0:
					along[h] = true
				}
			}
			for _, pair := range slices.Collect(Between(from, to)) {
				if pair[0] == pair[1] {
					if !through[pair[0]] {
						t.Errorf("line %s to %s does not pass through %s", from, to, pair[0])
					}
					delete(through, pair[0])
					continue
				}
				for _, h := range pair {
					if !along[h] {
						t.Errorf("line %s to %s does not run along %s", from, to, h)
					}
					delete(along, h)
				}
			}
			if len(through)+len(along) > 0 {
				t.Errorf("line %s to %s misses %v %v", from, to, through, along)
			}
		}
	}
}

func TestLineLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coord := rapid.IntRange(-60, 60)
		a := At(coord.Draw(t, "col a"), coord.Draw(t, "row a"))
		b := At(coord.Draw(t, "col b"), coord.Draw(t, "row b"))
		line := slices.Collect(Between(a, b))
		back := slices.Collect(Between(b, a))
		slices.Reverse(back)
		for i := range back {
			back[i][0], back[i][1] = back[i][1], back[i][0]
		}
		if !slices.Equal(line, back) {
			t.Errorf("line %s to %s: %s; the other way %s", a, b, show(line), show(back))
		}
		d := Distance(a, b)
		if d > 0 && (len(line) < d-1 || len(line) >= 2*d) {
			t.Errorf("distance %d, line of %d", d, len(line))
		}
		turned := slices.Collect(Between(rotate(a), rotate(b)))
		for i, pair := range line {
			if turned[i] != [2]Hex{rotate(pair[0]), rotate(pair[1])} {
				t.Errorf("line %s to %s is another on the rotated map", a, b)
			}
		}
		last := [2]Hex{a, a}
		for _, pair := range append(line, [2]Hex{b, b}) {
			for k := range 2 {
				if a != b && Distance(last[k], pair[k]) != 1 {
					t.Errorf("line %s to %s has a gap: %s", a, b, show(line))
				}
			}
			last = pair
		}
	})
}

func TestLineAcrossTheLargestMap(t *testing.T) {
	a, b := At(-maxCoord, -maxCoord), At(maxCoord, maxCoord-1)
	n := 0
	for pair := range Between(a, b) {
		if n++; Distance(a, pair[0])+Distance(pair[0], b) > Distance(a, b)+1 {
			t.Fatalf("strays to %s", pair[0])
		}
	}
	if d := Distance(a, b); n < d-1 || n >= 2*d {
		t.Errorf("distance %d, line of %d", d, n)
	}
	for range Between(a, b) {
		break
	}
	for range Between(At(1, 1), At(3, 1)) {
		break
	}
}

func ExampleBetween() {
	for _, pair := range slices.Collect(Between(At(5, 5), At(9, 5))) {
		fmt.Println(pair[0], pair[1])
	}
	// Output:
	// 0604 0605
	// 0705 0705
	// 0804 0805
}

func BenchmarkLine(b *testing.B) {
	from, to := At(4, 15), At(22, 7)
	for b.Loop() {
		for range Between(from, to) {
		}
	}
}
