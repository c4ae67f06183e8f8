package fasatest

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
)

// sound checks all ships after an event: no track is below zero or above what was built, and related figures are
// consistent.
func (w *walk) sound() error {
	for _, s := range w.g.Ships {
		_, sys, err := w.of(s.ID)
		if err != nil {
			return err
		}
		if err := w.soundShip(sys); err != nil {
			return fmt.Errorf("%s: %w", s.ID, err)
		}
	}
	return nil
}

func (w *walk) soundShip(sys *ship.State) error {
	for i, sh := range sys.Shields {
		useless := sh.Down || gridDown(sys, "shield-grid") || sys.Cloak().On
		if sh.Now < 0 || sh.Now > sh.Set || sh.Set > sys.Design.MaxShield || useless && sh.Now != 0 {
			return fmt.Errorf("shield %d is %+v", i+1, sh)
		}
	}
	power := 0
	for _, e := range sys.Engines() {
		if power += e.Now; e.Now < 0 || e.Now > e.Max {
			return fmt.Errorf("engine %+v", e)
		}
	}
	switch {
	case sys.Power < 0 || sys.Power > sys.Design.Power || len(sys.Engines()) > 0 && power != sys.Power:
		return fmt.Errorf("power %d, engines %+v", sys.Power, sys.Engines())
	case sys.Superstructure > sys.Design.Superstructure:
		return fmt.Errorf("superstructure %d of %d", sys.Superstructure, sys.Design.Superstructure)
	case sys.Alloc.Points != sum(sys.Alloc.Split):
		return fmt.Errorf("%+v", sys.Alloc)
	case sys.Has("crew") && (sys.Crew().Lost < 0 || sys.Crew().Lost > 1000):
		return fmt.Errorf("casualties of %d per mille", sys.Crew().Lost)
	case sys.Has("helm") && (sys.Helm().Warp < 0 || sys.Helm().Warp > sys.Helm().Top):
		return fmt.Errorf("warp %d of %d", sys.Helm().Warp, sys.Helm().Top)
	case sys.Has("repair"):
		for name, tr := range sys.RepairState().Tracks {
			if tr.Boxes < 1 || tr.Boxes > 5 || tr.Tries < 0 {
				return fmt.Errorf("the track of %s: %+v", name, tr)
			}
		}
	}
	return w.soundSensors(sys)
}

// soundSensors checks the locks of a ship (stcs 7.1, 7.5).
func (w *walk) soundSensors(sys *ship.State) error {
	if !sys.Has("sensors") {
		return nil
	}
	plain := 0
	for _, lock := range sys.Sensors().Locks {
		plain += one(!lock.Cloaked)
		if _, ok := w.g.Ship(lock.Target); !ok {
			return fmt.Errorf("a lock on %s", lock.Target)
		}
	}
	if plain > 1 {
		return fmt.Errorf("locks: %+v", sys.Sensors().Locks)
	}
	return nil
}

// lock checks an attempt to get a lock (stcs 7.1, 7.5).
func (w *walk) lock(b *ship.Locking) error {
	s, sys, err := w.acts(b.Ship, "tries for a lock")
	if err != nil {
		return err
	}
	target, _, err := w.of(b.Target)
	switch {
	case err != nil:
		return err
	case !sys.Has("sensors") || sys.Sensors().Down:
		return fmt.Errorf("%s tries for a lock without sensors", b.Ship)
	case !target.Status.OnMap() || target.Status == engine.Destroyed:
		return fmt.Errorf("%s tries for a lock on %s, which is %s", b.Ship, b.Target, target.Status)
	case !w.clear(s.Hex, target.Hex):
		return fmt.Errorf("%s tries for a lock through an obstacle", b.Ship)
	case b.Held != (b.Roll <= b.Need) || (b.Held && !b.Kept) != (b.Auto != nil): // what a lock reveals by itself is reported once
		return fmt.Errorf("%s: %+v", b.Ship, b)
	}
	return nil
}

// answer checks a question: one a phase, by a ship that holds a lock.
func (w *walk) answer(e engine.Event, b *ship.Answered) error {
	_, sys, err := w.acts(b.Ship, "asks")
	if err != nil {
		return err
	}
	if w.asked[b.Ship] == e.Phase || !holds(sys, b.Target) {
		return fmt.Errorf("%s asks of %s in phase %d with %+v", b.Ship, b.Target, e.Phase, sys.Sensors())
	}
	w.asked[b.Ship] = e.Phase
	return nil
}

// holds reports whether a ship has a lock on another.
func holds(sys *ship.State, target engine.ShipID) bool {
	return sys.Has("sensors") && slices.ContainsFunc(sys.Sensors().Locks, func(l ship.Lock) bool { return l.Target == target })
}

