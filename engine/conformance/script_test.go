package conformance

import (
	"testing"

	"starpost/engine/dice"
)

func TestScriptUsedExactly(t *testing.T) {
	values := map[string]int{"a": 6, "b": 2, "c": 10, "d": 100}
	s := NewScript(values)
	values["a"] = 1
	for _, tc := range []struct {
		name string
		die  dice.Die
		want int
	}{{"a", dice.D6, 6}, {"b", dice.TwoD6, 2}, {"c", dice.D10, 10}, {"d", dice.D100, 100}, {"a", dice.D6, 6}} {
		if got := s.Roll(tc.name, tc.die); got != tc.want {
			t.Errorf("%s = %d, want %d", tc.name, got, tc.want)
		}
	}
	if err := s.Err(); err != nil {
		t.Error(err)
	}
	if err := NewScript(nil).Err(); err != nil {
		t.Error(err)
	}
}

func TestScriptFaults(t *testing.T) {
	s := NewScript(map[string]int{"high": 7, "low": 1, "left.b": 3, "left.a": 4, "odd": 5})
	for _, tc := range []struct {
		name string
		die  dice.Die
		want int
	}{{"missing.2", dice.TwoD6, 2}, {"missing.1", dice.D100, 1}, {"high", dice.D6, 1}, {"low", dice.TwoD6, 2}, {"odd", 0, 1}} {
		if got := s.Roll(tc.name, tc.die); got != tc.want {
			t.Errorf("%s = %d, want %d", tc.name, got, tc.want)
		}
	}
	want := `roll "high": scripted 7 does not fit d6
roll "left.a": scripted 4 was never asked
roll "left.b": scripted 3 was never asked
roll "low": scripted 1 does not fit 2d6
roll "missing.1" (d100): asked but not in the script
roll "missing.2" (2d6): asked but not in the script
roll "odd": unknown Die(0)`
	for range 2 {
		if err := s.Err(); err == nil || err.Error() != want {
			t.Errorf("faults:\n%v\nwant:\n%s", err, want)
		}
	}
}
