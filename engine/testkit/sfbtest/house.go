package sfbtest

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine/rules/sfb/state"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/ruling"
)

// checkHouse checks a resolved turn, or a round, against the house rules:
//
//   - allotted energy exists, and each hex is paid for from the pool;
//   - ships have one of five speeds, raise it by one step at a time and stop from the slowest; they move their speed's
//     hexes in each impulse unless they cannot pay, are held or stopped, and turn no sooner than their turn mode
//     allows, except by high energy;
//   - drones fly a hex an impulse, plasma four, shots of cannon 2, 4 or 8, straight on, and a cannon fires
//     no more points in a turn than it has;
//   - no weapon fires twice in a turn or within two impulses, out of its arc or range, and the
//     common ones do what their charts say;
//   - a volley is everything that hit a shield in an impulse, and is stopped by existing reinforcement
//     and boxes;
//   - as many boxes are lost inside as points got there, half as many for aimed fire that counts half,
//     or the ship is destroyed with no box of excess damage left;
//   - boxes come back only by repairs, and nothing stores more than its boxes allow;
//   - tractor beams, transporters, boarding parties, probes and shuttles stay within range, no box of them is
//     used twice in a turn, parties only decrease, and there is no more data than was gathered.
func checkHouse(before *engine.Game, events []engine.Event) error {
	w := &houseWalk{
		g: before.Clone(), pool: map[engine.ShipID]int{}, straight: map[engine.ShipID]int{}, form: map[engine.ShipID]*state.Energy{}, last: map[string]int{}, shot: map[string]int{},
		jobs: map[engine.ShipID][]string{},
	}
	w.fresh()
	for _, s := range w.g.Ships {
		sys := system(s)
		w.straight[s.ID], w.pool[s.ID] = sys.Straight, sys.Pool
		for i := range sys.Weapons {
			if f := sys.Weapons[i].Fired; f.Turn > 0 {
				w.last[string(s.ID)+"."+sys.Sheet.Banks[sys.Weapons[i].Bank].Name] = 8*f.Turn + f.Impulse
			}
		}
	}
	if err := apply(w.g, events, w.look, w.sound); err != nil {
		return err
	}
	return w.settled()
}

// houseWalk is the state of checking a turn.
type houseWalk struct {
	g        *engine.Game
	impulse  int
	pool     map[engine.ShipID]int // movement energy, in 60ths
	straight map[engine.ShipID]int
	form     map[engine.ShipID]*state.Energy
	shot     map[string]int             // points that a cannon has fired this turn
	last     map[string]int             // by weapon: the impulse of its last shot, counted from the first turn
	jobs     map[engine.ShipID][]string // what shuttles did with data this turn
	// Of the impulse:
	moved  map[engine.ShipID]int
	owed   map[[2]engine.ShipID]int
	inside map[engine.ShipID]int
	half   map[engine.ShipID]bool // some of it counts half
	gone   map[engine.ShipID]bool // destroyed
	held   map[engine.ShipID]bool // at the start of the impulse
	broken map[engine.ShipID]bool // her engines
}

func (w *houseWalk) fresh() {
	w.moved, w.owed, w.inside, w.half, w.gone, w.held, w.broken = map[engine.ShipID]int{}, map[[2]engine.ShipID]int{}, map[engine.ShipID]int{}, map[engine.ShipID]bool{}, map[engine.ShipID]bool{}, map[engine.ShipID]bool{}, map[engine.ShipID]bool{}
	for _, s := range w.g.Ships {
		w.held[s.ID] = system(s).Held != ""
	}
}

// speeds are hexes a turn; straight has, by turn mode, the hexes straight before a turn at each speed above 0.
var (
	speeds   = []int{0, 1, 8, 16, 24}
	straight = map[string][4]int{"A": {1, 2, 3, 5}, "B": {1, 2, 4, 6}, "C": {1, 2, 5, 6}, "D": {1, 3, 5, 6}, "E": {1, 3, 6, 7}, "F": {1, 3, 7, 8}}
)

