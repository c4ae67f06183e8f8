package fasa

import (
	"maps"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// Advanced is the Advanced Course as a rule set over a library of ships and weapons.
func Advanced(lib *tables.Library) (*engine.Rules, error) { return advancedCourse().rules(lib) }

// advancedCourse is the Basic Course with what stcs 5 to 12 add or put in its place.
func advancedCourse() Book {
	sy := basicCourse()
	sy.name, sy.title = "stcs-advanced", "Starship Tactical Combat Simulator, Advanced Course"
	sy.sources = append([]string{"STCS rules, Advanced Course"}, sy.sources...)
	sy.cites = advancedCites()
	sy.options = maps.Clone(sy.options)
	maps.Copy(sy.options, peopleOptions())
	sy.opening = []stage{
		{"look round", "power", (*rulebook).watchForShips},
		{"captains and crews", "power", (*rulebook).rate},
		{"power allocation", "power", (*rulebook).allocate},
		{"placing", "power", (*rulebook).placeShips},
		{"minefields", "power", (*rulebook).layMines},
		{"tactical advantage", "advantage", (*rulebook).outmanoeuvre},
	}
	sy.each = []stage{
		{"sensors", "sensors", (*rulebook).sense},
		{"movement", "movement", (*rulebook).move},
		{"look round", "movement", (*rulebook).watchForShips},
		{"helm", "movement", (*rulebook).trim},
		{"tactical heading changes", "movement", (*rulebook).tactical},
		{"cloaks", "movement", (*rulebook).switchCloaks},
		{"fire", "fire", (*rulebook).fire},
		{"look round", "fire", (*rulebook).watchForShips},
	}
	sy.each = append(sy.each, stage{"repair", "repair", (*rulebook).mend})
	sy.hulks = true
	sy.bonus, sy.onPower = (*rulebook).reward, primeCloak
	sy.closing = []stage{{"warp", "end", (*rulebook).changeWarp}, {"look round", "end", (*rulebook).watchForShips}}
	sy.effects = maps.Clone(sy.effects)
	sy.effects[tables.AtEngine] = hitEngines
	sy.effects[tables.AtSensors] = hitScanners
	sy.effects[tables.AtShield] = hitTrackedGenerator
	sy.order = append(slices.Clone(sy.order), tables.Plasma)
	sy.kinds = maps.Clone(sy.kinds)
	sy.kinds[tables.Plasma] = plasma(false)
	sy.battery = slices.Insert(slices.Clone(sy.battery), len(sy.battery)-2, (*rulebook).burst) // before ships fall out of the fight
	sy.gates = []gate{blind, underCloak}
	sy.battery = slices.Insert(sy.battery, 1, (*rulebook).evade) // when all have declared
	sy.evading = holdFire
	sy.modifiers = []modifier{throughRocks, swung, atCloak}
	sy.stress = oneEngine
	sy.words = append(sy.words, board.WordAstern, board.WordSwingL, board.WordSwingR)
	sy.moveRules = []moveRule{astray, atHelm}
	sy.afterMoves = []afterMove{watchWake, rockslide, mined, steer}
	sy.concealments, sy.lineOfFireRules = []concealment{shadowed, hiddenByCloak}, []lineOfFireRule{behind, unlocked}
	sy.ground = obstacleGround()
	maps.Copy(sy.ground, mineGround())
	sy.look, sy.insight = (*rulebook).makeOut, lockTells
	sy.aims = sensorAims()
	sy.parts = []part{enginesPart(&sy), peoplePart(), sensorsPart(), repairPart(), bonusPart(), helmPart(sy.words), tacticalPart(), evadePart(), warpPart(), obstaclesPart(), blastPart(sy.Split.Phases()), minesPart(), placePart(), cloakPart(append(ship.Shedable(), ship.NameCloak))}
	sy.captain = (*robot.Rules).Seasoned
	sy.later = []func() Book{graduateCourse}
	return sy
}
