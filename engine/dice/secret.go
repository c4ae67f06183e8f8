package dice

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
)

// secretSize is the length of a secret in bytes.
const secretSize = 32

// Secret is the secret of a game, 32 bytes. Anyone who has it can predict every roll: only the host may have it
// until the last report (D3).
type Secret []byte

// NewSecret reads a secret from a source of randomness, such as crypto/rand.Reader.
func NewSecret(random io.Reader) (Secret, error) {
	s := make(Secret, secretSize)
	if _, err := io.ReadFull(random, s); err != nil {
		return nil, fmt.Errorf("draw a game secret: %w", err)
	}
	return s, nil
}

// FromSeed makes a secret from a number. It is for tests and demonstrations
// only: anyone can try all small numbers.
func FromSeed(n uint64) Secret {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], n)
	sum := sha256.Sum256(frame(nil, "starpost dice seed 1", string(b[:])))
	return sum[:]
}

// ParseSecret parses what String returns: 64 hexadecimal digits. Its errors do not repeat the text, which may be
// most of a secret.
func ParseSecret(s string) (Secret, error) {
	if len(s) != 2*secretSize {
		return nil, fmt.Errorf("game secret: %d characters, want %d hexadecimal digits", len(s), 2*secretSize)
	}
	b, err := hex.DecodeString(s)
	if err != nil {
		return nil, fmt.Errorf("game secret: want %d hexadecimal digits, found another character", 2*secretSize)
	}
	return b, nil
}

// String returns the secret itself in hexadecimal, to be stored or, with the last report, published. Never log it.
func (s Secret) String() string { return hex.EncodeToString(s) }

// MarshalText returns the secret in hexadecimal.
func (s Secret) MarshalText() ([]byte, error) {
	if len(s) != secretSize {
		return nil, fmt.Errorf("game secret: %d bytes, want %d", len(s), secretSize)
	}
	return []byte(s.String()), nil
}

// UnmarshalText parses a secret; see ParseSecret.
func (s *Secret) UnmarshalText(text []byte) error {
	parsed, err := ParseSecret(string(text))
	if err != nil {
		return err
	}
	*s = parsed
	return nil
}

// Commit returns what is published of a secret before the game: the SHA-256 of its bytes, in hexadecimal (D3).
func Commit(secret Secret) string {
	sum := sha256.Sum256(secret)
	return hex.EncodeToString(sum[:])
}

// LuckHash returns what is shown of a captain's words for luck until the turn is resolved: a SHA-256 in hexadecimal
// (D3). It is over exactly the bytes given, so the words must be kept as they were hashed. Words that are easy to
// guess are easy to find from it.
func LuckHash(words string) string {
	sum := sha256.Sum256(frame(nil, "starpost dice luck 1", words))
	return hex.EncodeToString(sum[:])
}

// DeriveKey derives a key of 32 bytes for a use other than dice, such as the key of a captain's turn: HMAC-SHA256,
// under the secret, of the framed purpose and parts. Different purposes, or differently divided parts, give
// unrelated keys. It panics if the secret is not 32 bytes long.
func DeriveKey(secret Secret, purpose string, parts ...string) []byte {
	secret.mustBeWhole()
	mac := hmac.New(sha256.New, secret)
	mac.Write(frame(frame(nil, "starpost dice key 1", purpose), parts...))
	return mac.Sum(nil)
}

// Digest returns the SHA-256 of a purpose and fields, framed, in hexadecimal, for publishing before the contents
// are shown.
func Digest(purpose string, fields ...string) string {
	sum := sha256.Sum256(frame(frame(nil, purpose), fields...))
	return hex.EncodeToString(sum[:])
}

// mustBeWhole panics if the secret was lost on the way: dice that anyone can predict are worse than no turn.
func (s Secret) mustBeWhole() {
	if len(s) != secretSize {
		panic(fmt.Sprintf("dice: game secret of %d bytes, want %d", len(s), secretSize))
	}
}

// frame appends each field with its length before it, so that different lists of fields never have the same bytes.
func frame(b []byte, fields ...string) []byte {
	for _, f := range fields {
		b = binary.BigEndian.AppendUint64(b, uint64(len(f)))
		b = append(b, f...)
	}
	return b
}
