package engine

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine/hex"
)

// word sets the rule set that words the view's sentences.
func (v *View) word(r *Rules) { v.rules = r }

// RuleSet returns the rule set that words the view's sentences; an empty one if there is none.
func (v *View) RuleSet() *Rules {
	if v.rules == nil {
		return new(Rules)
	}
	return v.rules
}

// DueRound returns the round of the turn Due that orders are due for, from 1; 0 in a game with turns played at
// once.
func (v *View) DueRound() int {
	if v.Due == 0 || v.Round == 0 && v.Rounds == 0 {
		return 0
	}
	return v.Round + 1
}

func (v *View) measure() {
	f, ok := v.Ship(v.Viewer.Focus)
	if !ok || f.Hex == nil {
		return
	}
	for _, s := range v.Ships {
		if s == f || s.Hex == nil {
			continue
		}
		s.Range = hex.Distance(*f.Hex, *s.Hex)
		if b, ok := hex.Bearing(*f.Hex, *s.Hex); ok {
			s.Bearing = b.Relative(*f.Heading).String()
		}
	}
}

// Ship finds a ship of the view by id.
func (v *View) Ship(id ShipID) (*ShipView, bool) {
	for _, s := range v.Ships {
		if s.ID == id {
			return s, true
		}
	}
	return nil, false
}

// Nearest returns the nearest enemy ship that is in sight, in the fight and not known to be a decoy; of equally
// near ones the first by id. It returns nil if there is none.
func (v *View) Nearest(s *ShipView) (best *ShipView) {
	if s.Hex == nil {
		return nil
	}
	for _, o := range v.Ships {
		if o.Side == s.Side || o.Kind != KindShip || o.Status != Active || o.Hex == nil || o.Sight != Seen {
			continue
		}
		if best == nil || hex.Distance(*s.Hex, *o.Hex) < hex.Distance(*s.Hex, *best.Hex) {
			best = o
		}
	}
	return best
}

// From returns the view as it is for the orders of another of the viewer's seats.
func (v *View) From(seat Seat) *View {
	if v.Viewer.Post == seat.Post {
		return v
	}
	other := *v
	other.Viewer.Post = seat.Post
	return &other
}

// Settled returns how things are for the holder of another of the viewer's seats, with its ship in the focus and
// without the events of the turn.
func (v *View) Settled(seat Seat) (*View, error) {
	if _, ok := v.Ship(seat.Ship); !ok {
		return nil, fmt.Errorf("view of %s: no ship %q", v.Game, seat.Ship)
	}
	other := *v
	other.Viewer.Focus, other.Viewer.Post, other.Events = seat.Ship, seat.Post, nil
	other.Ships = make([]*ShipView, len(v.Ships))
	ships := make([]ShipView, len(v.Ships))
	for i, s := range v.Ships {
		ships[i] = *s
		ships[i].Trail, ships[i].Range, ships[i].Bearing = nil, 0, ""
		other.Ships[i] = &ships[i]
	}
	other.measure()
	return &other, nil
}

// GoalsPanel returns a panel with how the battle is won and the points of each side.
func (v *View) GoalsPanel() Panel {
	p := Panel{Key: "goals", Title: "How the battle is won", Notes: slices.Clone(v.Goals)}
	var points strings.Builder
	points.WriteString("points:")
	for i, s := range v.Sides {
		if i > 0 {
			points.WriteString(",")
		}
		fmt.Fprintf(&points, " %s %d", s.Name, s.Points)
	}
	p.Notes = append(p.Notes, points.String())
	return p
}

// WayOut returns the map edge that a goal of its side wants a ship to leave by, if there is such a goal. A decoy
// goes where others of its side do.
func (v *View) WayOut(ship ShipID) (edge string, ok bool) {
	s, ok := v.Ship(ship)
	if !ok {
		return "", false
	}
	for _, g := range v.Aims {
		out := g.When == GoalExit || g.When == GoalFile && slices.Contains(s.Files, g.File)
		if out && g.Side == s.Side && (len(g.Ships) == 0 || slices.Contains(g.Ships, s.ID) || s.Kind == KindDecoy) {
			return g.Edge, true
		}
	}
	return "", false
}

// GoalsOf returns the goals of a side, as far as the viewer knows them.
func (v *View) GoalsOf(side string) []Goal {
	var out []Goal
	for _, g := range v.Aims {
		if g.Side == side {
			g.Ships = slices.Clone(g.Ships)
			out = append(out, g)
		}
	}
	return out
}

// Needs reports whether a goal of a ship's own side is about her: to leave by an edge, to take a file there, or to
// stay in the fight.
func (v *View) Needs(s *ShipView) bool {
	return slices.ContainsFunc(v.Aims, func(g Goal) bool {
		return g.OfOwn() && g.Side == s.Side && (len(g.Ships) == 0 || slices.Contains(g.Ships, s.ID))
	})
}

// Name returns the name of a ship, or "something unseen" for one that is not in the view.
func (v *View) Name(id ShipID) string {
	if s, ok := v.Ship(id); ok {
		return s.Name
	}
	if v.Dark && id != "" { // reported to the viewer by that id: a contact, or a small craft found and lost in one turn
		return string(id)
	}
	return "something unseen"
}

// seatName is Name for a post on a ship, "" for her captain: "the engineer of Hood".
func (v *View) seatName(ship ShipID, post string) string {
	if post == "" {
		return v.Name(ship)
	}
	return "the " + post + " of " + v.Name(ship)
}

// OfOwnSide reports whether a ship is on the side of one of the viewer's ships.
func (v *View) OfOwnSide(id ShipID) bool {
	s, ok := v.Ship(id)
	return ok && slices.ContainsFunc(v.Ships, func(own *ShipView) bool { return own.Own && own.Side == s.Side })
}

// SideName returns the name of a side.
func (v *View) SideName(id string) string {
	for _, s := range v.Sides {
		if s.ID == id {
			return s.Name
		}
	}
	return id
}
