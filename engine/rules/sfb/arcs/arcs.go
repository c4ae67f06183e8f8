// Package arcs has the firing arcs of weapons, as written on ship sheets.
package arcs

import (
	"fmt"
	"strings"

	"starpost/engine/hex"
)

// Set is where a weapon bears, counted from the bow: a bit for each point of [hex.Bearing]. The lines between arcs
// belong to both.
type Set uint32

// names lists the arcs: those of several sixths of the circle, widest first, and the forward half, which ends abeam;
// then the sixths, on the left from the bow backwards and likewise on the right, as on sheets; then single rows of
// hexes.
var names = []struct {
	name     string
	from, to int // points, clockwise
}{
	{"360", 0, 23},
	{"FX", 16, 8},
	{"RX", 4, 20},
	{"LS", 12, 0},
	{"RS", 0, 12},
	{"FA", 20, 4},
	{"RA", 8, 16},
	{"FH", 18, 6},
	{"LF", 20, 0},
	{"RF", 0, 4},
	{"L", 16, 20},
	{"R", 4, 8},
	{"LR", 12, 16},
	{"RR", 8, 12},
	{"1", 0, 0},
	{"5", 4, 4},
	{"9", 8, 8},
	{"13", 12, 12},
	{"17", 16, 16},
	{"21", 20, 20},
}

// wholeArcs is the number of names for several sixths.
const wholeArcs = 7

// From returns the arcs from one point to another, both included.
func From(from, to int) (a Set) {
	for p := from; ; p++ {
		if a |= 1 << (p % 24); p%24 == to {
			return a
		}
	}
}

// Bear reports whether a bearing from the bow lies in the arcs or on their edges.
func (a Set) Bear(rel hex.Point) bool { return rel >= 0 && a&(1<<rel) != 0 }

// String returns the arcs as on sheets, such as "FX", "L+LR" or "FA+L+13".
func (a Set) String() string {
	var parts []string
	var covered Set
	for i, n := range names {
		arc := From(n.from, n.to)
		switch {
		case arc == a:
			return n.name
		case i >= wholeArcs && a&arc == arc && covered&arc != arc:
			parts, covered = append(parts, n.name), covered|arc
		}
	}
	if rows := a &^ a.wide(); rows != 0 && len(parts) > 2 { // rows in addition to a named arc
		for _, n := range names[:wholeArcs] {
			if From(n.from, n.to) == a.wide() {
				return n.name + "+" + rows.String()
			}
		}
	}
	return strings.Join(parts, "+")
}

// wide returns the arcs without single rows of hexes.
func (a Set) wide() (out Set) {
	for _, n := range names {
		if arc := From(n.from, n.to); n.from != n.to && a&arc == arc {
			out |= arc
		}
	}
	return out
}

// Parse parses the text of arcs.
func Parse(text string) (Set, error) {
	var all Set
	for part := range strings.SplitSeq(text, "+") {
		var a Set
		for _, n := range names {
			if n.name == part {
				a = From(n.from, n.to)
			}
		}
		if a == 0 {
			return 0, fmt.Errorf("%+.30q is no firing arc; arcs are LF RF R RR LR L, FA RA LS RS FX RX FH and 360, and rows of hexes 1 5 9 13 17 21, joined by +", part)
		}
		all |= a
	}
	return all, nil
}

// MarshalText writes the text form.
func (a Set) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads the text form.
func (a *Set) UnmarshalText(text []byte) (err error) {
	*a, err = Parse(string(text))
	return err
}

// Runs returns the arcs as degrees clockwise from the bow. Adjacent arcs are merged, and single rows of hexes left
// out.
func (a Set) Runs() (out [][2]int) {
	if a == From(0, 23) {
		return [][2]int{{0, 360}}
	}
	a = a.wide()
	for i := range 24 {
		if a&(1<<i) == 0 || a&(1<<((i+23)%24)) != 0 {
			continue
		}
		j := i
		for a&(1<<((j+1)%24)) != 0 {
			j++
		}
		out = append(out, [2]int{15 * i, 15 * (j % 24)})
	}
	return out
}
