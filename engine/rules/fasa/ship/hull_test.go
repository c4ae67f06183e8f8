package ship

import (
	"testing"

	"starpost/engine/rules/fasa/tables"
)

// TestEngineeringDice checks that each die of the engineering table puts something with a title out of order.
func TestEngineeringDice(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for die := 1; die <= 10; die++ {
		if len(lib.Engineering[die]) == 0 {
			t.Errorf("die %d puts nothing out of order", die)
		}
		for _, what := range lib.Engineering[die] {
			if GridTitle(GridName(what)) == "" {
				t.Errorf("die %d: nothing is called %q", die, what)
			}
		}
	}
}
