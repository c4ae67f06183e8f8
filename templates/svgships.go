package templates

import (
	"strconv"

	"starpost/templates/clean"
)

// svgDefs are the silhouettes, bow up, the facings of shields (r0 ahead, then
// clockwise), and the signs of shots and trails. They take fill and stroke from
// where they are used, unless their paint is always the same.
const svgDefs = `<defs>
<path id="s0" d="M0-19C6-14 7-6 7-1L15 8V15L6 12 4 18H-4L-6 12-15 15V8L-7-1C-7-6-6-14 0-19Z"/>
<path id="s1" d="M0-18L4-7 18 4 19 14 8 8 5 14H-5L-8 8-19 14-18 4-4-7Z"/>
<path id="s2" d="M0-19L13 15 0 9-13 15Z"/>
<path id="s3" d="M0-19L8-5 9 14 0 18-9 14-8-5Z"/>
<path id="s4" d="M0-19L15-2 9 17 0 12-9 17-15-2Z"/>
<path id="s5" d="M0-19L5-9 5 3 17 11 17 17H-17L-17 11-5 3-5-9Z"/>
<path id="su" d="M0-19L9-10A13 13 0 1 1-9-10Z"/>
<path id="st" d="M0-15L13-7V7L0 15-13 7V-7Z"/>
<path id="r0" d="M-11.8-25.4A28 28 0 0 1 11.8-25.4"/>
<path id="r1" d="M16.1-22.9A28 28 0 0 1 27.9-2.4"/>
<path id="r2" d="M27.9 2.4A28 28 0 0 1 16.1 22.9"/>
<path id="r3" d="M11.8 25.4A28 28 0 0 1-11.8 25.4"/>
<path id="r4" d="M-16.1 22.9A28 28 0 0 1-27.9 2.4"/>
<path id="r5" d="M-27.9-2.4A28 28 0 0 1-16.1-22.9"/>
<marker id="hit" viewBox="-11 -11 22 22" markerWidth="22" markerHeight="22" markerUnits="userSpaceOnUse">` +
	`<path id="flash" d="M0-9L2-3 8-5 4 0 9 5 2 4 0 10-3 4-9 5-5 0-9-6-3-3Z" fill="#ffcf5c" stroke="#8f1d14"/></marker>
<marker id="miss" viewBox="-6 -6 12 12" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse">` +
	`<circle r="4" fill="#fff" stroke="#6b6b6b" stroke-width="1.3"/></marker>
<marker id="dot" viewBox="-4 -4 8 8" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse"><circle r="3" fill="#444"/></marker>
<circle id="step" r="6.5" fill="#fff" stroke="#555"/>
</defs>
`

// terrainDefs are the signs of the field, for maps that have any.
const terrainDefs = `<defs>
<g id="planet"><circle r="22" fill="#d6cfb8" stroke="#6d6757"/><path d="M-21-6Q0 2 21-6M-20 9Q0 17 20 9" fill="none" stroke="#a39c87"/></g>
<g id="moon"><circle r="14" fill="#e3dfd2" stroke="#6d6757"/><circle cx="-4" cy="-3" r="4" fill="none" stroke="#a39c87"/><circle cx="5" cy="5" r="3" fill="none" stroke="#a39c87"/></g>
<path id="field" d="M-18-14h2M-1-14h2M16-14h2M-24 0h2M22 0h2M-18 14h2M-1 14h2M16 14h2" fill="none" stroke="#8a6d6d" stroke-width="2"/>
<path id="rocks" d="M-17-4L-11-12-3-9-4-1-12 3ZM3-14L12-16 18-9 13-3 5-5ZM-8 8L1 3 9 8 6 17-4 18ZM12 6L18 4 21 10 16 14Z" fill="#c9c3b2" stroke="#7d7767"/>
<path id="mine" d="M0-13V13M-13 0H13M-9-9L9 9M9-9L-9 9M6 0A6 6 0 1 1-6 0 6 6 0 0 1 6 0Z" fill="#fff" stroke="#333" stroke-width="1.6"/>
<path id="blast" d="M0-20L5-8 17-13 9-1 20 7 6 7 5 20-2 9-13 17-8 5-20 1-9-4-14-15-4-9Z" fill="#ffd98a" stroke="#a33a12" stroke-width="1.4"/>
</defs>
`

// shieldSpots are the middles of the facings, indexed by heading and side together.
var shieldSpots = [6][2]int{{0, -28}, {24, -14}, {24, 14}, {0, 28}, {-24, 14}, {-24, -14}}

