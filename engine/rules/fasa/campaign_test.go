package fasa

import (
	"maps"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/conformance"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/crew"
	"starpost/engine/rules/fasa/ship"
)

// afterwards returns the start and the end of a game of one ship of side a, hood, and three of side
// b, with hood's power at the start and the statuses at the end.
func afterwards(power int, status engine.Status, others ...engine.Status) (start, end *engine.Game) {
	build := func(hood engine.Status, rest []engine.Status) *engine.Game {
		g := &engine.Game{Sides: []engine.Side{{ID: "a"}, {ID: "b"}}}
		for i, id := range []engine.ShipID{"d10", "d7", "d9"} {
			at := engine.Active
			if i < len(rest) {
				at = rest[i]
			}
			g.Ships = append(g.Ships, &engine.Ship{ID: id, Name: string(id), Side: "b", Status: at, System: &ship.State{Power: 40}})
		}
		g.Ships = append(g.Ships, &engine.Ship{ID: "hood", Name: "Hood", Side: "a", Status: hood, System: &ship.State{Power: power}})
		return g
	}
	return build(engine.Active, nil), build(status, others)
}

func hitOn(id, from engine.ShipID, points, left int) engine.Event {
	return engine.Event{Body: &ship.Damage{Ship: id, From: from, Points: points, Superstructure: &ship.Change{Before: left + points, After: left}}}
}

func TestVictories(t *testing.T) {
	for _, test := range []struct {
		name     string
		power    int
		status   engine.Status
		hits     []engine.Event
		points   int
		finisher engine.ShipID
		shares   map[engine.ShipID]int
	}{
		{"one against one, 44 power", 44, engine.Destroyed, []engine.Event{hitOn("hood", "d10", 9, 3), hitOn("hood", "d10", 5, -2)}, 4, "d10", map[engine.ShipID]int{"d10": 4}},
		{"two, with a share more for the last", 44, engine.Crippled, []engine.Event{hitOn("hood", "d10", 20, 1), hitOn("hood", "d7", 1, 0)}, 4, "d7", map[engine.ShipID]int{"d10": 1, "d7": 3}},
		{"what comes after the last counts as help", 60, engine.Destroyed, []engine.Event{hitOn("hood", "d10", 20, 0), hitOn("hood", "d7", 4, -4)}, 6, "d10", map[engine.ShipID]int{"d10": 4, "d7": 2}},
		{"three", 99, engine.Destroyed, []engine.Event{hitOn("hood", "d10", 1, 9), hitOn("hood", "d7", 1, 8), hitOn("hood", "d9", 9, -1)}, 9, "d9", map[engine.ShipID]int{"d10": 2, "d7": 2, "d9": 5}},
		{"driven off: no last hit, the odd point to who hit hardest", 50, engine.Left, []engine.Event{hitOn("hood", "d10", 3, 9), hitOn("hood", "d7", 5, 4)}, 5, "", map[engine.ShipID]int{"d10": 2, "d7": 3}},
		{"it struck", 44, engine.Surrendered, []engine.Event{hitOn("hood", "d9", 3, 9)}, 4, "d9", map[engine.ShipID]int{"d9": 4}},
		{"nobody's work", 44, engine.Left, nil, 4, "", nil},
		{"her own work, and a rock's", 44, engine.Destroyed, []engine.Event{hitOn("hood", "hood", 30, -9), hitOn("hood", "", 3, -12)}, 4, "", nil},
		{"little power", 9, engine.Destroyed, []engine.Event{hitOn("hood", "d9", 3, 0)}, 0, "d9", map[engine.ShipID]int{"d9": 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			start, end := afterwards(test.power, test.status)
			vs := victories(start, end, test.hits, shareLast)
			if len(vs) != 1 {
				t.Fatalf("%+v", vs)
			}
			if v := vs[0]; v.Over != "hood" || v.How != test.status || v.Points != test.points || v.Finisher != test.finisher || !maps.Equal(v.Shares, test.shares) {
				t.Errorf("%+v", v)
			}
		})
	}
}

