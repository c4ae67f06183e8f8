package rulebook

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/tactical"
	"starpost/orders"
)

// power compiles the section that allots the turn's energy; life support, fire control and raised shields take none
// (ruling C1). A figure that is too high is reported, and replaced by the maximum. Faulty means that some lines were
// not understood.
func (c *Compiler) power(g orders.Group, faulty bool) {
	e := &c.Plan.Energy
	*e = state.Energy{Ship: c.ID, Available: c.Sys.Sheet.Power(), Before: c.Sys.Batteries}
	c.overloadEngines(g)
	spend := func(pos orders.Pos, sum, warp int) {
		c.Plan.Spent = append(c.Plan.Spent, tactical.Spending{Pos: pos, Power: sum, Warp: warp})
	}
	repaired := false
	e.NoFire, e.Down = len(g.All("fire-control")) > 0, len(g.All("shields")) > 0
	for _, st := range g.Statements {
		switch st.Verb {
		case "speed":
			if c.Book.Quanta != nil {
				c.pool(st, spend)
				continue
			}
			a, _ := st.Arg("SPEED")
			if top := c.Book.Fastest(c.Sys.Speed); a.Num > top {
				c.Fail(a.Pos, "E201", fmt.Sprintf("at most %d, after %d last turn", top, c.Sys.Speed), "speed %d is too fast", a.Num)
				a.Num = top
			}
			e.Speed = a.Num
			spend(st.Pos, a.Num, a.Num-c.impulseShare(a.Num))
			c.Effect(st.Pos.Line, "moves on impulses %s", c.Book.MovesOn(a.Num))
		case "phasers":
			a, said := st.Arg("ENERGY")
			if e.Draws = c.Book.Reserve && (!said || st.Form == 1); e.Draws {
				c.Effect(st.Pos.Line, "what the capacitors lack comes from the reserve, then the batteries")
			}
			if !said {
				continue
			}
			if room := c.Sys.Phasers() - c.Sys.Capacitor; a.Num > room {
				c.Fail(a.Pos, "E203", fmt.Sprintf("at most %d", max(0, room)), "the capacitors hold %d and have %d", c.Sys.Phasers(), c.Sys.Capacitor)
				a.Num = max(0, room)
			}
			e.Phasers = a.Num
			spend(st.Pos, a.Num, 0)
			c.Effect(st.Pos.Line, "%s in the capacitors", c.Sys.ChargeWords(c.Sys.Charge()+2*a.Num))
		case "arm", "hold":
			c.arm(st, spend)
		case "reinforce":
			if e.Down {
				c.Fail(st.Pos, "E218", "leave this line out, or: shields down", "her shields are down this turn, and cannot be reinforced")
				continue
			}
			if a, all := st.Arg("POINTS"); st.Form == 1 && all {
				e.AllRound += a.Num
				spend(st.Pos, a.Num*c.Book.AllRoundEnergy, 0)
				continue
			}
			c.perShield(st, "POINTS", &e.Reinforce, func(_, n int) { spend(st.Pos, n, 0) })
		case "cloak":
			if e.Cloak = c.Sys.Sheet.Cloak; e.Cloak == 0 {
				c.Fail(st.Pos, "E216", "leave it out", "this ship has no cloak")
				continue
			}
			spend(st.Pos, e.Cloak, 0)
			if c.Book.Cloak.Hides {
				c.Effect(st.Pos.Line, "the cloak is paid for: she stays cloaked, or cloaks by cloak on in a phase; blind fire counts as from %d hexes farther", c.Book.Cloak.More)
				continue
			}
			c.Effect(st.Pos.Line, "cloaked for the whole turn: she cannot fire or launch, and fire at her counts as from %d times the range plus %d", c.Book.Cloak.Times, c.Book.Cloak.More)
		case "batteries":
			a, _ := st.Arg("ENERGY")
			if a.Num > c.Sys.Batteries {
				c.Fail(a.Pos, "E207", fmt.Sprintf("at most %d", c.Sys.Batteries), "the batteries hold %d", c.Sys.Batteries)
				a.Num = c.Sys.Batteries
			}
			e.Batteries = a.Num
		case "recharge":
			a, _ := st.Arg("ENERGY")
			e.Recharge = a.Num
		case "repair":
			repaired = true
			c.perShield(st, "BOXES", &e.Repair, func(side, n int) {
				if sh := c.Sys.Sheet.Shields[side]; n > sh.All-sh.Left {
					c.Fail(st.Pos, "E210", fmt.Sprintf("at most %d", sh.All-sh.Left), "shield %d has %d of %d boxes", side+1, sh.Left, sh.All)
					e.Repair[side] = sh.All - sh.Left
				}
			})
			if sum := tactical.Sum(e.Repair[:]) * c.Book.BoxEnergy; sum > c.Book.Repairs(c.Sys) {
				c.Fail(st.Pos, "E209", fmt.Sprintf("at most %d boxes, %d energy each", c.Book.Repairs(c.Sys)/c.Book.BoxEnergy, c.Book.BoxEnergy), "repairs of %d energy; a turn has %d for them", sum, c.Book.Repairs(c.Sys))
			}
			for side, over := 5, tactical.Sum(e.Repair[:])-c.Book.Repairs(c.Sys)/c.Book.BoxEnergy; over > 0; side-- {
				n := min(over, e.Repair[side])
				e.Repair[side], over = e.Repair[side]-n, over-n
			}
			spend(st.Pos, tactical.Sum(e.Repair[:])*c.Book.BoxEnergy, 0)
		default:
			c.purse(st, spend)
		}
	}
	for _, st := range g.All("recharge") { // there is room for what is drawn, whichever line comes first
		if room := c.Sys.Sheet.Count(sheet.Battery).Left - (c.Sys.Batteries - e.Batteries); e.Recharge > room {
			c.Fail(st.Pos, "E208", fmt.Sprintf("at most %d", max(0, room)), "the batteries have room for %d", max(0, room))
			e.Recharge = max(0, room)
		}
		spend(st.Pos, e.Recharge, 0)
	}
	c.scotty(g, spend)
	e.Needs = c.Book.Needs.of(e.Available+e.Batteries, e)
	spend(c.Block.Start, e.Needs, 0)
	c.balance(faulty, repaired)
}

