package play

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
	"starpost/engine/tactical"
	"starpost/orders"
)

// Phases is the sequence of a turn: energy, the impulses, the end.
func Phases(l *rulebook.Rules) []engine.Phase {
	out := []engine.Phase{{Name: "energy", Step: "power", Round: 1, Run: func(t *engine.Turn) { allot(l, t) }}}
	for i := 1; i <= l.Impulses; i++ {
		round := l.PhaseOf(i)
		add := func(name, step string, run func(*engine.Turn)) {
			out = append(out, engine.Phase{Name: fmt.Sprintf("%s %d", name, i), Step: step, No: i, Round: round, Run: run})
		}
		if first, _ := l.Span(round); i == first && round > 1 {
			add("orders", "orders", func(t *engine.Turn) { renew(l, t) })
		}
		add("movement", "movement", func(t *engine.Turn) { movement(l, t) })
		add("fire", "fire", func(t *engine.Turn) { combat(l, t) })
		goals := engine.GoalsPhase(l.Cite(rulebook.OnVictory)...)
		add(goals.Name, goals.Step, goals.Run)
	}
	out = append(out, engine.Phase{Name: "end of the turn", Step: "repair", Round: l.Rounds, Run: func(t *engine.Turn) { closeTurn(l, t) }})
	end := engine.EndPhase(l.Cite(rulebook.OnVictory)...)
	end.Round = l.Rounds
	return append(out, end)
}

// allot carries out the energy phase, tells the speeds, and settles the order of moving.
func allot(l *rulebook.Rules, t *engine.Turn) {
	n := memo(t)
	ships := state.Fighting(t.Game)
	for _, s := range ships {
		b, sent := t.Sheets[engine.Seat{Ship: s.ID}].Block, true
		if b == nil {
			b, sent = absent(l, t, s), false
		}
		if was, ok := state.Of(s).Clone().(*state.System); ok && t.Replied(engine.Seat{Ship: s.ID}) {
			n.began[s.ID] = was
		}
		p := adopt(l, t, s, b, 1, sent)
		n.plans[s.ID], n.blocks[s.ID], n.speeds[s.ID] = p, b, state.Of(s).Speed
		energy := p.Energy
		allotted := t.Because(t.OrderedIn(s.ID, "power", "")).Emit(&energy, engine.SeeOnly(s.ID), l.Cite(rulebook.OnEnergy)...)
		if l.Quanta != nil {
			t.Because(t.Last()).Emit(&state.Pool{Ship: s.ID, Left: p.Pool * sheet.MoveParts, Reserve: energy.Unused, Freed: 0}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnPool)...)
		}
		under := energy.Cloak > 0
		if l.Cloak.Hides {
			under = under && state.Of(s).Cloaked
			if state.Of(s).Cloaked && !under {
				t.Because(allotted).Emit(&state.Cloak{Ship: s.ID, On: false, At: engine.Place{Hex: s.Hex, Heading: s.Heading}, Impulse: 0}, engine.SeeAll(), l.Cite(rulebook.OnCloak)...)
			}
		}
		speed, cites := &state.Speed{Ship: s.ID, Speed: energy.Speed, Mode: state.Of(s).StraightAt(energy.Speed), Cloaked: under, Down: energy.Down}, l.Cite(rulebook.OnSpeed)
		if speed.Cloaked {
			cites = l.Cite(rulebook.OnSpeed, rulebook.OnCloak)
		}
		t.Because(allotted).Emit(speed, seenBy(&l.Book, t.Game, s), cites...)
	}
	n.order = orderOfMoving(l, t, ships)
	tellOrder(l, t)
	dark.In(t).LookRound(false)
	partPhase(l, t, func(p *rulebook.Part) func(*rulebook.Rules, *engine.Turn) { return p.Begin })
}

// tellOrder tells the order of moving, of the ships that all see.
func tellOrder(l *rulebook.Rules, t *engine.Turn) {
	order := slices.DeleteFunc(slices.Clone(memo(t).order), func(id engine.ShipID) bool {
		s, _ := t.Game.Ship(id)
		return Hidden(&l.Book, t.Game, s)
	})
	if len(order) > 1 {
		t.Emit(&state.Order{Order: order}, openly(t.Game), l.Cite(rulebook.OnOrderOfMoving)...)
	}
}

