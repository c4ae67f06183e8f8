package outgoing

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"mime"
	stdtextproto "net/textproto"
	"slices"
	"strconv"
	"strings"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/mail"
)

// Render turns a message into the bytes that are stored and sent; it is a pure function of m. It
// writes text/plain or, with HTML, multipart/alternative with the text first; with attachments,
// multipart/mixed around that.
//
// go-message assembles it; boundaries are derived from the Message-ID. A part is sent unencoded
// (7bit) if no server on the way has a reason to change it.
func Render(m Message) ([]byte, error) {
	r := renderer{m: m}
	err := r.render()
	for err == nil && r.dashes && r.collides() {
		r.attempt++
		err = r.render()
	}
	if err != nil {
		return nil, fmt.Errorf("compose mail %q to %s: %w", oneLine(m.Subject, 60), m.To.Addr, err)
	}
	return r.out, nil
}

// ownHeaders are the fields that Message.Headers must not contain.
var ownHeaders = map[string]bool{
	"Date": true, "From": true, "To": true, "Cc": true, "Bcc": true, "Sender": true, "Reply-To": true,
	"Subject": true, "Message-Id": true, "In-Reply-To": true, "References": true, "List-Id": true,
	"Auto-Submitted": true, "Mime-Version": true, "Content-Type": true, "Content-Transfer-Encoding": true,
	"Content-Disposition": true, "Return-Path": true,
}

type renderer struct {
	m          Message
	id         string // Message-ID without brackets
	attempt    int    // at finding boundaries that occur in no part
	boundaries []string
	dashes     bool // a line of an unencoded part looks like a boundary
	out        []byte
}

// Write appends to the mail.
func (r *renderer) Write(p []byte) (int, error) {
	r.out = append(r.out, p...)
	return len(p), nil
}

func (r *renderer) render() error {
	header, err := r.header()
	if err != nil {
		return err
	}
	if strings.TrimSpace(r.m.Text) == "" {
		return errors.New("the mail has no text")
	}
	size := 4096 + textSize(len(r.m.Text)+len(r.m.HTML))
	for _, a := range r.m.Attachments {
		size += a.size()
	}
	r.out, r.boundaries, r.dashes = make([]byte, 0, size), nil, false
	top := func(h message.Header) (*message.Writer, error) { return message.CreateWriter(r, h) }
	if len(r.m.Attachments) == 0 {
		return r.bodies(header, top)
	}
	return r.multipart(header, top, "mixed", func(mixed *message.Writer) error {
		if err := r.bodies(message.Header{}, mixed.CreatePart); err != nil {
			return err
		}
		for _, a := range r.m.Attachments {
			if err := r.writeFile(a, mixed.CreatePart); err != nil {
				return err
			}
		}
		return nil
	})
}

// creator begins the mail, or a part of it.
type creator func(message.Header) (*message.Writer, error)

// multipart writes a part with subparts.
func (r *renderer) multipart(h message.Header, create creator, kind string, parts func(*message.Writer) error) error {
	h.SetContentType("multipart/"+kind, map[string]string{"boundary": r.boundary(kind)})
	w, err := create(h)
	if err != nil {
		return err
	}
	if err := parts(w); err != nil {
		return err
	}
	return w.Close()
}

// bodies writes the text, or text and HTML as alternatives, below h.
func (r *renderer) bodies(h message.Header, create creator) error {
	text, page := r.m.footed()
	if page == "" {
		return r.writeText(h, create, "text/plain", text, textLine)
	}
	return r.multipart(h, create, "alternative", func(w *message.Writer) error {
		if err := r.writeText(message.Header{}, w.CreatePart, "text/plain", text, textLine); err != nil {
			return err
		}
		return r.writeText(message.Header{}, w.CreatePart, "text/html", page, longestLine)
	})
}

// PlainText returns the text as it is sent, including the foot.
func (m *Message) PlainText() string {
	text, _ := m.footed()
	return text
}

