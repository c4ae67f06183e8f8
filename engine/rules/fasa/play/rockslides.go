package play

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
)

// Rockslide rolls for each hex of asteroids that a movement word enters (stcs 8.7, ruling
// D32).
func Rockslide(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, word string, from engine.Place) {
	for _, h := range board.Way(from, word) {
		if s.Status != engine.Active {
			return
		}
		if slices.Contains(rulebook.RockyHexes(t.Game), h) {
			rocks(l, t, s, h, leading(&l.Book, word))
		}
	}
}

// leading returns the shield in front during a movement word: that of the stern if it leads astern.
func leading(book *rulebook.Book, word string) int {
	if word == board.WordAstern {
		return book.Astern()
	}
	return book.Ahead()
}

func rocks(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, at hex.Hex, shield int) {
	name := Hazard(t, engine.NameRoll("debris", s.ID))
	see := l.Show(t.Game, []*engine.Ship{s}, s.ID)
	b := &ship.Debris{Ship: s.ID, Hex: at, Need: debrisNeed, Shield: shield}
	b.Roll = t.Roll(name.And("struck"), dice.D10, see, l.Cite(cites.Asteroids)...)
	if b.Struck = b.Roll <= b.Need; !b.Struck {
		b.Shield = 0
		t.Because(LastShift(t, s.ID)).Emit(b, see, l.Cite(cites.Asteroids)...)
		return
	}
	b.Damage = t.Roll(name.And("damage"), dice.D10, see, l.Cite(cites.Asteroids)...)
	struck := t.Because(LastShift(t, s.ID)).Emit(b, see, l.Cite(cites.Asteroids)...)
	strikeShield(l, t, metAt(s, at, l.Ring.Side(b.Shield), "an asteroid", struck), b.Shield, b.Damage, name)
}

// metAt returns the hit by an object that a ship meets with one side in a hex on her way; she may
// have left that hex by the end of the movement word.
func metAt(s *engine.Ship, at hex.Hex, side int, what string, cause engine.Ref) rulebook.Hit {
	return rulebook.Hit{Target: s, At: at.Step(s.Heading.Turn(side)), Stood: engine.Place{Hex: at, Heading: s.Heading}, Weapon: what, Cause: cause}
}

// strikeShield applies the damage of an object met on the way, at once.
func strikeShield(l *rulebook.Rules, t *engine.Turn, h rulebook.Hit, shield, damage int, group engine.RollName) {
	if through, pierced := absorb(l, t, h, shield, damage); through > 0 {
		inflict(l, t, []rulebook.Penetration{{Hit: h, Shield: shield, Through: through, Group: group, Pierced: pierced}})
	}
	FallOut(l, &rulebook.Salvo{Turn: t})
}

// PointsStrike returns damage to a shield in words.
func PointsStrike(points, shield int) string {
	if points == 1 {
		return fmt.Sprintf("1 point of damage strikes shield %d", shield)
	}
	return fmt.Sprintf("%d points of damage strike shield %d", points, shield)
}

// ThroughRocks is the modifier of fire through or into asteroids: -1 for each hex of them. A
// line along the side of two hexes counts if both hold some (D32).
func ThroughRocks(_ *rulebook.Rules, t *engine.Turn, v *rulebook.Volley) (string, int, []cites.Topic) {
	return "asteroids", -rulebook.RocksBetween(t.Game, v.Ship.Hex, v.Target.Hex), []cites.Topic{cites.Asteroids}
}
