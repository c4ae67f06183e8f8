package templates

import (
	"cmp"
	"slices"
)

// Sizes of an overview: the most rows, and the most hexes or blocks of hexes across, so
// that each has at least two characters.
const overviewRows, overviewCols = 40, 36

// overview draws the battle within w at a smaller scale. Each ship shows her sign,
// heading and state, at her hex or beside it if there is no room.
func (d *drawing) overview(w window) {
	label := max(2, digits(w.r0), digits(w.r1))
	left := label + 2 // number and frame
	room := pageWidth - left - 1
	scale := max(ceilDiv(w.cols(), min(overviewCols, room/2)), ceilDiv(w.rows(), overviewRows), 1)
	cols, rows := ceilDiv(w.cols(), scale), ceilDiv(w.rows(), scale)
	pitch := min(room/cols, 4)
	stride := max(cols*pitch, min(12, room))
	f := far{window: w, scale: scale, pitch: pitch, stride: stride, rows: rows, cells: make([]byte, stride*rows)}
	for i := range f.cells {
		f.cells[i] = ' '
	}
	for i := range d.m.Terrain {
		t := &d.m.Terrain[i]
		k := terrainIndex(t.Kind)
		if at := f.at(t.Col, t.Row); at >= 0 && (t.Kind != Minefield || f.cells[at] == ' ') {
			f.cells[at] = terrainSigns[k]
			d.sawTerrain[k] = true
		}
	}
	for i := range d.m.Counters {
		for _, s := range d.m.Counters[i].Trail {
			if at := f.at(s.Col, s.Row); at >= 0 {
				f.cells[at] = '.'
				d.sawTrail = true
			}
		}
	}
	f.taken = make([]bool, len(f.cells))
	order := slices.Clone(d.order)
	slices.SortStableFunc(order, func(i, j int32) int {
		return cmp.Compare(standing(&d.m.Counters[i]), standing(&d.m.Counters[j]))
	})
	for _, i := range order {
		c := &d.m.Counters[i]
		at := f.at(c.Col, c.Row)
		if at < 0 {
			continue
		}
		if d.sawFar = true; !f.put(at, d.flag(i)) {
			if d.sawCrowd = true; !f.taken[at] {
				f.cells[at] = '+'
			}
		}
	}
	cells := f.cells

	text := "The whole battle at a smaller scale"
	if scale > 1 {
		var few [24]byte
		by := string(appendInt(few[:0], scale))
		text += ", " + by + " by " + by + " hexes in one"
	}
	d.para("", 2, text+":")
	d.ruler(w, left, cols, pitch, scale)
	d.frame(left, stride)
	every := 1
	if rows > 12 {
		every = 5
	}
	for y := 0; y < rows; y++ {
		if skip := f.emptyRows(y); skip >= leastSkip {
			d.spaces(label)
			d.b = append(d.b, " : "...)
			d.b = appendInt(d.b, skip*scale)
			d.b = append(d.b, " empty rows are left out\n"...)
			y += skip - 1
			continue
		}
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
	d.b = append(d.b, "\nEnlarged, where the fight is:\n"...)
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

// far is the drawing of an overview.
type far struct {
	window
	scale, pitch, stride, rows int
	cells                      []byte
	taken                      []bool // by ships
}

// at returns the index of a hex's cell, or -1 outside the window.
func (f *far) at(col, row int) int {
	c, r := near(col), near(row)
	if !f.has(c, r) {
		return -1
	}
	return (r-f.r0)/f.scale*f.stride + (c-f.c0)/f.scale*f.pitch
}

// put writes a ship at a cell or as near to it as there is room, if possible with a
// blank between it and others. It reports whether there was room.
func (f *far) put(at int, flag string) bool {
	x, y := at%f.stride, at/f.stride
	for gap := 1; gap >= 0; gap-- {
		for _, dy := range [3]int{0, 1, -1} {
			for _, dx := range [5]int{0, -1, 1, -2, -3} {
				if f.free(x+dx, y+dy, len(flag), gap) {
					to := (y+dy)*f.stride + x + dx
					copy(f.cells[to:], flag)
					for i := range flag {
						f.taken[to+i] = true
					}
					return true
				}
			}
		}
	}
	return false
}

func (f *far) free(x, y, length, gap int) bool {
	if x < 0 || y < 0 || y >= f.rows || x+length > f.stride {
		return false
	}
	for i := max(x-gap, 0); i < min(x+length+gap, f.stride); i++ {
		if f.taken[y*f.stride+i] {
			return false
		}
	}
	return true
}

// emptyRows counts the blank lines from y on, never including the first or last line of
// the drawing.
func (f *far) emptyRows(y int) int {
	n := 0
	for ; y > 0 && y+n < f.rows-1; n++ {
		for _, c := range f.cells[(y+n)*f.stride : (y+n+1)*f.stride] {
			if c != ' ' {
				return n
			}
		}
	}
	return n
}

// flag returns how an overview writes a counter: "amD", "KC=" for an own ship, "gr~"
// for one out of the fight, "v?2" for one last seen two turns ago.
func (d *drawing) flag(i int32) string {
	c, s := &d.m.Counters[i], d.sign(i)
	b := append(make([]byte, 0, 4), s.a)
	if s.b != 0 {
		b = append(b, s.b)
	}
	mark := d.mark(c)
	switch {
	case c.Ghost:
		return string(append(b, '?', mark))
	case c.Dead:
		return string(append(b, '~'))
	case mark != 0:
		b = append(b, mark)
	}
	if c.Own {
		b = append(b, '=')
	}
	return string(b)
}
