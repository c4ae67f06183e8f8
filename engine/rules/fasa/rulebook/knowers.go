package rulebook

import (
	"cmp"
	"slices"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
)

// Show returns who sees something done openly by or to some ships: everyone, and the captains
// of the ships in whole also the parts that are not open to others. What a hidden ship does
// only those see who know where she is.
func (l *Rules) Show(g *engine.Game, about []*engine.Ship, whole ...engine.ShipID) engine.See {
	var among []engine.ShipID
	concealed := false
	if l.veils(g) {
		for _, s := range about {
			by, hidden := l.knowers(g, s)
			switch {
			case !hidden:
			case !concealed:
				concealed, among = true, slices.Clone(by)
			default:
				among = slices.DeleteFunc(among, func(id engine.ShipID) bool { return !slices.Contains(by, id) })
			}
		}
	}
	switch {
	case !concealed:
		return engine.SeeAll(whole...)
	case len(among) == 0:
		return engine.SeeOnly(whole...)
	}
	return engine.See{Whole: engine.CaptainSeats(whole...), Rest: true, Among: among}
}

// knowers returns the ships that a ship is not hidden from, herself included, and whether
// she is hidden from any.
func (l *Rules) knowers(g *engine.Game, s *engine.Ship) (by []engine.ShipID, hidden bool) {
	from := l.Concealed(g, s)
	if from == nil || !slices.ContainsFunc(g.Ships, from) {
		return nil, false
	}
	for _, o := range g.Ships {
		if !from(o) {
			by = append(by, cmp.Or(o.Parent, o.ID)) // the captain of a probe's ship sees what the probe sees
		}
	}
	return by, true
}

// Concealed returns which ships a ship is hidden from; nil for none. Only ships in the fight
// can be hidden, and none from her own captain. It is called for nearly every event, and most
// ships are not hidden at all.
func (l *Rules) Concealed(g *engine.Game, of *engine.Ship) Hides {
	if g.Blind != nil {
		return l.unlit(g, of)
	}
	if of.Status != engine.Active {
		return nil
	}
	var all []Hides
	for _, c := range l.Concealments {
		if from := c(l, g, of); from != nil {
			all = append(all, from)
		}
	}
	if all == nil {
		return nil
	}
	return func(by *engine.Ship) bool {
		return by.Captain != of.Captain && slices.ContainsFunc(all, func(from Hides) bool { return from(by) })
	}
}

// Aware reports whether a ship's captain knows where another ship is now: one of the
// captain's ships sees it.
func (l *Rules) Aware(g *engine.Game, s, other *engine.Ship) bool {
	if !other.Status.OnMap() {
		return false
	}
	if !l.veils(g) || s.Captain == other.Captain {
		return true
	}
	if g.Blind != nil {
		level, _ := dark.Finds(l.Self, g, s.Captain, other)
		return level >= blind.Presence
	}
	from := l.Concealed(g, other)
	return from == nil || slices.ContainsFunc(g.Ships, func(o *engine.Ship) bool { return o.Captain == s.Captain && !from(o) })
}

// Screened returns the first reason why a ship cannot fire at another at all.
func (l *Rules) Screened(g *engine.Game, s, target *engine.Ship) string {
	for _, between := range l.LineOfFireRules {
		if why := between(l, g, s, target); why != "" {
			return why
		}
	}
	return ""
}

// Felt returns who sees what a hit did inside: the target's captain in whole, and the firer's
// captain in part if the book's Insight allows.
func (l *Rules) Felt(g *engine.Game, h Hit) engine.See {
	if !l.Insight(g, h.From, h.Target) {
		return engine.SeeOnly(h.Target.ID)
	}
	return engine.See{Whole: engine.CaptainSeats(h.Target.ID), Rest: true, Among: []engine.ShipID{h.From}}
}

// Known returns the ships that a ship's captain knows of.
func Known(t *engine.Turn, s *engine.Ship) []*engine.Ship {
	who := t.Game.Viewer(s)
	return slices.DeleteFunc(slices.Clone(t.Game.Ships), func(o *engine.Ship) bool { return !t.Rules.Knows(t.Game, who, o) })
}