// TestVictoriesMost: two of three points go to the ship that did most damage, and the others share
// the third.
func TestVictoriesMost(t *testing.T) {
	for _, test := range []struct {
		name   string
		power  int
		hits   []engine.Event
		shares map[engine.ShipID]int
	}{
		{"alone", 44, []engine.Event{hitOn("hood", "d10", 9, -1)}, map[engine.ShipID]int{"d10": 4}},
		{"two of three", 60, []engine.Event{hitOn("hood", "d10", 20, 1), hitOn("hood", "d7", 1, 0)}, map[engine.ShipID]int{"d10": 4, "d7": 2}},
		{"an odd point to who did most", 49, []engine.Event{hitOn("hood", "d10", 20, 1), hitOn("hood", "d7", 1, 0)}, map[engine.ShipID]int{"d10": 3, "d7": 1}},
		{"two share the third", 60, []engine.Event{hitOn("hood", "d10", 20, 2), hitOn("hood", "d7", 1, 1), hitOn("hood", "d9", 1, 0)}, map[engine.ShipID]int{"d10": 4, "d7": 1, "d9": 1}},
		{"as much each: to the one that finished her", 60, []engine.Event{hitOn("hood", "d10", 9, 9), hitOn("hood", "d7", 9, 0)}, map[engine.ShipID]int{"d10": 2, "d7": 4}},
	} {
		start, end := afterwards(test.power, engine.Destroyed)
		if v := victories(start, end, test.hits, shareMost)[0]; !maps.Equal(v.Shares, test.shares) {
			t.Errorf("%s: %v, expected %v", test.name, v.Shares, test.shares)
		}
	}
}

// TestVictoriesOfPower: hits that take the last of the engines finish a ship too.
func TestVictoriesOfPower(t *testing.T) {
	start, end := afterwards(44, engine.Crippled)
	vs := victories(start, end, []engine.Event{
		{Body: &ship.Damage{Ship: "hood", From: "d10", Points: 9, Power: &ship.Change{Before: 9}}}, hitOn("hood", "d7", 1, 3),
	}, shareLast)
	if len(vs) != 1 || vs[0].Finisher != "d10" {
		t.Errorf("%+v", vs)
	}
}

func TestVictoriesNone(t *testing.T) {
	start, end := afterwards(44, engine.Active)
	if vs := victories(start, end, []engine.Event{hitOn("hood", "d10", 9, 3)}, shareLast); len(vs) != 0 {
		t.Errorf("%+v", vs)
	}
	start, end = afterwards(44, engine.Left)
	hood, _ := end.Ship("hood")
	hood.Exit = []string{"north"}
	end.Victory.Goals = []engine.Goal{{Side: "a", When: engine.GoalExit, Edge: "north"}}
	if vs := victories(start, end, []engine.Event{hitOn("hood", "d10", 9, 3)}, shareLast); len(vs) != 0 {
		t.Errorf("left over her own edge: %+v", vs)
	}
	end.Victory.Goals[0].Edge = "south"
	if vs := victories(start, end, []engine.Event{hitOn("hood", "d10", 9, 3)}, shareLast); len(vs) != 1 {
		t.Errorf("left over another edge: %+v", vs)
	}
}

