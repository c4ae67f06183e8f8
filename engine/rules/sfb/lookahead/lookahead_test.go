package lookahead

import (
	"testing"

	"starpost/engine"
	"starpost/engine/hex"
)

// ahead returns the way that goes straight on.
func ahead() *Way {
	return &Way{Next: func(at, _ engine.Place, _ bool) (engine.Place, bool) {
		return engine.Place{Hex: at.Hex.StepN(at.Heading, 1), Heading: at.Heading}, false
	}}
}

func at(t *testing.T, label string, heading hex.Heading) engine.Place {
	t.Helper()
	h, err := hex.ParseLabel(label)
	if err != nil {
		t.Fatal(err)
	}
	return engine.Place{Hex: h, Heading: heading}
}

// Two ships moving towards each other on one line come a hex nearer with each move, bow to bow.
func TestForesee(t *testing.T) {
	space := &Space{First: 1, Last: 4, Moves: func(speed, _ int) int { return speed }, Off: func(hex.Hex) bool { return false }}
	me, foe := Motion{At: at(t, "0512", 0), Speed: 1}, Motion{At: at(t, "0502", 3), Speed: 1}
	turn := space.Foresee(me, foe, ahead(), ahead())
	if len(turn) != 4 {
		t.Fatalf("%d moments", len(turn))
	}
	for i, m := range turn {
		if m.Range != 10-2*(i+1) || m.Mine != 0 || m.His != 0 || m.MySide != 0 || m.HisSide != 0 {
			t.Errorf("impulse %d: %+v", i+1, m)
		}
	}
	space.Off = func(h hex.Hex) bool { return h == at(t, "0510", 0).Hex }
	if space.Foresee(me, foe, ahead(), ahead()) != nil {
		t.Error("a way off the map is a way")
	}
}

// Of two turns that differ only as named, the better one has the higher value.
func TestWeigh(t *testing.T) {
	ship := func(hits int, shields [6]int) *Ship {
		return &Ship{Shields: shields, Hits: func(rng int, _ hex.Point) int { return max(0, hits-rng) }}
	}
	strong, down := [6]int{30, 30, 30, 30, 30, 30}, [6]int{30, 30, 30, 0, 30, 30}
	one := func(rng, mySide, hisSide int) []Moment {
		return []Moment{{Range: rng, MySide: mySide, HisSide: hisSide}}
	}
	for _, c := range []struct {
		name          string
		better, worse []Moment
		lurk          int
	}{
		{"his shield that is down", one(3, 0, 3), one(3, 0, 0), 0},
		{"my shield that is down turned away", one(3, 0, 0), one(3, 3, 0), 0},
		{"his on the way", append(one(3, 0, 3), one(9, 0, 0)...), append(one(3, 0, 0), one(9, 0, 0)...), 0},
		{"it turned away on the way", append(one(3, 0, 0), one(9, 0, 0)...), append(one(3, 3, 0), one(9, 0, 0)...), 0},
		{"near him who is weaker", one(2, 0, 0), one(9, 0, 0), 0},
		{"the range of one who hides", one(10, 0, 0), one(3, 0, 0), 10},
	} {
		better, worse := Weigh(ship(60, down), ship(30, down), c.better, c.lurk), Weigh(ship(60, down), ship(30, down), c.worse, c.lurk)
		if better.Worth <= worse.Worth {
			t.Errorf("%s: %+v, and %+v without", c.name, better, worse)
		}
	}
	if o := Weigh(ship(60, strong), ship(30, down), append(one(8, 1, 0), one(2, 2, 3)...), 0); o.Range != 2 || o.Side != 3 {
		t.Errorf("the best shot is %+v", o)
	}
}
