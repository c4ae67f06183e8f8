package rulebook

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/tactical"
	"starpost/orders"
)

// labVerbs returns the orders for laboratories, if the book has them.
func (b *Book) labVerbs() []orders.Verb {
	if b.Research.Range == 0 {
		return nil
	}
	return dark.LabVerbs()
}

// hardVerb returns the verb for high energy turns.
func (b *Book) hardVerb() orders.Verb {
	return orders.Verb{
		Name: VerbHard, Forms: []orders.Form{"hard TURN [on IMPULSE]"}, When: true, Examples: []string{"hard LL", "hard RRR on 3", "hard L when shield 1 < 5"},
		Doc: fmt.Sprintf("A high energy turn: one, two or three sides at once, before a hex of movement, whatever her turn mode, which starts counting anew. It takes the energy of %s from the pool, and a die may break her engines. Any number a turn. Without an impulse or a condition it comes after the movement orders before it.", phrase.Hexes(b.Hard.Hexes)),
	}
}

// alongForms returns the forms of an order to fire cannon.
func alongForms() []orders.Form {
	return []orders.Form{
		"fire WEAPON... along HEADING split PART... from SOURCE... [on IMPULSE]", "fire WEAPON... along HEADING split PART... [on IMPULSE]",
		"fire WEAPON... along HEADING from SOURCE... [on IMPULSE]", "fire WEAPON... along HEADING [on IMPULSE]",
	}
}

// Overloads reports whether any weapon can be overloaded.
func (b *Book) Overloads() bool {
	for _, c := range b.Charts {
		if c.Over.Most > 0 {
			return true
		}
	}
	return false
}

// reinforceVerb returns the standing order to reinforce shields.
func reinforceVerb() orders.Verb {
	return orders.Verb{
		Name: "reinforce", Forms: []orders.Form{"reinforce struck up to POINTS", "reinforce shield SHIELD up to POINTS", "reinforce none"}, When: true,
		Examples: []string{"reinforce struck up to 4", "reinforce shield 1 up to 6 when shield 1 < 10"},
		Doc:      "Put unallotted energy, then that of the batteries, on a shield that fire or a drone is about to hit, up to this many points of reinforcement. The strength of the hit is not known beforehand. Unused points stay on the shield for the turn.",
	}
}

// mayOverload reports whether a weapon can be overloaded this turn.
func (c *Compiler) mayOverload(w int) bool {
	b := c.Sys.Bank(w)
	chart := c.Book.Charts[b.Kind]
	return chart.Over.Most > 0 && c.Sys.Rigged[b.Name] == 0 && c.Sys.Weapons[w].Armed+1 >= chart.Turns
}

// overload returns how much extra energy a weapon gets in a turn of arming that takes the given energy, or false if
// it cannot be overloaded.
func (c *Compiler) overload(st orders.Statement, w, energy int) (over int, ok bool) {
	b := c.Sys.Bank(w)
	chart := c.Book.Charts[b.Kind]
	o := chart.Over
	a, said := st.Arg("ENERGY")
	switch {
	case o.Most == 0:
		c.Fail(st.Pos, "E221", "arm "+b.Name, "%s cannot be overloaded", b.Name)
	case c.Sys.Rigged[b.Name] > 0:
		c.Fail(st.Pos, "E222", "arm it as it is", "%s was mended in battle: what was so mended may not be overloaded", b.Name)
	case c.Sys.Weapons[w].Armed+1 < chart.Turns:
		c.Fail(st.Pos, "E223", "arm "+b.Name+", and overload it next turn", "%s can be overloaded in the turn in which it becomes armed, and has %d of %d turns of arming to go", b.Name, chart.Turns-c.Sys.Weapons[w].Armed, chart.Turns)
	case said && (a.Num < energy+o.Least || a.Num > energy+o.Most):
		c.Fail(a.Pos, "E224", fmt.Sprintf("%d to %d", energy+o.Least, energy+o.Most), "%s cannot be overloaded with %d energy", b.Name, a.Num)
	case said:
		return a.Num - energy, true
	default:
		return o.Most, true
	}
	return 0, false
}

