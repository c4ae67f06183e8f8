package fasa

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/fasa/words"
	"starpost/engine/tactical"
	"starpost/orders"
)

// movement gives power to movement, at the ship's ratio (stcs 3.2).
func (c *compiler) movement(sts []orders.Statement) {
	for _, st := range sts {
		ratio := c.sys.Design.Move
		var power int
		if a, ok := st.Arg("POWER"); ok {
			power = a.Num
		} else if a, ok := st.Arg("POINTS"); ok {
			power = ratio.Cost(a.Num)
		}
		wanted, points := ratio.Points(power), c.l.MovementPoints(c.sys, power)
		if a, ok := st.Arg("POINTS"); ok {
			wanted = a.Num
		}
		if least := ratio.Cost(points); wanted > points && (power > least || st.Form == 1) {
			c.fail(st.Pos, "E118", fmt.Sprintf("%s cost %d power", words.MovementPoints(points), least), "%s are more than a turn may have", words.MovementPoints(wanted))
			power = least
		}
		if waste := power - ratio.Cost(points); waste > 0 {
			c.warn(st.Pos, "W121", fmt.Sprintf("%d power give as many", ratio.Cost(points)), "%d power of these are wasted: a movement point costs %s", waste, ratio)
		}
		c.p.power.Movement, c.p.power.Points, c.p.power.Split = power, points, c.l.Split.Points(points)
		c.spend(st.Pos, power)
		c.effect(st.Pos.Line, "%d power, %s: %s", power, words.MovementPoints(points), tactical.JoinInts(c.p.power.Split))
	}
}

// shields gives power to shields, at the ship's ratio on the sum of all (stcs 3.3).
func (c *compiler) shields(sts []orders.Statement) {
	named := map[int]bool{}
	total, cost := 0, 0
	for _, st := range sts {
		before := cost
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
			case c.sys.Shields[n-1].Down && p > 0 && !c.mendable(ship.Generator(n)):
				c.fail(numbers[i].Pos, "E105", "leave it out", "the generator of shield %d is damaged: it cannot be powered", n)
			case p > c.sys.Design.MaxShield:
				c.fail(points[i].Pos, "E104", fmt.Sprintf("at most %d", c.sys.Design.MaxShield), "shield %d cannot take %d points", n, p)
			default:
				if c.sys.Shields[n-1].Down && p > 0 {
					c.warn(numbers[i].Pos, "W195", "", "the generator of shield %d is damaged: it comes up if it is repaired this turn", n)
				}
				c.p.power.ShieldPoints[n-1] = p
				c.wants.shields = append(c.wants.shields, shieldWant{n, p})
				total += p
			}
		}
		cost = c.sys.Design.Shield.Cost(total)
		c.spend(st.Pos, cost-before)
	}
	c.p.power.Shields = cost
	if n := len(sts); n > 0 {
		c.effect(sts[n-1].Pos.Line, "%d shield points, %d power at %s", total, cost, c.sys.Design.Shield)
	}
}

func (c *compiler) weapons(sts []orders.Statement) {
	for _, st := range sts {
		c.armOrder(st)
	}
}

// armOrder arms the mounts that an order names.
func (c *compiler) armOrder(st orders.Statement) {
	w, _ := st.Arg("MOUNT")
	powers := st.All("POWER")
	if len(powers) > 0 && c.twoWords(w, powers[0]) {
		return
	}
	shots, ok := c.weapon(w, "armed")
	if !ok {
		return
	}
	if len(powers) > 1 && len(powers) != len(shots) {
		c.fail(powers[0].Pos, "E116", "one number for all, or one for each mount", "%s has %d mounts, %d numbers are given", w.Text, len(shots), len(powers))
		return
	}
	if !c.shots(st, shots) {
		return
	}
	sum, faults := 0, len(c.p.diags)
	for i, s := range shots {
		if len(powers) <= 1 && orders.HasErrors(c.p.diags[faults:]) {
			break // one mistake, whatever the mounts
		}
		b := &c.sys.Banks[s.bank]
		want := -1
		pos := w.Pos
		if len(powers) > 0 {
			a := powers[min(i, len(powers)-1)]
			want, pos = a.Num, a.Pos
		}
		took := c.arm(b, s.mount, want, pos, len(powers) <= 1 && len(shots) > 1)
		c.wants.arms = append(c.wants.arms, armWant{s.bank, s.mount, took, c.p.power.ShotsOf(b.ID, s.mount)})
		sum += took
	}
	if orders.HasErrors(c.p.diags[faults:]) && sum == 0 {
		return
	}
	text := fmt.Sprintf("%s armed with %d power", w.Text, sum)
	if a, given := st.Arg("SHOTS"); given && a.Num > 1 {
		text += fmt.Sprintf(" for %d shots each", a.Num)
	}
	if b := &c.sys.Banks[shots[0].bank]; b.Kind == tables.Plasma && sum > 0 && sum < b.Arm*len(shots) {
		text += ": half of the damage"
	}
	c.effect(st.Pos.Line, "%s", text)
}

