package sfb

import (
	"starpost/engine"
	"starpost/engine/rules/sfb/sheet"
)

// brakeImpulses is in how many later impulses a ship that brakes still moves (house 34.1).
const brakeImpulses = 2

// slow stops the ships that have braked and moved long enough, and then has those brake that
// are ordered to. Moved are the ships that have moved in this impulse.
func (l *rulebook) slow(t *engine.Turn, moved map[engine.ShipID]bool) {
	for _, s := range fighting(t.Game) {
		p, sys := memo(t).plans[s.ID], of(s)
		switch {
		case sys.Braking > 1 && moved[s.ID]:
			t.Emit(&brake{s.ID, sys.Braking - 1}, l.see(t.Game, s), l.cite(onBrake)...)
		case sys.Braking == 1 && moved[s.ID]:
			back := sys.Pool / 2 / sheet.MoveParts
			memo(t).helm(s).pool = 0
			t.Emit(&brake{s.ID, -1}, l.see(t.Game, s), l.cite(onBrake)...)
			stop := t.Last()
			t.Because(stop).Emit(&Pool{s.ID, 0, sys.Reserve + back, back}, engine.SeeOnly(s.ID), l.cite(onBrake)...)
			t.Because(stop).Emit(&Speed{s.ID, 0, sys.straight(0), sys.Cloaked, sys.Down}, l.see(t.Game, s), l.cite(onBrake)...)
		case sys.Braking == 0 && sys.Speed > 0 && p != nil:
			for _, o := range p.phases[l.phaseOf(t.Phase.No)-1].brakes {
				if (o.on == 0 || o.on == t.Phase.No) && l.judge(t, s, nil, o.when) {
					t.Because(t.Ordered(s.ID, o.line, o.text)).Emit(&brake{s.ID, brakeImpulses}, l.see(t.Game, s), l.cite(onBrake)...)
					break
				}
			}
		}
	}
}

// brake is a ship that slows down in an emergency, as all see.
type brake struct {
	Ship engine.ShipID `json:"ship" see:"all"`
	// Left is in how many impulses she still moves; -1: she stops.
	Left int `json:"left" see:"all"`
}

// Type implements engine.Body.
func (*brake) Type() string { return "brake" }

// Apply implements engine.Body.
func (b *brake) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err == nil {
		sys.Braking = b.Left
	}
	return err
}
