package auth

import "time"

// Signature is what was found out about an OpenPGP signature. The zero value is
// that there is none.
type Signature struct {
	// Made is when the captain signed, by his own clock; zero when the signature
	// proves nothing.
	Made time.Time
	// Why says what is wrong with a signature that proves nothing, in sentences
	// for the captain.
	Why string
}

// SignedText is a text that bears a signature; it counts only when that is OK.
type SignedText struct {
	Text string // as package mime reads it
	Signature
}

// OK reports whether the signature is the captain's.
func (s Signature) OK() bool { return !s.Made.IsZero() && s.Why == "" }
