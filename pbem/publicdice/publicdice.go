// Package publicdice reads and writes the files of a game with public dice: which rounds of a beacon its turns use
// for their dice, and what was closed before those rounds existed. Package turn closes and plays, and package proof
// compares the two.
package publicdice

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/pbem/beacon"
	"starpost/pbem/vault"
)

// ChainOf returns the chain of a game's beacon. It returns an error if [beacon] is not what the game was created
// with.
func ChainOf(g *vault.Game) (beacon.Chain, error) {
	s := g.SharedSettings()
	m, err := g.Stages.Manifest(vault.At(0))
	if err != nil {
		return beacon.Chain{}, err
	}
	if made := m.Beacon; s.PublicDice() != (made != nil) || made != nil && *made != s.Beacon {
		return beacon.Chain{}, &vault.Error{Path: g.Place("game.toml"), Problem: "dice and [beacon] are not what the game was made with", Way: "give them back as they were", Err: vault.ErrSettings}
	}
	if !s.PublicDice() {
		return beacon.Chain{}, fmt.Errorf("game %s has the host's own dice", g.ID())
	}
	return s.Beacon.BeaconChain()
}

// Inputs are the inputs of a stage that captains and policies can influence.
type Inputs struct {
	Texts   []vault.File                   // the order sets of all rounds, by name
	Missing map[engine.Seat]string         // as in a manifest
	Silent  map[int]map[engine.Seat]string // likewise
}

// Sum returns the hash of everything that a stage is played with, which the journal has from the time when its orders
// were closed. docs/reference/formats.md specifies it.
func (in Inputs) Sum(g *vault.Game, at vault.Stage) string {
	round := max(at.Round, 1)
	turn, n := strconv.Itoa(at.Turn), strconv.Itoa(round)
	salt := hex.EncodeToString(dice.DeriveKey(g.Secret(), "closing", turn, n))
	fields := []string{salt, g.ID(), turn, n}
	for _, f := range slices.SortedFunc(slices.Values(in.Texts), func(a, b vault.File) int { return cmp.Compare(a.Name, b.Name) }) {
		fields = append(fields, f.Name, string(f.Data))
	}
	for k := 1; k <= round; k++ {
		policies := in.Missing
		if k > 1 {
			policies = in.Silent[k]
		}
		for _, seat := range slices.SortedFunc(maps.Keys(policies), func(a, b engine.Seat) int { return cmp.Compare(a.String(), b.String()) }) {
			fields = append(fields, strconv.Itoa(k), seat.String(), policies[seat])
		}
	}
	return dice.Digest("starpost closing 1", fields...)
}

// Beacons are the sources of the dice for each round of a turn, in order; a zero beacon means the host's own dice. If
// there are none, all dice of the turn are the host's own.
type Beacons []beacon.Beacon

// ownDice is the content of a beacon file for a round with the host's own dice, because no beacon was available.
const ownDice = "{\"own\":true}\n"

// IsOwn reports whether a beacon file is for a round with the host's own dice.
func IsOwn(data []byte) bool { return string(data) == ownDice }

// And adds the source for one more round.
func (b Beacons) And(next beacon.Beacon) Beacons { return append(slices.Clip(b), next) }

// own reports whether a round has the host's own dice.
func own(b beacon.Beacon) bool { return b.Round == 0 }

// Read finds the beacons among the files of a stage.
func Read(files map[string][]byte) (Beacons, error) {
	var out Beacons
	for name, data := range files {
		round := RoundOf(name)
		if round == 0 {
			continue
		}
		for len(out) < round {
			out = append(out, beacon.Beacon{})
		}
		if IsOwn(data) {
			continue
		}
		var err error
		if out[round-1], err = beacon.Decode(data); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return out, nil
}

// Files returns the files of a stage that Read reads.
func (b Beacons) Files() ([]vault.File, error) {
	var out []vault.File
	for i, one := range b {
		data := []byte(ownDice)
		if !own(one) {
			var err error
			if data, err = one.Encode(); err != nil {
				return nil, err
			}
		}
		out = append(out, vault.File{Name: NameOf(i + 1), Data: data})
	}
	return out, nil
}

// NameOf returns the file name for the beacon of a round of a turn, counted from 1: "beacon.json", "beacon.p2.json".
func NameOf(round int) string {
	if round < 2 {
		return beacon.File
	}
	return fmt.Sprintf("beacon.p%d.json", round)
}

// RoundOf returns the round of a turn that a beacon file belongs to; 0 for another file.
func RoundOf(name string) int {
	if name == beacon.File {
		return 1
	}
	var n int
	if _, err := fmt.Sscanf(name, "beacon.p%d.json", &n); err != nil || n < 2 || NameOf(n) != name {
		return 0
	}
	return n
}

// Dice returns the beacons for the engine.
func (b Beacons) Dice() []dice.Beacon {
	out := make([]dice.Beacon, 0, len(b))
	for _, one := range b {
		if own(one) {
			out = append(out, dice.Beacon{})
			continue
		}
		out = append(out, dice.Beacon{Chain: one.Chain, Round: one.Round, Randomness: one.Randomness()})
	}
	return out
}

// Words describes the source of a turn's dice, for reports; "" for a game with the host's own dice only.
func (b Beacons) Words(s *vault.Settings, turn int) string {
	switch {
	case !s.PublicDice():
		return ""
	case turn == 0:
		return "public, each turn's from a round of a beacon that does not exist yet when its orders are closed"
	case len(b) == 0: // it has none
		return ""
	}
	if last := b[len(b)-1]; !own(last) {
		return fmt.Sprintf("public, round %d of the beacon %s", last.Round, last.Chain)
	}
	return "the host's own, since no beacon was available"
}

// errNotWanted is returned for a beacon that a game does not wait for.
var errNotWanted = errors.New("this is not the round of the beacon that the game is waiting for")

// Bring stores the beacon round that a closed stage waits for, after verifying its signature. It does not matter who
// supplies it.
func Bring(g *vault.Game, at vault.Stage, b beacon.Beacon) error {
	if g.DueStage() != at { // it has been played meanwhile
		return nil
	}
	if err := Wanted(g, b); err != nil {
		return err
	}
	data, err := b.Encode()
	if err != nil {
		return err
	}
	return vault.PutBeacon(g, data)
}

// Wanted checks that a game waits for a beacon, and that the beacon is valid.
func Wanted(g *vault.Game, b beacon.Beacon) error {
	closing, err := vault.ClosingOf(g)
	if err != nil {
		return err
	}
	chain, err := ChainOf(g)
	switch {
	case err != nil:
		return err
	case closing == nil:
		return fmt.Errorf("%w: the orders are still open", errNotWanted)
	case b.Round != closing.CloseData.Round:
		return fmt.Errorf("%w: round %d of %s is, and this is round %d", errNotWanted, closing.CloseData.Round, chain.Hash, b.Round)
	}
	return chain.Verify(b, b.Round)
}