// due returns how many hexes a speed gives in an impulse.
func due(speed, impulse int) int {
	if speed == 1 {
		return b2i(impulse == 8)
	}
	return speed / 8
}

// hexCost returns the energy of a hex for a ship and those she tows, in 60ths.
func hexCost(sys *state.System) int {
	cost := sys.Sheet.MoveCost
	for _, h := range sys.Holds {
		cost += h.Cost
	}
	return cost
}

// look checks an event before it happens.
func (w *houseWalk) look(e *engine.Event) error {
	if e.Phase != w.impulse && e.Phase > 0 || e.Step == "repair" && w.impulse > 0 {
		if err := w.settled(); err != nil {
			return err
		}
		w.impulse = e.Phase
		w.fresh()
	}
	if e.Step == "fire" && w.impulse > 0 {
		if err := w.unmoved(); err != nil {
			return err
		}
	}
	switch b := e.Body.(type) {
	case *engine.Skip:
		if slices.Contains(e.Rule, "house 19.41") { // a hex into an obstacle, which is used up
			s, _ := w.g.Ship(b.Ship)
			w.straight[b.Ship]++
			w.moved[b.Ship]++
			w.pool[b.Ship] -= hexCost(system(s))
		}
	case *state.Energy:
		w.form[b.Ship] = b
	case *state.Pool:
		return w.pooled(b)
	case *state.Speed:
		return w.speed(b)
	case *state.Breakdown:
		w.broken[b.Ship] = b.Broken
	case *state.Drawn:
		return w.drawn(b)
	case *engine.Move:
		return w.move(b)
	case *state.HardTurn:
		s, _ := w.g.Ship(b.Ship)
		if w.pool[b.Ship] -= 5 * hexCost(system(s)); w.pool[b.Ship] < 0 {
			return fmt.Errorf("%s turns hard with too little in her pool", b.Ship)
		}
		w.straight[b.Ship] = 0
	case *state.Facing:
		return w.facing(b)
	case *state.Fire:
		return w.fire(b)
	case *state.Burst:
		return w.bursts(b)
	case *state.Launch:
		return w.again(b.Ship, b.Weapon)
	case *state.Strike:
		if b.Points < 0 {
			return fmt.Errorf("%s strikes %s with %d points", b.Ship, b.Target, b.Points)
		}
		if b.Shield > 0 {
			w.owed[[2]engine.ShipID{b.Target, engine.ShipID(fmt.Sprint(b.Shield))}] += b.Points
		}
	case *state.Struck:
		return w.struck(b)
	case *state.Damage:
		return w.damage(b)
	case *engine.Out:
		s, _ := w.g.Ship(b.Ship)
		if b.Why == engine.Destroyed && !s.Small() && !w.gone[b.Ship] {
			return fmt.Errorf("%s is destroyed, but no point too many has struck her", b.Ship)
		}
	default:
		return w.dealings(e)
	}
	return nil
}

// pooled checks movement energy: in the first event after an energy form the form's sum, later that the pool did not
// grow.
func (w *houseWalk) pooled(b *state.Pool) error {
	if f := w.form[b.Ship]; f != nil {
		delete(w.form, b.Ship)
		w.pool[b.Ship] = b.Left
		return w.energy(f, b.Left/60)
	}
	if b.Left > w.pool[b.Ship] || b.Left < 0 || b.Reserve < 0 {
		return fmt.Errorf("%s has %d in her pool, by count %d, and %d in reserve", b.Ship, b.Left, w.pool[b.Ship], b.Reserve)
	}
	w.pool[b.Ship] = b.Left
	return nil
}

