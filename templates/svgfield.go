package templates

import (
	"math"
	"slices"
	"strconv"

	"starpost/templates/clean"
)

// terrain draws planets, moons, asteroids, mines and their fields, and explosions.
func (a *artist) terrain() {
	ids := [len(terrainSigns)]string{"planet", "moon", "rocks", "mine", "field", "blast", ""}
	globe := 0 // marks before this one are drawn
	for i := range a.m.Terrain {
		t := &a.m.Terrain[i]
		if i < globe {
			continue
		}
		if n := a.m.body(i); n > 1 && (t.Kind == Planet || t.Kind == Moon) && a.globe(a.m.Terrain[i:i+n]) {
			globe = i + n
			continue
		}
		if !a.has(near(t.Col), near(t.Row)) {
			continue
		}
		x, y := a.centre(t.Col, t.Row)
		id := ids[terrainIndex(t.Kind)]
		if id == "" {
			a.s(`<text x="`).n(x).s(`" y="`).n(y).s(`">?</text>`)
			continue
		}
		a.line().s(`<use href="#`).s(id).s(`" transform="translate(`).xy(x, y).s(`)`)
		if a.body < 100 {
			a.s(`scale(`).fixed2(a.body).s(`)`)
		}
		a.s(`"/>`)
		if t.Name != "" {
			a.features = append(a.features, label{clean.Clip(t.Name, 14), "#555", x, y, 33 * a.body / 100})
		}
	}
}

// globe draws a planet or moon of several hexes as one body. It returns false if the
// hexes are too far apart for that.
func (a *artist) globe(hexes []Mark) bool {
	x, y := 0, 0
	seen := false
	for i := range hexes {
		seen = seen || a.has(near(hexes[i].Col), near(hexes[i].Row))
		hx, hy := a.centre(hexes[i].Col, hexes[i].Row)
		x, y = x+hx, y+hy
	}
	x, y = x/len(hexes), y/len(hexes)
	radius := 0.0
	for i := range hexes {
		hx, hy := a.centre(hexes[i].Col, hexes[i].Row)
		radius = max(radius, math.Hypot(float64(hx-x), float64(hy-y)))
	}
	if radius > float64(a.scaled(stepY))*math.Sqrt(float64(len(hexes))) {
		return false
	}
	if !seen {
		return true
	}
	a.line().s(`<use href="#`).s(map[string]string{Planet: "planet", Moon: "moon"}[hexes[0].Kind]).s(`" transform="translate(`).xy(x, y)
	size := 22
	if hexes[0].Kind == Moon {
		size = 14
	}
	r := int(math.Round(radius)) + a.scaled(halfY)*9/10
	a.s(`)scale(`).fixed2(100 * r / size).s(`)" stroke-width=".5"/>`)
	if name := hexes[0].Name; name != "" {
		a.features = append(a.features, label{clean.Clip(name, 14), "#555", x, y, r + 12})
	}
	return true
}

// trails draws the path of each ship that moved, with a dot on every place but the
// last, and with the numbers of the phases.
func (a *artist) trails() {
	open := false
	for i := range a.m.Counters {
		c := &a.m.Counters[i]
		if !moved(c.Trail) {
			continue
		}
		if !open {
			a.s(`<g fill="none" stroke-width="2" stroke-opacity=".55" marker-start="url(#dot)" marker-mid="url(#dot)">`).line()
			open = true
		}
		t := toneOf(c.Side)
		a.s(`<path stroke="`).s(t.line)
		if t.dash != "" {
			a.s(`" stroke-dasharray="`).s(t.dash)
		}
		a.s(`" d="`)
		for k, s := range c.Trail {
			switch {
			case k == 0:
				a.s("M")
			case s.Col == c.Trail[k-1].Col && s.Row == c.Trail[k-1].Row:
				continue
			default:
				a.s("L")
			}
			a.xy(a.centre(s.Col, s.Row))
		}
		a.s(`"/>`).line()
	}
	if !open {
		return
	}
	a.s(`</g>`).line().s(`<g font-size="9">`).line()
	for i := range a.m.Counters {
		trail := a.m.Counters[i].Trail
		for k := range len(trail) - 1 {
			s, next := trail[k], trail[k+1]
			// The number of a phase is drawn on its last move.
			if s.Col == next.Col && s.Row == next.Row || movesIn(trail[k+1:], next.Phase) {
				continue
			}
			x0, y0 := a.centre(s.Col, s.Row)
			x1, y1 := a.centre(next.Col, next.Row)
			x, y := (x0+x1)/2, (y0+y1)/2
			a.board.taken = append(a.board.taken, box{x, y, 7, 7})
			a.s(`<use href="#step" x="`).n(x).s(`" y="`).n(y)
			a.s(`"/><text x="`).n(x).s(`" y="`).n(y + 3).s(`">`).n(next.Phase).s(`</text>`).line()
		}
	}
	a.s(`</g>`).line()
}

