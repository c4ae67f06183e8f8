// Package sfbtest checks turns of the family sfb against the rules, with its own figures, however the turns were
// played. Its only input is the events and states of the engine. Things that a single case can express belong in a
// case.
package sfbtest

import (
	"fmt"
	"strings"

	"starpost/engine/rules/sfb/state"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/sheet"
)

// Check checks a resolved turn, or a round, against the rules of its game: for the house rules with [checkHouse], in
// the cadet game that
//
//   - boxes only decrease, except for shields repaired at the end, two boxes at most;
//   - energy spent exists: from the warp engines, in all, from the batteries and the
//     capacitors, and for arming by turns;
//   - ships move on the impulses of the chart, a hex each, and turn no sooner than the
//     turn mode allows;
//   - no weapon fires twice in a turn, within four impulses of its last shot, out of its
//     arc or beyond its chart, and each does what its chart says;
//   - a cloak is paid for; a cloaked ship neither fires nor launches, and fire and drones
//     do less to her;
//   - drones and plasma fly a hex each impulse, the first straight ahead, turn by at most one side,
//     fly at most 48 or 25 impulses, and strike in their target's hex;
//   - a volley is everything that hit a shield in an impulse, with no point lost;
//   - each point inside goes where the chart says, past columns with no box left,
//     and a ship dies at the point after her last box, not before.
func Check(before *engine.Game, events []engine.Event) error {
	if before.Rules == "sfb-house" {
		return checkHouse(before, events)
	}
	w := &walk{g: before.Clone(), straight: map[engine.ShipID]int{}, moved: map[engine.ShipID]int{}, owed: map[[2]engine.ShipID]int{}, inside: map[engine.ShipID]int{}, last: map[string]int{}, form: map[engine.ShipID]*state.Energy{}, dice: map[string][]int{}}
	for _, s := range w.g.Ships {
		if sys := system(s); sys.Flight == nil {
			w.straight[s.ID] = sys.Straight
			for i := range sys.Weapons {
				if f := sys.Weapons[i].Fired; f.Turn > 0 {
					w.last[string(s.ID)+"."+sys.Sheet.Banks[sys.Weapons[i].Bank].Name] = 16*f.Turn + f.Impulse
				}
			}
		}
	}
	if err := apply(w.g, events, w.look, w.sound); err != nil {
		return err
	}
	return w.settled(999)
}

// apply applies events to a game one by one, calling look before each, and sound after it with the previous boxes.
func apply(g *engine.Game, events []engine.Event, look func(*engine.Event) error, sound func(*engine.Event, map[engine.ShipID]sheet.Sheet) error) error {
	for i := range events {
		e := &events[i]
		if err := look(e); err != nil {
			return fmt.Errorf("event %d (%s): %w", e.Seq, e.Type.Name, err)
		}
		old := boxes(g)
		if err := engine.Apply(g, *e); err != nil {
			return fmt.Errorf("walk: %w", err)
		}
		if err := sound(e, old); err != nil {
			return fmt.Errorf("after event %d (%s): %w", e.Seq, e.Type.Name, err)
		}
	}
	return nil
}

// walk is the state of checking a turn.
type walk struct {
	g        *engine.Game
	impulse  int
	straight map[engine.ShipID]int
	moved    map[engine.ShipID]int    // hexes in this impulse, by ship
	owed     map[[2]engine.ShipID]int // points against a ship's shield that are in no volley yet
	inside   map[engine.ShipID]int    // points inside a ship that are not allocated yet
	last     map[string]int           // by weapon: the impulse of its last shot, counted from the first turn
	dice     map[string][]int         // rolled and not used yet, by purpose and ship
	form     map[engine.ShipID]*state.Energy
}

func system(s *engine.Ship) *state.System { return s.System.(*state.System) }

func boxes(g *engine.Game) map[engine.ShipID]sheet.Sheet {
	out := map[engine.ShipID]sheet.Sheet{}
	for _, s := range g.Ships {
		out[s.ID] = system(s).Sheet.Clone()
	}
	return out
}

