package fasa

import (
	"maps"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/tables"
)

// Graduate is the Graduate Course as a rule set over a library of ships and weapons.
func Graduate(lib *tables.Library) (*engine.Rules, error) { return graduateCourse().rules(lib) }

// graduateCourse is the Advanced Course with what stcs 13 to 17 add or put in its place.
func graduateCourse() Book {
	book := advancedCourse()
	book.name, book.title = "stcs-graduate", "Starship Tactical Combat Simulator, Graduate Course"
	book.sources = append([]string{"STCS rules, Graduate Course"}, book.sources...)
	book.cites = cites.Graduate()
	book.later = []func() Book{commandCourse}
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
	book.parts = append(slices.Clone(book.parts), hullPart(), lasersPart(&book), outpostsPart())
	return book
}
