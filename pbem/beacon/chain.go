package beacon

import (
	"encoding/hex"
	"fmt"
	"time"
)

// Chain is a beacon: one key, and a round every Period seconds for ever.
type Chain struct {
	Hash    string // its identifier: 64 lower-case hexadecimal digits
	Key     string // its public key: a point of G2, compressed, in hexadecimal digits
	Genesis int64  // time of round 1, in seconds since 1970
	Period  int64  // seconds between rounds
}

// MaxRound is the last accepted round; at one per second, that is after 34,000 years.
const MaxRound = 1 << 40

const (
	hashSize      = 32
	keySize       = 96
	signatureSize = 48
)

// Quicknet returns drand's chain with a round every three seconds, by the League of Entropy.
func Quicknet() Chain {
	return Chain{
		Hash: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
		Key: "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
			"0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
		Genesis: 1692803367,
		Period:  3,
	}
}

// RoundAt returns the newest round at a given time; 0 before the first.
func (c Chain) RoundAt(t time.Time) uint64 {
	if t.Unix() < c.Genesis {
		return 0
	}
	return uint64((t.Unix()-c.Genesis)/c.Period) + 1
}

// FirstRound returns the first round at or after a given time, so that no one knows it before.
func (c Chain) FirstRound(t time.Time) uint64 {
	r := c.RoundAt(t)
	if r == 0 || c.TimeOf(r).Before(t) {
		r++
	}
	return r
}

// TimeOf returns the time of a round from 1 to [MaxRound].
func (c Chain) TimeOf(round uint64) time.Time {
	return time.Unix(c.Genesis+int64(round-1)*c.Period, 0).UTC()
}

// unhex decodes size bytes from lower-case hexadecimal digits.
func unhex(what, text string, size int) ([]byte, error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != size || hex.EncodeToString(b) != text {
		return nil, fmt.Errorf("%s: want %d hexadecimal digits in small letters, got %d characters, %.20q", what, 2*size, len(text), text)
	}
	return b, nil
}

// Check returns an error if a configured chain is invalid.
func (c Chain) Check() error {
	if _, err := unhex("hash of the chain", c.Hash, hashSize); err != nil {
		return err
	}
	if c.Period < 1 || c.Period > maxPeriod || c.Genesis < 1 || c.Genesis > maxGenesis {
		return fmt.Errorf("chain %s: want a genesis in seconds since 1970, and a period of 1 to %d seconds", c.Hash, maxPeriod)
	}
	_, err := c.key()
	return err
}

// Limits of a chain: a day, and the year 2999.
const (
	maxPeriod  = 24 * 60 * 60
	maxGenesis = 32_503_679_999
)
