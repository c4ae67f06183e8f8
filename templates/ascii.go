package templates

import "starpost/templates/clean"

// ASCIIMap draws m in ASCII, at most 78 columns wide, with a legend of all
// counters below. A hex is
//
//	 __
//	/HB\   the ship H, heading B
//	\__/
//
// and even columns sit half a hex lower. A battle that does not fit the page hex by hex
// is drawn with one character for each hex or block of hexes, and the part where the
// fight is again hex by hex below. The empty Map gives "".
func ASCIIMap(m Map) string {
	return string(appendASCII(nil, &m))
}

func appendASCII(b []byte, m *Map) []byte {
	if m.Empty() {
		return b
	}
	if b == nil {
		b = make([]byte, 0, 8192)
	}
	d := drawing{page: page{b: b, mode: clean.ASCII}, m: m, order: m.stacks(), signs: m.signs()}
	d.para("", 2, m.Caption)
	rows := m.Rows
	if rows <= 0 {
		rows = defaultRows
	}
	rows = min(max(rows, leastRows), 200)
	p := m.layout(d.fullCols(), rows)
	if p.small {
		d.overview(p.far)
	}
	d.field(p)
	d.legend()
	return d.b
}

// labelWidth returns the room for the row numbers of any place near what is drawn.
func (d *drawing) labelWidth() int {
	_, all := d.m.extents(nil)
	if b := d.m.Bounds; b != nil {
		all.add(1, 1)
		all.add(b.Cols, b.Rows)
	}
	return max(2, digits(all.r0-99), digits(all.r1+99))
}

// fullCols returns the number of columns that fit the page hex by hex.
func (d *drawing) fullCols() int {
	return (pageWidth - 2*(d.labelWidth()+1) - 1) / hexPitch
}

const hexPitch = 3 // characters from one column to the next

// canvas is the drawing of a window hex by hex.
type canvas struct {
	window
	left, stride int
	cells        []byte
	bounds       *window
}

// at returns the index of the first of the two characters in the upper half of a hex;
// the lower half is one stride further.
func (v *canvas) at(c, r int) int {
	y := 1 + 2*(r-v.r0)
	if even(c) {
		y++
	}
	return y*v.stride + v.left + hexPitch*(c-v.c0) + 1
}

// field draws the window p.near hex by hex.
func (d *drawing) field(p plan) {
	w := p.near
	label := max(2, digits(w.r0), digits(w.r1))
	v := canvas{window: w, left: label + 1, bounds: p.bounds}
	v.stride = v.left + hexPitch*w.cols() + 1 + 1 + label
	lines := 2*w.rows() + 2
	v.cells = make([]byte, v.stride*lines)
	v.grid(lines)
	d.columnLabels(w, v.left+1, hexPitch)
	d.trails(&v)
	d.terrain(&v)
	for order := d.order; len(order) > 0; {
		var stack []int32
		stack, order = d.m.nextStack(order)
		d.stack(&v, stack)
	}
	for r := w.r0; r <= w.r1; r++ {
		y := 1 + 2*(r-w.r0)
		row := v.cells[y*v.stride : (y+1)*v.stride]
		putCoord(row[:label], r)
		putCoord(row[v.stride-label:], r)
	}
	for y := 0; y < lines; y++ {
		d.b = appendTrimmed(d.b, v.cells[y*v.stride:(y+1)*v.stride])
		if skip := v.emptyRows(y, label); skip >= leastSkip {
			d.spaces(v.left + 1)
			d.b = append(d.b, ": "...)
			d.b = appendInt(d.b, skip)
			d.b = append(d.b, " empty rows are left out"...)
			d.newline()
			y += 2 * skip
		}
	}
}

// emptyRows counts the rows below line y that may be left out; y is the last line of a
// row. Only rows with nothing but the grid are left out, and one such row stays on
// either side. Every row is two lines of the same pattern, so the picture closes again.
func (v *canvas) emptyRows(y, label int) int {
	if y < 2 || y%2 != 0 || !v.empty(y-1, label) {
		return 0
	}
	n := 0
	for r := y/2 + 1; r < v.rows() && v.empty(2*r-1, label); r++ {
		n++
	}
	return n - 1
}

// empty reports whether the row that starts at line y holds nothing but the grid.
func (v *canvas) empty(y, label int) bool {
	for _, line := range [2]int{y, y + 1} {
		for _, c := range v.cells[line*v.stride+v.left : (line+1)*v.stride-label] {
			if c != '/' && c != '\\' && c != '_' && c != ' ' {
				return false
			}
		}
	}
	return true
}

// grid draws the edges of all hexes. Every line of hexes looks the same, so
// the first ones are drawn and copied.
func (v *canvas) grid(lines int) {
	for i := range v.cells {
		v.cells[i] = ' '
	}
	for c := v.c0; c <= v.c1; c++ {
		for r := v.r0; r <= min(v.r0+1, v.r1); r++ {
			i := v.at(c, r)
			if r == v.r0 {
				v.cells[i-v.stride], v.cells[i-v.stride+1] = '_', '_'
			}
			v.cells[i-1], v.cells[i+2] = '/', '\\'
			j := i + v.stride
			v.cells[j-1], v.cells[j], v.cells[j+1], v.cells[j+2] = '\\', '_', '_', '/'
		}
	}
	// Lines 2 and 3 hold the lower half of row r0 in odd columns, and their
	// neighbours; from there on the picture repeats every two lines.
	last := lines - 1
	if v.rows() > 2 {
		pattern := v.cells[3*v.stride : 5*v.stride]
		for y := 5; y < last; y += 2 {
			end := min((y+2)*v.stride, last*v.stride)
			copy(v.cells[y*v.stride:end], pattern)
		}
		// The last line closes the even columns only.
		for c := v.c0; c <= v.c1; c++ {
			i := v.at(c, v.r1)
			j := i + v.stride
			v.cells[i-1], v.cells[i+2] = '/', '\\'
			v.cells[j-1], v.cells[j], v.cells[j+1], v.cells[j+2] = '\\', '_', '_', '/'
		}
	}
}

