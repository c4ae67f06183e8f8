package templates

// Forms are the drawings of a report.
type Forms struct {
	Set             *Set // what they are drawn with; nil for what is built in
	Text, HTML, SVG []byte

	ascii []byte
}

// RenderAll makes all forms of a report at once.
func (f *Forms) RenderAll(r Report) error {
	if err := f.RenderText(r); err != nil {
		return err
	}
	return f.RenderPages(r)
}

// RenderText makes the text of a report, in the memory of the last one.
func (f *Forms) RenderText(r Report) error {
	f.ascii = appendASCII(room(f.ascii, 4<<10), &r.Map)
	f.Text = appendReport(room(f.Text, 10<<10), &r, f.ascii)
	return nil
}

// RenderPages makes all but the text, the picture in the memory of the last one.
func (f *Forms) RenderPages(r Report) (err error) {
	f.SVG = appendFile(room(f.SVG, 10<<10), &r.Map, sheetsOf(&r))
	f.HTML, err = f.Set.ReportHTML(r)
	return err
}

// room empties b, or makes a slice of that capacity.
func room(b []byte, size int) []byte {
	if b == nil {
		return make([]byte, 0, size)
	}
	return b[:0]
}
