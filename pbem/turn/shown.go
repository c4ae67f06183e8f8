package turn

import (
	"slices"
	"strings"

	"starpost/engine"
)

// Shown is the set of ships for which a captain may be told whether their orders are in: the captain's own, and those
// that the captain sees now. Hidden ships are omitted, so that absence reveals nothing.
type Shown struct {
	ships map[engine.ShipID]bool
	all   bool
}

// Shown returns the set for the captain with this name; an empty set if there is none.
func (p *Position) Shown(captain engine.CaptainName) (Shown, error) {
	dark := InTheDark(p.state)
	out := Shown{ships: map[engine.ShipID]bool{}, all: !dark}
	c, _, ok := captainNamed(p.state, captain)
	if !ok {
		return Shown{}, nil
	}
	v, err := p.settledView(Flagship(p.state, c))
	if err != nil {
		return Shown{}, err
	}
	for _, s := range v.Ships {
		out.ships[s.ID] = s.Own || s.Sight == engine.Seen && !dark
	}
	for _, s := range p.state.Ships {
		out.all = out.all && (out.ships[s.ID] || s.Status == engine.Waiting || s.Small())
	}
	return out, nil
}

// All reports whether no ship that has arrived is hidden from the captain.
func (p Shown) All() bool { return p.all }

// Only removes the ships of which the captain is told nothing.
func (p Shown) Only(ships []ShipState) []ShipState {
	return slices.DeleteFunc(slices.Clone(ships), func(s ShipState) bool { return !p.ships[s.Seat.Ship] })
}

// KnownShip finds a ship by its name as a captain knows her, nil for an unknown one, and returns the names of all
// ships that the captain knows.
func KnownShip(p *Position, captain engine.CaptainName, name string) (found *engine.ShipView, names []string, err error) {
	for _, s := range p.state.Ships {
		seat, posts := engine.Seat{Ship: s.ID}, s.MannedBy(captain)
		if len(posts) == 0 {
			continue
		}
		if posts[0] != "" {
			seat.Post = posts[len(posts)-1] // any will do, but always the same
		}
		v, err := p.View(seat)
		if err != nil {
			return nil, nil, err
		}
		for _, o := range v.Ships {
			if o.Kind.Small() {
				continue
			}
			if strings.EqualFold(o.Name, name) || strings.EqualFold(string(o.ID), name) {
				found = o
			}
			if !slices.Contains(names, o.Name) {
				names = append(names, o.Name)
			}
		}
	}
	return found, names, nil
}
