package turn

import (
	"fmt"

	"starpost/engine"
	"starpost/pbem/vault"
)

// OldTurnError refuses to resolve a turn again that an earlier version of the rule
// set played: it would not come out the same.
type OldTurnError struct {
	Game, Dir string
	Turn      int
	Rules     string
	Was, Is   string // the version that played it, and the program's
}

// Error names the turn and both versions.
func (e *OldTurnError) Error() string {
	return fmt.Sprintf("turn %d of %s was played by version %s of rule set %s, and this program has version %s: it cannot resolve the turn again", e.Turn, e.Game, e.Was, e.Rules, e.Is)
}

// Hint is the way out.
func (e *OldTurnError) Hint() string {
	way := fmt.Sprintf("a starpost that has version %s can", e.Was)
	if e.Turn > 0 {
		way += fmt.Sprintf("; to have turn %d played by version %s instead, take it back: rollback %d --why TEXT", e.Turn, e.Is, e.Turn-1)
	}
	return way
}

// playedHere asserts that the program's version of the rules played the turn that
// a game is the outcome of.
func playedHere(g *vault.Game, after *engine.Game) error {
	if is := g.Rules().Version; after.Version != is {
		return &OldTurnError{Game: g.ID(), Dir: g.Dir(), Turn: after.Turn, Rules: after.Rules, Was: after.Version, Is: is}
	}
	return nil
}
