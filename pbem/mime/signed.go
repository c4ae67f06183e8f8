package mime

import "bytes"

const (
	maxSigned      = 4       // parts that are kept
	maxSignedBytes = MaxText // of one signed part
	maxSignature   = 64 << 10
)

// clearMark is the start of a text with a cleartext signature.
const clearMark = "-----BEGIN PGP SIGNED MESSAGE-----"

// NormaliseText brings text into the form of Mail.Text: \n line ends, plain spaces, dashes and
// quotes, nothing invisible, at most MaxText bytes.
func NormaliseText(text string) string { return normal(text, func(string, ...any) {}) }

// signatures collects the signed parts of a mail, up to the limits.
type signatures struct {
	kept []SignedPart
}

// signed keeps the first two parts of a multipart/signed if the second part is an OpenPGP
// signature. text is what was read of the first.
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

// clearSigned keeps a text with a cleartext signature.
func (s *signatures) clearSigned(raw []byte) {
	if len(s.kept) < maxSigned && len(raw) <= maxSignedBytes && bytes.Contains(raw, []byte(clearMark)) {
		s.kept = append(s.kept, SignedPart{Content: raw})
	}
}

// canonical restores the \r\n line ends that were signed; programs that store mails remove them.
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
