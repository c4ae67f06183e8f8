package sfb

import (
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
)

// houseWeapons adds the weapons of the house rules, with what the handbook says about them.
func houseWeapons(b *rulebook.Book) {
	b.Charts = houseCharts()
	b.Sources = append(b.Sources,
		"fire charts, the reach of disruptors and what a scanner adds to the range by the current edition's client data: high for that edition, medium for that of 1979; a phaser-4's energy by no source (ruling, low)",
		"overloads by the house rules; their energy, points and range by later editions (medium), those of phasers as the other two have them (ruling, low)",
		"battery cannon by the house rules; that their shots fly for eight impulses, and bear on all six rows, by rulings (low)",
		"lasers and particle beams by the house rules; how they hit is a scenario's to say, and a shot takes 1 energy of the capacitors (ruling, low)",
		"plasma-G and plasma-K by the house rules; what holding them takes, plasma-R, and that two points of phasers take one from a torpedo, by later editions (medium); a plasma of phaser strength takes that phaser's energy (ruling, low)",
	)
	b.Docs = map[string]string{
		"phasers": "Energy for the phaser capacitors: a phaser-1 or phaser-2 shot takes 1, a phaser-3 1/2, a phaser-4 2. They hold one shot for each phaser, from turn to turn. With `reserve`, a shortfall when a phaser fires comes from the reserve, then the batteries, this turn; without it both are for the shields.",
		"arm": "This turn's share of arming: a photon torpedo takes 2 warp energy in each of two consecutive turns, a disruptor 2 of any kind in the turn in which it fires, " +
			"a plasma-G 2 and then 5, a plasma-K 1, 1 and 2 in three turns, a plasma-R 2, 2 and 5. " +
			"Overload a phaser with 1 more (a phaser-4 with 2), a disruptor with 4 in all, a photon torpedo in its second turn with 3 to 6 in all (default 6): damage doubles; a photon torpedo does 2 points for each energy of both turns, and always hits at 1 hex or less. " +
			"Its range is then 8 hexes, and its own die destroys it after the shot on a 6.",
		"hold": "Keep an armed photon torpedo for 1 energy of any kind, a plasma-G or plasma-R for 2; a plasma-K cannot be held. A weapon that is not held, or whose arming stops half way, loses its charge.",
		"launch": "Launch a drone at a ship, one a turn from each rack, or an armed plasma torpedo; types 1 to 4 take their energy from the capacitors, as much as a phaser of the same strength. " +
			"Drones fly by themselves, a hex each impulse; plasma flies four.",
	}
	b.Cannon = "kzinti"
	b.Aiming = rulebook.Aiming{Navy: "federation", Range: 2}
	b.Cites[rulebook.OnAiming] = []string{"house 7.59", "house 36.1"}
	b.Cites[rulebook.OnCannon] = []string{"house 103.1", "house 103.2", "house 103.23"}
	b.Cites[rulebook.OnCannonEnergy] = []string{"house 103.12"}
	b.Cites[rulebook.OnBeam] = []string{"house 56.11", "house 56.12"}
	b.Cites[rulebook.OnOverload] = []string{"house 61.4"}
	b.Cites[rulebook.OnPlasma] = []string{"house 19.25", "house 19.5", "house 19.51"}
}

