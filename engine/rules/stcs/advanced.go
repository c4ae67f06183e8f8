package stcs

import (
	"maps"
	"slices"

	"starpost/engine"
)

// Advanced is the Advanced Course as a rule set over a library of ships and weapons.
func Advanced(lib *Library) (*engine.Rules, error) { return advancedCourse().rules(lib) }

// advancedCourse is the Basic Course with what stcs 5 to 12 add or put in its place.
func advancedCourse() syllabus {
	sy := basicCourse()
	sy.name, sy.title = "stcs-advanced", "Starship Tactical Combat Simulator, Advanced Course"
	sy.sources = append([]string{"STCS rules, Advanced Course"}, sy.sources...)
	sy.options = maps.Clone(sy.options)
	maps.Copy(sy.options, peopleOptions())
	sy.opening = []stage{
		{"look round", "power", (*course).watch},
		{"captains and crews", "power", (*course).rate},
		{"power allocation", "power", (*course).allocate},
		{"placing", "power", (*course).placeShips},
		{"minefields", "power", (*course).layMines},
		{"tactical advantage", "advantage", (*course).outmanoeuvre},
	}
	sy.each = []stage{
		{"sensors", "sensors", (*course).sense},
		{"movement", "movement", (*course).move},
		{"look round", "movement", (*course).watch},
		{"helm", "movement", (*course).trim},
		{"tactical heading changes", "movement", (*course).tactical},
		{"cloaks", "movement", (*course).switchCloaks},
		{"fire", "fire", (*course).fire},
		{"look round", "fire", (*course).watch},
	}
	sy.each = append(sy.each, stage{"repair", "repair", (*course).mend})
	sy.hulks = true
	sy.bonus, sy.prime = (*course).reward, primeCloak
	sy.closing = []stage{{"warp", "end", (*course).changeWarp}, {"look round", "end", (*course).watch}}
	sy.effects = maps.Clone(sy.effects)
	sy.effects[atEngine] = hitEngines
	sy.effects[atSensors] = hitScanners
	sy.effects[atShield] = hitTrackedGenerator
	sy.order = append(slices.Clone(sy.order), Plasma)
	sy.kinds = maps.Clone(sy.kinds)
	sy.kinds[Plasma] = plasma(false)
	sy.battery = slices.Insert(slices.Clone(sy.battery), len(sy.battery)-2, (*course).burst) // before ships fall out of the fight
	sy.gates = []gate{blind, underCloak}
	sy.battery = slices.Insert(sy.battery, 1, (*course).evade) // when all have declared
	sy.evading = holdFire
	sy.modifiers = []modifier{throughRocks, swung, atCloak}
	sy.stress = oneEngine
	sy.words = append(sy.words, wordAstern, wordSwingL, wordSwingR)
	sy.guards = []guard{astray, atHelm}
	sy.wakes = []wake{watchWake, rockslide, mined, steer}
	sy.veils, sy.screens = []veil{shadowed, hiddenByCloak}, []screen{behind, unlocked}
	sy.ground = obstacleGround()
	maps.Copy(sy.ground, mineGround())
	sy.look, sy.insight = (*course).makeOut, lockTells
	sy.aims = sensorAims()
	sy.parts = []part{enginesPart(), peoplePart(), sensorsPart(), repairPart(), bonusPart(), helmPart(sy.words), tacticalPart(), evadePart(), warpPart(), obstaclesPart(), blastPart(), minesPart(), placePart(), cloakPart(append(shedable(), sysCloak))}
	sy.captain = (*course).seasonedCaptain
	sy.later = []func() syllabus{graduateCourse}
	return sy
}
