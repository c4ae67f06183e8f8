package sfb

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/sfb/sheet"
)

// retrieve takes a shuttle back aboard in the hex that both are in, or says why that cannot be.
func (l *rulebook) retrieve(t *engine.Turn, s, d *engine.Ship, a *act) string {
	switch {
	case cloaked(s):
		return shipCloaked
	case d.Hex != s.Hex:
		return fmt.Sprintf("%s is at %s, and she is at %s", d.Name, d.Hex.Label(), s.Hex.Label())
	case of(s).Sheet.Count(sheet.Shuttle).Left == 0:
		return "no box for shuttles is left"
	}
	data := slices.Clone(of(d).Data)
	back := t.Because(t.Ordered(s.ID, a.line, a.text)).Emit(&CraftBack{s.ID, d.ID}, engine.SeeAll(), l.cite(onResearch)...)
	if t.Game.Blind != nil {
		for _, k := range data {
			dark.In(t).HandData(d, s, k.About, k.Points, back)
		}
	}
	t.Because(back).Out(d, engine.Left, "it is back aboard", nil, l.cite(onResearch)...)
	return ""
}

// CraftBack is a shuttle that its ship takes back aboard, with what it knows.
type CraftBack struct {
	Ship  engine.ShipID `json:"ship" see:"all"`
	Craft engine.ShipID `json:"craft" see:"all"`
}

// Type implements engine.Body.
func (*CraftBack) Type() string { return "retrieve" }

// Apply implements engine.Body.
func (b *CraftBack) Apply(g *engine.Game) error {
	sys, craft, err := systemsOf(g, b.Ship, b.Craft)
	if err != nil {
		return err
	}
	if sys.Away == 0 {
		return fmt.Errorf("%s takes %s back, and has launched no shuttle", b.Ship, b.Craft)
	}
	sys.Away--
	for _, k := range craft.Data {
		sys.learn(k.About, k.Points)
	}
	craft.Data = nil
	return nil
}

// oneJob is why a shuttle that does one thing in a turn cannot do another in it too; blank if it can.
func oneJob(before, now string) string {
	switch {
	case (before == wordSend) != (now == wordSend):
		return "cannot gather or receive data and send them in one turn"
	case before == wordStudy && now == wordStudy:
		return "has one laboratory, which studies one ship a turn"
	}
	return ""
}
