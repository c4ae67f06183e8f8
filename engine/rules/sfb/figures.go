package sfb

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
)

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func points(n int) string { return counted(n, "point", "points") }

func hexes(n int) string { return counted(n, "hex", "hexes") }

// counted is a number of things in words.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func lossWords(banks []string) string {
	if len(banks) == 0 {
		return "nothing more"
	}
	return "a box of " + strings.Join(banks, " and of ")
}

// where is where a ship is, in words.
func where(s *engine.ShipView) string {
	if s.Hex == nil {
		return "not on the map"
	}
	return fmt.Sprintf("at %s heading %s", s.Hex.Label(), *s.Heading)
}

func cloakWords(on bool) string {
	if on {
		return "she is cloaked"
	}
	return "she is not cloaked"
}

// payers are sources in their order.
func payers(from []string) string { return "the " + strings.Join(from, ", then the ") }

// purseWords tell what energy is set aside for, in the order of the words.
func purseWords(purse map[string]int) (out []string) {
	for what, n := range purse {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d set aside for %s", n, what))
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Compare(a[1:], b[1:]) })
	return out
}