// TestVictoriesAddUp: no point is lost or invented, and only enemies who did damage get any.
func TestVictoriesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		status := rapid.SampledFrom([]engine.Status{engine.Destroyed, engine.Crippled, engine.Left, engine.Surrendered}).Draw(t, "status")
		start, end := afterwards(rapid.IntRange(0, 300).Draw(t, "power"), status)
		var hits []engine.Event
		did := map[string]bool{}
		for range rapid.IntRange(0, 8).Draw(t, "hits") {
			from := rapid.SampledFrom([]string{"d10", "d7", "d9", "hood", "", "nobody"}).Draw(t, "from")
			hits = append(hits, hitOn("hood", engine.ShipID(from), rapid.IntRange(1, 20).Draw(t, "points"), rapid.IntRange(-9, 20).Draw(t, "left")))
			did[from] = true
		}
		way := rapid.SampledFrom([]string{shareLast, shareMost}).Draw(t, "way")
		v := victories(start, end, hits, way)[0]
		total := 0
		for id, n := range v.Shares {
			if !did[string(id)] || n < 0 || id == "hood" {
				t.Fatalf("%s has %d", id, n)
			}
			total += n
		}
		if len(v.Shares) > 0 && total != v.Points {
			t.Fatalf("%d points shared as %v", v.Points, v.Shares)
		}
		percent := rapid.IntRange(0, 100).Draw(t, "percent")
		captain, crew := divided(total, percent)
		if over := 100*captain - percent*total; captain+crew != total || crew < 0 || over < 0 || over >= 100 {
			t.Fatalf("%d by %d%%: %d and %d", total, percent, captain, crew)
		}
	})
}

// TestEqualShares: each officer gets the same, and the captain also the remainder (stcs 24.1).
func TestEqualShares(t *testing.T) {
	for _, test := range []struct{ points, officers, captain, each int }{{0, 3, 0, 0}, {3, 3, 3, 0}, {4, 3, 1, 1}, {5, 3, 2, 1}, {11, 3, 5, 2}, {11, 0, 11, 11}} {
		if captain, each := equalShares(test.points, test.officers); captain != test.captain || each != test.each {
			t.Errorf("%d points, %d officers: %d and %d each, want %d and %d", test.points, test.officers, captain, each, test.captain, test.each)
		}
	}
}

func TestFateOf(t *testing.T) {
	for _, test := range []struct {
		name   string
		status engine.Status
		others []engine.Status
		winner string
		want   family.Fate
	}{
		{"still there", engine.Active, nil, "", family.FateKept},
		{"left", engine.Left, nil, "b", family.FateKept},
		{"destroyed", engine.Destroyed, nil, "a", family.FateLost},
		{"struck", engine.Surrendered, nil, "a", family.FateTaken},
		{"crippled, the field is the enemy's", engine.Crippled, nil, "b", family.FateTaken},
		{"crippled, and her side has won", engine.Crippled, []engine.Status{engine.Left, engine.Left, engine.Left}, "a", family.FateKept},
	} {
		_, end := afterwards(44, test.status, test.others...)
		end.Result = &engine.Result{Side: test.winner}
		hood, _ := end.Ship("hood")
		if got := fateOf(end, hood); got != test.want {
			t.Errorf("%s: %s, expected %s", test.name, got, test.want)
		}
	}
	// A ship of the other side is saved by those of her own side who still fight.
	_, end := afterwards(44, engine.Active, engine.Crippled)
	end.Result = &engine.Result{Side: "a"}
	if got := fateOf(end, end.Ships[0]); got != family.FateKept {
		t.Error(got)
	}
}

func TestNewRating(t *testing.T) {
	from := conformance.NewScript(map[string]int{"captain.kirk.1": 1, "captain.kirk.2": 10, "captain.kirk.3": 4})
	rating, rolls := newRating(from, "captain.kirk", crew.SkillBase)
	if rating != 60 || rolls != [3]int{1, 10, 4} || from.Err() != nil {
		t.Error(rating, rolls, from.Err())
	}
	rapid.Check(t, func(t *rapid.T) {
		source := dice.ForTurn(dice.FromSeed(rapid.Uint64().Draw(t, "seed")), "war", 0, nil)
		if n, _ := newRating(source, "c", crew.SkillBase); n < 48 || n > 75 {
			t.Fatal(n)
		}
		if n, _ := newRating(source, "s", crew.EfficiencyBase); n < 28 || n > 55 {
			t.Fatal(n)
		}
	})
	if grown(60, 4) != 64 || grown(98, 4) != ship.MaxRating {
		t.Error("growth")
	}
}
