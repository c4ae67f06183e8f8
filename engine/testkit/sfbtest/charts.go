package sfbtest

import (
	"starpost/engine"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
)

// arming is how many turns weapons take to arm.
var arming = map[sheet.Kind]int{sheet.Photon: 2, sheet.Disruptor: 1, sheet.PlasmaS: 3}

// does returns the damage of a drone, or of plasma after some hexes.
func does(f *state.Flight, age int) int {
	if f.Kind == "" {
		return 6
	}
	points := 0
	for _, w := range [][2]int{{25, 1}, {24, 5}, {23, 10}, {20, 15}, {15, 22}, {10, 30}} {
		if age <= w[0] {
			points = w[1]
		}
	}
	return points - (60-f.Points)/2
}

// mode returns the turn mode of the two cruisers.
func mode(class string, speed int) int {
	if speed <= 6 || speed <= 8 && class == "cadet-klingon" {
		return 1
	}
	return 2
}

// ph1 and ph2 are the points of the phasers by range, from 0, and by die; the last row applies to all longer ranges.
var (
	ph1 = []string{"987654", "875444", "765443", "654443", "554432", "544332", "433210", "433210", "433210", "321000", "321000", "321000", "321000", "321000", "321000", "321000", "210000", "210000", "210000", "210000", "210000", "210000", "210000", "210000", "210000", "210000", "110000"}
	ph2 = []string{"666555", "554443", "544433", "444333", "321100", "321100", "321100", "321100", "321100", "211000", "211000", "211000", "211000", "211000", "211000", "211000", "110000"}
)

// effect returns the effect of a weapon by its chart; -1 if it cannot fire.
func effect(kind sheet.Kind, rng, die int) int {
	phaser := func(rows []string, reach int) int {
		if rng > reach {
			return -1
		}
		return int(rows[min(rng, len(rows)-1)][min(die, 6)-1] - '0')
	}
	hits := func(need, points int) int {
		if die <= need {
			return points
		}
		return 0
	}
	switch kind { //nolint:exhaustive // the cadet game has charts for these alone
	case sheet.Phaser1:
		return phaser(ph1, 50)
	case sheet.Phaser2:
		return phaser(ph2, 30)
	case sheet.Photon:
		switch {
		case rng < 2 || rng > 30:
			return -1
		case rng == 2:
			return hits(5, 8)
		case rng < 5:
			return hits(4, 8)
		case rng < 9:
			return hits(3, 8)
		case rng < 13:
			return hits(2, 8)
		}
		return hits(1, 8)
	case sheet.Disruptor:
		switch {
		case rng < 1 || rng > 30:
			return -1
		case rng == 1:
			return hits(5, 5)
		case rng == 2:
			return hits(5, 4)
		case rng < 5:
			return hits(4, 4)
		case rng < 16:
			return hits(4, 3)
		case rng < 23:
			return hits(3, 2)
		}
		return hits(2, 2)
	}
	return -1
}

// columns is the chart: h hull, e engine, o other, w weapon.
var columns = []string{"heow", "howe", "ehow", "oewh", "whoe", "oweh"}

// Blur changes all secrets of a ship with a sheet of boxes; small craft stay as they are.
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
