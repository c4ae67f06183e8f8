package beacon

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Beacon is a round of a chain.
type Beacon struct {
	Chain     string // hash of the chain
	Round     uint64 // from 1
	Signature []byte

	held [sha256.Size]byte // of what was verified, see Chain.Verify
}

// Randomness is what the round is worth: the SHA-256 of its signature, in hexadecimal digits.
func (b *Beacon) Randomness() string {
	sum := sha256.Sum256(b.Signature)
	return hex.EncodeToString(sum[:])
}

// written is beacon.json.
type written struct {
	Chain      string `json:"chain,omitempty"`
	Round      uint64 `json:"round"`
	Signature  string `json:"signature"`
	Randomness string `json:"randomness"`
}

// Encode writes the beacon as the directory of a turn has it: one line of JSON.
func (b *Beacon) Encode() []byte {
	data, err := json.Marshal(written{b.Chain, b.Round, hex.EncodeToString(b.Signature), b.Randomness()})
	if err != nil {
		panic(err) // strings and a number can be written
	}
	return append(data, '\n')
}

// MaxSize bounds a beacon as it is written, by a relay too.
const MaxSize = 4 << 10

// Decode reads what Encode writes, strictly. It does not verify it.
func Decode(data []byte) (*Beacon, error) {
	w, err := read(data, true)
	if err != nil {
		return nil, err
	}
	b, err := w.beacon(w.Chain)
	if err == nil && w.Randomness != b.Randomness() {
		err = errors.New("the randomness is not the SHA-256 of the signature")
	}
	if err == nil && !bytes.Equal(b.Encode(), data) {
		err = errors.New("the beacon is not in the form in which it is kept")
	}
	return b, err
}

// ReadRelay reads the answer of a relay of a chain, or what Encode wrote. Further fields are passed over. It does not
// verify it.
func ReadRelay(chain Chain, data []byte) (*Beacon, error) {
	w, err := read(data, false)
	if err != nil {
		return nil, err
	}
	if w.Chain != "" && w.Chain != chain.Hash {
		return nil, fmt.Errorf("%w: %q", errChain, w.Chain)
	}
	return w.beacon(chain.Hash)
}

func read(data []byte, strict bool) (w written, err error) {
	if len(data) > MaxSize {
		return w, fmt.Errorf("a beacon has at most %d bytes", MaxSize)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if strict {
		dec.DisallowUnknownFields()
	}
	if err := dec.Decode(&w); err != nil {
		return w, fmt.Errorf("no beacon: %w", err)
	}
	if dec.More() {
		return w, errors.New("no beacon: there is more after it")
	}
	return w, nil
}

func (w written) beacon(chain string) (*Beacon, error) {
	sig, err := hex.DecodeString(w.Signature)
	if err != nil || len(sig) != signatureSize {
		return nil, fmt.Errorf("%w: %d hexadecimal digits are wanted", errForm, 2*signatureSize)
	}
	if w.Round < 1 {
		return nil, errRound
	}
	return &Beacon{Chain: chain, Round: w.Round, Signature: sig}, nil
}

// ClockError tells that relays agree that a clock is wrong.
type ClockError struct {
	Off time.Duration // how far the clock is ahead of theirs; negative: behind
}

// Error implements error.
func (e *ClockError) Error() string {
	if e.Off < 0 {
		return fmt.Sprintf("the clock is %s behind that of the relays", -e.Off)
	}
	return fmt.Sprintf("the clock is %s ahead of that of the relays", e.Off)
}

// Hint is the way out.
func (e *ClockError) Hint() string { return "set the clock right; orders are not closed before" }
