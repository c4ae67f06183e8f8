package templates

import (
	"errors"
	"fmt"
)

// AckText draws an acknowledgement as plain text of at most 78 columns. Each line of
// the set in force starts with "| ", so that an answer that quotes it does not submit
// it again.
func (s *Set) AckText(a Ack) (string, error) { return s.words("ack.txt", a) }

// ReplyText draws an answer to commands as plain text of at most 78 columns, except for
// output shown at full width. No line in it starts like a command, so an answer that
// quotes it does not repeat the command.
func (s *Set) ReplyText(r Reply) (string, error) { return s.words("reply.txt", r) }

// MessageText draws a relayed message. Its lines start with "| ", so that none of them
// can pass for a command or an order set when the recipient answers.
func (s *Set) MessageText(m RelayedMessage) (string, error) { return s.words("message.txt", m) }

// NoticeText draws a short mail as plain text, broken at 78 columns except for the
// Example, which is printed verbatim. Each line of Words starts with "| ". An unknown
// kind is an error.
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

// ReportHTML draws a report as one HTML page for mail clients: pure ASCII, with its own
// styles, without scripts or external resources. The map is an SVG drawing, followed by
// the ASCII map for clients that strip the drawing; the order template is in a <pre> at
// the end.
func (s *Set) ReportHTML(r Report) ([]byte, error) { return s.bytes("report.html", r, nil) }

// ReportText draws a report as plain text: what is owed, the map, what happened, the
// panels, rulings, messages, and the order template verbatim at the end. Except in the
// template no line is longer than 78 columns.
func (s *Set) ReportText(r Report) ([]byte, error) { return s.bytes("report.txt", r, nil) }

// bytes draws a view, reusing the memory of old.
func (s *Set) bytes(name string, view any, old []byte) ([]byte, error) {
	p := page{b: old[:0]}
	err := s.draw(name, view, &p)
	return p.b, err
}

// Forms holds the renderings of a report.
type Forms struct {
	Set             *Set // the templates to use; nil for the built-in ones
	Text, HTML, SVG []byte
}

// RenderAll renders all forms of a report.
func (f *Forms) RenderAll(r Report) error {
	return errors.Join(f.RenderText(r), f.RenderSVG(r), f.RenderHTML(r))
}

// RenderText renders a report as text.
func (f *Forms) RenderText(r Report) (err error) {
	f.Text, err = f.Set.ReportText(r)
	return err
}

// RenderHTML renders a report as an HTML page, reusing the memory of the last one.
func (f *Forms) RenderHTML(r Report) (err error) {
	f.HTML, err = f.Set.bytes("report.html", r, f.HTML)
	return err
}

// RenderSVG renders the map and sheets of a report as SVG, reusing the memory of the last ones.
func (f *Forms) RenderSVG(r Report) error {
	f.SVG = appendFile(f.SVG[:0], &r.Map, sheetsOf(&r))
	return nil
}
