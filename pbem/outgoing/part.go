package outgoing

import (
	"fmt"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-message"
)

// Transfer encodings (RFC 2045, section 6).
const (
	sevenBit        = "7bit"
	quotedPrintable = "quoted-printable"
	base64Encoding  = "base64"
)

// Limits for unencoded lines, in bytes without the line end: the maximum for mails, and the
// recommended one for text (RFC 5322, 2.1.1).
const (
	longestLine = 998
	textLine    = 78
)

// write writes a part without subparts.
func write(h message.Header, create creator, contentType string, params map[string]string, encoding string, data []byte) error {
	h.Set("Content-Transfer-Encoding", encoding)
	h.SetContentType(contentType, params)
	w, err := create(h)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	return w.Close()
}

// textSize estimates the size of a text part with its header.
func textSize(n int) int { return 512 + n + n/24 }

// writeText writes a text in the plainest encoding that survives transport: unencoded, if no line
// is longer than most.
func (r *renderer) writeText(h message.Header, create creator, contentType, text string, most int) error {
	encoding := sevenBit
	if !r.plain(text, most) {
		text = strings.ToValidUTF8(text, string(utf8.RuneError))
		text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "").Replace(text)
		if !r.plain(text, most) {
			encoding = quotedPrintable
		}
	}
	if text != "" && text[len(text)-1] != '\n' {
		text += "\n"
	}
	return write(h, create, contentType, map[string]string{"charset": "utf-8"}, encoding, []byte(text))
}

// plain reports whether a text can be sent unencoded, with CRLF for LF.
func (r *renderer) plain(text string, most int) bool {
	dashes, ok := plainText(text, most)
	r.dashes = r.dashes || ok && dashes
	return ok
}

// plainText reports whether no server on the way has a reason to change a text: ASCII without
// control characters except tabs, no line longer than most, no space at the end of one. dashes
// reports whether a line starts like a boundary.
func plainText(text string, most int) (dashes, ok bool) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if n := len(line); n > most || n > 0 && (line[n-1] == ' ' || line[n-1] == '\t') {
			return false, false
		}
		for i := range len(line) {
			if c := line[i]; c >= 0x7f || c < ' ' && c != '\t' {
				return false, false
			}
		}
		dashes = dashes || strings.HasPrefix(line, "--"+boundaryMark)
	}
	return dashes, true
}

// size estimates the size of the attachment with its header.
func (a *Attachment) size() int {
	if a.lineEndsFree() {
		return textSize(len(a.Data))
	}
	return 512 + len(a.Data)*7/5
}

// lineEndsFree reports whether line ends do not matter in this kind of file.
func (a *Attachment) lineEndsFree() bool {
	return a.Type == "application/json" || a.Type == "application/jsonl"
}

// writeFile writes an attachment: JSON as text if possible, anything else byte for byte.
func (r *renderer) writeFile(a Attachment, create creator) error {
	name, kind := oneLine(a.Name, 100), "application/octet-stream"
	var params map[string]string
	if name == "" || strings.ContainsAny(name, `/\`) {
		return fmt.Errorf("attachment %q needs a file name without a path", a.Name)
	}
	if a.Type != "" {
		var err error
		if kind, params, err = mime.ParseMediaType(a.Type); err != nil || !strings.Contains(kind, "/") || strings.HasPrefix(kind, "multipart/") {
			return fmt.Errorf("attachment %s: %q is not the media type of a file", name, a.Type)
		}
	}
	var h message.Header
	h.SetContentDisposition("attachment", map[string]string{"filename": name})
	encoding := base64Encoding
	if a.lineEndsFree() && r.plain(string(a.Data), longestLine) {
		encoding = sevenBit
	}
	return write(h, create, kind, params, encoding, a.Data)
}
