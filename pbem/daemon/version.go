package daemon

import (
	"context"
	"fmt"

	"starpost/pbem/turn"
)

// tellRulesChange tells referees and captains, once, that a game waits until its referee has
// it go on by the program's version of the rules.
func (d *teller) tellRulesChange(ctx context.Context, g *game, st *turnStatus) error {
	w := st.timing.Waits
	what := "rules-" + w.Is
	reason := fmt.Sprintf("The game is played by version %s of rule set %s, and this program has version %s. No turn is played, and the clock stands.", w.Was, w.Rules, w.Is)
	way := fmt.Sprintf("To go on by version %s, from turn %d on: #rules %s --why REASON\nThe captains are told then. Or go on with a starpost that has version %s.", w.Is, w.Due, w.Is, w.Was)
	return d.once(ctx, g, w.Due, eventRules, w.Is, w.Was, func() error {
		if err := d.mailTrouble(ctx, g, w.Due, what, reason, way); err != nil {
			return err
		}
		for _, c := range g.vault.Settings().Captains {
			if c.Address == "" {
				continue
			}
			if err := d.tellCaptain(ctx, g, g.vault.Turn(), what, c, st.due()+": the game waits for its referee", turn.WaitsWords(w)); err != nil {
				return err
			}
		}
		d.log.Warn("game waits for its referee to accept another rules version", "game", g.vault.ID(), "turn", w.Due, "reason", reason)
		d.emit(Event{Kind: Trouble, Game: g.vault.ID(), Turn: w.Due, Detail: reason})
		return nil
	})
}