// moved reports whether a trail leads to another hex.
func moved(trail []Step) bool {
	return slices.ContainsFunc(trail, func(s Step) bool { return s.Col != trail[0].Col || s.Row != trail[0].Row })
}

// movesIn reports whether a trail has another move in the phase.
func movesIn(trail []Step, phase int) bool {
	for k := 1; k < len(trail) && trail[k].Phase == phase; k++ {
		if trail[k].Col != trail[k-1].Col || trail[k].Row != trail[k-1].Row {
			return true
		}
	}
	return false
}

// shots draws lines of fire, misses first, and then the numbers of their phases.
func (a *artist) shots() {
	if len(a.m.Shots) == 0 {
		return
	}
	a.s(`<g stroke="#6b6b6b" stroke-width="1.3" stroke-dasharray="6 4" marker-end="url(#miss)">`).line()
	a.eachShot(func(s *Shot, l *lane) {
		if !s.Hit {
			x, y := l.at(max(l.length-0.45*float64(a.body), l.head))
			a.shot(s, l, x, y)
		}
	})
	a.s(`</g>`).line().s(`<g stroke="#a3200f" stroke-width="2" marker-end="url(#hit)">`).line()
	a.eachShot(func(s *Shot, l *lane) {
		if s.Hit {
			x, y := l.at(max(l.length-0.3*float64(a.body), l.head))
			a.shot(s, l, x, y)
		}
	})
	a.s(`</g>`).line().s(`<g class="p" font-size="9" fill="#8f1d14" stroke="` + mapPaper + `" stroke-width="4" paint-order="stroke">`)
	a.eachShot(func(s *Shot, l *lane) {
		if s.Phase > 0 && l.number == 0 {
			x, y := l.at(max(l.head, min(l.length*0.35, 60)))
			a.board.taken = append(a.board.taken, box{x, y, 7, textHalf})
			a.line().s(`<text x="`).n(x).s(`" y="`).n(y + 3).s(`">`).s(a.m.step()[:1]).n(s.Phase).s(`</text>`)
		}
	})
	a.s(`</g>`).line()
}

// shot draws a line of fire up to x, y.
func (a *artist) shot(s *Shot, l *lane, x, y int) {
	fx, fy := l.at(l.head)
	a.board.lines = append(a.board.lines, segment{fx, fy, x - fx, y - fy})
	a.board.taken = append(a.board.taken, box{x, y, 9, 9}) // the mark at its end
	a.s(`<path d="M`).xy(fx, fy).s("L").xy(x, y)
	if s.Label == "" && s.Phase <= 0 {
		a.s(`"/>`).line()
		return
	}
	a.s(`"><title>`).t(s.Label)
	if s.Phase > 0 {
		a.s(` (`).s(a.m.step()).s(` `).n(s.Phase).s(`)`)
	}
	a.s(`</title></path>`).line()
}

// lane is the line that a shot is drawn on; shots along the same line are drawn side by
// side.
type lane struct {
	x, y         int
	dx, dy       float64 // of length 1
	length, head float64 // head is where the drawing begins
	off          float64 // to the side
	number       int     // among shots along the same line
}

// at returns the point at a distance along the lane. The conversions to float64 prevent
// fused operations, so that every machine rounds alike.
func (l *lane) at(along float64) (x, y int) {
	return l.x + int(math.Round(float64(l.dx*along)-float64(l.dy*l.off))), l.y + int(math.Round(float64(l.dy*along)+float64(l.dx*l.off)))
}