// repair checks an attempt by repair parties (stcs 11.2, 11.3): one a phase, on something that is out of order and
// was not hit in the phase.
func (w *walk) repair(e engine.Event, b *ship.Mend) error {
	_, sys, err := w.acts(b.Ship, "repairs")
	if err != nil {
		return err
	}
	number := 0
	for _, m := range b.Modifiers {
		number += m.Value
	}
	tr := sys.RepairState().Tracks[b.System]
	switch {
	case w.mended[b.Ship] == e.Phase:
		return fmt.Errorf("%s tries a second repair in phase %d", b.Ship, e.Phase)
	case tr.Boxes < 1 || tr.Hurt >= (e.Turn-1)*w.rules.Rounds()+e.Phase:
		return fmt.Errorf("%s repairs %s with %+v", b.Ship, b.System, tr)
	case number != tr.Tries-shortHanded(sys):
		return fmt.Errorf("%s repairs %s with %+v after %d tries", b.Ship, b.System, b.Modifiers, tr.Tries)
	case b.Need > 0 && b.Done != (b.Roll <= b.Need), b.Need <= 0 && !w.slim(b.Need, b.Roll, b.Done, b.Slim, b.Second):
		return fmt.Errorf("%s repairs %s: needs %d, rolled %d, done: %v", b.Ship, b.System, b.Need, b.Roll, b.Done)
	}
	w.mended[b.Ship] = e.Phase
	return nil
}

// unmended compares the ships before and after: without repairs nothing works again, and every lock held is possible.
func (w *walk) unmended(before, after *engine.Game) error {
	for _, s := range after.Ships {
		was, ok := before.Ship(s.ID)
		if !ok {
			continue
		}
		old, aOK := was.System.(*ship.State)
		now, bOK := s.System.(*ship.State)
		if !aOK || !bOK {
			return fmt.Errorf("%s is not of this rule set", s.ID)
		}
		if !w.bonus[s.ID] && (now.Power > old.Power || now.Superstructure > old.Superstructure) {
			return fmt.Errorf("%s was repaired by nobody", s.ID)
		}
		if _, tried := w.mended[s.ID]; !tried {
			if err := noBetter(old, now); err != nil {
				return fmt.Errorf("%s: %w", s.ID, err)
			}
		}
		if err := w.fit(s, now); err != nil {
			return err
		}
		if err := w.locks(s, now); err != nil {
			return err
		}
		if err := w.cloaked(s, now); err != nil {
			return err
		}
	}
	return nil
}

// fit checks an active ship at the end: she has superstructure and power left (ruling D24), and no power allotted
// that her engines no longer give and that could still be cut (ruling D23).
func (w *walk) fit(s *engine.Ship, sys *ship.State) error {
	if s.Status == engine.Crippled && slices.ContainsFunc(sys.Shields, func(sh ship.Shield) bool { return sh.Now > 0 }) {
		return fmt.Errorf("%s is crippled and has shields: %+v", s.ID, sys.Shields)
	}
	if s.Status != engine.Active {
		return nil
	}
	if sys.Superstructure <= 0 || sys.Power <= 0 {
		return fmt.Errorf("%s fights on with superstructure %d and power %d", s.ID, sys.Superstructure, sys.Power)
	}
	a := sys.Alloc
	over := a.Movement + a.Shields + a.Weapons + a.Cloak + a.Labs - sys.Power - a.Extra
	if a.Available == 0 || over <= 0 || w.book.keeps {
		return nil
	}
	if a.Shields > 0 {
		return fmt.Errorf("%s has %d power too many allotted, and %d of it in shields", s.ID, over, a.Shields)
	}
	for i := range sys.Banks {
		for m, mount := range sys.Banks[i].Mounts {
			if mount.Armed > 0 && !mount.Fired && mount.Shots <= 1 {
				return fmt.Errorf("%s has %d power too many allotted, and mount %d of %s armed", s.ID, over, m+1, sys.Banks[i].ID)
			}
		}
	}
	return nil
}

// noBetter returns an error if a system works that did not before.
func noBetter(old, now *ship.State) error {
	for i := range old.Shields {
		if old.Shields[i].Down && !now.Shields[i].Down {
			return fmt.Errorf("generator %d was repaired by nobody", i+1)
		}
	}
	for i := range old.Banks {
		for m := range old.Banks[i].Mounts {
			if old.Banks[i].Mounts[m].Destroyed && !now.Banks[i].Mounts[m].Destroyed {
				return fmt.Errorf("mount %d of %s was repaired by nobody", m+1, old.Banks[i].ID)
			}
		}
	}
	if old.Sensors().Down && !now.Sensors().Down {
		return fmt.Errorf("the sensors were repaired by nobody")
	}
	return nil
}

// locks checks the locks held at the end (stcs 7.4, 7.5).
func (w *walk) locks(s *engine.Ship, sys *ship.State) error {
	if !sys.Has("sensors") {
		return nil
	}
	for _, lock := range sys.Sensors().Locks {
		target, ok := w.g.Ship(lock.Target)
		switch {
		case !ok || !target.Status.OnMap() || target.Status == engine.Destroyed:
			return fmt.Errorf("%s has a lock on %s, which is gone", s.ID, lock.Target)
		case sys.Sensors().Down || s.Status != engine.Active:
			return fmt.Errorf("%s, %s, has a lock on %s", s.ID, s.Status, lock.Target)
		case !w.clear(s.Hex, target.Hex):
			return fmt.Errorf("%s has a lock on %s through an obstacle", s.ID, lock.Target)
		}
	}
	return nil
}
