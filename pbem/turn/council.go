package turn

import (
	"cmp"
	"path/filepath"
	"slices"
	"time"

	"starpost/engine"
	"starpost/pbem/vault"
)

// CouncilDue is until when the orders of those posts are due that the rules want earlier than
// the others, for a deadline; zero where all are due together.
func CouncilDue(r *engine.Rules, s vault.Settings, deadline time.Time) time.Time {
	if s.Mail.Council == 0 || len(r.Council) == 0 || deadline.IsZero() {
		return time.Time{}
	}
	return deadline.Add(-s.Mail.Council.Duration())
}

// InCouncil are those of some seats whose orders are due at the earlier time.
func InCouncil(r *engine.Rules, seats []ShipState) []ShipState {
	return slices.DeleteFunc(slices.Clone(seats), func(s ShipState) bool { return !slices.Contains(r.Council, s.Seat.Post) })
}

// councilWords are the posts of the council for people.
func councilWords(r *engine.Rules) []string {
	var out []string
	for _, post := range r.Council {
		out = append(out, cmp.Or(post, engine.AllPosts))
	}
	return out
}

// councilError refuses a council where no post is due earlier.
func councilError(g *vault.Game) error {
	if g.SharedSettings().Mail.Council == 0 || len(g.Rules().Council) > 0 {
		return nil
	}
	return &vault.Error{
		Path: filepath.Join(g.Dir(), "game.toml"), Problem: "council is set, but in rule set " + g.Rules().Name + " no orders are due before others",
		Way: "leave council out", Err: vault.ErrSettings,
	}
}
