package rulebook

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
)

// Name is a ship as orders may name her.
type Name struct {
	ID                engine.ShipID
	Name, short, Side string
}

// Roster resolves names of ships.
type Roster []Name

// RosterOf returns the roster of a game's ships.
func RosterOf(ships []*engine.Ship) Roster {
	r := make(Roster, len(ships))
	for i, s := range ships {
		r[i] = Name{s.ID, s.Name, s.Short, s.Side}
	}
	return r
}

// RosterOfView returns the roster of a view's ships.
func RosterOfView(ships []*engine.ShipView) Roster {
	if slices.ContainsFunc(ships, func(s *engine.ShipView) bool { return s.Sensed != nil }) {
		return darkRoster(ships)
	}
	r := make(Roster, len(ships))
	for i, s := range ships {
		r[i] = Name{s.ID, s.Name, s.Short, s.Side}
	}
	return r
}

// Find returns the ship that a word names, or a hint.
func (r Roster) Find(word string) (Name, string, bool) {
	for _, n := range r {
		if strings.EqualFold(n.Name, word) || strings.EqualFold(string(n.ID), word) {
			return n, "", true
		}
	}
	for _, n := range r {
		if strings.EqualFold(n.short, word) {
			return n, "", true
		}
	}
	var names []string
	for _, n := range r {
		names = append(names, n.Name)
	}
	if near := orders.Suggest(word, names); near != "" {
		return Name{}, fmt.Sprintf("did you mean %q?", near), false
	}
	if len(names) == 0 {
		return Name{}, "no other ship is in sight", false
	}
	return Name{}, "ships: " + strings.Join(names, ", "), false
}

// darkRoster returns what a captain may name in a game in the dark: the captain's own and
// their side's ships, those identified, and the numbers of contacts.
func darkRoster(ships []*engine.ShipView) Roster {
	var r Roster
	for _, s := range ships {
		r = append(r, Name{s.ID, s.Name, s.Short, s.Side})
		if s.Sensed != nil && s.Sensed.No.Name() != s.ID {
			r = append(r, Name{s.ID, string(s.Sensed.No.Name()), "", s.Side})
		}
	}
	return r
}