func (a *artist) eachShot(draw func(*Shot, *lane)) {
	var l lane
	for i := range a.m.Shots {
		s := &a.m.Shots[i]
		l.number++
		if i == 0 || !sameLine(s, &a.m.Shots[i-1]) {
			l.number = 0
		}
		x1, y1 := a.centre(s.ToCol, s.ToRow)
		l.x, l.y = a.centre(s.FromCol, s.FromRow)
		dx, dy := float64(x1-l.x), float64(y1-l.y)
		l.length = math.Sqrt(dx*dx + dy*dy)
		if l.length < 1 {
			continue
		}
		l.dx, l.dy = dx/l.length, dy/l.length
		l.head = min(l.length*0.3, 0.2*float64(a.body))
		l.off = float64((l.number+1)/2%5) * 5
		if l.number%2 == 1 {
			l.off = -l.off
		}
		draw(s, &l)
	}
}

func sameLine(s, t *Shot) bool {
	return s.FromCol == t.FromCol && s.FromRow == t.FromRow && s.ToCol == t.ToCol && s.ToRow == t.ToRow
}

// mostArcs bounds the arcs drawn for one ship.
const mostArcs = 24

// arcs shades where the weapons of own ships bear: every hex within reach and
// between the two bearings.
func (a *artist) arcs() {
	for i := range a.m.Counters {
		c := &a.m.Counters[i]
		if !c.Own || c.Dead || len(c.Arcs) == 0 {
			continue
		}
		arcs := c.Arcs[:min(len(c.Arcs), mostArcs)]
		x, y := a.centre(c.Col, c.Row)
		turn := 0
		if 0 <= c.Heading && c.Heading <= 5 {
			turn = 60 * c.Heading
		}
		shown := 0
		a.s(`<g fill="#1d4f7c">`)
		for k := range arcs {
			if seenArc(arcs[:k], arcs[k]) {
				continue
			}
			a.arc(arcs, k, x, y, turn, shown)
			shown++
		}
		a.s(`</g>`).line()
	}
}

func sameArc(p, q WeaponArc) bool { return p.From == q.From && p.To == q.To && p.Reach == q.Reach }

func seenArc(before []WeaponArc, arc WeaponArc) bool {
	return slices.ContainsFunc(before, func(b WeaponArc) bool { return sameArc(b, arc) })
}

// arc draws the k-th arc around x, y with the names of all arcs that equal it.
func (a *artist) arc(arcs []WeaponArc, k, x, y, turn, shown int) {
	arc := arcs[k]
	span := arc.To%360 - arc.From%360
	span = (span%360 + 360) % 360
	if span == 0 && arc.From != arc.To {
		span = 360
	}
	if span == 0 {
		return
	}
	reach := arc.Reach
	if reach <= 0 {
		reach = 3 // unknown: the direction alone is shown
	}
	reach = min(reach, 2000)
	from := ((arc.From%360+turn)%360 + 360) % 360
	a.line().s(`<g><title>`)
	for j := k; j < len(arcs); j++ {
		if sameArc(arcs[j], arc) {
			if j > k {
				a.s(", ")
			}
			a.t(arcs[j].Name)
		}
	}
	if arc.Reach > 0 {
		a.s(": reach ").n(arc.Reach)
	}
	a.s(`</title><path fill-opacity=".045" stroke="#1d4f7c" stroke-opacity=".4" stroke-dasharray="7 5" d="`)
	px, py := a.contour(reach, from)
	if span == 360 {
		a.s("M").xy(x+px, y+py)
	} else {
		a.s("M").xy(x, y).s("L").xy(x+px, y+py)
	}
	for corner := (from/60 + 1) * 60; corner < from+span; corner += 60 {
		px, py = a.contour(reach, corner%360)
		a.s("L").xy(x+px, y+py)
	}
	if span < 360 {
		px, py = a.contour(reach, (from+span)%360)
		a.s("L").xy(x+px, y+py)
	}
	a.s(`Z"/></g>`)
	if a.pad > 0 { // an overview has no room for names
		return
	}
	// Names go on the middle of the arc, each further out than the one before.
	px, py = a.contour(min(reach, 100), (from+span/2)%360)
	px, py = unit(px, py, 46+15*(shown%8))
	name := clean.Clip(arc.Name, 16)
	if more := alike(arcs[k+1:], arc); more > 0 {
		name += " +" + strconv.Itoa(more)
	}
	a.features = append(a.features, label{name, "#1d4f7c", x + px, y + py, 3})
}

func alike(arcs []WeaponArc, arc WeaponArc) int {
	n := 0
	for _, b := range arcs {
		if sameArc(b, arc) {
			n++
		}
	}
	return n
}

