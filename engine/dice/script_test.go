package dice

import (
	"testing"
)

func TestScriptUsedExactly(t *testing.T) {
	values := map[string]int{"a": 6, "b": 2, "c": 10, "d": 100}
	s := NewScript(values)
	values["a"] = 1
	for _, tc := range []struct {
		name string
		die  Die
		want int
	}{{"a", D6, 6}, {"b", TwoD6, 2}, {"c", D10, 10}, {"d", D100, 100}, {"a", D6, 6}} {
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
		die  Die
		want int
	}{{"missing.2", TwoD6, 2}, {"missing.1", D100, 1}, {"high", D6, 1}, {"low", TwoD6, 2}, {"odd", 0, 1}} {
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

func TestDieText(t *testing.T) {
	for _, d := range allDice {
		text, err := d.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back Die
		if err := back.UnmarshalText(text); err != nil || back != d || d.String() != string(text) {
			t.Errorf("%s written %s, read %s, %v", d, text, back, err)
		}
	}
	for _, bad := range []string{"", "D6", "1d6", "d20", "Die(0)"} {
		if d, err := ParseDie(bad); err == nil {
			t.Errorf("%q is %s", bad, d)
		}
		if err := new(Die).UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q unmarshalled", bad)
		}
	}
	for _, d := range []Die{0, D100 + 1, 255} {
		if text, err := d.MarshalText(); err == nil {
			t.Errorf("no die written %s", text)
		}
		if low, high := d.Range(); low != 0 || high != 0 {
			t.Errorf("no die rolls %d to %d", low, high)
		}
	}
}