// adopt makes an order set a plan for a ship, with her standing orders.
func adopt(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, b *orders.Block, round int, sent bool) *rulebook.Plan {
	sys := state.Of(s)
	as := sys
	if was := memo(t).began[s.ID]; was != nil { // so that it is all the same when a phase was written
		was.Standing, was.Cloaked, was.NoFire, as = sys.Standing, sys.Cloaked, sys.NoFire, was
	}
	names, sides := nameable(l, t, s)
	p := l.Compile(&rulebook.Compiler{ID: s.ID, Side: s.Side, Sys: as, Names: names, Sides: sides, Block: b, Round: round, At: &s.Hex, Dark: t.Game.Blind != nil, Files: t.Game.Labs.Aboard(s.ID)})
	for _, d := range p.Diags {
		if d.Severity == orders.Error {
			t.Emit(&engine.Skip{Ship: s.ID, Line: d.Pos.Line, Order: "order", Reason: d.Message}, engine.SeeOnly(s.ID), l.Cite(rulebook.OnSkipped)...)
		}
	}
	last := sys.Last
	if sent {
		last = b.Body()
	}
	set := &state.StandingSet{Ship: s.ID, Standing: p.Standing, Last: last}
	if last != sys.Last || !p.Standing.Same(sys.Standing) {
		t.Because(t.OrderedIn(s.ID, "standing", "")).Emit(set, engine.SeeOnly(s.ID), l.Cite(rulebook.OnStanding)...)
	}
	return &p
}

// absent is the order set of a ship whose captain sent none (ruling D12): his last one
// if he asked for that, else course and speed kept, with what is armed held.
func absent(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) *orders.Block {
	sys := state.Of(s)
	text := steady(l, t.Game.Bounds, engine.Place{Hex: s.Hex, Heading: s.Heading}, sys)
	if sys.Standing.Missing == rulebook.MissingRepeat && sys.Last != "" {
		text = sys.Last
	}
	b := Read(l, text)
	b.Groups = slices.DeleteFunc(b.Groups, func(g orders.Group) bool { return g.Name == "" }) // what was said for one turn, to strike above all
	return b
}

// Read reads a captain's orders without head and end that the rules themselves wrote or kept.
func Read(l *rulebook.Rules, text string) *orders.Block {
	b, _ := l.Language.Block("ship", text)
	return &b
}

// orderOfMoving is the slower ships first, then those of the higher turn mode, then by a
// die (ruling C4).
func orderOfMoving(l *rulebook.Rules, t *engine.Turn, ships []*engine.Ship) []engine.ShipID {
	ships = slices.DeleteFunc(slices.Clone(ships), func(s *engine.Ship) bool { return state.Of(s).Speed == 0 && l.Quanta == nil })
	before := func(a, b *engine.Ship) int { return movesBefore(l, t.Game, a.ID, b.ID) }
	slices.SortStableFunc(ships, before)
	for i := 0; i < len(ships); {
		j := i + 1
		for j < len(ships) && before(ships[i], ships[j]) == 0 {
			j++
		}
		if state.Of(ships[i]).Speed > 0 && !Hidden(&l.Book, t.Game, ships[i]) {
			throwForOrder(l, t, ships[i:j], 1)
		}
		i = j
	}
	out := make([]engine.ShipID, len(ships))
	for i, s := range ships {
		out[i] = s.ID
	}
	return out
}

// movesBefore compares ships by speed and turn mode; hidden ones come last, without dice.
func movesBefore(l *rulebook.Rules, g *engine.Game, a, b engine.ShipID) int {
	s, _ := g.Ship(a)
	o, _ := g.Ship(b)
	x, y := state.Of(s), state.Of(o)
	if g.Blind != nil { // her turn mode must not show in who moves first
		return cmp.Compare(x.Speed, y.Speed)
	}
	return cmp.Or(cmp.Compare(rulebook.BoolInt(Hidden(&l.Book, g, s)), rulebook.BoolInt(Hidden(&l.Book, g, o))), cmp.Compare(x.Speed, y.Speed), -cmp.Compare(x.StraightAt(x.Speed), y.StraightAt(y.Speed)))
}

