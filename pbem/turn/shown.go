package turn

import (
	"slices"

	"starpost/engine"
)

// Plain is of which ships a captain may be told whether their orders are in: his own,
// and those that he sees now. Of one that is hidden from him he is not to learn so
// whether it is still there.
type Plain struct {
	ships map[string]bool
	all   bool
}

// Plain looks at the battle as the captain of this name sees it. A name that is no
// captain's sees nothing.
func (p *Position) Plain(captain string) (Plain, error) {
	out := Plain{ships: map[string]bool{}, all: true}
	captains := p.state.Captains()
	i := slices.IndexFunc(captains, func(c engine.Captain) bool { return c.Name == captain })
	if i < 0 {
		return Plain{}, nil
	}
	v, err := p.stand(flagship(p.state, captains[i].Ships))
	if err != nil {
		return Plain{}, err
	}
	for _, s := range v.Ships {
		out.ships[s.ID] = s.Own || s.Sight == engine.Seen
	}
	for _, s := range p.state.Ships {
		out.all = out.all && (out.ships[s.ID] || s.Status == engine.Waiting || s.Small())
	}
	return out, nil
}

// All tells whether no ship that has come is hidden from the captain.
func (p Plain) All() bool { return p.all }

// Only leaves out the ships of which he is told nothing.
func (p Plain) Only(ships []ShipState) []ShipState {
	return slices.DeleteFunc(slices.Clone(ships), func(s ShipState) bool { return !p.ships[s.ID] })
}
