package templates

import (
	"errors"
	"io"
	"testing"
)

// Functions that render a report or one part of it, for tests.

// RenderAll renders all forms of a report.
func RenderAll(tb testing.TB, r Report) Forms {
	tb.Helper()
	var f Forms
	if err := f.RenderAll(r); err != nil {
		tb.Fatal(err)
	}
	return f
}

func write(w io.Writer, b []byte) error {
	_, err := w.Write(b)
	return err
}

// Text writes a report as plain text.
func Text(w io.Writer, r Report) error {
	b, err := (*Set)(nil).ReportText(r)
	return errors.Join(err, write(w, b))
}

// HTML writes a report as one HTML page.
func HTML(w io.Writer, r Report) error {
	b, err := (*Set)(nil).ReportHTML(r)
	return errors.Join(err, write(w, b))
}

// SVG writes m as a stand-alone SVG file.
func SVG(w io.Writer, m Map) error { return write(w, appendFile(nil, &m, nil)) }
