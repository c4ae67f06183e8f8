package templates

import "io"

// What a report is made of piece by piece, as Forms.RenderAll makes all of it.

// RenderAll makes all forms of a report at once.
func RenderAll(r Report) Forms {
	var f Forms
	f.RenderAll(r)
	return f
}

func write(w io.Writer, b []byte) error {
	_, err := w.Write(b)
	return err
}

// Text writes a report as plain text.
func Text(w io.Writer, r Report) error {
	return write(w, appendReport(nil, &r, drawings{ascii: appendASCII(nil, &r.Map)}))
}

// HTML writes a report as one HTML page.
func HTML(w io.Writer, r Report) error {
	return write(w, appendHTML(nil, &r, drawings{appendASCII(nil, &r.Map), appendSVG(nil, &r.Map, nil)}))
}

// SVG writes m as a stand-alone SVG file.
func SVG(w io.Writer, m Map) error { return write(w, appendFile(nil, &m, nil)) }