func (d *drawing) trails(v *canvas) {
	for i := range d.m.Counters {
		sign := d.sign(int32(i))
		for _, s := range d.m.Counters[i].Trail {
			c, r := near(s.Col), near(s.Row)
			if !v.has(c, r) {
				continue
			}
			at := v.at(c, r)
			d.sawTrail = true
			if v.cells[at] == '.' { // another one passed here: both are dots
				if v.cells[at+1] != sign.a {
					v.cells[at+1] = '.'
				}
				continue
			}
			v.cells[at], v.cells[at+1] = '.', sign.a
		}
	}
}

func (d *drawing) terrain(v *canvas) {
	for i := range d.m.Terrain {
		t := &d.m.Terrain[i]
		c, r := near(t.Col), near(t.Row)
		if !v.has(c, r) {
			continue
		}
		k := terrainIndex(t.Kind)
		at := v.at(c, r)
		if t.Kind == Minefield && (v.cells[at+1] != ' ' || v.cells[at+v.stride] != '_') {
			continue
		}
		d.sawTerrain[k] = true
		if v.cells[at] == '.' {
			v.cells[at+v.stride] = terrainSigns[k]
			continue
		}
		v.cells[at], v.cells[at+1] = ' ', terrainSigns[k]
	}
}

// stack draws the counters of one hex: one in the upper half, a second in the lower
// half; if there are more, their number and the first.
func (d *drawing) stack(v *canvas, stack []int32) {
	first := &d.m.Counters[stack[0]]
	c, r := near(first.Col), near(first.Row)
	if !v.has(c, r) {
		return
	}
	up := v.at(c, r)
	low := up + v.stride
	ground := byte(0) // terrain that the counters would hide
	for _, x := range [2]byte{v.cells[up+1], v.cells[low]} {
		for k := range len(terrainSigns) {
			if x == terrainSigns[k] {
				ground = x
			}
		}
	}
	one := d.face(stack[0])
	switch n := len(stack); {
	case n == 1:
		v.cells[up], v.cells[up+1] = one[0], one[1]
		fill := byte('_')
		switch {
		case first.Own && !first.Dead:
			fill, d.sawOwn = '=', true
		case first.Ghost:
			fill = '?'
		case first.Dead:
			fill, d.sawDead = '~', true
		}
		v.cells[low], v.cells[low+1] = fill, fill
		if one[2] != 0 {
			v.cells[low+1] = one[2]
		}
		if ground != 0 {
			v.cells[low] = ground
		}
	case n == 2 && ground == 0 && one[2] == 0 && d.face(stack[1])[2] == 0:
		two := d.face(stack[1])
		for k, face := range [2]*[3]byte{&one, &two} {
			if c := &d.m.Counters[stack[k]]; c.Dead && !c.Ghost {
				face[1], d.sawDead = '~', true
			}
		}
		v.cells[up], v.cells[up+1] = one[0], one[1]
		v.cells[low], v.cells[low+1] = two[0], two[1]
	default:
		d.sawMany = true
		v.cells[up], v.cells[up+1] = '+', '+'
		if n <= 9 {
			v.cells[up+1] = byte('0' + n)
		}
		v.cells[low], v.cells[low+1] = one[0], '_'
		if ground != 0 {
			v.cells[low+1] = ground
		}
	}
}

// face returns the characters of a counter: sign and mark, and a third if the sign
// takes two.
func (d *drawing) face(i int32) [3]byte {
	s, mark := d.sign(i), d.mark(&d.m.Counters[i])
	switch {
	case s.b != 0 && mark == 0:
		return [3]byte{s.a, s.b, '_'}
	case s.b != 0:
		return [3]byte{s.a, s.b, mark}
	case mark == 0:
		mark = ' '
	}
	return [3]byte{s.a, mark, 0}
}

// columnLabels writes the numbers of columns above their hexes, as many as
// there is room for.
func (d *drawing) columnLabels(w window, left, pitch int) {
	width := max(2, digits(w.c0), digits(w.c1))
	every := (width + 1 + pitch - 1) / pitch
	d.spaces(left)
	at := left
	for c := w.c0; c <= w.c1; c += every {
		x := left + pitch*(c-w.c0)
		if x+width > pageWidth {
			break
		}
		d.spaces(x - at)
		start := len(d.b)
		d.b = appendCoord(d.b, c)
		at = x + len(d.b) - start
	}
	d.newline()
}

// appendTrimmed appends a line without the spaces at its end.
func appendTrimmed(b, line []byte) []byte {
	n := len(line)
	for n > 0 && line[n-1] == ' ' {
		n--
	}
	b = append(b, line[:n]...)
	return append(b, '\n')
}
