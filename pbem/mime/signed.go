package mime

import "bytes"

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

// signatures are the parts of a mail that are signed, as far as they are kept.
type signatures struct {
	kept []SignedPart
}

// signed keeps the first two parts of a multipart/signed whose second part is
// an OpenPGP signature. text is what was read of the first.
func (s *signatures) signed(parts [][]byte, text string, warn func(string, ...any)) {
	if len(parts) < 2 || len(s.kept) >= maxSigned {
		return
	}
	b := splitHeader(parts[1], false, func(string, ...any) {})
	if media, _ := contentType(b.fields); media != "application/pgp-signature" {
		return
	}
	if len(parts[0]) > maxSignedBytes {
		warn("A signed part is longer than %d bytes; its signature was not read.", maxSignedBytes)
		return
	}
	s.kept = append(s.kept, SignedPart{
		Content:   canonical(parts[0]),
		Signature: content(b.fields, b.body, maxSignature, warn),
		Text:      text,
	})
}

// clearSigned keeps a text that is signed within itself.
func (s *signatures) clearSigned(raw []byte) {
	if len(s.kept) < maxSigned && len(raw) <= maxSignedBytes && bytes.Contains(raw, []byte(clearMark)) {
		s.kept = append(s.kept, SignedPart{Content: raw})
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
