package stcs

import (
	"maps"

	"starpost/engine"
)

// Graduate is the Graduate Course as a rule set over a library of ships and weapons.
func Graduate(lib *Library) (*engine.Rules, error) { return graduateCourse().rules(lib) }

// graduateCourse is the Advanced Course with what stcs 13 to 17 add or put in its place.
func graduateCourse() syllabus {
	sy := advancedCourse()
	sy.name, sy.title = "stcs-graduate", "Starship Tactical Combat Simulator, Graduate Course"
	sy.sources = append([]string{"STCS rules, Graduate Course"}, sy.sources...)
	sy.kinds = maps.Clone(sy.kinds)
	sy.kinds[Plasma] = plasma(true)
	sy.stress = allEngines
	return sy
}
