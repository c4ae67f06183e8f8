package hex

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestBearingTable(t *testing.T) {
	from := At(5, 5)
	for _, tc := range []struct {
		to   Hex
		want string
	}{
		{At(5, 1), "000"},
		{At(6, 1), "000-030"},
		{At(6, 3), "030"},
		{At(7, 3), "030-060"},
		{At(6, 4), "060"},
		{At(8, 4), "060-090"},
		{At(7, 5), "090"},
		{At(8, 5), "090-120"},
		{At(6, 5), "120"},
		{At(6, 6), "150"},
		{At(5, 9), "180"},
		{At(4, 6), "210"},
		{At(4, 5), "240"},
		{At(3, 5), "270"},
		{At(4, 4), "300"},
		{At(4, 3), "330"},
		{At(4, 2), "330-360"},
	} {
		got, ok := Bearing(from, tc.to)
		if !ok || got.String() != tc.want {
			t.Errorf("bearing %s to %s = %s (%v), want %s", from, tc.to, got, ok, tc.want)
		}
	}
	if p, ok := Bearing(from, from); ok {
		t.Errorf("bearing to itself is %s", p)
	}
}

// TestBearingAgainstTrigonometry compares with floating-point angles. Within the distances tried, no odd point is
// closer than 1e-4 degrees to a multiple of 30.
func TestBearingAgainstTrigonometry(t *testing.T) {
	check := func(t interface{ Errorf(string, ...any) }, from, to Hex) {
		fx, fy := plane(from)
		tx, ty := plane(to)
		degrees := math.Mod(math.Atan2(tx-fx, fy-ty)*180/math.Pi+360, 360)
		want := 2*int(degrees/30) + 1
		if near := math.Round(degrees / 30); math.Abs(degrees-30*near) < 1e-6 {
			want = 2 * int(near) % points
		}
		if got, ok := Bearing(from, to); !ok || int(got) != want {
			t.Errorf("bearing %s to %s = %s, but the angle is %.6f", from, to, got, degrees)
		}
	}
	for _, from := range []Hex{At(10, 10), At(11, 10)} {
		for to := range within(from, 30) {
			if to != from {
				check(t, from, to)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		from, to := anyHex().Draw(t, "from"), anyHex().Draw(t, "to")
		if from != to {
			check(t, from, to)
		}
	})
}

// plane returns the centre of a hex on paper, x to the right and y down, from its printed column and row rather
// than its axial coordinates.
func plane(h Hex) (x, y float64) {
	col, row := h.ColRow()
	y = float64(row)
	if col%2 == 0 {
		y += 0.5
	}
	return float64(col) * math.Sqrt(3) / 2, y
}

func TestBearingLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyHex().Draw(t, "a"), anyHex().Draw(t, "b")
		h := anyHeading().Draw(t, "h")
		n := rapid.IntRange(-9, 9).Draw(t, "n")
		there, ok := Bearing(a, b)
		if !ok {
			if a != b {
				t.Errorf("no bearing from %s to %s", a, b)
			}
			return
		}
		if there < 0 || there >= points {
			t.Errorf("bearing %d", there)
		}
		if back, _ := Bearing(b, a); back != (there+12)%points {
			t.Errorf("bearing %s there and %s back", there, back)
		}
		if turned, _ := Bearing(rotate(a), rotate(b)); turned != (there+4)%points {
			t.Errorf("bearing %s, %s on the rotated map", there, turned)
		}
		if turned, _ := Bearing(rotate(a), rotate(b)); turned.Relative(h.Turn(1)) != there.Relative(h) {
			t.Errorf("rotating map and ship changes %s from the bow", there.Relative(h))
		}
		if got, want := there.Relative(h.Turn(n)), wrap(int(there.Relative(h))-4*n); got != want {
			t.Errorf("%s from %s turned by %d is %s, want %s", there, h, n, got, want)
		}
		if p, _ := Bearing(a, a.Step(h)); p != Point(4*h) || p.Relative(h) != 0 {
			t.Errorf("ahead on %s is %s, from the bow %s", h, p, p.Relative(h))
		}
	})
}

