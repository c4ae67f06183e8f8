package sfb

import (
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/forecast"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
	"starpost/engine/rules/sfb/tactics"
	"starpost/engine/rules/sfb/tell"
	"starpost/orders"
)

// The robot of the handbook, and of games in the dark (for others see package tactics): it moves at speed 12 and
// chases. It fires everything when first within 4 hexes, or else on the last impulse, and then turns to bring the
// remaining weapons to bear in the second phase. It closes to 3 hexes.
const (
	robotSpeed = 12
	robotRange = 4
)

// hidingRange is the distance that a robot keeps under its cloak.
const hidingRange = 8

// robot makes an order set for a ship.
func robot(l *rulebook.Rules, v *engine.View, id engine.ShipID) (set orders.Set) {
	s, sys, ok := forecast.Own(v, id)
	if !ok || s.Status != engine.Active {
		return nil
	}
	if l.Quanta != nil {
		return houseRobot(l, v, s, sys)
	}
	foe := v.Nearest(s)
	round := max(1, v.DueRound())
	open := foe != nil && !v.Dark
	var how tactics.Stance
	if open {
		how = against(l, v, s, foe, sys).Stance()
	}
	hidden, task, pace := sys.Cloaked, dark.TaskOf(v, s, sys.Sheet.Count(sheet.Lab).Left), sys.Speed
	if round == 1 {
		side := 0
		if v.Dark {
			side = -1 // the energy left over powers laboratories
		}
		if foe != nil {
			side, _ = steering.Facing(engine.Place{Hex: *s.Hex, Heading: *s.Heading}, *foe.Hex)
		}
		hide, speed := robotCloak(l, sys)
		if open {
			hide, speed, side = how.Hide, how.Speed, how.Side
		}
		hidden = hide
		set, pace = play.Allotment(l, sys, speed, side, true, hide)
		set.Add("power", 0, lightUp(l, v, foe, sys, task.Boxes, set, 0)...)
	}
	upto := l.Rounds
	if v.Rounds > 0 {
		upto = round
	}
	edge, out := v.WayOut(s.ID)
	out = out && v.Bounds != nil && v.Dark // in the open this game has no exits
	for n := round; n <= upto && foe == nil && v.Dark && !hidden && task.Near == nil && !out; n++ {
		set.Add("phase", n, orders.Say("pursue", rulebook.NearestEnemy, "to 3"), orders.Say("course", tell.WhereTo(v, s).Label()))
	}
	for n := round; n <= upto && (foe != nil || task.Near != nil || out); n++ {
		set.Add("phase", n)
		say := func(words ...any) { set.Say("phase", n, words...) }
		switch {
		case open:
			for _, first := range how.First {
				say(first)
			}
			say(how.Moves[min(n, len(how.Moves))-1])
			if racks := loaded(l, sys); len(racks) > 0 && !hidden {
				say("launch", racks, "at", rulebook.NearestEnemy, "when", how.Launch)
			}
			if how.Fire != "" && !hidden {
				say("fire all at", rulebook.NearestEnemy, "when", how.Fire)
			}
			if n == l.Rounds && how.Last > 0 && !hidden {
				say("fire all at", rulebook.NearestEnemy, "on", l.Impulses, "when range <=", how.Last)
			}
			continue
		case hidden:
			say("pursue", rulebook.NearestEnemy, "to", hidingRange)
			continue
		case out:
			set.Add("phase", n, leaveBy(v.Bounds, edge, *s.Hex, *s.Heading, l.MovesIn(pace, n)))
		case task.Near != nil:
			say("pursue", task.Near.Name, "to", dark.TaskRange)
		case n == 2: // the first phase's fire came from the weapons that bore; now turn the others
			say("face", rulebook.NearestEnemy, "when range <=", robotRange)
			fallthrough
		default:
			say("pursue", rulebook.NearestEnemy, "to", closing(v, s, foe, 3))
		}
		if racks := loaded(l, sys); len(racks) > 0 {
			say("launch", racks, "at", rulebook.NearestEnemy, "when range <= 12 and range >= 2")
		}
		say("fire all at", rulebook.NearestEnemy, "when range <=", robotRange)
		if n == l.Rounds {
			say("fire all at", rulebook.NearestEnemy, "on", l.Impulses)
		}
	}
	standing := sys.Standing
	standing.Hold = dark.SureOfFriends(v, s)
	if len(standing.Guard) == 0 && threatened(v, s) {
		if phasers := sys.Names(func(b *sheet.Bank) bool { return b.Kind.Phaser() && b.Left > 0 }); len(phasers) > 0 {
			standing.Guard = []state.Guard{{Weapons: phasers, Within: 1}}
		}
	}
	set.Append(standing.Set())
	set.Add("", 0, dark.ReportOrder(v, s)...)
	if round == 1 {
		set.Add("", 0, task.Orders...)
	}
	set.Say("", 0, "final")
	return set
}

