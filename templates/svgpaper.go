package templates

// Sizes in SVG units. A hex at full scale is 80 wide and 70 high; whole
// numbers make its width a hundredth too large, which is not visible.
const (
	stepX, stepY   = 60, 70 // from column to column, row to row
	halfX, halfY   = 40, 35
	panelWidth     = 860  // the widest field
	panelHeight    = 1500 // ... and the highest
	narrowHeight   = 1000 // of a field that has room across: the report goes on below it
	overviewHeight = 900
	gutter         = 8
	overviewPad    = 14 // ships stand out over the hexes of an overview
)

// artist draws one map.
type artist struct {
	ink
	m       *Map
	order   []int32
	signs   []sign
	small   bool // an overview is drawn, too
	stretch int  // which of the stretches of rows is drawn
	touched bool // hexes and ships of the panel can be pointed at
	panel
	features []label // names of terrain and arcs in this panel
	board    signboard
}

// panel is a window on paper: hexes times num/den are units.
type panel struct {
	window
	num, den      int64
	width, height int
	body          int // size of a ship, in hundredths
	pad           int // units kept free around the window
}

// fit sizes a panel for a window so that it is no larger than the paper.
func fit(w window, width, height, pad int) panel {
	fullX := int64(stepX*(w.cols()-1) + 2*halfX)
	fullY := int64(stepY)*int64(w.rows()) + halfY
	p := panel{window: w, num: 1, den: 1, pad: pad}
	if fullX > int64(width) {
		p.num, p.den = int64(width), fullX
	}
	if fullY*p.num > int64(height)*p.den {
		p.num, p.den = int64(height), fullY
	}
	p.width = int((fullX*p.num+p.den-1)/p.den) + 2*pad
	p.height = int((fullY*p.num+p.den-1)/p.den) + 2*pad
	p.body = min(max(int(100*p.num/p.den), 72), 100)
	return p
}

// Heights of what stands above a stretch of rows: the numbers of columns, and what is left out before it.
const stretchHead, leftOutHead = 20, 18

// stretches are the rows of a window that are drawn. Those between them hold nothing, as in the ASCII map: one empty
// row stands on each side of a gap. No gap is cut into a way or a line of fire.
func (m *Map) stretches(w window, cut bool) []window {
	if !cut {
		return []window{w}
	}
	used := make([]bool, w.rows())
	mark := func(r0, r1 int) {
		for r := max(min(near(r0), near(r1)), w.r0); r <= min(max(near(r0), near(r1)), w.r1); r++ {
			used[r-w.r0] = true
		}
	}
	for i := range m.Counters {
		c := &m.Counters[i]
		mark(c.Row, c.Row)
		for k := range c.Trail {
			mark(c.Trail[max(k-1, 0)].Row, c.Trail[k].Row)
		}
	}
	for i := range m.Terrain {
		mark(m.Terrain[i].Row, m.Terrain[i].Row)
	}
	for i := range m.Shots {
		mark(m.Shots[i].FromRow, m.Shots[i].ToRow)
	}
	var out []window
	from, last := 0, -1
	for r, full := range used {
		if !full {
			continue
		}
		if last >= 0 && r-last-3 >= leastSkip {
			out = append(out, window{w.c0, w.r0 + from, w.c1, w.r0 + last + 1})
			from = r - 1
		}
		last = r
	}
	return append(out, window{w.c0, w.r0 + from, w.c1, w.r1})
}

// stacked sizes panels of one scale for windows that stand above each other.
func stacked(parts []window, width, height int) []panel {
	all := parts[0]
	for _, w := range parts[1:] {
		all.r1 += w.rows()
	}
	scale := fit(all, width, height, 0)
	if height == panelHeight && stepX*(all.cols()-1)+2*halfX <= width {
		scale = fit(all, width, narrowHeight, 0)
	}
	out := make([]panel, 0, len(parts))
	for _, w := range parts {
		one := fit(w, scale.width, height, 0)
		one.num, one.den, one.width, one.body = scale.num, scale.den, scale.width, scale.body
		one.height = int(((int64(stepY)*int64(w.rows())+halfY)*one.num + one.den - 1) / one.den)
		out = append(out, one)
	}
	return out
}

// scaled turns units of the full scale into units of the paper.
func (p *panel) scaled(n int) int { return int(int64(n) * p.num / p.den) }

// centre is the middle of a hex.
func (p *panel) centre(col, row int) (x, y int) {
	col, row = near(col), near(row)
	x = stepX*(col-p.c0) + halfX
	y = stepY*(row-p.r0) + halfY
	if even(col) {
		y += halfY
	}
	return p.pad + p.scaled(x), p.pad + p.scaled(y)
}
