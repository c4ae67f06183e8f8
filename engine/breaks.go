package engine

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine/hex"
)

// In a game that is played until something happens, rounds follow each other without new orders until a break:
// something that a captain wants to be asked about. Only what that captain may know counts, because all others
// notice that play stopped.

// Kinds of breaks, as orders name them.
const (
	BreakContact = "contact" // a ship or craft came into sight, or is made out better than before
	BreakLost    = "lost"    // one that was seen no longer is
	BreakHit     = "hit"     // an own ship is struck
	BreakHeard   = "heard"   // a message came
	BreakArrived = "arrived" // an own ship is where her orders took her; see [Arrivals]
	BreakSkipped = "skipped" // an order of an own ship could not be carried out
	BreakArc     = "arc"     // a ship lies in an arc of an own weapon, within its reach
)

// BreakKinds lists the kinds of breaks.
func BreakKinds() []string {
	return []string{BreakContact, BreakLost, BreakHit, BreakHeard, BreakArrived, BreakSkipped, BreakArc}
}

// Break is a reason to ask a captain. Text is a clause: "Riskadh is in sight".
type Break struct{ Kind, Text string }

// Striking is the [Body] of an event in which something strikes a ship.
type Striking interface {
	// Strikes returns the ship that is struck.
	Strikes() ShipID
}

// Counted is a [Body] with figures for statistics: shots, hits, what they cost.
type Counted interface{ Tally() []Count }

// Count is a number of something of one ship, named as tables show it: "hits scored", "shield 2".
type Count struct {
	Ship ShipID
	What string
	N    int
}

// Names of counts that all rule sets share.
const (
	CountShots  = "shots fired"
	CountScored = "hits scored"
	CountTaken  = "hits taken"
)

// CountShot counts a shot of a ship, and a hit on its target.
func CountShot(from, target ShipID, hit bool) []Count {
	out := []Count{{from, CountShots, 1}}
	if hit {
		out = append(out, Count{from, CountScored, 1}, Count{target, CountTaken, 1})
	}
	return out
}

// notable is a [Body] that is a reason to ask a captain who sees it.
type notable interface{ Break() Break }

// Breaks returns the reasons to ask the viewer that a round gave. V is the viewer's view after the round, with its
// events, and before the view before it. Arrivals are not among them.
func (r *Rules) Breaks(before, v *View) []Break {
	var out []Break
	say := func(kind, format string, args ...any) {
		b := Break{kind, fmt.Sprintf(format, args...)}
		if !slices.Contains(out, b) {
			out = append(out, b)
		}
	}
	for _, s := range v.Ships {
		if s.Own || !s.Status.fights() || s.Sight == Lost {
			continue
		}
		switch old, _ := before.Ship(s.ID); {
		case old == nil || old.Sight == Lost || old.Status == Waiting:
			say(BreakContact, "%s is in sight", s.Name)
		case old.Sight == Contact && s.Sight == Seen, s.Sensed.rank() > old.Sensed.rank():
			say(BreakContact, "%s is made out better", s.Name)
		}
	}
	for _, old := range before.Ships {
		if old.Own || !old.Status.fights() || old.Sight == Lost {
			continue
		}
		if s, ok := v.Ship(old.ID); !ok || s.Sight == Lost {
			say(BreakLost, "%s is out of sight", old.Name)
		}
	}
	own := func(id ShipID) bool { return slices.Contains(v.Viewer.Ships, id) }
	for _, e := range v.Events {
		switch b := e.Body.(type) {
		case Striking:
			if own(b.Strikes()) {
				say(BreakHit, "%s is hit", v.Name(b.Strikes()))
			}
		case *Talk:
			if !own(b.Ship) {
				say(BreakHeard, "a message came")
			}
		case notable:
			say(b.Break().Kind, "%s", b.Break().Text)
		case *Skip:
			if own(b.Ship) && !(waits(b) && v.knowsNoFoe() && before.knowsNoFoe()) {
				say(BreakSkipped, "an order of %s could not be carried out: %s", v.Name(b.Ship), b.Order)
			}
		}
	}
	was := r.inArcs(before)
	for _, t := range r.inArcs(v) {
		if !slices.Contains(was, t) {
			say(BreakArc, "%s is in an arc of weapons of %s, within their reach", v.Name(t.target), v.Name(t.ship))
		}
	}
	return out
}

// waits reports whether a skipped order is about the nearest ship: while no ship is known, it is meant for later.
func waits(b *Skip) bool { return slices.Contains(strings.Fields(b.Order), "nearest") }

// knowsNoFoe reports whether the viewer does not know the place of any ship of another side.
func (v *View) knowsNoFoe() bool {
	own := map[string]bool{}
	for _, s := range v.Ships {
		own[s.Side] = own[s.Side] || s.Own
	}
	return !slices.ContainsFunc(v.Ships, func(s *ShipView) bool { return !own[s.Side] && s.Hex != nil && s.Sight != Lost && s.Status.fights() })
}

// fights reports whether a ship of this status can be met on the map.
func (s Status) fights() bool { return s == Active || s == Crippled }

// aimedAt says that a ship of another side is in the arc of a weapon.
type aimedAt struct{ ship, weapon, target ShipID }

// inArcs lists which ships lie in the arcs of the viewer's weapons, within their reach.
func (r *Rules) inArcs(v *View) []aimedAt {
	var out []aimedAt
	marks := r.Overlays(v)
	for _, s := range v.Ships {
		if !s.Own || s.Status != Active || s.Hex == nil || s.Heading == nil {
			continue
		}
		for _, t := range v.Ships {
			if t.Own || t.Side == s.Side || t.Status != Active || t.Sight == Lost || t.Hex == nil || t.Kind != KindShip {
				continue
			}
			away := hex.Distance(*s.Hex, *t.Hex)
			bearing, elsewhere := hex.Bearing(*s.Hex, *t.Hex)
			for _, m := range marks[s.ID].Arcs {
				if away <= m.Reach && (!elsewhere || m.holds(bearing.Relative(*s.Heading))) {
					out = append(out, aimedAt{s.ID, ShipID(m.Name), t.ID})
				}
			}
		}
	}
	return out
}

// holds reports whether a bearing from the bow lies in the arc or on one of its edges.
func (m ArcMark) holds(rel hex.Point) bool {
	const circle = 360
	width := m.To - m.From
	for width <= 0 {
		width += circle
	}
	return width >= circle || ((int(rel)*15-m.From)%circle+circle)%circle <= width
}
