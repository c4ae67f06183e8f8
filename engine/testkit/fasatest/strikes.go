package fasatest

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// dodge is a ship's evasion in a phase.
type dodge struct {
	phase int
	ship.Evade
}

// evades records that a ship evades another's missile (stcs 8.4).
func (w *walk) evades(e engine.Event, b *ship.Evade) error {
	if _, _, err := w.acts(b.Ship, "evades"); err != nil {
		return err
	}
	if w.dodges[b.Ship].phase == e.Phase || b.Success != (b.Roll <= b.Need) || b.Need != 3 || b.From.Turn(1) != b.Heading && b.Heading.Turn(1) != b.From {
		return fmt.Errorf("%s evades: %+v", b.Ship, b)
	}
	_, sys, err := w.of(b.Against)
	if err != nil {
		return err
	}
	if bank := bankOf(sys, b.Weapon); bank == nil || bank.Kind == tables.Beam || b.Mount < 1 || b.Mount > len(bank.Mounts) || w.fired[fmt.Sprintf("%s %s %d", b.Against, b.Weapon, b.Mount)] != e.Phase {
		return fmt.Errorf("%s evades no missile that is declared: %+v", b.Ship, b)
	}
	w.dodges[b.Ship] = dodge{e.Phase, *b}
	return nil
}

// side checks which shield a hit strikes: the one facing the firer, with the target's heading before she evaded,
// except for the weapon she evaded successfully; on a line, one of two (stcs 4.5, 8.4, ruling D6).
func (w *walk) side(e engine.Event, b *ship.Fire, from, target *engine.Ship) error {
	at := engine.Place{Hex: target.Hex, Heading: target.Heading}
	d := w.dodges[target.ID]
	dodged := d.phase == e.Phase && d.Success && d.Against == b.Ship && d.Weapon == b.Weapon && d.Mount == b.Mount
	if d.phase == e.Phase && !dodged {
		at.Heading = d.From
	}
	if b.Evaded != dodged {
		return fmt.Errorf("evaded: %v, by %+v", b.Evaded, d)
	}
	return w.faces(at, from.Hex, b.Shield)
}

// faces returns an error if a shield does not face a hex.
func (w *walk) faces(at engine.Place, to hex.Hex, shield int) error {
	p, ok := hex.Bearing(at.Hex, to)
	if !ok {
		return nil // from the ship's own hex: her captain chooses
	}
	a, b, line := hex.Side(p.Relative(at.Heading))
	may := []int{w.book.shields[a]}
	if line {
		may = append(may, w.book.shields[b])
	}
	if !slices.Contains(may, shield) {
		return fmt.Errorf("shield %d is struck, and not %v", shield, may)
	}
	return nil
}

// blasted checks the effect of an explosion at a distance (stcs 9.6, ruling D34).
func (w *walk) blasted(b *ship.Blasted) error {
	s, _, err := w.of(b.Ship)
	if err != nil {
		return err
	}
	from, _, err := w.of(b.From)
	if err != nil {
		return err
	}
	power, blew := w.blown[b.From]
	want := power
	switch d := hex.Distance(s.Hex, from.Hex); {
	case !blew || d != b.Range || b.Ship == b.From:
		return fmt.Errorf("%s is struck by %s at range %d", b.Ship, b.From, b.Range)
	case d == 0:
		want = 2 * power
	case d > 10:
		want = 0
	case d > 6:
		want = min(1, power)
	default:
		for range d - 1 {
			want = (want + 1) / 2
		}
	}
	if want != b.Damage {
		return fmt.Errorf("%d points at range %d of an explosion of %d", b.Damage, b.Range, power)
	}
	if err := w.faces(engine.Place{Hex: s.Hex, Heading: s.Heading}, from.Hex, b.Shield); err != nil {
		return err
	}
	return w.deliver(b.Ship, b.Shield, b.Damage)
}

// met checks a mine, by the movement word with which its hex was entered (stcs 10.3, ruling D35).
func (w *walk) met(b *ship.MineMet) error {
	word := w.words[b.Ship]
	swung := word == "EL" || word == "ER"
	shield, other := map[string]int{"B": 5, "SL": 1, "SR": 3}[word]
	if !other {
		shield = 2
	}
	switch {
	case b.Evaded && (!swung || b.Dummy || b.Damage > 0):
		return fmt.Errorf("%s, which came by %s, evades: %+v", b.Ship, word, b)
	case b.Damage > 0 && b.Shield != shield:
		return fmt.Errorf("%s, which came by %s, is struck on shield %d", b.Ship, word, b.Shield)
	}
	return w.deliver(b.Ship, b.Shield, b.Damage)
}

// debris checks asteroids (stcs 8.7, ruling D32).
func (w *walk) debris(b *ship.Debris) error {
	shield := 2
	if w.words[b.Ship] == "B" {
		shield = 5
	}
	if b.Need != 4 || b.Struck != (b.Roll <= b.Need) || b.Struck && (b.Shield != shield || b.Damage < 1 || b.Damage > 10) || !b.Struck && b.Damage > 0 {
		return fmt.Errorf("%s, which came by %s: %+v", b.Ship, w.words[b.Ship], b)
	}
	return w.deliver(b.Ship, b.Shield, b.Damage)
}
