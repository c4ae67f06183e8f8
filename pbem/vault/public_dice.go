package vault

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"starpost/engine/bounded"
	"starpost/orders"
	"starpost/pbem/beacon"
	"starpost/pbem/clock"
)

// The source of a game's dice, as in game.toml.
const (
	DiceOwn    = "own"    // the host's secret, and the captains' words for luck
	DiceBeacon = "beacon" // also a round of a public beacon that does not exist yet when orders are closed
)

// What to do without a beacon, as in game.toml.
const (
	ElseHold = "hold" // the turn waits
	ElseOwn  = "own"  // it uses the host's own dice, and says so
)

// Default times of a game with public dice.
const (
	defaultWait  = clock.Span(time.Minute)
	defaultAfter = clock.Day
)

// PublicDice reports whether the game's dice come from a beacon.
func (s Settings) PublicDice() bool { return s.Dice == DiceBeacon }

// BeaconWait returns the effective Wait.
func (b BeaconSettings) BeaconWait() time.Duration {
	if b.Wait == 0 {
		return defaultWait.Duration()
	}
	return b.Wait.Duration()
}

// OwnAfter returns how long to wait for a beacon after its time before using the host's own dice; 0 means
// forever.
func (b BeaconSettings) OwnAfter() time.Duration {
	switch {
	case b.Else != ElseOwn:
		return 0
	case b.After == 0:
		return defaultAfter.Duration()
	}
	return b.After.Duration()
}

// Set sets a key of [beacon] from text on a command line.
func (b *BeaconSettings) Set(key, value string) error {
	keys := bounded.AllKeys(*b)
	if !slices.Contains(keys, key) {
		return &Error{Path: "[beacon]", Problem: fmt.Sprintf("unknown key %q", key), Way: orders.DidYouMean("%q", key, keys, "one of: "+strings.Join(keys, ", ")), Err: ErrSettings}
	}
	for _, form := range []string{value, strconv.Quote(value)} {
		changed := *b
		if md, err := bounded.Decode(key+" = "+form+"\n", maxOption, &changed); err == nil && len(md.Undecoded()) == 0 && len(md.Keys()) == 1 {
			*b = changed
			return nil
		}
	}
	return &Error{Path: "[beacon]", Problem: fmt.Sprintf("%s cannot be %q", key, value), Way: "write it as in game.toml; for an example see docs/reference/formats.md", Err: ErrSettings}
}

// diceWrong returns the first mistake in the settings about dice; see Settings.wrong.
func (s Settings) diceWrong() (problem, key, way string) {
	b := s.Beacon
	switch {
	case !slices.Contains([]string{"", DiceOwn, DiceBeacon}, s.Dice):
		return fmt.Sprintf("dice = %q is not known", s.Dice), "dice", fmt.Sprintf("%q, %q, or leave it out", DiceOwn, DiceBeacon)
	case !s.PublicDice() && b != BeaconSettings{}:
		return "[beacon] is only for games with public dice", "beacon", fmt.Sprintf("leave it out, or set dice = %q", DiceBeacon)
	case !s.PublicDice():
		return "", "", ""
	case !slices.Contains([]string{"", ElseHold, ElseOwn}, b.Else):
		return fmt.Sprintf("else = %q is not known", b.Else), "else", fmt.Sprintf("%q, %q, or leave it out", ElseHold, ElseOwn)
	case b.After != 0 && b.Else != ElseOwn:
		return fmt.Sprintf("else_after is only for else = %q", ElseOwn), "else_after", "leave it out"
	case b.Wait < 0 || b.Wait > clock.Day:
		return fmt.Sprintf("wait = %q is not a valid time between closing and beacon", b.Wait), "wait", `use for example "60s"; at most "1d"`
	case b.After < 0:
		return fmt.Sprintf("else_after = %q is not a valid time to wait for a beacon", b.After), "else_after", `use for example "1d"`
	}
	if _, err := b.BeaconChain(); err != nil {
		return err.Error(), "chain", "leave chain out for drand's quicknet; give chain, key, genesis and period for another"
	}
	return "", "", ""
}

// BeaconChain returns the chain of the game's beacon.
func (b BeaconSettings) BeaconChain() (beacon.Chain, error) {
	if b.Chain == "" || b.Chain == beacon.Quicknet().Hash {
		return beacon.Quicknet(), nil
	}
	c := beacon.Chain{Hash: b.Chain, Key: b.Key, Genesis: b.Genesis, Period: b.Period}
	return c, c.Check()
}
