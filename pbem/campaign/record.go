package campaign

import (
	"slices"
	"strings"

	"starpost/engine/family"
)

// FinishedGame is the result of a game for the roster.
type FinishedGame struct {
	ID, Hash, Title, Result string
	Turns                   int
	Crewed                  bool // officers held the posts of the ships
	Ships                   []family.Served
}

// FateRuling is a referee's ruling on the people of a ship that did not come back. Without one,
// they are lost with a lost ship, and prisoners if she is taken.
type FateRuling struct{ Rescued, Lost []string } // ships' names, for everyone aboard, or SHIP/POST

// Record enters a game: points and fates of the captains and crews of ships in the roster. It
// ignores other ships; at least one must be in the roster. by converts points to ratings. again
// reports that the game was entered before and nothing was changed.
func (r *Roster) Record(p FinishedGame, o FateRuling, by *family.CampaignRules) (entered Game, again bool, err error) {
	for _, g := range r.Games {
		switch {
		case g.ID == p.ID && g.Hash == p.Hash:
			return g, true, nil
		case g.ID == p.ID:
			return Game{}, false, fail("give each game its own name: starpost new --id", "another game called %s is already in %s", p.ID, r.Name)
		case g.Hash == p.Hash:
			return Game{}, false, fail("record each game only once", "this game is already in %s, as %s", r.Name, g.ID)
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
			return Game{}, false, fail("check the roster: a ship that is gone cannot have fought again", "%s is %s", ship.Name, ship.Status)
		}
		if ship.Class != s.Class {
			return Game{}, false, fail("create scenarios with: starpost campaign muster", "%s is a %s in the game and a %s in %s", ship.Name, s.Class, ship.Class, r.Name)
		}
		g.Ships = append(g.Ships, n.served(ship, s, p.Crewed, o, by))
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

// served gives a ship, her captain and her officers their points, and their fate.
func (r *Roster) served(ship *Ship, s family.Served, crewed bool, o FateRuling, by *family.CampaignRules) ServiceRecord {
	out := ServiceRecord{Name: ship.Name, Points: s.Points, Fate: string(s.Fate), Against: strings.Join(s.Against, ", ")}
	c, officers := r.Commander(ship.Name), r.Aboard(ship.Name, by.Posts)
	if c != nil {
		officers = slices.DeleteFunc(officers, func(o *Captain) bool { return o == c })
	}
	var his, each, theirs int
	if crewed {
		his, each = by.Equal(s.Points, len(officers))
	} else {
		his, theirs = by.Divide(s.Points, r.PointShare(c))
	}
	ship.Efficiency, ship.Points, ship.Status = by.Grow(ship.Efficiency, theirs), ship.Points+theirs, string(s.Fate)
	out.Crew = ship.Efficiency
	for _, of := range officers {
		if learns := s.Learns[of.Post]; learns != "" {
			of.Learns = learns
		}
		of.Points, of.Spare = of.Points+each, of.Spare+each
		e := OfficerRecord{Name: of.Name, Post: of.Post, Points: each}
		if e.Learnt = of.spend(by); e.Learnt != "" {
			e.Rating = of.Ratings[e.Learnt]
		}
		e.Rescued = of.meets(s.Fate, o)
		out.Officers = append(out.Officers, e)
	}
	if c != nil {
		c.Skill, c.Points = by.Grow(c.Skill, his), c.Points+his
		out.Captain, out.Skill = c.Name, c.Skill
		out.Rescued = c.meets(s.Fate, o)
	}
	return out
}

// spend spends an officer's waiting points on the skill they named, or on the only one of their
// post, up to the maximum. It returns the skill; "" for none.
func (c *Captain) spend(by *family.CampaignRules) (skill string) {
	if p, _ := ratedPost(by, c.Post); c.Learns == "" && len(p.Skills) == 1 {
		skill = p.Skills[0]
	} else {
		skill = c.Learns
	}
	now, rated := c.Ratings[skill]
	if !rated {
		return ""
	}
	more := min(c.Spare, by.Grow(now, c.Spare)-now)
	c.Ratings[skill], c.Spare = now+more, c.Spare-more
	return skill
}

// meets takes someone off a ship that is gone, and reports whether they were rescued.
func (c *Captain) meets(fate family.Fate, o FateRuling) (rescued bool) {
	if fate == family.FateKept {
		return false
	}
	saved, died := o.names(c.Ship, c.Post)
	c.goes("", "")
	switch {
	case saved:
		return true
	case died, fate == family.FateLost:
		c.Status = Dead
	default:
		c.Status = Prisoner
	}
	return false
}

// captainsPost stands for the captain's seat in a list of posts.
const captainsPost = "captain"

// names returns the ruling on someone aboard: a ruling on the person takes precedence over one on
// the ship.
func (o FateRuling) names(ship, post string) (rescued, lost bool) {
	if post == "" {
		post = captainsPost
	}
	for _, seat := range []string{ship + "/" + post, ship} {
		in := func(list []string) bool {
			return slices.ContainsFunc(list, func(n string) bool { return strings.EqualFold(n, seat) })
		}
		if in(o.Rescued) || in(o.Lost) {
			return in(o.Rescued), in(o.Lost)
		}
	}
	return false, false
}

// fits returns an error if a ruling is about ships that are not gone, or about people who were not
// aboard.
func (o FateRuling) fits(g Game) error {
	for _, name := range slices.Concat(o.Rescued, o.Lost) {
		of, post, one := strings.Cut(name, "/")
		i := slices.IndexFunc(g.Ships, func(s ServiceRecord) bool { return strings.EqualFold(s.Name, of) })
		if i < 0 {
			return fail("", "no ship %s of the roster was in game %s", of, g.ID)
		}
		s := g.Ships[i]
		if s.Fate == InService || s.Captain == "" && len(s.Officers) == 0 {
			return fail("", "%s came back or had no captain, so none can be rescued or lost", s.Name)
		}
		posts := []string{captainsPost}
		for _, e := range s.Officers {
			posts = append(posts, e.Post)
		}
		if one && (!slices.Contains(posts, strings.ToLower(post)) || strings.EqualFold(post, captainsPost) && s.Captain == "") {
			return fail("there were "+strings.Join(posts, ", "), "%s had no officer at %q", s.Name, post)
		}
	}
	for _, name := range o.Rescued {
		if slices.ContainsFunc(o.Lost, func(n string) bool { return strings.EqualFold(n, name) }) {
			return fail("", "the captain of %s cannot be both rescued and lost", name)
		}
	}
	return nil
}
