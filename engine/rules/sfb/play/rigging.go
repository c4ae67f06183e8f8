package play

import (
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// Rig rolls for the boxes that ships try to repair.
func Rig(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range state.Fighting(t.Game) {
		p := memo(t).plans[s.ID]
		if p == nil {
			continue
		}
		tries := map[string]int{}
		for _, name := range p.Energy.Scotty {
			sys := state.Of(s)
			bank := sys.Sheet.Banks[sys.Sheet.Bank(name)]
			if tries[name]++; bank.All-bank.Left-sys.Beyond[name] <= 0 {
				continue
			}
			r := &state.Rig{Ship: s.ID, Bank: name, Before: bank.Left, After: bank.Left}
			r.Roll = t.Roll(engine.NameRoll("scotty", s.ID).And(name, strconv.Itoa(tries[name])), dice.D6, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnRigging)...)
			r.After += rulebook.BoolInt(r.Roll <= l.Rigging.Mends)
			t.Because(t.OrderedIn(s.ID, "power", rulebook.VerbScotty)).Emit(r, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnRigging)...)
		}
	}
}

// use rolls for the n-th box used of a bank, if it was repaired. Boxes that were not are used first.
func use(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, bank string, n int, cause engine.Ref) {
	sys := state.Of(s)
	b := sys.Sheet.Banks[sys.Sheet.Bank(bank)]
	if rigged := sys.Rigged[bank]; rigged == 0 || n <= b.Left-rigged {
		return
	}
	e := &state.Strain{Ship: s.ID, Bank: bank, Before: b.Left, After: b.Left}
	e.Roll = t.Roll(engine.NameRoll("use", s.ID).And(bank, strconv.Itoa(n)), dice.D6, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnRigging)...)
	e.After -= rulebook.BoolInt(e.Roll >= l.Rigging.Blows)
	t.Because(cause).Emit(e, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnRigging)...)
}

// useOf is use for the n-th box of a kind, counting boxes that it has just destroyed.
func useOf(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, kind sheet.Kind, n int, cause engine.Ref) {
	var banks []sheet.Bank
	for _, b := range state.Of(s).Sheet.Banks {
		if b.Kind == kind {
			banks = append(banks, b)
		}
	}
	for i, b := range banks {
		if n <= b.Left || i+1 == len(banks) {
			use(l, t, s, b.Name, n, cause)
			return
		}
		n -= b.Left
	}
}

// StrainLabs rolls for repaired laboratories that worked this turn; powered ones are counted first.
func StrainLabs(l *rulebook.Rules, t *engine.Turn) {
	used := map[engine.ShipID]int{}
	for _, w := range memo(t).works {
		s, _ := t.Game.Ship(w.Ship)
		for range w.Boxes {
			used[s.ID]++
			useOf(l, t, s, sheet.Lab, state.Of(s).Purse[rulebook.VerbLabs]+used[s.ID], engine.Ref{})
		}
	}
}

// Strain rolls for repaired boxes of engines and reactors, of batteries in use, and of powered laboratories.
func Strain(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range state.Fighting(t.Game) {
		p := memo(t).plans[s.ID]
		for n := range state.Of(s).Purse[rulebook.VerbLabs] {
			useOf(l, t, s, sheet.Lab, n+1, t.OrderedIn(s.ID, "power", rulebook.VerbLabs))
		}
		for _, b := range slices.Clone(state.Of(s).Sheet.Banks) {
			gives := b.Kind == sheet.Warp || b.Kind == sheet.Impulse || b.Kind == sheet.Reactor || b.Kind == sheet.Battery && p != nil && p.Energy.Batteries > 0
			for n := 1; gives && n <= b.Left; n++ {
				use(l, t, s, b.Name, n, engine.Ref{})
			}
		}
	}
}

// StrainWeapons rolls for repaired weapons that fired or launched in this impulse.
func StrainWeapons(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range state.Fighting(t.Game) {
		for w := range state.Of(s).Weapons {
			if state.Of(s).Weapons[w].Fired == (state.Shot{Turn: t.Number(), Impulse: t.Phase.No}) && state.Of(s).Bank(w).Left > 0 {
				use(l, t, s, state.Of(s).Bank(w).Name, 1, engine.Ref{})
			}
		}
	}
}
