package ship

import (
	"strings"
	"testing"

	"starpost/engine"
)

// TestCasualtiesNeedACountedCrew: an event with casualties, in a book that counts no crew, is an
// error; the change is never lost silently.
func TestCasualtiesNeedACountedCrew(t *testing.T) {
	for _, counted := range []bool{true, false} {
		s := &State{Shields: make([]Shield, 6)}
		if counted {
			s.Put(&Crew{})
		}
		g := &engine.Game{Ships: []*engine.Ship{{ID: "hood", System: s}}}
		err := (&Damage{Ship: "hood", Casualties: &Change{After: 50}}).Apply(g)
		switch {
		case counted && (err != nil || s.Crew().Lost != 50):
			t.Errorf("with a crew: lost %d, %v", s.Crew().Lost, err)
		case !counted && (err == nil || !strings.Contains(err.Error(), "hood: its crew is not counted")):
			t.Errorf("without a crew: %v", err)
		}
	}
}
