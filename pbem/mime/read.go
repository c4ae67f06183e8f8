package mime

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/emersion/go-message"
)

// Read parses one mail. The error is ErrTooLarge or ErrNoText; even then as much as possible of the
// Mail is filled in, so that it can be answered. Lesser problems are warnings in the Mail.
func Read(raw []byte) (Mail, error) {
	var m Mail
	warn := func(format string, args ...any) {
		w := fmt.Sprintf(format, args...)
		if len(m.Warnings) < maxWarnings && !slices.Contains(m.Warnings, w) {
			m.Warnings = append(m.Warnings, w)
		}
	}
	large := len(raw) > MaxBytes
	if large {
		raw = raw[:MaxBytes]
	}
	if !bytes.Contains(raw[:min(len(raw), MaxHeader)], []byte("\n")) {
		raw = bytes.ReplaceAll(raw, []byte("\r"), []byte("\n"))
	}
	b := splitHeader(raw, true, warn)
	if b.fields.Len() == 0 {
		warn("The mail has no header.")
	}
	m.envelope(b.fields, warn)
	if m.Automatic = m.automatic(b.fields); m.Automatic == "" {
		m.Automatic = m.perhapsAutomatic()
		m.Uncertain = m.Automatic != ""
	}
	if large {
		return m, ErrTooLarge
	}

	w := walker{warn: warn, budget: newBudget()}
	units := w.walk(b, 0)
	if w.calendar && m.Automatic == "" {
		m.Automatic, m.Uncertain = "reply of a calendar", true
	}
	m.setText(units, warn)
	m.setAttached(w.attached, warn)
	switch len(w.scenario) {
	case 0:
	case 1:
		m.Scenario = w.scenario[0].text(MaxText, warn)
	default:
		warn("The mail has %d attached scenarios; none was read. Send one.", len(w.scenario))
	}
	if m.Text == "" && len(w.attached) == 0 && !w.skipped && !w.digest {
		m.rescue(b, w.plain, warn)
	}
	m.shown, m.shownAt, m.Signed = w.shown, w.shownAt, w.kept
	if len(m.Signed) == 0 && m.shown != nil {
		m.Text = mend(m.Text, m.HTMLText)
	}
	if !strings.Contains(m.Text, ordersMark) && !strings.Contains(m.Attached, ordersMark) {
		for _, note := range w.notes {
			warn("%s", note)
		}
	}
	if m.Text == "" {
		if w.skipped && len(w.notes) == 0 {
			warn("The mail holds only parts that are no text.")
		}
		return m, errNoText
	}
	return m, nil
}

// setText joins the inline pieces.
func (m *Mail) setText(units []unit, warn func(string, ...any)) {
	text, html := join(units)
	if text == "" {
		return
	}
	var parts []string
	for _, u := range units {
		if strings.TrimSpace(u.text) != "" {
			parts = append(parts, u.part)
		}
	}
	m.Source, m.Part = SourcePlain, strings.Join(parts, ", ")
	if html {
		m.Source = SourceHTML
		warn("The mail came as HTML only; the orders were read from the text in it. Plain text is safer.")
	}
	m.Text = bounded(text, warn)
}

// rescue reads the body of a mail as raw text, if its parts gave no text and it contains orders
// anyway.
func (m *Mail) rescue(b block, limit int, warn func(string, ...any)) {
	if !bytes.Contains(b.body, []byte(ordersMark)) {
		return
	}
	_, params := contentType(b.fields)
	l := leaf{fields: message.Header{}, params: map[string]string{"charset": params["charset"]}, body: b.body}
	text := l.text(limit, warn)
	if !strings.Contains(text, ordersMark) {
		return
	}
	warn("The parts of the mail could not be told apart; the orders were read from the mail as it stands.")
	m.Text, m.Source, m.Part = text, SourcePlain, "the mail as it stands"
}

// bounded applies the limits of the single pieces to the joined text.
func bounded(s string, warn func(string, ...any)) string {
	if len(s) > MaxText || strings.Count(s, "\n") >= MaxLines {
		return normal(s, warn)
	}
	return s
}

func (m *Mail) setAttached(list []leaf, warn func(string, ...any)) {
	switch {
	case len(list) > 1:
		warn("The mail has %d attached order files; none was read. Send one, or put the orders in the text.", len(list))
	case len(list) == 1:
		text := list[0].text(2*MaxText, warn)
		if strings.TrimSpace(text) == "" {
			return
		}
		m.Attached, m.AttachedName, m.AttachedPart = text, list[0].name, fmt.Sprintf("%s (%s)", list[0].part, quoted(list[0].name))
		if m.Text == "" {
			m.Text, m.Source, m.Part = text, SourceAttachment, m.AttachedPart
		}
	}
}
