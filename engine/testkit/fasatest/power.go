package fasatest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// move checks a movement word: its cost and where it leads.
func (w *walk) move(phase int, b *engine.Move) error {
	s, sys, err := w.acts(b.Ship, "moves")
	if err == nil && b.From.Heading != b.To.Heading {
		err = fit(sys, ship.ShakenHelm)
	}
	if err != nil {
		return fmt.Errorf("%s moves: %w", b.Ship, err)
	}
	w.moved[key(b.Ship, phase)] += b.Cost
	w.words[b.Ship] = b.Word
	far := hex.Distance(b.From.Hex, b.To.Hex)
	switch {
	case b.From.Hex != s.Hex || b.From.Heading != s.Heading:
		return fmt.Errorf("%s moves from where it is not", b.Ship)
	case far > 2 || far > 0 && b.Cost == 0:
		return fmt.Errorf("%s goes %d hexes for %d points", b.Ship, far, b.Cost)
	}
	for _, f := range w.g.TerrainAt(b.To.Hex) {
		if w.rules.Terrain[f.Kind].Closed && far > 0 {
			return fmt.Errorf("%s enters %s", b.Ship, f.ID)
		}
	}
	return nil
}

// used checks a completed movement phase: all of its points were used.
func (w *walk) used(phase int) error {
	for _, s := range w.g.Ships {
		_, sys, err := w.of(s.ID)
		if err != nil {
			return err
		}
		if s.Status != engine.Active || sys.Alloc.Available == 0 {
			continue
		}
		if n, want := w.moved[key(s.ID, phase)], sys.Alloc.Split[phase-1]; n != want {
			return fmt.Errorf("%s moved %d points in phase %d, not %d", s.ID, n, phase, want)
		}
	}
	return nil
}

// allocation checks a ship's power for the turn (stcs 3.1 to 3.4).
func (w *walk) allocation(b *ship.PowerSet) error {
	s, sys, err := w.mans(b.Ship, "allots power")
	if err != nil {
		return err
	}
	if s.Status == engine.Crippled {
		if b.Available+b.Movement+b.Shields+b.Weapons+b.Cloak+b.Labs+b.Unused+b.Extra+sum(b.Split)+sum(b.ShieldPoints)+len(b.Armed) > 0 {
			return fmt.Errorf("%s, which is crippled, allots power: %+v", b.Ship, b)
		}
		return nil
	}
	armed := 0
	for id, shots := range b.Shots {
		if k := bankOf(sys, id); k == nil || slices.Max(shots) > k.Shots {
			return fmt.Errorf("%s arms %s for %v shots", b.Ship, id, shots)
		}
	}
	for id, mounts := range b.Armed {
		i := slices.IndexFunc(sys.Banks, func(k ship.Bank) bool { return k.ID == id })
		if i < 0 || len(mounts) > len(sys.Banks[i].Mounts) {
			return fmt.Errorf("%s arms %s, which it does not have", b.Ship, id)
		}
		for m, power := range mounts {
			armed += power
			if err := charged(&sys.Banks[i], m, power, shotsOf(b, id, m), sys.Has("hull")); err != nil {
				return fmt.Errorf("%s: %w", b.Ship, err)
			}
		}
	}
	// Power that the crew repairs in this phase counts from the next turn.
	gives := sys.Power - w.gained[b.Ship] + b.Extra
	cost := sys.Design.Shield.Cost(sum(b.ShieldPoints) - w.raised[b.Ship])
	switch {
	case b.Movement+b.Shields+b.Weapons+b.Cloak+b.Labs+b.Unused != b.Available || b.Available != gives || b.Unused < 0:
		return fmt.Errorf("%s: %d + %d + %d + %d + %d and %d unused of %d, the engines give %d", b.Ship, b.Movement, b.Shields, b.Weapons, b.Cloak, b.Labs, b.Unused, b.Available, gives)
	case b.Extra > 0 && !w.bonus[b.Ship]:
		return fmt.Errorf("%s has %d power out of nothing", b.Ship, b.Extra)
	case b.Points != sum(b.Split) || !slices.Equal(b.Split, w.phases(sys, b.Movement)):
		return fmt.Errorf("%s: %d points for %d power at %s", b.Ship, b.Points, b.Movement, sys.Design.Move)
	case b.Shields < cost || b.Shields != cost && b.Extra == 0 && w.raised[b.Ship] == 0:
		return fmt.Errorf("%s: %v for %d power at %s", b.Ship, b.ShieldPoints, b.Shields, sys.Design.Shield)
	case b.Cloak != 0 && (!sys.Has("cloak") || b.Cloak != sys.Cloak().Need):
		return fmt.Errorf("%s: %d power for a cloak", b.Ship, b.Cloak)
	case b.Labs != 0 && b.Labs > sys.Labs().Boxes:
		return fmt.Errorf("%s lights %d laboratories of %d", b.Ship, b.Labs, sys.Labs().Boxes)
	case armed != b.Weapons:
		return fmt.Errorf("%s: %d armed for %d power", b.Ship, armed, b.Weapons)
	}
	return w.shares(s, sys, b)
}

// shotsOf returns the number of shots that a mount is armed for (stcs 14.2).
func shotsOf(b *ship.PowerSet, bank string, m int) int {
	if shots := b.Shots[bank]; m < len(shots) {
		return max(1, shots[m])
	}
	return 1
}

