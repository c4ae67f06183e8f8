package rulebook

import (
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
)

// unknownClass stands for the class of a ship on which there never was a lock.
const unknownClass = "unknown class"

// MakeOut returns what a viewer makes out of a ship of another captain (stcs 7): whether
// she is seen, where she was seen last, and, after a lock, her class.
func (l *Rules) MakeOut(g *engine.Game, who engine.Viewer, s *engine.Ship) engine.Observation {
	own := ship.ShipsOf(g, who.Ships)
	var gl engine.Observation
	if l.InSight(g, own, s) {
		if gl.Known = Public(s); ship.Cloaked(s) {
			gl.Known = publicOfCloaked(own, s)
		}
		if known, ok := gl.Known.(*ship.Public); ok && g.Turn == 0 {
			known.Free = ship.Of(s).Free()
		}
	} else {
		last, ok := lastSeen(own, s.ID)
		if !ok {
			return engine.Observation{Sight: engine.Unseen}
		}
		gl = engine.Observation{Sight: engine.Lost, At: &last.At, Since: last.Since}
	}
	if !identified(own, s) {
		gl.As = &engine.Alias{ID: s.ID, Name: engine.ShipID(s.Name), Title: engine.ShipID(s.Title), Short: engine.ShipID(s.Short), Side: engine.ShipID(s.Side), Class: unknownClass}
	}
	return gl
}

// InSight reports whether one of a captain's ships sees a ship of another captain. All see
// what has become of a ship that was in the fight, unless it left. A captain without ships
// sees what is hidden from no other ship.
func (l *Rules) InSight(g *engine.Game, own []*engine.Ship, s *engine.Ship) bool {
	switch {
	case len(l.Concealments) == 0:
		return true
	case s.Status == engine.Left:
		if len(own) == 0 {
			return !slices.ContainsFunc(g.Ships, func(o *engine.Ship) bool { return !sawLeave(o, s.ID) })
		}
		return slices.ContainsFunc(own, func(o *engine.Ship) bool { return sawLeave(o, s.ID) })
	case len(own) == 0:
		_, hidden := l.knowers(g, s)
		return !hidden
	}
	from := l.Concealed(g, s)
	return from == nil || slices.ContainsFunc(own, func(o *engine.Ship) bool { return !from(o) })
}

// sawLeave reports whether a ship's captain saw another leave.
func sawLeave(s *engine.Ship, other engine.ShipID) bool {
	return slices.Contains(ship.Of(s).Sensors().Gone, other)
}

// lastSeen returns the newest sighting that some ships have of a ship they do not see now.
func lastSeen(own []*engine.Ship, id engine.ShipID) (last ship.Sighting, ok bool) {
	for _, o := range own {
		if c, has := ship.Of(o).Sensors().Contacts[id]; has && (!ok || later(c.Since, last.Since)) {
			last, ok = c, true
		}
	}
	return last, ok
}

func later(a, b engine.Moment) bool { return a.Turn > b.Turn || a.Turn == b.Turn && a.Phase > b.Phase }

// identified reports whether one of some ships knows the class of another: ships of its own
// side do, and those that had a lock on it.
func identified(own []*engine.Ship, s *engine.Ship) bool {
	return slices.ContainsFunc(own, func(o *engine.Ship) bool {
		if o.Side == s.Side {
			return true
		}
		_, told := ship.Of(o).Learnt(s.ID, ship.AtLock)
		return told
	})
}

// whereabouts returns where a ship's captain knows or believes another ship to be: her
// place if one of the captain's ships sees her, otherwise where she was last seen.
func (l *Rules) whereabouts(g *engine.Game, s, other *engine.Ship) (at engine.Place, ok bool) {
	if other == nil {
		return engine.Place{}, false
	}
	if l.Aware(g, s, other) {
		return engine.Place{Hex: other.Hex, Heading: other.Heading}, true
	}
	if own := ship.Fleet(g, s); g.Blind == nil && len(l.Concealments) > 0 && !l.InSight(g, own, other) {
		last, known := lastSeen(own, other.ID)
		return last.At, known
	}
	return engine.Place{}, false
}

// AbsentShip says why an order cannot be carried out with respect to a ship: the captain does
// not know where it is.
func (l *Rules) AbsentShip(g *engine.Game, aim string) string {
	_, stands := l.IsAim(aim)
	switch {
	case stands && aim == board.AimLocked:
		return "there is no lock on any ship"
	case stands:
		return "no enemy is in sight"
	case l.veils(g):
		return "that ship is nowhere in sight, nor was it seen"
	}
	return "that ship is not on the map"
}