// footed returns text and page including the foot.
func (m *Message) footed() (text, page string) {
	if len(m.Foot) == 0 {
		return m.Text, m.HTML
	}
	text = strings.TrimRight(m.Text, "\n") + "\n\n--\n" + strings.Join(m.Foot, "\n") + "\n"
	at := strings.LastIndex(m.HTML, "</body>")
	if at < 0 {
		return text, m.HTML
	}
	foot := "<hr><p style=\"font-size:13px\">" + strings.ReplaceAll(html.EscapeString(strings.Join(m.Foot, "\n")), "\n", "<br>\n") + "</p>\n"
	return text, m.HTML[:at] + foot + m.HTML[at:]
}

// header writes the header fields of the mail. go-message puts the field that was set last first,
// so they are set in reverse order.
func (r *renderer) header() (message.Header, error) {
	m := &r.m
	var h mail.Header
	if r.id = messageID(m.MessageID); r.id == "" {
		return h.Header, fmt.Errorf("%q is not a Message-ID (left@right)", m.MessageID)
	}
	if m.Date.IsZero() {
		return h.Header, errors.New("the mail has no date")
	}
	list, err := listID(m.ListID)
	if err != nil {
		return h.Header, err
	}
	for _, v := range slices.Backward(m.Headers) {
		if err := checkFieldName(v.Name); err != nil {
			return h.Header, err
		}
		h.Add(v.Name, encodedText(oneLine(v.Value, 900)))
	}
	switch m.Auto {
	case "":
	case AutoGenerated, AutoReplied:
		h.Add("Auto-Submitted", m.Auto)
	default:
		return h.Header, fmt.Errorf("Auto-Submitted %q is neither %q nor %q", m.Auto, AutoGenerated, AutoReplied)
	}
	h.Set("MIME-Version", "1.0")
	if list != "" {
		h.Set("List-Id", list)
	}
	h.SetMsgIDList("References", withReplyTo(m))
	h.SetMsgIDList("In-Reply-To", thread([]string{m.InReplyTo}))
	h.SetMessageID(r.id)
	h.Set("Subject", encodedText(oneLine(m.Subject, maxSubject)))
	for _, field := range []struct {
		name     string
		addr     Address
		optional bool
	}{{"Reply-To", m.ReplyTo, true}, {"To", m.To, false}, {"From", m.From, false}} {
		if field.optional && field.addr == (Address{}) {
			continue
		}
		if err := ValidAddress(field.addr.Addr); err != nil {
			return h.Header, fmt.Errorf("%s: %w", field.name, err)
		}
		h.Set(field.name, field.addr.field())
	}
	h.SetDate(m.Date)
	return h.Header, nil
}

// checkFieldName refuses names that are invalid or reserved.
func checkFieldName(name string) error {
	if name == "" || len(name) > 70 {
		return fmt.Errorf("%q is not the name of a header field", name)
	}
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c >= 0x7f || c == ':' {
			return fmt.Errorf("%q is not the name of a header field", name)
		}
	}
	if ownHeaders[stdtextproto.CanonicalMIMEHeaderKey(name)] {
		return fmt.Errorf("header field %s is set through its own field of the message", name)
	}
	return nil
}

// boundaryMark starts every boundary. It cannot occur in quoted-printable or base64; unencoded
// parts are checked.
const boundaryMark = "=_"

// boundary derives a boundary for one level of nesting.
func (r *renderer) boundary(level string) string {
	sum := sha256.Sum256([]byte(r.id + "\n" + level + "\n" + strconv.Itoa(r.attempt)))
	b := boundaryMark + hex.EncodeToString(sum[:16])
	r.boundaries = append(r.boundaries, b)
	return b
}

// collides reports whether a part contains one of the boundaries.
func (r *renderer) collides() bool {
	for _, b := range r.boundaries {
		if strings.Contains(r.m.Text, b) || strings.Contains(r.m.HTML, b) {
			return true
		}
		for _, a := range r.m.Attachments {
			if bytes.Contains(a.Data, []byte(b)) {
				return true
			}
		}
	}
	return false
}

// encodedText encodes header text in encoded words (RFC 2047) unless it is plain ASCII.
func encodedText(s string) string {
	return mime.QEncoding.Encode("utf-8", s)
}
