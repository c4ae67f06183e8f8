package rulebook

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/words"
	"starpost/engine/tactical"
	"starpost/orders"
)

// movement reads the power to movement, at the ship's ratio (stcs 3.2).
func (c *Compiler) movement(sts []orders.Statement) {
	for _, st := range sts {
		ratio := c.Sys.Design.Move
		var power int
		if a, ok := st.Arg("POWER"); ok {
			power = a.Num
		} else if a, ok := st.Arg("POINTS"); ok {
			power = ratio.Cost(a.Num)
		}
		wanted, points := ratio.Points(power), c.Rules.MovementPoints(c.Sys, power)
		if a, ok := st.Arg("POINTS"); ok {
			wanted = a.Num
		}
		if least := ratio.Cost(points); wanted > points && (power > least || st.Form == 1) {
			c.Fail(st.Pos, "E118", fmt.Sprintf("%s cost %d power", words.MovementPoints(points), least), "%s are more than a turn may have", words.MovementPoints(wanted))
			power = least
		}
		if waste := power - ratio.Cost(points); waste > 0 {
			c.Warn(st.Pos, "W121", fmt.Sprintf("%d power gives as many", ratio.Cost(points)), "%d power of this is wasted: a movement point costs %s", waste, ratio)
		}
		c.Plan.Power.Movement, c.Plan.Power.Points, c.Plan.Power.Split = power, points, c.Rules.Split.Points(points)
		c.Spend(st.Pos, power)
		c.Effect(st.Pos.Line, "%d power, %s: %s", power, words.MovementPoints(points), tactical.JoinInts(c.Plan.Power.Split))
	}
}

// shields reads the power to shields, at the ship's ratio on the sum of all (stcs 3.3).
func (c *Compiler) shields(sts []orders.Statement) {
	named := map[int]bool{}
	total, cost := 0, 0
	for _, st := range sts {
		before := cost
		numbers, points := st.All("SHIELD"), st.All("POINTS")
		for i := range numbers {
			n, p := numbers[i].Num, points[i].Num
			switch {
			case n < 1 || n > 6:
				c.Fail(numbers[i].Pos, "E112", "shields are 1 to 6", "there is no shield %d", n)
				continue
			case named[n]:
				c.Fail(numbers[i].Pos, "E112", "", "shield %d is named twice", n)
				continue
			}
			named[n] = true
			switch {
			case c.Sys.Shields[n-1].Down && p > 0 && !c.mendable(ship.Generator(n)):
				c.Fail(numbers[i].Pos, "E105", "leave it out", "the generator of shield %d is damaged: it cannot be powered", n)
			case p > c.Sys.Design.MaxShield:
				c.Fail(points[i].Pos, "E104", fmt.Sprintf("at most %d", c.Sys.Design.MaxShield), "shield %d cannot take %d points", n, p)
			default:
				if c.Sys.Shields[n-1].Down && p > 0 {
					c.Warn(numbers[i].Pos, "W195", "", "the generator of shield %d is damaged: the shield comes up if it is repaired this turn", n)
				}
				c.Plan.Power.ShieldPoints[n-1] = p
				c.Wants.Shields = append(c.Wants.Shields, shieldWant{n, p})
				total += p
			}
		}
		cost = c.Sys.Design.Shield.Cost(total)
		c.Spend(st.Pos, cost-before)
	}
	c.Plan.Power.Shields = cost
	if n := len(sts); n > 0 {
		c.Effect(sts[n-1].Pos.Line, "%d shield points, %d power at %s", total, cost, c.Sys.Design.Shield)
	}
}

func (c *Compiler) weapons(sts []orders.Statement) {
	for _, st := range sts {
		c.ArmOrder(st)
	}
}

// ArmOrder arms the mounts that an order names.
func (c *Compiler) ArmOrder(st orders.Statement) {
	w, _ := st.Arg("MOUNT")
	powers := st.All("POWER")
	if len(powers) > 0 && c.twoWords(w, powers[0]) {
		return
	}
	shots, ok := c.Weapon(w, "armed")
	if !ok {
		return
	}
	if len(powers) > 1 && len(powers) != len(shots) {
		c.Fail(powers[0].Pos, "E116", "give one number for all, or one for each mount", "%s has %d mounts, but %d numbers are given", w.Text, len(shots), len(powers))
		return
	}
	if !c.shots(st, shots) {
		return
	}
	sum, faults := 0, len(c.Plan.Diags)
	for i, s := range shots {
		if len(powers) <= 1 && orders.HasErrors(c.Plan.Diags[faults:]) {
			break // one diagnostic, however many mounts
		}
		b := &c.Sys.Banks[s.Bank]
		want := -1
		pos := w.Pos
		if len(powers) > 0 {
			a := powers[min(i, len(powers)-1)]
			want, pos = a.Num, a.Pos
		}
		took := c.arm(b, s.Mount, want, pos, len(powers) <= 1 && len(shots) > 1)
		c.Wants.Arms = append(c.Wants.Arms, armWant{s.Bank, s.Mount, took, c.Plan.Power.ShotsOf(b.ID, s.Mount)})
		sum += took
	}
	if orders.HasErrors(c.Plan.Diags[faults:]) && sum == 0 {
		return
	}
	text := fmt.Sprintf("%s armed with %d power", w.Text, sum)
	if a, given := st.Arg("SHOTS"); given && a.Num > 1 {
		text += fmt.Sprintf(" for %d shots each", a.Num)
	}
	if b := &c.Sys.Banks[shots[0].Bank]; c.Rules.Usable(b) && c.Rules.Kind(b).Half && sum > 0 && sum < b.Arm*len(shots) {
		text += ": half of the damage"
	}
	c.Effect(st.Pos.Line, "%s", text)
}

