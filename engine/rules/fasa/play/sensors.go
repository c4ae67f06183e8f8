package play

import (
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
)

// Sense carries out a sensors phase (stcs 6.3): ship by ship, the one with the advantage last,
// each tries for a lock if it has a target, and asks a question if it has a lock.
func Sense(l *rulebook.Rules, t *engine.Turn) {
	NoteVisibility(l, t)
	for _, id := range Memo(t).Advantage {
		if s, ok := t.Game.Ship(id); ok && s.Status == engine.Active {
			if why := l.Unmanned(s); why != "" {
				leaveSensors(l, t, s, why)
				continue
			}
			train(l, t, s)
			keepTrack(l, t, s)
			standingScan(l, t, s)
			if dimmed := TurnNotes[sightNotes](t).dimmed; len(dimmed) > 0 {
				NoteVisibility(l, t, dimmed...)
			}
			inquire(l, t, s)
		}
	}
}

// leaveSensors skips a ship's sensor orders in a phase in which the sensors can do nothing.
func leaveSensors(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, why string) {
	skip := func(line int, text string) {
		Skip(l, t, s, ship.PostScience, line, text, why, cites.SensorPhase)
	}
	for _, o := range OrderedNow[verbs.Sensing](t, s) {
		skip(o.Line, o.Text)
	}
	for _, o := range OrderedNow[rulebook.Asking](t, s) {
		skip(o.Line, o.Text)
	}
}

// train points the sensors: as ordered for the phase, otherwise by the standing orders.
func train(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) {
	for _, o := range OrderedNow[verbs.Sensing](t, s) {
		target := l.Aimed(t.Game, s, o.Target)
		if met, missing := Judge(l, t, s, target, nil, o.When); !met {
			if len(missing) > 0 {
				Unknown(l, t, s, ship.PostScience, o.Line, o.Text, missing)
			}
			continue
		}
		defer t.Following(t.Ordered(s.ID, o.Line, o.Text))()
		why := ""
		switch {
		case ship.Of(s).Sensors().Down:
			why = "the sensors are damaged"
		case o.Object != nil:
			why = trainOnObject(l, t, s, *o.Object)
		case o.Scan != nil:
			why = scanWay(l, t, s, *o.Scan)
		default:
			why = aimSensors(l, t, s, target)
		}
		if why != "" {
			Skip(l, t, s, ship.PostScience, o.Line, o.Text, why, cites.SensorLocks)
		}
		return
	}
	k, want := ship.Of(s).Sensors(), ship.Of(s).Standing.Word("sensors")
	switch {
	case want == "" || want == rulebook.NoTarget || k.Down:
	case want == board.AimNearest && len(k.Locks) > 0: // a lock is not given up for a nearer ship
	default:
		defer t.Following(t.OrderedIn(s.ID, "standing", "sensors"))()
		aimSensors(l, t, s, l.Aimed(t.Game, s, engine.ShipID(want)))
	}
}

// aimSensors tries for a lock on a ship, or returns why that is impossible. A lock that is held
// needs no other roll; one on another ship is given up.
func aimSensors(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, target engine.ShipID) (why string) {
	if target == rulebook.NoTarget {
		for _, lock := range slices.Clone(ship.Of(s).Sensors().Locks) {
			Release(l, t, s, lock.Target, "it is let go", cites.LostLocks)
		}
		return ""
	}
	other, ok := l.Shown(t.Game, s, target)
	switch {
	case target == "":
		return "no such ship is in sight"
	case !ok || !l.Aware(t.Game, s, other):
		return "that ship is not in sight"
	case other.Status == engine.Destroyed:
		return "that ship is destroyed"
	case other.Small():
		return "sensors are trained on ships"
	case rulebook.Locked(s, target):
		return ""
	}
	if why = l.TooFaint(t.Game, s, other); why != "" {
		return why
	}
	if why = l.Screened(t.Game, s, other); why != "" {
		return why
	}
	for _, lock := range slices.Clone(ship.Of(s).Sensors().Locks) {
		Release(l, t, s, lock.Target, "the sensors turn to "+l.Called(t.Game, s, other), cites.LostLocks)
	}
	BusySensors(t, s)
	need, roll := l.LockDie(l, t, s, target)
	lockOn(l, t, s, other, ship.Locking{Need: need, Roll: roll, Held: roll <= need}, cites.SensorPhase, cites.SensorLocks, cites.SensorUse)
	return ""
}

