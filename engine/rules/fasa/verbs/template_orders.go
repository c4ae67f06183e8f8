package verbs

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
)

// Template is last turn's settings as an order set for the turn that is due:
// the same power (scaled to what is left), the same phases if they still fit,
// and the standing orders in force.
func (l Offers) Template(v *engine.View, id engine.ShipID) string {
	s, sys, ok := ship.Own(v, id)
	if !ok || s.Hex == nil {
		return ""
	}
	if s.Status == engine.Crippled {
		return hulkTemplate(l.Rules, v, s, sys)
	}
	if round := v.DueRound(); round > 1 {
		return templateRound(l.Rules, v, s, sys, round)
	}
	var head, b strings.Builder
	if text := FirstTurn(l.Rules, v, s, sys); text != "" {
		b.WriteString(text)
		l.OfferStanding(&b, v, s, sys, sys.Standing)
		return b.String()
	}
	power := l.Scaled(sys)
	if rulebook.KeepsStation(sys.Standing) {
		power.Points = 0
	} else {
		power = l.Offered(sys, power)
	}
	ship.WritePower(&head, sys, power)
	phases := lastPhases(l.Rules, v, s, sys, head.String())
	if phases == "" {
		phases = DefaultPhases(l.Rules, v, s, sys, power)
	}
	b.WriteString(head.String())
	b.WriteString(phases)
	l.OfferStanding(&b, v, s, sys, sys.Standing)
	return b.String()
}

// FirstTurn is the book's own order set for a ship's first turn; blank for none.
func FirstTurn(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State) string {
	if sys.Alloc.Available > 0 {
		return ""
	}
	return l.Opens(l, v, s, sys)
}

// lastPhases is the phases of last turn's orders, if with this power they are
// without any remark.
func lastPhases(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State, power string) string {
	wanted := l.Split.Phases()
	if v.Rounds > 0 {
		wanted = 1
	}
	phases := family.Phases(sys.Standing.Last, 1, wanted)
	if phases == "" {
		return ""
	}
	again, diags := l.Language.Block("ship", power+phases)
	if len(diags) > 0 {
		return ""
	}
	if p := l.CompileFirst(wanted, s.ID, s.Side, sys, rulebook.RosterOfView(v.Ships), v.Sides, &again, false); len(p.Diags) > 0 || len(SealedFaults(l, sys, &p, v.Options)) > 0 {
		return ""
	}
	return phases
}

// DefaultPhases keeps course inside the map and fires at the nearest enemy.
func DefaultPhases(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State, power ship.Settings) string {
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
		text, at = defaultPhase(l, v, s, sys, at, n, points, armed)
		b.WriteString(text)
	}
	return b.String()
}

// defaultPhase is one of them, from a place, and the place where it ends.
func defaultPhase(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State, at engine.Place, n, points int, armed bool) (string, engine.Place) {
	foe := v.Nearest(s)
	if sys.Hidden() || !armed {
		foe = nil // there is no fire under a cloak, or with nothing
	}
	var words []string
	for range points {
		w := rulebook.Onward(sys)
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
		if n < len(l.Offers) {
			when = fmt.Sprintf(" when chance >= %d%%", l.Offers[n])
		}
		fmt.Fprintf(&b, "  fire all at %s%s\n", foe.Name, when)
	}
	return b.String(), at
}

// templateRound is the order set offered for a round after the first: its phase and
// the standing orders.
func templateRound(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State, round int) string {
	var b strings.Builder
	phase := family.Phases(sys.Standing.Last, round, round)
	if phase != "" {
		again, diags := l.Language.Block("ship", phase)
		if len(diags) > 0 {
			phase = ""
		} else if p := CompileRound(l, round, InMidTurn(s.ID, sys), s.ID, s.Side, sys, sys.Standing, rulebook.RosterOfView(v.Ships), v.Sides, &again, false); len(p.Diags) > 0 || len(SealedFaults(l, sys, &p, v.Options)) > 0 {
			phase = ""
		}
	}
	if phase == "" {
		phase, _ = defaultPhase(l, v, s, sys, engine.Place{Hex: *s.Hex, Heading: *s.Heading}, round-1, sys.Alloc.InPhase(round), len(InMidTurn(s.ID, sys).Armed) > 0)
	}
	b.WriteString(phase)
	Offers{l}.OfferStanding(&b, v, s, sys, sys.Standing)
	return b.String()
}

// hulkTemplate is the order set offered for a crippled ship, which owes none.
func hulkTemplate(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State) string {
	var standing, b strings.Builder
	Offers{l}.OfferStanding(&standing, v, s, sys, sys.Standing)
	b.WriteString("standing\n")
	for line := range strings.Lines(standing.String()) {
		if verb, _, _ := strings.Cut(strings.TrimSpace(line), " "); slices.Contains(hulkVerbs()["standing"], verb) {
			b.WriteString(line)
		}
	}
	return b.String()
}