// charged checks the power in a mount: a beam takes up to its maximum, a laser that for each shot, a missile exactly
// what arms it, or, for a launcher where damage is detailed, also half of that; a beam that was repaired, or may be
// this turn, half of its maximum (stcs 14.2, 14.4, 16.4).
func charged(b *ship.Bank, m, power, shots int, detailed bool) error {
	most := b.Max
	if b.Mounts[m].Repaired || b.Mounts[m].Destroyed {
		most /= 2
	}
	switch {
	case power == 0:
	case b.Kind == tables.Beam && power > most*shots, shots > 1 && power < shots:
		return fmt.Errorf("mount %d of %s, which takes %d, is armed with %d", m+1, b.ID, most, power)
	case b.Kind == tables.Plasma && detailed && power == (b.Arm+1)/2:
	case b.Kind != tables.Beam && power != b.Arm:
		return fmt.Errorf("mount %d of %s, which takes %d, is armed with %d", m+1, b.ID, b.Arm, power)
	}
	return nil
}

// shed checks power cut during a turn (ruling D23): nothing may get more of it.
func (w *walk) shed(b *ship.Shed) error {
	_, sys, err := w.of(b.Ship)
	if err != nil {
		return err
	}
	if w.book.keeps {
		return fmt.Errorf("%s sheds power", b.Ship)
	}
	was, is := sys.Alloc, b.Alloc
	w.cut[b.Ship] = b.Power.Before - b.Power.After
	if b.Power.After >= b.Power.Before || is.Movement > was.Movement || is.Shields > was.Shields || is.Weapons > was.Weapons || is.Points != sum(is.Split) {
		return fmt.Errorf("%s sheds power: %+v, then %+v", b.Ship, was, is)
	}
	for i, points := range b.Set {
		if points > sys.Shields[i].Set {
			return fmt.Errorf("%s sheds power and raises shield %d", b.Ship, i+1)
		}
	}
	for i := range sys.Banks {
		for m, power := range b.Armed[sys.Banks[i].ID] {
			bank, mount := &sys.Banks[i], sys.Banks[i].Mounts[m]
			lost := mount.Destroyed && !sys.Has("hull") // how its power is cut does not matter
			if power > mount.Armed || bank.Kind != tables.Beam && !lost && power != 0 && power != mount.Armed {
				return fmt.Errorf("%s sheds power, and mount %d of %s goes from %d to %d", b.Ship, m+1, bank.ID, mount.Armed, power)
			}
		}
	}
	return nil
}

// effort checks a crew's work beyond duty (stcs 12.3, ruling D38).
func (w *walk) effort(b *ship.Bonus) error {
	_, sys, err := w.mans(b.Ship, "does its best")
	if err != nil {
		return err
	}
	want := 0
	switch {
	case b.Roll > b.Need:
	case b.Roll <= 5:
		want = 2
	default:
		want = 1
	}
	switch b.What {
	case "superstructure":
		want = min(want, sys.Design.Superstructure-sys.Superstructure)
	case "engine":
		for _, c := range b.Engines { // of a successful repair
			i := slices.IndexFunc(sys.Engines(), func(e ship.Engine) bool { return e.Name == c.Engine })
			if i < 0 {
				return fmt.Errorf("%s repairs %s, which it does not have", b.Ship, c.Engine)
			}
			want = min(want, sys.Engines()[i].Max-sys.Engines()[i].Now)
		}
	}
	if w.bonus[b.Ship] || b.Need != w.efficiency(sys) || b.Points != want {
		return fmt.Errorf("%s: %+v with an efficiency of %d", b.Ship, b, w.efficiency(sys))
	}
	w.bonus[b.Ship] = true
	gained := 0
	for _, c := range b.Engines {
		gained += c.After - c.Before
	}
	w.gained[b.Ship] = gained
	if b.Superstructure != nil {
		gained += b.Superstructure.After - b.Superstructure.Before
	}
	if b.What != "power" && gained != b.Points {
		return fmt.Errorf("%s repairs %d, not %d", b.Ship, gained, b.Points)
	}
	return nil
}

// efficiency returns a crew's efficiency, less 10 for each full 10 per cent of casualties (stcs 15.14).
func (w *walk) efficiency(sys *ship.State) int {
	if !sys.Has("people") {
		return 0
	}
	return max(0, sys.People().Efficiency-10*shortHanded(sys))
}

// shortHanded returns the reduction for casualties: 1 for each full 10 per cent.
func shortHanded(sys *ship.State) int {
	if !sys.Has("crew") {
		return 0
	}
	return sys.Crew().Lost / 100
}

func key(ship engine.ShipID, n int) string { return fmt.Sprintf("%s %d", ship, n) }

func sum(ns []int) int {
	t := 0
	for _, n := range ns {
		t += n
	}
	return t
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// points returns the movement points for some power.
func (w *walk) points(sys *ship.State, power int) int {
	points := sys.Design.Move.Points(power)
	if w.book.most > 0 {
		points = min(points, w.book.most)
	}
	return points
}

// phases returns the movement points of each phase for some power. If the engine room was hit in the last phase of
// the previous turn, the first phase has none (stcs 21.4).
func (w *walk) phases(sys *ship.State, power int) []int {
	out := split(w.rules.Rounds(), w.points(sys, power))
	if sys.Has(ship.SysBridge) && sys.Bridge().Dead {
		out[0] = 0
	}
	return out
}

// split returns the points of each phase: an even share, and one more in the phases that the printed table names for
// the remainder (stcs 3.6).
func split(phases, points int) []int {
	more := map[int][]string{3: {"", "2", "13"}, 5: {"", "3", "24", "135", "1245"}}[phases]
	out := make([]int, phases)
	for n := range out {
		out[n] = points / phases
		if len(more) > 0 && strings.Contains(more[points%phases], strconv.Itoa(n+1)) {
			out[n]++
		}
	}
	return out
}