// arm arms one mount and returns the power it took. If bank is set, the order was for the
// whole bank and a destroyed mount is skipped.
func (c *Compiler) arm(b *ship.Bank, m, want int, pos orders.Pos, bank bool) int {
	if b.Mounts[m].Destroyed && (bank || !c.mendable(c.mountFault(b, m))) {
		if !bank {
			c.Fail(pos, "E108", "leave it out", "%s is destroyed", ship.MountName(b, m))
		}
		return 0
	}
	if b.Mounts[m].Destroyed {
		c.Warn(pos, "W195", "", "%s is damaged: it can fire if it is repaired this turn", ship.MountName(b, m))
	}
	armed := c.Plan.Power.Armed[b.ID]
	if armed == nil {
		armed = make([]int, len(b.Mounts))
		c.Plan.Power.Armed[b.ID] = armed
	}
	if armed[m] > 0 {
		c.Fail(pos, "E106", "once is enough", "%s is armed twice", ship.MountName(b, m))
		return 0
	}
	kind := c.Rules.Kind(b)
	if kind == nil {
		c.Fail(pos, "E119", "leave it unarmed", "%s fires a %s, for which %s has no rules", ship.MountName(b, m), b.Family, c.Rules.Subtitle())
		return 0
	}
	want, ok := kind.Arm(c, b, m, want, pos)
	if !ok {
		return 0
	}
	armed[m] = want
	c.Plan.Power.Weapons += want
	c.Spend(pos, want)
	return want
}

// Weapon returns the mounts of a bank or the single mount that an order names.
func (c *Compiler) Weapon(w orders.Arg, doing string) ([]Shot, bool) {
	shots, ok := mountsNamed(c.Sys, w.Text)
	if !ok {
		c.unknownWeapon(w, doing)
		return nil, false
	}
	gone := func(s Shot) bool {
		return c.Sys.Banks[s.Bank].Mounts[s.Mount].Destroyed && !c.mendable(ship.MountFault(&c.Sys.Banks[s.Bank], s.Bank, s.Mount))
	}
	for _, s := range shots {
		if !gone(s) {
			return shots, true
		}
	}
	name := c.Sys.Banks[shots[0].Bank].ID
	if len(shots) == 1 {
		name = ship.MountName(&c.Sys.Banks[shots[0].Bank], shots[0].Mount)
	}
	c.Fail(w.Pos, "E108", "leave it out", "%s is destroyed and cannot be %s", name, doing)
	return nil, false
}

