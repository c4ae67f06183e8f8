package sfb

import (
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
)

const cadetName = "sfb-cadet"

// cadet returns the rule set sfb-cadet. Rules that are not in the printed damage allocation procedure have their
// source and confidence in docs.
func cadet() rulebook.Book {
	return rulebook.Book{
		Name:    cadetName,
		Title:   "Cadet game: box sheets, sixteen impulses, the cadet damage allocation chart",
		Version: "2",
		Sources: []string{
			"the cadet damage allocation procedure (cited `cadet D4`): complete",
			"text of the Cadet handbook in public game modules (energy, impulses, drones, set-ups): high confidence",
			"charts of the current edition's client data, equal to a second program's (phasers, photon torpedoes, disruptors): high confidence",
			"the Romulan's cloak, plasma and energy by the same text and a digest of it: high and medium confidence; her other boxes: low",
			"reinforcement and the price of repairs, hull and excess boxes of the ships: low confidence",
		},
		Impulses: 16,
		Rounds:   4,
		Again:    4,
		Drone:    rulebook.DroneData{Points: 4, Life: 48, Damage: 6, Rack: 4},
		Cloak:    rulebook.CloakData{Times: 2, More: 5, Miss: 4},
		Research: rulebook.ResearchData{Range: 10, Lab: 11, Life: 24, Pace: 2, Dark: true},
		Charts: map[sheet.Kind]rulebook.FireChart{
			sheet.Phaser1: {Touches: true, Rows: rulebook.PhaserRows(upto(0, "987654"), upto(1, "875444"), upto(2, "765443"), upto(3, "654443"),
				upto(4, "554432"), upto(5, "544332"), upto(8, "433210"), upto(15, "321000"), upto(25, "210000"), upto(50, "110000"))},
			sheet.Phaser2: {Touches: true, Rows: rulebook.PhaserRows(upto(0, "666555"), upto(1, "554443"), upto(2, "544433"), upto(3, "444333"),
				upto(8, "321100"), upto(15, "211000"), upto(30, "110000"))},
			sheet.Photon: {Energy: 2, Warp: true, Turns: 2, Keeps: true, Hold: 1, Small: 2, Rows: []rulebook.Row{
				{Upto: 1}, {Upto: 2, Need: 5, Points: 8}, {Upto: 4, Need: 4, Points: 8}, {Upto: 8, Need: 3, Points: 8}, {Upto: 12, Need: 2, Points: 8}, {Upto: 30, Need: 1, Points: 8},
			}},
			sheet.PlasmaS: {ByTurn: []int{2, 2, 4}, Turns: 3, Keeps: true, Hold: 2, Warheads: []rulebook.Warhead{{Upto: 10, Points: 30}, {Upto: 15, Points: 22}, {Upto: 20, Points: 15}, {Upto: 23, Points: 10}, {Upto: 24, Points: 5}, {Upto: 25, Points: 1}}},
			sheet.Disruptor: {Energy: 2, Turns: 1, Small: 2, Rows: []rulebook.Row{
				{Upto: 1, Need: 5, Points: 5}, {Upto: 2, Need: 5, Points: 4}, {Upto: 4, Need: 4, Points: 4}, {Upto: 15, Need: 4, Points: 3}, {Upto: 22, Need: 3, Points: 2}, {Upto: 30, Need: 2, Points: 2},
			}},
		},
		Cites: map[rulebook.Topic][]string{
			rulebook.OnAllocation: {"cadet D4.22"}, rulebook.OnVolley: {"cadet D4.22", "cadet C10"}, rulebook.OnDestruction: {"cadet D4.4"},
			rulebook.OnEnergy: {"cadet energy"}, rulebook.OnSpeed: {"cadet energy", "cadet C2"}, rulebook.OnTurning: {"cadet movement"}, rulebook.OnOrderOfMoving: {"cadet C4"},
			rulebook.OnFire: {"cadet fire"}, rulebook.OnDrones: {"cadet drones"}, rulebook.OnPlasma: {"cadet plasma", "cadet D4.42"}, rulebook.OnCloak: {"cadet cloak", "cadet C14"},
			rulebook.OnReinforcement: {"cadet energy", "cadet C10"}, rulebook.OnRepair: {"cadet C6"}, rulebook.OnLeaving: {"cadet C12"}, rulebook.OnSurrender: {"cadet C15", "D57"}, rulebook.OnCrippled: {"cadet C13"},
			rulebook.OnStanding: {"cadet C11", "D11"}, rulebook.OnSkipped: {"D13"}, rulebook.OnVictory: {"D56"}, rulebook.OnResearch: {"house 14.1", "house 14.3", "house 14.4", "house 12.3"},
		},
		Advice: []string{
			"A hex of speed, a phaser shot and a point on one shield take 1 energy each, a disruptor 2. Energy that no line uses is lost.",
			"A photon torpedo needs 2 warp energy in each of two consecutive turns; from then on hold it with 1 a turn, or it is lost.",
			"Two ships closing at speed 12 are 24 hexes nearer after a turn: arm now what you want to fire then.",
			"To begin with, write in each phase: pursue nearest to 3, and: fire all at nearest when range <= 4.",
			"At speed 6 or less a Federation ship turns twice as tightly, a Klingon at 8 or less.",
			"Weapons do most damage up close, but a photon torpedo cannot fire at 1 hex or less, and which shield you hit matters more than the range.",
			"When the shield facing the enemy is low, show another (face nearest with 2), and put energy on it beforehand.",
			"Drones follow you: guard phasers within 2, under standing, fires at those that come near. 4 points destroy one.",
			"A ship that leaves costs half as much as a destroyed one: disengage rather than die.",
		},
		MovementRules: rulebook.MovementRules{
			MaxSpeed:     16,
			Faster:       10,
			ImpulseHexes: 1,
		},
		EnergyRules: rulebook.EnergyRules{
			RepairEnergy:   4,
			BoxEnergy:      2,
			AllRoundEnergy: 2,
		},
	}
}