// look checks an event before it happens.
func (w *walk) look(e *engine.Event) error {
	if e.Phase != w.impulse && e.Phase > 0 || e.Step == "repair" && w.impulse > 0 {
		if err := w.impulseOver(); err != nil {
			return err
		}
		w.impulse, w.moved = e.Phase, map[engine.ShipID]int{}
	}
	switch b := e.Body.(type) {
	case *engine.Roll:
		parts := strings.Split(b.Name.String(), ".")
		for i, p := range parts[:len(parts)-2] {
			if p == "fire" || p == "damage" || p == "cloak" {
				w.dice[p+parts[i+1]] = append(w.dice[p+parts[i+1]], b.Value)
			}
		}
	case *state.Energy:
		w.form[b.Ship] = b
		return w.energy(b)
	case *state.Speed:
		if f := w.form[b.Ship]; f == nil || f.Speed != b.Speed || f.Cloak > 0 != b.Cloaked {
			return fmt.Errorf("%s goes %d, cloaked %v, which was not allotted", b.Ship, b.Speed, b.Cloaked)
		}
	case *engine.Move:
		return w.move(b)
	case *state.Fire:
		return w.fire(b)
	case *state.Launch:
		if s, _ := w.g.Ship(b.Ship); hidden(s) {
			return fmt.Errorf("%s launches under her cloak", b.Ship)
		}
		return w.again(b.Ship, b.Weapon)
	case *state.Strike:
		d, _ := w.g.Ship(b.Ship)
		t, _ := w.g.Ship(b.Target)
		if d == nil || t == nil || d.Hex != t.Hex || system(d).Flight.Target != b.Target {
			return fmt.Errorf("%s strikes %s, which it has not reached", b.Ship, b.Target)
		}
		want := does(system(d).Flight, w.age(d))
		if hidden(t) {
			if err := w.thrown("cloak", b.Target, b.Roll); err != nil {
				return err
			}
			if want /= 2; b.Roll < 5 {
				want = 0
			}
		}
		if b.Points != want || b.Roll > 0 != hidden(t) {
			return fmt.Errorf("%s strikes %s with %d, by count %d", b.Ship, b.Target, b.Points, want)
		}
		w.owed[[2]engine.ShipID{b.Target, engine.ShipID(fmt.Sprint(b.Shield))}] += b.Points
	case *state.Struck:
		return w.struck(b)
	case *state.Damage:
		return w.damage(b)
	case *engine.Out:
		return w.out(b)
	}
	return nil
}

// energy adds up a form.
func (w *walk) energy(b *state.Energy) error {
	s, _ := w.g.Ship(b.Ship)
	sys := system(s)
	left := map[sheet.Kind]int{}
	for _, bank := range sys.Sheet.Banks {
		left[bank.Kind] += bank.Left
	}
	warp, all := b.Speed-min(1, b.Speed, left[sheet.Impulse]), b.Speed+b.Phasers+2*b.AllRound+b.Recharge+b.Cloak
	if b.Cloak != 0 && (b.Cloak != 6 || sys.Sheet.Class != "cadet-romulan") {
		return fmt.Errorf("%s puts %d into a cloak", b.Ship, b.Cloak)
	}
	for i := range 6 {
		all += b.Reinforce[i] + 2*b.Repair[i]
		if b.Repair[i] < 0 || b.Reinforce[i] < 0 {
			return fmt.Errorf("less than nothing for shield %d", i+1)
		}
	}
	for name, turns := range b.Arm {
		i := sys.Sheet.Bank(name)
		if i < 0 || sys.Sheet.Banks[i].Left == 0 {
			return fmt.Errorf("%s is armed and not there", name)
		}
		kind, had := sys.Sheet.Banks[i].Kind, armed(sys, name)
		if all += 2; kind == sheet.PlasmaS && had == 2 {
			all += 2
		}
		if kind == sheet.Photon {
			warp += 2
		}
		if turns != had+1 || turns > arming[kind] {
			return fmt.Errorf("%s had %d turns of arming and has %d", name, had, turns)
		}
	}
	for _, name := range b.Hold {
		kind := sys.Sheet.Banks[sys.Sheet.Bank(name)].Kind
		all += map[sheet.Kind]int{sheet.Photon: 1, sheet.PlasmaS: 2}[kind]
		if armed(sys, name) != arming[kind] || kind == sheet.Disruptor {
			return fmt.Errorf("%s is held and has had %d turns of arming", name, armed(sys, name))
		}
	}
	for _, lit := range b.Purse { // laboratories, in the dark
		all += lit
	}
	have := left[sheet.Warp] + left[sheet.Impulse] + left[sheet.Reactor]
	switch {
	case b.Available != have || b.Batteries > sys.Batteries || b.Batteries < 0:
		return fmt.Errorf("%d energy and %d of batteries, where there are %d and %d", b.Available, b.Batteries, have, sys.Batteries)
	case all+b.Unused != have+b.Batteries || b.Unused < 0:
		return fmt.Errorf("%d energy used and %d not, of %d", all, b.Unused, have+b.Batteries)
	case warp > left[sheet.Warp]:
		return fmt.Errorf("%d energy of warp engines that give %d", warp, left[sheet.Warp])
	case b.Speed > 16 || b.Speed > max(2*sys.Speed, sys.Speed+10):
		return fmt.Errorf("speed %d after %d", b.Speed, sys.Speed)
	}
	return nil
}

