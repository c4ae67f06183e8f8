package campaign

import (
	"slices"
	"strings"

	"starpost/engine"
)

// FinishedGame is a game that is over, as the roster is told of it.
type FinishedGame struct {
	ID, Hash, Title, Result string
	Turns                   int
	Ships                   []engine.Served
}

// FateRuling is a referee's word on a captain whose ship did not come back, before which
// the rule stands: lost with a lost ship, a prisoner with one that is taken.
type FateRuling struct{ Rescued, Lost []string } // ships' names

// Record enters a game: points to captains and crews of the ships that are in the
// roster, and what became of both. Ships that are not in it are passed over; one at
// least must be. By turns points into ratings. Again tells that the game stands there
// already and nothing was changed.
func (r *Roster) Record(p FinishedGame, o FateRuling, by *engine.CampaignRules) (entered Game, again bool, err error) {
	for _, g := range r.Games {
		switch {
		case g.ID == p.ID && g.Hash == p.Hash:
			return g, true, nil
		case g.ID == p.ID:
			return Game{}, false, fail("make games with names of their own: starpost new --id", "another game called %s is in %s already", p.ID, r.Name)
		case g.Hash == p.Hash:
			return Game{}, false, fail("a game counts once", "this game is in %s already, as %s", r.Name, g.ID)
		}
	}
	n := r.clone()
	g := Game{ID: p.ID, Hash: p.Hash, Title: p.Title, Turns: p.Turns, Result: p.Result}
	for _, s := range p.Ships {
		ship := n.Ship(s.Name)
		if ship == nil {
			continue
		}
		if ship.Status != InService {
			return Game{}, false, fail("a ship that is gone cannot have fought again", "%s is %s", ship.Name, ship.Status)
		}
		if ship.Class != s.Class {
			return Game{}, false, fail("make scenarios with: starpost campaign muster", "%s is a %s in the game and a %s in %s", ship.Name, s.Class, ship.Class, r.Name)
		}
		g.Ships = append(g.Ships, n.served(ship, s, o, by))
	}
	if len(g.Ships) == 0 {
		return Game{}, false, fail("enter them first: starpost campaign enter", "no ship of game %s is in %s", p.ID, r.Name)
	}
	if err := o.fits(g); err != nil {
		return Game{}, false, err
	}
	n.Games = append(n.Games, g)
	if err := n.check(); err != nil {
		return Game{}, false, err
	}
	*r = n
	return g, false, nil
}

// served gives a ship and her captain what they have earned, and their fate.
func (r *Roster) served(ship *Ship, s engine.Served, o FateRuling, by *engine.CampaignRules) ServiceRecord {
	out := ServiceRecord{Name: ship.Name, Points: s.Points, Fate: string(s.Fate), Against: strings.Join(s.Against, ", ")}
	c := r.Commander(ship.Name)
	his, theirs := by.Divide(s.Points, r.PointShare(c))
	ship.Efficiency, ship.Points, ship.Status = by.Grow(ship.Efficiency, theirs), ship.Points+theirs, string(s.Fate)
	out.Crew = ship.Efficiency
	if c == nil {
		return out
	}
	c.Skill, c.Points = by.Grow(c.Skill, his), c.Points+his
	out.Captain, out.Skill = c.Name, c.Skill
	named := func(list []string) bool {
		return slices.ContainsFunc(list, func(n string) bool { return strings.EqualFold(n, ship.Name) })
	}
	if s.Fate == engine.FateKept {
		return out
	}
	c.Ship = ""
	switch {
	case named(o.Rescued):
		out.Rescued = true
	case named(o.Lost), s.Fate == engine.FateLost:
		c.Status = Dead
	default:
		c.Status = Prisoner
	}
	return out
}

// fits tells whether an order is about ships that are gone.
func (o FateRuling) fits(g Game) error {
	for _, name := range slices.Concat(o.Rescued, o.Lost) {
		i := slices.IndexFunc(g.Ships, func(s ServiceRecord) bool { return strings.EqualFold(s.Name, name) })
		if i < 0 {
			return fail("", "no ship %s of the roster was in game %s", name, g.ID)
		}
		if s := g.Ships[i]; s.Fate == InService || s.Captain == "" {
			return fail("", "no captain of %s can be rescued or lost: she came back, or had no captain", s.Name)
		}
	}
	for _, name := range o.Rescued {
		if slices.ContainsFunc(o.Lost, func(n string) bool { return strings.EqualFold(n, name) }) {
			return fail("", "the captain of %s cannot be both rescued and lost", name)
		}
	}
	return nil
}
