package forecast

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/orders"
)

// fire says what weapons can do to a target from the ship's position at that time.
func (f *forecast) fire(o rulebook.FireOrder) {
	if o.Cannon {
		return // reported when the order was read
	}
	f.draws(o)
	if o.Blind {
		f.say(o.Line, fmt.Sprintf("at the nearest hidden ship in the arc, as from %d hexes farther; you are told if it hits", f.l.Cloak.More))
		return
	}
	foe, ok := f.target(o.Target)
	switch {
	case !ok || foe.Sight != engine.Seen && !f.v.Dark:
		f.say(o.Line, "there is no such target on the map now")
		return
	case foe.Sight != engine.Seen:
		f.say(o.Line, foe.Name+" cannot be targeted as your sensors show it: it is fired at only if it can be then")
		return
	}
	rng := hex.Distance(f.ship.Ship.Hex, *foe.Hex)
	if o.Row > 0 {
		f.aim(o, foe, rng)
	}
	var can, cannot []string
	for _, w := range o.Weapons {
		b := f.sys.Bank(w)
		if b.Kind.Rack() {
			can = append(can, fmt.Sprintf("%s has %s", b.Name, phrase.Counted(f.sys.Weapons[w].Drones, "drone", "drones")))
			continue
		}
		why, text := play.ShotWords(f.l, f.sys, w, f.armed(w), f.over(w), f.ship.Ship.Stands(), foe, rng)
		f.out.Aimed = append(f.out.Aimed, engine.Aimed{Line: o.Line, Weapon: b.Name, Target: foe.ID, Chance: b.Kind.Does(text), Why: why})
		switch {
		case why == "":
			can = append(can, b.Name+" "+text)
		case !o.Group:
			cannot = append(cannot, b.Name+" "+why)
		}
	}
	text := fmt.Sprintf("range %d at the end of the phase if %s does not move", rng, foe.Name)
	if len(can) > 0 {
		text += ": " + strings.Join(can, ", ")
	}
	if slices.ContainsFunc(o.Weapons, func(w int) bool { return f.sys.Bank(w).Kind.Phaser() }) && len(can) > 0 {
		text += " (phasers: points by die 1 to 6)"
	}
	if len(cannot) > 0 {
		text += "; " + strings.Join(cannot, ", ")
	}
	f.say(o.Line, text)
}

// aim warns of fire aimed at a row of the chart which, in this situation, will not go there.
func (f *forecast) aim(o rulebook.FireOrder, foe *engine.ShipView, rng int) {
	const orElse = ", or leave the aim out; otherwise the weapons fire and dice decide what they hit"
	most := f.l.Aiming.Range * rulebook.BoolInt(f.sys.Aims)
	switch {
	case rng > most && most > 0:
		f.warn(orders.Pos{Line: o.Line, Col: 1}, "W216", "come within "+phrase.Hexes(most)+orElse, "as things stand, the range is %d, too far to aim at row %d", rng, o.Row)
	case rng > most:
		f.warn(orders.Pos{Line: o.Line, Col: 1}, "W216", "come into her hex, both at rest"+orElse, "as things stand, the range is %d, too far to aim at row %d", rng, o.Row)
	case rng > 0 && f.v.Dark && !dark.Drawn(f.v, foe):
		f.warn(orders.Pos{Line: o.Line, Col: 1}, "W221", "8 laboratory points complete one: study "+foe.Name+" with 2"+orElse, "your crew has no sheet of %s to aim by", foe.Name)
	}
}

// draws warns of fire that takes more than the capacitors will hold, and so uses the captain's reserve (ruling R3b).
func (f *forecast) draws(o rulebook.FireOrder) {
	before := f.short()
	for _, w := range o.Weapons {
		if b := f.sys.Bank(w); b.Left > 0 && b.Kind.Shot() > 0 && f.sys.Weapons[w].Fired.Turn != f.v.Due {
			if f.phasers == nil {
				f.phasers = map[int]bool{}
			}
			f.phasers[w] = true
		}
	}
	short, allots := f.short(), f.v.DueRound() < 2
	if !f.l.Reserve || short <= before {
		return
	}
	text := fmt.Sprintf("the capacitors are %d energy short if all these phasers fire", short)
	draws := f.sys.Draws
	if allots {
		draws = f.p.Energy.Draws
	}
	if draws {
		text += ": it is taken from the reserve, then the batteries"
	}
	switch fill := fmt.Sprintf("phasers %d under power", f.p.Energy.Phasers+short); {
	case allots && draws:
		text += "; " + fill + " leaves both to the shields"
	case allots:
		text += ": " + fill + " charges them; phasers reserve takes it from the reserve, then the batteries"
	case !draws:
		text += ", and this turn's reserve is not for phasers"
	}
	f.say(o.Line, text)
}

// short returns the energy that the capacitors lack for all phasers with an order to fire.
func (f *forecast) short() int {
	halves := -f.sys.Charge() - 2*f.p.Energy.Phasers
	for w := range f.phasers {
		halves += f.sys.Bank(w).Kind.Shot()
	}
	return max(0, halves+1) / 2
}

// armed returns a weapon's turns of arming, including what the set allots.
func (f *forecast) armed(w int) int {
	name := f.sys.Bank(w).Name
	if turns, ok := f.p.Energy.Arm[name]; ok {
		return turns
	}
	if f.v.DueRound() > 1 || slices.Contains(f.p.Energy.Hold, name) {
		return f.sys.Weapons[w].Armed
	}
	return 0
}

// over returns a weapon's overload energy, including what the set allots.
func (f *forecast) over(w int) int {
	name := f.sys.Bank(w).Name
	if f.v.DueRound() > 1 || slices.Contains(f.p.Energy.Hold, name) {
		return f.sys.Weapons[w].Over
	}
	return f.p.Energy.Over[name]
}
