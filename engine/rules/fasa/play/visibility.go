package play

import (
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
)

// visibility is which ship is hidden from which at the last look round, by their
// places among the ships of the game: [observer][other]. It is worked out anew at
// the beginning of each round, since nothing changes between two.
type visibility struct {
	hidden   [][]bool
	fighting []bool
}

// sightNotes are what is kept of sight from one look round to the next.
type sightNotes struct {
	seenBefore *visibility    // who saw whom
	dimmed     []*engine.Ship // who has let go a lock on a cloaked ship since
}

// WatchForShips looks round as a stage of its own.
func WatchForShips(l *rulebook.Rules, t *engine.Turn) {
	NoteVisibility(l, t)
	if t.Phase.Step != "movement" { // which has looked
		dark.In(t).LookRound(false)
	}
}

// WatchWake looks round after a movement word, where something casts shadows.
func WatchWake(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, _ string, from engine.Place) {
	if s.Hex != from.Hex && t.Game.Blind == nil && shadowy(l, t.Game) { // in the dark that would tell when she moved
		NoteVisibility(l, t, s)
	}
}

// shadowy tells whether anything on the map stands in the way of sight.
func shadowy(l *rulebook.Rules, g *engine.Game) bool {
	return len(opaqueHexes(l, g)) > 0
}

// NoteVisibility tells captains which ships have come out of their sight since the last
// look round and which into it (stcs 7.6), and lets go the locks that are lost by
// it (stcs 7.4). Of ships in about it looks only at those, so that nobody can tell by
// the order of what he is told that a ship moves which he does not see; without any at
// all. The first look of a round only takes in what is there.
func NoteVisibility(l *rulebook.Rules, t *engine.Turn, about ...*engine.Ship) {
	n := TurnNotes[sightNotes](t)
	if len(about) > 0 {
		about = append(slices.Clone(about), n.dimmed...)
	}
	if n.dimmed = nil; len(l.Concealments) > 0 && t.Game.Blind == nil { // in the dark there are contacts
		compare(l, t, about)
	}
	if loosen(l, t, about); len(n.dimmed) > 0 {
		NoteVisibility(l, t, n.dimmed...) // what only that lock showed is hidden
	}
}

func compare(l *rulebook.Rules, t *engine.Turn, about []*engine.Ship) {
	n, g := TurnNotes[sightNotes](t), t.Game
	was := n.seenBefore
	now := survey(l, g, was, about)
	n.seenBefore = now
	if was == nil {
		return
	}
	var obscure []int // hidden from a ship, before or now; of the others no captain is told anything
	for j := range g.Ships {
		hidden := func(row []bool) bool { return row[j] }
		if slices.ContainsFunc(was.hidden, hidden) || slices.ContainsFunc(now.hidden, hidden) {
			obscure = append(obscure, j)
		}
	}
	var captains []engine.Captain
	if len(obscure) > 0 {
		captains = masters(g)
	}
	for _, c := range captains {
		for _, j := range obscure {
			s := g.Ships[j]
			if s.Captain == c.Name || !was.fighting[j] && !now.fighting[j] ||
				len(about) > 0 && !slices.ContainsFunc(about, func(o *engine.Ship) bool { return o == s || o.Captain == c.Name }) {
				continue
			}
			before, by := seenBy(g, c, was, now, j)
			after := l.InSight(g, ship.ShipsOf(g, c.Ships), s)
			switch {
			case s.Status == engine.Left:
				// Who did not see it go is told below.
			case before && !after && was.fighting[j]:
				t.Because(sightOf(t, s.ID, by)).Emit(&ship.LostSight{Ship: by, Target: s.ID, At: engine.Place{Hex: s.Hex, Heading: s.Heading}, Since: rulebook.Moment(t)}, engine.SeeOnly(by), l.Cite(cites.LineOfSight)...)
			case !before && after && was.fighting[j]:
				by := sighter(l, g, c, s)
				t.Because(sightOf(t, s.ID, by)).Emit(&ship.Sighted{Ship: by, Target: s.ID, At: engine.Place{Hex: s.Hex, Heading: s.Heading}}, engine.SeeOnly(c.Ships...), l.Cite(cites.LineOfSight)...)
			}
		}
	}
	for j, s := range g.Ships {
		if s.Status == engine.Left && was.fighting[j] && !now.fighting[j] {
			depart(l, t, was, j)
		}
	}
}

