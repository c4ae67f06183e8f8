package sfb

import "starpost/engine/rules/sfb/sheet"

const cadetName = "sfb-cadet"

// cadet is the rule set sfb-cadet. What is not in the seed on damage allocation, the
// frame around it, has its source and confidence in docs.
func cadet() Book {
	return Book{
		Name: cadetName, Title: "Cadet game: box sheets, sixteen impulses, the cadet damage allocation chart", Version: "2",
		Sources: []string{
			"the cadet damage allocation procedure (cited `cadet D4`): complete",
			"text of the Cadet handbook in public game modules (energy, impulses, drones, set-ups): high confidence",
			"charts of the current edition's client data, equal to a second program's (phasers, photon torpedoes, disruptors): high confidence",
			"the Romulan's cloak, plasma and energy by the same text and a digest of it: high and medium confidence; her other boxes: low",
			"reinforcement and the price of repairs, hull and excess boxes of the ships: low confidence",
		},
		Impulses: 16, Rounds: 4, MaxSpeed: 16, Faster: 10, ImpulseHexes: 1, Again: 4,
		RepairEnergy: 4, BoxEnergy: 2, AllRoundEnergy: 2,
		Drone: droneData{Points: 4, Life: 48, Damage: 6, Rack: 4}, Cloak: cloakData{Times: 2, More: 5, Miss: 4},
		Research: researchData{Range: 10, Lab: 11, Life: 24, Pace: 2, Dark: true},
		Charts: map[sheet.Kind]fireChart{
			sheet.Phaser1: {Touches: true, Rows: phaserRows(phaserRow{0, "987654"}, phaserRow{1, "875444"}, phaserRow{2, "765443"}, phaserRow{3, "654443"},
				phaserRow{4, "554432"}, phaserRow{5, "544332"}, phaserRow{8, "433210"}, phaserRow{15, "321000"}, phaserRow{25, "210000"}, phaserRow{50, "110000"})},
			sheet.Phaser2: {Touches: true, Rows: phaserRows(phaserRow{0, "666555"}, phaserRow{1, "554443"}, phaserRow{2, "544433"}, phaserRow{3, "444333"},
				phaserRow{8, "321100"}, phaserRow{15, "211000"}, phaserRow{30, "110000"})},
			sheet.Photon: {Energy: 2, Warp: true, Turns: 2, Keeps: true, Hold: 1, Small: 2, Rows: []row{
				{Upto: 1}, {Upto: 2, Need: 5, Points: 8}, {Upto: 4, Need: 4, Points: 8}, {Upto: 8, Need: 3, Points: 8}, {Upto: 12, Need: 2, Points: 8}, {Upto: 30, Need: 1, Points: 8},
			}},
			sheet.PlasmaS: {ByTurn: []int{2, 2, 4}, Turns: 3, Keeps: true, Hold: 2, Warheads: []warhead{{10, 30}, {15, 22}, {20, 15}, {23, 10}, {24, 5}, {25, 1}}},
			sheet.Disruptor: {Energy: 2, Turns: 1, Small: 2, Rows: []row{
				{Upto: 1, Need: 5, Points: 5}, {Upto: 2, Need: 5, Points: 4}, {Upto: 4, Need: 4, Points: 4}, {Upto: 15, Need: 4, Points: 3}, {Upto: 22, Need: 3, Points: 2}, {Upto: 30, Need: 2, Points: 2},
			}},
		},
		Cites: map[topic][]string{
			onAllocation: {"cadet D4.22"}, onVolley: {"cadet D4.22", "cadet C10"}, onDestruction: {"cadet D4.4"},
			onEnergy: {"cadet energy"}, onSpeed: {"cadet energy", "cadet C2"}, onTurning: {"cadet movement"}, onOrderOfMoving: {"cadet C4"},
			onFire: {"cadet fire"}, onDrones: {"cadet drones"}, onPlasma: {"cadet plasma", "cadet D4.42"}, onCloak: {"cadet cloak", "cadet C14"},
			onReinforcement: {"cadet energy", "cadet C10"}, onRepair: {"cadet C6"}, onLeaving: {"cadet C12"}, onSurrender: {"cadet C15", "D57"}, onCrippled: {"cadet C13"},
			onStanding: {"cadet C11", "D11"}, onSkipped: {"D13"}, onVictory: {"D56"}, onResearch: {"house 14.1", "house 14.3", "house 14.4", "house 12.3"},
		},
		Advice: []string{
			"A hex of speed, a phaser shot and a point on one shield take 1 energy each, a disruptor 2. What no line takes is lost.",
			"A photon torpedo needs 2 warp energy in each of two turns running; hold it from then on with 1 a turn, or it is lost.",
			"Two ships that come on at speed 12 are 24 hexes nearer after a turn: what you want to fire then must be armed now.",
			"To begin with, write in each phase: pursue nearest to 3, and: fire all at nearest when range <= 4.",
			"At a speed of 6 or less a Federation ship turns twice as sharply, a Klingon at 8 or less.",
			"Weapons do most when close: a photon torpedo cannot fire at 1 hex or less, and the shield that is struck counts for more than the range.",
			"When the shield that faces the enemy is low, show him another (face nearest with 2), and put energy on it beforehand.",
			"Drones follow you: guard phasers within 2, below standing, fires at those that come near. 4 points kill one.",
			"A ship that leaves costs half of what a destroyed one does: disengage rather than die.",
		},
	}
}
