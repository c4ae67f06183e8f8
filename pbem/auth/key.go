package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"strings"

	"starpost/engine"
)

// alphabet is Crockford's base 32: no I, L, O or U, so that a key can be read
// aloud and typed.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// keyLength is the number of symbols of a key without its dash: 40 bits.
const keyLength = 8

// TurnKey returns the key of one captain for one turn of a game, in the form "7K4Q-92FM". It is an
// HMAC-SHA-256 of game, turn and captain under the game's secret, cut to 40 bits, so it can be
// computed again at any time and reveals nothing about other keys. Case does not matter in game and
// captain. changes counts how often the seat changed hands, so that a former captain does not know
// the present captain's keys.
func TurnKey(secret []byte, game string, turn int, captain engine.CaptainName, changes int) string {
	who := string(captain)
	if changes > 0 {
		who = fmt.Sprintf("%s\x00%d", who, changes) // no name contains a zero byte
	}
	return key(secret, "starpost turn key 1", game, turn, who, 0)
}

// RefereeKey returns the key of a referee while a turn is due. It is like a captain's but with
// another domain: no captain's key is a referee's. renewed counts how often it was renewed.
func RefereeKey(secret []byte, game string, turn int, referee string, renewed int) string {
	return key(secret, "starpost referee key 1", game, turn, referee, renewed)
}

func key(secret []byte, domain, game string, turn int, who string, renewed int) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(domain + "\x00"))
	// Lengths go first, so that no two different triples give the same input.
	field := func(s string) {
		mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(s))))
		mac.Write([]byte(s))
	}
	field(strings.ToLower(game))
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(turn)))
	field(strings.ToLower(who))
	if renewed > 0 {
		mac.Write(binary.BigEndian.AppendUint64(nil, uint64(renewed)))
	}
	sum := mac.Sum(nil)

	var bits uint64
	for _, b := range sum[:5] {
		bits = bits<<8 | uint64(b)
	}
	var out [keyLength]byte
	for i := keyLength - 1; i >= 0; i-- {
		out[i] = alphabet[bits&31]
		bits >>= 5
	}
	return dashed(out)
}

func dashed(k [keyLength]byte) string { return string(k[:4]) + "-" + string(k[4:]) }

// Normalise returns the canonical form of a typed key. It accepts lower case, O for 0, I and L for
// 1, and spaces or dashes anywhere. It returns false if the rest is not eight symbols of a key.
func Normalise(key string) (string, bool) {
	out, ok := symbols(key)
	if !ok {
		return "", false
	}
	return dashed(out), true
}

// symbols is Normalise without the dash.
func symbols(key string) (out [keyLength]byte, ok bool) {
	n := 0
	for _, r := range key {
		if separator(r) {
			continue
		}
		c, ok := symbol(r)
		if !ok || n == keyLength {
			return out, false
		}
		out[n] = c
		n++
	}
	return out, n == keyLength
}

// symbol maps a typed character to the intended symbol of the alphabet.
func symbol(r rune) (byte, bool) {
	if r >= 'a' && r <= 'z' {
		r -= 'a' - 'A'
	}
	switch {
	case r == 'O':
		return '0', true
	case r == 'I', r == 'L':
		return '1', true
	case r >= '0' && r <= '9', r >= 'A' && r <= 'Z' && r != 'U':
		return byte(r), true
	}
	return 0, false
}

// separator reports whether a character may be between the symbols: white space, and dashes,
// including those that word processors substitute.
func separator(r rune) bool {
	switch r {
	case ' ', '\t', '\u00a0', '-', '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212':
		return true
	}
	return false
}

// EqualKeys compares two keys in their canonical form and in constant time. Anything that is not a
// key equals nothing, not even itself.
func EqualKeys(a, b string) bool {
	x, okX := symbols(a)
	y, okY := symbols(b)
	if !okX || !okY {
		return false
	}
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}
