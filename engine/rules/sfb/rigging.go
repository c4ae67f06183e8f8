package sfb

import (
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

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