// along compiles the direction and the split of cannon fire. It returns false, after reporting it, if the order is
// impossible.
func (c *Compiler) along(f *FireOrder, a orders.Arg, st orders.Statement) bool {
	f.Cannon = true
	f.Along, _ = hex.ParseHeading(a.Text)
	for _, part := range st.All("PART") {
		if part.Num == 0 {
			c.Fail(part.Pos, "E227", "leave it out", "a shot has at least one point")
			return false
		}
		f.Split = append(f.Split, part.Num)
	}
	f.From = sourcesOf(st)
	sum := tactical.Sum(f.Split)
	f.Weapons = slices.DeleteFunc(f.Weapons, func(w int) bool {
		b := c.Sys.Bank(w)
		whole := c.Book.Charts[b.Kind].Shot.Points
		switch {
		case !b.Kind.Cannon():
			c.Fail(st.Pos, "E228", "fire "+b.Name+" at a ship", "%s is not a battery cannon: it does not fire along a row of hexes", b.Name)
		case sum > whole:
			c.Fail(st.All("PART")[0].Pos, "E229", fmt.Sprintf("lower it by %d", sum-whole), "%s has %s to split, but these add up to %d", b.Name, phrase.Points(whole), sum)
		default:
			c.Effect(st.Pos.Line, "%s fires along %s: %s, for %s energy of %s", b.Name, a.Text, partsWords(f.Split, whole), sheet.Fraction(c.Book.Charts[b.Kind].Shot.Halves*sheet.MoveParts/2), phrase.Payers(f.From))
			return false
		}
		return true
	})
	return true
}

// changeSpeed compiles a change of speed. Whether the step is allowed is checked when it is carried out.
func (c *Compiler) changeSpeed(p *PhasePlan, phase int, st orders.Statement) {
	a, _ := st.Arg("SPEED")
	on, ok := c.impulse(st, phase)
	if !ok {
		return
	}
	to := slices.IndexFunc(c.Book.Quanta, func(q Quantum) bool { return q.Word == a.Text })
	if !c.drives(a, to) {
		return
	}
	p.Speeds = append(p.Speeds, SpeedOrder{Order: orderOf(st), To: to, On: on})
	c.Effect(st.Pos.Line, "%s hexes a turn from then on, paid from the pool", strconv.Itoa(c.Book.Quanta[to].Hexes))
}

// hard compiles a high energy turn. Without an impulse or a condition it comes after the movement orders before it.
func (c *Compiler) hard(p *PhasePlan, phase int, st orders.Statement) {
	a, _ := st.Arg("TURN")
	on, ok := c.impulse(st, phase)
	if !ok {
		return
	}
	m := MoveOrder{Order: orderOf(st), Verb: VerbHard, Words: []string{a.Text}, On: on, Sides: len(a.Text)}
	if strings.HasPrefix(a.Text, "L") {
		m.Sides = -m.Sides
	}
	p.Moves = append(p.Moves, m)
	text := fmt.Sprintf("before a hex, for %s energy of the pool", sheet.Fraction(c.Book.Hard.Hexes*c.Sys.HexCost()))
	switch {
	case c.Sys.Steady:
		text += ", without a risk"
	case c.Sys.Sheet.Breakdown > 0:
		text += fmt.Sprintf(", with a breakdown roll: %d or more stops her for the turn and costs the pool and a box of each warp engine", c.Sys.Sheet.Breakdown)
	}
	c.Effect(st.Pos.Line, "%s", text)
}

// Repairs returns the most energy for a turn's repairs: the damage control rating, if a sheet has one.
func (b *Book) Repairs(sys *state.System) int {
	if n, ok := sys.Sheet.Rating(sheet.DamageControl); ok {
		return n
	}
	return b.RepairEnergy
}

