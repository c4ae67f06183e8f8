package sfb

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
	"starpost/engine/rules/sfb/tell"
	"starpost/orders"
)

// The robot of the house rules approaches fast, keeps a range at which its scenarios are even, and there fires
// everything except phasers that wait for drones. Close by, it overloads weapons if energy allows, makes high energy
// turns, and holds the enemy with a tractor beam if that is an advantage. Unused energy stays in reserve for the shield
// that is hit. It brakes after a fast approach when damage gets inside, to strengthen shields with the energy returned,
// and aims at the last box from which the enemy can be controlled. In the dark, with no contact, spare energy powers
// laboratories.
const (
	houseRange   = 5
	houseFar     = 14 // hexes beyond which it goes at warp 2.5
	houseLate    = 12 // hexes within which weapons that cannot be kept fire on the last impulse
	houseTorpedo = 8  // ... and torpedoes
	houseGuard   = 5  // hexes within which phasers fire at seekers: plasma flies four an impulse
	houseKept    = 2  // most phasers that wait for drones
	houseReserve = 6  // points up to which a navigator's reserve fills a shield that is hit
	houseFills   = 30 // ... and a robot
	houseOver    = 10 // hexes within which it overloads weapons
	houseSpare   = 2  // energy it then keeps in reserve
	houseHard    = 6  // hexes within which it makes a high energy turn to bear on an enemy astern
	houseRisk    = 5  // ... if only this die or more breaks its engines
	houseBeam    = 6  // energy of a tractor beam on an adjacent enemy

	bridgeRow    = 2  // of the chart: its first boxes are bridge and flag
	auxiliaryRow = 12 // ... and auxiliary and emergency control
)

// houseRobot makes an order set by the house rules. A robot with a cloak hides in turns in which no torpedo is ready.
func houseRobot(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *state.System) (set orders.Set) {
	foe := v.Nearest(s)
	keep, prey := kept(v, s, sys), prey(v, s)
	task := dark.TaskOf(v, s, sys.Sheet.Count(sheet.Lab).Left)
	edge, out := v.WayOut(s.ID)
	out = out && v.Bounds != nil
	round := max(1, v.DueRound())
	silent, hide, speed := sys.NoFire, sys.Cloaked, sys.Speed
	open := foe != nil && !v.Dark && sys.Sheet.Count(sheet.PrimaryCannon, sheet.SecondaryCannon, sheet.TertiaryCannon).Left == 0 && alone(v, s) && prey == rulebook.NearestEnemy && !out && task.Near == nil
	var how choice
	if round == 1 {
		hide, _ = robotCloak(l, sys)
	}
	if open {
		if how = meet(l, v, s, foe, sys, round, hide); round == 1 && !hide && sys.Sheet.Cloak > 0 && sys.Controlled() && (how.gain < surprise || how.worth < 0) {
			hide = true
			how = meet(l, v, s, foe, sys, round, hide)
		}
	}
	if round == 1 {
		speed = 8
		if far(s, task.Near) || foe == nil && v.Dark || foe != nil && (hex.Distance(*s.Hex, *foe.Hex) > houseFar || out || prey != rulebook.NearestEnemy) {
			speed = 16
		}
		spare := play.NoOverload
		if foe != nil && hex.Distance(*s.Hex, *foe.Hex) <= houseOver {
			spare = houseSpare
		}
		if open {
			speed, spare = how.speed, how.spare
		}
		set, speed = play.Allotting(l, sys, speed, -1, true, hide, spare)
		silent, hide = noFireControl(set), set.Has("power", "cloak")
		lit := lightUp(l, v, foe, sys, task.Boxes, set, houseSpare)
		draw(&set)
		set.Add("power", 0, lit...)
	}
	row := rowFor(v, sys, foe, prey)
	holds := foe != nil && fightsClose(l, sys) && play.BeamEnergy(l, sys, round, set) >= houseBeam
	upto := l.Rounds
	if v.Rounds > 0 {
		upto = round
	}
	for n := round; n <= upto; n++ {
		o := &houseOrders{sys: sys, silent: silent || !sys.Controlled()}
		switch {
		case hide && !sys.Cloaked && n == round:
			o.say("cloak on")
			fallthrough
		case hide:
			if !open {
				how.move = []string{fmt.Sprintf("pursue %s to %d", rulebook.NearestEnemy, hidingRange)}
			}
			o.each(how.move)
		case out:
			o.lines = append(o.lines, leaveBy(v.Bounds, edge, *s.Hex, *s.Heading, l.MovesIn(speed, n)))
			houseFire(l, o, prey, keep, n == l.Rounds)
		case task.Near != nil:
			o.say("pursue", task.Near.Name, "to", dark.TaskRange)
			houseFire(l, o, prey, keep, n == l.Rounds)
		default:
			if n == round && !open && speed > 0 && turnsHard(s, foe, sys) {
				o.say("hard RRR")
			}
			if holds {
				o.say("tractor", prey, "with", houseBeam, "when range <=", l.TractorRange)
			}
			if sys.Brakes && speed > 8 && foe != nil {
				o.say("brake when damaged")
			}
			if row > 0 {
				o.fire(state.AllWeapons, "at", prey, "aimed", row, "when range <=", l.Aiming.Range)
			}
			if open {
				o.each(how.move)
				duelFire(l, o, how, n == l.Rounds)
				break
			}
			o.say("face", prey, "when range <=", houseRange)
			o.say("pursue", prey, "to", closing(v, s, foe, houseRange))
			if foe == nil && v.Dark {
				o.say("course", tell.WhereTo(v, s).Label())
			} else if foe == nil && v.Bounds != nil { // off the map, under its cloak
				o.say("course", hex.At(v.Bounds.Cols/2, v.Bounds.Rows/2).Label())
			}
			houseFire(l, o, prey, keep, n == l.Rounds)
			if foe == nil && !v.Dark {
				o.fire(state.AllWeapons, "at", rulebook.NearestEnemy, "when range <=", houseTorpedo)
			}
			if foe == nil && n == l.Rounds {
				o.fire(state.PhaserGroup, "blind on", l.Impulses)
			}
		}
		o.into(&set, n)
	}
	standing := sys.Standing
	standing.Hold = dark.SureOfFriends(v, s)
	if phasers := sys.Names(func(b *sheet.Bank) bool { return b.Kind.Phaser() && b.Left > 0 }); len(standing.Guard) == 0 && len(phasers) > 0 {
		standing.Guard = []state.Guard{{Weapons: phasers, Within: houseGuard}}
	}
	if len(standing.Reinforce) == 0 {
		standing.Reinforce = []state.Reinforcing{{UpTo: houseFills}}
	}
	if standing.Choose == "" {
		standing.Choose = state.Strongest
	}
	set.Append(standing.Set())
	if round == 1 {
		set.Add("", 0, append(task.Orders, dark.ReportOrder(v, s)...)...)
	}
	set.Say("", 0, "final")
	if silent || hide || !sys.Controlled() {
		return set
	}
	return withCannon(l, v, s, sys, round, upto, set)
}

