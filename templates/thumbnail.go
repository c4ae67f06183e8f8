package templates

import (
	"strings"
	"sync"
)

// ThumbSVG draws a small map of a field, for lists of games: hulls as on its map with their paths, and no letters.
// Screen readers skip it, because the text beside it says the same. A Map without counters gives "".
func ThumbSVG(m Map) string {
	if len(m.Counters) == 0 {
		return ""
	}
	a := artist{m: &m}
	l, t, r, b := a.around()
	// Hulls are large enough to be seen at the width of a card.
	size := max(100, (r-l)/7, (b-t)/3)
	a.s(`<svg class="thumb" xmlns="http://www.w3.org/2000/svg" aria-hidden="true" viewBox="`).n(l).s(" ").n(t).s(" ").n(r - l).s(" ").n(b - t).s(`">`)
	if m.Bounds != nil {
		a.s(`<rect x="-45" y="-40" width="`).n(stepX*(m.Bounds.Cols-1) + 90).s(`" height="`).n(stepY*m.Bounds.Rows + 45).s(`" fill="none" stroke="#6d6757" stroke-width="`).n(1 + size/40).s(`"/>`)
	}
	for i := range m.Terrain {
		x, y := thumbSpot(m.Terrain[i].Col, m.Terrain[i].Row)
		a.s(`<circle cx="`).n(x).s(`" cy="`).n(y).s(`" r="`).n(4 + size/12).s(`" fill="#c9c3b2"/>`)
	}
	a.s(`<g fill="none" stroke-width="`).n(1 + size/40).s(`">`)
	for i := range m.Counters {
		c := &m.Counters[i]
		if !moved(c.Trail) {
			continue
		}
		a.s(`<path stroke="`).s(toneOf(c.Side).line).s(`" d="`)
		for k, s := range c.Trail {
			if k == 0 {
				a.s("M")
			} else {
				a.s("L")
			}
			a.xy(thumbSpot(s.Col, s.Row))
		}
		a.s(`"/>`)
	}
	a.s(`</g>`)
	for _, dead := range [2]bool{true, false} { // ships in the fight are drawn on top
		for i := range m.Counters {
			if c := &m.Counters[i]; (c.Dead || c.Ghost) == dead {
				x, y := thumbSpot(c.Col, c.Row)
				a.s(`<path transform="translate(`).xy(x, y).s(`)`)
				if !c.station() {
					a.s(`rotate(`).n(60 * c.Heading).s(`)`)
				}
				scale := size
				if c.Small {
					scale /= 2
				}
				a.s(`scale(`).fixed2(scale).s(`)`)
				t := *toneOf(c.Side)
				if dead {
					t.fill, t.line = "#ccc", "#777"
				}
				a.s(`" `).hullOf(&t, c.station()).s(`/>`)
			}
		}
	}
	a.s(`</svg>`)
	return string(a.b)
}

// around returns the part of the field that a thumbnail shows.
func (a *artist) around() (l, t, r, b int) {
	for pass := range 2 {
		first := true
		for i := range a.m.Counters {
			c := &a.m.Counters[i]
			if pass == 0 && (c.Dead || c.Ghost) {
				continue
			}
			x, y := thumbSpot(c.Col, c.Row)
			if first {
				l, t, r, b = x, y, x, y
				first = false
			}
			l, t, r, b = min(l, x), min(t, y), max(r, x), max(b, y)
		}
		if !first {
			break // else all are out of the fight, and the second pass shows them
		}
	}
	room := 90 + max((r-l)/8, (b-t)/8)
	return l - room, t - room, r + room, b + room
}

// thumbSpot returns the middle of a hex at full scale.
func thumbSpot(col, row int) (x, y int) {
	col, row = near(col), near(row)
	x, y = stepX*(col-1), stepY*(row-1)
	if even(col) {
		y += halfY
	}
	return x, y
}

// hullOf writes the shape and paint attributes of a side's hulls.
func (k *ink) hullOf(t *tone, station bool) *ink {
	shape := t.shape
	if station {
		shape = "st"
	}
	_, d, _ := strings.Cut(svgDefs, `id="`+shape+`" d="`)
	d, _, _ = strings.Cut(d, `"`)
	return k.s(`d="`).s(d).s(`" fill="`).s(t.fill).s(`" stroke="`).s(t.line).s(`" stroke-width="1.4"`)
}

// HullSVG draws the hull of a side as on the maps of a game, to be placed before its name.
func HullSVG(side int) string { return hullSigns()[toneOf(side)] }

var hullSigns = sync.OnceValue(func() map[*tone]string {
	signs := map[*tone]string{}
	for side := NoSide; side < len(tones); side++ {
		var k ink
		k.s(`<svg class="hull" xmlns="http://www.w3.org/2000/svg" aria-hidden="true" viewBox="-21 -21 42 42" width="20" height="20"><path `).hullOf(toneOf(side), false).s(`/></svg>`)
		signs[toneOf(side)] = string(k.b)
	}
	return signs
})
