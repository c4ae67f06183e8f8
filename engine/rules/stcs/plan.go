package stcs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/orders"
)

// plan is an order set made ready to carry out: all names resolved, all power
// within bounds. What had an error is not in it.
type plan struct {
	power    PowerSet
	moves    [Phases][]moveOrder
	fires    [Phases][]fireOrder
	standing Standing
	warp     bool
	diags    []orders.Diagnostic
	effects  []engine.Effect
}

// moveOrder is one movement order of a phase.
type moveOrder struct {
	line   int
	text   string
	verb   string
	words  []string
	target string
	rng    int
	shield int // 0 for none
	at     hex.Hex
	when   *orders.Cond
}

// fireOrder is one fire order of a phase.
type fireOrder struct {
	line   int
	text   string
	shots  []shot
	all    bool // by a group word: what cannot fire is left out without a word
	target string
	when   *orders.Cond
}

// shot is one mount.
type shot struct{ bank, mount int }

// roster resolves names of ships.
type roster []name

type name struct{ id, name, short, side string }

func rosterOf(ships []*engine.Ship) roster {
	r := make(roster, len(ships))
	for i, s := range ships {
		r[i] = name{s.ID, s.Name, s.Short, s.Side}
	}
	return r
}

func rosterOfView(ships []*engine.ShipView) roster {
	r := make(roster, len(ships))
	for i, s := range ships {
		r[i] = name{s.ID, s.Name, s.Short, s.Side}
	}
	return r
}

func (r roster) find(word string) (name, string, bool) {
	for _, n := range r {
		if strings.EqualFold(n.name, word) || strings.EqualFold(n.id, word) {
			return n, "", true
		}
	}
	for _, n := range r {
		if strings.EqualFold(n.short, word) {
			return n, "", true
		}
	}
	var names []string
	for _, n := range r {
		names = append(names, n.name)
	}
	if near := orders.Suggest(word, names); near != "" {
		return name{}, fmt.Sprintf("did you mean %q?", near), false
	}
	return name{}, "ships: " + strings.Join(names, ", "), false
}

// compiler turns a block into a plan.
type compiler struct {
	ship  string
	side  string
	sys   *System
	names roster
	sides []engine.Side
	p     plan
	left  int  // power not yet used
	tell  bool // effects are wanted
	start orders.Pos
}

// compile makes a plan of a block for a ship. It never stops at the first
// mistake; what is wrong is left out and told in the diagnostics. With tell the
// plan says what each line does.
func (l *course) compile(ship, side string, sys *System, names roster, sides []engine.Side, b *orders.Block, tell bool) plan {
	c := &compiler{ship: ship, side: side, sys: sys, names: names, sides: sides, left: sys.Power, tell: tell, start: b.Start}
	c.p.standing = sys.Standing.clone()
	c.p.power = PowerSet{
		Ship: ship, Available: sys.Power, Split: make([]int, Phases), ShieldPoints: make([]int, 6), Armed: map[string][]int{},
	}
	g, _ := b.Group("power", 0)
	c.movement(g.All("move"))
	c.shields(g.All("shields"))
	c.weapons(g.All("arm"))
	if over := -c.left; over > 0 {
		pos := g.Pos
		if n := len(g.Statements); n > 0 {
			pos = g.Statements[n-1].Pos
		}
		c.fail(pos, "E103", fmt.Sprintf("lower it by %d", over), "%d power wanted, the engines give %d", sys.Power+over, sys.Power)
	}
	for n := range Phases {
		g, _ := b.Group("phase", n+1)
		c.phase(n, g)
	}
	g, _ = b.Group("standing", 0)
	c.standing(g)
	g, _ = b.Group("", 0)
	c.turnLevel(g)
	c.cutBack() // last, so that the remarks are about the orders as they were written
	c.p.power.Unused = max(0, c.left)
	orders.Sort(c.p.diags)
	slices.SortStableFunc(c.p.effects, func(a, b engine.Effect) int { return cmp.Compare(a.Line, b.Line) })
	return c.p
}

