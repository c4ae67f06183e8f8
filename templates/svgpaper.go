package templates

// Sizes in SVG units. A hex at full scale is 80 wide and 70 high; with whole numbers it
// is one percent too wide, which is not visible.
const (
	stepX, stepY   = 60, 70 // from column to column, row to row
	halfX, halfY   = 40, 35
	panelWidth     = 860  // the widest field
	panelHeight    = 1500 // ... and the highest
	narrowHeight   = 1000 // of a field that fits across at full scale: the report continues below it
	stretchHead    = 20   // above a stretch of rows: the numbers of columns
	leftOutHead    = 18   // ... and what is left out before it
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

// panel is a window on paper at the scale num/den.
type panel struct {
	window
	num, den      int64
	width, height int
	body          int // size of a ship, in hundredths
	pad           int // units kept free around the window
}

// fit returns the panel of a window, scaled to be no larger than the paper.
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

// stretches returns the rows of a window that are drawn, as panels of one scale. The rows between them are empty; one
// empty row stays on each side of a gap, and no gap cuts a path or a line of fire.
func (m *Map) stretches(w window) (out []panel) {
	used := make([]bool, w.rows())
	mark := func(r0, r1 int) {
		for r := max(min(near(r0), near(r1)), w.r0); r <= min(max(near(r0), near(r1)), w.r1); r++ {
			used[r-w.r0] = true
		}
	}
	for i := range m.Counters {
		mark(m.Counters[i].Row, m.Counters[i].Row)
		for k, step := range m.Counters[i].Trail {
			mark(m.Counters[i].Trail[max(k-1, 0)].Row, step.Row)
		}
	}
	for i := range m.Terrain {
		mark(m.Terrain[i].Row, m.Terrain[i].Row)
	}
	for i := range m.Shots {
		mark(m.Shots[i].FromRow, m.Shots[i].ToRow)
	}
	all, part, last := w, w, w.r1
	for r := w.r0; r <= w.r1; r++ {
		if skip := r - last - 3; used[r-w.r0] && skip >= leastSkip {
			part.r1 = last + 1
			out, all.r1, part = append(out, panel{window: part}), all.r1-skip, window{w.c0, r - 1, w.c1, w.r1}
		}
		if used[r-w.r0] {
			last = r
		}
	}
	height := panelHeight
	if stepX*(all.cols()-1)+2*halfX <= panelWidth {
		height = narrowHeight
	}
	out = append(out, panel{window: part})
	for i, scale := 0, fit(all, panelWidth, height, 0); i < len(out); i++ {
		scale.window = out[i].window
		scale.height = int((int64(stepY*scale.rows()+halfY)*scale.num + scale.den - 1) / scale.den)
		out[i] = scale
	}
	return out
}

// scaled converts units of the full scale to units of the paper.
func (p *panel) scaled(n int) int { return int(int64(n) * p.num / p.den) }

// centre returns the middle of a hex.
func (p *panel) centre(col, row int) (x, y int) {
	col, row = near(col), near(row)
	x = stepX*(col-p.c0) + halfX
	y = stepY*(row-p.r0) + halfY
	if even(col) {
		y += halfY
	}
	return p.pad + p.scaled(x), p.pad + p.scaled(y)
}