// rowFor returns the row of the chart at which a robot aims its fire: the one that can hit the last box from which the
// prey is controlled. It returns 0 for unaimed fire, since aiming halves the damage, and in the dark, where the sheet
// is not known.
func rowFor(v *engine.View, sys *state.System, foe *engine.ShipView, prey string) int {
	if i := slices.IndexFunc(v.Ships, func(o *engine.ShipView) bool { return o.Name == prey }); i >= 0 {
		foe = v.Ships[i]
	}
	if foe == nil || !sys.Aims || v.Dark {
		return 0
	}
	known, ok := state.OpenOf(foe)
	switch {
	case !ok || known.Sheet.Count(sheet.Bridge, sheet.FlagBridge, sheet.Emergency, sheet.Auxiliary).Left != 1:
		return 0
	case known.Sheet.Count(sheet.Bridge, sheet.FlagBridge).Left == 1:
		return bridgeRow
	}
	return auxiliaryRow
}

// draw makes a robot's power fill from the reserve what the phaser capacitors lack.
func draw(set *orders.Set) {
	power, _ := set.Under("power", 0)
	for i := range power {
		if o := &power[i]; o.Verb() == rulebook.VerbPhasers {
			o.Words = append(o.Words, "reserve")
			return
		}
	}
	set.Say("power", 0, rulebook.VerbPhasers, "reserve")
}

// turnsHard reports whether a robot makes a high energy turn to bear on an enemy close astern. A ship with a cloak
// hides instead.
func turnsHard(s, foe *engine.ShipView, sys *state.System) bool {
	if foe == nil || sys.Sheet.Cloak > 0 || !sys.Steady && sys.Sheet.Breakdown < houseRisk || hex.Distance(*s.Hex, *foe.Hex) > houseHard {
		return false
	}
	side, apart := steering.Facing(engine.Place{Hex: *s.Hex, Heading: *s.Heading}, *foe.Hex)
	return apart && side == 3
}

// fightsClose reports whether a ship gains by holding another beside her: she has a tractor beam, and all her weapons
// can fire at that range.
func fightsClose(l *rulebook.Rules, sys *state.System) bool {
	for w := range sys.Weapons {
		b := sys.Bank(w)
		chart := l.Charts[b.Kind]
		if _, near := chart.At(l.TractorRange); b.Left > 0 && len(chart.Rows) > 0 && !near {
			return false
		}
	}
	return sys.Sheet.Count(sheet.Tractor).Left > 0
}

