package play

import (
	"cmp"
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// shot is declared fire.
type shot struct {
	ship, target *engine.Ship
	weapon       int
	row          rulebook.Row
	rng, more    int
	scanner      int // added to the range by the ship's scanner
	counts       int // the effective range
	side         int // of the target, 0 to 5
	aimed        aimed
	order        *rulebook.FireOrder
}

// droneHits is the effect of an impulse's fire on a drone.
type droneHits struct {
	points int
	by     []engine.Ref
}

// orderedFire returns a ship's orders to fire and launch in the current phase.
func orderedFire(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) []rulebook.FireOrder {
	p := memo(t).plans[s.ID]
	if p == nil {
		return nil
	}
	return p.Phases[l.PhaseOf(t.Phase.No)-1].Fires
}

// lastChance reports whether an order cannot be carried out after this impulse.
func lastChance(l *rulebook.Rules, o *rulebook.FireOrder, t *engine.Turn) bool {
	_, last := l.Span(l.PhaseOf(t.Phase.No))
	return !o.Group && (t.Phase.No == last || o.On == t.Phase.No)
}

func skipped(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, o *rulebook.FireOrder, why string) {
	t.Emit(&engine.Skip{Ship: s.ID, Line: o.Line, Order: o.Text, Reason: why}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnSkipped)...)
}

// withheld reports that an order did not fire a weapon, when it no longer can. If the weapon has fired before, it
// reports that only for orders with an impulse, because others may cover several phases.
func withheld(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, o *rulebook.FireOrder, w int, why string) {
	before := o.On == 0 && state.Of(s).Weapons[w].Fired.Turn == t.Number()
	if lastChance(l, o, t) && !before && !slices.Contains(o.Done, w) {
		skipped(l, t, s, o, state.Of(s).Bank(w).Name+": "+why)
	}
}

const (
	shipCloaked = "she is cloaked"
	noControl   = "her fire control is off"
)

// declare returns a ship's fire in an impulse: by orders, and at drones by standing orders.
func declare(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) []shot {
	var out []shot
	sys := state.Of(s)
	spent := 0 // of the capacitors, in halves of energy
	charge := func() int { return forPhasers(sys) - spent }
	add := func(sh shot, cause engine.Ref) {
		spent += sys.Bank(sh.weapon).Kind.Shot()
		drawForPhasers(l, t, s, spent, cause)
		out = append(out, sh)
	}
	used := func(w int) bool { return slices.ContainsFunc(out, func(sh shot) bool { return sh.weapon == w }) }
	fires := orderedFire(l, t, s)
	for i := range fires {
		o := &fires[i]
		if o.Launch || o.Blind || o.Cannon || o.On > 0 && o.On != t.Phase.No {
			continue
		}
		target := aim(l, t.Game, s, o.Target)
		if target != nil && !judge(l, t, s, target, o.When) {
			if lastChance(l, o, t) && slices.ContainsFunc(o.Weapons, func(w int) bool { return sys.Weapons[w].Fired.Turn != t.Number() }) {
				skipped(l, t, s, o, "its condition did not come true")
			}
			continue
		}
		held := ""
		if target != nil {
			held = dark.HoldsFire(l.Self, t.Game, s, target, sys.Standing.Hold)
		}
		for _, w := range o.Weapons {
			if held != "" {
				withheld(l, t, s, o, w, held)
				continue
			}
			sh, why := shotOf(l, t, s, w, target, charge())
			if why == "" && !used(w) {
				sh.order = o
				if o.Row > 0 {
					not := ""
					if sh.aimed, not = aimedAt(l, t, s, target, o.Row); not != "" {
						skipped(l, t, s, &rulebook.FireOrder{Order: rulebook.Order{Line: o.Line, Text: fmt.Sprintf("aimed %d", o.Row)}}, not+"; "+sys.Bank(w).Name+" fires, and dice decide what it hits")
					}
				}
				add(sh, o.Cause(t, s.ID))
				o.Done = append(o.Done, w)
			} else {
				withheld(l, t, s, o, w, cmp.Or(why, "it fires by another order"))
			}
		}
	}
	for _, g := range sys.Standing.Guard {
		for _, sh := range guard(l, t, s, g, charge(), used, out) {
			add(sh, t.OrderedIn(s.ID, "standing", "guard"))
		}
	}
	return out
}

// drawForPhasers draws what the capacitors lack from the reserve and the batteries (ruling R3b).
func drawForPhasers(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, halves int, cause engine.Ref) {
	if short := halves - state.Of(s).Charge(); short > 0 {
		pay(l, t, s, rulebook.VerbPhasers, (short+1)/2, cause)
	}
}

