package play

import (
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
)

// What a lock on something that is no ship tells, in the order of the rule (stcs 7.2).
func FactNames() []string { return []string{"mass", "composition", "state", "life"} }

// bodyFacts is what sensors tell of a planet or moon of which the scenario says no more.
func bodyFacts() map[string]string {
	return map[string]string{"mass": "that of a whole world", "composition": "unknown", "state": "solid", "life": "unknown"}
}

// objectAt finds what a ship's captain knows to lie in a hex and is no ship: of several
// things the first by id.
func objectAt(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, h hex.Hex) (engine.Feature, bool) {
	for _, f := range dark.In(t).Chart(s) {
		if !f.Gone && slices.Contains(f.Hexes, h) && f.Kind != board.Minefield && (f.Shown || f.KnownTo(t.Game.Viewer(s), []string{s.Side})) {
			return *f, true
		}
	}
	return engine.Feature{}, false
}

// trainOnObject tries for a lock on something that is no ship, or says why it cannot. Locks
// on ships are given up; the new one ends with the phase (stcs 7.2).
func trainOnObject(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, h hex.Hex) (why string) {
	f, ok := objectAt(l, t, s, h)
	if !ok {
		return "nothing that sensors could be trained on is known to be there"
	}
	opaque := opaqueHexes(l, t.Game)
	if !engine.LineOfSight(s.Hex, h, func(o hex.Hex) bool { return slices.Contains(opaque, o) && !slices.Contains(f.Hexes, o) }) {
		return "something lies between"
	}
	for _, lock := range slices.Clone(ship.Of(s).Sensors().Locks) {
		Release(l, t, s, lock.Target, "the sensors turn to something else", cites.LostLocks)
	}
	BusySensors(t, s)
	b := &ship.Surveyed{Ship: s.ID, Kind: f.Kind, Name: f.Name, Hex: h, Need: rulebook.LockNeed}
	b.Roll = t.Roll(engine.NameRoll("survey", s.ID), dice.D10, engine.SeeOnly(s.ID), l.Cite(cites.SensorLocks, cites.AutomaticInformation, cites.SensorUse)...)
	if b.Held = b.Roll <= b.Need; b.Held {
		b.Facts = map[string]string{}
		for _, name := range FactNames() {
			if b.Facts[name] = f.Facts[name]; b.Facts[name] == "" {
				b.Facts[name] = l.Ground[f.Kind].Facts[name]
			}
		}
	}
	t.Emit(b, engine.SeeOnly(s.ID), l.Cite(cites.SensorLocks, cites.AutomaticInformation, cites.SensorUse)...)
	return ""
}