// throwForOrder sorts ships that are equal else by a die each, and equal dice by others.
func throwForOrder(l *rulebook.Rules, t *engine.Turn, ships []*engine.Ship, try int) {
	if len(ships) < 2 {
		return
	}
	rolls := map[engine.ShipID]int{}
	for _, s := range ships {
		name := engine.NameRoll("order", s.ID)
		if try > 1 {
			name = name.And(strconv.Itoa(try))
		}
		rolls[s.ID] = t.Roll(name, dice.D6, openly(t.Game), l.Cite(rulebook.OnOrderOfMoving)...)
	}
	slices.SortStableFunc(ships, func(a, b *engine.Ship) int { return cmp.Compare(rolls[a.ID], rolls[b.ID]) })
	for i := 0; i < len(ships); {
		j := i + 1
		for j < len(ships) && rolls[ships[i].ID] == rolls[ships[j].ID] {
			j++
		}
		throwForOrder(l, t, ships[i:j], try+1)
		i = j
	}
}

// renew takes in the orders of a round after the first: the phases that a set has take
// the place of those that were sent before, and so do its standing orders.
func renew(l *rulebook.Rules, t *engine.Turn) {
	n, round := memo(t), l.PhaseOf(t.Phase.No)
	if len(n.plans) == 0 { // the turn is played from a later round on, by what ships have
		for _, s := range state.Fighting(t.Game) {
			n.blocks[s.ID], n.speeds[s.ID] = Read(l, state.Of(s).Last), state.Of(s).Speed
			n.plans[s.ID] = adopt(l, t, s, n.blocks[s.ID], round, false)
		}
		n.order = orderOfMoving(l, t, state.Fighting(t.Game))
	}
	for _, s := range state.Fighting(t.Game) {
		reply, ok := t.Reply(engine.Seat{Ship: s.ID})
		held := n.blocks[s.ID]
		if !ok || reply.Block == nil || held == nil {
			continue // what was said holds on; hexes that nothing is said of are ahead
		}
		merged := *held
		merged.Groups = slices.Clone(held.Groups)
		for _, g := range reply.Block.Groups {
			if len(g.Statements) > 0 && (g.Name == "phase" && g.N >= round || g.Name == "standing") {
				family.Put(l.Language, &merged, g)
			}
		}
		putSurrender(l, &merged, reply.Block)
		fresh := adopt(l, t, s, &merged, round, true)
		old := n.plans[s.ID]
		old.Standing, old.Surrenders = fresh.Standing, fresh.Surrenders
		copy(old.Phases[round-1:], fresh.Phases[round-1:])
		n.blocks[s.ID] = &merged
	}
}

// putSurrender has a later set of a turn say whether its ship surrenders: it takes the place of
// what was said of that before.
func putSurrender(l *rulebook.Rules, merged, reply *orders.Block) {
	said, held := engine.TurnLevelStatements(reply, rulebook.VerbSurrender), engine.TurnLevelStatements(merged, rulebook.VerbSurrender)
	if len(said)+len(held) == 0 {
		return
	}
	g, _ := merged.Group("", 0)
	g.Statements = append(slices.DeleteFunc(slices.Clone(g.Statements), func(st orders.Statement) bool { return st.Verb == rulebook.VerbSurrender }), said...)
	family.Put(l.Language, merged, g)
}

