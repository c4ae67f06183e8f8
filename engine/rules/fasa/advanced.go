package fasa

import (
	"maps"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// advanced is the Advanced Course as a rule set over a library of ships and weapons.
func advanced(lib *tables.Library) (*engine.Rules, error) { return advancedCourse().rules(lib) }

// advancedCourse is the Basic Course with what stcs 5 to 12 add or put in its place.
func advancedCourse() course {
	book := basicCourse()
	book.name, book.title = "stcs-advanced", "Starship Tactical Combat Simulator, Advanced Course"
	book.sources = append([]string{"STCS rules, Advanced Course"}, book.sources...)
	book.cites = cites.Advanced()
	book.options = maps.Clone(book.options)
	maps.Copy(book.options, peopleOptions())
	book.opening = []stage{
		{"look round", "power", (*rulebook).watchForShips},
		{"captains and crews", "power", (*rulebook).rate},
		{"power allocation", "power", (*rulebook).allocate},
		{"placing", "power", (*rulebook).placeShips},
		{"minefields", "power", (*rulebook).layMines},
		{"tactical advantage", "advantage", (*rulebook).outmanoeuvre},
	}
	book.each = []stage{
		{"sensors", "sensors", (*rulebook).sense},
		{"movement", "movement", (*rulebook).move},
		{"look round", "movement", (*rulebook).watchForShips},
		{"helm", "movement", (*rulebook).trim},
		{"tactical heading changes", "movement", (*rulebook).tactical},
		{"cloaks", "movement", (*rulebook).switchCloaks},
		{"fire", "fire", (*rulebook).fire},
		{"look round", "fire", (*rulebook).watchForShips},
	}
	book.each = append(book.each, stage{"repair", "repair", (*rulebook).mend})
	book.hulks = true
	book.begins = []func(*engine.Turn){sound}
	book.lockDie, book.scanWith, book.collapse = lockByDie, (*rulebook).scan, collapseByDie
	book.bonus, book.onPower = (*rulebook).reward, primeCloak
	book.closing = []stage{{"warp", "end", (*rulebook).changeWarp}, {"look round", "end", (*rulebook).watchForShips}}
	book.effects = maps.Clone(book.effects)
	book.effects[tables.AtEngine] = hitEngines
	book.effects[tables.AtSensors] = hitScanners
	book.effects[tables.AtShield] = hitTrackedGenerator
	book.order = append(slices.Clone(book.order), tables.Plasma)
	book.kinds = maps.Clone(book.kinds)
	book.kinds[tables.Plasma] = plasma(false)
	book.battery = slices.Insert(slices.Clone(book.battery), len(book.battery)-2, (*rulebook).burst) // before ships fall out of the fight
	book.gates = []gate{scannersOut, underCloak}
	book.battery = slices.Insert(book.battery, 1, (*rulebook).evade) // when all have declared
	book.evading = holdFire
	book.modifiers = []modifier{throughRocks, swung, atCloak}
	book.stress = oneEngine
	book.words = append(book.words, board.WordAstern, board.WordSwingL, board.WordSwingR)
	book.moveRules = []moveRule{astray, atHelm}
	book.afterMoves, book.steers = []afterMove{watchWake, rockslide, mined}, steer
	book.concealments, book.lineOfFireRules = []concealment{shadowed, hiddenByCloak}, []lineOfFireRule{behind, unlocked}
	book.ground = obstacleGround()
	maps.Copy(book.ground, mineGround())
	book.look, book.insight = (*rulebook).makeOut, lockTells
	book.aims = sensorAims()
	book.parts = []part{enginesPart(&book.Book), peoplePart(), sensorsPart(), repairPart(), bonusPart(), helmPart(book.words), tacticalPart(), evadePart(), warpPart(), obstaclesPart(), blastPart(book.Split.Phases()), minesPart(), placePart(), cloakPart(append(ship.Shedable(), ship.NameCloak))}
	book.captain = (*robot.Rules).Seasoned
	book.later = laterBooks(graduateCourse, commandCourse)
	return book
}

// Graduate is the Graduate Course as a rule set over a library of ships and weapons.
func Graduate(lib *tables.Library) (*engine.Rules, error) { return graduateCourse().rules(lib) }

// graduateCourse is the Advanced Course with what stcs 13 to 17 add or put in its place.
func graduateCourse() course {
	book := advancedCourse()
	book.name, book.title = "stcs-graduate", "Starship Tactical Combat Simulator, Graduate Course"
	book.sources = append([]string{"STCS rules, Graduate Course"}, book.sources...)
	book.cites = cites.Graduate()
	book.later = laterBooks(commandCourse)
	book.stress, book.evading = allEngines, nil
	book.kinds = maps.Clone(book.kinds)
	book.kinds[tables.Plasma] = plasma(true)
	book.locate = detailedChart
	book.effects, book.heavy = detailedEffects(), heavyDamage
	book.modifiers = append(slices.Clone(book.modifiers), understaffed, patched, whileEvading)
	book.begins = append(slices.Clone(book.begins), muster)
	book.moveRules = append([]moveRule{moored}, book.moveRules...)
	book.slimChance, book.hideShotDetails = (*tables.Library).SlimChance, true
	book.extraCitations = olderWeapons
	book.gates = append(slices.Clone(book.gates), unpowered)
	book.onHelmOut = straightOn
	book.parts = append(slices.Clone(book.parts), hullPart(), lasersPart(&book.Book), outpostsPart())
	return book
}
