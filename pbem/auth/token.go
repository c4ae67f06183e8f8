package auth

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"strings"
	"time"

	"starpost/engine"
)

// Claim is a request that must be confirmed from an address that is not registered yet.
type Claim struct {
	Kind    string // such as "join"
	Game    string
	Captain engine.CaptainName // captain of the seat it is about; "" for a request
	Request string             // the request if it is not about a seat; else ""
	Changes int                // how often the seat changed hands
	Old     string             // the present address of the seat; "" for none
	Address string             // the confirming address
}

// tokenLength is the number of symbols of a token without its dashes: 16 bits for the day on which
// it expires, 64 of an HMAC.
const tokenLength = 16

// Token returns the token that confirms a claim until the end of the UTC day of expires, in the
// form "7K4Q-92FM-0000-ABCD". It is an HMAC-SHA-256 under the game's secret, so nothing has to be
// stored, and it becomes invalid when the seat changes hands or its address.
func Token(secret []byte, c Claim, expires time.Time) string {
	return c.token(secret, dayOf(expires))
}

func dayOf(t time.Time) uint16 { return uint16(t.UTC().Unix() / (24 * 60 * 60)) } //nolint:gosec // days wrap in 2149

func (c Claim) token(secret []byte, day uint16) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("starpost token 1\x00"))
	field := func(s string) {
		mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(s))))
		mac.Write([]byte(s))
	}
	field(strings.ToLower(c.Kind))
	field(strings.ToLower(c.Game))
	field(strings.ToLower(cmp.Or(c.Request, string(c.Captain))))
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(c.Changes))) //nolint:gosec // a count
	field(Canonical(c.Old))
	field(Canonical(c.Address))
	mac.Write(binary.BigEndian.AppendUint16(nil, day))
	sum := mac.Sum(nil)
	raw := append(binary.BigEndian.AppendUint16(nil, day), sum[:8]...)
	var out strings.Builder
	var bits uint64
	have := 0
	for _, b := range raw {
		bits, have = bits<<8|uint64(b), have+8
		for have >= 5 {
			have -= 5
			if n := out.Len(); n == 4 || n == 9 || n == 14 {
				out.WriteByte('-')
			}
			out.WriteByte(alphabet[bits>>have&31])
		}
	}
	return out.String()
}

// NormaliseToken returns the canonical form of a typed token, as Normalise does for keys. It
// returns false if it is not a token.
func NormaliseToken(token string) (string, bool) {
	var out []byte
	for _, r := range token {
		if separator(r) {
			continue
		}
		c, ok := symbol(r)
		if !ok || len(out) == tokenLength+3 {
			return "", false
		}
		if n := len(out); n == 4 || n == 9 || n == 14 {
			out = append(out, '-')
		}
		out = append(out, c)
	}
	return string(out), len(out) == tokenLength+3
}

// Confirms reports whether a token confirms the claim at the given time.
func (c Claim) Confirms(secret []byte, token string, now time.Time) bool {
	token, ok := NormaliseToken(token)
	if !ok || Canonical(c.Address) == "" {
		return false
	}
	day := tokenDay(token)
	want := c.token(secret, day)
	// int16: days wrap around.
	return int16(day-dayOf(now)) >= 0 && subtle.ConstantTimeCompare([]byte(want), []byte(token)) == 1 //nolint:gosec // meant
}

// tokenDay returns the day in a canonical token.
func tokenDay(token string) uint16 {
	bits := uint32(0)
	for _, c := range []byte(token[:4]) {
		bits = bits<<5 | uint32(strings.IndexByte(alphabet, c)) //nolint:gosec // it is of the alphabet
	}
	return uint16(bits >> 4) //nolint:gosec // the first 16 of 20 bits
}

// TokenFromAddress returns the token in the plus tag of one of the robot's addresses; "" if there
// is none.
func TokenFromAddress(to []string, robot string) string {
	token, _ := tagged(to, robot, NormaliseToken)
	return token
}
