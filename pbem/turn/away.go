package turn

import (
	"strings"

	"starpost/engine"
	"starpost/pbem/clock"
)

// absences are those of the captains who command a ship in the turn to come:
// one that fights, or that arrives.
func (p *publisher) absences() []clock.Absence {
	var out []clock.Absence
	for _, a := range p.away {
		for _, s := range p.state.Ships {
			if strings.EqualFold(s.Captain, a.Captain) && (s.Status == engine.Active || s.Status == engine.Waiting) {
				out = append(out, clock.Absence{From: a.From, To: a.To})
				break
			}
		}
	}
	return out
}
