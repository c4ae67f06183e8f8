package enginetest

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
	"starpost/engine/hex"
)

// contactWalk is the state of checking a turn in the dark.
type contactWalk struct {
	r *engine.Rules
	g *engine.Game
	// fields and moved are the ships with a warp field: those that changed hex in the previous movement, and in this
	// one.
	fields, moved map[engine.ShipID]bool
	// had has the results of the phase's looks, by captain and ship.
	had   map[engine.CaptainName]map[engine.ShipID]seen
	ended bool // the phase has no more looks
}

// seen is what a look shows of a ship.
type seen struct {
	level blind.Level
	at    hex.Hex
}

// checkContacts checks the contacts reported to captains in a game in the dark. Each must have the place and level
// that the last look of the phase that detected it gives by range, sensors and probes (house 9.71 to 9.75, 9.81,
// 12.3). Ranges and percentages are computed here; what else hides a ship, and how crews and systems affect sensors,
// is asked of the rules. A phase has a look after each hex of movement, by and at the ship that moved, and one at
// everything at its end.
func checkContacts(r *engine.Rules, before *engine.Game, events []engine.Event) error {
	w := &contactWalk{r: r, g: before.Clone(), fields: map[engine.ShipID]bool{}, moved: map[engine.ShipID]bool{}, had: map[engine.CaptainName]map[engine.ShipID]seen{}}
	for _, id := range before.Blind.Fields {
		w.fields[id] = true
	}
	for _, id := range before.Blind.Moved {
		w.moved[id] = true
	}
	for i := range events {
		e := &events[i]
		if b, ok := e.Body.(*dark.SensorContact); ok {
			if err := w.contact(b); err != nil {
				return fmt.Errorf("turn %d, event %d: %w", e.Turn, e.Seq, err)
			}
		}
		if err := engine.Apply(w.g, *e); err != nil {
			return err
		}
		switch b := e.Body.(type) {
		case *engine.Move:
			if w.ended {
				clear(w.had)
				w.ended = false
			}
			if b.From.Hex != b.To.Hex {
				w.moved[b.Ship] = true
			}
			w.look(b.Ship)
		case *dark.Wake:
			w.fields, w.moved, w.ended = w.moved, map[engine.ShipID]bool{}, true
		}
	}
	return nil
}

// contact checks one event, which comes after the last look of its phase.
func (w *contactWalk) contact(b *dark.SensorContact) error {
	own, ok := w.g.Ship(b.Ship)
	if !ok || b.Truth == nil || b.Lost || b.Gone || b.Told != "" || strings.HasPrefix(string(b.Truth.Ship), "~") || b.Truth.Echo > 0 {
		return nil
	}
	of, ok := w.g.Ship(b.Truth.Ship)
	if !ok || !of.OnMap() { // the rules decide whether she was seen on her last hex
		return nil
	}
	want := w.had[own.Captain][of.ID]
	if l := w.level(own.Captain, of); l > blind.Nothing {
		want = seen{l, of.Hex}
	}
	if b.Truth.Level != want.level || b.Truth.Hex != want.at || b.Level != want.level.String() {
		return fmt.Errorf("%s has %s at %s as %s, and her captain's sensors show %s at %s", b.Ship, of.ID, b.Truth.Hex.Label(), b.Level, want.level, want.at.Label())
	}
	return nil
}

// look is the look after something has moved: others look at it, and its captain at everything.
func (w *contactWalk) look(mover engine.ShipID) {
	m, ok := w.g.Ship(mover)
	if !ok {
		return
	}
	for _, c := range w.g.Ships {
		if c.Small() {
			continue
		}
		at := []*engine.Ship{m}
		if w.commander(m) == c.Captain && (!m.Small() || sees(m)) {
			at = w.g.Ships
		}
		for _, of := range at {
			if l := w.level(c.Captain, of); l > blind.Nothing {
				if w.had[c.Captain] == nil {
					w.had[c.Captain] = map[engine.ShipID]seen{}
				}
				w.had[c.Captain][of.ID] = seen{l, of.Hex}
			}
		}
	}
}

// sees reports whether a captain sees through a small craft.
func sees(s *engine.Ship) bool { return s.Kind == engine.KindProbe || s.Kind == engine.KindShuttle }

func (w *contactWalk) commander(s *engine.Ship) engine.CaptainName {
	if parent, ok := w.g.Ship(s.Parent); s.Small() && ok {
		return parent.Captain
	}
	return s.Captain
}

// level returns the highest level at which a captain's ships and craft detect a ship.
func (w *contactWalk) level(captain engine.CaptainName, of *engine.Ship) blind.Level {
	best := blind.Nothing
	if w.commander(of) == captain || !of.OnMap() {
		return best
	}
	for _, by := range w.g.Ships {
		if w.commander(by) == captain && by.Status == engine.Active && (!by.Small() || sees(by)) {
			best = max(best, w.shows(by, of))
		}
	}
	return best
}

// shows returns what one ship's sensors show of another.
func (w *contactWalk) shows(by, of *engine.Ship) blind.Level {
	d := dark.Of(w.r).Dark
	if d.Shown != nil {
		if l, ruled := d.Shown(by, of); ruled {
			return l
		}
	}
	if d.Veiled != nil && d.Veiled(w.g, by, of) {
		return blind.Nothing
	}
	at := hex.Distance(by.Hex, of.Hex)
	if d.Rocks != nil {
		at += d.Rocks(w.g, by.Hex, of.Hex)
	}
	sig := d.Signature(of)
	if of.Small() {
		if at <= 2 {
			return blind.Full
		}
		return blind.Nothing
	}
	if by.Small() { // size at once, and no fields
		switch {
		case at <= 2:
			return blind.Full
		case at <= 10:
			return blind.Rough
		}
		return blind.Nothing
	}
	suite := w.g.Blind.Suites[by.ID]
	boxes, uprated := suite.Boxes, suite.Uprated
	if d.Lit != nil {
		lit := d.Lit(by)
		boxes, uprated = boxes+lit.Boxes, uprated || lit.Uprated
	}
	percent, parts := 100+10*boxes, 100
	if uprated {
		percent += 50
	}
	if sig.Large {
		percent *= 2
	}
	if d.Damaged(w.g, by) {
		parts = 200
	}
	switch reach := func(plain int) int { return plain * percent / parts }; {
	case at <= reach(2):
		return blind.Full
	case at <= reach(10):
		return blind.Rough
	case at <= reach(20):
		return blind.Presence
	case !sig.Cold && (w.fields[of.ID] || w.moved[of.ID]) && at <= reach(30):
		return blind.Field
	}
	return blind.Nothing
}