// drawn checks energy at the moment of need: phasers use the reserve and batteries only if the turn's form says so,
// and only cannon the pool and the capacitors.
func (w *houseWalk) drawn(b *state.Drawn) error {
	s, _ := w.g.Ship(b.Ship)
	sys := system(s)
	if w.pool[b.Ship] -= 60 * b.Pool; b.For == "hard" {
		w.pool[b.Ship] += 60 * b.Freed
	}
	switch {
	case b.For == "phasers" && !sys.Draws:
		return fmt.Errorf("phasers of %s take of a reserve that is for her shields", b.Ship)
	case b.Freed > sys.Freed || b.Freed > 0 && b.Freed != b.Energy:
		return fmt.Errorf("%s takes %d of what braking gave back, %d", b.Ship, b.Freed, sys.Freed)
	case b.For != "cannon" && b.Pool+b.Capacitors > 0 || w.pool[b.Ship] < 0 || b.Capacitors > sys.Capacitor:
		return fmt.Errorf("%s takes %d of her pool and %d of her capacitors for %s", b.Ship, b.Pool, b.Capacitors, b.For)
	}
	return nil
}

// armingOf is the energy of each turn of arming, and then of a turn of holding.
var armingOf = map[sheet.Kind][]int{sheet.Photon: {2, 2, 1}, sheet.Disruptor: {2, 0}, sheet.PlasmaG: {2, 5, 2}, sheet.PlasmaK: {1, 1, 2, 0}, sheet.PlasmaR: {2, 2, 5, 2}}

// energy adds up a form with its pool.
func (w *houseWalk) energy(b *state.Energy, pool int) error {
	s, _ := w.g.Ship(b.Ship)
	sys := system(s)
	twice := 0
	for _, name := range b.Boost {
		if sys.Sheet.Class != "orion-cr" {
			return fmt.Errorf("the engines of %s are overloaded", b.Ship)
		}
		twice += sys.Sheet.Banks[sys.Sheet.Bank(name)].Left - sys.Rigged[name]
	}
	have := sys.Sheet.Count(sheet.Warp, sheet.Impulse, sheet.Reactor).Left + twice
	all := b.Needs + pool + b.Phasers + 2*b.AllRound + b.Recharge + b.Cloak + 2*len(b.Scotty)
	for i := range 6 {
		all += b.Reinforce[i] + 2*b.Repair[i]
	}
	for name, turns := range b.Arm {
		all += armingOf[sys.Sheet.Banks[sys.Sheet.Bank(name)].Kind][turns-1]
	}
	for _, name := range b.Hold {
		costs := armingOf[sys.Sheet.Banks[sys.Sheet.Bank(name)].Kind]
		all += costs[len(costs)-1]
	}
	for _, more := range b.Over {
		all += more
	}
	for _, aside := range b.Purse {
		all += aside
	}
	warp := pool - min(1, pool, sys.Sheet.Count(sheet.Impulse).Left)
	switch {
	case b.Available != have || b.Batteries < 0 || b.Batteries > b.Before:
		return fmt.Errorf("%d energy and %d of %d in batteries, where engines give %d", b.Available, b.Batteries, b.Before, have)
	case all+b.Unused != have+b.Batteries || b.Unused < 0:
		return fmt.Errorf("%d energy used and %d not, of %d", all, b.Unused, have+b.Batteries)
	case warp > sys.Sheet.Count(sheet.Warp).Left+twice:
		return fmt.Errorf("a pool of %d energy with %d of warp engines", pool, sys.Sheet.Count(sheet.Warp).Left)
	}
	return nil
}

// speed checks that one of the five speeds rises by one step, and that a ship stops only from the slowest, unless she
// has braked or her engines broke.
func (w *houseWalk) speed(b *state.Speed) error {
	s, _ := w.g.Ship(b.Ship)
	last, next := slices.Index(speeds, system(s).Speed), slices.Index(speeds, b.Speed)
	if next < 0 {
		return fmt.Errorf("%s goes at %d", b.Ship, b.Speed)
	}
	stopped := next == 0 && last > 1 && system(s).Braking >= 0 && !w.broken[b.Ship] // by her captain's order
	if next > last+1 && !(last == 0 && next == 2) || stopped {
		return fmt.Errorf("%s goes from %d to %d at once", b.Ship, system(s).Speed, b.Speed)
	}
	return nil
}

