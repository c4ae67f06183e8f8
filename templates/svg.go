package templates

import "strings"

// appendFile appends a map as a stand-alone SVG file: the view of ASCIIMap, with shields,
// weapon arcs of own ships, trails and shots, a list of ships, and sheets of boxes below. It
// refers to nothing outside itself. The empty Map gives an empty drawing.
func appendFile(b []byte, m *Map, below []*Panel) []byte {
	return append(appendSVG(append(b, svgProlog...), m, below), '\n')
}

const svgProlog = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

// svgCols is the most columns drawn hex by hex. It is the ASCII map's width, so that
// both show the same part of the battle.
const svgCols = 23

func appendSVG(b []byte, m *Map, below []*Panel) []byte { return appendMap(b, m, below, false) }

// appendMap is appendSVG; with touch it also lays elements to point at over the drawing.
func appendMap(b []byte, m *Map, below []*Panel, touch bool) []byte {
	if b == nil && !m.Empty() {
		b = make([]byte, 0, 8192)
	}
	a := artist{ink: ink{b}, m: m, order: m.stacks(), signs: m.signs()}
	if m.Empty() {
		a.s(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" width="1" height="1"/>`)
		return a.b
	}
	cols, rows := svgCols, defaultRows
	if m.Rows > 0 {
		rows = min(max(m.Rows, leastRows), 200)
	}
	paper := [2]int{panelWidth, panelHeight}
	if touch { // the reader can scroll and point at hexes, so draw the battle in one piece
		cols, rows = touchCols, max(rows, touchCols)
		paper = [2]int{3 * panelWidth, 3 * panelHeight}
	}
	p := m.layout(cols, rows)
	a.small = p.small
	fields := []panel{fit(p.near, paper[0], paper[1], 0)}
	if !p.small && !touch {
		fields = m.stretches(p.near)
	}
	var far panel
	top := gutter
	left := labelRoom(p.near)
	width := fields[0].width
	if p.small {
		far = fit(p.far, panelWidth-2*overviewPad, overviewHeight, overviewPad)
		left = max(left, labelRoom(p.far))
		width = max(width, far.width)
		top += far.height + 60
	}
	width = max(width+left+gutter, 420, min(len(below), 2)*sheetWidth)
	keyTop := top - leftOutHead
	for i := range fields {
		keyTop += leftOutHead + stretchHead + fields[i].height
	}
	mapHeight := keyTop + a.keyHeight(width)
	height := mapHeight + sheets(nil, below, width, 0)

	a.s(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `).n(width).s(" ").n(height)
	a.s(`" width="`).n(width).s(`" height="`).n(height)
	// Where the list below is hidden, the margin --k removes its space.
	a.s(`" role="img`)
	if !touch { // the composer's page allows no style attributes
		a.s(`" style="max-width:100%;height:auto;--k:-`).n((height - keyTop) * 100 / width).s(`%`)
	}
	a.s(`" font-family="Helvetica,Arial,sans-serif" font-size="11" text-anchor="middle"><title>Map</title>`)
	a.who()
	a.s(svgDefs)
	if len(m.Terrain) > 0 {
		a.s(terrainDefs)
	}
	a.s(`<rect width="100%" height="100%" fill="` + mapPaper + `"/>`)
	if p.small {
		a.draw(far, p.bounds, left, gutter+20)
		a.s(`<text x="`).n(left).s(`" y="`).n(top + 2).s(`" text-anchor="start" font-weight="bold" fill="#555">Enlarged, where the fight is</text>`)
		a.frame(far, p.near.within(p.far), left, gutter+20)
	}
	a.touched = touch
	for i, f := range fields {
		if i > 0 {
			a.s(`<text x="`).n(left).s(`" y="`).n(top + 12).s(`" text-anchor="start" fill="#555">`).n(f.r0 - fields[i-1].r1 - 1).s(` empty rows are left out</text>`).line()
			top += leftOutHead
		}
		a.stretch = i
		a.draw(f, p.bounds, left, top+stretchHead)
		top += stretchHead + f.height
	}
	a.key(left, keyTop, width)
	sheets(&a.ink, below, width, mapHeight)
	a.s("</svg>")
	return a.b
}

// TouchSVG draws a map that can be pointed at. Over the drawing lie the hexes that are drawn one by one, as elements
// of class hex with the attribute data-hex, and the ships, of class ship with data-ship. They are invisible unless
// the page that shows the map styles them. The empty Map gives an empty drawing.
func TouchSVG(m Map) string { return string(appendMap(nil, &m, nil, true)) }

// PlainSVG draws a map for a page with a policy that allows no style attributes; the empty Map gives "".
func PlainSVG(m Map) string {
	if m.Empty() {
		return ""
	}
	svg := string(appendSVG(nil, &m, nil))
	if before, rest, ok := strings.Cut(svg, ` style="`); ok {
		_, after, _ := strings.Cut(rest, `"`)
		svg = before + after
	}
	return svg
}

// touchCols is the most columns of a map that can be pointed at.
const touchCols = 60

// mostTouched bounds the hexes that can be pointed at.
const mostTouched = 4000

// touch lays the hexes of the panel that are on the map over the drawing, and the ships over them.
func (a *artist) touch(bounds *window) {
	w := a.window
	if bounds != nil {
		w = w.within(*bounds)
	}
	if a.scaled(stepX) < 12 || w.cols()*w.rows() > mostTouched {
		return
	}
	a.s(`<g class="hexes" fill="none" pointer-events="all">`)
	h, q, v := a.scaled(halfX), a.scaled(halfX/2), a.scaled(halfY)
	for c := w.c0; c <= w.c1; c++ {
		for r := w.r0; r <= w.r1; r++ {
			x, y := a.centre(c, r)
			a.line().s(`<path class="hex" data-hex="`)
			a.b = appendHexName(a.b, c, r)
			a.s(`" d="M`).xy(x-h, y).s("L").xy(x-q, y-v).s("H").n(x+q).s("L").xy(x+h, y).s("L").xy(x+q, y+v).s("H").n(x - q).s(`Z"/>`)
		}
	}
	a.s(`</g>`).line().s(`<g class="ships" fill="none" pointer-events="all">`)
	places := a.places()
	for i := range places {
		p := &places[i]
		a.line().s(`<circle class="ship" data-ship="`).t(p.c.ID).s(`" data-hex="`)
		a.b = appendHexName(a.b, p.c.Col, p.c.Row)
		a.s(`" cx="`).n(p.x).s(`" cy="`).n(p.y).s(`" r="`).n(19 * p.size / 100).s(`"><title>`).t(p.c.Name).s(`</title></circle>`)
	}
	a.s(`</g>`).line()
}

func labelRoom(w window) int { return 12 + 7*max(2, digits(w.r0), digits(w.r1)) }

// frame outlines the enlarged part in an overview.
func (a *artist) frame(far panel, part window, left, top int) {
	a.panel = far
	x0, y0 := far.centre(part.c0, part.r0)
	x1, y1 := far.centre(part.c1, part.r1)
	a.s(`<rect x="`).n(left + x0 - 4).s(`" y="`).n(top + y0 - 4)
	a.s(`" width="`).n(x1 - x0 + 8).s(`" height="`).n(y1 - y0 + 8)
	a.s(`" fill="none" stroke="#555" stroke-dasharray="4 3"/>`)
}

// draw draws one panel with its labels, its corner at left, top.
func (a *artist) draw(p panel, bounds *window, left, top int) {
	a.panel = p
	a.features = a.features[:0]
	a.board.clear(a.m)
	a.labels(left, top)
	a.s(`<svg x="`).n(left).s(`" y="`).n(top).s(`" width="`).n(p.width).s(`" height="`).n(p.height)
	if a.stretch > 0 { // the drawing as a whole has a description
		a.s(`" aria-hidden="true`)
	}
	a.s(`">`).line()
	a.ground(bounds)
	a.terrain()
	a.arcs()
	a.trails()
	a.shots()
	a.ships()
	if a.touched {
		a.touch(bounds)
	}
	a.s(`</svg>`).line()
}

// ground draws the grid, within the bounds if there are any.
func (a *artist) ground(bounds *window) {
	pitch := a.scaled(stepX)
	id := "hexes" // one for each panel
	if a.pad > 0 {
		id = "far-hexes"
	} else if a.stretch > 0 {
		id = string(appendInt([]byte(id), a.stretch))
	}
	if pitch < 12 { // hexes too small to be drawn
		a.s(`<rect width="100%" height="100%" fill="#fff" stroke="#cfcabc"/>`)
		return
	}
	// The pattern's own corner is the centre of a hex of an odd column.
	ox, oy := a.c0, a.r0
	if even(ox) {
		ox--
	}
	x, y := a.centre(ox, oy)
	scale := a.num * 10000 / a.den
	a.line().s(`<defs><pattern id="`).s(id).s(`" width="120" height="70" patternUnits="userSpaceOnUse" patternTransform="translate(`)
	a.xy(x, y).s(`)scale(`).fixed4(scale).s(`)"><path d="M20-35L40 0 20 35H-20M40 0H80M40 70H80M20 35L40 70M80 0L100 35 80 70M80 0L100-35M100 35H140" fill="none" stroke="#cfcabc" stroke-width="1.3"/></pattern></defs>`)
	if bounds == nil {
		a.s(`<rect width="100%" height="100%" fill="url(#`).s(id).s(`)"/>`)
		return
	}
	a.s(`<path fill="url(#`).s(id).s(`)" stroke="#6d6757" stroke-width="2" d="`)
	a.outline(bounds)
	a.s(`"/>`)
}

// outline walks around the hexes of the panel that lie inside the bounds.
func (a *artist) outline(bounds *window) {
	// One hex further than is seen, so that only true edges are drawn.
	w := a.grown(1).within(*bounds)
	if w.cols() < 1 || w.rows() < 1 {
		return
	}
	x, y := a.centre(w.c0, w.r0)
	hx, hy, q := a.scaled(halfX), a.scaled(halfY), a.scaled(halfX/2)
	a.s("M").xy(x-hx, y)
	for c := w.c0; c <= w.c1; c++ {
		x, y = a.centre(c, w.r0)
		a.s("L").xy(x-q, y-hy).s("H").n(x + q)
	}
	a.line()
	for r := w.r0; r <= w.r1; r++ {
		x, y = a.centre(w.c1, r)
		a.s("L").xy(x+hx, y).s("L").xy(x+q, y+hy)
	}
	a.line()
	for c := w.c1; c >= w.c0; c-- {
		x, y = a.centre(c, w.r1)
		a.s("L").xy(x+q, y+hy).s("H").n(x - q)
	}
	a.line()
	for r := w.r1; r >= w.r0; r-- {
		x, y = a.centre(w.c0, r)
		a.s("L").xy(x-q, y+hy).s("L").xy(x-hx, y)
	}
	a.s("Z")
}

// labels numbers the columns above and the rows on the left.
func (a *artist) labels(left, top int) {
	a.s(`<g class="l" fill="` + mapSoft + `">`)
	every := a.every(7*max(2, digits(a.c0), digits(a.c1))+6, a.cols(), stepX)
	for c := first(a.c0, every); c <= a.c1; c += every {
		x, _ := a.centre(c, a.r0)
		a.line().s(`<text x="`).n(left + x).s(`" y="`).n(top - 6).s(`">`).label(c).s(`</text>`)
	}
	every = a.every(14, a.rows(), stepY)
	odd := a.c0
	if even(odd) {
		odd--
	}
	a.s(`</g><g class="l" fill="` + mapSoft + `" text-anchor="end">`)
	for r := first(a.r0, every); r <= a.r1; r += every {
		_, y := a.centre(odd, r)
		a.line().s(`<text x="`).n(left - 5).s(`" y="`).n(top + y + 4).s(`">`).label(r).s(`</text>`)
	}
	a.s(`</g>`).line()
}

// every returns the stride of labels that need room units each.
func (a *artist) every(room, count, step int) int {
	every := 1
	for int64(every)*int64(step)*a.num < int64(room)*a.den && every < count {
		switch {
		case every < 5:
			every = 5
		case every%10 == 5:
			every *= 2
		default:
			every *= 5
		}
	}
	return every
}

// first returns the first multiple of every that is not below n.
func first(n, every int) int {
	r := n % every
	if r > 0 {
		r -= every
	}
	return n - r
}