// survey looks at all ships, or, of those that are about, anew and at the rest as
// they were.
func survey(l *rulebook.Rules, g *engine.Game, was *visibility, about []*engine.Ship) *visibility {
	ships := len(g.Ships)
	all := make([]bool, (ships+1)*ships)
	now := &visibility{hidden: make([][]bool, ships), fighting: all[ships*ships:]}
	for j, s := range g.Ships {
		now.fighting[j] = s.Status == engine.Active
		if was != nil && len(about) > 0 && !slices.Contains(about, s) {
			now.fighting[j] = was.fighting[j] // for the next look at all
		}
	}
	for i := range g.Ships {
		now.hidden[i] = all[i*ships : (i+1)*ships]
	}
	for j, s := range g.Ships {
		from := l.Concealed(g, s)
		for i, o := range g.Ships {
			switch {
			case was != nil && len(about) > 0 && !slices.Contains(about, o) && !slices.Contains(about, s),
				now.fighting[j] && s.Status != engine.Active: // who saw it go is asked at the next look at all
				now.hidden[i][j] = was.hidden[i][j]
			default:
				now.hidden[i][j] = from != nil && from(o)
			}
		}
	}
	return now
}

// masters are those who are captains of ships, each with the ships that he is captain of. An
// officer sees what the captain of his ship sees.
func masters(g *engine.Game) []engine.Captain {
	out := g.Captains()
	for i := range out {
		out[i].Ships = nil
		for _, seat := range out[i].Seats {
			if seat.Post == ship.PostCaptain {
				out[i].Ships = append(out[i].Ships, seat.Ship)
			}
		}
	}
	return slices.DeleteFunc(out, func(c engine.Captain) bool { return len(c.Ships) == 0 })
}

// seenBy tells whether a captain saw a ship at the last look round, and which ship
// of his saw it that does not now.
func seenBy(g *engine.Game, c engine.Captain, was, now *visibility, j int) (seen bool, by engine.ShipID) {
	for i, o := range g.Ships {
		if o.Captain != c.Name || was.hidden[i][j] {
			continue
		}
		if seen = true; by == "" && now.hidden[i][j] {
			by = o.ID
		}
	}
	return seen, by
}

// sighter is the first of a captain's ships that sees a ship.
func sighter(l *rulebook.Rules, g *engine.Game, c engine.Captain, s *engine.Ship) engine.ShipID {
	from := l.Concealed(g, s)
	for _, o := range ship.ShipsOf(g, c.Ships) {
		if from == nil || !from(o) {
			return o.ID
		}
	}
	return c.Ships[0]
}

// depart records who saw a ship leave. All others do not know that it has left. It is
// kept by those who saw it: not even the ship's own captain learns who did not.
func depart(l *rulebook.Rules, t *engine.Turn, was *visibility, j int) {
	s := t.Game.Ships[j]
	var by []engine.ShipID
	for _, c := range masters(t.Game) {
		if seen, _ := seenBy(t.Game, c, was, was, j); seen || c.Name == s.Captain {
			by = append(by, c.Ships...)
		}
	}
	slices.Sort(by)
	t.Because(sightOf(t, s.ID)).Emit(&ship.Departed{Ship: s.ID, By: by}, engine.See{}, l.Cite(cites.LineOfSight)...)
}

// loosen lets go the locks that cannot be held any more (stcs 7.4, 7.5): of ships in
// about and on them, without any all.
func loosen(l *rulebook.Rules, t *engine.Turn, about []*engine.Ship) {
	for _, s := range t.Game.Ships {
		for _, lock := range slices.Clone(ship.Of(s).Sensors().Locks) {
			if len(about) > 0 && !slices.ContainsFunc(about, func(o *engine.Ship) bool { return o == s || o.ID == lock.Target }) {
				continue
			}
			if why, rule := loosened(l, t.Game, s, lock.Target); why != "" {
				done := t.Following(loosenedBy(t, s, lock.Target, rule))
				Release(l, t, s, lock.Target, why, rule)
				done()
			}
		}
	}
}