func TestArcsOfTheBasicCourse(t *testing.T) {
	// D7: 120 degrees each, with 30 degrees shared at the four corners.
	arcs := []struct {
		name     string
		from, to int
	}{
		{"forward", -60, 60},
		{"starboard", 30, 150},
		{"aft", 120, 240},
		{"port", 210, 330},
	}
	want := [points]string{
		0: "forward", 1: "forward",
		2: "forward starboard", 3: "forward starboard", 4: "forward starboard",
		5: "starboard", 6: "starboard", 7: "starboard",
		8: "starboard aft", 9: "starboard aft", 10: "starboard aft",
		11: "aft", 12: "aft", 13: "aft",
		14: "aft port", 15: "aft port", 16: "aft port",
		17: "port", 18: "port", 19: "port",
		20: "forward port", 21: "forward port", 22: "forward port",
		23: "forward",
	}
	for p := range Point(points) {
		got := ""
		for _, a := range arcs {
			arc, err := ArcDegrees(a.from, a.to)
			if err != nil {
				t.Fatal(err)
			}
			if !arc.Contains(p) {
				continue
			}
			if got != "" {
				got += " "
			}
			got += a.name
		}
		if got != want[p] {
			t.Errorf("%s is in %q, want %q", p, got, want[p])
		}
	}
}

func TestOutpostArcs(t *testing.T) {
	// D7: three arcs of 120 degrees, both lines included.
	for p := range Point(points) {
		n := 0
		for from := 0; from < 360; from += 120 {
			arc, err := ArcDegrees(from, from+120)
			if err != nil {
				t.Fatal(err)
			}
			if arc.Contains(p) {
				n++
			}
		}
		want := 1
		if p%8 == 0 {
			want = 2
		}
		if n != want {
			t.Errorf("%s is in %d arcs, want %d", p, n, want)
		}
	}
}

func TestArcDegrees(t *testing.T) {
	for _, tc := range []struct {
		from, to, size int
		text           string
	}{
		{0, 30, 3, "000..030"},
		{-60, 60, 9, "300..060"},
		{300, 60, 9, "300..060"},
		{330, 30, 5, "330..030"},
		{30, 0, 23, "030..000"},
		{30, -30, 21, "030..330"},
		{0, 360, 24, "000..360"},
		{-180, 180, 24, "000..360"},
		{-360, -330, 3, "000..030"},
		{0, 330, 23, "000..330"},
	} {
		arc, err := ArcDegrees(tc.from, tc.to)
		if err != nil {
			t.Errorf("%d to %d: %v", tc.from, tc.to, err)
			continue
		}
		size := 0
		for p := range Point(points) {
			if arc.Contains(p) {
				size++
			}
		}
		if size != tc.size || arc.String() != tc.text {
			t.Errorf("%d to %d is %s with %d points, want %s with %d", tc.from, tc.to, arc, size, tc.text, tc.size)
		}
	}
	for _, bad := range [][2]int{{0, 45}, {1, 31}, {0, 0}, {60, 60}, {0, 390}, {-30, 360}, {360, 0}, {0, 1 << 40}, {math.MinInt, math.MaxInt}, {-390, 0}} {
		if arc, err := ArcDegrees(bad[0], bad[1]); err == nil {
			t.Errorf("%d to %d is %s", bad[0], bad[1], arc)
		}
	}
	if line := (Arc{5, 5}); !line.Contains(5) || line.Contains(4) || line.Contains(6) {
		t.Error("an arc with equal ends is not that one line")
	}
}

func TestSide(t *testing.T) {
	for p := range Point(points) {
		first, second, line := Side(p)
		// Side k is centred on 4k and reaches two points to either side.
		var want []int
		for k := range 6 {
			if off := wrap(int(p) - 4*k); off <= 2 || off >= points-2 {
				want = append(want, k)
			}
		}
		switch {
		case len(want) == 1 && !line && first == want[0] && second == want[0]:
		case len(want) == 2 && line && p%4 == 2 && (first+1)%6 == second &&
			(first == want[0] && second == want[1] || first == want[1] && second == want[0]):
		default:
			t.Errorf("%s strikes %d, %d (line %v), want %v", p, first, second, line, want)
		}
	}
	if first, second, line := Side(22); first != 5 || second != 0 || !line {
		t.Errorf("330 strikes %d, %d", first, second)
	}
	a, b, l := Side(-2)
	if c, d, m := Side(22); a != c || b != d || l != m {
		t.Error("points are not taken around the circle")
	}
}

func BenchmarkBearing(b *testing.B) {
	from, to := At(4, 15), At(22, 7)
	for b.Loop() {
		Bearing(from, to)
	}
}

func BenchmarkDistance(b *testing.B) {
	from, to := At(4, 15), At(22, 7)
	for b.Loop() {
		Distance(from, to)
	}
}
