package post

import (
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"strings"
	"unicode/utf8"
)

// Transfer encodings (RFC 2045, section 6).
const (
	sevenBit        = "7bit"
	quotedPrintable = "quoted-printable"
	base64Encoding  = "base64"
)

// longestLine is the most a line of a mail may have (RFC 5322, 2.1.1), in bytes
// without its end.
const longestLine = 998

// textPart prepares a text in the plainest encoding that keeps it whole on the
// way: as it is, if no line of it is longer than most.
func textPart(contentType, text string, most int) part {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, string(utf8.RuneError))
	}
	if strings.IndexByte(text, '\r') >= 0 || strings.IndexByte(text, 0) >= 0 {
		text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "").Replace(text)
	}
	if text != "" && text[len(text)-1] != '\n' {
		text += "\n"
	}
	p := part{contentType: contentType, params: map[string]string{"charset": "utf-8"}, encoding: sevenBit, text: text}
	if !untouched(text, most) {
		p.encoding = quotedPrintable
	}
	return p
}

// untouched tells that no server on the way has a reason to touch the text:
// ASCII, no line longer than most, no space at the end of one.
func untouched(text string, most int) bool {
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if n := len(line); n > most || n > 0 && (line[n-1] == ' ' || line[n-1] == '\t') || !printable(line) {
			return false
		}
	}
	return true
}

// printable tells that a line is ASCII without control characters but tabs. It
// looks at eight bytes at once, for mails are long.
func printable(s string) bool {
	const (
		each = 0x0101010101010101
		high = 0x80 * each
	)
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		// A high bit is set by a byte beyond ASCII, by one below a space, or by DEL.
		if (w|(w-' '*each)|(w+each))&high != 0 && !plainBytes(s[i:i+8]) {
			return false
		}
	}
	return plainBytes(s[i:])
}

func plainBytes(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\t' {
			return false
		}
	}
	return true
}

// filePart prepares an attachment: JSON, in which line ends do not matter, as
// text where it can be, anything else byte for byte.
func filePart(a Attachment) (part, error) {
	name := oneLine(a.Name, 100)
	if name == "" || strings.ContainsAny(name, `/\`) {
		return part{}, fmt.Errorf("attachment %q needs a file name without a path", a.Name)
	}
	kind, params := "application/octet-stream", map[string]string(nil)
	if a.Type != "" {
		var err error
		if kind, params, err = mime.ParseMediaType(a.Type); err != nil || !strings.Contains(kind, "/") || strings.HasPrefix(kind, "multipart/") {
			return part{}, fmt.Errorf("attachment %s: %q is not the media type of a file", name, a.Type)
		}
	}
	p := part{contentType: kind, params: params, encoding: base64Encoding, fileName: name, data: a.Data}
	if kind == "application/json" || kind == "application/jsonl" {
		if text := string(a.Data); untouched(text, longestLine) {
			p.encoding, p.text = sevenBit, text
		}
	}
	return p, nil
}

// size is about how long the part becomes with its header.
func (p *part) size() int {
	switch p.encoding {
	case sevenBit:
		return 512 + len(p.text) + len(p.text)/32
	case quotedPrintable:
		return 512 + len(p.text)*3/2
	}
	return 512 + len(p.data)*7/5
}

// write writes the body, encoded.
func (p *part) write(r *renderer) error {
	switch p.encoding {
	case sevenBit:
		r.out = appendLines(r.out, p.text)
	case quotedPrintable:
		w := quotedprintable.NewWriter(r)
		if _, err := io.WriteString(w, p.text); err != nil {
			return err
		}
		return w.Close()
	case base64Encoding:
		r.out = appendBase64(r.out, p.data)
	}
	return nil
}

// appendLines writes a text with CRLF for LF. A last line without an end stays
// without.
func appendLines(b []byte, text string) []byte {
	for {
		n := strings.IndexByte(text, '\n')
		if n < 0 {
			return append(b, text...)
		}
		b = append(append(b, text[:n]...), '\r', '\n')
		text = text[n+1:]
	}
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
