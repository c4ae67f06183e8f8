package dice

import "testing"

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