// overloadEngines compiles which warp engines are overloaded, and adds their extra energy.
func (c *Compiler) overloadEngines(g orders.Group) {
	e := &c.Plan.Energy
	for _, st := range g.All(VerbOverload) {
		if !c.Sys.Boosts {
			c.Fail(st.Pos, "E230", "leave it out", "the engines of this ship cannot be overloaded: only those of the navy %s can", c.Book.Engines)
			continue
		}
		for _, a := range st.All("BOX") {
			engine, fresh := false, false
			for i := range c.Sys.Sheet.Banks {
				b := &c.Sys.Sheet.Banks[i]
				if b.Kind != sheet.Warp || !b.Called(strings.ToLower(a.Text)) {
					continue
				}
				engine = true
				if n := c.Sys.Sound(b); n > 0 && !slices.Contains(e.Boost, b.Name) {
					fresh = true
					e.Boost = append(e.Boost, b.Name)
					c.Effect(st.Pos.Line, "%s gives %d extra energy this turn, and loses a box at its end", b.Name, n)
				}
			}
			switch {
			case !engine:
				c.Fail(a.Pos, "E230", "name warp engines as the sheet does, or: overload warp", "no warp engine is called %q", a.Text)
			case !fresh:
				c.Fail(a.Pos, "E231", "leave it out", "no box of %s is left to overload: boxes that were mended in battle may not be overloaded again, and each engine is overloaded once", a.Text)
			}
		}
	}
	e.Available += c.Sys.Boost(e.Boost)
}

// pool compiles a speed with its pool: by default the energy for the turn's hexes (house 6.03a).
func (c *Compiler) pool(st orders.Statement, spend func(pos orders.Pos, sum, warp int)) {
	a, _ := st.Arg("SPEED")
	hexes := c.quantumArg(a, c.Sys.Speed)
	cost := c.Sys.HexCost()
	energy := PoolEnergy(hexes, cost)
	if e, ok := st.Arg("ENERGY"); ok {
		energy = e.Num
	}
	c.Plan.Energy.Speed, c.Plan.Pool = hexes, energy
	spend(st.Pos, energy, energy-c.impulseShare(energy))
	c.Effect(st.Pos.Line, "moves on impulses %s; the pool of %d energy is enough for %d hexes", c.Book.MovesOn(hexes), energy, energy*sheet.MoveParts/cost)
}

// scotty compiles attempts to repair boxes.
func (c *Compiler) scotty(g orders.Group, spend func(pos orders.Pos, sum, warp int)) {
	e, tries := &c.Plan.Energy, map[string]int{}
	for _, st := range g.All(VerbScotty) {
		for _, a := range st.All("BOX") {
			word, lost := strings.ToLower(a.Text), -1
			for i := range c.Sys.Sheet.Banks {
				b := &c.Sys.Sheet.Banks[i]
				tried := tries[b.Name]
				if lost < 0 && b.Kind.Inner() && b.Called(word) && b.All-b.Left-c.Sys.Beyond[b.Name]-tried > 0 {
					lost = i
				}
			}
			most := (c.Book.Repairs(c.Sys) - tactical.Sum(e.Repair[:])*c.Book.BoxEnergy) / c.Book.Rigging.Energy
			switch {
			case lost < 0:
				c.Fail(a.Pos, "E248", "name lost boxes from the sheet, other than hull and armour", "no box %q is lost that can be mended", a.Text)
			case len(e.Scotty) >= most:
				c.Fail(a.Pos, "E209", fmt.Sprintf("at most %d of them, besides the shields", max(0, most)), "repairs of more than %d energy; a turn has no more for them", c.Book.Repairs(c.Sys))
			default:
				name := c.Sys.Sheet.Banks[lost].Name
				e.Scotty = append(e.Scotty, name)
				tries[name]++
				spend(st.Pos, c.Book.Rigging.Energy, 0)
				c.Effect(st.Pos.Line, "a die of %d or less repairs a box of %s at the end of the turn", c.Book.Rigging.Mends, name)
			}
		}
	}
}

// InTheDark rejects an order for laboratories or probes in a game in the open, if the book has them only for the
// dark.
func (c *Compiler) InTheDark(st orders.Statement) bool {
	if c.Book.Research.Dark && !c.Dark {
		c.Fail(st.Pos, "E262", "leave it out: in the open everything is seen without it", "under these rules %s is only for games in the dark", st.Verb)
		return false
	}
	return true
}

// reinforcing compiles such an order; the first in a set replaces all previous ones.
func (c *Compiler) reinforcing(s orders.Statement, first bool) {
	st := &c.Plan.Standing
	if first {
		st.Reinforce = nil
	}
	upto, said := s.Arg("POINTS")
	if !said || !c.condition(s) {
		return
	}
	r := state.Reinforcing{UpTo: upto.Num}
	if s.When != nil {
		r.When = s.When.String()
	}
	if a, ok := s.Arg("SHIELD"); ok {
		side, good := c.shield(a)
		if !good {
			return
		}
		r.Shield = side + 1
	}
	st.Reinforce = append(st.Reinforce, r)
}

