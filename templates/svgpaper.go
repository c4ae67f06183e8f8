package templates

// Sizes in SVG units. A hex at full scale is 80 wide and 70 high; whole
// numbers make its width a hundredth too large, which is not visible.
const (
	stepX, stepY   = 60, 70 // from column to column, row to row
	halfX, halfY   = 40, 35
	panelWidth     = 860 // the widest field
	panelHeight    = 1500
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