// leaveBy steers for an edge of the map, and across it.
func leaveBy(b *hex.Bounds, edge string, at hex.Hex, heading hex.Heading, moves int) orders.Order {
	col, row := at.ColRow()
	to := map[string]hex.Hex{"north": hex.At(col, 1), "south": hex.At(col, b.Rows), "east": hex.At(b.Cols, row), "west": hex.At(1, row)}[edge]
	if ahead := at.StepN(heading, b.Cols+b.Rows); moves > 0 && slices.Contains(b.Beyond(ahead), edge) && len(b.Beyond(ahead)) == 1 {
		return orders.Say("move", strings.Repeat("F ", moves))
	}
	return orders.Say("course", to.Label())
}

// prey returns the enemy a robot follows: the nearest of those that its side's goals name, or else the nearest of
// all.
func prey(v *engine.View, s *engine.ShipView) string {
	var best *engine.ShipView
	for _, g := range v.GoalsOf(s.Side) {
		for _, o := range v.Ships {
			if slices.Contains(g.Ships, o.ID) && o.Side != s.Side && o.Status == engine.Active && o.Hex != nil && (best == nil || hex.Distance(*s.Hex, *o.Hex) < hex.Distance(*s.Hex, *best.Hex)) {
				best = o
			}
		}
	}
	if best == nil {
		return rulebook.NearestEnemy
	}
	return best.Name
}

// houseOrders collects the orders of a phase.
type houseOrders struct {
	sys    *state.System
	silent bool // nothing is fired or launched
	lines  []orders.Order
}

func (o *houseOrders) say(words ...any) {
	if order := orders.Say(words...); !o.silent || order.Verb() != "fire" && order.Verb() != "launch" {
		o.lines = append(o.lines, order)
	}
}

// each adds orders one by one.
func (o *houseOrders) each(lines []string) {
	for _, line := range lines {
		o.say(line)
	}
}

// into adds the orders to a phase of a set, if there are any.
func (o *houseOrders) into(set *orders.Set, n int) {
	if len(o.lines) > 0 {
		set.Add("phase", n, o.lines...)
	}
}

// fire fires a group of weapons, if any of them is left.
func (o *houseOrders) fire(word string, how ...any) {
	if weapons, _ := o.sys.Called(word); slices.ContainsFunc(weapons, func(w int) bool { return o.sys.Bank(w).Left > 0 }) {
		o.say(append([]any{"fire", word}, how...)...)
	}
}

// houseFire adds the fire and the launches of a phase, at the prey before others. On the last impulse, weapons also
// fire at longer ranges.
func houseFire(l *rulebook.Rules, o *houseOrders, prey string, keep []string, last bool) {
	targets := []string{prey}
	if prey != rulebook.NearestEnemy {
		targets = append(targets, rulebook.NearestEnemy)
	}
	rest := o.sys.Names(func(b *sheet.Bank) bool { return b.Kind.Phaser() && b.Left > 0 && !slices.Contains(keep, b.Name) })
	racks := loaded(l, o.sys)
	for i, target := range targets {
		near := fmt.Sprintf("at %s when range <= %d", target, houseRange+1-2*min(i, 1))
		if len(racks) > 0 && i == 0 {
			o.say("launch", racks, "at", target, "when range <=", houseLate, "and range >= 2")
		}
		o.fire(state.HeavyWeapons, near)
		if len(keep) == 0 {
			o.fire(state.PhaserGroup, near)
			continue
		}
		if len(rest) > 0 {
			o.say("fire", rest, near)
		}
		o.say("fire", keep, near, "and drones = 0")
	}
	for _, target := range targets {
		if !last {
			break
		}
		o.fire(state.AllWeapons, "at", target, "on", l.Impulses, "when range <=", houseTorpedo)
		o.fire(state.PhaserGroup, "at", target, "on", l.Impulses, "when range <=", houseLate)
		o.fire(string(sheet.Disruptor), "at", target, "on", l.Impulses, "when range <=", houseLate)
	}
}

// kept returns the phasers that wait for drones: one for each drone that seeks the ship or that the enemy can launch
// next.
func kept(v *engine.View, s *engine.ShipView, sys *state.System) []string {
	drones := 0
	for _, o := range v.Ships {
		if known, ok := state.OpenOf(o); ok && o.Side != s.Side && o.Hex != nil {
			if f := known.Flight; f != nil && f.Target == s.ID {
				drones++
			} else if f == nil {
				drones += known.Sheet.Count(sheet.DroneRack).Left
			}
		}
	}
	phasers := sys.Names(func(b *sheet.Bank) bool { return b.Kind.Phaser() && b.Left > 0 })
	return phasers[len(phasers)-min(drones, houseKept, len(phasers)):]
}

// noFireControl reports whether a set turns fire control off.
func noFireControl(set orders.Set) bool { return set.Has("power", play.NoFireControl().Verb()) }
