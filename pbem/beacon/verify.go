package beacon

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"sync"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bls12-381/fp"
)

// Why a beacon is invalid.
var (
	errChain     = errors.New("beacon of another chain")
	errRound     = errors.New("beacon of another round")
	errLength    = errors.New("signature of a wrong length")
	errForm      = errors.New("signature is not in the compressed form")
	errInfinity  = errors.New("signature is the point at infinity, which would sign anything")
	errField     = errors.New("signature is no number of the curve's field")
	errCurve     = errors.New("signature is not on the curve")
	errSubgroup  = errors.New("signature is outside of the subgroup")
	errSignature = errors.New("signature does not hold")
)

// Verify returns why a beacon is not the output of the chain in a round, or nil.
//
// The library would find most of these errors too. But other libraries have accepted infinity as a signature of
// anything, and dice must not depend on a single check in foreign code.
func (c Chain) Verify(b Beacon, round uint64) error {
	switch {
	case b.Chain != c.Hash:
		return fmt.Errorf("%w: %.70q, want %s", errChain, b.Chain, c.Hash)
	case b.Round != round || round == 0 || round > MaxRound:
		return fmt.Errorf("%w: %d, want %d", errRound, b.Round, round)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %d %x", c.Hash, c.Key, round, b.Signature))
	if _, ok := held.get(sum); ok {
		return nil
	}
	sig, err := point(b.Signature)
	if err != nil {
		return fmt.Errorf("round %d: %w", round, err)
	}
	key, err := c.key()
	if err != nil {
		return err
	}
	if ok, err := signed(key, Message(round), sig); err != nil || !ok {
		return errors.Join(fmt.Errorf("round %d: %w: it is not by the key of chain %s", round, errSignature, c.Hash), err)
	}
	held.put(sum, true)
	return nil
}

// held are recently verified signatures, by the hash of all inputs: a round is verified when it arrives and again
// with each turn that uses it, and that takes about 1 ms. keys are the recently decoded keys of chains, which takes 1
// ms and happens wherever the settings of a game are read.
var (
	held memo[bool]
	keys memo[bls12381.G2Affine]
)

// memo remembers a limited number of values by hash.
type memo[V any] struct {
	mu  sync.Mutex
	all map[[sha256.Size]byte]V
}

const maxMemo = 1024

func (m *memo[V]) get(sum [sha256.Size]byte) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.all[sum]
	return v, ok
}

func (m *memo[V]) put(sum [sha256.Size]byte, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil || len(m.all) >= maxMemo {
		m.all = map[[sha256.Size]byte]V{}
	}
	m.all[sum] = v
}

// Message returns what a chain signs in a round.
func Message(round uint64) []byte {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, round))
	return sum[:]
}

// The bits of the first byte of a point.
const (
	compressed = 0x80
	infinity   = 0x40
	larger     = 0x20 // of the two points with this x, the one with the larger y
)

// point decodes a point that can be a signature. The error says why the bytes are invalid.
func point(sig []byte) (p bls12381.G1Affine, err error) {
	if len(sig) != signatureSize {
		return p, fmt.Errorf("%w: %d bytes, want %d", errLength, len(sig), signatureSize)
	}
	if sig[0]&compressed == 0 {
		return p, errForm
	}
	if sig[0]&infinity != 0 {
		return p, errInfinity
	}
	digits := append([]byte{sig[0] &^ (compressed | larger)}, sig[1:]...)
	order := fp.Modulus()
	x := new(big.Int).SetBytes(digits)
	if x.Cmp(order) >= 0 {
		return p, errField
	}
	// The curve is y*y = x*x*x + 4.
	square := new(big.Int).Exp(x, big.NewInt(3), order)
	if big.Jacobi(square.Add(square, big.NewInt(4)), order) < 0 {
		return p, errCurve
	}
	if _, err := p.SetBytes(sig); err != nil || !p.IsInSubGroup() {
		return p, errSubgroup
	}
	return p, nil
}

// signed reports whether a key has signed a message, by draft-irtf-cfrg-bls-signature with signatures in G1:
// e(signature, base) is e(hash of the message, key). Hashing is that of RFC 9380, with the name of quicknet's suite.
func signed(key bls12381.G2Affine, message []byte, sig bls12381.G1Affine) (bool, error) {
	hashed, err := bls12381.HashToG1(message, []byte("BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"))
	if err != nil {
		return false, err
	}
	_, _, _, base := bls12381.Generators()
	return bls12381.PairingCheck([]bls12381.G1Affine{sig, *hashed.Neg(&hashed)}, []bls12381.G2Affine{base, key})
}

// key returns the chain's key as a point.
func (c Chain) key() (key bls12381.G2Affine, err error) {
	raw, err := unhex("key of the chain", c.Key, keySize)
	if err != nil {
		return key, err
	}
	sum := sha256.Sum256(raw)
	if key, ok := keys.get(sum); ok {
		return key, nil
	}
	n, err := key.SetBytes(raw)
	switch {
	case err != nil:
		return key, fmt.Errorf("key of the chain: %w", err)
	case n != keySize || key.IsInfinity() || !key.IsInSubGroup():
		return key, errors.New("key of the chain: it is no point that can be a key")
	}
	keys.put(sum, key)
	return key, nil
}