// arm arms one mount and returns the power it took. With bank, a destroyed
// mount is passed over, since the order was for the bank as a whole.
func (c *compiler) arm(b *ship.Bank, m, want int, pos orders.Pos, bank bool) int {
	if b.Mounts[m].Destroyed && (bank || !c.mendable(c.mountFault(b, m))) {
		if !bank {
			c.fail(pos, "E108", "leave it out", "%s is destroyed", ship.MountName(b, m))
		}
		return 0
	}
	if b.Mounts[m].Destroyed {
		c.warn(pos, "W195", "", "%s is damaged: it can fire if it is repaired this turn", ship.MountName(b, m))
	}
	armed := c.p.power.Armed[b.ID]
	if armed == nil {
		armed = make([]int, len(b.Mounts))
		c.p.power.Armed[b.ID] = armed
	}
	if armed[m] > 0 {
		c.fail(pos, "E106", "once is enough", "%s is armed twice", ship.MountName(b, m))
		return 0
	}
	kind, ok := c.l.kinds[b.Kind]
	if !ok {
		c.fail(pos, "E119", "leave it unarmed", "%s is a plasma launcher, which %s has no rule for", ship.MountName(b, m), c.l.subtitle())
		return 0
	}
	if want, ok = kind.arm(c, b, m, want, pos); !ok {
		return 0
	}
	armed[m] = want
	c.p.power.Weapons += want
	c.spend(pos, want)
	return want
}

// weapon resolves a bank or a mount.
func (c *compiler) weapon(w orders.Arg, doing string) ([]shot, bool) {
	shots, ok := mountsNamed(c.sys, w.Text)
	if !ok {
		c.unknownWeapon(w, doing)
		return nil, false
	}
	gone := func(s shot) bool {
		return c.sys.Banks[s.bank].Mounts[s.mount].Destroyed && !c.mendable(ship.MountFault(&c.sys.Banks[s.bank], s.bank, s.mount))
	}
	for _, s := range shots {
		if !gone(s) {
			return shots, true
		}
	}
	name := c.sys.Banks[shots[0].bank].ID
	if len(shots) == 1 {
		name = ship.MountName(&c.sys.Banks[shots[0].bank], shots[0].mount)
	}
	c.fail(w.Pos, "E108", "leave it out", "%s is destroyed and cannot be %s", name, doing)
	return nil, false
}

// mounts finds those of a bank, or a single one, by name.
func mountsNamed(s *ship.State, name string) ([]shot, bool) {
	for i := range s.Banks {
		b := &s.Banks[i]
		if len(name) < len(b.ID) || !strings.EqualFold(b.ID, name[:len(b.ID)]) {
			continue // as a mount is called by its bank
		}
		all := make([]shot, len(b.Mounts))
		for m := range b.Mounts {
			if all[m] = (shot{i, m}); len(all) > 1 && strings.EqualFold(ship.MountName(b, m), name) {
				return all[m : m+1], true
			}
		}
		if len(name) == len(b.ID) {
			return all, true
		}
	}
	return nil, false
}

// unknownWeapon refuses a name that no weapon of the ship has.
func (c *compiler) unknownWeapon(w orders.Arg, doing string) {
	var known, lines []string
	kind, group := ship.GroupWord(w.Text)
	for _, m := range c.l.language.Meant[strings.ToLower(w.Text)] {
		if !group {
			kind, group = ship.GroupWord(m)
		}
	}
	group = group && doing == "armed"
	for i := range c.sys.Banks {
		b := &c.sys.Banks[i]
		known = append(known, b.ID)
		switch _, arms := c.l.kinds[b.Kind]; {
		case !arms || group && kind != "" && !c.l.counts(b.Kind, kind):
		case b.Kind == tables.Beam:
			lines = append(lines, fmt.Sprintf("arm %s %d", b.ID, b.Max))
		default:
			lines = append(lines, "arm "+b.ID)
		}
	}
	words := known
	if doing == "fired" {
		words = append(slices.Clone(known), ship.GroupWords()...)
	}
	hint := c.l.language.Hint(w.Text, words)
	switch {
	case group:
		c.fail(w.Pos, "E101", "each weapon has a line of its own: "+strings.Join(lines, ", "), "%q is not one weapon", w.Text)
		return
	case hint == "":
		hint = "weapons: " + strings.Join(words, ", ")
	}
	c.fail(w.Pos, "E101", hint, "this ship has no weapon %q", w.Text)
}

