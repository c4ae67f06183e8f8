package transport

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"strings"
	"unicode"
)

// What a server can do wrong without a word.
var (
	ErrSilent = errors.New("the server did not answer in time")
	ErrFlood  = errors.New("the server sent more than was asked for")
)

// IsTLS recognises what goes wrong in a handshake short of a lost connection.
func IsTLS(err error) bool {
	var (
		record    tls.RecordHeaderError
		alert     tls.AlertError
		verify    *tls.CertificateVerificationError
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		invalid   x509.CertificateInvalidError
	)
	return errors.As(err, &record) || errors.As(err, &alert) || errors.As(err, &verify) ||
		errors.As(err, &authority) || errors.As(err, &host) || errors.As(err, &invalid)
}

// Sanitise makes a server's words safe for a terminal and a log line, and cuts
// them after most bytes.
func Sanitise(s string, most int) string {
	var b strings.Builder
	for _, r := range s {
		if b.Len() >= most {
			b.WriteString("...")
			break
		}
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteByte(' ')
		}
	}
	return strings.TrimSpace(b.String())
}