// impulseShare returns the part of a speed that the impulse engines power: all of their energy on a ship without warp
// engines (house 21.31).
func (c *Compiler) impulseShare(speed int) int {
	return min(speed, c.Book.ImpulseHexes, c.Sys.Sheet.Count(sheet.Impulse).Left)
}

// MovesOn lists the impulses on which a ship of some speed moves.
func (b *Book) MovesOn(speed int) string {
	var out []string
	for i := 1; i <= b.Impulses; i++ {
		for range b.Moves(speed, i) {
			out = append(out, strconv.Itoa(i))
		}
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, " ")
}

// perShield reads pairs of a shield and a number.
func (c *Compiler) perShield(st orders.Statement, figure string, into *[6]int, each func(side, n int)) {
	numbers := st.All(figure)
	var seen []int
	for i, a := range st.All("SHIELD") {
		side, ok := c.shield(a)
		switch {
		case !ok:
		case slices.Contains(seen, side):
			c.Fail(a.Pos, "E126", "name it once", "shield %d is named twice", side+1)
		default:
			seen = append(seen, side)
			into[side] += numbers[i].Num
			each(side, numbers[i].Num)
		}
	}
}

// arm compiles the arming and holding of weapons.
func (c *Compiler) arm(st orders.Statement, spend func(pos orders.Pos, sum, warp int)) {
	e := &c.Plan.Energy
	weapons, group := c.Weapons(st.All("WEAPON"), false)
	for _, w := range weapons {
		b, had := c.Sys.Bank(w), c.Sys.Weapons[w].Armed
		chart, arms := c.Book.Charts[b.Kind]
		_, again := e.Arm[b.Name]
		over, more := 0, st.Verb == "arm" && st.Form == 0 && c.Book.Overloads()
		again = again || e.Over[b.Name] > 0
		switch {
		case group && (chart.Turns == 0 && !more || more && !c.mayOverload(w) || st.Verb == "arm" && chart.Turns > 0 && had >= chart.Turns || st.Verb == "hold" && had < chart.Turns):
		case b.Kind.Rack() || !arms:
			c.Fail(st.Pos, "E204", "leave it out", "%s needs no energy", b.Name)
		case chart.Turns == 0 && !more:
			c.Fail(st.Pos, "E204", "phasers N puts energy into the capacitors", "%s is a %s: it fires from the capacitors", b.Name, map[bool]string{true: "phaser", false: b.Kind.Title()}[b.Kind.Phaser()])
		case again || slices.Contains(e.Hold, b.Name):
			c.Fail(st.Pos, "E106", "one line for each weapon", "%s is armed or held twice", b.Name)
		case st.Verb == "hold" && !chart.Keeps:
			c.Fail(st.Pos, "E205", "arm it in the turn in which it is to fire", "%s cannot be held", b.Name)
		case st.Verb == "hold" && had < chart.Turns:
			c.Fail(st.Pos, "E205", "arm "+b.Name, "%s is not armed: it has had %d of %d turns of arming", b.Name, had, chart.Turns)
		case st.Verb == "hold":
			e.Hold = append(e.Hold, b.Name)
			spend(st.Pos, chart.Hold, 0)
			c.Effect(st.Pos.Line, "%s stays armed", b.Name)
		case had >= chart.Turns && chart.Turns > 0:
			c.Fail(st.Pos, "E206", "hold "+b.Name, "%s is armed already", b.Name)
		default:
			energy := chart.ArmingEnergy(had)
			if more {
				if over, more = c.overload(st, w, energy); !more {
					continue
				}
				if e.Over == nil {
					e.Over = map[string]int{}
				}
				e.Over[b.Name] = over
				energy += over
			}
			warp := 0
			if chart.Warp {
				warp = energy
			}
			spend(st.Pos, energy, warp)
			if chart.Turns == 0 {
				c.Effect(st.Pos.Line, "%s is overloaded for this turn; the shot itself is paid from the capacitors", b.Name)
				continue
			}
			if e.Arm == nil {
				e.Arm = map[string]int{}
			}
			e.Arm[b.Name] = had + 1
			if over > 0 {
				c.Effect(st.Pos.Line, "%s is armed, overloaded with %d extra energy; it reaches %d hexes, and is lost if its own die is %d or more", b.Name, over, chart.Over.Reach, chart.Over.Blows)
			} else if had+1 < chart.Turns {
				c.Effect(st.Pos.Line, "%s has had %d of %d turns of arming; arm it next turn too, or it is lost", b.Name, had+1, chart.Turns)
			} else {
				c.Effect(st.Pos.Line, "%s is armed", b.Name)
			}
		}
	}
}

