package templates

// Forms are the drawings of a report.
type Forms struct {
	Text, HTML, SVG []byte

	ascii, svg []byte
}

// RenderAll makes all forms of a report at once.
func (f *Forms) RenderAll(r Report) {
	f.RenderText(r)
	f.renderPages(&r)
}

// RenderText makes the text of a report, in the memory of the last one.
func (f *Forms) RenderText(r Report) {
	f.ascii = appendASCII(room(f.ascii, 4<<10), &r.Map)
	f.Text = appendReport(room(f.Text, 10<<10), &r, drawings{ascii: f.ascii})
}

// RenderPages makes all but the text.
func (f *Forms) RenderPages(r Report) {
	f.ascii = appendASCII(room(f.ascii, 4<<10), &r.Map)
	f.renderPages(&r)
}

// renderPages makes all but the text, with the map as characters that is drawn already.
func (f *Forms) renderPages(r *Report) {
	below := sheetsOf(r)
	f.SVG = appendFile(room(f.SVG, 10<<10), &r.Map, below)
	m := drawings{ascii: f.ascii, svg: f.SVG[len(svgProlog) : len(f.SVG)-1]}
	if len(below) > 0 { // which HTML draws itself
		f.svg = appendSVG(room(f.svg, 10<<10), &r.Map, nil)
		m.svg = f.svg
	}
	f.HTML = appendHTML(room(f.HTML, 28<<10), r, m)
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
