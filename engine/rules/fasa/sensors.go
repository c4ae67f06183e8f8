package fasa

import (
	"slices"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
)

// sense carries out a sensors phase (stcs 6.3): ship by ship, the one with the
// advantage last, each tries for a lock if it has a target, and asks a question if
// it has a lock.
func (l *rulebook) sense(t *engine.Turn) {
	l.noteVisibility(t)
	for _, id := range memo(t).advantage {
		if s, ok := t.Game.Ship(id); ok && s.Status == engine.Active {
			if why := l.unmanned(s); why != "" {
				l.leaveSensors(t, s, why)
				continue
			}
			l.train(t, s)
			l.keepTrack(t, s)
			l.standingScan(t, s)
			if dimmed := turnNotes[sightNotes](t).dimmed; len(dimmed) > 0 {
				l.noteVisibility(t, dimmed...)
			}
			l.inquire(t, s)
		}
	}
}

// leaveSensors passes over what a ship's sensors should do in a phase, of which there is a
// reason that they can do nothing.
func (l *rulebook) leaveSensors(t *engine.Turn, s *engine.Ship, why string) {
	skip := func(line int, text string) {
		l.skip(t, s, ship.PostScience, line, text, why, cites.SensorPhase)
	}
	for _, o := range orderedNow[sensing](t, s) {
		skip(o.line, o.text)
	}
	for _, o := range orderedNow[asking](t, s) {
		skip(o.line, o.text)
	}
}

// train points the sensors: as ordered for the phase, else as the standing orders
// say.
func (l *rulebook) train(t *engine.Turn, s *engine.Ship) {
	for _, o := range orderedNow[sensing](t, s) {
		target := l.aimed(t.Game, s, o.target)
		if met, missing := l.judge(t, s, target, nil, o.when); !met {
			if len(missing) > 0 {
				l.unknown(t, s, ship.PostScience, o.line, o.text, missing)
			}
			continue
		}
		defer t.Following(t.Ordered(s.ID, o.line, o.text))()
		why := ""
		switch {
		case ship.Of(s).Sensors().Down:
			why = "the sensors are damaged"
		case o.object != nil:
			why = l.trainOnObject(t, s, *o.object)
		case o.scan != nil:
			why = l.scanWay(t, s, *o.scan)
		default:
			why = l.aimSensors(t, s, target)
		}
		if why != "" {
			l.skip(t, s, ship.PostScience, o.line, o.text, why, cites.SensorLocks)
		}
		return
	}
	k, want := ship.Of(s).Sensors(), ship.Of(s).Standing.Word("sensors")
	switch {
	case want == "" || want == noTarget || k.Down:
	case want == board.AimNearest && len(k.Locks) > 0: // a lock in hand is not given up for a nearer ship
	default:
		defer t.Following(t.OrderedIn(s.ID, "standing", "sensors"))()
		l.aimSensors(t, s, l.aimed(t.Game, s, engine.ShipID(want)))
	}
}

// aimSensors tries for a lock on a ship, and says why that cannot be. A lock that
// is held needs no other roll; one on another ship is given up.
func (l *rulebook) aimSensors(t *engine.Turn, s *engine.Ship, target engine.ShipID) (why string) {
	if target == noTarget {
		for _, lock := range slices.Clone(ship.Of(s).Sensors().Locks) {
			l.release(t, s, lock.Target, "it is let go", cites.LostLocks)
		}
		return ""
	}
	other, ok := l.shown(t.Game, s, target)
	switch {
	case target == "":
		return "no such ship is in sight"
	case !ok || !l.aware(t.Game, s, other):
		return "that ship is not in sight"
	case other.Status == engine.Destroyed:
		return "that ship is destroyed"
	case other.Small():
		return "sensors are trained on ships"
	case locked(s, target):
		return ""
	}
	if why = l.tooFaint(t.Game, s, other); why != "" {
		return why
	}
	if why = l.screened(t.Game, s, other); why != "" {
		return why
	}
	for _, lock := range slices.Clone(ship.Of(s).Sensors().Locks) {
		l.release(t, s, lock.Target, "the sensors turn to "+l.called(t.Game, s, other), cites.LostLocks)
	}
	busySensors(t, s)
	need, roll := l.lockDie(l, t, s, target)
	l.lockOn(t, s, other, ship.Locking{Need: need, Roll: roll, Held: roll <= need}, cites.SensorPhase, cites.SensorLocks, cites.SensorUse)
	return ""
}

// lockByDie is a try for a lock by one die (stcs 7.1).
func lockByDie(l *rulebook, t *engine.Turn, s *engine.Ship, target engine.ShipID) (need, roll int) {
	return lockNeed, t.Roll(engine.NameRoll("lock", s.ID, target), dice.D10, engine.SeeOnly(s.ID), l.cite(cites.SensorLocks, cites.SensorUse)...)
}

// lockOn records a try for a lock and what a lock tells by itself (stcs 7.2). The
// need, the roll and whether it is held are given.
func (l *rulebook) lockOn(t *engine.Turn, s, target *engine.Ship, b ship.Locking, rule ...cites.Topic) {
	b.Ship, b.Target = s.ID, target.ID
	if b.Since == (engine.Moment{}) {
		b.Since = moment(t)
	}
	if b.Held && !b.Kept {
		b.Auto = automatic(s, target)
		rule = append(rule, cites.AutomaticInformation)
	}
	t.Emit(&b, engine.SeeOnly(s.ID), l.cite(rule...)...)
}

// automatic is what is told of a ship when a lock on it is got: its class and race,
// whether its sensors are trained on the asker, and how many are aboard if no
// shield is up (stcs 7.2).
func automatic(s, target *engine.Ship) *ship.Automatic {
	sys := ship.Of(target)
	k := sys.Sensors()
	a := &ship.Automatic{Class: target.Class, Race: k.Navy, Back: k.Target == s.ID}
	if slices.ContainsFunc(sys.Shields, func(sh ship.Shield) bool { return sh.Now > 0 }) {
		a.Shielded = true
	} else {
		a.Aboard = aboutTen(k.Crew)
	}
	return a
}

// aboutTen rounds to the nearest ten, and up to ten what is less.
func aboutTen(n int) int {
	if n <= 0 {
		return 0
	}
	return max(10, (n+5)/10*10)
}

// hitScanners damages the sensors: no fire, no lock and no warping out until they
// are repaired (stcs 7.5, 11.1).
func hitScanners(in *damageResolver) {
	if in.sys.Sensors().Down {
		in.wasted("the sensors are out already", cites.DamagedSensors, cites.HalfDamage)
		return
	}
	in.cite(cites.DamagedSensors)
	in.mark(ship.SensorFault())
}

// scannersOut keeps a ship with damaged sensors from firing (stcs 7.5).
func scannersOut(_ *rulebook, _ *engine.Turn, s *engine.Ship) (string, []cites.Topic) {
	if ship.Of(s).Sensors().Down {
		return "the sensors are damaged: no fire until they are repaired", []cites.Topic{cites.DamagedSensors}
	}
	return "", nil
}
