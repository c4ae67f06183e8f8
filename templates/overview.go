package templates

// overviewRows and the page's width bound the overview, in characters.
const overviewRows = 36

// overview draws w with one character a hex, or for several hexes where even
// that would be too large.
func (d *drawing) overview(w window) {
	label := max(2, digits(w.r0), digits(w.r1))
	left := label + 2 // number and frame
	room := pageWidth - left - 1
	scale := max(ceilDiv(w.cols(), room), ceilDiv(w.rows(), overviewRows), 1)
	cols, rows := ceilDiv(w.cols(), scale), ceilDiv(w.rows(), scale)
	pitch := 1
	if 2*cols <= room {
		pitch = 2 // nearer to the true proportions
	}
	stride := cols * pitch
	cells := make([]byte, stride*rows)
	for i := range cells {
		cells[i] = ' '
	}
	put := func(col, row int, sign byte) bool {
		c, r := near(col), near(row)
		if !w.has(c, r) {
			return false
		}
		cells[(r-w.r0)/scale*stride+(c-w.c0)/scale*pitch] = sign
		return true
	}
	taken := func(col, row int) bool {
		c, r := near(col), near(row)
		return w.has(c, r) && cells[(r-w.r0)/scale*stride+(c-w.c0)/scale*pitch] != ' '
	}
	for i := range d.m.Terrain {
		t := &d.m.Terrain[i]
		k := terrainIndex(t.Kind)
		if t.Kind == Minefield && taken(t.Col, t.Row) {
			continue
		}
		if put(t.Col, t.Row, terrainSigns[k]) {
			d.sawTerrain[k] = true
		}
	}
	for i := range d.m.Counters {
		for _, s := range d.m.Counters[i].Trail {
			if put(s.Col, s.Row, '.') {
				d.sawTrail = true
			}
		}
	}
	// Ships are put twice: first to wipe what lies below them, so that the
	// second time a letter can only be another ship's.
	for i := range d.m.Counters {
		put(d.m.Counters[i].Col, d.m.Counters[i].Row, ' ')
	}
	for order := d.order; len(order) > 0; {
		var stack []int32
		stack, order = d.m.nextStack(order)
		c := &d.m.Counters[stack[0]]
		col, row := near(c.Col), near(c.Row)
		if !w.has(col, row) {
			continue
		}
		at := (row-w.r0)/scale*stride + (col-w.c0)/scale*pitch
		switch {
		case cells[at] != ' ' || len(stack) > 1:
			cells[at] = '+'
			d.sawCrowd = true
		case c.Ghost:
			cells[at] = lower(d.signs[stack[0]].a)
			d.sawGhost = true
		default:
			cells[at] = upper(d.signs[stack[0]].a)
		}
	}

	if scale == 1 {
		d.para("", 2, "One character a hex:")
	} else {
		var few [24]byte
		d.para("", 2, "One character for "+string(appendInt(few[:0], scale))+" by "+
			string(appendInt(few[:0], scale))+" hexes:")
	}
	d.ruler(w, left, cols, pitch, scale)
	d.frame(left, stride)
	every := 1
	if rows > 12 {
		every = 5
	}
	for y := range rows {
		if r := w.r0 + y*scale; every == 1 || (scale > 1 && y%every == 0) || (scale == 1 && r%every == 0) {
			start := len(d.b)
			d.spaces(label)
			putCoord(d.b[start:], r)
		} else {
			d.spaces(label)
		}
		d.b = append(d.b, ' ', '|')
		d.b = append(d.b, cells[y*stride:(y+1)*stride]...)
		d.b = append(d.b, '|', '\n')
	}
	d.frame(left, stride)
	d.b = append(d.b, "\nEnlarged:\n"...)
}

// ruler numbers the columns of an overview.
func (d *drawing) ruler(w window, left, cols, pitch, scale int) {
	width := max(2, digits(w.c0), digits(w.c1))
	every := 5
	for every*pitch < width+1 {
		every += 5
	}
	at := 0
	for x := range cols {
		c := w.c0 + x*scale
		if scale > 1 && x%every != 0 || scale == 1 && c%every != 0 {
			continue
		}
		want := left + x*pitch
		if want < at+1 || want+width > pageWidth {
			continue
		}
		d.spaces(want - at)
		start := len(d.b)
		d.b = appendCoord(d.b, c)
		at = want + len(d.b) - start
	}
	d.newline()
}

func (d *drawing) frame(left, width int) {
	d.spaces(left - 1)
	d.b = append(d.b, '+')
	for range width {
		d.b = append(d.b, '-')
	}
	d.b = append(d.b, '+', '\n')
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
