// Package publicdice is what the files of a game with public dice say: which rounds of a beacon its turns have their
// dice from, and what was closed before those rounds were there. Package turn closes and plays, and package proof holds
// one against the other.
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

// ChainOf is the chain of a game's beacon. The error tells that [beacon] is not what the game was made with.
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

// Inputs are what a stage is played with, as far as captains and policies have a say in it.
type Inputs struct {
	Texts   []vault.File                   // the order sets of all rounds, by name
	Missing map[engine.Seat]string         // as a manifest has it
	Silent  map[int]map[engine.Seat]string // likewise
}

// Sum is the hash of all that a stage is played with, as the journal has it from the time when its orders were closed.
// The recipe stands in docs/reference/formats.md.
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

// Beacons are what the dice of each round of a turn come from, in their order; none in place of one for the host's own.
// Without any all dice of the turn are the host's own.
type Beacons []beacon.Beacon

// ownDice stands in the file of a beacon for a round that has the host's own dice, since none could be had.
const ownDice = "{\"own\":true}\n"

// IsOwn tells what stands in the file of a beacon for a round that has the host's own dice.
func IsOwn(data []byte) bool { return string(data) == ownDice }

// And adds what the dice of one more round come from.
func (b Beacons) And(next beacon.Beacon) Beacons { return append(slices.Clip(b), next) }

// own tells a round that has the host's own dice.
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

// Files are the files of a stage that Read reads.
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

// NameOf is the file of a stage that has the beacon of a round of its turn, counted from 1: "beacon.json",
// "beacon.p2.json".
func NameOf(round int) string {
	if round < 2 {
		return beacon.File
	}
	return fmt.Sprintf("beacon.p%d.json", round)
}

// RoundOf is the round of a turn whose beacon a file has; 0 for another file.
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

// Dice is what the engine needs of them.
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

// Words say where the dice of a turn of a game come from, for reports; "" for the host's own in a game that has no
// other.
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

// errNotWanted is for a beacon that a game does not wait for.
var errNotWanted = errors.New("this is not the round of the beacon that the game is waiting for")

// Bring keeps the round of the beacon that a closed stage waits for, once its signature is found to hold. It does not
// matter who brings it.
func Bring(g *vault.Game, at vault.Stage, b beacon.Beacon) error {
	if g.DueStage() != at { // it was played meanwhile
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

// Wanted checks that a game waits for a beacon, and that the beacon holds.
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
