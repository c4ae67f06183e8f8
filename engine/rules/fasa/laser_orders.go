package fasa

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/orders"
)

// lasersPart lets weapons fire more than once a turn whose family does (stcs 14.2,
// ruling D43): once in a phase, with an equal part of their power.
func lasersPart(book *Book) part {
	arm, fire := verbIn(powerSection(book), "arm"), verbIn(phaseSection(book), "fire")
	arm.Forms = append(slices.Clone(arm.Forms), "arm MOUNT POWER... shots SHOTS")
	arm.Doc += " A laser may be armed for several shots, one in each phase in which you fire it: each does its power divided by the shots, rounded down, and takes at most the laser's maximum (" + cites.Lasers.Ref() + "). A plasma launcher takes half of its power too, for half of the damage (" + cites.HalfPowerPlasma.Ref() + ")."
	arm.Examples = append(slices.Clone(arm.Examples), "arm bank-a 4 shots 2")
	fire.Doc = strings.Replace(fire.Doc, "A weapon fires once a turn;", "A weapon fires once a turn, a laser as often as it is armed for, once in a phase;", 1)
	return part{
		verbs: []verb{
			{Verb: arm, section: "power", compile: func(c *compiler, _ int, st orders.Statement) { c.armOrder(st) }},
			{Verb: fire, section: "phase", compile: func(c *compiler, n int, st orders.Statement) { c.fire(n, st) }},
		},
		params: map[string]orders.Param{"SHOTS": {Class: orders.Number, Doc: fmt.Sprintf("a number of shots, 1 to %d", tables.MostShots)}},
		commission: func(k *commissioning) {
			for i, bd := range k.design.Banks {
				if w, err := k.l.Mounted(bd); err == nil && i < len(k.sys.Banks) {
					k.sys.Banks[i].Shots = w.Shots
				}
			}
		},
	}
}

// verbIn is a verb of a section of the Basic Course.
func verbIn(s orders.Section, name string) orders.Verb {
	return s.Verbs[slices.IndexFunc(s.Verbs, func(v orders.Verb) bool { return v.Name == name })]
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

// shells is the family of accelerator cannons, which are missiles in all they do
// (stcs 14.3).
const shells = "accelerator cannon"

// olderWeapons are the topics of the weapons of older ships.
func olderWeapons(b *ship.Bank) []cites.Topic {
	switch {
	case b.Shots > 1:
		return []cites.Topic{cites.Lasers}
	case b.Family == shells:
		return []cites.Topic{cites.AcceleratorCannons}
	}
	return nil
}