// hidden reports whether a ship is cloaked.
func hidden(s *engine.Ship) bool { return system(s).Cloaked && s.Status == engine.Active }

func armed(sys *state.System, weapon string) int {
	for _, x := range sys.Weapons {
		if sys.Sheet.Banks[x.Bank].Name == weapon {
			return x.Armed
		}
	}
	return -1
}

// move checks a hex of movement.
func (w *walk) move(b *engine.Move) error {
	s, _ := w.g.Ship(b.Ship)
	sys := system(s)
	turn := map[string]int{"F": 0, "L": -1, "R": 1}[b.Word]
	if to := b.From.Heading.Turn(turn); to != b.To.Heading || b.From.Hex.Step(to) != b.To.Hex {
		return fmt.Errorf("%s does not lead from %s %s to %s %s", b.Word, b.From.Hex, b.From.Heading, b.To.Hex, b.To.Heading)
	}
	if w.moved[b.Ship]++; w.moved[b.Ship] > 1 {
		return fmt.Errorf("%s moves twice in an impulse", b.Ship)
	}
	if f := sys.Flight; f != nil {
		age := w.age(s)
		if age < 1 || age > 48 || f.Kind != "" && age > 25 || age == 1 && b.Word != "F" {
			return fmt.Errorf("%s moves %s in its impulse %d", b.Ship, b.Word, age)
		}
		return nil
	}
	if s.Status != engine.Active {
		return fmt.Errorf("%s is %s and moves", b.Ship, s.Status)
	}
	if b.Word != "F" && w.straight[b.Ship] < mode(sys.Sheet.Class, sys.Speed) {
		return fmt.Errorf("%s turns after %d hexes at speed %d", b.Ship, w.straight[b.Ship], sys.Speed)
	}
	if w.straight[b.Ship]++; b.Word != "F" {
		w.straight[b.Ship] = 1
	}
	return nil
}

// age returns how many impulses ago a drone was launched.
func (w *walk) age(d *engine.Ship) int {
	l := system(d).Flight.Launched
	return 16*(w.g.Turn-l.Turn) + w.impulse - l.Impulse
}

// thrown takes the next die rolled for a ship's fire, or for damage to her.
func (w *walk) thrown(what string, ship engine.ShipID, roll int) error {
	dice := w.dice[what+string(ship)]
	if len(dice) == 0 || dice[0] != roll {
		return fmt.Errorf("die %d for %s, thrown were %v", roll, what, dice)
	}
	w.dice[what+string(ship)] = dice[1:]
	return nil
}

// again checks that a weapon may fire or launch now.
func (w *walk) again(ship engine.ShipID, weapon string) error {
	key, now := string(ship)+"."+weapon, 16*w.g.Turn+w.impulse
	if last, fired := w.last[key]; fired && (now-last < 4 || (last-1)/16 == (now-1)/16) {
		return fmt.Errorf("%s fires on %d and fired on %d", key, now, last)
	}
	w.last[key] = now
	return nil
}

