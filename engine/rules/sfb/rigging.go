package sfb

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/tactical"
	"starpost/orders"
)

// riggingPart is boxes that are mended in battle (house 30.6 to 30.92).
var riggingPart = part{
	has: func(b *Book) bool { return b.Rigging.Energy > 0 },
	verbs: func(b *Book) (power, phase []orders.Verb) {
		return []orders.Verb{{
			Name: verbScotty, Forms: []orders.Form{"scotty BOX..."}, Once: true, Examples: []string{"scotty lab", "scotty photon-a lab lab"},
			Doc: fmt.Sprintf("Try to mend boxes that are lost, one for each word, at the end of the turn: %d energy each, within what damage control allows for all repairs; a die of %d or less mends it. Such a box works, but is lost again with a %d whenever it is used, a weapon by fire, an engine, reactor or battery by a turn's energy, a laboratory, transporter or tractor beam by its work. Hit again it is lost for good. It may not be overloaded.", b.Rigging.Energy, b.Rigging.Mends, b.Rigging.Blows),
		}}, nil
	},
	begin: func(l *rulebook, t *engine.Turn) { l.strain(t) },
	fired: func(l *rulebook, t *engine.Turn) { l.strainWeapons(t) },
	end: func(l *rulebook, t *engine.Turn) {
		strainLabs(l, t)
		l.rig(t)
	},
	dice: []engine.NamedDie{
		{Name: "scotty.SHIP.BANK.N", Example: "t3.scotty.hood.lab.1", Die: dice.D6, What: "whether a lost box is mended; N counts the tries for a bank"},
		{Name: "use.SHIP.BANK.N", Example: "t3.p2.use.hood.photon-a.1", Die: dice.D6, What: "whether a box that was mended in battle blows out as it is used; N counts the uses of a bank"},
	},
	events: []event{
		family.Own("scotty", told[state.Rig]{
			Tell: says(func(_ *rulebook, v *engine.View, b *state.Rig) string {
				done := map[bool]string{true: "mends", false: "fails to mend"}[b.After > b.Before]
				return fmt.Sprintf("%s %s a box of %s: die %d", v.Name(b.Ship), done, b.Bank, b.Roll)
			}),
			Why: func(l *rulebook, _ *engine.Story, _ int, _ *state.Rig) []string {
				return []string{fmt.Sprintf("a die of %d or less mends a box, for %d energy", l.Rigging.Mends, l.Rigging.Energy)}
			},
		}),
		family.Own("strain", told[state.Strain]{
			Tell: says(func(_ *rulebook, v *engine.View, b *state.Strain) string {
				done := map[bool]string{true: "blows out as it is used", false: "holds"}[b.After < b.Before]
				return fmt.Sprintf("the mended box of %s of %s %s: die %d", b.Bank, v.Name(b.Ship), done, b.Roll)
			}),
			Why: func(l *rulebook, _ *engine.Story, _ int, _ *state.Strain) []string {
				return []string{fmt.Sprintf("a box that was mended in battle is lost with a die of %d whenever it is used", l.Rigging.Blows)}
			},
		}),
	},
	sheet: func(l *rulebook, _ *engine.View, sys *state.System) (out []string) {
		for _, name := range slices.Sorted(maps.Keys(sys.Rigged)) {
			if n := sys.Rigged[name]; n > 0 {
				out = append(out, fmt.Sprintf("%s of %s mended in battle: each use loses it with a die of %d", phrase.Counted(n, "box", "boxes"), name, l.Rigging.Blows))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(sys.Beyond)) {
			out = append(out, fmt.Sprintf("%s of %s beyond repair", phrase.Counted(sys.Beyond[name], "box", "boxes"), name))
		}
		return append(out, fmt.Sprintf("damage control: repairs of %d energy a turn", l.repairs(sys)))
	},
}

// repairs is the energy that a turn's repairs may take: the number of damage control, where a
// sheet has one.
func (b *Book) repairs(sys *state.System) int {
	if n, ok := sys.Sheet.Rating(sheet.DamageControl); ok {
		return n
	}
	return b.RepairEnergy
}

// scotty compiles the tries to mend boxes.
func (c *compiler) scotty(g orders.Group, spend func(pos orders.Pos, sum, warp int)) {
	e, tries := &c.p.energy, map[string]int{}
	for _, st := range g.All(verbScotty) {
		for _, a := range st.All("BOX") {
			word, lost := strings.ToLower(a.Text), -1
			for i := range c.sys.Sheet.Banks {
				b := &c.sys.Sheet.Banks[i]
				tried := tries[b.Name]
				if lost < 0 && b.Kind.Inner() && b.Called(word) && b.All-b.Left-c.sys.Beyond[b.Name]-tried > 0 {
					lost = i
				}
			}
			most := (c.book.repairs(c.sys) - tactical.Sum(e.Repair[:])*c.book.BoxEnergy) / c.book.Rigging.Energy
			switch {
			case lost < 0:
				c.fail(a.Pos, "E248", "take from the sheet what is lost, but for hull and armour", "no box %q is lost that can be mended", a.Text)
			case len(e.Scotty) >= most:
				c.fail(a.Pos, "E209", fmt.Sprintf("%d of them at most, beside the shields", max(0, most)), "repairs of more than %d energy; a turn has no more for them", c.book.repairs(c.sys))
			default:
				name := c.sys.Sheet.Banks[lost].Name
				e.Scotty = append(e.Scotty, name)
				tries[name]++
				spend(st.Pos, c.book.Rigging.Energy, 0)
				c.effect(st.Pos.Line, "a die of %d or less mends a box of %s as the turn ends", c.book.Rigging.Mends, name)
			}
		}
	}
}

// rig throws for the boxes that ships try to mend.
func (l *rulebook) rig(t *engine.Turn) {
	for _, s := range state.Fighting(t.Game) {
		p := memo(t).plans[s.ID]
		if p == nil {
			continue
		}
		tries := map[string]int{}
		for _, name := range p.energy.Scotty {
			sys := state.Of(s)
			bank := sys.Sheet.Banks[sys.Sheet.Bank(name)]
			if tries[name]++; bank.All-bank.Left-sys.Beyond[name] <= 0 {
				continue
			}
			r := &state.Rig{Ship: s.ID, Bank: name, Before: bank.Left, After: bank.Left}
			r.Roll = t.Roll(engine.NameRoll("scotty", s.ID).And(name, strconv.Itoa(tries[name])), dice.D6, l.see(t.Game, s), l.cite(onRigging)...)
			r.After += b2i(r.Roll <= l.Rigging.Mends)
			t.Because(t.OrderedIn(s.ID, "power", verbScotty)).Emit(r, l.see(t.Game, s), l.cite(onRigging)...)
		}
	}
}

// use throws for the n-th box of a bank that is used, if it was mended: those that were not are
// used first.
func (l *rulebook) use(t *engine.Turn, s *engine.Ship, bank string, n int, cause engine.Ref) {
	sys := state.Of(s)
	b := sys.Sheet.Banks[sys.Sheet.Bank(bank)]
	if rigged := sys.Rigged[bank]; rigged == 0 || n <= b.Left-rigged {
		return
	}
	e := &state.Strain{Ship: s.ID, Bank: bank, Before: b.Left, After: b.Left}
	e.Roll = t.Roll(engine.NameRoll("use", s.ID).And(bank, strconv.Itoa(n)), dice.D6, l.see(t.Game, s), l.cite(onRigging)...)
	e.After -= b2i(e.Roll >= l.Rigging.Blows)
	t.Because(cause).Emit(e, l.see(t.Game, s), l.cite(onRigging)...)
}

// useOf is use for the n-th box of a kind, those that this has blown out before counted, too.
func (l *rulebook) useOf(t *engine.Turn, s *engine.Ship, kind sheet.Kind, n int, cause engine.Ref) {
	var banks []sheet.Bank
	for _, b := range state.Of(s).Sheet.Banks {
		if b.Kind == kind {
			banks = append(banks, b)
		}
	}
	for i, b := range banks {
		if n <= b.Left || i+1 == len(banks) {
			l.use(t, s, b.Name, n, cause)
			return
		}
		n -= b.Left
	}
}

// strainLabs throws for mended laboratories that have worked in the turn; those that are lit are used before them.
func strainLabs(l *rulebook, t *engine.Turn) {
	used := map[engine.ShipID]int{}
	for _, w := range memo(t).works {
		s, _ := t.Game.Ship(w.Ship)
		for range w.Boxes {
			used[s.ID]++
			l.useOf(t, s, sheet.Lab, state.Of(s).Purse[verbLabs]+used[s.ID], engine.Ref{})
		}
	}
}

// strain throws for mended boxes of engines and reactors, which give a turn's energy, of
// batteries that do, and of laboratories that are lit.
func (l *rulebook) strain(t *engine.Turn) {
	for _, s := range state.Fighting(t.Game) {
		p := memo(t).plans[s.ID]
		for n := range state.Of(s).Purse[verbLabs] {
			l.useOf(t, s, sheet.Lab, n+1, t.OrderedIn(s.ID, "power", verbLabs))
		}
		for _, b := range slices.Clone(state.Of(s).Sheet.Banks) {
			gives := b.Kind == sheet.Warp || b.Kind == sheet.Impulse || b.Kind == sheet.Reactor || b.Kind == sheet.Battery && p != nil && p.energy.Batteries > 0
			for n := 1; gives && n <= b.Left; n++ {
				l.use(t, s, b.Name, n, engine.Ref{})
			}
		}
	}
}

// strainWeapons throws for mended weapons that have fired or launched in this impulse.
func (l *rulebook) strainWeapons(t *engine.Turn) {
	for _, s := range state.Fighting(t.Game) {
		for w := range state.Of(s).Weapons {
			if state.Of(s).Weapons[w].Fired == (state.Shot{Turn: t.Number(), Impulse: t.Phase.No}) && state.Of(s).Bank(w).Left > 0 {
				l.use(t, s, state.Of(s).Bank(w).Name, 1, engine.Ref{})
			}
		}
	}
}
