package fasa

import (
	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/tactical"
)

// Version of the courses as programmed here; it is frozen into each game.
const Version = "3"

// Basic is the Basic Course as a rule set over a library of ships and weapons.
func Basic(lib *tables.Library) (*engine.Rules, error) { return basicCourse().rules(lib) }

// basicCourse is the Basic Course (stcs 1 to 4).
func basicCourse() course {
	return course{Book: Book{
		name:    "stcs-basic",
		version: Version,
		title:   "Starship Tactical Combat Simulator, Basic Course",
		sources: []string{
			"STCS rules, Basic Course; STII:SCS, Book One, where its text is lost",
			"ships, weapons and charts: see the source of each table (starpost ships --json)",
		},
		Scheme:  ship.Scheme{Split: tactical.Split{{0, 0, 0}, {0, 1, 0}, {1, 0, 1}}, Ring: 2},
		sure:    robot.Odds{Plain: []int{60, 40, 10}, Choosy: []int{70, 50, 20}, Cloaked: []int{50, 30, 10}},
		cites:   cites.Basic(),
		options: map[string][]string{OptionBanks: {BanksOne, BanksEach}, OptionDeclared: {DeclaredTargets, DeclaredFire}},
		captain: (*robot.Rules).Plain,
		dark:    true,
		later:   laterBooks(advancedCourse, graduateCourse, commandCourse),
		sequence: sequence{
			opening: []stage{
				{"power allocation", "power", (*rulebook).allocate},
				{"leaving", "power", (*rulebook).leave},
				{"tactical advantage", "advantage", (*rulebook).advantage},
			},
			each: []stage{
				{"movement", "movement", (*rulebook).move},
				{"fire", "fire", (*rulebook).fire},
			},
			between: []stage{{"repowering", "repair", (*rulebook).repower}},
		},
		powerRules: powerRules{
			sheds: true,
		},
		fireRules: fireRules{
			battery: []func(*rulebook, *salvo){(*rulebook).declare, (*rulebook).shoot, (*rulebook).takeDamage, (*rulebook).fallOut, (*rulebook).surrender},
			gates:   []gate{sensorsOut},
			order:   []string{tables.Beam, tables.Missile},
			kinds:   map[string]gunnery{tables.Beam: beams(), tables.Missile: missiles()},
		},
		damageRules: damageRules{
			locate:  basicTable,
			vain:    halfToSuperstructure,
			effects: basicEffects(),
		},
		movement: movement{words: movementWords(), steps: movementWords()},
	}}
}
