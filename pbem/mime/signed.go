package mime

import (
	"bytes"
)

// SignedPart is a piece of the mail that bears an OpenPGP signature, or says
// so: nothing here tells whether the signature is good, or whose it is.
type SignedPart struct {
	// Content are the signed bytes with \r\n line ends, a MIME entity with its
	// header (RFC 3156 section 5). In a text that is signed within itself (RFC
	// 9580 section 7) it is that whole text, transfer-decoded but otherwise as
	// it came.
	Content []byte
	// Signature is the detached signature, armored or binary; nil for a text
	// that is signed within itself.
	Signature []byte
	// Text is what Mail.Text has of Content. For a text that is signed within
	// itself, NormaliseText gives what a verifier takes out of Content the same form.
	Text string
}

const (
	maxSigned      = 4       // parts that are kept
	maxSignedBytes = MaxText // of one signed part
	maxSignature   = 64 << 10
)

// clearMark begins a text that is signed within itself.
const clearMark = "-----BEGIN PGP SIGNED MESSAGE-----"

// NormaliseText gives text the form that Mail.Text has: \n line ends, plain spaces,
// dashes and quotes, nothing invisible, at most MaxText bytes.
func NormaliseText(text string) string { return normal(text, func(string, ...any) {}) }

// signed keeps the first two parts of a multipart/signed whose second part is
// an OpenPGP signature. units are what was read of the first.
func (w *walker) signed(parts [][]byte, units []unit) {
	if len(parts) < 2 || len(w.kept) >= maxSigned {
		return
	}
	b := splitHeader(parts[1], false, func(string, ...any) {})
	if media, _ := contentType(b.fields); media != "application/pgp-signature" {
		return
	}
	if len(parts[0]) > maxSignedBytes {
		w.warn("A signed part is longer than %d bytes; its signature was not read.", maxSignedBytes)
		return
	}
	text, _ := join(units)
	w.kept = append(w.kept, SignedPart{
		Content:   canonical(parts[0]),
		Signature: content(b.fields, b.body, maxSignature, w.warn),
		Text:      text,
	})
}

// clearSigned keeps a text that is signed within itself.
func (w *walker) clearSigned(raw []byte) {
	if len(w.kept) < maxSigned && len(raw) <= maxSignedBytes && bytes.Contains(raw, []byte(clearMark)) {
		w.kept = append(w.kept, SignedPart{Content: raw})
	}
}

// canonical gives every line the \r\n that it was signed with; programs that
// store mails take it away.
func canonical(b []byte) []byte {
	bare := bytes.Count(b, []byte("\n")) - bytes.Count(b, []byte("\r\n"))
	if bare == 0 {
		return b
	}
	out := make([]byte, 0, len(b)+bare)
	for i, c := range b {
		if c == '\n' && (i == 0 || b[i-1] != '\r') {
			out = append(out, '\r')
		}
		out = append(out, c)
	}
	return out
}
