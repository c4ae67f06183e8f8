package fasatest

import (
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
)

// BlurPanels changes everything about a ship that the holders of the given posts cannot see, except her captain. It
// is for enginetest.CheckPosts.
func BlurPanels(s *engine.Ship, held []string) {
	sys, ok := s.System.(*ship.State)
	if !ok || !sys.Has(ship.SysBridge) {
		return
	}
	has := func(post string) bool {
		return slices.Contains(held, post) || post == ship.PostWeapons && s.Crew[post] == "" && slices.Contains(held, ship.PostHelm)
	}
	b := sys.Bridge()
	for post, skills := range ship.SkillsOf() {
		for _, skill := range skills {
			if !has(post) && !(skill == ship.SkillWeaponry && has(ship.PostWeapons)) {
				b.Ratings[skill] = 1 + b.Ratings[skill]%99
			}
		}
		if post != ship.PostCaptain && !has(post) && !b.Shaky(post) {
			b.Out = append(b.Out, post)
		}
	}
	if !has(ship.PostEngineer) {
		for i := range sys.Engines() {
			sys.Engines()[i].Now = 1
		}
		sys.Power, sys.Alloc.Available, sys.Alloc.Extra = 3, 3, 1
		sys.Standing.Shed = []string{"shields"}
		sys.Standing.SetList("cuts", "shields 3")
		sys.Standing.SetList("engines", "impulse")
	}
	if !has(ship.PostWeapons) {
		for i := range sys.Banks {
			for m := range sys.Banks[i].Mounts {
				sys.Banks[i].Mounts[m] = ship.Mount{Armed: 1, Destroyed: true}
			}
		}
		sys.Alloc.Weapons++
		sys.Standing.Beams, sys.Standing.Missile = []string{"bank-a"}, []string{"torpedo-1"}
		sys.Standing.SetList("disarm", "bank-a")
		sys.Standing.SetList("fire", "fire all at nearest")
	}
	if !has(ship.PostHelm) {
		sys.Standing.Missing = "repeat"
		sys.Standing.SetList("slow", "1")
		sys.Standing.SetList("follow", "all")
		sys.Standing.SetList("evade", "evade port")
		if !has(ship.PostWeapons) {
			sys.Standing.SetWord("gate", "hold")
			b.Boost, b.Eased, b.Aims = !b.Boost, !b.Eased, b.Aims+1
		}
	}
	if !has(ship.PostScience) {
		sys.Superstructure, sys.Crew().Lost, sys.Hurt = 1, 700, true
		for i := range sys.Shields {
			sys.Shields[i] = ship.Shield{Now: 3, Set: 4, Down: i > 2}
		}
		sys.Alloc.Shields++
		sys.SetTrack("sensors", ship.Track{Boxes: 2})
		b.Reduce, sys.Standing.Choose = 5, "weakest"
		sys.Standing.SetList("lower", "4")
		sys.Standing.SetList("questions", "3")
		sys.Standing.SetList("repair", "all")
		sys.Standing.SetWord("sensors", "nearest")
		sys.Standing.SetWord("scan", "2")
	}
}