// unit scales a vector to a length.
func unit(x, y, length int) (int, int) {
	d := math.Sqrt(float64(x)*float64(x) + float64(y)*float64(y))
	if d < 1 {
		return 0, 0
	}
	return int(math.Round(float64(x*length) / d)), int(math.Round(float64(y*length) / d))
}

// contour returns the point in a direction where the hexes at a distance end: these
// hexes form a hexagon with its corners on the headings.
func (a *artist) contour(reach, degrees int) (x, y int) {
	corners := [7][2]int{{0, -stepY}, {stepX, -halfY}, {stepX, halfY}, {0, stepY}, {-stepX, halfY}, {-stepX, -halfY}, {0, -stepY}}
	p, q := corners[degrees/60], corners[degrees/60+1]
	to := sines[degrees%60]
	sum := to + sines[60-degrees%60]
	x = reach * (p[0]*(sum-to) + q[0]*to) / sum
	y = reach * (p[1]*(sum-to) + q[1]*to) / sum
	return a.scaled(x), a.scaled(y)
}

// sines holds the sines of 0..60 degrees, times ten thousand.
var sines = [61]int{
	0, 175, 349, 523, 698, 872, 1045, 1219, 1392, 1564, 1736, 1908, 2079, 2250, 2419, 2588,
	2756, 2924, 3090, 3256, 3420, 3584, 3746, 3907, 4067, 4226, 4384, 4540, 4695, 4848, 5000,
	5150, 5299, 5446, 5592, 5736, 5878, 6018, 6157, 6293, 6428, 6561, 6691, 6820, 6947, 7071,
	7193, 7314, 7431, 7547, 7660, 7771, 7880, 7986, 8090, 8192, 8290, 8387, 8480, 8572, 8660,
}

// keyColumn is the width of an entry in the list of ships below the map.
const keyColumn = 205

func (a *artist) keyLines(width int) (cols, lines int) {
	cols = max((width-2*gutter)/keyColumn, 1)
	return cols, (len(a.m.listed(mostListed)) + cols - 1) / cols
}

// mostListed bounds the list of ships below the map.
const mostListed = 200

func (a *artist) keyHeight(width int) int {
	_, lines := a.keyLines(width)
	return 16 + 22*lines + 22*flow(a.keyMarks(), width, nil)
}

// keyMark explains a sign of the drawing; drawing has the sign around 0, 0.
type keyMark struct{ drawing, text string }