// mountsNamed finds the mounts of a bank, or a single mount, by name.
func mountsNamed(s *ship.State, name string) ([]Shot, bool) {
	for i := range s.Banks {
		b := &s.Banks[i]
		if len(name) < len(b.ID) || !strings.EqualFold(b.ID, name[:len(b.ID)]) {
			continue // a mount's name begins with its bank's
		}
		all := make([]Shot, len(b.Mounts))
		for m := range b.Mounts {
			if all[m] = (Shot{i, m}); len(all) > 1 && strings.EqualFold(ship.MountName(b, m), name) {
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
func (c *Compiler) unknownWeapon(w orders.Arg, doing string) {
	var known, lines []string
	kind, group := ship.GroupWord(w.Text)
	for _, m := range c.Rules.Language.Meant[strings.ToLower(w.Text)] {
		if !group {
			kind, group = ship.GroupWord(m)
		}
	}
	group = group && doing == "armed"
	for i := range c.Sys.Banks {
		b := &c.Sys.Banks[i]
		known = append(known, b.ID)
		switch {
		case !c.Rules.Usable(b) || group && kind != "" && b.Group() != kind:
		case b.AnyPower():
			lines = append(lines, fmt.Sprintf("arm %s %d", b.ID, b.Max))
		default:
			lines = append(lines, "arm "+b.ID)
		}
	}
	words := known
	if doing == "fired" {
		words = append(slices.Clone(known), ship.GroupWords()...)
	}
	hint := c.Rules.Language.Hint(w.Text, words)
	switch {
	case group:
		c.Fail(w.Pos, "E101", "give each weapon a line of its own: "+strings.Join(lines, ", "), "%q is more than one weapon", w.Text)
		return
	case hint == "":
		hint = "weapons: " + strings.Join(words, ", ")
	}
	c.Fail(w.Pos, "E101", hint, "this ship has no weapon %q", w.Text)
}

// twoWords refuses a weapon's name that was written as two words.
func (c *Compiler) twoWords(first, second orders.Arg) bool {
	if _, ok := mountsNamed(c.Sys, first.Text); ok {
		return false
	}
	name := first.Text + "-" + second.Text
	if _, ok := mountsNamed(c.Sys, name); !ok {
		return false
	}
	c.Fail(first.Pos, "E101", fmt.Sprintf("write %s: a name is one word", strings.ToLower(name)), "this ship has no weapon %q", first.Text+" "+second.Text)
	return true
}

// cutBack lowers a power plan that wants too much until it fits, for a set that must be
// carried out anyway: laboratories and weapons first, then shields, then movement.
func (c *Compiler) cutBack() {
	p := &c.Plan.Power
	if cut := min(-c.Left, p.Labs); cut > 0 {
		c.Left += cut
		p.Labs -= cut
	}
	for i := len(c.Sys.Banks) - 1; i >= 0 && c.Left < 0; i-- {
		armed := p.Armed[c.Sys.Banks[i].ID]
		for m := len(armed) - 1; m >= 0 && c.Left < 0; m-- {
			c.Left += armed[m]
			p.Weapons -= armed[m]
			armed[m] = 0
		}
	}
	if c.Left < 0 {
		total := tactical.Sum(p.ShieldPoints)
		affordable := c.Sys.Design.Shield.Points(max(0, p.Shields+c.Left))
		for total > affordable {
			i := tactical.Highest(p.ShieldPoints)
			p.ShieldPoints[i]--
			total--
		}
		c.Left += p.Shields
		p.Shields = c.Sys.Design.Shield.Cost(total)
		c.Left -= p.Shields
	}
	if c.Left < 0 {
		c.Left += p.Movement
		p.Movement = max(0, c.Left)
		p.Points = c.Rules.MovementPoints(c.Sys, p.Movement)
		p.Split = c.Rules.Split.Points(p.Points)
		c.Left -= p.Movement
	}
	if c.Left < 0 {
		c.Left += p.Cloak
		p.Cloak = 0
	}
}

// CloakFigure returns the power of a cloak as an item in a list; "" for 0.
func CloakFigure(power int) string {
	if power == 0 {
		return ""
	}
	return fmt.Sprintf("cloak %d, ", power)
}

// shots reads the number of shots that mounts are armed for, and records it for each;
// false, with a diagnostic, if it is not possible.
func (c *Compiler) shots(st orders.Statement, mounts []Shot) bool {
	a, given := st.Arg("SHOTS")
	if !given {
		return true
	}
	b := &c.Sys.Banks[mounts[0].Bank] // an order is for one bank
	switch {
	case b.Shots < 2 && a.Num != 1:
		c.Fail(a.Pos, "E174", "leave out shots", "%s fires once a turn; only lasers fire more often", b.ID)
		return false
	case a.Num < 1 || a.Num > max(1, b.Shots):
		c.Fail(a.Pos, "E174", fmt.Sprintf("1 to %d", max(1, b.Shots)), "%s cannot fire %d times a turn: it fires once a phase", b.ID, a.Num)
		return false
	case a.Num == 1:
		return true
	}
	for _, power := range st.All("POWER") {
		switch waste := power.Num % a.Num; {
		case power.Num < a.Num:
			c.Fail(power.Pos, "E174", "more power, or fewer shots", "%d power is too little for %d shots: each takes at least 1", power.Num, a.Num)
			return false
		case waste > 0:
			c.Warn(power.Pos, "W121", fmt.Sprintf("%d power gives as many", power.Num-waste), "%d power of this is wasted: each of %d shots gets %d", waste, a.Num, power.Num/a.Num)
		}
	}
	p := &c.Plan.Power
	for _, m := range mounts {
		if armed := p.Armed[b.ID]; armed == nil || armed[m.Mount] == 0 {
			p.ArmFor(b, m.Mount, a.Num)
		}
	}
	return true
}

// mendable reports whether a damaged system could be repaired.
func (c *Compiler) mendable(f ship.Fault) bool {
	if _, ok := c.Sys.Fault(f.Name); !ok || !c.Sys.Has(ship.NameRepair) {
		return false
	}
	_, _, out := c.Sys.Need(c.Rules.Library, f)
	return !out
}

// mountFault returns a mount of the ship as a system.
func (c *Compiler) mountFault(b *ship.Bank, m int) ship.Fault {
	return ship.MountFault(b, slices.IndexFunc(c.Sys.Banks, func(o ship.Bank) bool { return o.ID == b.ID }), m)
}