// houseCharts returns the weapon charts of the house rules. Where those are silent, it uses the charts of the current
// edition's client data.
func houseCharts() map[sheet.Kind]rulebook.FireChart {
	charts := map[sheet.Kind]rulebook.FireChart{
		sheet.Phaser1: {Touches: true, Rows: rulebook.PhaserRows(upto(0, "987654"), upto(1, "875444"), upto(2, "765443"), upto(3, "654443"),
			upto(4, "554432"), upto(5, "544332"), upto(8, "433210"), upto(15, "321000"), upto(25, "210000"), upto(50, "110000"), upto(75, "100000"))},
		sheet.Phaser2: {Touches: true, Rows: rulebook.PhaserRows(upto(0, "666555"), upto(1, "554443"), upto(2, "544433"), upto(3, "444333"),
			upto(8, "321100"), upto(15, "211000"), upto(30, "110000"), upto(50, "100000"))},
		sheet.Phaser3: {Touches: true, Rows: rulebook.PhaserRows(upto(0, "444443"), upto(1, "444433"), upto(2, "444321"), upto(3, "321000"),
			upto(8, "110000"), upto(15, "100000"))},
		sheet.Phaser4: {Touches: true, Rows: []rulebook.Row{
			{Upto: 3, ByDie: [6]int{20, 20, 20, 20, 15, 15}},
			{Upto: 5, ByDie: [6]int{20, 20, 15, 15, 12, 10}},
			{Upto: 6, ByDie: [6]int{20, 15, 12, 11, 10, 9}},
			{Upto: 7, ByDie: [6]int{15, 12, 11, 10, 9, 8}},
			{Upto: 8, ByDie: [6]int{12, 11, 10, 9, 8, 7}},
			{Upto: 9, ByDie: [6]int{10, 9, 8, 8, 7, 6}},
			{Upto: 10, ByDie: [6]int{8, 8, 7, 6, 5, 5}},
			{Upto: 13, ByDie: [6]int{6, 6, 5, 4, 3, 3}},
			{Upto: 17, ByDie: [6]int{5, 4, 4, 3, 2, 1}},
			{Upto: 25, ByDie: [6]int{4, 3, 2, 1}},
			{Upto: 40, ByDie: [6]int{3, 2, 1}},
			{Upto: 70, ByDie: [6]int{2, 1}},
			{Upto: 100, ByDie: [6]int{1}},
		}},
		sheet.Photon: {Energy: 2, Warp: true, Turns: 2, Keeps: true, Hold: 1, Small: 2, Rows: []rulebook.Row{
			{Upto: 1}, {Upto: 2, Need: 5, Points: 8}, {Upto: 4, Need: 4, Points: 8}, {Upto: 8, Need: 3, Points: 8}, {Upto: 12, Need: 2, Points: 8}, {Upto: 30, Need: 1, Points: 8},
		}, Over: rulebook.Overload{Least: 1, Most: 4, Reach: overReach, Each: 2, Rows: []rulebook.Row{{Upto: 1, Need: 6, Points: 8}}, Blows: overBlows}},
		sheet.Disruptor: {Energy: 2, Turns: 1, Small: 2, Rows: []rulebook.Row{
			{Upto: 1, Need: 5, Points: 5},
			{Upto: 2, Need: 5, Points: 4},
			{Upto: 4, Need: 4, Points: 4},
			{Upto: 15, Need: 4, Points: 3},
			{Upto: 22, Need: 3, Points: 2},
			{Upto: 30, Need: 2, Points: 2},
			{Upto: 40, Need: 2, Points: 1},
		}, Over: rulebook.Overload{Least: 2, Most: 2, Reach: overReach, Rows: []rulebook.Row{{Upto: 0, Need: 6, Points: 5}}, Blows: overBlows}},
		sheet.PlasmaG: {ByTurn: []int{2, 5}, Turns: 2, Keeps: true, Hold: 2, Pace: plasmaPace, Warheads: []rulebook.Warhead{{Upto: 10, Points: 30}, {Upto: 15, Points: 22}, {Upto: 18, Points: 15}, {Upto: 19, Points: 7}, {Upto: 20, Points: 1}}},
		sheet.PlasmaK: {ByTurn: []int{1, 1, 2}, Turns: 3, Pace: plasmaPace, Warheads: []rulebook.Warhead{{Upto: 10, Points: 20}, {Upto: 15, Points: 15}, {Upto: 18, Points: 10}, {Upto: 19, Points: 5}, {Upto: 20, Points: 1}}},
		sheet.PlasmaR: {ByTurn: []int{2, 2, 5}, Turns: 3, Keeps: true, Hold: 2, Pace: plasmaPace, Warheads: []rulebook.Warhead{{Upto: 10, Points: 50}, {Upto: 15, Points: 35}, {Upto: 20, Points: 25}, {Upto: 25, Points: 20}, {Upto: 28, Points: 10}, {Upto: 29, Points: 5}, {Upto: 30, Points: 1}}},
	}
	for cannon, shot := range map[sheet.Kind]rulebook.Projectile{
		sheet.PrimaryCannon: {Points: 12, Pace: 8, Halves: 2}, sheet.SecondaryCannon: {Points: 8, Pace: 4, Halves: 2}, sheet.TertiaryCannon: {Points: 4, Pace: 2, Halves: 1},
	} {
		shot.Life = shotLife
		charts[cannon] = rulebook.FireChart{Shot: shot}
	}
	charts[sheet.Laser] = rulebook.FireChart{Touches: true, Beam: rulebook.BeamHits{Shield: 2, Inside: 1}}
	charts[sheet.Particle] = rulebook.FireChart{Touches: true, Beam: rulebook.BeamHits{Shield: 1, Inside: 2}}
	for phaser, more := range map[sheet.Kind]int{sheet.Phaser1: 1, sheet.Phaser2: 1, sheet.Phaser3: 1, sheet.Phaser4: 2} {
		c := charts[phaser]
		c.Over = rulebook.Overload{Least: more, Most: more, Reach: overReach, Blows: overBlows}
		charts[phaser] = c
	}
	for plasma, like := range map[sheet.Kind]sheet.Kind{sheet.Plasma1: sheet.Phaser1, sheet.Plasma2: sheet.Phaser2, sheet.Plasma3: sheet.Phaser3, sheet.Plasma4: sheet.Phaser4} {
		charts[plasma] = rulebook.FireChart{Pace: plasmaPace, Warheads: rulebook.WarheadsOf(charts[like])}
	}
	return charts
}

// The range of overloaded weapons, and the roll of their own die that destroys them (house 61.4).
const (
	overReach = 8
	overBlows = 6
)

// shotLife is how many impulses a shot flies; otherwise it would fly forever (house H13).
const shotLife = 8

// plasmaPace is how many hexes plasma flies in an impulse: its speed is 32 (house 6.01).
const plasmaPace = 4

// upto makes a row of a phaser's chart.
func upto(hexes int, digits string) rulebook.PhaserRow {
	return rulebook.PhaserRow{Upto: hexes, Digits: digits}
}
