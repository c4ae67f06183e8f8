package engine

import (
	"fmt"
	"slices"
)

// Score adds points to a side; quietly, when not everyone may know of it. Known are
// then the ids of the ships whose captains do.
type Score struct {
	Side   string   `json:"side" see:"all"`
	Points int      `json:"points" see:"all"`
	Why    string   `json:"why" see:"all"`
	Quiet  bool     `json:"quiet,omitempty"`
	Known  []ShipID `json:"known,omitempty"`
}

// Type implements Body.
func (*Score) Type() string { return "score" }

// Apply implements Body.
func (b *Score) Apply(g *Game) error {
	s, ok := g.Side(b.Side)
	if !ok {
		return fmt.Errorf("no side %q", b.Side)
	}
	if !b.Quiet {
		s.Points += b.Points
		return nil
	}
	s.Quiet += b.Points
	for _, id := range b.Known {
		i := slices.IndexFunc(g.Heard, func(h heardPoints) bool { return h.Side == b.Side && h.Ship == id })
		if i < 0 {
			i = len(g.Heard)
			g.Heard = append(g.Heard, heardPoints{Side: b.Side, Ship: id})
		}
		g.Heard[i].Points += b.Points
	}
	return nil
}

// heardPoints are how many of a side's quiet points the captain of a ship knows of.
type heardPoints struct {
	Side   string `json:"side"`
	Ship   ShipID `json:"ship"`
	Points int    `json:"points"`
}

// Score gives points to a side. Those who see why are told the points alike,
// the viewers who do not see it: none may learn who else does not.
func (t *Turn) Score(side string, points int, why string, see See, rule string) {
	b := &Score{Side: side, Points: points, Why: why}
	if !see.Open() {
		b.Quiet = true
		for _, c := range t.Game.Captains() {
			if see.To(c.Ships) && t.knowsSide(c, side) {
				b.Known = append(b.Known, c.Ships...)
			}
		}
		slices.Sort(b.Known)
		see = SeeAmong(b.Known...)
	}
	t.Emit(b, see, rule)
}

// knowsSide tells whether a captain knows that a side is in the battle: in a game in the
// dark only his own, and those that he has met.
func (t *Turn) knowsSide(c Captain, side string) bool {
	if t.Game.Blind == nil {
		return true
	}
	log := t.Game.Blind.Log(c.Name)
	return log != nil && slices.Contains(log.Met, side) || slices.ContainsFunc(c.Ships, func(id ShipID) bool {
		s, ok := t.Game.Ship(id)
		return ok && s.Side == side
	})
}

// heard is a side as a captain of some ships knows it: with the points that he knows
// of, and without the rest.
func (g *Game) heard(s Side, ships []ShipID) Side {
	for _, id := range ships {
		i := slices.IndexFunc(g.Heard, func(h heardPoints) bool { return h.Side == s.ID && h.Ship == id })
		if i >= 0 {
			s.Points += g.Heard[i].Points // all ships of a captain know the same
			break
		}
	}
	s.Quiet = 0
	return s
}