// stackSpots are the places of up to six counters in one hex.
var stackSpots = [6][2]int{{-17, 0}, {17, 0}, {0, -22}, {0, 22}, {-18, -24}, {18, 24}}

// place is where a counter is drawn; size is in hundredths. Counters that are alone in
// a hex, and all own ships, are drawn with their shields.
type place struct {
	c          *Counter
	sign       sign
	x, y, size int
	turn       int // sixths of a turn
	alone      bool
	// A counter that was moved is tied to its true place.
	moved        bool
	fromX, fromY int
}

func (p *place) ringed() bool { return (p.alone || p.c.Own) && len(p.c.Shields) > 0 }

// reach returns the radius of the counter with what is drawn around the hull.
func (p *place) reach() int {
	switch {
	case p.ringed():
		return 32 * p.size / 100
	case p.c.Own:
		return 22 * p.size / 100
	}
	return 19 * p.size / 100
}

// ships draws the counters, the viewer's own last, in layers: hulls, shields,
// their points, signs, names. Layers share their paint, which keeps files small.
func (a *artist) ships() {
	a.s(`<g stroke-width="1.4">`)
	places := a.places()
	for i := range places {
		if p := &places[i]; p.moved {
			a.line().s(`<path d="M`).xy(p.fromX, p.fromY).s("L").xy(p.x, p.y).s(`" stroke="#777" stroke-width="1"/>`)
		}
	}
	for i := range places {
		a.hull(&places[i])
	}
	a.s(`</g>`).line().s(`<g fill="none" stroke="#18695f">`)
	for i := range places {
		a.shieldRing(&places[i])
	}
	a.s(`</g>`).line().s(`<g class="p" font-size="9" font-weight="bold" fill="#123" stroke="` + mapPaper + `" stroke-width="2.5" paint-order="stroke">`)
	for i := range places {
		a.shieldPoints(&places[i])
	}
	a.s(`</g>`).line().s(`<g class="g" font-weight="bold" fill="#fff">`)
	for i := range places {
		p := &places[i]
		a.line().s(`<text x="`).n(p.x).s(`" y="`).n(p.y + 4)
		if p.c.Ghost || p.c.Dead || toneOf(p.c.Side).letter != "#fff" {
			a.s(`" class="d" fill="#000`)
		}
		a.s(`">`).sign(p.sign).s(`</text>`)
	}
	a.s(`</g>`).line().s(`<g class="p" font-size="9" fill="#333" stroke="` + mapPaper + `" stroke-width="3" paint-order="stroke">`)
	a.names(places)
	a.crowds()
	a.s(`</g>`)
}

// places lists what is drawn in this panel.
func (a *artist) places() []place {
	list := make([]place, 0, len(a.order))
	for _, own := range [2]bool{false, true} {
		for order := a.order; len(order) > 0; {
			var stack []int32
			stack, order = a.m.nextStack(order)
			top := &a.m.Counters[stack[0]]
			if !a.has(near(top.Col), near(top.Row)) || (standing(top) == 0) != own {
				continue
			}
			x, y := a.centre(top.Col, top.Row)
			for k, i := range stack[:min(len(stack), len(stackSpots))] {
				p := place{c: &a.m.Counters[i], sign: a.signs[i], x: x, y: y, size: a.body, alone: len(stack) == 1}
				if !p.alone {
					p.x += stackSpots[k][0] * a.body / 100
					p.y += stackSpots[k][1] * a.body / 100
					p.size = a.body * 3 / 4
				}
				if p.c.Small {
					p.size = p.size * 3 / 5
				}
				if h := p.c.Heading; 0 <= h && h <= 5 {
					p.turn = h
				}
				list = append(list, p)
			}
		}
	}
	apart(list)
	return list
}

// apart moves ships that would cover others to a place beside them. Own ships are not
// moved.
func apart(list []place) {
	const most = 60 // beyond that there is no room anyway
	if len(list) > most {
		return
	}
	alone := func(i, x, y int) bool {
		for k := range list {
			reach := 14 * (list[i].size + list[k].size) / 100
			if k != i && (k > i && standing(list[k].c) == 0 || k < i) && max(abs(x-list[k].x), abs(y-list[k].y)) < reach {
				return false
			}
		}
		return true
	}
	for i := range list {
		p := &list[i]
		if standing(p.c) == 0 || alone(i, p.x, p.y) {
			continue
		}
	search:
		for far := 1; far <= 4; far++ {
			for _, spot := range shieldSpots {
				x, y := p.x+spot[0]*far*p.size/150, p.y+spot[1]*far*p.size/150
				if alone(i, x, y) {
					p.fromX, p.fromY, p.moved = p.x, p.y, true
					p.x, p.y = x, y
					break search
				}
			}
		}
	}
}

