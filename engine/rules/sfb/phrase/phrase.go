// Package phrase turns figures of the game into words, and lists terms that newcomers use.
package phrase

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
)

// Points returns a number of points in words.
func Points(n int) string { return Counted(n, "point", "points") }

// Hexes returns a number of hexes in words.
func Hexes(n int) string { return Counted(n, "hex", "hexes") }

// Counted returns a number of things in words.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Losses names the banks that lost boxes.
func Losses(banks []string) string {
	if len(banks) == 0 {
		return "nothing more"
	}
	return "a box of " + strings.Join(banks, " and of ")
}

// Where says where a ship is.
func Where(s *engine.ShipView) string {
	if s.Hex == nil {
		return "not on the map"
	}
	return fmt.Sprintf("at %s heading %s", s.Hex.Label(), *s.Heading)
}

// Cloak says whether a ship is cloaked.
func Cloak(on bool) string {
	if on {
		return "she is cloaked"
	}
	return "she is not cloaked"
}

// Payers lists energy sources in order.
func Payers(from []string) string { return "the " + strings.Join(from, ", then the ") }

// Purse says how much energy is set aside for what, sorted by purpose.
func Purse(purse map[string]int) (out []string) {
	for what, n := range purse {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d set aside for %s", n, what))
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Compare(a[1:], b[1:]) })
	return out
}

// Meant maps words that newcomers write to the words of the language.
func Meant() map[string][]string {
	return map[string][]string{
		"attack": {"fire"}, "shoot": {"fire"}, "target": {"fire", "nearest"}, "chase": {"pursue"}, "follow": {"pursue"}, "close": {"pursue"},
		"run": {"flee", "disengage"}, "retreat": {"flee", "disengage"}, "withdraw": {"disengage"}, "leave": {"disengage"}, "escape": {"disengage"},
		"goto": {"course"}, "navigate": {"course"}, "steer": {"course"}, "movement": {"speed", "move"}, "engines": {"speed"}, "thrust": {"speed"},
		"energy": {"power"}, "allocate": {"power"}, "allocation": {"power"}, "shields": {"reinforce"}, "shield": {"reinforce"},
		"charge": {"arm", "phasers"}, "load": {"arm"}, "capacitors": {"phasers"}, "capacitor": {"phasers"}, "keep": {"hold"},
		"strike": {"surrender"}, "yield": {"surrender"}, "capitulate": {"surrender"}, "hide": {"cloak"}, "fix": {"repair"}, "mend": {"repair"}, "impulse": {"phase", "on"}, "round": {"phase"}, "missile": {"launch"}, "drone": {"launch"},
		"say": {"message"}, "tell": {"message"}, "send": {"message"}, "hail": {"message"}, "done": {"final"}, "ready": {"final"},
		"left": {"move L", "L"}, "port": {"move L", "L"}, "right": {"move R", "R"}, "starboard": {"move R", "R"}, "ahead": {"move F", "F"},
		"forward": {"move F", "F"}, "straight": {"move F", "F"}, "turn": {"move L", "L", "R"}, "if": {"when"}, "unless": {"when not"},
		"distance": {"range"}, "hexes": {"range"}, "hurt": {"damaged"}, "against": {"at"}, "everything": {"all"}, "beams": {"phasers"},
		"torpedoes": {"heavy"}, "photons": {"photon"}, "disruptors": {"disruptor"}, "enemy": {"nearest"}, "closest": {"nearest"}, "foe": {"nearest"},
	}
}
