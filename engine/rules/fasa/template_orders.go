package fasa

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
	"starpost/orders"
)

// offers is a book that offers order sets.
type offers struct{ *rulebook }

// Template is last turn's settings as an order set for the turn that is due:
// the same power (scaled to what is left), the same phases if they still fit,
// and the standing orders in force.
func (l offers) Template(v *engine.View, id engine.ShipID) string {
	s, sys, ok := ship.Own(v, id)
	if !ok || s.Hex == nil {
		return ""
	}
	if s.Status == engine.Crippled {
		return l.hulkTemplate(v, s, sys)
	}
	if round := v.DueRound(); round > 1 {
		return l.templateRound(v, s, sys, round)
	}
	var head, b strings.Builder
	if text := l.firstTurn(v, s, sys); text != "" {
		b.WriteString(text)
		l.OfferStanding(&b, v, s, sys, sys.Standing)
		return b.String()
	}
	power := l.scaled(sys)
	if keepsStation(sys.Standing) {
		power.Points = 0
	} else {
		power = l.offered(sys, power)
	}
	ship.WritePower(&head, sys, power)
	phases := l.lastPhases(v, s, sys, head.String())
	if phases == "" {
		phases = l.defaultPhases(v, s, sys, power)
	}
	b.WriteString(head.String())
	b.WriteString(phases)
	l.OfferStanding(&b, v, s, sys, sys.Standing)
	return b.String()
}

// firstTurn is the book's own order set for a ship's first turn; blank for none.
func (l *rulebook) firstTurn(v *engine.View, s *engine.ShipView, sys *ship.State) string {
	if sys.Alloc.Available > 0 {
		return ""
	}
	return l.opens(l, v, s, sys)
}

// OfferStanding writes standing orders, but for those that cannot be given again as
// things stand: they name a ship that is not known any more. They hold all the same.
func (l offers) OfferStanding(b *strings.Builder, v *engine.View, s *engine.ShipView, sys *ship.State, st ship.Standing) {
	var text strings.Builder
	l.writeStanding(&text, st)
	p := l.compileRound(1, inMidTurn(s.ID, sys), s.ID, s.Side, sys, sys.Standing, rosterOfView(v.Ships), v.Sides, l.read(text.String()), false)
	n := 1 // the head's line
	for line := range strings.Lines(text.String()) {
		n++
		if !slices.ContainsFunc(p.diags, func(d orders.Diagnostic) bool { return d.Severity == orders.Error && d.Pos.Line == n }) {
			b.WriteString(line)
		}
	}
}

// lastPhases is the phases of last turn's orders, if with this power they are
// without any remark.
func (l *rulebook) lastPhases(v *engine.View, s *engine.ShipView, sys *ship.State, power string) string {
	wanted := l.Split.Phases()
	if v.Rounds > 0 {
		wanted = 1
	}
	phases := family.Phases(sys.Standing.Last, 1, wanted)
	if phases == "" {
		return ""
	}
	again, diags := l.language.Block("ship", power+phases)
	if len(diags) > 0 {
		return ""
	}
	if p := l.compileFirst(wanted, s.ID, s.Side, sys, rosterOfView(v.Ships), v.Sides, &again, false); len(p.diags) > 0 || len(l.sealedFaults(sys, &p, v.Options)) > 0 {
		return ""
	}
	return phases
}

// read reads a captain's orders without head and end that the rules themselves wrote or kept.
func (l *rulebook) read(text string) *orders.Block {
	b, _ := l.language.Block("ship", text)
	return &b
}

// defaultPhases keeps course inside the map and fires at the nearest enemy.
func (l *rulebook) defaultPhases(v *engine.View, s *engine.ShipView, sys *ship.State, power ship.Settings) string {
	var b strings.Builder
	at := engine.Place{Hex: *s.Hex, Heading: *s.Heading}
	armed := false
	for _, mounts := range power.Armed {
		armed = armed || tactical.Sum(mounts) > 0
	}
	for n, points := range l.Split.Points(power.Points) {
		if n > 0 && v.Rounds > 0 {
			break // the other phases are due later
		}
		var text string
		text, at = l.defaultPhase(v, s, sys, at, n, points, armed)
		b.WriteString(text)
	}
	return b.String()
}

// defaultPhase is one of them, from a place, and the place where it ends.
func (l *rulebook) defaultPhase(v *engine.View, s *engine.ShipView, sys *ship.State, at engine.Place, n, points int, armed bool) (string, engine.Place) {
	foe := v.Nearest(s)
	if sys.Hidden() || !armed {
		foe = nil // there is no fire under a cloak, or with nothing
	}
	var words []string
	for range points {
		w := onward(sys)
		if to := board.Step(at, w); v.Bounds != nil && !v.Bounds.Contains(to.Hex) {
			w = "H"
		}
		at = board.Step(at, w)
		words = append(words, w)
	}
	if len(words) == 0 && foe == nil {
		return "", at
	}
	var b strings.Builder
	fmt.Fprintf(&b, "phase %d\n", n+1)
	if len(words) > 0 {
		fmt.Fprintf(&b, "  move %s\n", strings.Join(words, " "))
	}
	if foe != nil {
		when := ""
		if n < len(l.offers) {
			when = fmt.Sprintf(" when chance >= %d%%", l.offers[n])
		}
		fmt.Fprintf(&b, "  fire all at %s%s\n", foe.Name, when)
	}
	return b.String(), at
}
