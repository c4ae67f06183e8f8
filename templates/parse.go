//go:build !js

package templates

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"starpost/templates/clean"
)

var errTooMuch = errors.New("it produces too much text, or never ends")

// Limits on what one drawing may write.
const (
	mostDrawnBytes  = 16 << 20
	mostDrawnPieces = 512 << 10
)

// executed is a template of text/template or html/template.
type executed interface {
	Execute(to io.Writer, view any) error
}

// parsed draws with such a template.
type parsed struct {
	executed
	text bool // else HTML
}

var buffers = sync.Pool{New: func() any { return new(bounded) }}

func (t parsed) draw(to *page, view any) error {
	b := buffers.Get().(*bounded)
	b.Reset()
	b.pieces = 0
	defer buffers.Put(b)
	if err := t.Execute(b, view); err != nil {
		return err
	}
	if t.text {
		to.lay(b.Bytes())
	} else {
		to.b = clean.AppendMarkup(to.b, b.String())
	}
	return nil
}

// bounded collects what a template writes, up to a limit. Each iteration of a loop and each template
// writes something, even if it is empty (see tame), so limiting the pieces limits the steps too.
type bounded struct {
	bytes.Buffer
	pieces int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.pieces++; b.pieces > mostDrawnPieces || b.Len()+len(p) > mostDrawnBytes {
		return 0, errTooMuch
	}
	return b.Buffer.Write(p)
}

// Mistake is an error in a template file. Line and Col count from 1; Line is 0 for a
// mistake in the file as a whole.
type Mistake struct {
	File      string
	Line, Col int
	Message   string
}

func (m *Mistake) Error() string {
	if m.Line == 0 {
		return m.File + ": " + m.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", m.File, m.Line, max(m.Col, 1), m.Message)
}

// mistakeOf parses the place out of an error of either library: "template: FILE:LINE:COLUMN:
// executing "FILE" at <.X>: MESSAGE", where the column and the "executing" part are optional.
func mistakeOf(name string, err error) *Mistake {
	m := &Mistake{File: name, Message: err.Error()}
	_, rest, ok := strings.Cut(m.Message, "template:")
	at := strings.Index(rest, ".txt:")
	if html := strings.Index(rest, ".html:"); at < 0 || 0 <= html && html < at {
		at = html + 1
	}
	if !ok || at <= 0 {
		return m
	}
	m.File, rest = strings.TrimSpace(rest[:at+4]), rest[at+5:]
	number := func() (n int, ok bool) {
		word, after, _ := strings.Cut(rest, ":")
		n, err := strconv.Atoi(word)
		if err == nil {
			rest = after
		}
		return n, err == nil
	}
	m.Line, _ = number()
	if col, ok := number(); ok {
		m.Col = col + 1
	}
	m.Message = strings.TrimSpace(rest)
	if _, after, ok := strings.Cut(m.Message, `" at <`); ok && strings.HasPrefix(m.Message, "executing ") {
		m.Message = "at <" + after
	}
	return m
}