// NoTargetShip says why a ship cannot be fired at at all. It does not reveal whether an unseen
// ship is still there.
func (l *Rules) NoTargetShip(g *engine.Game, s, target *engine.Ship, aim string) string {
	if _, stands := l.IsAim(aim); stands {
		return l.AbsentShip(g, aim)
	}
	if g.Blind != nil && (target == nil || !l.Aware(g, s, target)) {
		return "that ship is not in sight"
	}
	if target != nil && len(l.Concealments) > 0 && !l.InSight(g, ship.Fleet(g, s), target) {
		return "that ship is not in sight"
	}
	return "that ship is no target any more"
}

// Moment returns the current phase.
func Moment(t *engine.Turn) engine.Moment {
	return engine.Moment{Turn: t.Number(), Phase: t.Phase.No}
}

// Public returns what all captains see of a ship.
func Public(s *engine.Ship) any {
	a := ship.Of(s).Alloc
	return &ship.Public{Points: a.Points, Split: a.Split, Outpost: ship.Of(s).Outpost()}
}

// Hull returns what is left of a ship's superstructure, and the whole of it.
func Hull(s *engine.Ship) (left, all int) {
	sys := ship.Of(s)
	return max(0, sys.Superstructure), sys.Design.Superstructure
}

// Known returns the names that a ship's captain may use in orders.
func (l *Rules) Known(t *engine.Turn, s *engine.Ship) Roster {
	if t.Game.Blind != nil {
		return l.namesInTheDark(t, s)
	}
	return RosterOf(l.Names(t, s))
}

// publicOfCloaked returns what captains who see a cloaked ship know of her systems. Only her
// own side was shown how far she may move.
func publicOfCloaked(own []*engine.Ship, s *engine.Ship) *ship.Public {
	if slices.ContainsFunc(own, func(o *engine.Ship) bool { return o.Side == s.Side }) {
		a := ship.Of(s).Alloc
		return &ship.Public{Points: a.Points, Split: a.Split, Cloaked: true}
	}
	return &ship.Public{Cloaked: true}
}

// SensorAims returns the words for ships that need sensors.
func SensorAims() map[string]Aim {
	return map[string]Aim{board.AimNearest: nearestFoe, board.AimLocked: lockedShip}
}

// nearestFoe returns the nearest enemy in the fight whose place the captain knows: of several
// the first by id, or in the dark by the number on the captain's list, which does not reveal who it is.
func nearestFoe(l *Rules, g *engine.Game, s *engine.Ship) engine.ShipID {
	best, at := engine.ShipID(""), 0
	for _, o := range slices.Concat(g.Ships, dark.Echoes(l.Self, g, s)) {
		if o.Status != engine.Active || o.Small() || l.Friends(g, s, o) || !l.Aware(g, s, o) {
			continue
		}
		if d := hex.Distance(s.Hex, o.Hex); best == "" || d < at || d == at && g.Blind.Before(s.Captain, o.ID, best) {
			best, at = o.ID, d
		}
	}
	return best
}

// lockedShip returns the ship on which a ship has its lock.
func lockedShip(_ *Rules, _ *engine.Game, s *engine.Ship) engine.ShipID {
	return ship.Of(s).LockTarget()
}

// IsAim reports whether a word stands for a ship in this course, and returns it in lower case.
func (l *Rules) IsAim(word string) (string, bool) {
	word = strings.ToLower(word)
	_, ok := l.Aims[word]
	return word, ok
}

// Aimed returns the ship that an order's target means now. A name means itself.
func (l *Rules) Aimed(g *engine.Game, s *engine.Ship, target engine.ShipID) engine.ShipID {
	if find, ok := l.Aims[string(target)]; ok {
		return find(l, g, s)
	}
	if g.Blind != nil && target != "" && target != NoTarget {
		return l.meant(g, s, string(target))
	}
	return target
}

// meant returns the ship that a captain's word means now in a game in the dark; "" if none
// that it could mean is detected.
func (l *Rules) meant(g *engine.Game, s *engine.Ship, word string) engine.ShipID {
	other, _, held, _ := dark.Means(l.Self, g, s.Captain, word)
	if !held {
		if mate, ok := g.Ship(engine.ShipID(word)); ok && mate.Side == s.Side && g.Blind.Recognition == blind.Recognised {
			return engine.ShipID(word)
		}
		if echo := dark.Echo(l.Self, g, s, word); echo != nil {
			return echo.ID
		}
		return ""
	}
	return other.ID
}

// namesInTheDark returns the names that a ship's captain may use in a game in the dark.
func (l *Rules) namesInTheDark(t *engine.Turn, s *engine.Ship) Roster {
	return darkRoster(dark.Ships(t.Rules, t.Game, t.Game.Viewer(s)))
}
