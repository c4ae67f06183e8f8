package turn

import (
	"slices"
	"time"

	"starpost/engine"
	"starpost/pbem/clock"
	"starpost/pbem/vault"
)

// Away tells which of the ships have a captain who is away now, and until when,
// in words; nil for none.
func Away(g *vault.Game, ships []ShipState, now time.Time) (map[engine.Seat]string, error) {
	st, err := g.AdminState()
	if err != nil || len(st.Away) == 0 {
		return nil, err
	}
	var out map[engine.Seat]string
	for _, s := range ships {
		until, away := st.AwayAt(s.Captain, now)
		if !away {
			continue
		}
		if out == nil {
			out = map[engine.Seat]string{}
		}
		// The last whole day of it: an absence ends when the next day begins.
		out[s.Seat] = until.Add(-time.Second).In(g.Zone()).Format("Mon 2 Jan 2006")
	}
	return out, nil
}

// NamesAway are the names of ships, with until when their captains are away as Away tells it.
func NamesAway(ships []ShipState, away map[engine.Seat]string) []string {
	var out []string
	for _, s := range ships {
		name := s.Name
		if until := away[s.Seat]; until != "" {
			name += " (away until " + until + ")"
		}
		out = append(out, name)
	}
	return out
}

// absences are those of the captains who command a ship in the turn to come:
// one that fights, or that arrives.
func (p *turnWriter) absences() []clock.Absence {
	var out []clock.Absence
	for _, a := range p.away {
		if a.Confirmed {
			continue // his stand-in needs no more time
		}
		for _, c := range p.state.Captains() {
			if c.Name.Is(a.Captain) && slices.ContainsFunc(c.Ships, func(id engine.ShipID) bool {
				s, _ := p.state.Ship(id)
				return s.Status == engine.Active || s.Status == engine.Waiting
			}) {
				out = append(out, clock.Absence{From: a.From, To: a.To})
				break
			}
		}
	}
	return out
}
