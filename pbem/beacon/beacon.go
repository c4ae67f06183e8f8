package beacon

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Beacon is the output of a chain in one round. [Chain.Verify] says whether it is valid.
type Beacon struct {
	Chain     string // the chain's hash
	Round     uint64
	Signature []byte
}

// File is the name under which the directory of a turn keeps its beacon.
const File = "beacon.json"

// Randomness returns the random value of the round: the SHA-256 of its signature, as 64 lower-case
// hexadecimal digits.
func (b Beacon) Randomness() string {
	sum := sha256.Sum256(b.Signature)
	return hex.EncodeToString(sum[:])
}

// filed is the format of the file.
type filed struct {
	Chain      string `json:"chain"`
	Round      uint64 `json:"round"`
	Signature  string `json:"signature"`
	Randomness string `json:"randomness"`
}

// maxFile limits the file, which has about 370 bytes.
const maxFile = 1024

// Encode writes the file.
func (b Beacon) Encode() ([]byte, error) {
	data, err := json.MarshalIndent(filed{b.Chain, b.Round, hex.EncodeToString(b.Signature), b.Randomness()}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write a beacon: %w", err)
	}
	return append(data, '\n'), nil
}

// Decode reads what Encode wrote, byte for byte. [Chain.Verify] checks the signature.
func Decode(data []byte) (Beacon, error) {
	if len(data) > maxFile {
		return Beacon{}, fmt.Errorf("read a beacon: %d bytes, at most %d are wanted", len(data), maxFile)
	}
	var f filed
	if err := json.Unmarshal(data, &f); err != nil {
		return Beacon{}, fmt.Errorf("read a beacon: %w", err)
	}
	if _, err := unhex("chain", f.Chain, hashSize); err != nil {
		return Beacon{}, fmt.Errorf("read a beacon: %w", err)
	}
	b, err := Parse(f.Chain, f.Round, f.Signature)
	if err != nil {
		return Beacon{}, fmt.Errorf("read a beacon: %w", err)
	}
	if f.Randomness != b.Randomness() {
		return Beacon{}, fmt.Errorf("read a beacon: randomness %.70q is not the SHA-256 of the signature, %s", f.Randomness, b.Randomness())
	}
	again, err := b.Encode()
	if err != nil {
		return Beacon{}, err
	}
	if !bytes.Equal(again, data) {
		return Beacon{}, fmt.Errorf("read a beacon: not in the form in which it is written: %.60q", data)
	}
	return b, nil
}

// Parse makes a beacon from a chain's hash, a round and a signature in hexadecimal digits, as from
// a relay or a captain.
func Parse(chain string, round uint64, signature string) (Beacon, error) {
	if round == 0 || round > MaxRound {
		return Beacon{}, fmt.Errorf("round %d: there are rounds 1 to %d", round, uint64(MaxRound))
	}
	sig, err := unhex("signature", signature, signatureSize)
	if err != nil {
		return Beacon{}, err
	}
	return Beacon{Chain: chain, Round: round, Signature: sig}, nil
}
