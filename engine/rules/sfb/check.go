package sfb

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/steering"
	"starpost/engine/tactical"
	"starpost/orders"
)

// own is an own ship of a view with its systems.
func own(v *engine.View, id engine.ShipID) (*engine.ShipView, *System, bool) {
	s, ok := v.Ship(id)
	if !ok {
		return nil, nil, false
	}
	sys, ok := s.System.(*System)
	return s, sys, ok && s.Hex != nil
}

// check diagnoses an order set against what its captain may know, and tells what each
// line would do if the others stayed where they are.
func (l *rulebook) check(v *engine.View, id engine.ShipID, b orders.Block) engine.Checked {
	refuse := func(code, message, hint string, at orders.Pos) engine.Checked {
		return engine.Checked{Diagnostics: []orders.Diagnostic{{Pos: at, Code: code, Message: message, Hint: hint}}}
	}
	s, sys, ok := own(v, id)
	switch {
	case !ok:
		return refuse("E117", "this ship takes no orders now", "it is not on the map", b.Start)
	case s.Status == engine.Waiting:
		return refuse("E117", fmt.Sprintf("%s takes no orders before turn %d, when it arrives", s.Name, s.Arrives), "", b.Start)
	case s.Status != engine.Active:
		return refuse("E117", fmt.Sprintf("%s is out of the fight (%s) and takes no orders", s.Name, s.Status), "", b.Start)
	case !slices.ContainsFunc(b.Groups, func(g orders.Group) bool { return len(g.Statements) > 0 }):
		return refuse("E129", "there are no orders in this set", "to do nothing on purpose, write: power, and below it: speed 0", b.End)
	}
	round := max(1, v.DueRound())
	p := l.compile(&compiler{id: id, side: s.Side, sys: sys, names: knownOf(v.Ships), sides: v.Sides, block: &b, tell: true, round: round, at: s.Hex, dark: v.Dark, files: s.Files, code: v.Code})
	out := engine.Checked{Diagnostics: p.diags, Effects: p.effects}
	f := &forecast{l: l, v: v, s: s, start: b.Start, sys: sys, p: &p, out: &out, at: engine.Place{Hex: *s.Hex, Heading: *s.Heading}, straight: sys.Straight, speed: p.energy.Speed, space: steering.SpaceOf(v.Bounds, l.Ground, slices.Values(v.Terrain))}
	f.rate, f.pool = map[int]int{}, p.pool*sheet.MoveParts
	if round > 1 {
		f.speed, f.pool = sys.Speed, sys.Pool
		if _, given := b.Group("phase", round); !given {
			f.warn(b.Start, "W131", fmt.Sprintf("write phase %d, and its orders below it", round),
				"there are no orders for phase %d, which is due: what you sent for it earlier in this turn holds, or else the ship goes ahead", round)
		}
	} else {
		out.Summary = append(out.Summary, l.energyWords(&p.energy))
	}
	if round == 1 {
		f.hardPool()
	}
	out.Path = append(out.Path, engine.Step{At: f.at})
	for phase := round; phase <= l.Rounds; phase++ {
		f.phase(phase)
	}
	if f.speed > 0 || len(out.Path) > 1 {
		out.Summary = append(out.Summary, fmt.Sprintf("plotted way ends at %s heading %s, if the others stay where they are", f.at.Hex.Label(), f.at.Heading))
	}
	if v.Bounds != nil && !v.Bounds.Contains(f.at.Hex) {
		f.warn(b.Start, "W128", "leaving the map is leaving the battle", "the plotted way leaves the map at %s", f.at.Hex.Label())
	}
	orders.Sort(out.Diagnostics)
	return out
}