// loosened tells why a ship can hold a lock on another no longer.
func loosened(l *rulebook.Rules, g *engine.Game, s *engine.Ship, target engine.ShipID) (why string, rule cites.Topic) {
	other, ok := g.Ship(target)
	switch {
	case s.Status != engine.Active:
		return "the ship is out of the fight", cites.LostLocks
	case ship.Of(s).Sensors().Down:
		return "the sensors are damaged", cites.DamagedSensors
	case ok && l.TooFaint(g, s, other) != "":
		return l.TooFaint(g, s, other), cites.LostLocks
	case !ok || !other.Status.OnMap():
		return "it has left", cites.LostLocks
	case other.Status == engine.Destroyed:
		return "it is destroyed", cites.LostLocks
	}
	return l.Screened(g, s, other), cites.LostLocks
}

// loosenedBy is what a ship's lock on another is lost by: a hit on the sensors, or what last
// happened to one of the two.
func loosenedBy(t *engine.Turn, s *engine.Ship, target engine.ShipID, rule cites.Topic) engine.Ref {
	if rule == cites.DamagedSensors {
		return TurnNotes[trail](t).blinded[s.ID]
	}
	return sightOf(t, s.ID, target)
}

// Release lets go a ship's lock on another, if it has one.
func Release(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, target engine.ShipID, why string, rule ...cites.Topic) {
	if rulebook.Locked(s, target) {
		t.Emit(&ship.Unlock{Ship: s.ID, Target: target, Why: why}, engine.SeeOnly(s.ID), l.Cite(append(rule, cites.SensorUse)...)...)
		if other, ok := t.Game.Ship(target); ok && ship.Cloaked(other) {
			n := TurnNotes[sightNotes](t)
			n.dimmed = append(n.dimmed, s)
		}
	}
}

// ShakeOff breaks all locks on a ship, as when it cloaks.
func ShakeOff(l *rulebook.Rules, t *engine.Turn, target *engine.Ship, why string, rule ...cites.Topic) {
	for _, s := range t.Game.Ships {
		Release(l, t, s, target.ID, why, slices.Clone(rule)...)
	}
}

// Settle looks round after a referee's rulings: who sees whom, and which locks
// can still be held. With less power or weapons than before nothing else follows
// before the next turn.
func Settle(l *rulebook.Rules, t *engine.Turn) { NoteVisibility(l, t) }

// turnCloak switches a cloak: all who see the ship with the cloak off see it vanish
// or appear, to all others who know of it it is announced, locks on it are lost, and
// shields go down or come up (stcs 6.1, 10.4, 10.5, 10.7).
func turnCloak(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, on bool, why string, rule ...cites.Topic) {
	b := &ship.Cloaking{Ship: s.ID, On: on, Why: why, At: engine.Place{Hex: s.Hex, Heading: s.Heading}, Late: t.Phase.No == l.Split.Phases()}
	far := others(t.Game, s, func(o *engine.Ship) bool {
		return !l.Aware(t.Game, o, bare(s)) && t.Rules.Knows(t.Game, t.Game.Viewer(o), s)
	})
	switched := t.Emit(b, l.Show(t.Game, []*engine.Ship{bare(s)}, s.ID), l.Cite(append([]cites.Topic{cites.CloakSwitching, cites.CloakByMail}, rule...)...)...)
	Shift(t, s.ID, switched)
	defer t.Following(switched)()
	if len(far) > 0 {
		t.Emit(&ship.Announced{Ship: s.ID, On: on}, engine.SeeOnly(far...), l.Cite(cites.CloakAnnouncement, cites.CloakByMail)...)
	}
	if on {
		ShakeOff(l, t, s, rulebook.HasCloaked, cites.CloakTracking)
	}
	NoteVisibility(l, t, s)
}

// bare is a ship as if its cloak were off, to ask who would see it then.
func bare(s *engine.Ship) *engine.Ship {
	c, sys := *s, *ship.Of(s)
	sys.Drop(ship.NameCloak)
	c.System = &sys
	return &c
}

// unpower switches a cloak off that has lost its power in mid-turn (ruling D23).
func unpower(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, shed engine.Ref) {
	if ship.Of(s).Hidden() && ship.Of(s).Alloc.Cloak == 0 {
		defer t.Following(shed)()
		turnCloak(l, t, s, false, "it has lost its power", cites.PowerShedding)
	}
}

// others are the ships of the other captains for one of whose ships something holds.
func others(g *engine.Game, s *engine.Ship, holds func(*engine.Ship) bool) []engine.ShipID {
	var out []engine.ShipID
	for _, o := range g.Ships {
		if o.Captain != s.Captain && holds(o) {
			out = append(out, o.ID)
		}
	}
	return out
}
