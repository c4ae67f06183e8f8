package fasatest

import (
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// Blur changes everything about a ship that captains of other ships may not know, whatever parts she has. It is for
// enginetest.CheckSecrets.
func Blur(s *engine.Ship) {
	sys, ok := s.System.(*ship.State)
	if !ok {
		return
	}
	s.Captain += "?"
	s.Value += 7
	if s.Status == engine.Waiting {
		s.Hex, s.Heading, s.Arrives = s.Hex.Step(hex.B), s.Heading.Turn(1), s.Arrives+1
		return
	}
	sys.Power = max(1, sys.Power-3)
	sys.Superstructure = 1 + sys.Superstructure/2
	sys.NoFire, sys.Hurt = 99, !sys.Hurt
	for i := range sys.Shields {
		sys.Shields[i] = ship.Shield{Set: i, Now: i, Down: i%2 == 0}
	}
	for i := range sys.Banks {
		for m := range sys.Banks[i].Mounts {
			sys.Banks[i].Mounts[m] = ship.Mount{Armed: i + m, Fired: m%2 == 0, Destroyed: m%2 == 1, Repaired: m%3 == 0, Shots: 2 + m%2, Shot: 1, Spent: m}
		}
	}
	points, split := sys.Alloc.Points, slices.Clone(sys.Alloc.Split) // how far she moves is visible
	sys.Alloc = ship.Alloc{Available: 3, Movement: 1, Shields: 1, Weapons: 1, Points: points, Split: split}
	sys.Standing = ship.Standing{
		Choose: "6", Shed: []string{"shields"}, Missing: "repeat", Last: "power\n  move 1",
	}
	sys.Standing.SetWord("sensors", "nearest")
	for key, word := range map[string]string{"evade": "evade port", "follow": "all", "repair": "all", "bonus": "none", "questions": "3"} {
		sys.Standing.SetList(key, word)
	}
	if k := sys.Sensors(); sys.Has("sensors") {
		*k = ship.Sensors{Down: !k.Down, Target: s.ID, Asked: 3, Navy: "unknown", Crew: 1}
		sys.Shares().Drop("engines")
		sys.Put(&ship.People{Skill: 1, Efficiency: 1}, &ship.RepairState{Tracks: map[string]ship.Track{"shield-2": {Boxes: 4, Tries: 2, Hurt: 9}, "converter": {Boxes: 1, Down: true}}})
	}
	if sys.Has(ship.SysBridge) {
		s.Crew = map[string]engine.CaptainName{ship.PostHelm: s.Captain}
		sys.Put(&ship.Bridge{Ratings: map[string]int{ship.SkillTactics: 1}, Out: []string{ship.PostHelm}, Shaken: map[string]int{ship.ShakenWeapons: 1}, Dead: true})
	}
	if h := sys.Helm(); sys.Has("helm") {
		*h = ship.Helm{Warp: 1, Top: 3, Astern: !h.Astern, Still: !h.Still, Swung: 9}
	}
	if sys.Has("hull") {
		sys.Put(&ship.Crew{Lost: 777})
		if sys.Hull().Chart != tables.OutpostChart { // that she is an outpost is visible
			sys.Put(&ship.Hull{Chart: "A"})
		}
	}
}