// move writes the transform that brings a drawing to its place.
func (a *artist) move(p *place, turn bool) *ink {
	a.s(`transform="translate(`).xy(p.x, p.y).s(`)`)
	if turn && p.turn > 0 {
		a.s(`rotate(`).n(60 * p.turn).s(`)`)
	}
	if p.size != 100 {
		a.s(`scale(`).fixed2(p.size).s(`)`)
	}
	return a.s(`"`)
}

func (a *artist) hull(p *place) {
	c, t := p.c, toneOf(p.c.Side)
	a.s(`<g `)
	a.move(p, true).s(`><title>`)
	a.describe(c)
	a.s(`</title>`)
	if c.Own && !c.Dead {
		a.s(`<circle r="22" fill="#ffeeb5" stroke="#000" stroke-width=".7"/>`)
	}
	shape := t.shape
	if c.station() {
		shape = "st"
	}
	a.s(`<use href="#`).s(shape)
	switch {
	case c.Ghost:
		a.s(`" fill="#fff" fill-opacity=".6" stroke="`).s(t.line).s(`" stroke-dasharray="3 2"/>`)
	case c.Dead:
		a.s(`" fill="#ccc" stroke="#777"/><path d="M-15-15L15 15M15-15L-15 15" stroke="#777" stroke-width="2"/>`)
	case c.Cloaked:
		a.s(`" fill="`).s(t.fill).s(`" fill-opacity=".35" stroke="`).s(t.line).s(`" stroke-dasharray="5 2"/>`)
	default:
		a.s(`" fill="`).s(t.fill).s(`" stroke="`).s(t.line).s(`"/>`)
	}
	a.s(`</g>`).line()
}

// sign writes a counter's sign in capitals: hulls tell sides apart, so lower case is
// not needed, and a small l is hard to read.
func (k *ink) sign(s sign) *ink {
	k.b = append(k.b, upper(s.a))
	if s.b != 0 {
		k.b = append(k.b, upper(s.b))
	}
	return k
}

// shieldRing draws the facings: wider for stronger shields, dashed when down.
func (a *artist) shieldRing(p *place) {
	if !p.ringed() {
		return
	}
	a.line().s(`<g `)
	a.move(p, true).s(`>`)
	for i, s := range p.c.Shields {
		if i >= mostShields || s.Side < 0 || s.Side > 5 {
			continue
		}
		a.s(`<use href="#r`).n(s.Side)
		if s.Down || s.Now <= 0 {
			a.s(`" stroke="#a33a12" stroke-dasharray="2 3"/>`)
			continue
		}
		a.s(`" stroke-width="`).n(1 + strength(s)).s(`"/>`)
	}
	a.s(`</g>`)
}

// mostShields bounds the facings drawn of one ship.
const mostShields = 6

// crowds writes the number of counters that found no room in their hex.
func (a *artist) crowds() {
	for order := a.order; len(order) > 0; {
		var stack []int32
		stack, order = a.m.nextStack(order)
		top := &a.m.Counters[stack[0]]
		if n := len(stack) - len(stackSpots); n > 0 && a.has(near(top.Col), near(top.Row)) {
			x, y := a.centre(top.Col, top.Row)
			a.line().s(`<text x="`).n(x).s(`" y="`).n(y + 4).s(`">+`).n(n).s(`</text>`)
		}
	}
}

// crowded reports whether there is such a hex.
func (a *artist) crowded() bool {
	for order := a.order; len(order) > len(stackSpots); {
		var stack []int32
		if stack, order = a.m.nextStack(order); len(stack) > len(stackSpots) {
			return true
		}
	}
	return false
}

// strength returns 1..4 for a weakened shield and 5 for a full one.
func strength(s Shield) int {
	if s.Max <= 0 || s.Now >= s.Max {
		return 5
	}
	return 1 + min(s.Now/(s.Max/4+1), 3)
}

// shieldPoints writes the points of each shield on its facing, upright.
func (a *artist) shieldPoints(p *place) {
	if !p.ringed() {
		return
	}
	a.line()
	for i, s := range p.c.Shields {
		if i >= mostShields || s.Side < 0 || s.Side > 5 {
			continue
		}
		spot := shieldSpots[(s.Side+p.turn)%6]
		a.s(`<text x="`).n(p.x + spot[0]*p.size/100).s(`" y="`).n(p.y + spot[1]*p.size/100 + 3).s(`">`)
		a.n(max(s.Now, 0)).s(`</text>`)
	}
}

