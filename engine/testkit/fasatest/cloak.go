package fasatest

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
)

// cloaking checks the switching of a cloak (stcs 10.4): two switches must have a movement phase between them, except
// when a cloak goes off for lack of power.
func (w *walk) cloaking(e engine.Event, b *ship.Cloaking) error {
	_, sys, err := w.of(b.Ship)
	if err != nil {
		return err
	}
	if !sys.Has("cloak") {
		return fmt.Errorf("%s has no cloak", b.Ship)
	}
	done := (e.Turn-1)*w.rules.Rounds() + e.Phase // movement phases since the game began
	last, switched := w.switched[b.Ship]
	soon := switched && last == done || !switched && sys.Cloak().Late && done == (e.Turn-1)*w.rules.Rounds()
	if soon && (b.On || !strings.Contains(b.Why, "power")) {
		return fmt.Errorf("%s switches its cloak twice without a movement phase between", b.Ship)
	}
	w.switched[b.Ship] = done
	return nil
}

// hidden reports whether a ship is active and cloaked.
func hidden(s *engine.Ship, sys *ship.State) bool {
	return s.Status == engine.Active && sys.Cloak().On
}

// findable returns an error if fire at a target, or a lock on it, is impossible: only ships that have found a cloaked
// ship themselves can fire at her (stcs 10.6, 10.8).
func (w *walk) findable(target *engine.Ship, by *ship.State) error {
	_, sys, err := w.of(target.ID)
	if err == nil && hidden(target, sys) && !holds(by, target.ID) {
		err = fmt.Errorf("%s is cloaked, and was not found", target.ID)
	}
	return err
}

// shrouded checks the cloak's modifier for fire at a ship: -3 while she moves, -5 while she does not (stcs 10.8).
func shrouded(target *engine.Ship, sys *ship.State, named map[string]int) error {
	moving, still := named["cloaked, moving"], named["cloaked, stationary"]
	switch {
	case !hidden(target, sys) && moving == 0 && still == 0:
		return nil
	case hidden(target, sys) && (moving == -3 && still == 0 || moving == 0 && still == -5):
		return nil
	}
	return fmt.Errorf("fire at %s, cloaked: %v, with %v", target.ID, hidden(target, sys), named)
}

// cloaked checks a cloak at the end: it has the power it needs, and no lock on the ship is left from before she
// cloaked.
func (w *walk) cloaked(s *engine.Ship, sys *ship.State) error {
	if !hidden(s, sys) {
		return nil
	}
	if sys.Alloc.Available > 0 && sys.Alloc.Cloak != sys.Cloak().Need {
		return fmt.Errorf("%s is cloaked with %d power for it", s.ID, sys.Alloc.Cloak)
	}
	for _, o := range w.g.Ships {
		_, by, err := w.of(o.ID)
		if err != nil {
			return err
		}
		if !by.Has("sensors") || o.Side == s.Side {
			continue
		}
		for _, lock := range by.Sensors().Locks {
			if lock.Target == s.ID && !lock.Cloaked {
				return fmt.Errorf("%s keeps a lock on %s, which has cloaked", o.ID, s.ID)
			}
		}
	}
	return nil
}
