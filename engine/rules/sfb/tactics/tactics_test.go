package tactics

import (
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/hex"
)

// place returns a ship's place.
func place(t *testing.T, label string, heading hex.Heading) engine.Place {
	t.Helper()
	h, err := hex.ParseLabel(label)
	if err != nil {
		t.Fatal(err)
	}
	return engine.Place{Hex: h, Heading: heading}
}

// cruiser returns a ship with weapons, eagle one with a cloak.
func cruiser(t *testing.T, label string, heading hex.Heading, speed int) Ship {
	t.Helper()
	return Ship{At: place(t, label, heading), Speed: speed, Shields: [6]int{16, 12, 10, 10, 10, 12}, Armed: true}
}

func eagle(t *testing.T, label string, heading hex.Heading, speed int) Ship {
	t.Helper()
	s := cruiser(t, label, heading, speed)
	s.Cloak = 6
	return s
}

// TestStance checks a robot's decision in each kind of meeting.
func TestStance(t *testing.T) {
	arming, armed := Torpedoes{All: 4, Most: 2, Turns: 3}, Torpedoes{All: 4, Most: 2, Ready: true, Turns: 3}
	for _, c := range []struct {
		what    string
		me, foe Ship
		torpedo Torpedoes
		turn    int
		was     string // where the enemy was; "": unknown
		speed   int
		hide    bool
		move    string // must be among the orders
	}{
		{"far from an enemy", cruiser(t, "2020", hex.A, 8), cruiser(t, "2001", hex.D, 8), Torpedoes{}, 1, "", 12, false, "pursue nearest to 3"},
		{"as he comes near", cruiser(t, "2020", hex.A, 8), cruiser(t, "2012", hex.D, 8), Torpedoes{}, 2, "2006", 4, false, "face nearest"},
		{"as he stands, bow to me", cruiser(t, "2020", hex.A, 8), cruiser(t, "2010", hex.D, 0), Torpedoes{}, 2, "2010", 12, false, "course "},
		{"as he runs", cruiser(t, "2020", hex.A, 8), cruiser(t, "2010", hex.A, 12), Torpedoes{}, 2, "2014", 16, false, "pursue nearest to 1"},
		{"without weapons", Ship{At: place(t, "2020", hex.A)}, cruiser(t, "2010", hex.D, 8), Torpedoes{}, 2, "2010", 16, false, "disengage"},
		{"with a cloak, unarmed and far", eagle(t, "2020", hex.A, 8), cruiser(t, "2008", hex.D, 8), arming, 1, "", 14, false, "pursue nearest to 16"},
		{"with a cloak, unarmed and near", eagle(t, "2020", hex.A, 8), cruiser(t, "2014", hex.D, 8), arming, 2, "2010", 8, true, "pursue nearest to 8"},
		{"with a cloak, armed", eagle(t, "2020", hex.A, 8), cruiser(t, "2014", hex.D, 8), armed, 3, "2010", 14, false, "pursue nearest to 4"},
		{"with a cloak, after a runner", eagle(t, "2020", hex.A, 8), cruiser(t, "2001", hex.A, 12), arming, 2, "2004", 16, false, "pursue nearest to 1"},
		{"with a cloak, near a runner", eagle(t, "2020", hex.A, 8), cruiser(t, "2011", hex.A, 12), arming, 2, "2014", 12, false, "pursue nearest to 8"},
		{"before torpedoes can be armed", cruiser(t, "2020", hex.A, 8), eagle(t, "2012", hex.D, 8), Torpedoes{Turns: 3}, 2, "2006", 4, false, "face nearest"},
		{"as one comes who may have armed them", cruiser(t, "2020", hex.A, 8), eagle(t, "2012", hex.D, 8), Torpedoes{Turns: 3}, 3, "2006", 12, false, "flee nearest when range <= 6"},
		{"when she has thrown them", cruiser(t, "2020", hex.A, 8), eagle(t, "2012", hex.D, 8), Torpedoes{Turns: 3, Thrown: true}, 4, "2006", 4, false, "face nearest"},
		{"while one seeks me", cruiser(t, "2020", hex.A, 8), eagle(t, "2012", hex.D, 8), Torpedoes{Turns: 3, Thrown: true, Seeks: true}, 4, "2006", 16, false, "flee nearest when drones > 0"},
	} {
		d := &Duel{Turn: c.turn, MaxSpeed: 16, Me: c.me, Foe: c.foe, Power: 18, Torpedoes: c.torpedo}
		if c.was != "" {
			was := place(t, c.was, hex.A).Hex
			d.Was = &was
		}
		how := d.Stance()
		if how.Speed != c.speed || how.Hide != c.hide || !strings.Contains(strings.Join(slices.Concat(how.First, how.Moves), "\n"), c.move) {
			t.Errorf("%s: speed %d, under a cloak %v, %q; want %d, %v, %q", c.what, how.Speed, how.Hide, how.Moves, c.speed, c.hide, c.move)
		}
		evades := len(how.First) > 0 && how.First[0] == "flee nearest when drones > 0"
		if evades != (c.foe.Cloak > 0) {
			t.Errorf("%s: evades torpedoes: %v, %q", c.what, evades, how.First)
		}
	}
}