// closeTurn is the end of a turn: shields are mended, batteries filled, and what does not
// outlast the turn is gone.
func closeTurn(l *rulebook.Rules, t *engine.Turn) {
	n := memo(t)
	n.works = dark.In(t).WorkLabs(func(ship engine.ShipID, line int) bool {
		p := n.plans[ship]
		return p != nil && slices.ContainsFunc(p.Diags, func(d orders.Diagnostic) bool { return d.Severity == orders.Error && d.Pos.Line == line })
	})
	partPhase(l, t, func(p *rulebook.Part) func(*rulebook.Rules, *engine.Turn) { return p.End })
	if t.Game.Blind != nil {
		slipAway(l, t)
	}
	for _, s := range engine.Captained(t.Game.Ships) {
		if !s.OnMap() || s.Status == engine.Destroyed {
			continue
		}
		sys := state.Of(s)
		lapse := state.Lapse{Ship: s.ID}
		if p := n.plans[s.ID]; p != nil && s.Status == engine.Active {
			for side, boxes := range p.Energy.Repair {
				sh := sys.Sheet.Shields[side]
				if after := min(sh.All, sh.Left+boxes); after > sh.Left {
					t.Because(t.OrderedIn(s.ID, "power", "repair")).Emit(&state.Mend{Ship: s.ID, Shield: side + 1, Before: sh.Left, After: after}, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnRepair)...)
				}
			}
			lapse.Recharge = max(0, min(p.Energy.Recharge, sys.Sheet.Count(sheet.Battery).Left-sys.Batteries))
		}
		for w := range sys.Weapons {
			if chart := l.Charts[sys.Bank(w).Kind]; sys.Weapons[w].Armed+sys.Weapons[w].Over > 0 && sys.Weapons[w].Armed >= chart.Turns && !chart.Keeps {
				lapse.Weapons = append(lapse.Weapons, sys.Bank(w).Name)
			}
		}
		if lapse.Recharge > 0 || len(lapse.Weapons) > 0 || sys.AllRound+sys.Pool+sys.Reserve > 0 || len(sys.Purse) > 0 || tactical.Sum(sys.Reinforce[:]) > 0 {
			t.Because(t.OrderedIn(s.ID, "power", "")).Emit(&lapse, engine.SeeOnly(s.ID), l.Cite(rulebook.OnEnergy)...)
		}
	}
}

// Obstacles are the bodies of space that nothing enters, and that nothing is seen or fired across
// (house 9.73 knows them, ruling H20).
func Obstacles() map[string]engine.Ground {
	return map[string]engine.Ground{
		"planet": {Doc: "a planet: nothing enters it, nothing is seen or fired across it, and what seeks goes round it", Closed: true, Opaque: true, Looks: blind.Signature{Large: true}},
		"moon":   {Doc: "a moon: as a planet", Closed: true, Opaque: true, Looks: blind.Signature{Large: true}},
	}
}

// space is that of a turn.
func space(l *rulebook.Rules, t *engine.Turn) *steering.Space {
	n := memo(t)
	if n.space == nil {
		n.space = steering.SpaceOf(t.Game.Bounds, l.Ground, t.Game.Features())
	}
	return n.space
}

// known is the space that what flies goes by: that of the turn, or where the chart is unknown what is on that of
// the captain who had it launched.
func known(l *rulebook.Rules, t *engine.Turn, d *engine.Ship) *steering.Space {
	if !t.Game.Blind.Uncharted() {
		return space(l, t)
	}
	return steering.SpaceOf(t.Game.Bounds, l.Ground, slices.Values(dark.In(t).Chart(d)))
}

// apart tells whether an obstacle lies between two ships of a game.
func apart(l *rulebook.Rules, g *engine.Game, a, b *engine.Ship) bool {
	return len(g.Terrain) > 0 && !steering.SpaceOf(nil, l.Ground, g.Features()).Clear(a.Hex, b.Hex)
}

// steady keeps a ship's course at her speed, within the map.
func steady(l *rulebook.Rules, bounds *hex.Bounds, at engine.Place, sys *state.System) string {
	speed := sys.Speed
	for bounds != nil && speed > 0 && !bounds.Contains(at.Hex.StepN(at.Heading, speed)) {
		speed--
	}
	power, _ := Allotment(l, sys, speed, 0, false, sys.Cloaked)
	return power
}

// Allotment is a way to use a turn's energy: a speed, what is armed kept, what can be
// armed armed, the capacitors filled, the rest on a shield; perhaps under the cloak. Pace is the speed that there is energy for.
func Allotment(l *rulebook.Rules, sys *state.System, speed, side int, arm, cloak bool) (power string, pace int) {
	return Allotting(l, sys, speed, side, arm, cloak, NoOverload)
}

