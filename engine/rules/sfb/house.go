package sfb

import (
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
)

const houseName = "sfb-house"

// house returns the rule set sfb-house: the cadet game with the changes made by the house rules. Rules that they
// leave out have their source and confidence in docs.
func house() rulebook.Book {
	b := cadet()
	b.Name, b.Title, b.Version = houseName, "House rules: six speeds, eight impulses, a reserve of energy, damage by whole banks", "3"
	b.Sources = []string{
		"house rules as of 2001 (cited `house 6.04`): speeds, impulses, turn modes, steps of acceleration",
		"the damage allocation chart of two dice by the current edition's client data, equal to a second program's: high for that edition, medium for that of 1979",
		"life support, fire control and shields by the energy form of the Cadet handbook's modules (high); a cruiser's figures for all ships (low)",
		"drones of 12 points by the Cadet handbook's modules (high); three turns of flight as in the cadet game (ruling)",
		"what they leave out as in the cadet game",
	}
	b.Impulses, b.MaxSpeed, b.Again = 8, 24, 2
	houseWeapons(&b)
	houseDealings(&b)
	b.Drone.Life, b.Drone.Damage = 24, 12
	b.Quanta = []rulebook.Quantum{{Word: "0", Hexes: 0}, {Word: "1", Hexes: 1}, {Word: "2", Hexes: 8}, {Word: "2.5", Hexes: 16}, {Word: "3", Hexes: 24}}
	b.TurnModes = map[string][]sheet.TurnStep{}
	straight := [][6]int{{1, 1, 1, 1, 1, 1}, {2, 2, 2, 3, 3, 3}, {3, 4, 5, 5, 6, 7}, {5, 6, 6, 6, 7, 8}} // by speed from 1, for A to F
	for i := range straight[0] {
		letter := string(rune('A' + i))
		for k, q := range b.Quanta[1:] {
			b.TurnModes[letter] = append(b.TurnModes[letter], sheet.TurnStep{Moves: straight[k][i], Speed: q.Hexes})
		}
	}
	b.Reserve, b.Needs = true, rulebook.Needs{LifeSupport: 1, FireControl: 1, Shields: 2}
	b.Brakes, b.Keen, b.Meets = "federation", "kzinti", true
	b.Cites[rulebook.OnObstacles] = []string{"house 19.41"}
	b.Cites[rulebook.OnMeeting] = []string{"house 200.1"}
	b.Ground = play.Obstacles()
	b.Hard = rulebook.HardTurns{Hexes: 5, Steady: "orion"}
	b.Cites[rulebook.OnHard] = []string{"house 58.51", "house 58.55", "house 58.57"}
	b.Cites[rulebook.OnDrones] = append([]string{"house 6.03b"}, b.Cites[rulebook.OnDrones]...)
	b.Cites[rulebook.OnBrake] = []string{"house 34.1"}
	b.Cites[rulebook.OnReserve] = []string{"house 5.111"}
	b.Block = play.BlockRows(
		"*bridge *flag *sensor *control *aft left trans tractor shuttle lab fore right",
		"*drone *phaser impulse left right aft shuttle *control center lab battery phaser",
		"*phaser *trans right impulse fore aft left apr lab trans probe center",
		"*right aft cargo battery shuttle *torp left impulse right tractor probe any",
		"fore impulse lab left *sensor tractor shuttle right phaser trans battery any",
		"cargo fore battery center shuttle apr lab phaser anywarp probe aft any",
		"aft apr shuttle right *scanner tractor lab left phaser trans battery any",
		"*left fore cargo battery lab *drone right impulse left tractor probe any",
		"*phaser *tractor left impulse aft fore right apr lab trans probe center",
		"*torp *phaser impulse right left fore tractor *control center lab battery phaser",
		"*auxiliary *emergency *scanner *probe *fore right trans shuttle tractor lab aft left",
	)
	b.Cites[rulebook.OnAllocation] = []string{"house 7.56"}
	b.Cites[rulebook.OnPool] = []string{"house 6.01", "house 6.03a", "house 6.05"}
	b.Cites[rulebook.OnSpeed] = b.Cites[rulebook.OnPool]
	b.Cites[rulebook.OnTurning] = []string{"house 6.02", "house 6.04"}
	b.Sources = append(b.Sources,
		"phasers, photon torpedoes and disruptors take, and reinforcement all round costs, what later editions say: medium; waiting two impulses to fire again is the cadet game's quarter of a turn (ruling, low)",
		"a tractor beam's range by later editions, which give more for more energy: medium; that a ship is free whose speed is more than a beam takes off: a ruling (low)",
		"what a breakdown does, of which the table is lost: a ruling (low); the die that it takes: of each ship's sheet",
	)
	b.Advice = []string{
		"Speed rises by one step an impulse, from a stop straight to 2; slower ships turn sooner.",
		"Movement energy that a slower speed leaves in the pool pays for hexes later in the turn.",
		"Phasers fire from the capacitors; only in a turn with phasers reserve does the reserve cover a shortfall.",
		"Numbers that the house rules leave out come from other sources, some less certain. The rules in short mark each: starpost rules sfb-house, or a mail with the words rules sfb-house.",
	}
	return b
}