// against returns how a robot and an enemy compare.
func against(l *rulebook.Rules, v *engine.View, s, foe *engine.ShipView, sys *state.System) *tactics.Duel {
	known, _ := state.OpenOf(foe)
	d := &tactics.Duel{
		Turn: v.Due, MaxSpeed: l.MaxSpeed, Power: sys.Sheet.Power(), First: v.Sides[0].ID == s.Side,
		Me: facts(l, s, sys.Open()), Foe: facts(l, foe, known),
		OnlyPhotons: sys.Sheet.Count(sheet.Phaser1, sheet.Phaser2).Left == 0 && sys.Sheet.Count(sheet.Photon).Left > 0,
		Torpedoes:   tactics.Torpedoes{Ready: true, Turns: l.Charts[sheet.PlasmaS].Turns},
	}
	if len(foe.Trail) > 0 {
		d.Was = &foe.Trail[0].At.Hex
	}
	for w := range sys.Weapons {
		if b := sys.Bank(w); b.Left > 0 && b.Kind == sheet.PlasmaS {
			chart, had := l.Charts[b.Kind], sys.Weapons[w].Armed
			energy := chart.Hold
			if had < chart.Turns {
				energy = chart.ArmingEnergy(had)
			}
			d.All, d.Most, d.Ready = d.All+energy, max(d.Most, energy), d.Ready && had >= chart.Turns-1
		}
	}
	for _, o := range v.Ships {
		if torpedo, ok := state.OpenOf(o); ok && o.Kind == engine.KindPlasma && o.Side != s.Side {
			d.Thrown = true
			d.Seeks = d.Seeks || o.Status == engine.Active && torpedo.Flight.Target == s.ID
		}
	}
	return d
}

// facts returns what tactics need to know about a ship.
func facts(l *rulebook.Rules, s *engine.ShipView, known state.Open) tactics.Ship {
	out := tactics.Ship{At: s.Stands(), Speed: known.Speed, Cloak: known.Sheet.Cloak, Cloaked: known.Cloaked}
	for i, shield := range known.Sheet.Shields {
		out.Shields[i] = shield.Left
	}
	out.Armed = slices.ContainsFunc(known.Sheet.Banks, func(b sheet.Bank) bool {
		_, weapon := l.Charts[b.Kind]
		return b.Left > 0 && (weapon || b.Kind.Launches())
	})
	return out
}

// robotCloak reports whether the robot cloaks, and its speed. With a cloak it goes only as fast as arming all
// torpedoes allows, and hides in turns in which none is ready.
func robotCloak(l *rulebook.Rules, sys *state.System) (hide bool, speed int) {
	if sys.Sheet.Cloak == 0 {
		return false, robotSpeed
	}
	left := sys.Sheet.Power()
	hide = true
	for w := range sys.Weapons {
		b, had := sys.Bank(w), sys.Weapons[w].Armed
		chart := l.Charts[b.Kind]
		switch {
		case b.Left == 0 || chart.Turns == 0:
		case had >= chart.Turns:
			left -= chart.Hold
		default:
			left -= chart.ArmingEnergy(had)
		}
		hide = hide && !(b.Kind.Launches() && b.Left > 0 && had >= chart.Turns-1)
	}
	if hide {
		left -= sys.Sheet.Cloak
	}
	return hide, max(4, min(robotSpeed, left))
}

// loaded returns the racks with drones in them, and the plasma launchers that are armed this turn.
func loaded(l *rulebook.Rules, sys *state.System) (out []string) {
	for w := range sys.Weapons {
		b := sys.Bank(w)
		ready := sys.Weapons[w].Drones > 0
		if !b.Kind.Rack() {
			ready = sys.Weapons[w].Armed >= l.Charts[b.Kind].Turns-1
		}
		if b.Kind.Launches() && b.Left > 0 && ready {
			out = append(out, b.Name)
		}
	}
	return out
}

// threatened reports whether an enemy has drones, in flight or in racks.
func threatened(v *engine.View, s *engine.ShipView) bool {
	for _, o := range v.Ships {
		if o.Side == s.Side || o.Hex == nil || hex.Distance(*s.Hex, *o.Hex) > 60 {
			continue
		}
		if known, ok := state.OpenOf(o); ok && (known.Flight != nil || known.Sheet.Count(sheet.DroneRack).Left > 0) {
			return true
		}
	}
	return false
}

// closing returns how near a robot goes to an enemy: close enough to identify an unknown contact that may be a friend.
func closing(v *engine.View, s, foe *engine.ShipView, usual int) int {
	if foe != nil && foe.Side == "" && dark.SureOfFriends(v, s) > 0 {
		return s.Reach.Full
	}
	return usual
}