// labs compiles an order for laboratories or files. It is carried out at the end of the turn.
func (c *Compiler) labs(st orders.Statement) {
	if !c.InTheDark(st) {
		return
	}
	file, _ := st.Arg("FILE")
	of, coded := st.Arg("SIDE")
	switch {
	case (coded || st.Verb == dark.VerbNew) && !c.Dark:
		c.Fail(st.Pos, "E260", "leave it out", "codes are for games in the dark: in this one no other side hears what you say to your own")
		return
	case st.Verb == dark.VerbNew:
		if c.Code != nil && c.Code.Book == c.Code.Books {
			c.Fail(st.Pos, "E261", "leave it out", "your side has no code book left: it speaks by the last of %d", c.Code.Books)
			return
		}
		c.Effect(st.Pos.Line, "your side uses its next code book from the next turn on")
		return
	case coded && c.codeOf(of):
		return
	}
	ship, named := st.Arg("SHIP")
	var k Known
	if named {
		found := false
		if k, found = c.ship(ship, c.Dark && st.Verb == WordStudy); !found { // studying a probe shows whose it is
			return
		}
		if mine := k.Side == c.Side; mine != (st.Verb == WordSend) || k.ID == NearestEnemy {
			hint, wrong := "name a ship of your side", "a file can be sent only to ships of your own side"
			if st.Verb != WordSend {
				hint, wrong = "name an enemy, or a contact", "laboratories study what is not on your own side"
			}
			c.Fail(ship.Pos, "E256", hint, "%s", wrong)
			return
		}
	}
	if st.Verb == WordSend {
		if !slices.ContainsFunc(c.Files, func(f string) bool { return strings.EqualFold(f, file.Text) }) {
			hint := "leave it out: there is no file aboard"
			if len(c.Files) > 0 {
				hint = orders.DidYouMean("%s", file.Text, c.Files, "aboard: "+strings.Join(c.Files, ", "))
			}
			c.Fail(file.Pos, "E257", hint, "no file %q is aboard", file.Text)
			return
		}
		c.Effect(st.Pos.Line, "at the end of the turn; %s must receive it, and enemies may steal it", k.Name)
		return
	}
	n, _ := st.Arg("COUNT")
	word := file.Text + ship.Text + of.Text
	what := strings.ToLower(word)
	if coded {
		what = st.Verb + " " + what
	}
	switch {
	case slices.Contains(c.work, what):
		c.Fail(st.Pos, "E126", "name it once, with all boxes", "another line already has laboratories work on %s", word)
		return
	case n.Num < 1 || n.Num > c.free:
		c.Fail(n.Pos, "E258", "light fewer under power, or use fewer: a box does one job a turn", "%s asked for, and %s free", phrase.Counted(n.Num, "laboratory is", "laboratories are"), phrase.Counted(c.free, "is", "are"))
		return
	}
	c.free -= n.Num
	c.work = append(c.work, what)
	c.Effect(st.Pos.Line, "%s: at the end of the turn, %d less a die and the closest range for each", phrase.Counted(n.Num, "box", "boxes"), c.Book.Research.Lab)
}

// forgotten warns of held ships without an order: they will be released.
func (c *Compiler) forgotten() {
	for _, g := range c.Sys.Holds {
		if slices.ContainsFunc(c.Plan.Phases[0].Acts, func(a Act) bool {
			return a.Verb == VerbTractor && (a.Target == g.Ship || a.Target == NearestEnemy)
		}) {
			continue
		}
		if i := slices.IndexFunc(c.Names, func(k Known) bool { return k.ID == g.Ship }); i >= 0 {
			name := c.Names[i].Name
			c.Warn(c.Block.Start, "W218", "to keep her, write in phase 1: tractor "+name+" with N", "she holds %s with a tractor beam, and releases her unless ordered to keep her", name)
		}
	}
}