// twoWords refuses a weapon's name that was written as two words.
func (c *compiler) twoWords(first, second orders.Arg) bool {
	if _, ok := mountsNamed(c.sys, first.Text); ok {
		return false
	}
	name := first.Text + "-" + second.Text
	if _, ok := mountsNamed(c.sys, name); !ok {
		return false
	}
	c.fail(first.Pos, "E101", fmt.Sprintf("write %s: a name is one word", strings.ToLower(name)), "this ship has no weapon %q", first.Text+" "+second.Text)
	return true
}

// cutBack lowers a power plan that wants too much until it fits, for a set that
// must be carried out all the same: laboratories and weapons first, then shields, then movement.
func (c *compiler) cutBack() {
	p := &c.p.power
	if cut := min(-c.left, p.Labs); cut > 0 {
		c.left += cut
		p.Labs -= cut
	}
	for i := len(c.sys.Banks) - 1; i >= 0 && c.left < 0; i-- {
		armed := p.Armed[c.sys.Banks[i].ID]
		for m := len(armed) - 1; m >= 0 && c.left < 0; m-- {
			c.left += armed[m]
			p.Weapons -= armed[m]
			armed[m] = 0
		}
	}
	if c.left < 0 {
		total := tactical.Sum(p.ShieldPoints)
		affordable := c.sys.Design.Shield.Points(max(0, p.Shields+c.left))
		for total > affordable {
			i := tactical.Highest(p.ShieldPoints)
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
		p.Points = c.l.MovementPoints(c.sys, p.Movement)
		p.Split = c.l.Split.Points(p.Points)
		c.left -= p.Movement
	}
	if c.left < 0 {
		c.left += p.Cloak
		p.Cloak = 0
	}
}

// cloakFigure is the power of a cloak in a list of figures.
func cloakFigure(power int) string {
	if power == 0 {
		return ""
	}
	return fmt.Sprintf("cloak %d, ", power)
}

// shots reads for how many shots mounts are armed, and notes it for each of them;
// false, with a diagnostic, if one cannot be.
func (c *compiler) shots(st orders.Statement, mounts []shot) bool {
	a, given := st.Arg("SHOTS")
	if !given {
		return true
	}
	b := &c.sys.Banks[mounts[0].bank] // an order is for one bank
	switch {
	case b.Shots < 2 && a.Num != 1:
		c.fail(a.Pos, "E174", "leave out shots", "%s fires once a turn; only lasers fire more often", b.ID)
		return false
	case a.Num < 1 || a.Num > max(1, b.Shots):
		c.fail(a.Pos, "E174", fmt.Sprintf("1 to %d", max(1, b.Shots)), "%s cannot fire %d times a turn: it fires once in a phase", b.ID, a.Num)
		return false
	case a.Num == 1:
		return true
	}
	for _, power := range st.All("POWER") {
		switch waste := power.Num % a.Num; {
		case power.Num < a.Num:
			c.fail(power.Pos, "E174", "more power, or fewer shots", "%d power are too little for %d shots: each takes 1 at least", power.Num, a.Num)
			return false
		case waste > 0:
			c.warn(power.Pos, "W121", fmt.Sprintf("%d power give as many", power.Num-waste), "%d power of these are wasted: each of %d shots gets %d", waste, a.Num, power.Num/a.Num)
		}
	}
	p := &c.p.power
	for _, m := range mounts {
		if armed := p.Armed[b.ID]; armed == nil || armed[m.mount] == 0 {
			p.ArmFor(b, m.mount, a.Num)
		}
	}
	return true
}

// mendable tells whether a damaged system could be repaired.
func (c *compiler) mendable(f ship.Fault) bool {
	if _, ok := c.sys.Fault(f.Name); !ok || !c.sys.Has(ship.NameRepair) {
		return false
	}
	_, _, out := c.sys.Need(c.l.Library, f)
	return !out
}

// mountFault is a mount of the ship as a system.
func (c *compiler) mountFault(b *ship.Bank, m int) ship.Fault {
	return ship.MountFault(b, slices.IndexFunc(c.sys.Banks, func(o ship.Bank) bool { return o.ID == b.ID }), m)
}