// fire checks a shot.
func (w *walk) fire(b *state.Fire) error {
	s, _ := w.g.Ship(b.Ship)
	t, _ := w.g.Ship(b.Target)
	sys := system(s)
	i := sys.Sheet.Bank(b.Weapon)
	if i < 0 || sys.Sheet.Banks[i].Left < 1 || s.Status != engine.Active {
		return fmt.Errorf("%s fires %s, which is not there", b.Ship, b.Weapon)
	}
	bank := sys.Sheet.Banks[i]
	if err := w.again(b.Ship, b.Weapon); err != nil {
		return err
	}
	if err := w.thrown("fire", b.Ship, b.Roll); err != nil {
		return err
	}
	more := 0
	if t.Small() && !bank.Kind.Phaser() {
		more = 2
	}
	rng := hex.Distance(s.Hex, t.Hex)
	as := rng
	if hidden(t) {
		as = 2*rng + 5
	}
	if counts := as - b2i(as == rng)*rng; b.Counts != counts || hidden(s) {
		return fmt.Errorf("%s (cloaked: %v) fires as from range %d, by count %d", b.Ship, hidden(s), b.Counts, counts)
	}
	if effect(bank.Kind, rng, 1) < 0 {
		return fmt.Errorf("%s fires at range %d", b.Weapon, rng)
	}
	if want := effect(bank.Kind, as, b.Roll+more); want != b.Points || rng != b.Range || b.Hit != (b.Points > 0) || b.More != more {
		return fmt.Errorf("%s at range %d with die %d does %d, the chart says %d", b.Weapon, b.Range, b.Roll, b.Points, want)
	}
	if p, apart := hex.Bearing(s.Hex, t.Hex); apart && !bank.Arcs.Bear(p.Relative(s.Heading)) {
		return fmt.Errorf("%s does not bear on %s", b.Weapon, b.Target)
	}
	if t.Kind == engine.KindPlasma && !bank.Kind.Phaser() {
		return fmt.Errorf("%s is fired at plasma", b.Weapon)
	}
	if armed(sys, b.Weapon) < arming[bank.Kind] || bank.Kind.Phaser() && sys.Capacitor < 1 {
		return fmt.Errorf("%s fires without energy", b.Weapon)
	}
	if t.Small() {
		return nil
	}
	if p, apart := hex.Bearing(t.Hex, s.Hex); apart {
		one, other, _ := hex.Side(p.Relative(t.Heading))
		if b.Shield != one+1 && b.Shield != other+1 {
			return fmt.Errorf("shield %d of %s is not turned to %s", b.Shield, b.Target, b.Ship)
		}
	}
	w.owed[[2]engine.ShipID{b.Target, engine.ShipID(fmt.Sprint(b.Shield))}] += b.Points
	return nil
}

// struck checks that a volley has all points against its shield, and what stops them.
func (w *walk) struck(b *state.Struck) error {
	s, _ := w.g.Ship(b.Ship)
	sys := system(s)
	key := [2]engine.ShipID{b.Ship, engine.ShipID(fmt.Sprint(b.Shield))}
	all := min(b.Points, sys.AllRound)
	one := min(b.Points-all, sys.Reinforce[b.Shield-1])
	took := min(b.Points-all-one, sys.Sheet.Shields[b.Shield-1].Left)
	switch {
	case w.owed[key] != b.Points:
		return fmt.Errorf("shield %d of %s is struck by %d, the volley has %d", b.Shield, b.Ship, w.owed[key], b.Points)
	case b.AllRound != all || b.Reinforce != one || b.Before-b.After != took || b.Inside != b.Points-all-one-took:
		return fmt.Errorf("of %d points reinforcement stops %d and %d, boxes %d, %d go inside; by count %d, %d, %d", b.Points, b.AllRound, b.Reinforce, b.Before-b.After, b.Inside, all, one, took)
	}
	delete(w.owed, key)
	w.inside[b.Ship] += b.Inside
	return nil
}

// damage checks one point inside.
func (w *walk) damage(b *state.Damage) error {
	s, _ := w.g.Ship(b.Ship)
	hers := &system(s).Sheet
	if w.inside[b.Ship] < 1 {
		return fmt.Errorf("%s takes a point that nothing did", b.Ship)
	}
	w.inside[b.Ship]--
	if err := w.thrown("damage", b.Ship, b.Roll); err != nil {
		return err
	}
	names := map[byte]sheet.Category{'h': sheet.HullBoxes, 'e': sheet.EngineBoxes, 'o': sheet.OtherBoxes, 'w': sheet.WeaponBoxes}
	for i := range 4 {
		kind := names[columns[b.Roll-1][i]]
		if left(hers, kind) == 0 {
			continue
		}
		if b.Category != kind || len(b.Passed) != i {
			return fmt.Errorf("die %d hits %s after %d columns, the chart says %s after %d", b.Roll, b.Category, len(b.Passed), kind, i)
		}
		j := hers.Bank(b.Bank)
		if j < 0 || hers.Banks[j].Kind.Category() != kind || b.After != b.Before-1 {
			return fmt.Errorf("%s is no box of %s", b.Bank, kind)
		}
		return nil
	}
	if b.Category != sheet.ExcessBoxes || (b.Bank == "") != (left(hers, sheet.ExcessBoxes) == 0) {
		return fmt.Errorf("with all boxes gone die %d hits %s %s", b.Roll, b.Category, b.Bank)
	}
	if b.Bank == "" {
		w.inside[b.Ship] = -1 // the next event must destroy the ship
	}
	return nil
}

