package hex

import (
	"iter"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func anyHex() *rapid.Generator[Hex] {
	return rapid.Custom(func(t *rapid.T) Hex {
		most := rapid.SampledFrom([]int{5, 99, maxCoord}).Draw(t, "most")
		coord := rapid.IntRange(-most, most)
		return At(coord.Draw(t, "col"), coord.Draw(t, "row"))
	})
}

func anyHeading() *rapid.Generator[Heading] {
	return rapid.Custom(func(t *rapid.T) Heading {
		return Heading(rapid.IntRange(0, 5).Draw(t, "heading"))
	})
}

// rotate turns the whole map by 60 degrees clockwise about the origin.
func rotate(h Hex) Hex { return Hex{-h.R, h.Q + h.R} }

func TestStepsOnThePrintedMap(t *testing.T) {
	// Even columns sit half a hex lower (D4).
	for _, tc := range []struct {
		from string
		want [6]string
	}{
		{"0505", [6]string{"0504", "0604", "0605", "0506", "0405", "0404"}},
		{"0605", [6]string{"0604", "0705", "0706", "0606", "0506", "0505"}},
		{"0101", [6]string{"01.0", "02.0", "0201", "0102", "0.01", "0.0"}},
		{"-1.-1", [6]string{"-1.-2", "0.-2", "0.-1", "-1.0", "-2.-1", "-2.-2"}},
	} {
		from, err := ParseLabel(tc.from)
		if err != nil {
			t.Fatal(err)
		}
		for h := A; h <= F; h++ {
			if got := from.Step(h).Label(); got != tc.want[h] {
				t.Errorf("%s step %s = %s, want %s", tc.from, h, got, tc.want[h])
			}
		}
	}
}

func TestDistanceOnThePrintedMap(t *testing.T) {
	for _, tc := range []struct {
		a, b Hex
		want int
	}{
		{At(1, 1), At(1, 1), 0},
		{At(1, 1), At(1, 9), 8},
		{At(1, 1), At(9, 1), 8},
		{At(1, 1), At(9, 5), 8},
		{At(1, 1), At(9, 6), 9},
		{At(3, 8), At(7, 2), 8},
		{At(-3, 8), At(4, 8), 7},
	} {
		if got := Distance(tc.a, tc.b); got != tc.want {
			t.Errorf("Distance(%s, %s) = %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
}

func TestHexLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := anyHex().Draw(t, "a"), anyHex().Draw(t, "b"), anyHex().Draw(t, "c")
		h := anyHeading().Draw(t, "h")
		n := rapid.IntRange(-50, 50).Draw(t, "n")

		if got := At(a.ColRow()); got != a {
			t.Errorf("At(ColRow) of %v = %v", a, got)
		}
		if Distance(a, b) != Distance(b, a) {
			t.Errorf("distance of %s and %s depends on the order", a, b)
		}
		if (Distance(a, b) == 0) != (a == b) {
			t.Errorf("distance of %s and %s is %d", a, b, Distance(a, b))
		}
		if Distance(a, c) > Distance(a, b)+Distance(b, c) {
			t.Errorf("a detour by %s from %s to %s is shorter", b, a, c)
		}
		if Distance(rotate(a), rotate(b)) != Distance(a, b) {
			t.Errorf("rotating changes the distance of %s and %s", a, b)
		}
		if got := Distance(a, a.StepN(h, n)); got != magnitude(n) {
			t.Errorf("%d steps %s are a distance of %d", n, h, got)
		}
		if got := a.Step(h).Step(h.Reverse()); got != a {
			t.Errorf("there and back from %s is %s", a, got)
		}
		if got := a.StepN(h, -n); got != a.StepN(h.Reverse(), n) {
			t.Errorf("backwards from %s is %s", a, got)
		}
	})
}

func TestHeadings(t *testing.T) {
	for h, letter := range []string{"A", "B", "C", "D", "E", "F"} {
		h := Heading(h)
		if h.String() != letter {
			t.Errorf("heading %d is %s, want %s", h, h, letter)
		}
		for n := -14; n <= 14; n++ {
			want := Heading(((int(h)+n)%6 + 6) % 6)
			if got := h.Turn(n); got != want {
				t.Errorf("%s turned %d = %s, want %s", h, n, got, want)
			}
		}
		if h.Reverse().Reverse() != h || h.Reverse() == h {
			t.Errorf("reverse of %s is %s", h, h.Reverse())
		}
	}
	if got := Heading(9).String(); got != "Heading(9)" {
		t.Errorf("no heading shows as %s", got)
	}
}

func TestRingAndWithin(t *testing.T) {
	centre := At(4, 7)
	for n := range 6 {
		ring := slices.Collect(Ring(centre, n))
		want := max(6*n, 1)
		if len(ring) != want {
			t.Errorf("ring %d has %d hexes, want %d", n, len(ring), want)
		}
		last := Point(-1)
		for _, h := range ring {
			if Distance(centre, h) != n {
				t.Errorf("ring %d has %s at distance %d", n, h, Distance(centre, h))
			}
			if n > 0 {
				p, _ := Bearing(centre, h)
				if p < last {
					t.Errorf("ring %d: %s at %s after %s", n, h, p, last)
				}
				last = p
			}
		}
		all := slices.Collect(within(centre, n))
		if len(all) != 1+3*n*(n+1) {
			t.Errorf("within %d are %d hexes", n, len(all))
		}
		seen := make(map[Hex]bool)
		for _, h := range all {
			if seen[h] {
				t.Errorf("within %d: %s twice", n, h)
			}
			seen[h] = true
		}
	}
	for h := range within(centre, -1) {
		t.Errorf("within -1: %s", h)
	}
	for h := range within(centre, 3) {
		if h != centre {
			t.Errorf("starts with %s", h)
		}
		break
	}
}

func TestBounds(t *testing.T) {
	b := Bounds{Cols: 20, Rows: 30}
	for _, tc := range []struct {
		col, row int
		want     bool
	}{
		{1, 1, true},
		{20, 30, true},
		{20, 1, true},
		{0, 1, false},
		{1, 0, false},
		{21, 1, false},
		{1, 31, false},
		{-4, 7, false},
	} {
		h := At(tc.col, tc.row)
		if b.Contains(h) != tc.want {
			t.Errorf("20x30 contains %s = %v", h, !tc.want)
		}
		if !(Bounds{}).Contains(h) {
			t.Errorf("a map without an edge does not contain %s", h)
		}
	}
}

// within yields the hexes at most that far from the centre, ring by ring from
// the inside.
func within(centre Hex, distance int) iter.Seq[Hex] {
	return func(yield func(Hex) bool) {
		for d := 0; d <= distance; d++ {
			for h := range Ring(centre, d) {
				if !yield(h) {
					return
				}
			}
		}
	}
}
