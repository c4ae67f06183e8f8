package turn

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/pbem/vault/journal"
)

// Known reports whether a captain may know of another. A captain whose ships have all yet to arrive
// is known only to their own side, and so is everyone in a blind game.
func Known(state *engine.Game, to, of engine.CaptainName) bool {
	if !KnownToOwnSide(state, of) {
		return true
	}
	sides := map[string]bool{}
	for _, s := range state.Ships {
		if len(s.MannedBy(of)) > 0 {
			sides[s.Side] = true
		}
	}
	return slices.ContainsFunc(state.Ships, func(s *engine.Ship) bool { return sides[s.Side] && len(s.MannedBy(to)) > 0 })
}

// KnownToOwnSide reports whether no captain of another side may know of a captain.
func KnownToOwnSide(state *engine.Game, of engine.CaptainName) bool {
	return InTheDark(state) || !slices.ContainsFunc(state.Ships, func(s *engine.Ship) bool { return s.Status != engine.Waiting && len(s.MannedBy(of)) > 0 })
}

// InTheDark reports whether captains may not know who else plays.
func InTheDark(state *engine.Game) bool { return state.Blind != nil && state.Result == nil }

// playingReferees tells a captain which referees play in the game, and what they looked at while
// the turn was due.
func (p *turnWriter) playingReferees(captain engine.CaptainName) ([]string, error) {
	var out []string
	for _, r := range p.settings.Referees {
		switch {
		case r.Plays == "":
		case r.Plays == captain:
			out = append(out, fmt.Sprintf("You are a referee of this game, as %s; all captains are told so.", r.Name))
		case Known(p.state, captain, r.Plays):
			out = append(out, fmt.Sprintf("The referee %s plays in this game too, as captain %s.", r.Name, r.Plays))
		default:
			out = append(out, fmt.Sprintf("The referee %s plays in this game too.", r.Name))
		}
	}
	if len(out) == 0 {
		return out, nil
	}
	// A game must be used by one goroutine only, and several write reports.
	p.looking.Do(func() { p.looks, p.lookErr = p.lookedAt() })
	return append(out, p.looks...), p.lookErr
}

// lookedAt says what playing referees looked at while the turn was due.
func (p *turnWriter) lookedAt() (out []string, err error) {
	if p.game == nil {
		return nil, nil
	}
	entries, err := p.game.Journal.Entries()
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Kind != journal.Looked || e.Turn != p.state.Turn {
			continue
		}
		d := journal.DataOf[journal.LookedData](e)
		out = append(out, fmt.Sprintf("The referee %s, who also plays, has used a command that may show facts hidden from that side: %s, turn %d.", e.By, d.What, d.At))
	}
	return out, nil
}