// energyWords is a turn's energy in a sentence.
func (l *rulebook) energyWords(e *Energy) string {
	parts := []string{"speed " + l.speedWord(e.Speed)}
	add := func(n int, format string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(format, n))
		}
	}
	add(e.Needs, "%d to life support, fire control and shields")
	if e.NoFire {
		parts = append(parts, "fire control off")
	}
	if e.Down {
		parts = append(parts, "shields down")
	}
	add(e.Phasers, "%d to the phasers")
	if n := len(e.Arm); n > 0 {
		parts = append(parts, counted(n, "weapon", "weapons")+" armed")
	}
	add(len(e.Hold), "%d held")
	add(e.Cloak, "%d to the cloak")
	for i, n := range e.Reinforce {
		add(n, fmt.Sprintf("%%d on shield %d", i+1))
	}
	add(e.AllRound, "%d points all round")
	add(tactical.Sum(e.Repair[:]), "%d shield boxes to mend")
	add(e.Recharge, "%d to the batteries")
	if len(e.Scotty) > 0 {
		parts = append(parts, counted(len(e.Scotty), "try", "tries")+" to mend what is lost")
	}
	parts = append(parts, purseWords(e.Purse)...)
	from := fmt.Sprintf("%d energy", e.Available)
	if e.Batteries > 0 {
		from += fmt.Sprintf(" and %d of the batteries", e.Batteries)
	}
	return fmt.Sprintf("%s: %s, %d unused", from, strings.Join(parts, ", "), e.Unused)
}

// forecast follows a plan as if every other ship stayed where it is.
type forecast struct {
	l        *rulebook
	v        *engine.View
	s        *engine.ShipView
	sys      *System
	p        *plan
	out      *engine.Checked
	at       engine.Place
	straight int
	speed    int
	rate     map[int]int         // the speed in each impulse
	pool     int                 // movement energy that is left, in 60ths
	hard     map[int][]moveOrder // high energy turns of the phase, by the impulse that they wait for
	unsure   bool                // an order with a condition has moved the ship, or has not
	phasers  map[int]bool        // those with an order to fire
	space    *steering.Space
	met      bool       // an obstacle, which has been told
	start    orders.Pos // of the set
}

func (f *forecast) warn(pos orders.Pos, code, hint, format string, args ...any) {
	f.add(orders.Warning, pos, code, hint, format, args...)
}

// fail is for what is certain not to be done as it is ordered.
func (f *forecast) fail(pos orders.Pos, code, hint, format string, args ...any) {
	f.add(orders.Error, pos, code, hint, format, args...)
}

func (f *forecast) add(severity orders.Severity, pos orders.Pos, code, hint, format string, args ...any) {
	f.out.Diagnostics = append(f.out.Diagnostics, orders.Diagnostic{
		Pos: pos, Severity: severity, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...),
	})
}

func (f *forecast) say(line int, text string) {
	f.out.Effects = append(f.out.Effects, engine.Effect{Line: line, Text: text})
}

// target is where an order's target is now.
func (f *forecast) target(id engine.ShipID) (*engine.ShipView, bool) {
	if id != nearestEnemy {
		t, ok := f.v.Ship(id)
		return t, ok && t.Hex != nil
	}
	t := nearest(f.v, f.s)
	return t, t != nil
}

// nearest is the enemy ship in the fight that is nearest to a ship; nil for none.
func nearest(v *engine.View, s *engine.ShipView) (best *engine.ShipView) {
	if s.Hex == nil {
		return nil
	}
	for _, o := range v.Ships {
		if o.Side == s.Side || o.Kind != engine.KindShip || o.Status != engine.Active || o.Hex == nil || o.Sight != engine.Seen {
			continue
		}
		if best == nil || hex.Distance(*s.Hex, *o.Hex) < hex.Distance(*s.Hex, *best.Hex) {
			best = o
		}
	}
	return best
}

func (f *forecast) phase(n int) {
	impulses := f.impulses(n)
	left := impulses
	f.hard = map[int][]moveOrder{}
	for _, m := range f.p.phases[n-1].moves {
		if m.verb == verbHard && m.on > 0 && m.when == nil {
			f.hard[m.on] = append(f.hard[m.on], m)
		}
	}
	for _, m := range f.p.phases[n-1].moves {
		if len(left) == 0 {
			if (m.verb == "move" || m.verb == verbHard && m.on == 0) && m.when == nil && !f.unsure {
				f.warn(orders.Pos{Line: m.line, Col: 1}, "W215", fmt.Sprintf("phase %d has %s at speed %s", n, hexes(len(impulses)), f.l.speedWord(f.speed)), "there are no hexes left for this")
			}
			continue
		}
		left = f.move(n, m, left, len(impulses))
	}
	for _, i := range left {
		f.hardOn(i)
		f.step("F", i)
	}
	for _, o := range f.p.phases[n-1].fires {
		if !o.standing || o.on > 0 || n == f.l.Rounds { // what stands is told once
			f.fire(o)
		}
	}
}