// NoOverload is an allotment that overloads nothing.
const NoOverload = 1 << 30

// Allotting is an allotment that overloads what it arms with all energy but for some to spare.
func Allotting(l *rulebook.Rules, sys *state.System, speed, side int, arm, cloak bool, spare int) (power string, pace int) {
	var b strings.Builder
	b.WriteString("power\n")
	warp := sys.Sheet.Count(sheet.Warp).Left
	share := min(l.ImpulseHexes, sys.Sheet.Count(sheet.Impulse).Left)
	left := sys.Sheet.Power()
	var armed, held []string
	take := func(sum, fromWarp int) bool {
		if sum > left || fromWarp > warp {
			return false
		}
		left, warp = left-sum, warp-fromWarp
		return true
	}
	said := ""
	fmt.Fprint(&b, fewer(l, &left))
	if l.Quanta != nil {
		said = Affordable(l, sys, speed, min(left, warp+share), func(energy, hexes int) {
			pace = hexes
			take(energy, max(0, energy-share))
		})
	} else {
		pace = max(0, min(speed, l.Fastest(sys.Speed), warp+share, left))
		take(pace, max(0, pace-share))
		said = strconv.Itoa(pace)
	}
	cloak = cloak && sys.Sheet.Cloak > 0 && take(sys.Sheet.Cloak, 0)
	for _, keep := range []bool{true, false} {
		for w := range sys.Weapons {
			bank := sys.Bank(w)
			chart := l.Charts[bank.Kind]
			had := sys.Weapons[w].Armed
			switch {
			case bank.Left == 0 || chart.Turns == 0:
			case keep && chart.Keeps && had >= chart.Turns && take(chart.Hold, 0):
				held = append(held, bank.Name)
			case !keep && arm && had < chart.Turns && take(chart.ArmingEnergy(had), chart.ArmingEnergy(had)*rulebook.BoolInt(chart.Warp)):
				armed = append(armed, bank.Name)
			}
		}
	}
	fmt.Fprintf(&b, "  speed %s\n", said)
	if cloak {
		b.WriteString("  cloak\n")
	}
	if n := min(left, sys.Phasers()-sys.Capacitor); n > 0 && take(n, 0) {
		fmt.Fprintf(&b, "  phasers %d\n", n)
	}
	if len(held) > 0 {
		fmt.Fprintf(&b, "  hold %s\n", strings.Join(held, " "))
	}
	if len(armed) > 0 && spare == NoOverload {
		fmt.Fprintf(&b, "  arm %s\n", strings.Join(armed, " "))
		armed = nil
	}
	if n := min(left, sys.Sheet.Count(sheet.Battery).Left-sys.Batteries); n > 0 && take(n, 0) {
		fmt.Fprintf(&b, "  recharge %d\n", n)
	}
	for _, name := range armed {
		w := sys.Weapon(name)
		chart := l.Charts[sys.Bank(w).Kind]
		had, more := sys.Weapons[w].Armed, min(chart.Over.Most, left-spare)
		if chart.Over.Most == 0 || more < chart.Over.Least || sys.Rigged[name] > 0 || had+1 < chart.Turns || !take(more, more*rulebook.BoolInt(chart.Warp)) {
			fmt.Fprintf(&b, "  arm %s\n", name)
		} else {
			fmt.Fprintf(&b, "  arm %s overload with %d\n", name, chart.ArmingEnergy(had)+more)
		}
	}
	if left > 0 && side >= 0 && !l.Reserve {
		fmt.Fprintf(&b, "  reinforce %d:%d\n", side+1, left)
	}
	return b.String(), pace
}

// fewer takes what a ship needs from what energy is left, and is the lines by which she
// does without what there is too little for.
func fewer(l *rulebook.Rules, left *int) (lines string) {
	n := l.Needs
	*left -= min(*left, n.LifeSupport)
	if *left < n.Shields {
		lines += "  shields down\n"
	} else {
		*left -= n.Shields
	}
	if *left < n.FireControl {
		return lines + "  fire-control off\n"
	}
	*left -= n.FireControl
	return lines
}
