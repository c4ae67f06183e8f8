package fasa

import (
	"maps"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/tables"
)

// Graduate is the Graduate Course as a rule set over a library of ships and weapons.
func Graduate(lib *tables.Library) (*engine.Rules, error) { return graduateCourse().rules(lib) }

// graduateCourse is the Advanced Course with what stcs 13 to 17 add or put in its place.
func graduateCourse() Book {
	sy := advancedCourse()
	sy.name, sy.title = "stcs-graduate", "Starship Tactical Combat Simulator, Graduate Course"
	sy.sources = append([]string{"STCS rules, Graduate Course"}, sy.sources...)
	sy.cites = graduateCites()
	sy.later = nil
	sy.stress, sy.evading = allEngines, nil
	sy.kinds = maps.Clone(sy.kinds)
	sy.kinds[tables.Plasma] = plasma(true)
	sy.locate = detailedChart
	sy.effects, sy.heavy = detailedEffects(), heavyDamage
	sy.modifiers = append(slices.Clone(sy.modifiers), understaffed, patched, whileEvading)
	sy.begins = []func(*engine.Turn){muster}
	sy.moveRules = append([]moveRule{moored}, sy.moveRules...)
	sy.slimChance, sy.hideShotDetails = (*tables.Library).SlimChance, true
	sy.extraCitations = olderWeapons
	sy.gates = append(slices.Clone(sy.gates), unpowered)
	sy.onHelmOut = straightOn
	sy.parts = append(slices.Clone(sy.parts), hullPart(), lasersPart(&sy), outpostsPart())
	return sy
}
