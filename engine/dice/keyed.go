package dice

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
)

// Keyed rolls the dice of one turn of a game. It is immutable and may be used by several goroutines.
type Keyed struct {
	// prefix is the beginning of the hash input of every roll.
	prefix []byte
}

// ForGame returns the dice of a turn of a game. Words is the hash of the words for luck of this turn and all before
// it, see [Words]; it is "" if none were ever sent, and then the turn number plays no part (D3). It panics if the
// secret is not 32 bytes long.
func ForGame(secret Secret, game string, turn int, words string) *Keyed {
	secret.mustBeWhole()
	key := string(secret)
	if words != "" {
		sum := sha256.Sum256(frame(nil, "starpost dice turn 2", key, game, strconv.Itoa(turn), words))
		key = string(sum[:])
	}
	return &Keyed{prefix: frame(nil, "starpost dice roll 1", key, game)}
}

// Beacon is a round of a public beacon, as far as dice depend on it. Whether it is genuine is for others to check.
type Beacon struct {
	Chain      string // the hash of the chain: 64 lower-case hexadecimal digits
	Round      uint64 // from 1
	Randomness string // the SHA-256 of the round's signature, likewise
}

// None reports whether there is no beacon: the zero value.
func (b Beacon) None() bool { return b == Beacon{} }

// Check returns an error if dice cannot be made with a beacon.
func (b Beacon) Check() error {
	if b.Round == 0 {
		return errors.New("dice: a beacon of round 0")
	}
	for _, text := range []string{b.Chain, b.Randomness} {
		raw, err := hex.DecodeString(text)
		if err != nil || len(raw) != 32 || hex.EncodeToString(raw) != text {
			return fmt.Errorf("dice: round %d of a beacon: want 64 hexadecimal digits in small letters, got %.70q", b.Round, text)
		}
	}
	return nil
}

// ForBeacon returns the dice of a turn of a game, or of a part of it, that has a round of a public beacon; words
// are as for [ForGame]. It panics if the secret is not 32 bytes long, or if [Beacon.Check] returns an error.
func ForBeacon(secret Secret, game string, turn int, words string, b Beacon) *Keyed {
	secret.mustBeWhole()
	if err := b.Check(); err != nil {
		panic(err.Error())
	}
	sum := sha256.Sum256(frame(nil, "starpost dice turn 3", string(secret), game, strconv.Itoa(turn), words,
		b.Chain, strconv.FormatUint(b.Round, 10), b.Randomness))
	return &Keyed{prefix: frame(nil, "starpost dice roll 1", string(sum[:]), game)}
}

// Words adds the words for luck that were sent for a ship in a turn to the hash of those before them, "" for none,
// and returns a hash of 64 hexadecimal digits. Those of one turn are added in order of the ships' ids.
func Words(before string, turn int, ship, words string) string {
	sum := sha256.Sum256(frame(nil, "starpost dice words 2", before, strconv.Itoa(turn), ship, words))
	return hex.EncodeToString(sum[:])
}

// ForTurn returns the dice of a turn by the method for games with state format 1: words for luck count for one turn
// only. Luck maps ids of ships to the words their captains sent for this turn; ships with no or empty words are
// ignored, and if there are no words at all the turn number plays no part (D3). It panics if the secret is not 32
// bytes long.
func ForTurn(secret Secret, game string, turn int, luck map[string]string) *Keyed {
	secret.mustBeWhole()
	key := string(secret)
	var words []string
	for _, ship := range slices.Sorted(maps.Keys(luck)) {
		if luck[ship] != "" {
			words = append(words, ship, luck[ship])
		}
	}
	if len(words) > 0 {
		b := frame(nil, "starpost dice turn 1", key, game, strconv.Itoa(turn))
		sum := sha256.Sum256(frame(b, words...))
		key = string(sum[:])
	}
	return &Keyed{prefix: frame(nil, "starpost dice roll 1", key, game)}
}

// Roll returns the value of the named roll (D2). It panics if d is not a valid die.
func (k *Keyed) Roll(name string, d Die) int {
	if !d.valid() {
		panic(fmt.Sprintf("dice: roll %q with unknown %s", name, d))
	}
	t := dieTable[d]
	var room [256]byte // enough for usual names, and stays off the heap
	seed := sha256.Sum256(frame(append(room[:0], k.prefix...), t.name, name))
	var stream rand.ChaCha8
	stream.Seed(seed)
	total := 0
	for range t.count {
		total += face(&stream, t.faces)
	}
	return total
}

// face draws a number from 1 to n without bias. The method is our own, because the standard library does not
// promise to keep its method.
func face(stream *rand.ChaCha8, n int) int {
	m := uint64(n)
	// -m mod m is 2^64 mod m: how many outputs at the top are too many.
	last := -(-m % m) - 1
	for {
		if v := stream.Uint64(); v <= last {
			return int(v%m) + 1
		}
	}
}
