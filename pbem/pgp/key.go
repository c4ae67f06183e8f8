package pgp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp/armor"
	pgperrors "github.com/ProtonMail/go-crypto/openpgp/errors"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	openpgp "github.com/ProtonMail/go-crypto/openpgp/v2"

	"starpost/pbem/fault"
	"starpost/pbem/vault"
)

// MaxKey is the largest key file that is read, in bytes.
const MaxKey = 256 << 10

// Key is a captain's public key.
type Key struct{ entity *openpgp.Entity }

// KeyError says what is wrong with a key, and how to fix it.
type KeyError struct{ fault.Fault }

func unusable(way, format string, args ...any) *KeyError {
	return &KeyError{*fault.New(way, format, args...)}
}

const (
	export = "export the captain's public key with: gpg --armor --export ADDRESS"
	renew  = "ask the captain for a new export of the key, or for another key"
)

// ParseKey reads the single armored public key of a file. An error is a *KeyError. Usable says
// whether the key can be used now.
func ParseKey(armored []byte) (*Key, error) {
	if len(armored) > MaxKey {
		return nil, unusable(export, "the OpenPGP key is larger than %d bytes", MaxKey)
	}
	block, err := armor.Decode(bytes.NewReader(armored))
	if err != nil {
		return nil, unusable(export, "there is no armored OpenPGP key in the file")
	}
	switch block.Type {
	case "PGP PUBLIC KEY BLOCK":
	case "PGP PRIVATE KEY BLOCK":
		return nil, unusable("delete the file, and "+export, "the file holds a private OpenPGP key, which only its owner may have")
	default:
		return nil, unusable(export, "the file holds something of OpenPGP that is no public key")
	}
	ring, err := openpgp.ReadKeyRing(io.LimitReader(block.Body, MaxKey))
	switch {
	case err != nil || len(ring) == 0:
		return nil, unusable(export, "the OpenPGP key cannot be read, or is of a kind that is not known")
	case len(ring) > 1:
		return nil, unusable("keep one key in the file; "+export, "the file holds %d OpenPGP keys, and only one can be the captain's", len(ring))
	case ring[0].PrivateKey != nil:
		return nil, unusable("delete the file, and "+export, "the file holds a private OpenPGP key, which only its owner may have")
	}
	return &Key{ring[0]}, nil
}

// Usable returns why signatures of the key at a given time are not trusted, or nil. The error is a
// *KeyError.
func (k *Key) Usable(now time.Time) error {
	if k.entity.Revoked(now) {
		return unusable(renew, "the OpenPGP key was revoked by its owner")
	}
	if _, err := k.entity.VerifyPrimaryKey(now, config(now)); errors.Is(err, pgperrors.ErrKeyExpired) {
		return unusable(renew, "the OpenPGP key has expired")
	}
	if _, ok := k.entity.SigningKey(now, config(now)); !ok {
		return unusable(renew, "the OpenPGP key has no part that can sign now: it has expired, was revoked, or is too weak")
	}
	return nil
}

func config(now time.Time) *packet.Config {
	return &packet.Config{Time: func() time.Time { return now }}
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// CheckKeys reads the keys that a game has for its captains and returns, in the order of the
// captains, what is wrong with each key that could not be used at the given time. Each error is a
// *vault.Error.
func CheckKeys(g *vault.Game, now time.Time) []error {
	var out []error
	for _, c := range g.Settings().Captains {
		if c.PGP == "" {
			continue
		}
		data, err := vault.PublicKey(g, c.PGP, "captain "+string(c.Name))
		if err != nil {
			out = append(out, err)
			continue
		}
		key, err := ParseKey(data)
		if err == nil {
			err = key.Usable(now)
		}
		if told, ok := errors.AsType[*KeyError](err); ok {
			out = append(out, &vault.Error{
				Path: g.Place(c.PGP), Problem: fmt.Sprintf("captain %s: %s", c.Name, told.Problem), Way: told.Way, Err: err,
			})
		}
	}
	return out
}
