package fasa

import (
	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/fasa/verbs"
	"starpost/engine/tactical"
)

// Version is the version of the courses as programmed here; it is frozen into each game.
const Version = "3"

// Basic returns the Basic Course as a rule set over a library of ships and weapons.
func Basic(lib *tables.Library) (*engine.Rules, error) { return basicCourse().rules(lib) }

// basicCourse is the Basic Course (stcs 1 to 4).
func basicCourse() course {
	return course{Book: rulebook.Book{
		Name:    "stcs-basic",
		Version: Version,
		Title:   "Starship Tactical Combat Simulator, Basic Course",
		Sources: []string{
			"STCS rules, Basic Course; STII:SCS, Book One, where its text is lost",
			"ships, weapons and charts: see the source of each table (starpost ships --json)",
		},
		Scheme:  ship.Scheme{Split: tactical.Split{{0, 0, 0}, {0, 1, 0}, {1, 0, 1}}, Ring: 2},
		Sure:    robot.Odds{Plain: []int{60, 40, 10}, Choosy: []int{70, 50, 20}, Cloaked: []int{50, 30, 10}},
		Cites:   cites.Basic(),
		Options: map[string][]string{rulebook.OptionBanks: {rulebook.BanksOne, rulebook.BanksEach}, rulebook.OptionDeclared: {rulebook.DeclaredTargets, rulebook.DeclaredFire}},
		Captain: (*robot.Rules).Plain,
		Dark:    true,
		Later:   laterBooks(advancedCourse, graduateCourse, commandCourse),
		Sequence: rulebook.Sequence{
			Opening: []rulebook.Stage{
				{Name: "power allocation", Step: "power", Run: play.Allocate},
				{Name: "leaving", Step: "power", Run: play.Leave},
				{Name: "tactical advantage", Step: "advantage", Run: play.Advantage},
			},
			Each: []rulebook.Stage{
				{Name: "movement", Step: "movement", Run: play.Move},
				{Name: "fire", Step: "fire", Run: play.Fire},
			},
			Between: []rulebook.Stage{{Name: "repowering", Step: "repair", Run: play.Repower}},
		},
		PowerRules: rulebook.PowerRules{
			Sheds: true,
		},
		FireRules: rulebook.FireRules{
			Battery: []func(*rulebook.Rules, *rulebook.Salvo){play.Declare, play.Shoot, play.TakeDamage, play.FallOut, play.Surrender},
			Gates:   []rulebook.Gate{play.SensorsOut},
			Kinds:   []rulebook.Gunnery{play.Beams(), play.Missiles()},
		},
		DamageRules: rulebook.DamageRules{
			Locate:  play.BasicTable,
			Vain:    play.HalfToSuperstructure,
			Effects: play.BasicEffects(),
		},
		Movement: rulebook.Movement{Words: verbs.MovementWords(), Steps: verbs.MovementWords()},
	}}
}
