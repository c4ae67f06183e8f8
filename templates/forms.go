package templates

// Forms are the drawings of a report.
type Forms struct {
	Text, HTML, SVG []byte

	ascii, svg []byte
}

// RenderAll makes all forms of a report at once, in the memory of the last one; the maps in
// them are drawn once.
func (f *Forms) RenderAll(r Report) {
	below := sheetsOf(&r)
	f.SVG = appendFile(room(f.SVG, 10<<10), &r.Map, below)
	f.ascii = appendASCII(room(f.ascii, 4<<10), &r.Map)
	m := drawings{ascii: f.ascii, svg: f.SVG[len(svgProlog) : len(f.SVG)-1]}
	if len(below) > 0 { // which HTML draws itself
		f.svg = appendSVG(room(f.svg, 10<<10), &r.Map, nil)
		m.svg = f.svg
	}
	f.Text = appendReport(room(f.Text, 10<<10), &r, m)
	f.HTML = appendHTML(room(f.HTML, 28<<10), &r, m)
}

// room empties b, or makes a slice of that capacity.
func room(b []byte, size int) []byte {
	if b == nil {
		return make([]byte, 0, size)
	}
	return b[:0]
}

// drawings are a map as characters and as an SVG element.
type drawings struct{ ascii, svg []byte }