// LockByDie tries for a lock by one die (stcs 7.1).
func LockByDie(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, target engine.ShipID) (need, roll int) {
	return rulebook.LockNeed, t.Roll(engine.NameRoll("lock", s.ID, target), dice.D10, engine.SeeOnly(s.ID), l.Cite(cites.SensorLocks, cites.SensorUse)...)
}

// HitScanners damages the sensors: no fire, no lock and no warping out until they
// are repaired (stcs 7.5, 11.1).
func HitScanners(in *rulebook.DamageResolver) {
	if in.Sys.Sensors().Down {
		wasted(in, "the sensors are out already", cites.DamagedSensors, cites.HalfDamage)
		return
	}
	in.Cite(cites.DamagedSensors)
	mark(in, ship.SensorFault())
}

// ScannersOut keeps a ship with damaged sensors from firing (stcs 7.5).
func ScannersOut(_ *rulebook.Rules, _ *engine.Turn, s *engine.Ship) (string, []cites.Topic) {
	if ship.Of(s).Sensors().Down {
		return "the sensors are damaged: no fire until they are repaired", []cites.Topic{cites.DamagedSensors}
	}
	return "", nil
}

// FactNames returns the facts that a lock on something other than a ship tells, in the order of the rule (stcs 7.2).
func FactNames() []string { return []string{"mass", "composition", "state", "life"} }

// objectAt returns the object other than a ship that a ship's captain knows to be in a hex: of
// several the first by id.
func objectAt(t *engine.Turn, s *engine.Ship, h hex.Hex) (engine.Feature, bool) {
	for _, f := range dark.In(t).Chart(s) {
		if !f.Gone && slices.Contains(f.Hexes, h) && f.Kind != board.Minefield && (f.Shown || f.KnownTo(t.Game.Viewer(s), []string{s.Side})) {
			return *f, true
		}
	}
	return engine.Feature{}, false
}

// trainOnObject tries for a lock on something other than a ship, or returns why it cannot. Locks
// on ships are given up; the new one ends with the phase (stcs 7.2).
func trainOnObject(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, h hex.Hex) (why string) {
	f, ok := objectAt(t, s, h)
	if !ok {
		return "nothing that sensors could be trained on is known to be there"
	}
	opaque := opaqueHexes(l, t.Game)
	if !engine.LineOfSight(s.Hex, h, func(o hex.Hex) bool { return slices.Contains(opaque, o) && !slices.Contains(f.Hexes, o) }) {
		return "something lies between"
	}
	for _, lock := range slices.Clone(ship.Of(s).Sensors().Locks) {
		Release(l, t, s, lock.Target, "the sensors turn to something else", cites.LostLocks)
	}
	BusySensors(t, s)
	b := &ship.Surveyed{Ship: s.ID, Kind: f.Kind, Name: f.Name, Hex: h, Need: rulebook.LockNeed}
	b.Roll = t.Roll(engine.NameRoll("survey", s.ID), dice.D10, engine.SeeOnly(s.ID), l.Cite(cites.SensorLocks, cites.AutomaticInformation, cites.SensorUse)...)
	if b.Held = b.Roll <= b.Need; b.Held {
		b.Facts = map[string]string{}
		for _, name := range FactNames() {
			if b.Facts[name] = f.Facts[name]; b.Facts[name] == "" {
				b.Facts[name] = l.Ground[f.Kind].Facts[name]
			}
		}
	}
	t.Emit(b, engine.SeeOnly(s.ID), l.Cite(cites.SensorLocks, cites.AutomaticInformation, cites.SensorUse)...)
	return ""
}
