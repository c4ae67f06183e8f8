package turn

import (
	"fmt"

	"starpost/engine"
	"starpost/pbem/fault"
	"starpost/pbem/vault"
)

// playedHere asserts that the program's version of the rules played the turn that
// a game is the outcome of.
func playedHere(g *vault.Game, after *engine.Game) error {
	is := g.Rules().Version
	if after.Version == is {
		return nil
	}
	way := fmt.Sprintf("a starpost that has version %s can", after.Version)
	if after.Turn > 0 {
		way += fmt.Sprintf("; to have turn %d played by version %s instead, take it back: rollback %d --why TEXT", after.Turn, is, after.Turn-1)
	}
	return fault.New(way, "turn %d of %s was played by version %s of rule set %s, and this program has version %s: it cannot resolve the turn again",
		after.Turn, g.ID(), after.Version, after.Rules, is)
}