// who lists counters and named terrain in words, for readers who cannot see the drawing.
func (a *artist) who() {
	const most = 100
	a.s(`<desc>`)
	for i := range a.m.Counters[:min(len(a.m.Counters), most)] {
		a.describe(&a.m.Counters[i])
		a.s(".").line()
	}
	if more := len(a.m.Counters) - most; more > 0 {
		a.s("And ").n(more).s(" more.").line()
	}
	for i := range a.m.Terrain[:min(len(a.m.Terrain), most)] {
		if t := &a.m.Terrain[i]; t.Name != "" {
			a.t(t.Name).s(", ").t(t.Kind).s(" at ")
			a.b = appendHexName(a.b, t.Col, t.Row)
			a.s(".").line()
		}
	}
	a.s(`</desc>`)
}

// describe writes a counter in words, for tooltips and for readers who cannot see the drawing.
func (a *artist) describe(c *Counter) {
	a.t(clean.Clip(c.Name, 60)).s(", ")
	if c.SideName != "" {
		a.t(clean.Clip(c.SideName, 40)).s(", ")
	}
	a.hex(c, 60)
	if h := headingName(c.Heading); h != "" {
		a.s(" heading ").s(h)
	}
	if c.Range > 0 {
		a.s(", range ").n(c.Range)
	}
	if c.Bearing != "" {
		a.s(", ").t(c.Bearing)
	}
	if c.Fixed {
		a.s(", outpost")
	}
	if c.Note != "" {
		a.s(", ").t(c.Note)
	}
	switch {
	case c.Ghost && c.Age > 0:
		a.s(", last known place, age ").n(c.Age)
	case c.Ghost:
		a.s(", last known place")
	case c.Dead:
		a.s(", out of the fight")
	case c.Own && c.Cloaked:
		a.s(", own ship, cloaked")
	case c.Cloaked:
		a.s(", cloaked")
	case c.Own && c.Fixed:
		a.s(", your own")
	case c.Own:
		a.s(", own ship")
	}
	for i, s := range c.Shields {
		if i == 0 {
			a.s("; shields")
		}
		if i >= mostShields {
			break
		}
		a.s(" ").n(s.Number).s(":")
		if s.Down {
			a.s("down")
			continue
		}
		a.n(s.Now).s("/").n(s.Max)
	}
}

// hex writes the label of a counter's hex, cut to most columns.
func (k *ink) hex(c *Counter, most int) { k.t(hexOf(c, most)) }

// hexOf returns the label of a counter's hex, cut to most columns.
func hexOf(c *Counter, most int) string {
	switch {
	case c.Hex != "":
		return clean.Clip(c.Hex, most)
	case near(c.Col) != c.Col || near(c.Row) != c.Row:
		return clean.Clip(HexName(c.Col, c.Row), most)
	}
	return HexName(c.Col, c.Row)
}

// write writes a label at the first spot where it covers nothing, or else where it
// covers least; a spot cut off by the edge of the panel is the last choice.
func (a *artist) write(l label, nth int) {
	spots := l.spots()
	at := spots[0]
	if nth < mostPlaced {
		a.board.gather(spots[:])
		least := -1
		for _, spot := range spots {
			n := a.board.covered(spot)
			if spot.x < spot.w || spot.x+spot.w > a.width || spot.y < spot.h || spot.y+spot.h > a.height {
				n += 1000
			}
			if least < 0 || n < least {
				at, least = spot, n
			}
			if n == 0 {
				break
			}
		}
		a.board.taken = append(a.board.taken, at)
	}
	a.line().s(`<text x="`).n(at.x).s(`" y="`).n(at.y + textMiddle)
	if l.fill != "" {
		a.s(`" fill="`).s(l.fill)
	}
	a.s(`">`).t(l.text).s(`</text>`)
}

// names writes the names of ships, and then those of terrain and arcs.
func (a *artist) names(places []place) {
	for i := range places {
		p := &places[i]
		a.board.taken = append(a.board.taken, box{p.x, p.y, p.reach(), p.reach()})
	}
	named := len(a.m.Counters) <= 8 && a.num*2 >= a.den
	written := 0
	for i := range places {
		p := &places[i]
		text := ""
		switch {
		case p.c.Ghost && p.c.Age > 0:
			text = "age " + strconv.Itoa(p.c.Age)
		case p.c.Ghost:
			text = "last known"
		case named && p.alone:
			text = clean.Clip(p.c.Name, 14)
		}
		if text != "" {
			a.write(label{text, "", p.x, p.y, 43 * p.size / 100}, written)
			written++
		}
	}
	for _, l := range a.features {
		a.write(l, written)
		written++
	}
}
