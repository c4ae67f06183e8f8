package templates

// Forms are the drawings of a report.
type Forms struct {
	Set             *Set // what they are drawn with; nil for what is built in
	Text, HTML, SVG []byte
}

// RenderAll makes all forms of a report at once.
func (f *Forms) RenderAll(r Report) error {
	if err := f.RenderText(r); err != nil {
		return err
	}
	return f.RenderPages(r)
}

// RenderText makes the text of a report.
func (f *Forms) RenderText(r Report) (err error) {
	f.Text, err = f.Set.ReportText(r)
	return err
}

// RenderPages makes all but the text, the picture in the memory of the last one.
func (f *Forms) RenderPages(r Report) (err error) {
	if f.SVG == nil {
		f.SVG = make([]byte, 0, 10<<10)
	}
	f.SVG = appendFile(f.SVG[:0], &r.Map, sheetsOf(&r))
	f.HTML, err = f.Set.ReportHTML(r)
	return err
}
