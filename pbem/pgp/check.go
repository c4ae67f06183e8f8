package pgp

import (
	"bytes"
	"crypto"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/clearsign"
	pgperrors "github.com/ProtonMail/go-crypto/openpgp/errors"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	openpgp "github.com/ProtonMail/go-crypto/openpgp/v2"

	"starpost/pbem/auth"
	"starpost/pbem/mime"
)

// Limits of what is checked.
const (
	maxSignature  = 64 << 10 // in bytes, without armor
	maxSignatures = 4        // on one text: each requires reading all of it
	maxClear      = 4        // cleartext signatures in one part
)

// Checker checks the signatures of mails.
type Checker struct{}

// Signed returns the texts of a mail that have an OpenPGP signature, each with the result of
// checking it. armored is the captain's public key, nil if there is none. For a mail without
// signatures it returns nothing.
func (Checker) Signed(m mime.Mail, armored []byte, now time.Time) []auth.SignedText {
	if len(m.Signed) == 0 {
		return nil
	}
	key, why := usable(armored, now)
	var out []auth.SignedText
	for _, part := range m.Signed {
		if part.Signature != nil {
			s := why
			if key != nil {
				s = key.detached(part.Content, part.Signature, now)
			}
			out = append(out, auth.SignedText{Text: part.Text, Signature: s})
			continue
		}
		rest := part.Content
		for range maxClear {
			var block *clearsign.Block
			if block, rest = clearsign.Decode(rest); block == nil {
				break
			}
			s := why
			if key != nil {
				s = key.clear(block, now)
			}
			out = append(out, auth.SignedText{Text: mime.NormaliseText(string(block.Plaintext)), Signature: s})
		}
	}
	if len(out) == 0 { // the mark is there, but nothing readable
		out = append(out, auth.SignedText{Signature: unreadable()})
	}
	return out
}

// usable reads a captain's key. If there is no usable one, why says so.
func usable(armored []byte, now time.Time) (key *Key, why auth.Signature) {
	if armored == nil {
		return nil, auth.Signature{Why: "The mail is signed, but no OpenPGP key of yours is registered. Ask the referee to add it, or send the turn key."}
	}
	key, err := ParseKey(armored)
	if err == nil {
		err = key.Usable(now)
	}
	if err != nil {
		return nil, auth.Signature{Why: "The mail is signed, but the OpenPGP key that is registered for you cannot be used: " +
			lowerFirst(err.Error()) + ". Give the referee a new one, or send the turn key."}
	}
	return key, auth.Signature{}
}

func unreadable() auth.Signature {
	return auth.Signature{Why: "The OpenPGP signature cannot be read: the mail was changed on its way, or signed in an unusual manner. Sign it as PGP/MIME, or send the turn key."}
}

// clear checks a cleartext signature.
func (k *Key) clear(b *clearsign.Block, now time.Time) auth.Signature {
	signature, err := io.ReadAll(io.LimitReader(b.ArmoredSignature.Body, maxSignature+1))
	if err != nil {
		return unreadable()
	}
	return k.verify(b.Bytes, signature, now)
}

// detached checks a detached signature.
func (k *Key) detached(content, signature []byte, now time.Time) auth.Signature {
	if block, err := armor.Decode(bytes.NewReader(signature)); err == nil {
		if block.Type != "PGP SIGNATURE" {
			return unreadable()
		}
		if signature, err = io.ReadAll(io.LimitReader(block.Body, maxSignature+1)); err != nil {
			return unreadable()
		}
	}
	return k.verify(content, signature, now)
}

func (k *Key) verify(content, signature []byte, now time.Time) auth.Signature {
	weak, ok := survey(signature)
	if !ok {
		return unreadable()
	}
	sig, _, err := openpgp.VerifyDetachedSignature(openpgp.EntityList{k.entity}, bytes.NewReader(content), bytes.NewReader(signature), config(now))
	why := "The OpenPGP signature does not fit the text: the mail was changed after it was signed."
	switch {
	case err == nil && sig != nil && !sig.CreationTime.IsZero():
		return auth.Signature{Made: sig.CreationTime.UTC()}
	case weak:
		why = "The OpenPGP signature uses a hash that can be forged (SHA-1 or older). Set your mail program to SHA-256."
	case errors.Is(err, pgperrors.ErrUnknownIssuer):
		why = "The OpenPGP signature is not by the key that is registered for you."
	case errors.Is(err, pgperrors.ErrKeyExpired):
		why = "The OpenPGP signature was made with a key that has expired."
	case errors.Is(err, pgperrors.ErrKeyRevoked):
		why = "The OpenPGP signature was made with a key that its owner revoked."
	case errors.Is(err, pgperrors.ErrSignatureExpired):
		why = "The OpenPGP signature has expired. Sign the mail again."
	case errors.Is(err, pgperrors.ErrSignatureOlderThanKey):
		why = "The OpenPGP signature is dated before its key was made. Is the clock of your machine right?"
	}
	return auth.Signature{Why: why}
}

// weakHashes can be made to collide.
var weakHashes = []crypto.Hash{crypto.MD5, crypto.SHA1, crypto.RIPEMD160}

// survey examines a signature before anything is computed: it must contain only signatures, and
// only a few. weak means that one uses a hash that can be forged.
func survey(signature []byte) (weak, ok bool) {
	if len(signature) == 0 || len(signature) > maxSignature {
		return false, false
	}
	packets := packet.NewReader(bytes.NewReader(signature))
	for n := 0; ; n++ {
		p, err := packets.Next()
		if errors.Is(err, io.EOF) {
			return weak, n > 0
		}
		sig, is := p.(*packet.Signature)
		if err != nil || !is || n == maxSignatures {
			return false, false
		}
		weak = weak || slices.Contains(weakHashes, sig.Hash)
	}
}