// facing checks a turn on the spot: she is stopped, or turns by one side when she may, which restarts her straight
// hexes.
func (w *houseWalk) facing(b *state.Facing) error {
	s, _ := w.g.Ship(b.Ship)
	sys := system(s)
	i := slices.Index(speeds, sys.Speed)
	if i == 0 {
		return nil
	}
	if w.straight[b.Ship] < straight[sys.Sheet.Letter][i-1] || b.Heading != s.Heading.Turn(1) && b.Heading != s.Heading.Turn(-1) {
		return fmt.Errorf("%s turns from %s to %s at %d, after %d hexes", b.Ship, s.Heading, b.Heading, sys.Speed, w.straight[b.Ship])
	}
	w.straight[b.Ship] = 0
	return nil
}

// move checks a hex of movement.
func (w *houseWalk) move(b *engine.Move) error {
	if b.Word == "towed" {
		return nil
	}
	s, _ := w.g.Ship(b.Ship)
	sys := system(s)
	if s.Kind == engine.KindShot {
		return w.flies(s, b)
	}
	if !s.Small() && w.solid(b.To.Hex) {
		return fmt.Errorf("%s moves into an obstacle at %s", b.Ship, b.To.Hex)
	}
	turn := map[string]int{"F": 0, "L": -1, "R": 1}[b.Word]
	if to := b.From.Heading.Turn(turn); to != b.To.Heading || b.From.Hex.Step(to) != b.To.Hex {
		return fmt.Errorf("%s does not lead from %s %s to %s %s", b.Word, b.From.Hex, b.From.Heading, b.To.Hex, b.To.Heading)
	}
	w.moved[b.Ship]++
	if s.Small() {
		most := map[engine.Kind]int{engine.KindDrone: 1, engine.KindPlasma: 4}[s.Kind]
		if most > 0 && w.moved[b.Ship] > most {
			return fmt.Errorf("%s flies %d hexes in an impulse", b.Ship, w.moved[b.Ship])
		}
		if s.Kind == engine.KindProbe || s.Kind == engine.KindShuttle {
			return w.crafted(s)
		}
		return nil
	}
	w.pool[b.Ship] -= hexCost(sys)
	i := slices.Index(speeds, sys.Speed)
	switch {
	case s.Status != engine.Active:
		return fmt.Errorf("%s is %s and moves", b.Ship, s.Status)
	case w.moved[b.Ship] > due(sys.Speed, w.impulse):
		return fmt.Errorf("%s moves %d hexes at %d in impulse %d", b.Ship, w.moved[b.Ship], sys.Speed, w.impulse)
	case w.pool[b.Ship] < 0:
		return fmt.Errorf("%s moves on a pool that is used up", b.Ship)
	case b.Word != "F" && w.straight[b.Ship] < straight[sys.Sheet.Letter][i-1]:
		return fmt.Errorf("%s turns after %d hexes at %d", b.Ship, w.straight[b.Ship], sys.Speed)
	}
	if w.straight[b.Ship]++; b.Word != "F" {
		w.straight[b.Ship] = 1
	}
	return nil
}

// solid reports whether an obstacle is in a hex.
func (w *houseWalk) solid(h hex.Hex) bool {
	return slices.ContainsFunc(w.g.Terrain, func(f engine.Feature) bool { return slices.Contains(f.Hexes, h) })
}

// unmoved checks, when fire begins, that ships have moved the hexes due.
func (w *houseWalk) unmoved() error {
	for _, s := range w.g.Ships {
		sys := system(s)
		if s.Small() || s.Status != engine.Active || sys.Held != "" || w.held[s.ID] || sys.Limit > 0 || sys.Braking != 0 || w.pool[s.ID] < hexCost(sys) {
			continue
		}
		if want := due(sys.Speed, w.impulse); w.moved[s.ID] != want {
			return fmt.Errorf("%s moved %d hexes at %d in impulse %d, due were %d", s.ID, w.moved[s.ID], sys.Speed, w.impulse, want)
		}
	}
	return nil
}

