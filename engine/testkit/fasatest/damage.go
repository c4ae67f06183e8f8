package fasatest

import (
	"fmt"
	"slices"

	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// damage checks what a hit, or a block of one, does inside a ship: it is part of what went through, and every point
// does what its location says.
func (w *walk) damage(b *ship.Damage) error {
	_, sys, err := w.of(b.Ship)
	if err != nil {
		return err
	}
	hit := hitKey(b.Ship, b.From, b.Weapon, b.Mount)
	hurtAlone := b.Points == 0 && w.spared[hit] > 0 && b.Casualties != nil
	if b.Points < 1 && !hurtAlone || b.Points > w.owed[hit] {
		return fmt.Errorf("%d points of damage, %d went through", b.Points, w.owed[hit])
	}
	if whole := w.owed[hit]; b.Points < whole && b.Points != 5 {
		return fmt.Errorf("a block of %d points, with %d left", b.Points, whole)
	}
	w.owed[hit] -= b.Points
	got := taken{structure: change(b.Superstructure), marked: marked(b)}
	for _, c := range b.Engines {
		if e := engineOf(sys, c.Engine); e == nil || e.Now != c.Before || c.After > c.Before || c.After < 0 {
			return fmt.Errorf("the %s engine goes from %d to %d", c.Engine, c.Before, c.After)
		}
		got.engines += c.Before - c.After
	}
	got.power = change(b.Power)
	if len(sys.Engines()) > 0 && got.engines != got.power {
		return fmt.Errorf("the engines lose %d, power falls by %d", got.engines, got.power)
	}
	if b.Casualties != nil {
		got.casualties = b.Casualties.After - b.Casualties.Before
	}
	if roll, rolled := w.shown[fmt.Sprintf("%s.%d.crew", b.Named, b.Mount)]; b.Spared != (rolled && roll <= w.crews[b.Ship]) {
		return fmt.Errorf("the crew of %s, at %d, rolls %d: spared: %v", b.Ship, w.crews[b.Ship], roll, b.Spared)
	}
	var want taken
	if !sys.Has("hull") {
		if b.Location != w.book.table[b.Roll] {
			return fmt.Errorf("die %d says %q, not %q", b.Roll, w.book.table[b.Roll], b.Location)
		}
		want = w.simple(sys, b)
	} else if want, err = w.detailed(sys, b, w.through[hit], w.spared[hit], got); err != nil {
		return err
	}
	delete(w.spared, hit) // of its first block
	want.engines = got.engines
	if got != want {
		return fmt.Errorf("%d points at the %s: %+v, expected %+v", b.Points, b.Location, got, want)
	}
	return nil
}

// taken is the effect of a hit. Marked counts boxes of repair tracks, and 1 for a loss without a track.
type taken struct {
	power, engines, structure, casualties, marked int
}

func change(c *ship.Change) int {
	if c == nil {
		return 0
	}
	return c.Before - c.After
}

// marked counts the boxes that a hit marks on repair tracks, and 1 for a loss without a track.
func marked(b *ship.Damage) int {
	n := 0
	for _, m := range b.Tracks {
		n += m.After - m.Before
	}
	if n == 0 && (b.Lost != nil || b.Shield != nil) {
		return 1
	}
	return n
}

// simple returns the effect of a hit by the one table of the first two courses (stcs 4.8 to 4.12).
func (w *walk) simple(sys *ship.State, b *ship.Damage) taken {
	half := taken{structure: (b.Points + 1) / 2} // for what is gone already
	if w.book.spares {
		half = taken{}
	}
	switch b.Location {
	case "engine":
		return taken{power: min(b.Points, sys.Power)}
	case "superstructure":
		return taken{structure: b.Points}
	case "sensors":
		switch {
		case sys.Sensors().Down:
			return half
		case sys.Has("sensors"):
			return taken{marked: 1}
		}
		return taken{power: min(b.Points/2, sys.Power), structure: b.Points - b.Points/2}
	case "shield generator":
		if b.Shield == nil {
			return half
		}
		return taken{marked: 1}
	default:
		if b.Lost == nil {
			return half
		}
		return taken{marked: 1}
	}
}

// detailed returns the effect of a hit by a ship's own chart (stcs 15.1 to 15.13). The event says which engine it
// hits; detailed checks that this engine has no more to give. Points taken off still cause casualties (stcs 20.4).
func (w *walk) detailed(sys *ship.State, b *ship.Damage, shield, spared int, got taken) (taken, error) {
	cell, ok := w.lib.HitOn(sys.Hull().Chart, shield, b.Roll)
	if !ok || cell.Location != b.Location {
		return taken{}, fmt.Errorf("chart %s, shield %d, die %d says %q, not %q", sys.Hull().Chart, shield, b.Roll, cell.Location, b.Location)
	}
	points, want := b.Points, taken{}
	split := b.Location == "warp engine and superstructure"
	if cell.Half && !split {
		points /= 2
	}
	inside, engines := 0, 0
	switch b.Location {
	case "shield generator", "sensors":
		if len(b.Tracks) == 0 {
			return taken{structure: (points + 1) / 2}, nil
		}
		return taken{marked: w.boxes(b, 1+max(0, b.Points-5)/5)}, nil
	case "beam weapon", "missile weapon", "beam or missile weapon":
		if b.Lost == nil {
			return taken{structure: (points + 1) / 2}, nil
		}
		return taken{marked: 1}, nil
	case "warp engine", "impulse engine":
		engines = points
	case "engineering":
		inside = points
		for range b.Tracks {
			want.marked += 1 + max(0, b.Points-5)/5
		}
		want.marked = w.boxes(b, want.marked)
	default: // superstructure, bridge, and split locations
		inside = points
		if split {
			inside, engines = points/2, points-points/2
		}
	}
	want.power = got.engines
	want.structure = inside + (engines-got.engines)/2 // what an engine cannot give
	if got.engines > engines || got.engines < engines && !spent(sys, b, cell.Side) {
		return want, fmt.Errorf("%d points for an engine take %d", engines, got.engines)
	}
	each := w.lib.CasualtyRate(sys.Design.Superstructure)
	if sys.Hull().Chart == tables.OutpostChart {
		each = 1
	}
	if cell.Half || split {
		spared = (b.Points+spared)/2 - b.Points/2
	}
	if rate := (inside + spared) * cell.Casualties * each; rate > 0 {
		if b.Spared {
			rate /= 2
		}
		want.casualties = min(1000-sys.Crew().Lost, 10*rate)
	}
	return want, nil
}

// boxes returns how many of the given boxes a hit marks: no more than the track has.
func (w *walk) boxes(b *ship.Damage, boxes int) int {
	if slices.ContainsFunc(b.Tracks, w.full) {
		return marked(b)
	}
	return boxes
}

// full reports whether a track is marked up to its last box, and so out of order.
func (w *walk) full(m ship.Marked) bool {
	track := "generator"
	switch m.System {
	case "sensors":
		track = "sensors"
	case "shield-grid", "weapon-grid", "converter":
		track = "engineering"
	}
	return m.After == w.lib.OutAt(track)
}

// spent reports whether the engine of a hit gives nothing after it.
func spent(sys *ship.State, b *ship.Damage, side string) bool {
	if len(b.Engines) > 0 {
		return b.Engines[len(b.Engines)-1].After == 0
	}
	for _, e := range sys.Engines() {
		named := side == "" || e.Name == side || e.Name == "warp"
		if e.Now == 0 && (b.Location == "impulse engine") != e.Warp && named {
			return true
		}
	}
	warp := false
	for _, e := range sys.Engines() {
		warp = warp || e.Warp
	}
	return engineOf(sys, ship.Impulse) == nil && b.Location == "impulse engine" || !warp && b.Location != "impulse engine"
}

func engineOf(sys *ship.State, name string) *ship.Engine {
	for i := range sys.Engines() {
		if sys.Engines()[i].Name == name {
			return &sys.Engines()[i]
		}
	}
	return nil
}
