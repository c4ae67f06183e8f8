package beacon

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	bls "github.com/cloudflare/circl/ecc/bls12381"
)

// Chain is a beacon: its rounds, and the key that they are signed with.
type Chain struct {
	Hash    string // 64 hexadecimal digits, by which it is known
	Key     []byte // public key: a compressed point of G2
	Genesis int64  // when round 1 is, in seconds of Unix time
	Period  int64  // seconds from one round to the next
}

// Quicknet is drand's fast chain, which the League of Entropy runs.
var Quicknet = Chain{
	Hash: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
	Key: mustHex("83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
		"0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"),
	Genesis: 1692803367, Period: 3,
}

func mustHex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// Sizes of compressed points.
const (
	keySize       = bls.G2SizeCompressed
	signatureSize = bls.G1SizeCompressed
)

// Domain is what signatures are made for, see RFC 9380, 3.1.
const Domain = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"

// What is wrong with a beacon that does not hold.
var (
	errForm      = errors.New("the signature is no compressed point of G1")
	errInfinity  = errors.New("the signature is the point at infinity, which fits no round")
	errSignature = errors.New("the signature does not fit the round")
	errChain     = errors.New("the beacon is of another chain")
	errRound     = errors.New("rounds of a beacon count from 1")
)

// Check tells what a chain lacks.
func (c Chain) Check() error {
	if raw, err := hex.DecodeString(c.Hash); err != nil || len(raw) != sha256.Size {
		return errors.New("the hash of a chain has 64 hexadecimal digits")
	}
	if c.Period < 1 || c.Period > 24*60*60 || c.Genesis < 1 || c.Genesis > maxTime {
		return errors.New("a chain has a genesis in seconds of Unix time and a period of 1 to 86400 seconds")
	}
	_, err := c.key()
	return err
}

// maxTime bounds moments in seconds of Unix time: the year 9999.
const maxTime = 253_402_300_799

// key is the public key as a point.
func (c Chain) key() (*bls.G2, error) {
	key := new(bls.G2)
	// SetBytes refuses points that are not on the curve or not in the subgroup.
	if len(c.Key) != keySize || c.Key[0]&0x80 == 0 || key.SetBytes(c.Key) != nil || key.IsIdentity() {
		return nil, errors.New("the key of a chain is a compressed point of G2, of 96 bytes")
	}
	return key, nil
}

// TimeOf is when a round is published; the end of time for one that never is.
func (c Chain) TimeOf(round uint64) time.Time {
	if round < 1 {
		return time.Unix(0, 0).UTC()
	}
	if most := uint64(maxTime-c.Genesis) / uint64(c.Period); round-1 > most { //nolint:gosec // both are positive, see Check
		return time.Unix(maxTime, 0).UTC()
	}
	return time.Unix(c.Genesis+int64(round-1)*c.Period, 0).UTC() //nolint:gosec // bounded above
}

// RoundFrom is the first round that is published at a moment or after it.
func (c Chain) RoundFrom(t time.Time) uint64 {
	s := t.Unix()
	if t.Nanosecond() > 0 {
		s++
	}
	if s <= c.Genesis {
		return 1
	}
	return uint64((s-c.Genesis+c.Period-1)/c.Period) + 1 //nolint:gosec // positive
}

// Path is where a relay has a round, below its address.
func (c Chain) Path(round uint64) string { return fmt.Sprintf("/%s/public/%d", c.Hash, round) }

// Message is what is signed in a round.
func Message(round uint64) []byte {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, round))
	return sum[:]
}

// Verify checks that a beacon is one of the chain: that its signature is the chain's for its round. What held once is
// not worked out again.
func (c Chain) Verify(b *Beacon) error {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %x %q %d %x", c.Hash, c.Key, b.Chain, b.Round, b.Signature))
	if sum == b.held {
		return nil
	}
	if err := c.verify(b); err != nil {
		return err
	}
	b.held = sum
	return nil
}

func (c Chain) verify(b *Beacon) error {
	switch {
	case b.Chain != c.Hash:
		return fmt.Errorf("%w: %s, not %s", errChain, b.Chain, c.Hash)
	case b.Round < 1:
		return errRound
	case len(b.Signature) != signatureSize || b.Signature[0]&0x80 == 0:
		return errForm
	case b.Signature[0]&0x40 != 0:
		// Some libraries take it for a signature of anything.
		return errInfinity
	}
	key, err := c.key()
	if err != nil {
		return err
	}
	sig := new(bls.G1)
	if err := sig.SetBytes(b.Signature); err != nil || !sig.IsOnG1() {
		return errForm
	}
	if sig.IsIdentity() {
		return errInfinity
	}
	message := new(bls.G1)
	message.Hash(Message(b.Round), []byte(Domain))
	if !bls.ProdPairFrac([]*bls.G1{sig, message}, []*bls.G2{bls.G2Generator(), key}, []int{1, -1}).IsIdentity() {
		return fmt.Errorf("%w: round %d", errSignature, b.Round)
	}
	return nil
}
