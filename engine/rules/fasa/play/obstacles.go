package play

import (
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
)

// debrisNeed is the die on which a ship that enters a hex of asteroids is struck, or
// any lower one (ruling D32).
const debrisNeed = 4

// ObstacleGround is what planets, moons and asteroids do (stcs 5.4, 8.6, 8.7).
func ObstacleGround() map[string]engine.Ground {
	return map[string]engine.Ground{
		board.Planet: {Doc: "a planet: no ship enters it, nothing is seen or fired across it", Closed: true, Opaque: true, Looks: blind.Signature{Large: true}, Facts: bodyFacts()},
		board.Moon:   {Doc: "a moon: as a planet", Closed: true, Opaque: true, Looks: blind.Signature{Large: true}, Facts: bodyFacts()},
		board.Asteroid: {Doc: "asteroids: a ship that enters may be struck, fire through or into them is harder", Facts: map[string]string{
			"mass": "many small bodies", "composition": "rock and metal", "state": "solid, in pieces", "life": "none",
		}},
	}
}

// opaqueHexes are those that nothing is seen across. Who looks across many hexes asks for them
// once.
func opaqueHexes(l *rulebook.Rules, g *engine.Game) []hex.Hex {
	var out []hex.Hex
	for i := range g.Terrain {
		if f := &g.Terrain[i]; !f.Gone && l.Ground[f.Kind].Opaque {
			out = append(out, f.Hexes...)
		}
	}
	return out
}

// Shadowed is the concealment by planets and moons: ships on two sides of one do not see
// each other (stcs 7.6, ruling D32).
func Shadowed(l *rulebook.Rules, g *engine.Game, of *engine.Ship) rulebook.Hides {
	opaque := opaqueHexes(l, g)
	if len(opaque) == 0 {
		return nil
	}
	in := func(h hex.Hex) bool { return slices.Contains(opaque, h) }
	return func(by *engine.Ship) bool { return !engine.LineOfSight(by.Hex, of.Hex, in) }
}

// Behind is their line-of-fire rule: there is no fire across one.
func Behind(l *rulebook.Rules, g *engine.Game, s, target *engine.Ship) string {
	if from := Shadowed(l, g, target); from == nil || !from(s) {
		return ""
	}
	kind := board.Planet
	for i := range g.Terrain {
		f := &g.Terrain[i]
		only := func(h hex.Hex) bool { return slices.Contains(f.Hexes, h) }
		if !f.Gone && l.Ground[f.Kind].Opaque && !engine.LineOfSight(s.Hex, target.Hex, only) {
			kind = f.Kind
			break
		}
	}
	return "a " + kind + " lies between"
}

// Astray is the rule of closed hexes: a ship stops before them (stcs 8.6).
func Astray(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, word string) (why string, rule []cites.Topic) {
	if h, kind := InTheWay(l.Ground, t.Game, s.Stands(), word); kind != "" {
		return LeadsInto(kind, h), []cites.Topic{cites.PlanetsAndMoons}
	}
	return "", nil
}

func LeadsInto(kind string, h hex.Hex) string {
	return fmt.Sprintf("it leads into the %s at %s", kind, h.Label())
}

// InTheWay is the first closed hex that a movement word leads into, and what closes it; blank for none.
func InTheWay(ground map[string]engine.Ground, g *engine.Game, at engine.Place, word string) (h hex.Hex, kind string) {
	if len(g.Terrain) == 0 {
		return hex.Hex{}, ""
	}
	for _, h := range board.Way(at, word) {
		for _, f := range g.TerrainAt(h) {
			if ground[f.Kind].Closed {
				return h, f.Kind
			}
		}
	}
	return hex.Hex{}, ""
}

// ThroughRocks is the modifier of fire through asteroids or into them: -1 for each
// hex of them. A line along the side of two hexes counts if both hold some (D32).
func ThroughRocks(_ *rulebook.Rules, t *engine.Turn, v *rulebook.Volley) (string, int, []cites.Topic) {
	return "asteroids", -rulebook.RocksBetween(t.Game, v.Ship.Hex, v.Target.Hex), []cites.Topic{cites.Asteroids}
}

// Rockslide is what asteroids do to movement: a roll for each hex of them that is entered
// (stcs 8.7, ruling D32).
func Rockslide(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, word string, from engine.Place) {
	for _, h := range board.Way(from, word) {
		if s.Status != engine.Active {
			return
		}
		if slices.Contains(rulebook.RockyHexes(t.Game), h) {
			rocks(l, t, s, h, leading(l.Book, word))
		}
	}
}

// leading is the shield in front with a movement word: the stern's where it leads astern.
func leading(book rulebook.Book, word string) int {
	if word == board.WordAstern {
		return book.Astern()
	}
	return book.Ahead()
}

func rocks(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, at hex.Hex, shield int) {
	name := Hazard(l, t, engine.NameRoll("debris", s.ID))
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

// Hazard names the roll for what happens to a ship on its way. In a phase that may be more
// than once: the first has the name itself, the others a number too.
func Hazard(l *rulebook.Rules, t *engine.Turn, name engine.RollName) engine.RollName {
	n, full := TurnNotes[befallen](t), t.RollName(name)
	if *n == nil {
		*n = befallen{}
	}
	if (*n)[full]++; (*n)[full] > 1 {
		return name.And(strconv.Itoa((*n)[full]))
	}
	return name
}

// befallen is how often something has happened to a ship in a phase, by the whole name of the roll.
type befallen map[engine.RollName]int

// metAt is the hit of something that a ship meets with a side in a hex on its way,
// which it may have left again by the end of the movement word.
func metAt(s *engine.Ship, at hex.Hex, side int, what string, cause engine.Ref) rulebook.Hit {
	return rulebook.Hit{Target: s, At: at.Step(s.Heading.Turn(side)), Stood: engine.Place{Hex: at, Heading: s.Heading}, Weapon: what, Cause: cause}
}

// strikeShield does the damage of something that is met on the way: it takes effect
// at once.
func strikeShield(l *rulebook.Rules, t *engine.Turn, h rulebook.Hit, shield, damage int, group engine.RollName) {
	if through, pierced := absorb(l, t, h, shield, damage); through > 0 {
		inflict(l, t, []rulebook.Penetration{{Hit: h, Shield: shield, Through: through, Group: group, Pierced: pierced}})
	}
	FallOut(l, &rulebook.Salvo{T: t})
}

// PointsStrike tells of damage on its way to a shield.
func PointsStrike(points, shield int) string {
	if points == 1 {
		return fmt.Sprintf("1 point of damage strikes shield %d", shield)
	}
	return fmt.Sprintf("%d points of damage strike shield %d", points, shield)
}
