// Package dkim signs our mails (RFC 6376), for hosts whose mail server does not. It creates keys, says what to
// publish for a key, and signs. It does not check signatures, and asks no name server.
//
// Only the content of a mail is signed, with "relaxed" canonicalisation, because a server on the way may refold
// lines. A key never reaches a log or an error.
package dkim

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"

	"github.com/emersion/go-msgauth/dkim"
)

// Bits of a newly created key, and the fewest that receivers accept (RFC 8301, 3.2).
const (
	newBits   = 2048
	leastBits = 1024
)

// Key is a private signing key: RSA or Ed25519 (RFC 8463).
type Key struct{ signer crypto.Signer }

// newKey creates an RSA key, which all receivers understand.
func newKey() (Key, error) {
	k, err := rsa.GenerateKey(rand.Reader, newBits)
	if err != nil {
		return Key{}, fmt.Errorf("make a key: %w", err)
	}
	return Key{k}, nil
}

// errNoKey is returned for a text without a signing key.
var errNoKey = errors.New("there is no private key in PEM form, RSA or Ed25519, in it")

// ParseKey reads a key from PEM text: PKCS #8, or PKCS #1 for RSA.
func ParseKey(text []byte) (Key, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return Key{}, errNoKey
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		if parsed, err = x509.ParsePKCS1PrivateKey(block.Bytes); err != nil {
			return Key{}, errNoKey
		}
	}
	switch k := parsed.(type) {
	case *rsa.PrivateKey:
		if k.N.BitLen() < leastBits {
			return Key{}, fmt.Errorf("the key has %d bits, and receivers believe none of fewer than %d", k.N.BitLen(), leastBits)
		}
		return Key{k}, nil
	case ed25519.PrivateKey:
		return Key{k}, nil
	}
	return Key{}, errNoKey
}

// pem returns the content of the key's file, PKCS #8. Its holder can sign for the domain.
func (k Key) pem() ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(k.signer)
	if err != nil {
		return nil, fmt.Errorf("write a key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

// Record returns the content of the TXT record at SELECTOR._domainkey.DOMAIN (RFC 6376, 3.6.1).
func (k Key) Record() (string, error) {
	kind, public := "rsa", []byte(nil)
	switch p := k.signer.Public().(type) {
	case ed25519.PublicKey:
		kind, public = "ed25519", p
	default:
		var err error
		if public, err = x509.MarshalPKIXPublicKey(p); err != nil {
			return "", fmt.Errorf("write a public key: %w", err)
		}
	}
	return "v=DKIM1; k=" + kind + "; p=" + base64.StdEncoding.EncodeToString(public), nil
}

// Signer signs for one domain. The zero value signs nothing.
type Signer struct {
	Domain, Selector string
	Key              Key
}

// signed are the header fields that a signature covers (RFC 6376, 5.4.1): what a reader sees, and what identifies
// a mail as ours. Each is listed twice, so that none can be added (8.15).
var signed = []string{
	"From", "Reply-To", "Subject", "Date", "To", "Message-ID", "In-Reply-To", "References",
	"MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Auto-Submitted", "List-Id",
}

// Sign returns a mail with a signature at the top. The mail must have CRLF line ends. A zero Signer returns it
// unchanged.
func (s Signer) Sign(mail []byte) ([]byte, error) {
	if s.Key.signer == nil {
		return mail, nil
	}
	var out bytes.Buffer
	out.Grow(len(mail) + 1<<10)
	err := dkim.Sign(&out, bytes.NewReader(mail), &dkim.SignOptions{
		Domain: s.Domain, Selector: s.Selector, Signer: s.Key.signer, Hash: crypto.SHA256,
		HeaderCanonicalization: dkim.CanonicalizationRelaxed, BodyCanonicalization: dkim.CanonicalizationRelaxed,
		HeaderKeys: slices.Concat(signed, signed),
	})
	if err != nil {
		return nil, fmt.Errorf("sign for %s: %w", s.Domain, err)
	}
	return out.Bytes(), nil
}