// balance compares the energy wanted with what is available, reports the order that exceeds it, and then drops what
// cannot be paid, starting with the least necessary.
func (c *Compiler) balance(faulty, repaired bool) {
	e := &c.Plan.Energy
	slices.SortStableFunc(c.Plan.Spent, func(a, b tactical.Spending) int { return a.Pos.Compare(b.Pos) })
	have, warp := e.Available+e.Batteries, c.Sys.Sheet.Count(sheet.Warp).Left+c.Sys.Boost(e.Boost)
	sum, fromWarp := 0, 0
	told := false
	for _, s := range c.Plan.Spent {
		sum, fromWarp = sum+s.Power, fromWarp+s.Warp
	}
	upto, uptoWarp := 0, 0
	for _, s := range c.Plan.Spent {
		upto, uptoWarp = upto+s.Power, uptoWarp+s.Warp
		switch {
		case told:
		case uptoWarp > warp:
			told = true
			c.Fail(s.Pos, "E202", fmt.Sprintf("lower it by %d: warp engines pay for speed and photon torpedoes, impulse for %d of the speed", fromWarp-warp, c.Book.ImpulseHexes), "%d energy wanted of the warp engines, which give %d", fromWarp, warp)
		case upto > have:
			told = true
			c.Fail(s.Pos, "E103", fmt.Sprintf("lower it by %d", sum-have), "%d energy wanted, there are %d", sum, have)
		}
	}
	if !told {
		e.Unused = have - sum
		if most := e.Available / 4; e.Unused > most && !faulty && c.Tell && !c.Book.Reserve && !orders.HasErrors(c.Plan.Diags) {
			c.Warn(c.Block.Start, "W122", "put it into speed, phasers, arming or reinforcement", "%d of %d energy unused; it is lost at the end of the turn", e.Unused, have)
		}
		return
	}
	// During a turn this happens only if the ship has lost boxes since the set was sent.
	full := *e
	*e = state.Energy{Ship: full.Ship, Available: full.Available, Boost: full.Boost, Batteries: full.Batteries, Before: full.Before, Draws: full.Draws}
	left, leftWarp := have, warp
	afford := func(sum, warp int) bool {
		if sum > left || warp > leftWarp {
			return false
		}
		left, leftWarp = left-sum, leftWarp-warp
		return true
	}
	needs := c.Book.Needs
	e.Needs = needs.of(have, &state.Energy{NoFire: true, Down: true})
	left -= e.Needs
	need := func(wanted bool, sum int) bool {
		paid := wanted && afford(sum, 0)
		e.Needs += sum * BoolInt(paid)
		return paid
	}
	e.Down = !need(!full.Down, needs.Shields)
	e.NoFire = !need(!full.NoFire, needs.FireControl)
	if c.Book.Quanta != nil {
		e.Speed, full.Speed = full.Speed, 0
		want := c.Plan.Pool
		for c.Plan.Pool = 0; c.Plan.Pool < want && afford(1, BoolInt(c.Plan.Pool >= c.impulseShare(want))); {
			c.Plan.Pool++
		}
	}
	for e.Speed < full.Speed && afford(1, BoolInt(e.Speed >= c.impulseShare(full.Speed))) {
		e.Speed++
	}
	if full.Cloak > 0 && afford(full.Cloak, 0) {
		e.Cloak = full.Cloak
	}
	for _, name := range full.Hold {
		chart := c.Book.Charts[c.Sys.Bank(c.Sys.Weapon(name)).Kind]
		if afford(chart.Hold, 0) {
			e.Hold = append(e.Hold, name)
		}
	}
	for w := range c.Sys.Weapons {
		b := c.Sys.Bank(w)
		turns, ok := full.Arm[b.Name]
		chart := c.Book.Charts[b.Kind]
		energy, over := 0, full.Over[b.Name]
		if ok {
			energy = chart.ArmingEnergy(turns - 1)
		}
		switch {
		case over > 0 && afford(energy+over, (energy+over)*BoolInt(chart.Warp)):
			if e.Over == nil {
				e.Over = map[string]int{}
			}
			e.Over[b.Name] = over
		case !ok || !afford(energy, energy*BoolInt(chart.Warp)):
			continue
		}
		if !ok {
			continue
		}
		if e.Arm == nil {
			e.Arm = map[string]int{}
		}
		e.Arm[b.Name] = turns
	}
	for e.Phasers < full.Phasers && afford(1, 0) {
		e.Phasers++
	}
	for i := range full.Reinforce {
		for e.Reinforce[i] < full.Reinforce[i] && afford(1, 0) {
			e.Reinforce[i]++
		}
	}
	for e.AllRound < full.AllRound && afford(c.Book.AllRoundEnergy, 0) {
		e.AllRound++
	}
	for i := range full.Repair {
		for repaired && e.Repair[i] < full.Repair[i] && afford(c.Book.BoxEnergy, 0) {
			e.Repair[i]++
		}
	}
	for _, name := range full.Scotty {
		if afford(c.Book.Rigging.Energy, 0) {
			e.Scotty = append(e.Scotty, name)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(full.Purse)) {
		if n := min(left, full.Purse[what]); afford(n, 0) {
			c.Plan.Energy.Set(what, n)
		}
	}
	e.Unused = left
}
