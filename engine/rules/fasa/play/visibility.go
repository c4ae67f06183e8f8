package play

import (
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
)

// visibility is which ship was hidden from which at the last comparison, by their indices among
// the game's ships: [observer][other]. It is computed again at the beginning of each round,
// since nothing changes between rounds.
type visibility struct {
	hidden   [][]bool
	fighting []bool
}

// sightNotes keeps what is needed from one comparison of sight to the next.
type sightNotes struct {
	seenBefore *visibility    // who saw whom
	dimmed     []*engine.Ship // those that have since released a lock on a cloaked ship
}

// WatchForShips updates who sees whom, as a stage of its own.
func WatchForShips(l *rulebook.Rules, t *engine.Turn) {
	NoteVisibility(l, t)
	if t.Phase.Step != "movement" { // movement has already looked
		dark.In(t).LookRound(false)
	}
}

// WatchWake updates who sees whom after a movement word, where something blocks sight.
func WatchWake(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, _ string, from engine.Place) {
	if s.Hex != from.Hex && t.Game.Blind == nil && shadowy(l, t.Game) { // in the dark it would reveal when she moved
		NoteVisibility(l, t, s)
	}
}

// shadowy reports whether anything on the map blocks sight.
func shadowy(l *rulebook.Rules, g *engine.Game) bool {
	return len(opaqueHexes(l, g)) > 0
}

// NoteVisibility tells captains which ships have gone out of or come into their sight since the
// last comparison (stcs 7.6), and releases the locks that are lost thereby (stcs 7.4). If about
// is given, it checks only those ships, so that the order of events cannot reveal that an unseen
// ship moves; otherwise all. The first comparison of a round only records the situation.
func NoteVisibility(l *rulebook.Rules, t *engine.Turn, about ...*engine.Ship) {
	n := TurnNotes[sightNotes](t)
	if len(about) > 0 {
		about = append(slices.Clone(about), n.dimmed...)
	}
	if n.dimmed = nil; len(l.Concealments) > 0 && t.Game.Blind == nil { // in the dark there are contacts instead
		compare(l, t, about)
	}
	if loosen(l, t, about); len(n.dimmed) > 0 {
		NoteVisibility(l, t, n.dimmed...) // ships that only that lock showed are hidden
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
	var obscure []int // hidden from a ship, before or now; captains are told only of these
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
				// depart below records who saw it go.
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

// survey compares all ships, or only the pairs with a ship of about, copying the rest from was.
func survey(l *rulebook.Rules, g *engine.Game, was *visibility, about []*engine.Ship) *visibility {
	ships := len(g.Ships)
	all := make([]bool, (ships+1)*ships)
	now := &visibility{hidden: make([][]bool, ships), fighting: all[ships*ships:]}
	for j, s := range g.Ships {
		now.fighting[j] = s.Status == engine.Active
		if was != nil && len(about) > 0 && !slices.Contains(about, s) {
			now.fighting[j] = was.fighting[j] // left for the next comparison of all ships
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
				now.fighting[j] && s.Status != engine.Active: // the next comparison of all ships asks who saw it go
				now.hidden[i][j] = was.hidden[i][j]
			default:
				now.hidden[i][j] = from != nil && from(o)
			}
		}
	}
	return now
}

// masters returns the captains of ships, each with only the ships of which they hold the captain's
// post. An officer sees what the captain of the same ship sees.
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

// seenBy reports whether a captain saw a ship at the last comparison, and returns the captain's
// ship that saw her then and does not now.
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

// sighter returns the first of a captain's ships that sees a ship.
func sighter(l *rulebook.Rules, g *engine.Game, c engine.Captain, s *engine.Ship) engine.ShipID {
	from := l.Concealed(g, s)
	for _, o := range ship.ShipsOf(g, c.Ships) {
		if from == nil || !from(o) {
			return o.ID
		}
	}
	return c.Ships[0]
}

// depart records who saw a ship leave; the others do not know that it has left. The record goes to
// no report: not even the ship's own captain learns who did not see it.
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

// loosen releases the locks that cannot be held any more (stcs 7.4, 7.5): those of and on the
// ships in about, or all if about is empty.
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

// loosened returns why a ship can no longer hold a lock on another; "" if she can.
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

// loosenedBy returns the cause of a lost lock: the hit on the sensors, or what last happened to
// one of the two ships.
func loosenedBy(t *engine.Turn, s *engine.Ship, target engine.ShipID, rule cites.Topic) engine.Ref {
	if rule == cites.DamagedSensors {
		return TurnNotes[trail](t).blinded[s.ID]
	}
	return sightOf(t, s.ID, target)
}

// Release gives up a ship's lock on another, if it has one.
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

// Settle updates sight and locks after a referee's rulings. A ruling that takes power or weapons
// has no other consequence before the next turn.
func Settle(l *rulebook.Rules, t *engine.Turn) { NoteVisibility(l, t) }

// turnCloak switches a cloak. All who see the ship while uncloaked see her vanish or appear; it is
// announced to all others who know of her; locks on her are lost, and shields go down or come up
// (stcs 6.1, 10.4, 10.5, 10.7).
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

// bare returns a ship as if her cloak were off, to ask who would then see her.
func bare(s *engine.Ship) *engine.Ship {
	c, sys := *s, *ship.Of(s)
	sys.Shares().Drop(ship.NameCloak)
	c.System = &sys
	return &c
}

// unpower switches off a cloak that has lost its power in mid-turn (ruling D23).
func unpower(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, shed engine.Ref) {
	if ship.Of(s).Hidden() && ship.Of(s).Alloc.Cloak == 0 {
		defer t.Following(shed)()
		turnCloak(l, t, s, false, "it has lost its power", cites.PowerShedding)
	}
}

// others returns the ships of other captains for which holds is true.
func others(g *engine.Game, s *engine.Ship, holds func(*engine.Ship) bool) []engine.ShipID {
	var out []engine.ShipID
	for _, o := range g.Ships {
		if o.Captain != s.Captain && holds(o) {
			out = append(out, o.ID)
		}
	}
	return out
}
