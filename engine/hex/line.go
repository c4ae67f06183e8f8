package hex

import "iter"

// Between yields the hexes strictly between two that the straight line from centre to centre passes through, in
// order from the first. Where the line runs along the side between two hexes, an entry has both, the one to the
// left of the line first; all other entries have the same hex twice. A hex that the line only touches in a corner
// is not included. So sight is blocked if both hexes of any one entry block it (D32).
//
// The line in the other direction is the same in reverse, with left and right exchanged. There are fewer than twice
// as many entries as the distance, and none if the hexes are the same or neighbours.
func Between(from, to Hex) iter.Seq[[2]Hex] {
	return func(yield func([2]Hex) bool) {
		i, a, b, ok := wedge(from, to)
		switch {
		case !ok:
			return
		case a == b:
			alongSides(from, Heading(i), a, yield)
		default:
			across(from, to, Heading(i), a, b, yield)
		}
	}
}

// alongSides follows a line at 30 degrees between two headings: alternately the side between two hexes and the
// middle of one, n sides in all.
func alongSides(h Hex, left Heading, n int, yield func([2]Hex) bool) {
	right := left.Turn(1)
	for k := range n {
		if k > 0 && !yield([2]Hex{h, h}) {
			return
		}
		l, r := h.Step(left), h.Step(right)
		if !yield([2]Hex{l, r}) {
			return
		}
		h = l.Step(right)
	}
}

// across walks from hex to hex along any other line, which never runs along a
// side: such a side would point to the centre it started from.
func across(from, to Hex, left Heading, a, b int, yield func([2]Hex) bool) {
	near, far := steps[left], steps[left.Turn(1)]
	if b > a {
		// Mirrored, so that the line is always less than 30 degrees off the heading called near.
		near, far, a, b = far, near, b, a
	}
	// x and y count steps in near and far. Three times the cross product
	// of the line with the hex's centre says how far the centre is to
	// either side; the two corners in front are a third of a step off.
	for x, y := 0, 0; ; {
		switch s := 3 * (a*y - b*x); {
		case s > a+2*b: // both corners on the far side: out by the third side
			x, y = x+1, y-1
		case s < b-a: // both on the near side
			y++
		default: // between them, or exactly through one
			x++
		}
		h := Hex{from.Q + x*near.Q + y*far.Q, from.R + x*near.R + y*far.R}
		if h == to || !yield([2]Hex{h, h}) {
			return
		}
	}
}