// houseDealings adds the house rules for tractor beams, cloaks, boarding and repair.
func houseDealings(b *rulebook.Book) {
	b.TractorRange = 1
	b.Cites[rulebook.OnTractor] = []string{"house 71.61", "house 71.8"}
	b.Boarding = rulebook.BoardingData{
		Range: 5, Uses: 5, Fierce: []string{"gorn", "kzinti"},
		Raids: [6]rulebook.RaidResult{{Lost: true, Back: true}, {Lost: true}, {}, {}, {}, {Back: true}},
		Casualties: [6][10]int{
			{0, 0, 0, 0, 1, 1, 1, 1, 1, 1},
			{0, 0, 1, 1, 1, 1, 1, 2, 2, 2},
			{0, 1, 1, 1, 2, 2, 2, 2, 3, 3},
			{0, 1, 1, 2, 2, 2, 3, 3, 4, 4},
			{1, 1, 2, 2, 3, 3, 4, 4, 5, 5},
			{1, 1, 2, 2, 3, 4, 4, 5, 5, 6},
		},
	}
	b.Cites[rulebook.OnBoarding] = []string{"house 33.6", "house 33.91"}
	b.Sources = append(b.Sources, "transporters, raids and casualties of boarding by the current edition's client data: high for that edition, medium for that of 1979; one party a box and turn, and the dropped shield: rulings (low)")
	b.Controls = true
	b.Research = rulebook.ResearchData{Range: 10, Lab: 11, Life: 24, Pace: 1, Hold: 10, Hits: 6}
	b.Cites[rulebook.OnResearch] = []string{"house 14.1", "house 14.3", "house 14.4", "house 27.41", "house 6.03b"}
	b.Sources = append(b.Sources, "points of a laboratory by the current edition's client data and the Cadet handbook's modules (high for those); what destroys a shuttle: a ruling (low)")
	b.Rigging = rulebook.RiggingData{Energy: 2, Mends: 2, Blows: 6}
	b.Cites[rulebook.OnRigging] = []string{"house 30.6", "house 30.7", "house 30.9"}
	b.Engines = "orion"
	b.Cites[rulebook.OnEngines] = []string{"house 30.91"}
	b.Sources = append(b.Sources, "what overloaded warp engines give, twice their energy, and lose, a box of each as the turn ends, by a public Java program of a later edition: low")
	b.Docs["repair"] = "Repair shield boxes at the end of the turn: 2 energy each. Damage control limits the total of a turn's repairs."
	b.Sources = append(b.Sources, "energy of repairs by the number of damage control, shield boxes for 2, by the Cadet handbook's form and the current edition: high for that edition, medium here")
	b.Cloak = rulebook.CloakData{Times: 1, More: 5, Hides: true}
	b.Cites[rulebook.OnCloak] = []string{"house 41.7", "house 41.71"}
	b.Docs["cloak"] = "Pay for the cloak this turn; the sheet gives the energy. An order in a phase switches it: cloak on."
}
