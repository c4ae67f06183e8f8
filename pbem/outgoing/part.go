package outgoing

import (
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
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

// Lines that go as they are, in bytes without their end: what a mail may have
// and what texts ought to have (RFC 5322, 2.1.1).
const (
	longestLine = 998
	textLine    = 78
)

// leaf is what the header of a part without parts says.
type leaf struct {
	above       message.Header // the mail's own, for the only part
	contentType string
	params      map[string]string
	fileName    string // "" for the body
}

func (r *renderer) writeLeaf(p *leaf, encoding string) error {
	h := p.above.Copy()
	if p.fileName != "" {
		h.SetContentDisposition("attachment", map[string]string{"filename": p.fileName})
	}
	h.Set("Content-Transfer-Encoding", encoding)
	h.SetContentType(p.contentType, p.params)
	return r.writeHeader(h)
}

// textSize is about how long a text becomes with its header.
func textSize(n int) int { return 512 + n + n/24 }

// writeText writes a text in the plainest encoding that keeps it whole on the
// way: as it is, if no line of it is longer than most.
func writeText[T string | []byte](r *renderer, h message.Header, contentType string, raw T, most int) error {
	p := &leaf{above: h, contentType: contentType, params: map[string]string{"charset": "utf-8"}}
	if ok, err := tryPlain(r, p, raw, most, true); ok || err != nil {
		return err
	}
	text := strings.ToValidUTF8(string(raw), string(utf8.RuneError))
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "").Replace(text)
	if ok, err := tryPlain(r, p, text, most, true); ok || err != nil {
		return err
	}
	if err := r.writeLeaf(p, quotedPrintable); err != nil {
		return err
	}
	w := quotedprintable.NewWriter(r)
	if _, err := io.WriteString(w, ended(text)); err != nil {
		return err
	}
	return w.Close()
}

// ended is a text whose last line has an end.
func ended(text string) string {
	if text != "" && text[len(text)-1] != '\n' {
		return text + "\n"
	}
	return text
}

// tryPlain writes a part as it is (7bit), with CRLF for LF, or nothing. With
// end, the last line gets an end if it has none.
func tryPlain[T string | []byte](r *renderer, p *leaf, text T, most int, end bool) (bool, error) {
	mark := len(r.out)
	if err := r.writeLeaf(p, sevenBit); err != nil {
		return false, err
	}
	var ok, dashes bool
	if r.out, dashes, ok = appendPlain(r.out, text, most); !ok {
		r.out = r.out[:mark]
		return false, nil
	}
	if n := len(text); end && n > 0 && text[n-1] != '\n' {
		r.out = append(r.out, "\r\n"...)
	}
	r.dashes = r.dashes || dashes
	return true, nil
}

// appendPlain writes a text with CRLF for LF if no server on the way has a
// reason to touch it: ASCII without control characters but tabs, no line longer
// than most, no space at the end of one. Dashes tells whether a line begins as a
// boundary does. It looks at eight bytes at once, for mails are long.
func appendPlain[T string | []byte](b []byte, text T, most int) (out []byte, dashes, ok bool) {
	const (
		each = 0x0101010101010101
		high = 0x80 * each
	)
	start := 0
	for i := 0; i < len(text); {
		if i+8 <= len(text) {
			w := uint64(text[i]) | uint64(text[i+1])<<8 | uint64(text[i+2])<<16 | uint64(text[i+3])<<24 |
				uint64(text[i+4])<<32 | uint64(text[i+5])<<40 | uint64(text[i+6])<<48 | uint64(text[i+7])<<56
			// A high bit is set by a byte beyond ASCII, by one below a space, or by DEL.
			if (w|(w-' '*each)|(w+each))&high == 0 {
				i += 8
				continue
			}
		}
		for range min(8, len(text)-i) {
			switch c := text[i]; {
			case c == '\n':
				if !plainLine(text[start:i], most) {
					return b, false, false
				}
				dashes = dashes || marked(text[start:i])
				b = append(append(b, text[start:i]...), '\r', '\n')
				start = i + 1
			case c >= 0x7f || c < ' ' && c != '\t':
				return b, false, false
			}
			i++
		}
	}
	if !plainLine(text[start:], most) {
		return b, false, false
	}
	return append(b, text[start:]...), dashes || marked(text[start:]), true
}

func plainLine[T string | []byte](line T, most int) bool {
	n := len(line)
	return n <= most && (n == 0 || line[n-1] != ' ' && line[n-1] != '\t')
}

func marked[T string | []byte](line T) bool {
	return len(line) >= 4 && line[0] == '-' && string(line[:4]) == "--"+boundaryMark
}

// size is about how long the attachment becomes with its header.
func (a *Attachment) size() int {
	if a.lineEndsFree() {
		return textSize(len(a.Data))
	}
	return 512 + len(a.Data)*7/5
}

// lineEndsFree tells of which kinds of file the line ends do not matter.
func (a *Attachment) lineEndsFree() bool {
	return a.Type == "application/json" || a.Type == "application/jsonl"
}

// writeFile writes an attachment: JSON as text where it can be, anything else
// byte for byte.
func (r *renderer) writeFile(a Attachment) error {
	p := &leaf{contentType: "application/octet-stream", fileName: oneLine(a.Name, 100)}
	if p.fileName == "" || strings.ContainsAny(p.fileName, `/\`) {
		return fmt.Errorf("attachment %q needs a file name without a path", a.Name)
	}
	if a.Type != "" {
		kind, params, err := mime.ParseMediaType(a.Type)
		if err != nil || !strings.Contains(kind, "/") || strings.HasPrefix(kind, "multipart/") {
			return fmt.Errorf("attachment %s: %q is not the media type of a file", p.fileName, a.Type)
		}
		p.contentType, p.params = kind, params
	}
	if a.lineEndsFree() {
		if ok, err := tryPlain(r, p, a.Data, longestLine, false); ok || err != nil {
			return err
		}
	}
	if err := r.writeLeaf(p, base64Encoding); err != nil {
		return err
	}
	r.out = appendBase64(r.out, a.Data)
	return nil
}

// appendBase64 writes data in lines of 76 characters (RFC 2045, 6.8), the last
// one without an end.
func appendBase64(b, data []byte) []byte {
	const line = 57 // bytes that make 76 characters
	for len(data) > line {
		b = base64.StdEncoding.AppendEncode(b, data[:line])
		b = append(b, '\r', '\n')
		data = data[line:]
	}
	return base64.StdEncoding.AppendEncode(b, data)
}
