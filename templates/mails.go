package templates

import (
	"errors"
	"fmt"
)

// AckText draws an acknowledgement as plain text of at most 78 columns. The
// set in force stands behind bars, so that an answer that quotes it does not
// hand it in again.
func (s *Set) AckText(a Ack) (string, error) { return s.words("ack.txt", a) }

// ReplyText draws an answer to commands as plain text of at most 78 columns, but for what
// is shown as wide as it is.
// Nothing in it starts a line as a command does, so that an answer that quotes
// it does not repeat the command.
func (s *Set) ReplyText(r Reply) (string, error) { return s.words("reply.txt", r) }

// MessageText draws a relayed message. Its lines stand behind bars, so that
// nothing in it can pass for a command or an order set of who answers it.
func (s *Set) MessageText(m RelayedMessage) (string, error) { return s.words("message.txt", m) }

// NoticeText draws a short mail as plain text, broken at 78 columns but for
// the Example, which is printed as it is, and the Words, which stand behind bars.
// An unknown kind is an error.
func (s *Set) NoticeText(n Notice) (string, error) {
	name := "notice-" + string(n.Kind) + ".txt"
	if File(name) == nil {
		return "", fmt.Errorf("write notice: no template for the kind %q", n.Kind)
	}
	return s.words(name, n)
}

func (s *Set) words(name string, view any) (string, error) {
	p := pages.Get().(*page)
	defer pages.Put(p)
	p.b = p.b[:0]
	if err := s.draw(name, view, p); err != nil {
		return "", err
	}
	return string(p.b), nil
}

// AckHTML draws an acknowledgement as one HTML page for mail clients.
func (s *Set) AckHTML(a Ack) (string, error) { return s.words("ack.html", a) }

// ReportHTML draws a report as one HTML page for mail clients: ASCII, its styles its
// own, no script, nothing fetched. The map is an SVG drawing, followed by the ASCII
// map for clients that cut the drawing out; the order template stands in a
// <pre> at the end.
func (s *Set) ReportHTML(r Report) ([]byte, error) { return s.bytes("report.html", r, nil) }

// ReportText draws a report as plain text: what is owed, the map, what happened,
// the panels, rulings, messages, and the order template at the end as it was
// handed over. Apart from the template no line is longer than 78 columns.
func (s *Set) ReportText(r Report) ([]byte, error) { return s.bytes("report.txt", r, nil) }

// bytes draws a view in the memory of what is no longer needed.
func (s *Set) bytes(name string, view any, old []byte) ([]byte, error) {
	p := page{b: old[:0]}
	err := s.draw(name, view, &p)
	return p.b, err
}

// Forms are the drawings of a report.
type Forms struct {
	Set             *Set // what they are drawn with; nil for what is built in
	Text, HTML, SVG []byte
}

// RenderAll makes all forms of a report at once.
func (f *Forms) RenderAll(r Report) error {
	return errors.Join(f.RenderText(r), f.RenderSVG(r), f.RenderHTML(r))
}

// RenderText makes the text of a report.
func (f *Forms) RenderText(r Report) (err error) {
	f.Text, err = f.Set.ReportText(r)
	return err
}

// RenderHTML makes the page of a report, in the memory of the last one.
func (f *Forms) RenderHTML(r Report) (err error) {
	f.HTML, err = f.Set.bytes("report.html", r, f.HTML)
	return err
}

// RenderSVG makes the picture of a report, in the memory of the last one.
func (f *Forms) RenderSVG(r Report) error {
	f.SVG = appendFile(f.SVG[:0], &r.Map, sheetsOf(&r))
	return nil
}