// guard returns a ship's guard fire at drones that seek her, the nearest first, with no more fire at each than will
// probably be needed.
func guard(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, g state.Guard, charge int, used func(int) bool, before []shot) []shot {
	seekers := slices.DeleteFunc(state.Drones(t.Game), func(d *engine.Ship) bool {
		return state.Of(d).Flight.Target != s.ID || hex.Distance(s.Hex, d.Hex) > g.Within || !whole(l, t.Game, s, d)
	})
	if len(seekers) == 0 {
		return nil
	}
	slices.SortStableFunc(seekers, func(a, b *engine.Ship) int {
		return cmp.Compare(hex.Distance(s.Hex, a.Hex), hex.Distance(s.Hex, b.Hex))
	})
	expected := map[engine.ShipID]int{}
	for _, sh := range before {
		expected[sh.target.ID] += sh.row.Sixths(sh.more)
	}
	var out []shot
	for _, d := range seekers {
		for _, name := range g.Weapons {
			w := state.Of(s).Weapon(name)
			if w < 0 || expected[d.ID] >= 6*state.Of(d).Flight.Points || used(w) || slices.ContainsFunc(out, func(sh shot) bool { return sh.weapon == w }) {
				continue
			}
			if sh, why := shotOf(l, t, s, w, d, charge); why == "" {
				charge -= state.Of(s).Bank(w).Kind.Shot()
				expected[d.ID] += sh.row.Sixths(sh.more)
				out = append(out, sh)
			}
		}
	}
	return out
}

// counted returns the effective range of a ship's fire, with her scanner's addition, and the effect of the target's
// cloak on that.
func counted(l *rulebook.Rules, firer *sheet.Sheet, rng int, hidden bool) (counts, scanner int) {
	scanner, _ = firer.Rating(sheet.Scanner)
	counts = rng + scanner
	if hidden {
		counts = l.Cloak.Counted(counts)
	}
	return counts, scanner
}

// line returns the line of a weapon's chart for an effective range, or why it can do nothing. A weapon's minimum
// range is in actual hexes (ruling C14).
func line(chart *rulebook.FireChart, b *sheet.Bank, over, rng, counts int, hidden bool) (r rulebook.Row, why string) {
	_, near := AtOver(chart, over, rng)
	r, ok := AtOver(chart, over, counts)
	ok = ok && near
	switch {
	case !ok && over > 0 && counts > chart.Over.Reach:
		return r, fmt.Sprintf("is overloaded, and reaches to %d hexes; the range counts as %d", chart.Over.Reach, counts)
	case !ok && near && hidden:
		return r, fmt.Sprintf("cannot fire at range %d, which the target's cloak makes of %d", counts, rng)
	case !ok && near:
		return r, fmt.Sprintf("cannot fire at range %d, which her scanner makes of %d", counts, rng)
	case !ok:
		return r, fmt.Sprintf("cannot fire at range %d", rng)
	case b.Reach > 0 && counts > b.Reach:
		return r, fmt.Sprintf("reaches to %d hexes, and the range counts as %d", b.Reach, counts)
	}
	return r, ""
}

// silenced returns why a weapon can neither fire nor launch at any target, or "".
func silenced(s *engine.Ship, w int) string {
	sys := state.Of(s)
	switch {
	case state.Cloaked(s):
		return shipCloaked
	case sys.NoFire:
		return noControl
	case !sys.Controlled():
		return rulebook.Uncontrolled
	case sys.Bank(w).Left == 0:
		return "it is destroyed"
	}
	return ""
}

// unready returns why a weapon cannot fire at any target now, or "".
func unready(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, w, charge int) string {
	sys := state.Of(s)
	b, weapon := sys.Bank(w), &sys.Weapons[w]
	chart, ok := l.Charts[b.Kind]
	switch why := silenced(s, w); {
	case why != "":
		return why
	case !ok:
		return "the rules have no chart for it"
	case weapon.Fired.Turn == t.Number():
		return "it has fired in this turn"
	case tooSoon(l, weapon, t):
		return fmt.Sprintf("it fired %d impulses ago, and may again after %d", since(l, weapon.Fired, t), l.Again)
	case charge < b.Kind.Shot():
		return "the capacitors are empty"
	case weapon.Armed < chart.Turns:
		return "it is not armed"
	}
	return ""
}