// impulses are those of a phase in which the ship moves, one for each hex that her speed gives
// and her pool pays for.
func (f *forecast) impulses(n int) (out []int) {
	first, last := f.l.span(n)
	done := map[int]bool{}
	for i := first; i <= last; i++ {
		for k, o := range f.p.phases[n-1].speeds {
			if done[k] || o.on > 0 && o.on != i {
				continue
			}
			done[k] = true
			if o.when != nil {
				f.unsure = true
			} else if from := f.l.quantum(f.speed); mayFollow(from, o.to) {
				f.speed = f.l.Quanta[o.to].Hexes
				break
			} else if !f.unsure {
				f.fail(orders.Pos{Line: o.line, Col: 1}, "E201", f.l.nextStep(from, o.to), "in impulse %d speed %s is too far from %s, and she keeps that", i, f.l.Quanta[o.to].Word, f.l.Quanta[from].Word)
			}
		}
		f.rate[i] = f.speed
		for range f.l.moves(f.speed, i) {
			if f.l.Quanta != nil {
				if f.pool < f.sys.hexCost() {
					break
				}
				f.pool -= f.sys.hexCost()
			}
			out = append(out, i)
		}
	}
	return out
}

// move follows one movement order, and gives the impulses that it leaves to others.
func (f *forecast) move(phase int, m moveOrder, left []int, all int) []int {
	target := engine.Place{Hex: m.at}
	if m.verb == verbHard {
		f.unsure = f.unsure || m.when != nil
		if !m.timed() {
			f.turnHard(m)
		}
		return left
	}
	if m.target != "" {
		foe, ok := f.target(m.target)
		if !ok {
			return left
		}
		target = foe.Stands()
	}
	from, note, words := f.at, "", []string(nil)
	f.unsure = f.unsure || m.when != nil
	if m.verb == "move" && len(m.words) > len(left) && !f.unsure {
		f.warn(orders.Pos{Line: m.line, Col: 1}, "W215", fmt.Sprintf("phase %d has %s at speed %s", phase, hexes(all), f.l.speedWord(f.speed)), "%d of these words are not used", len(m.words)-len(left))
	}
	for k := 0; len(left) > 0 && (m.verb != "move" || k < len(m.words)); k++ {
		f.hardOn(left[0])
		mode := f.sys.straight(f.rate[left[0]])
		may := f.straight >= mode
		word := ""
		if m.verb == "move" {
			word = m.words[k]
		} else {
			word = steering.Steer(m.wish(), f.at, target, may, f.space)
		}
		if word != "F" && !may {
			switch {
			case f.unsure:
			case mode >= noTurns:
				f.warn(m.wordAt[k], "W210", "it becomes F", "%s, word %d: %s", word, k+1, uncontrolled)
			default:
				f.warn(m.wordAt[k], "W210", "it becomes F", "%s, word %d: by then she has moved %d of the %s straight that her turn mode wants", word, k+1, f.straight, hexes(mode))
			}
			word = "F"
		}
		f.step(word, left[0])
		words, left = append(words, word), left[1:]
	}
	if m.verb != "move" {
		note = ", as things stand: " + strings.Join(words, " ")
	}
	if m.when != nil {
		note += ", if the condition holds then"
	}
	if m.standing {
		note += fmt.Sprintf(", in phase %d", phase)
	}
	f.say(m.line, from.Hex.Label()+" "+from.Heading.String()+" to "+f.at.Hex.Label()+" "+f.at.Heading.String()+note)
	return left
}

// hardPool tells of a pool that pays for less than the hexes of the speed and the high energy
// turns that are ordered.
func (f *forecast) hardPool() {
	n, line := 0, 0
	for _, p := range f.p.phases {
		if len(p.speeds) > 0 {
			return
		}
		for _, m := range p.moves {
			if m.verb == verbHard && m.when == nil {
				n, line = n+1, m.line
			}
		}
	}
	need := poolEnergy(f.speed+n*f.l.Hard.Hexes, f.sys.hexCost())
	if n > 0 && need > f.p.pool {
		f.warn(orders.Pos{Line: line, Col: 1}, "W217", fmt.Sprintf("speed %s pool %d pays for all", f.l.speedWord(f.speed), need),
			"%s and %s take more than the pool of %d energy: hexes that it does not pay for are not moved", hexes(f.speed), counted(n, "hard turn", "hard turns"), f.p.pool)
	}
}

