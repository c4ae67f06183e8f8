package sfbtest

import (
	"starpost/engine"
	"starpost/engine/rules/sfb/state"
)

// Blur changes all that is secret of a ship with a sheet of boxes; other ships stay as they are.
func Blur(s *engine.Ship) {
	sys, ok := s.System.(*state.System)
	if !ok || sys.Flight != nil {
		return
	}
	sys.Batteries, sys.Capacitor, sys.Allotted, sys.Hit, sys.Last = 1-sys.Batteries, 9, !sys.Allotted, !sys.Hit, "power\n  speed 3\n"
	sys.Reinforce[2]++
	sys.AllRound++
	sys.Standing.Choose, sys.Standing.Missing = "weakest", "repeat"
	for w := range sys.Weapons {
		sys.Weapons[w].Armed++
		sys.Weapons[w].Drones++
	}
}