// shotOf returns a shot of a weapon, or why it cannot be fired now. Charge is the energy in the capacitors, in
// halves.
func shotOf(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, w int, target *engine.Ship, charge int) (sh shot, why string) {
	sys := state.Of(s)
	b := sys.Bank(w)
	switch why = unready(l, t, s, w, charge); {
	case why != "":
		return sh, why
	case target == nil:
		return sh, "there is no such target on the map now"
	case target.Kind == engine.KindShot:
		return sh, "nothing shoots down a shot of a cannon"
	case target.Kind == engine.KindPlasma && !b.Kind.Phaser():
		return sh, "only phasers do anything to plasma"
	}
	if !space(l, t).Clear(s.Hex, target.Hex) {
		return sh, "an obstacle is in the line of fire"
	}
	sh = shot{ship: s, target: target, weapon: w, rng: hex.Distance(s.Hex, target.Hex)}
	sh.counts, sh.scanner = counted(l, &sys.Sheet, sh.rng, state.Cloaked(target))
	chart := Chart(&l.Book, sys, b.Kind)
	if sh.row, why = line(&chart, b, sys.Weapons[w].Over, sh.rng, sh.counts, state.Cloaked(target)); why != "" {
		return sh, "it " + why
	}
	if bearing, apart := hex.Bearing(s.Hex, target.Hex); apart && !b.Arcs.Bear(bearing.Relative(s.Heading)) {
		return sh, "the target is out of its arc " + b.Arcs.String()
	}
	if target.Small() {
		sh.more = chart.Small
		if chart.Beam.Shield > 0 {
			sh.row.Points = chart.Beam.Inside
		}
	} else {
		sh.side = struck(s, target)
	}
	return sh, ""
}

// shoot rolls the die of a shot. Its effect is recorded for the volleys, or in hurt for a drone.
func shoot(l *rulebook.Rules, t *engine.Turn, sh *shot, hurt map[engine.ShipID]droneHits) {
	b := state.Of(sh.ship).Bank(sh.weapon)
	cite := l.Cite(rulebook.OnFire)
	switch {
	case sh.target.Small():
		cite = l.Cite(rulebook.OnFire, topicOf(state.Of(sh.target).Flight))
	case state.Cloaked(sh.target):
		cite = l.Cite(rulebook.OnFire, rulebook.OnCloak)
	}
	if l.Charts[b.Kind].Beam.Shield > 0 {
		cite = append(slices.Clone(cite), l.Cite(rulebook.OnBeam)...)
	}
	if sh.aimed.row > 0 {
		cite = append(slices.Clone(cite), l.Cite(rulebook.OnAiming)...)
	}
	roll := t.Roll(engine.NameRoll("fire", sh.ship.ID).And(b.Name), dice.D6, engine.SeeAll(), cite...)
	over, own := ownDie(l, t, sh.ship, sh.weapon)
	f := &state.Fire{
		Ship: sh.ship.ID, Target: sh.target.ID, Weapon: b.Name, Kind: b.Kind, Impulse: t.Phase.No, Range: sh.rng, Scanner: sh.scanner,
		Roll: roll, More: sh.more, Need: sh.row.Need, Points: sh.row.PointsOf(roll, sh.more), Over: over, Own: own,
	}
	f.Hit, f.Aimed, f.Half = f.Points > 0, sh.aimed.row, sh.aimed.half
	if sh.counts != sh.rng {
		f.Counts = sh.counts
	}
	if !sh.target.Small() {
		f.Shield = sh.side + 1
	}
	if sh.order != nil {
		t.Because(sh.order.Cause(t, sh.ship.ID))
	} else {
		t.Because(t.OrderedIn(sh.ship.ID, "standing", "guard"))
	}
	fired := t.Emit(f, engine.SeeAll().And(state.FireTarget), cite...)
	blows(l, t, sh.ship, sh.weapon, over, own, fired)
	switch {
	case !f.Hit, dark.IsEcho(sh.target): // reports of a hit on an echo are as false as the echo
	case sh.target.Small():
		w := hurt[sh.target.ID]
		hurt[sh.target.ID] = droneHits{w.points + f.Points, append(w.by, fired)}
	default:
		inflict(l, t, sh.target, sh.side, f.Points, weaponSource(l, sh.ship, sh.weapon, sh.aimed), fired)
	}
}

// since returns how many impulses ago something happened.
func since(l *rulebook.Rules, then state.Shot, t *engine.Turn) int {
	return Between(l, then, t.Number(), t.Phase.No)
}

// Between returns the number of impulses from an event to an impulse of a turn.
func Between(l *rulebook.Rules, then state.Shot, turn, impulse int) int {
	return (turn-then.Turn)*l.Impulses + impulse - then.Impulse
}

// tooSoon reports whether a weapon fired last turn, too few impulses ago (ruling C8).
func tooSoon(l *rulebook.Rules, w *state.Weapon, t *engine.Turn) bool {
	return w.Fired.Turn > 0 && since(l, w.Fired, t) < l.Again
}