// keyMarks returns the signs that occur.
func (a *artist) keyMarks() []keyMark {
	var own, dead, ghost, cloaked, fixed, shields, arcs, ways bool
	for i := range a.m.Counters {
		c := &a.m.Counters[i]
		own = own || c.Own && !c.Dead
		ghost = ghost || c.Ghost
		dead = dead || c.Dead && !c.Ghost
		cloaked = cloaked || c.Cloaked
		fixed = fixed || c.station()
		shields = shields || len(c.Shields) > 0
		arcs = arcs || c.Own && !c.Dead && len(c.Arcs) > 0
		ways = ways || moved(c.Trail)
	}
	var kinds [len(terrainSigns)]bool
	for i := range a.m.Terrain {
		kinds[terrainIndex(a.m.Terrain[i].Kind)] = true
	}
	marks := make([]keyMark, 0, 20)
	add := func(is bool, drawing, text string) {
		if is {
			marks = append(marks, keyMark{drawing, text})
		}
	}
	add(own, `<circle r="9" fill="#ffeeb5" stroke="#000" stroke-width=".7"/>`, "own ship")
	add(dead, `<path d="M-7-7L7 7M7-7L-7 7" stroke="#777" stroke-width="2"/>`, "out of the fight")
	add(ghost, `<use href="#s0" transform="scale(.5)" fill="#fff" stroke="#0d2940" stroke-dasharray="3 2"/>`, "last known place")
	add(cloaked, `<use href="#s0" transform="scale(.5)" fill="#1d4f7c" fill-opacity=".4" stroke="#0d2940" stroke-dasharray="5 2"/>`, "cloaked")
	add(fixed, `<use href="#st" transform="scale(.5)" fill="#fff" stroke="#333"/>`, "outpost")
	add(ways, `<path d="M-10 0H10" stroke="#0d2940" stroke-opacity=".55" stroke-width="2"/><circle cx="-10" r="3" fill="#444"/><use href="#step"/><text y="3" font-size="9" text-anchor="middle">1</text>`, "way in "+a.m.step()+" 1")
	add(a.crowded(), `<text y="4" font-size="9" text-anchor="middle">+2</text>`, "two more in this hex")
	add(a.small, `<rect x="-11" y="-8" width="22" height="16" fill="none" stroke="#555" stroke-dasharray="4 3"/>`, "part drawn enlarged")
	if len(a.m.Shots) > 0 {
		add(true, `<path d="M-12 0H6" stroke="#a3200f" stroke-width="2"/><use href="#flash" transform="translate(8)scale(.7)"/>`, "hit")
		add(true, `<path d="M-12 0H8" stroke="#6b6b6b" stroke-dasharray="6 4"/><circle cx="9" r="4" fill="#fff" stroke="#6b6b6b"/>`, "miss")
		add(true, `<text y="4" font-size="9" fill="#8f1d14" text-anchor="middle">`+a.m.step()[:1]+`1</text>`, "fire of "+a.m.step()+" 1")
	}
	add(shields, `<path d="M-10 0H10" stroke="#18695f" stroke-width="5"/>`, "shield and its points")
	add(shields, `<path d="M-10 0H10" stroke="#a33a12" stroke-dasharray="2 3"/>`, "shield down")
	add(arcs, `<path d="M-10 6L0-8 10 6Z" fill="#1d4f7c" fill-opacity=".1" stroke="#1d4f7c" stroke-opacity=".6" stroke-dasharray="4 3"/>`, "arc and reach of weapons")
	for k, of := range [len(terrainSigns)]keyMark{
		{`<use href="#planet" transform="scale(.4)"/>`, "planet"},
		{`<use href="#moon" transform="scale(.5)"/>`, "moon"},
		{`<use href="#rocks" transform="scale(.5)"/>`, "asteroids"},
		{`<use href="#mine" transform="scale(.6)"/>`, "mine"},
		{`<use href="#field" transform="scale(.5)"/>`, "minefield"},
		{`<use href="#blast" transform="scale(.5)"/>`, "explosion"},
		{`<text y="4" text-anchor="middle">?</text>`, "something else"},
	} {
		add(kinds[k], of.drawing, of.text)
	}
	return marks
}

// flow places marks beside and below each other and returns the number of lines.
func flow(marks []keyMark, width int, put func(m keyMark, x, line int)) (lines int) {
	x := width
	for _, m := range marks {
		room := 44 + 6*len(m.text)
		if x+room > width-2*gutter {
			x = 0
			lines++
		}
		if put != nil {
			put(m, x, lines-1)
		}
		x += room
	}
	return lines
}

// key lists the ships and explains the signs.
func (a *artist) key(left, top, width int) {
	cols, lines := a.keyLines(width)
	a.s(`<g class="k" text-anchor="start">`)
	for n, i := range a.m.listed(mostListed) {
		c := &a.m.Counters[i]
		t := toneOf(c.Side)
		x, y := left+n%cols*keyColumn, top+22+n/cols*22
		fill := t.fill
		shape := t.shape
		if c.station() {
			shape = "st"
		}
		switch {
		case c.Dead:
			fill = "#ccc"
		case c.Ghost:
			fill = "#fff"
		}
		a.line().s(`<use href="#`).s(shape).s(`" transform="translate(`).xy(x+7, y-4).s(`)scale(.5)" fill="`).s(fill)
		a.s(`" stroke="`).s(t.line).s(`"/><text x="`).n(x + 20).s(`" y="`).n(y).s(`"><tspan font-weight="bold">`)
		a.sign(a.signs[i]).s(`</tspan> `).t(clean.Clip(c.Name, 16)).s(" ")
		a.hex(c, 13)
		a.s(headingName(c.Heading))
		if c.Note != "" {
			a.s(" ").t(clean.Clip(c.Note, 21))
		}
		a.s(`</text>`)
	}
	flow(a.keyMarks(), width, func(m keyMark, x, line int) {
		y := top + 22 + (lines+line)*22
		a.line().s(`<g transform="translate(`).xy(left+x+14, y-4).s(`)">`).s(m.drawing)
		a.s(`<text x="18" y="4">`).s(m.text).s(`</text></g>`)
	})
	a.s(`</g>`)
}