func (c *compiler) fail(pos orders.Pos, code, hint, format string, args ...any) {
	c.p.diags = append(c.p.diags, orders.Diagnostic{Pos: pos, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

func (c *compiler) warn(pos orders.Pos, code, hint, format string, args ...any) {
	c.p.diags = append(c.p.diags, orders.Diagnostic{
		Pos: pos, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...), Severity: orders.Warning,
	})
}

func (c *compiler) effect(line int, format string, args ...any) {
	if !c.tell {
		return
	}
	c.p.effects = append(c.p.effects, engine.Effect{Line: line, Text: fmt.Sprintf(format, args...)})
}

func (c *compiler) movement(sts []orders.Statement) {
	for _, st := range sts {
		ratio := c.sys.Design.Move
		var power int
		if a, ok := st.Arg("POWER"); ok {
			power = a.Num
		} else if a, ok := st.Arg("POINTS"); ok {
			power = ratio.Cost(a.Num)
		}
		points := ratio.Points(power)
		if waste := power - ratio.Cost(points); waste > 0 {
			c.warn(st.Pos, "W121", fmt.Sprintf("%d power give as many", ratio.Cost(points)), "%d power of these are wasted: a movement point costs %s", waste, ratio)
		}
		c.p.power.Movement, c.p.power.Points, c.p.power.Split = power, points, Split(points)
		c.left -= power
		c.effect(st.Pos.Line, "%d power, %s: %s", power, movementPoints(points), joinInts(Split(points)))
	}
}

func (c *compiler) shields(sts []orders.Statement) {
	named := map[int]bool{}
	total, line := 0, 0
	for _, st := range sts {
		numbers, points := st.All("SHIELD"), st.All("POINTS")
		for i := range numbers {
			n, p := numbers[i].Num, points[i].Num
			switch {
			case n < 1 || n > 6:
				c.fail(numbers[i].Pos, "E112", "shields are 1 to 6", "there is no shield %d", n)
				continue
			case named[n]:
				c.fail(numbers[i].Pos, "E112", "", "shield %d is named twice", n)
				continue
			}
			named[n] = true
			switch {
			case c.sys.Shields[n-1].Down && p > 0:
				c.fail(numbers[i].Pos, "E105", "leave it out", "the generator of shield %d is damaged: it cannot be powered", n)
			case p > c.sys.Design.MaxShield:
				c.fail(points[i].Pos, "E104", fmt.Sprintf("at most %d", c.sys.Design.MaxShield), "shield %d cannot take %d points", n, p)
			default:
				c.p.power.ShieldPoints[n-1] = p
				total += p
			}
		}
		line = st.Pos.Line
	}
	cost := c.sys.Design.Shield.Cost(total)
	c.p.power.Shields = cost
	c.left -= cost
	if line > 0 {
		c.effect(line, "%d shield points, %d power at %s", total, cost, c.sys.Design.Shield)
	}
}

func (c *compiler) weapons(sts []orders.Statement) {
	for _, st := range sts {
		w, _ := st.Arg("MOUNT")
		shots, ok := c.weapon(w, "armed")
		if !ok {
			continue
		}
		powers := st.All("POWER")
		if len(powers) > 1 && len(powers) != len(shots) {
			c.fail(powers[0].Pos, "E116", "one number for all, or one for each mount", "%s has %d mounts, %d numbers are given", w.Text, len(shots), len(powers))
			continue
		}
		sum := 0
		for i, s := range shots {
			b := &c.sys.Banks[s.bank]
			want := -1
			pos := w.Pos
			if len(powers) > 0 {
				a := powers[min(i, len(powers)-1)]
				want, pos = a.Num, a.Pos
			}
			sum += c.arm(b, s.mount, want, pos, len(powers) <= 1 && len(shots) > 1)
		}
		c.effect(st.Pos.Line, "%s armed with %d power", w.Text, sum)
	}
}

// arm arms one mount and returns the power it took. With bank, a destroyed
// mount is passed over, since the order was for the bank as a whole.
func (c *compiler) arm(b *Bank, m, want int, pos orders.Pos, bank bool) int {
	if b.Mounts[m].Destroyed {
		if !bank {
			c.fail(pos, "E108", "leave it out", "%s is destroyed", mountName(b, m))
		}
		return 0
	}
	armed := c.p.power.Armed[b.ID]
	if armed == nil {
		armed = make([]int, len(b.Mounts))
		c.p.power.Armed[b.ID] = armed
	}
	if armed[m] > 0 {
		c.fail(pos, "E106", "once is enough", "%s is armed twice", mountName(b, m))
		return 0
	}
	switch {
	case b.Kind == Beam && want < 0:
		c.fail(pos, "E107", fmt.Sprintf("1 to %d", b.Max), "how much power for %s?", mountName(b, m))
		return 0
	case b.Kind == Beam && want > b.Max:
		c.fail(pos, "E107", fmt.Sprintf("at most %d", b.Max), "%s cannot take %d power", mountName(b, m), want)
		return 0
	case b.Kind == Missile && want >= 0 && want != b.Arm:
		c.fail(pos, "E109", fmt.Sprintf("write arm %s alone", mountName(b, m)), "%s takes %d power to arm, not %d", mountName(b, m), b.Arm, want)
		return 0
	case b.Kind == Plasma:
		c.fail(pos, "E119", "leave it unarmed", "%s is a plasma launcher, which the Basic Course has no rule for", mountName(b, m))
		return 0
	case b.Kind == Missile:
		want = b.Arm
	}
	armed[m] = want
	c.p.power.Weapons += want
	c.left -= want
	return want
}

// weapon resolves a bank or a mount.
func (c *compiler) weapon(w orders.Arg, doing string) ([]shot, bool) {
	var known []string
	for i := range c.sys.Banks {
		b := &c.sys.Banks[i]
		known = append(known, b.ID)
		if strings.EqualFold(b.ID, w.Text) {
			shots := make([]shot, len(b.Mounts))
			lost := 0
			for m := range b.Mounts {
				shots[m] = shot{i, m}
				if b.Mounts[m].Destroyed {
					lost++
				}
			}
			if lost == len(b.Mounts) {
				c.fail(w.Pos, "E108", "leave it out", "%s is destroyed and cannot be %s", b.ID, doing)
				return nil, false
			}
			return shots, true
		}
		for m := range b.Mounts {
			if len(b.Mounts) > 1 && strings.EqualFold(mountName(b, m), w.Text) {
				if b.Mounts[m].Destroyed {
					c.fail(w.Pos, "E108", "leave it out", "%s is destroyed and cannot be %s", mountName(b, m), doing)
					return nil, false
				}
				return []shot{{i, m}}, true
			}
		}
	}
	hint := "weapons: " + strings.Join(known, ", ")
	if near := orders.Suggest(w.Text, known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	c.fail(w.Pos, "E101", hint, "this ship has no weapon %q", w.Text)
	return nil, false
}

// cutBack lowers a power plan that wants too much until it fits, for a set that
// must be carried out all the same: weapons first, then shields, then movement.
func (c *compiler) cutBack() {
	p := &c.p.power
	for i := len(c.sys.Banks) - 1; i >= 0 && c.left < 0; i-- {
		armed := p.Armed[c.sys.Banks[i].ID]
		for m := len(armed) - 1; m >= 0 && c.left < 0; m-- {
			c.left += armed[m]
			p.Weapons -= armed[m]
			armed[m] = 0
		}
	}
	if c.left < 0 {
		total := sum(p.ShieldPoints)
		affordable := c.sys.Design.Shield.Points(max(0, p.Shields+c.left))
		for total > affordable {
			i := strongest(p.ShieldPoints)
			p.ShieldPoints[i]--
			total--
		}
		c.left += p.Shields
		p.Shields = c.sys.Design.Shield.Cost(total)
		c.left -= p.Shields
	}
	if c.left < 0 {
		c.left += p.Movement
		p.Movement = max(0, c.left)
		p.Points = c.sys.Design.Move.Points(p.Movement)
		p.Split = Split(p.Points)
		c.left -= p.Movement
	}
}

func (c *compiler) phase(n int, g orders.Group) {
	points := c.p.power.Split[n]
	used, open, all := 0, false, false // all: an order uses what is left of the phase
	pos := g.Pos
	for _, st := range g.Statements {
		if st.Verb == "fire" {
			c.fire(n, st)
			continue
		}
		m := moveOrder{line: st.Pos.Line, verb: st.Verb, when: st.When, text: orders.FormatStatement(st)}
		ok := true
		if a, has := st.Arg("SHIP"); has {
			m.target, ok = c.target(a, false)
		}
		if a, has := st.Arg("RANGE"); has {
			m.rng = a.Num
		} else {
			m.rng = 1
		}
		if a, has := st.Arg("SHIELD"); has {
			if m.shield = a.Num; m.shield < 1 || m.shield > 6 {
				c.fail(a.Pos, "E112", "shields are 1 to 6", "there is no shield %d", a.Num)
				ok = false
			}
		}
		if a, has := st.Arg("HEX"); has {
			h, err := hex.ParseLabel(a.Text)
			if err != nil {
				c.fail(a.Pos, "E122", "column and row, such as 0714", "%v", err)
				ok = false
			}
			m.at = h
		}
		ok = c.condition(st.When, m.target != "", false) && ok
		if !ok {
			open = true // its points are meant to be used
			continue
		}
		if all && m.when == nil {
			c.warn(st.Pos, "W123", "", "an order above it uses all that is left of the phase")
		}
		if st.Verb != "move" {
			all = all || m.when == nil
			c.p.moves[n] = append(c.p.moves[n], m)
			continue
		}
		words := st.All("WORD")
		for i, w := range words {
			if m.when == nil && used+i >= points {
				c.fail(w.Pos, "E110", fmt.Sprintf("leave out %d", used+len(words)-points), "too many movement words: phase %d has %s", n+1, movementPoints(points))
				break
			}
			m.words = append(m.words, w.Text)
		}
		if m.when == nil {
			used += len(words)
		}
		c.p.moves[n] = append(c.p.moves[n], m)
		pos = st.Pos
	}
	if used < points && !open && !all {
		if pos.Line == 0 {
			pos = c.start // the phase is not opened at all
		}
		conditional := slices.ContainsFunc(c.p.moves[n], func(m moveOrder) bool { return m.when != nil })
		if !conditional {
			c.warn(pos, "W111", "name a movement word for each point", "phase %d has %s, orders use %d; the rest is hold", n+1, movementPoints(points), used)
		}
	}
}

func (c *compiler) target(a orders.Arg, toFire bool) (string, bool) {
	t, hint, ok := c.names.find(a.Text)
	switch {
	case !ok:
		c.fail(a.Pos, "E102", hint, "no ship %q is known", a.Text)
		return "", false
	case t.id == c.ship:
		c.fail(a.Pos, "E114", "name another ship", "that is this ship itself")
		return "", false
	case toFire && t.side == c.side:
		c.warn(a.Pos, "W114", "", "%s is of your own side", t.name)
	}
	return t.id, true
}

func (c *compiler) fire(n int, st orders.Statement) {
	f := fireOrder{line: st.Pos.Line, when: st.When, text: orders.FormatStatement(st)}
	a, _ := st.Arg("SHIP")
	id, ok := c.target(a, true)
	f.target = id
	for _, w := range st.All("WEAPON") {
		if kind, group := groupWord(w.Text); group {
			f.all = true
			for i := range c.sys.Banks {
				for m := range c.sys.Banks[i].Mounts {
					if kind == "" || c.sys.Banks[i].Kind == kind {
						f.shots = append(f.shots, shot{i, m})
					}
				}
			}
			continue
		}
		shots, good := c.weapon(w, "fired")
		if !good {
			ok = false
			continue
		}
		unarmed := 0
		for _, s := range shots {
			if armed := c.p.power.Armed[c.sys.Banks[s.bank].ID]; armed == nil || armed[s.mount] == 0 {
				unarmed++
			}
		}
		if unarmed == len(shots) {
			c.warn(w.Pos, "W113", "arm it under power", "%s is not armed this turn and cannot fire", w.Text)
		}
		f.shots = append(f.shots, shots...)
	}
	if c.condition(st.When, true, true) && ok {
		c.p.fires[n] = append(c.p.fires[n], f)
	}
}

// groupWord tells whether a word means a group of weapons, and of which kind.
func groupWord(w string) (kind string, group bool) {
	switch strings.ToLower(w) {
	case "all":
		return "", true
	case "beams":
		return Beam, true
	case "missiles":
		return Missile, true
	}
	return "", false
}

// condition checks what a condition names; firing tells whether chance makes sense.
func (c *compiler) condition(cond *orders.Cond, target, firing bool) bool {
	if cond == nil {
		return true
	}
	ok := true
	for _, k := range cond.Kids {
		ok = c.condition(k, target, firing) && ok
	}
	if cond.Op != orders.Test {
		return ok
	}
	switch cond.Subject {
	case "range", "arc", "moved":
		if !target {
			c.fail(cond.Pos, "E124", "only orders that name a ship have one", "%s of which ship?", cond.Subject)
			ok = false
		}
	case "chance":
		if !firing {
			c.fail(cond.Pos, "E124", "use it with fire", "chance belongs to fire orders")
			ok = false
		}
	}
	if a, has := cond.Arg("SHIELD"); has && (a.Num < 1 || a.Num > 6) {
		c.fail(a.Pos, "E112", "shields are 1 to 6", "there is no shield %d", a.Num)
		ok = false
	}
	if a, has := cond.Arg("SHIP"); has {
		t, hint, found := c.names.find(a.Text)
		switch {
		case !found:
			c.fail(a.Pos, "E102", hint, "no ship %q is known", a.Text)
			ok = false
		case t.id != c.ship:
			c.warn(cond.Pos, "W125", "", "you cannot know the shields of %s: the condition will be taken as not met", t.name)
		}
	}
	return ok
}

func (c *compiler) standing(g orders.Group) {
	st := &c.p.standing
	for _, s := range g.Statements {
		switch s.Verb {
		case "choose":
			if a, ok := s.Arg("WHICH"); ok {
				st.Choose = a.Text
			}
		case "missing":
			if a, ok := s.Arg("ABSENT"); ok {
				st.Missing = a.Text
			}
		case "shed":
			st.Shed = c.shedOrder(s.All("SYSTEM"))
		case "lose":
			kind, list := Beam, &st.Beams
			if s.Form == 1 {
				kind, list = Missile, &st.Missile
			}
			*list = c.loseOrder(kind, s.All("BANK"))
		}
	}
}

// shedOrder completes an order of systems with the ones not named, in their usual order.
func (c *compiler) shedOrder(named []orders.Arg) []string {
	var out []string
	for _, a := range named {
		if slices.Contains(out, a.Text) {
			c.fail(a.Pos, "E126", "", "%s is named twice", a.Text)
			continue
		}
		out = append(out, a.Text)
	}
	for _, s := range shedable() {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func (c *compiler) loseOrder(kind string, named []orders.Arg) []string {
	var known, out []string
	for i := range c.sys.Banks {
		if c.sys.Banks[i].Kind == kind {
			known = append(known, c.sys.Banks[i].ID)
		}
	}
	for _, a := range named {
		i := slices.IndexFunc(known, func(id string) bool { return strings.EqualFold(id, a.Text) })
		switch {
		case i < 0:
			hint := kind + " weapons: " + strings.Join(known, ", ")
			if near := orders.Suggest(a.Text, known); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			c.fail(a.Pos, "E101", hint, "this ship has no %s bank %q", kind, a.Text)
		case slices.Contains(out, known[i]):
			c.fail(a.Pos, "E126", "", "%s is named twice", a.Text)
		default:
			out = append(out, known[i])
		}
	}
	return out
}

func (c *compiler) turnLevel(g orders.Group) {
	for _, s := range g.Statements {
		switch s.Verb {
		case "warp":
			c.p.warp = true
			c.warn(s.Pos, "W127", "leave it out to stay", "a change of warp speed takes the ship out of the battle at the end of this turn")
		case "message":
			if a, ok := s.Arg("TO"); ok {
				c.addressee(a)
			}
		}
	}
}

func (c *compiler) addressee(a orders.Arg) {
	if strings.EqualFold(a.Text, "all") || strings.EqualFold(a.Text, "side") {
		return
	}
	for _, sd := range c.sides {
		if strings.EqualFold(sd.ID, a.Text) || strings.EqualFold(sd.Name, a.Text) {
			return
		}
	}
	if _, hint, ok := c.names.find(a.Text); !ok {
		c.fail(a.Pos, "E102", hint, "no ship or side %q is known", a.Text)
	}
}

func sum(ns []int) int {
	t := 0
	for _, n := range ns {
		t += n
	}
	return t
}

// strongest is the index of the highest figure, the first of equals.
func strongest(ns []int) int {
	best := 0
	for i, n := range ns {
		if n > ns[best] {
			best = i
		}
	}
	return best
}

func joinInts(ns []int) string {
	parts := make([]string, len(ns))
	for i, n := range ns {
		parts[i] = fmt.Sprint(n)
	}
	return strings.Join(parts, " ")
}
