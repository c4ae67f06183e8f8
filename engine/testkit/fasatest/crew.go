package fasatest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
)

// Figures of officers' skills (stcs 20).
const (
	twice    = 5 // the highest roll that doubles the effect
	mostAims = 2 // in a turn
)

// tries checks an officer's use of a skill: it succeeds with the rating or less, and its effect is the one in the
// rules (stcs 19.2, 20).
func (w *walk) tries(phase int, b *ship.Skilled) error {
	_, sys, err := w.mans(b.Ship, "tries "+b.What)
	if err != nil {
		return err
	}
	bridge, rating := sys.Bridge(), sys.Bridge().Ratings[b.Skill]
	switch whole := !slices.Contains([]string{ship.TryScan, ship.TryPrevent, ship.TrySystem}, b.What); {
	case b.Done != (b.Roll <= b.Need) || b.Need > rating || whole && b.Need != rating:
		return fmt.Errorf("%s: %+v with a rating of %d", b.Ship, b, rating)
	case bridge.Shaky(b.Post):
		return fmt.Errorf("%s: the officer at %q is shaken and tries %s", b.Ship, b.Post, b.What)
	case b.What == ship.TryAim && bridge.Aims >= mostAims, b.What == ship.TryEase && bridge.Eased:
		return fmt.Errorf("%s tries %s once more", b.Ship, b.What)
	}
	did := ""
	switch b.What {
	case ship.TryPower, ship.TryEngine, ship.TryBoost, ship.TryShields, ship.TryReduce, ship.TrySuperstructure, ship.TryCasualties:
		did = string(b.Ship) + " " + b.Post // one of them a turn
	case ship.TryKeep:
		did = string(b.Ship) + " " + b.What
	case ship.TryScan, ship.TryQuestion:
		did = key(b.Ship+" sensors", phase) // one of them a phase
	}
	if did != "" && w.tried[did] {
		return fmt.Errorf("the officer at %q of %s tries %s as a second thing", b.Post, b.Ship, b.What)
	}
	w.tried[did] = did != ""
	want := 0
	switch {
	case !b.Done:
	case b.Roll <= twice:
		want = 2
	default:
		want = 1
	}
	gained := 0
	switch b.What {
	case ship.TryShields:
		if most := max(1, sys.Design.Shield.Points(want+1)); b.Points > most || b.Points > 0 && !b.Done {
			return fmt.Errorf("%s raises a shield by %d, by %d at most", b.Ship, b.Points, most)
		}
		w.raised[b.Ship] = b.Points
		return nil
	case ship.TryPower:
		w.bonus[b.Ship] = w.bonus[b.Ship] || b.Done
	case ship.TryEngine:
		for _, c := range b.Engines {
			gained += c.After - c.Before
			if e := engineOf(sys, c.Engine); e == nil || e.Now != c.Before {
				return fmt.Errorf("%s repairs %+v", b.Ship, c)
			}
		}
		w.gained[b.Ship] = gained
		w.bonus[b.Ship] = true
	case ship.TrySuperstructure:
		if b.Superstructure != nil {
			gained = b.Superstructure.After - b.Superstructure.Before
		}
		w.bonus[b.Ship] = true
	default:
		return nil
	}
	if b.What != ship.TryPower && (gained != b.Points || gained > want) || b.What == ship.TryPower && b.Points != want {
		return fmt.Errorf("%s: %+v", b.Ship, b)
	}
	return nil
}

// shares checks power against the totals set by a crew's engineer (stcs 22.2).
func (w *walk) shares(s *engine.Ship, sys *ship.State, b *ship.PowerSet) error {
	if len(s.Crew) == 0 {
		return nil
	}
	for line := range strings.Lines(sys.Standing.Last) {
		var move, weapons, shields int
		if n, err := fmt.Sscanf(line, "totals move %d weapons %d shields %d", &move, &weapons, &shields); err != nil || n < 3 {
			continue
		}
		shields += sys.Design.Shield.Cost(w.raised[b.Ship])
		if over := max(0, b.Movement-move) + max(0, b.Weapons-weapons) + max(0, b.Shields-shields); over > b.Extra {
			return fmt.Errorf("%s gives out %d, %d and %d power for movement, weapons and shields; the engineer's are %d, %d and %d", b.Ship, b.Movement, b.Weapons, b.Shields, move, weapons, shields)
		}
	}
	return nil
}

// cuts checks what the engineer is told about power that was cut: all of it (stcs 21.5).
func (w *walk) cuts(b *ship.Cut) error {
	if b.Post != ship.PostEngineer {
		return nil
	}
	told := 0
	for _, what := range b.What {
		_, amount, _ := strings.Cut(what, " ")
		n, err := strconv.Atoi(amount)
		if err != nil {
			return fmt.Errorf("%s: %q is cut", b.Ship, what)
		}
		told += n
	}
	if told != w.cut[b.Ship] {
		return fmt.Errorf("%s: %d power are cut, the engineer is told of %v", b.Ship, w.cut[b.Ship], b.What)
	}
	return nil
}

// fit returns an error if a ship cannot fire or turn: her helm or a system is shaken, or her engine room was hit
// (stcs 21).
func fit(sys *ship.State, system string) error {
	if !sys.Has(ship.SysBridge) {
		return nil
	}
	if b := sys.Bridge(); b.Shaky(ship.PostHelm) || b.Idle(system) {
		return fmt.Errorf("the helm is shaken, or the %s have no power", system)
	}
	return nil
}

// spares checks the damage that the science officer takes off a hit (stcs 20.4).
func (w *walk) spares(b *ship.Spared) error {
	_, sys, err := w.acts(b.Ship, "takes damage off")
	if err != nil {
		return err
	}
	hit := hitKey(b.Ship, b.From, b.Weapon, b.Mount)
	if b.Points < 1 || b.Points > w.owed[hit] || b.Left != sys.Bridge().Reduce-b.Points || b.Left < 0 {
		return fmt.Errorf("%s takes %d of %d points off, %d are left of %d", b.Ship, b.Points, w.owed[hit], b.Left, sys.Bridge().Reduce)
	}
	w.owed[hit] -= b.Points
	w.spared[hit] += b.Points
	return nil
}

// eases records that the helm took stress off an emergency heading change.
func (w *walk) eases(e engine.Event, b *ship.Skilled) {
	if b.What == ship.TryEase && b.Done {
		w.eased = key(b.Ship, e.Phase)
	}
}