// again checks that a weapon may fire or launch now.
func (w *houseWalk) again(ship engine.ShipID, weapon string) error {
	key, now := string(ship)+"."+weapon, 8*w.g.Turn+w.impulse
	if last, fired := w.last[key]; fired && (now-last < 2 || (last-1)/8 == (now-1)/8) {
		return fmt.Errorf("%s fires on %d and fired on %d", key, now, last)
	}
	w.last[key] = now
	return nil
}

// ph3 is the chart of the phaser-3, like ph1 and ph2.
var ph3 = strings.Fields("444443 444433 444321 321000 110000 110000 110000 110000 110000 100000 100000 100000 100000 100000 100000 100000")

// fire checks a shot.
func (w *houseWalk) fire(b *state.Fire) error {
	s, _ := w.g.Ship(b.Ship)
	sys := system(s)
	i := sys.Sheet.Bank(b.Weapon)
	if i < 0 || sys.Sheet.Banks[i].Left < 1 || s.Status != engine.Active || sys.Cloaked || sys.NoFire {
		return fmt.Errorf("%s fires %s, which cannot fire", b.Ship, b.Weapon)
	}
	bank := sys.Sheet.Banks[i]
	if err := w.again(b.Ship, b.Weapon); err != nil {
		return err
	}
	t, there := w.g.Ship(b.Target)
	if !there { // blind, at nothing
		return nil
	}
	rng := hex.Distance(s.Hex, t.Hex)
	as := max(b.Counts, rng)
	if rng != b.Range || bank.Reach > 0 && as > bank.Reach || as < rng {
		return fmt.Errorf("%s fires at range %d, as %d, told is %d", b.Weapon, rng, as, b.Range)
	}
	if p, apart := hex.Bearing(s.Hex, t.Hex); apart && !bank.Arcs.Bear(p.Relative(s.Heading)) {
		return fmt.Errorf("%s does not bear on %s", b.Weapon, b.Target)
	}
	if !engine.LineOfSight(s.Hex, t.Hex, w.solid) {
		return fmt.Errorf("%s fires at %s across an obstacle", b.Weapon, b.Target)
	}
	known := bank.Kind == sheet.Phaser1 && as <= 50 || bank.Kind == sheet.Phaser2 && as <= 30 || bank.Kind == sheet.Photon || bank.Kind == sheet.Disruptor && as <= 30
	if want := effect(bank.Kind, as, b.Roll+b.More); known && b.Over == 0 && want != b.Points {
		return fmt.Errorf("%s at range %d with die %d does %d, the chart says %d", b.Weapon, as, b.Roll, b.Points, want)
	}
	if bank.Kind == sheet.Phaser3 && b.Over == 0 && b.Points != int(ph3[as][b.Roll-1]-'0') {
		return fmt.Errorf("%s at range %d with die %d does %d", b.Weapon, as, b.Roll, b.Points)
	}
	if p, apart := hex.Bearing(t.Hex, s.Hex); apart && !t.Small() {
		if one, other, _ := hex.Side(p.Relative(t.Heading)); b.Shield != one+1 && b.Shield != other+1 {
			return fmt.Errorf("shield %d of %s is not turned to %s", b.Shield, b.Target, b.Ship)
		}
	}
	if !t.Small() {
		w.owed[[2]engine.ShipID{b.Target, engine.ShipID(fmt.Sprint(b.Shield))}] += b.Points
	}
	w.half[b.Target] = w.half[b.Target] || b.Half
	return nil
}

