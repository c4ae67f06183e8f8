package play

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
)

// Nature tells of the n-th kind of weapon on a sheet what can be learnt of it from afar; blank
// for none.
func Nature(l *rulebook.Rules, s *sheet.Sheet, n int) string {
	var kinds []sheet.Kind
	for i := range s.Banks {
		if k := s.Banks[i].Kind; k.Category() == sheet.WeaponBoxes && !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	if n > len(kinds) {
		return ""
	}
	k := kinds[n-1]
	chart, reach, most := l.Charts[k], 0, 0
	for i := range s.Banks {
		if b := &s.Banks[i]; b.Kind == k {
			reach = max(reach, chart.Reach(b))
		}
	}
	for _, r := range chart.Rows {
		for die := 1; die <= 6; die++ {
			most = max(most, r.PointsOf(die, 0))
		}
	}
	parts := []string{k.Title()}
	if k.Rack() {
		most = l.Drone.Damage
		parts = append(parts, fmt.Sprintf("flies %d impulses", l.Drone.Life))
	} else if reach > 0 {
		parts = append(parts, fmt.Sprintf("reaches %s", phrase.Hexes(reach)))
	}
	if most > 0 {
		parts = append(parts, fmt.Sprintf("does up to %s", phrase.Points(most)))
	}
	if chart.Turns > 1 {
		parts = append(parts, fmt.Sprintf("takes %d turns to arm", chart.Turns))
	}
	return strings.Join(parts, ", ")
}
