package hex

import "fmt"

// Point is an exact bearing in 24ths of the circle, clockwise, 0 to 23. An
// even point 2k lies exactly on 30k degrees; an odd one 2k+1 lies strictly
// between 30k and 30k+30 degrees. No rule needs to know more: every arc and
// every hex side ends on a multiple of 30 degrees.
type Point int8

// points is the number of points of the circle.
const points = 24

// Bearing returns the point in which `to` lies, seen from `from`, clockwise from up (heading A is 0, B is 4 and so
// on). It returns false if both are the same hex, which has no bearing; rules that allow fire there decide for
// themselves.
func Bearing(from, to Hex) (Point, bool) {
	i, a, b, ok := wedge(from, to)
	if !ok {
		return 0, false
	}
	p := Point(4 * i)
	switch {
	case b == 0:
		return p, true
	case b < a:
		return p + 1, true
	case b == a:
		return p + 2, true
	default:
		return p + 3, true
	}
}

// wedge writes the way between two hexes as a steps in heading i and b steps in the next heading clockwise, with a
// > 0 and b >= 0; that is possible for exactly one i. It returns false if both are the same hex.
func wedge(from, to Hex) (i, a, b int, ok bool) {
	v := Hex{to.Q - from.Q, to.R - from.R}
	for i = range steps {
		// Neighbouring headings span a cell of area 1, so that the
		// two cross products are the coefficients themselves.
		a, b = cross(v, steps[(i+1)%6]), cross(steps[i], v)
		if a > 0 && b >= 0 {
			return i, a, b, true
		}
	}
	return 0, 0, 0, false
}

// cross is positive when w lies clockwise of v.
func cross(v, w Hex) int { return v.Q*w.R - v.R*w.Q }

// Relative turns a bearing on the map into one from the bow of a ship with
// that heading: 0 is dead ahead, 6 abeam to starboard, 12 astern, 18 abeam to
// port. The result is 0 to 23.
func (p Point) Relative(h Heading) Point {
	return wrap(int(p) - 4*int(h%6))
}

// wrap reduces any number of points to 0 to 23.
func wrap(n int) Point { return Point((n%points + points) % points) }

// String returns the bearing in degrees: "030" exactly there, "030-060" strictly between the two.
func (p Point) String() string {
	// A slice of one constant, because reports are full of bearings.
	const all = "000-030-060-090-120-150-180-210-240-270-300-330-360"
	low := int(wrap(int(p))) / 2 * len("000-")
	if p%2 == 0 {
		return all[low : low+len("000")]
	}
	return all[low : low+len("000-030")]
}

// Arc is a part of the circle, clockwise from From to To, both ends included
// (D5), usually counted from the bow. Equal ends are the one line; the whole
// circle has To 24 points after From.
type Arc struct{ From, To Point }

// ArcDegrees returns an arc that runs clockwise between two multiples of 30 degrees. Either may be negative, down
// to -360, so that -60, 60 is the 120 degrees ahead and 210, 330 those to port. A difference of 360 is the whole
// circle. Other values, more than one circle, and equal ends (an arc without width) are errors.
func ArcDegrees(from, to int) (Arc, error) {
	for _, d := range [2]int{from, to} {
		if d < -360 || d > 720 || d%30 != 0 {
			return Arc{}, fmt.Errorf("arc %d to %d: %d is not a multiple of 30 degrees from -360 to 720", from, to, d)
		}
	}
	width := to - from
	switch {
	case width == 0:
		return Arc{}, fmt.Errorf("arc %d to %d: has no width; write %d to %d for the whole circle", from, to, from, from+360)
	case width > 360 || width <= -360:
		return Arc{}, fmt.Errorf("arc %d to %d: is wider than the circle", from, to)
	}
	start := wrap(from / 15)
	if width == 360 {
		return Arc{start, start + points}, nil
	}
	return Arc{start, wrap(to / 15)}, nil
}

// Contains reports whether a bearing, counted from the same origin as the arc, lies in the arc or on one of its two
// edges.
func (a Arc) Contains(rel Point) bool {
	width := int(a.To) - int(a.From)
	if width >= points {
		return true
	}
	return wrap(int(rel)-int(a.From)) <= wrap(width)
}

// String returns the arc in degrees, such as "300..060".
func (a Arc) String() string {
	if int(a.To)-int(a.From) >= points {
		return "000..360"
	}
	return a.From.String() + ".." + a.To.String()
}

// Side returns the hex side, 0 to 5 clockwise from the bow, that a bearing from the bow strikes. Each side is 60
// degrees wide and centred (D6). On the line between two sides, line is true and first is the side to the left
// (counterclockwise) of the line, second the one to the right; otherwise both are the same side.
func Side(rel Point) (first, second int, line bool) {
	n := int(wrap(int(rel) + 2))
	second = n / 4
	if n%4 == 0 {
		return (second + 5) % 6, second, true
	}
	return second, second, false
}
