package tell

import (
	"starpost/engine"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// Present puts a view into words, tables and overlays.
func (l *Teller) Present(v *engine.View) engine.Presentation {
	n := &narrator{l: l.Rules, events: l.Events, v: v}
	for i := range v.Events {
		n.entry(i)
	}
	n.flush()
	p := engine.Presentation{Phases: n.chapters, Shots: n.shots, Marks: Marks(l.Rules, v)}
	if v.Round == 0 { // reports in the middle of a turn are short
		p.Panels = append(p.Panels, v.GoalsPanel())
	}
	for _, s := range v.Ships {
		if sys, ok := s.System.(*state.System); ok && s.Kind == engine.KindShip && (s.Own || v.Viewer.All) {
			p.Panels = append(p.Panels, shipPanels(l.Rules, v, s, sys)...)
		}
	}
	p.Panels = append(append(append(p.Panels, darkPanels(l.Rules, v)...), v.Sheets...), othersPanels(l.Rules, v)...)
	if v.Turn == 0 && v.Due == 1 && v.Round == 0 && len(l.Advice) > 0 {
		p.Panels = append(p.Panels, engine.Panel{Key: "advice", Title: "For your first turn", Notes: advice(&l.Rules.Book, v)})
	}
	return p
}

// Marks returns the map's overlays by ship.
func Marks(l *rulebook.Rules, v *engine.View) map[engine.ShipID]engine.Overlay {
	marks := map[engine.ShipID]engine.Overlay{}
	for _, s := range v.Ships {
		known, ok := state.OpenOf(s)
		switch {
		case ok && known.Flight != nil:
			marks[s.ID] = engine.Overlay{Small: true, Note: flightNote(v, s, known.Flight)}
		case ok && known.CloakSeen(s):
			marks[s.ID] = engine.Overlay{Cloaked: true}
		}
		for _, p := range l.Parts {
			if p.Mark == nil || !ok || known.Flight != nil {
				continue
			}
			if note := p.Mark(v, known); note != "" {
				o := marks[s.ID]
				o.Note = note
				marks[s.ID] = o
			}
		}
		sys, ok := s.System.(*state.System)
		if !ok || s.Kind != engine.KindShip || !s.Own && !v.Viewer.All {
			continue
		}
		o := marks[s.ID]
		for i, sh := range sys.Sheet.Shields {
			o.Shields = append(o.Shields, engine.ShieldMark{Number: i + 1, Side: i, Now: sh.Left, Max: sh.All, Down: sh.Left == 0})
		}
		for w := range sys.Weapons {
			b := sys.Bank(w)
			_, fires := l.Charts[b.Kind]
			chart := play.Chart(&l.Book, sys, b.Kind)
			if b.Left == 0 || !fires {
				continue
			}
			for _, a := range b.Arcs.Runs() {
				o.Arcs = append(o.Arcs, engine.ArcMark{Name: b.Name, From: a[0], To: a[1], Reach: chart.Reach(b)})
			}
		}
		marks[s.ID] = o
	}
	return marks
}

// flightNote returns the map list's note on a small craft.
func flightNote(v *engine.View, s *engine.ShipView, f *state.Flight) string {
	switch {
	case f.Kind.Cannon():
		return phrase.Points(f.Damage)
	case f.Target != "":
		return "seeks " + v.Name(f.Target)
	}
	if sys, ok := s.System.(*state.System); ok && (f.Kind == sheet.Probe || f.Kind == sheet.Shuttle) {
		return "goes to " + sys.Course.Label()
	}
	return s.Title
}