// struck checks that a volley has all points against its shield, and that what stops them existed.
func (w *houseWalk) struck(b *state.Struck) error {
	s, _ := w.g.Ship(b.Ship)
	sys := system(s)
	key := [2]engine.ShipID{b.Ship, engine.ShipID(fmt.Sprint(b.Shield))}
	shield := sys.Sheet.Shields[b.Shield-1].Left
	took := b.Before - b.After
	switch {
	case w.owed[key] != b.Points:
		return fmt.Errorf("shield %d of %s is struck by %d, the volley has %d", b.Shield, b.Ship, b.Points, w.owed[key])
	case b.AllRound+b.Reinforce+took+b.Inside != b.Points || b.AllRound > sys.AllRound || b.Reinforce > sys.Reinforce[b.Shield-1] || took > shield || took < 0:
		return fmt.Errorf("of %d points %d and %d are stopped by reinforcement, %d by boxes, %d go inside", b.Points, b.AllRound, b.Reinforce, took, b.Inside)
	case b.Inside > 0 && !b.Down && (b.After > 0 || b.AllRound < sys.AllRound || b.Reinforce < sys.Reinforce[b.Shield-1]):
		return fmt.Errorf("%d points go through shield %d of %s, which has %d boxes", b.Inside, b.Shield, b.Ship, b.After)
	case b.Down && !sys.Down && !sys.Lowered[b.Shield-1]:
		return fmt.Errorf("shield %d of %s is told to be down", b.Shield, b.Ship)
	}
	delete(w.owed, key)
	w.inside[b.Ship] += b.Inside
	return nil
}

// damage checks boxes lost inside.
func (w *houseWalk) damage(b *state.Damage) error {
	s, _ := w.g.Ship(b.Ship)
	lost := b.Before - b.After
	if b.Bank == "" {
		lost = 1
		if w.gone[b.Ship] = true; system(s).Sheet.Count(sheet.Excess).Left > 0 {
			return fmt.Errorf("%s is destroyed with excess damage left", b.Ship)
		}
	}
	if w.inside[b.Ship] -= lost; w.inside[b.Ship] < 0 || lost < 1 {
		return fmt.Errorf("%s loses %d boxes of %s, which nothing did", b.Ship, lost, b.Bank)
	}
	return nil
}

// isRuling reports whether a referee made the change, to which the rules do not apply.
func isRuling(e *engine.Event) bool {
	_, ok := e.Body.(*ruling.Ruled)
	return ok
}

// sound checks boxes and stores after an event.
func (w *houseWalk) sound(e *engine.Event, old map[engine.ShipID]sheet.Sheet) error {
	mend, mending := e.Body.(*state.Mend)
	rig, rigging := e.Body.(*state.Rig)
	ruled := isRuling(e)
	for _, s := range w.g.Ships {
		sys := system(s)
		was, there := old[s.ID]
		if !there || ruled {
			continue
		}
		for i, sh := range sys.Sheet.Shields {
			if up := sh.Left - was.Shields[i].Left; up > 0 && !(mending && mend.Ship == s.ID && mend.Shield == i+1) || sh.Left > sh.All || sh.Left < 0 {
				return fmt.Errorf("shield %d of %s has %d boxes, and had %d", i+1, s.ID, sh.Left, was.Shields[i].Left)
			}
		}
		for i, b := range sys.Sheet.Banks {
			if up := b.Left - was.Banks[i].Left; up > 0 && !(rigging && rig.Ship == s.ID && rig.Bank == b.Name && up == 1) || b.Left < 0 || b.Left > b.All {
				return fmt.Errorf("%s of %s has %d boxes, and had %d", b.Name, s.ID, b.Left, was.Banks[i].Left)
			}
		}
		if sys.Batteries < 0 || sys.Flight == nil && sys.Batteries > sys.Sheet.Count(sheet.Battery).Left || sys.Reserve < 0 || sys.Pool < 0 || sys.Capacitor < 0 {
			return fmt.Errorf("%s has %d in batteries, %d in reserve, %d in her pool", s.ID, sys.Batteries, sys.Reserve, sys.Pool)
		}
	}
	return nil
}

// settled checks that all damage of an impulse has been resolved.
func (w *houseWalk) settled() error {
	for key, points := range w.owed {
		s, _ := w.g.Ship(key[0])
		if points > 0 && (s.Status == engine.Active || s.Status == engine.Crippled) {
			return fmt.Errorf("%d points against shield %s of %s are lost in impulse %d", points, key[1], key[0], w.impulse)
		}
	}
	for id, points := range w.inside {
		if points != 0 && !w.gone[id] && !w.half[id] {
			return fmt.Errorf("%d points inside %s are not allocated", points, id)
		}
	}
	return nil
}