// partsWords describes the shots of a split, or a single shot.
func partsWords(split []int, whole int) string {
	if len(split) == 0 {
		return "a shot of " + phrase.Points(whole)
	}
	out := make([]string, len(split))
	for i, n := range split {
		out[i] = strconv.Itoa(n)
	}
	return phrase.Counted(len(split), "shot", "shots") + " of " + strings.Join(out, ", ") + ", one an impulse"
}

// drives reports whether a ship can go at a speed. Without a warp drive she has only 0 and 1 (house 21.31); her star
// drive is for travel between battles.
func (c *Compiler) drives(a orders.Arg, to int) bool {
	if to < 2 || c.Sys.Sheet.Count(sheet.Warp).All > 0 {
		return true
	}
	c.Fail(a.Pos, "E226", "speed "+c.Book.Quanta[1].Word+", by her impulse engines, or "+c.Book.Quanta[0].Word, "this ship has no warp drive, and cannot go %s", a.Text)
	return false
}

// codeOf checks which side's code an order wants broken, and returns true if that is impossible. A name that the
// captain does not know may be heard during the turn, so it is no mistake.
func (c *Compiler) codeOf(of orders.Arg) (bad bool) {
	own := strings.EqualFold(of.Text, c.Side)
	known := strings.EqualFold(of.Text, dark.AnyCode) || slices.ContainsFunc(c.Files, func(f string) bool { return strings.HasPrefix(f, strings.ToLower(of.Text)+"-code-") })
	for _, k := range c.Names {
		if strings.EqualFold(of.Text, k.Name) || strings.EqualFold(of.Text, k.Short) {
			own, known = own || k.Side == c.Side, true
		}
	}
	for _, sd := range c.Sides {
		if strings.EqualFold(of.Text, sd.ID) || strings.EqualFold(of.Text, sd.Name) {
			own, known = own || sd.ID == c.Side, true
		}
	}
	switch {
	case own:
		c.Fail(of.Pos, "E256", "name another side, a contact that speaks in code, or any", "laboratories break only the codes of others")
	case !known:
		c.Warn(of.Pos, "W239", "decode any works on the nearest code heard", "you know neither a side nor a contact %q; if none by that name speaks nearby, the boxes do nothing", of.Text)
	}
	return own
}

// quantumArg reads a speed that follows another. If the change is too big, it is reported, and the step towards it is
// returned.
func (c *Compiler) quantumArg(a orders.Arg, last int) (hexes int) {
	from := c.Book.Quantum(last)
	to := slices.IndexFunc(c.Book.Quanta, func(q Quantum) bool { return q.Word == a.Text })
	if !c.drives(a, to) {
		return c.Book.Quanta[min(from, 1)].Hexes
	}
	if MayFollow(from, to) {
		return c.Book.Quanta[to].Hexes
	}
	c.Fail(a.Pos, "E201", c.Book.NextStep(from, to), "speed %s is too far from %s", a.Text, c.Book.Quanta[from].Word)
	return c.Book.Quanta[stepTo(from, to)].Hexes
}

// PoolEnergy returns the energy for a number of hexes at a cost in 60ths.
func PoolEnergy(hexes, cost int) int { return (hexes*cost + sheet.MoveParts - 1) / sheet.MoveParts }

// NextStep says which speed comes next on the way from one to another.
func (b *Book) NextStep(from, to int) string {
	next := b.Quanta[stepTo(from, to)].Word
	if to < from {
		return next + " comes first: a ship stops only from that speed, or by brake"
	}
	return next + " comes next: speed rises by one step an impulse, from a stop straight to 2"
}

// Quantum returns the index of a speed, or of the next slower one.
func (b *Book) Quantum(hexes int) int {
	i := len(b.Quanta) - 1
	for i > 0 && b.Quanta[i].Hexes > hexes {
		i--
	}
	return i
}

// MayFollow reports whether a quantum may directly follow another: one step up, or two from a stop; any lower one,
// but a stop only from the slowest (house 6.05, ruling R3).
func MayFollow(last, next int) bool {
	if next > last {
		return next == last+1 || last == 0 && next == 2
	}
	return next > 0 || last <= 1
}

// stepTo returns the quantum that may directly follow another on the way to a third.
func stepTo(from, to int) int {
	if to > from {
		return from + 1 + BoolInt(from == 0)
	}
	return 1
}
