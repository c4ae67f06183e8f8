package turn

import (
	"path"
	"slices"

	"starpost/engine"
	"starpost/pbem/vault"
)

// agreed lists the captains who voted for a draw, sorted, if they are all whose
// word counts, of two sides at least: who still has a ship in the game, or one to come, and is no
// robot. Else it is nil. One side has no one to agree with (D63).
func (p *Position) agreed(votes map[engine.CaptainName]string) []engine.CaptainName {
	if len(votes) == 0 {
		return nil
	}
	var all []engine.CaptainName
	var sides []string
	for _, s := range p.state.Ships {
		c, ok := p.settings.CaptainOf(s.Name)
		switch {
		case s.Small(), s.Status != engine.Active && s.Status != engine.Waiting:
		case !ok || c.Address == "": // played by a robot, or vacant
		case slices.Contains(all, c.Name):
		case votes[c.Name] != vault.VoteDraw:
			return nil
		default:
			all = append(all, c.Name)
		}
		if ok && c.Address != "" && slices.Contains(all, c.Name) && !slices.Contains(sides, s.Side) {
			sides = append(sides, s.Side)
		}
	}
	if len(sides) < 2 {
		return nil
	}
	slices.Sort(all)
	return all
}

// draw is what the game is ended with as its captains agreed, instead of a turn. The
// sets in orders/ are done with.
func (p *Position) draw(ready Readiness) (inputs, error) {
	in := inputs{taken: map[string]string{}, draw: ready.Draw}
	files, err := p.vault.Orders(ready.Due)
	for _, f := range files {
		if !f.TooLarge && !f.Ahead {
			in.taken[path.Base(f.File)] = vault.Hash(f.Text)
		}
	}
	return in, err
}