func left(s *sheet.Sheet, c sheet.Category) (n int) {
	for _, b := range s.Banks {
		if b.Kind.Category() == c {
			n += b.Left
		}
	}
	return n
}

// out checks that a ship is destroyed by the chart, and crippled when she has nothing to move or fight with.
func (w *walk) out(b *engine.Out) error {
	s, _ := w.g.Ship(b.Ship)
	if s.Small() {
		return nil
	}
	hers := &system(s).Sheet
	switch {
	case b.Why == engine.Destroyed && w.inside[b.Ship] >= 0:
		return fmt.Errorf("%s is destroyed, but no point too many has struck her", b.Ship)
	case b.Why == engine.Crippled && left(hers, sheet.EngineBoxes)+left(hers, sheet.WeaponBoxes) > 0:
		return fmt.Errorf("%s is crippled and has engines or weapons", b.Ship)
	}
	w.inside[b.Ship] = 0
	return nil
}

// sound checks the boxes after an event.
func (w *walk) sound(e *engine.Event, old map[engine.ShipID]sheet.Sheet) error {
	mend, mending := e.Body.(*state.Mend)
	ruled := isRuling(e)
	for _, s := range w.g.Ships {
		sys := system(s)
		was, there := old[s.ID]
		if !there || ruled {
			continue
		}
		for i, sh := range sys.Sheet.Shields {
			up := sh.Left - was.Shields[i].Left
			if up > 0 && !(mending && mend.Ship == s.ID && mend.Shield == i+1 && up <= 2) || sh.Left > sh.All || sh.Left < 0 {
				return fmt.Errorf("shield %d of %s has %d boxes, and had %d", i+1, s.ID, sh.Left, was.Shields[i].Left)
			}
		}
		for i, b := range sys.Sheet.Banks {
			if b.Left > was.Banks[i].Left || b.Left < 0 {
				return fmt.Errorf("%s of %s has %d boxes, and had %d", b.Name, s.ID, b.Left, was.Banks[i].Left)
			}
		}
		if sys.Batteries < 0 || sys.Batteries > sys.Sheet.Count(sheet.Battery).Left || sys.Capacitor < 0 || sys.Capacitor > sys.Sheet.Count(sheet.Phaser1, sheet.Phaser2).Left {
			return fmt.Errorf("%s has %d in batteries and %d in capacitors", s.ID, sys.Batteries, sys.Capacitor)
		}
	}
	return nil
}

// impulseOver checks that everything due in an impulse has happened.
func (w *walk) impulseOver() error {
	for _, s := range w.g.Ships {
		sys := system(s)
		due := 0
		switch {
		case w.impulse == 0 || s.Status != engine.Active:
			continue
		case sys.Flight != nil:
			due = b2i(sys.Flight.Launched != state.Shot{Turn: w.g.Turn, Impulse: w.impulse})
		case sys.Speed > 0: // 16ths of a hex, carried over
			due = b2i((sys.Speed*w.impulse)%16 < sys.Speed)
		}
		if w.moved[s.ID] != due {
			return fmt.Errorf("%s moved %d hexes on impulse %d, due were %d", s.ID, w.moved[s.ID], w.impulse, due)
		}
	}
	return w.settled(w.impulse)
}

// settled checks that all damage has been resolved.
func (w *walk) settled(impulse int) error {
	for key, points := range w.owed {
		s, _ := w.g.Ship(key[0])
		if points > 0 && (s.Status == engine.Active || s.Status == engine.Crippled) {
			return fmt.Errorf("%d points against shield %s of %s are lost in impulse %d", points, key[1], key[0], impulse)
		}
	}
	clear(w.owed)
	for id, points := range w.inside {
		if points != 0 {
			return fmt.Errorf("%d points inside %s are not allocated", points, id)
		}
	}
	return nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