// turnHard follows a high energy turn, as if nothing broke.
func (f *forecast) turnHard(m moveOrder) {
	f.pool -= f.l.Hard.Hexes * f.sys.hexCost()
	f.at.Heading, f.straight = f.at.Heading.Turn(m.sides), 0
}

// hardOn follows those of an impulse, before the first hex of it.
func (f *forecast) hardOn(impulse int) {
	for _, m := range f.hard[impulse] {
		f.turnHard(m)
	}
	delete(f.hard, impulse)
}

func (f *forecast) step(word string, impulse int) {
	f.straight++
	to := steering.Step(f.at, word)
	if f.space.Closed[to.Hex] != "" {
		if !f.unsure && !f.met {
			f.warn(f.start, "W219", "turn away before it", "the plotted way leads into a %s at %s: she stays before it, and uses the hexes", f.space.Closed[to.Hex], to.Hex.Label())
		}
		f.met = true
	} else {
		f.at = to
		if word != "F" {
			f.straight = 1
		}
	}
	f.out.Path = append(f.out.Path, engine.Step{Phase: impulse, At: f.at})
}

// fire tells what weapons can do at a target from where the ship is by then.
func (f *forecast) fire(o fireOrder) {
	if o.cannon {
		return // told when it was read
	}
	f.draws(o)
	if o.blind {
		f.say(o.line, fmt.Sprintf("at the nearest hidden ship in the arc, as from %d hexes more; you are told if it hits", f.l.Cloak.More))
		return
	}
	foe, ok := f.target(o.target)
	switch {
	case !ok || foe.Sight != engine.Seen && !f.v.Dark:
		f.say(o.line, "there is no such target on the map now")
		return
	case foe.Sight != engine.Seen:
		f.say(o.line, foe.Name+" is no target as your sensors have it: there is fire only if it is one then")
		return
	}
	rng := hex.Distance(f.at.Hex, *foe.Hex)
	if o.row > 0 {
		f.aim(o, foe, rng)
	}
	var can, cannot []string
	for _, w := range o.weapons {
		b := f.sys.bank(w)
		if b.Kind == sheet.DroneRack {
			can = append(can, fmt.Sprintf("%s has %s", b.Name, counted(f.sys.Weapons[w].Drones, "drone", "drones")))
			continue
		}
		why, text := f.l.shotWords(f.sys, w, f.armed(w), f.over(w), f.at, foe, rng)
		switch {
		case why == "":
			can = append(can, b.Name+" "+text)
		case !o.group:
			cannot = append(cannot, b.Name+" "+why)
		}
	}
	text := fmt.Sprintf("range %d at the end of the phase if %s stays", rng, foe.Name)
	if len(can) > 0 {
		text += ": " + strings.Join(can, ", ")
	}
	if slices.ContainsFunc(o.weapons, func(w int) bool { return f.sys.bank(w).Kind.Phaser() }) && len(can) > 0 {
		text += " (phasers: points by die 1 to 6)"
	}
	if len(cannot) > 0 {
		text += "; " + strings.Join(cannot, ", ")
	}
	f.say(o.line, text)
}

// aim tells of fire at a row of the chart that, as things stand, dice will send elsewhere.
func (f *forecast) aim(o fireOrder, foe *engine.ShipView, rng int) {
	const orElse = ", or leave the aim out; else the weapons fire and dice decide what they hit"
	most := f.l.Aiming.Range * b2i(f.sys.Aims)
	switch {
	case rng > most && most > 0:
		f.warn(orders.Pos{Line: o.line, Col: 1}, "W216", "come within "+hexes(most)+orElse, "as things stand the range is %d, too far to aim at row %d", rng, o.row)
	case rng > most:
		f.warn(orders.Pos{Line: o.line, Col: 1}, "W216", "come into her hex, both at rest"+orElse, "as things stand the range is %d, too far to aim at row %d", rng, o.row)
	case rng > 0 && f.v.Dark && !dark.Drawn(f.v, foe):
		f.warn(orders.Pos{Line: o.line, Col: 1}, "W221", "8 points of laboratories draw one: study "+foe.Name+" with 2"+orElse, "your people have no sheet of %s to aim by", foe.Name)
	}
}

