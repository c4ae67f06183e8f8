package engine

import "slices"

// Sight is how well a viewer makes out a ship that is not his own.
type Sight string

// The levels of sight. What is unseen is absent from a view altogether. What is
// lost was seen and is not now: it stands where it was last known. A contact is
// something at a place, known by no more than what the rule set calls it.
const (
	Unseen  Sight = "unseen"
	Seen    Sight = ""
	Lost    Sight = "lost"
	Contact Sight = "contact"
)

// Moment is a phase of a turn; phase 0 is its beginning.
type Moment struct {
	Turn  int `json:"turn"`
	Phase int `json:"phase"`
}

// Observation is what a viewer makes out of a ship. Each field grants something; of
// a ship that is seen, who and where it is goes without saying.
type Observation struct {
	Sight Sight
	At    *Place // of a lost ship or a contact: where it was last known; nil for nowhere
	Since Moment // ... and when
	As    *Alias // what it goes by where not all of who it is is known; a contact must have one
	Known any    // what is known of its systems
}

// Alias is what stands for who a ship is.
type Alias struct {
	ID, Name, Title, Short, Side, Class ShipID
	Kind                                Kind
}

// observe is what a viewer makes out of a ship that is not his.
func (r *Rules) observe(g *Game, who Viewer, s *Ship) Observation {
	switch {
	case g.Blind != nil && g.Result == nil:
		return r.Extension.Observe(r, g, who, s)
	case s.Status == Waiting:
		return Observation{Sight: Unseen}
	case r.Look != nil:
		return r.Look(g, who, s)
	}
	return Observation{Known: r.Public(s)}
}

// Knows tells whether a viewer knows of a ship at all, and so may name it in his
// orders: his own, and those of the others that he sees or has seen.
func (r *Rules) Knows(g *Game, who Viewer, s *Ship) bool {
	return slices.Contains(who.Ships, s.ID) || r.observe(g, who, s).Sight != Unseen
}

// Witness says who sees what becomes of a ship.
func (t *Turn) Witness(s *Ship) See {
	if t.Rules.Witness == nil {
		return SeeAll()
	}
	return t.Rules.Witness(t.Game, s)
}

// ships makes the part of a view that is about ships. A contact goes by the
// alias that the rule set gives it.
func (c *ViewBuilder) ships(v *View, own []bool, all bool, trails [][]Step) []*ShipView {
	g := c.game
	seen := make([]ShipView, 0, len(g.Ships))
	places := make([]Place, 0, len(g.Ships))
	stand := func(sv *ShipView, at Place) {
		places = append(places, at)
		p := &places[len(places)-1]
		sv.Hex, sv.Heading = &p.Hex, &p.Heading
	}
	for i, s := range g.Ships {
		if s.Gone(g) {
			continue
		}
		whole := v.Viewer.Holds(s.ID, s.Parent, all)
		gl := Observation{}
		switch {
		case whole:
		case c.rules.Look == nil && s.Status != Waiting:
			gl.Known = c.public[i]
		default:
			gl = c.rules.observe(g, v.Viewer, s)
		}
		if gl.Sight == Unseen {
			continue
		}
		sv := ShipView{
			ID: s.ID, Name: s.Name, Title: s.Title, Short: s.Short, Side: s.Side, Class: s.Class, Kind: s.Kind,
			Own: own[i], Status: s.Status, Sight: gl.Sight, Trail: trails[i], System: gl.Known,
		}
		if a := gl.As; a != nil {
			sv.ID, sv.Name, sv.Title, sv.Short, sv.Side, sv.Class, sv.Kind = a.ID, string(a.Name), string(a.Title), string(a.Short), string(a.Side), string(a.Class), a.Kind
			if gl.Sight != Seen {
				sv.Trail = nil
			}
		}
		switch {
		case gl.Sight == Seen:
			if whole {
				sv.System, sv.Captain, sv.Arrives, sv.Parent = s.System, s.Captain, s.Arrives, s.Parent
			}
			if own[i] {
				sv.Crew, sv.Relieved = s.Crew, s.Relieved
				if posts, captain := v.Viewer.PostsOn(s.ID); !captain && !all && c.rules.Station != nil {
					sv.System = c.rules.Station(s, posts)
				}
			}
			if s.OnMap() || s.Status == Waiting {
				stand(&sv, Place{s.Hex, s.Heading})
			}
		case gl.Sight == Contact && gl.As == nil:
			continue // nothing to call it by
		default:
			sv.Status = Active // whatever has become of it since
			sv.Since = &Moment{gl.Since.Turn, gl.Since.Phase}
			if gl.At != nil {
				stand(&sv, *gl.At)
			}
		}
		seen = append(seen, sv)
	}
	out := make([]*ShipView, len(seen))
	for i := range seen {
		out[i] = &seen[i]
	}
	return out
}