// draws tells of fire that takes more than the capacitors will hold, so that a captain knows
// what of his reserve it spends (ruling R3b).
func (f *forecast) draws(o fireOrder) {
	before := f.short()
	for _, w := range o.weapons {
		if b := f.sys.bank(w); b.Left > 0 && b.Kind.Shot() > 0 && f.sys.Weapons[w].Fired.Turn != f.v.Due {
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
	text := fmt.Sprintf("the capacitors lack %d energy if all these phasers fire", short)
	draws := f.sys.Draws
	if allots {
		draws = f.p.energy.Draws
	}
	if draws {
		text += ": it is taken from the reserve, then from the batteries"
	}
	switch fill := fmt.Sprintf("phasers %d under power", f.p.energy.Phasers+short); {
	case allots && draws:
		text += "; " + fill + " leaves both to the shields"
	case allots:
		text += ": " + fill + " fills them, phasers reserve takes it from the reserve, then from the batteries"
	case !draws:
		text += ", and this turn's reserve is not for phasers"
	}
	f.say(o.line, text)
}

// short is what energy the capacitors lack for all phasers that have an order to fire.
func (f *forecast) short() int {
	halves := -f.sys.charge() - 2*f.p.energy.Phasers
	for w := range f.phasers {
		halves += f.sys.bank(w).Kind.Shot()
	}
	return max(0, halves+1) / 2
}

// armed is how many turns of arming a weapon has had, with what the set allots.
func (f *forecast) armed(w int) int {
	name := f.sys.bank(w).Name
	if turns, ok := f.p.energy.Arm[name]; ok {
		return turns
	}
	if f.v.DueRound() > 1 || slices.Contains(f.p.energy.Hold, name) {
		return f.sys.Weapons[w].Armed
	}
	return 0
}

// over is the energy with which a weapon is overloaded, with what the set allots.
func (f *forecast) over(w int) int {
	name := f.sys.bank(w).Name
	if f.v.DueRound() > 1 || slices.Contains(f.p.energy.Hold, name) {
		return f.sys.Weapons[w].Over
	}
	return f.p.energy.Over[name]
}

// shotWords tells what a weapon does at a range and bearing: a mean of points, or why
// it can do nothing.
func (l *rulebook) shotWords(sys *System, w, armed, over int, at engine.Place, foe *engine.ShipView, rng int) (why, text string) {
	b := sys.bank(w)
	if _, ok := l.Charts[b.Kind]; !ok {
		return "has no chart", ""
	}
	chart := l.chart(sys, b.Kind)
	known, is := openOf(foe)
	hidden := is && cloakSeen(foe, known)
	counts, _ := l.counted(&sys.Sheet, rng, hidden)
	flies := len(chart.Warheads) > 0
	r, why := row{}, ""
	switch {
	case !flies:
		r, why = line(&chart, b, over, rng, counts, hidden)
		if _, near := chart.atOver(over, rng); why != "" && near && hidden {
			why = fmt.Sprintf("cannot fire at range %d (as %d, she is cloaked)", rng, counts)
		}
	case rng == 0 || chart.warhead(rng) == 0 || foe.Kind != engine.KindShip:
		why = fmt.Sprintf("cannot fire at range %d", rng)
	}
	bearing, apart := hex.Bearing(at.Hex, *foe.Hex)
	switch {
	case b.Left == 0:
		return "is destroyed", ""
	case why != "":
		return why, ""
	case apart && !b.Arcs.Bear(bearing.Relative(at.Heading)):
		return "does not bear", ""
	case armed < chart.Turns:
		return fmt.Sprintf("is not armed (%d of %d turns)", armed, chart.Turns), ""
	case flies:
		return "", fmt.Sprintf("does %d after %s", chart.warhead(rng), hexes(rng))
	case r.Need > 0:
		need := r.Need
		if foe.Kind != engine.KindShip {
			need -= chart.Small
		}
		switch {
		case need < 1:
			return fmt.Sprintf("cannot hit so small a thing at range %d", rng), ""
		case need == 1:
			return "", fmt.Sprintf("hits on 1 for %d", r.Points)
		}
		return "", fmt.Sprintf("hits on 1 to %d for %d", need, r.Points)
	}
	return "", r.digits()
}
