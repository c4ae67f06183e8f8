package engine_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
)

// float is a minimal system.
type float struct {
	Power int `json:"power"`
}

func (f *float) Clone() engine.System { c := *f; return &c }

// floats returns a rule set without any rules.
func floats() *engine.Rules {
	return &engine.Rules{
		Name: "floats", Version: "1", Seeing: engine.Seeing{Public: func(*engine.Ship) any { return nil }},
		Phases: []engine.Phase{engine.EndPhase("floats 1")},
		DecodeSystem: func(data json.RawMessage) (engine.System, error) {
			f := new(float)
			return f, json.Unmarshal(data, f)
		},
	}
}

// afloat returns a game of two ships, one on each side.
func afloat() *engine.Game {
	ship := func(id engine.ShipID, side string) *engine.Ship {
		return &engine.Ship{ID: id, Name: string(id), Short: string(id[:1]), Side: side, Captain: engine.CaptainName("Captain of " + id), Hex: hex.At(5, 5), Status: engine.Active, Value: 10, System: &float{Power: 3}}
	}
	return &engine.Game{
		Format: engine.Format, ID: "g", Rules: "floats", Version: "1", Options: map[string]string{},
		Sides: []engine.Side{{ID: "a", Name: "A"}, {ID: "b", Name: "B"}}, Ships: []*engine.Ship{ship("hood", "a"), ship("talon", "b")},
	}
}

// probe returns a probe of Hood's.
func probe() *engine.Ship {
	return &engine.Ship{ID: "p1", Name: "P1", Short: "P1", Side: "a", Kind: engine.KindProbe, Parent: "hood", Hex: hex.At(6, 6), Status: engine.Active, System: &float{}}
}

func TestLaunchTakesSmallCraftOfAShipOnly(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*engine.Ship)
		want   string
	}{
		"a probe":              {func(*engine.Ship) {}, ""},
		"a ship":               {func(s *engine.Ship) { s.Kind = engine.KindShip }, "not a small craft"},
		"of a kind unheard of": {func(s *engine.Ship) { s.Kind = "balloon" }, "not a small craft"},
		"an id that is taken":  {func(s *engine.Ship) { s.ID, s.Name = "hood", "Hood" }, "there is already a ship with that id"},
		"an id of its own":     {func(s *engine.Ship) { s.ID = "x" }, "its id must be its name"},
		"with a captain":       {func(s *engine.Ship) { s.Captain = "Ann" }, "no captain and no value"},
		"with a value":         {func(s *engine.Ship) { s.Value = 3 }, "no captain and no value"},
		"of no ship":           {func(s *engine.Ship) { s.Parent = "ghost" }, `no ship "ghost"`},
		"of no side":           {func(s *engine.Ship) { s.Side = "c" }, `no side "c"`},
	} {
		g, s := afloat(), probe()
		test.change(s)
		err := g.Launch(s)
		if got := len(g.Ships); (err == nil) != (test.want == "") || err != nil && (!strings.Contains(err.Error(), test.want) || got != 2) {
			t.Errorf("%s: got %v and %d ships, want %q", name, err, got, test.want)
		}
	}
	g := afloat()
	if err := g.Launch(probe()); err != nil {
		t.Fatal(err)
	}
	second := probe()
	second.ID, second.Name, second.Parent = "p2", "P2", "p1"
	if err := g.Launch(second); err == nil {
		t.Error("a probe launches a probe")
	}
	if ids := []engine.ShipID{g.Ships[0].ID, g.Ships[1].ID, g.Ships[2].ID}; !reflect.DeepEqual(ids, []engine.ShipID{"hood", "p1", "talon"}) {
		t.Errorf("got ships %v, want them in order of id", ids)
	}
}

func TestSmallCraftHaveNoCaptainAndDecideNothing(t *testing.T) {
	r, g := floats(), afloat()
	if err := g.Launch(probe()); err != nil {
		t.Fatal(err)
	}
	if got := len(g.Captains()); got != 2 {
		t.Errorf("got %d captains, want 2", got)
	}
	if got, want := r.Owed(g), []engine.Seat{{Ship: "hood"}, {Ship: "talon"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got orders owed by %v, want %v", got, want)
	}
	p, _ := g.Ship("p1")
	if r.Commands(p) {
		t.Error("a probe takes orders")
	}
	// The encoded state keeps it.
	data, err := engine.EncodeGame(g)
	if err != nil {
		t.Fatal(err)
	}
	again, err := engine.DecodeGame(data, r)
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := again.Ship("p1"); !ok || p.Kind != engine.KindProbe || p.Parent != "hood" {
		t.Errorf("got %+v back, want the probe", p)
	}
	if strings.Count(string(data), `"kind"`) != 1 || strings.Count(string(data), `"parent"`) != 1 {
		t.Errorf("ships have a kind in their state:\n%s", data)
	}
	// When Hood is gone Talon has won, whatever is still flying; the probe is worth nothing.
	hood, _ := g.Ship("hood")
	hood.Status = engine.Destroyed
	sheets := []engine.Sheet{{Ship: "talon", Policy: engine.PolicyStanding}}
	after, _, err := engine.Resolve(r, g, sheets, dice.FromSeed(1))
	if err != nil || after.Result == nil || after.Result.Side != "b" {
		t.Fatalf("got %+v, %v, want the victory of b", after, err)
	}
	goal := engine.Victory{Goals: []engine.Goal{{Side: "b", When: engine.GoalDestroy}}}
	g.Victory = goal
	if after, _, err = engine.Resolve(r, g, sheets, dice.FromSeed(1)); err != nil || after.Result == nil || !strings.HasPrefix(after.Result.Why, "goal reached") {
		t.Errorf("got %+v, %v, want the goal reached while a probe flies", after.Result, err)
	}
}

// A small craft that is gone leaves no wreck, and from the next turn on nothing at all.
func TestSmallCraftLeaveNoWreck(t *testing.T) {
	r, g := floats(), afloat()
	if err := g.Launch(probe()); err != nil {
		t.Fatal(err)
	}
	p, _ := g.Ship("p1")
	look := func() (*engine.ShipView, bool) {
		t.Helper()
		v, err := engine.BuildView(r, g, nil, engine.Viewer{Captain: "Captain of talon", Ships: []engine.ShipID{"talon"}, Focus: "talon"})
		if err != nil {
			t.Fatal(err)
		}
		return v.Ship("p1")
	}
	if s, ok := look(); !ok || s.Hex == nil || s.Captain != "" {
		t.Errorf("got %+v, want the probe on the map", s)
	}
	g.Turn, p.Status, p.OutTurn = 3, engine.Destroyed, 3
	if s, ok := look(); !ok || s.Hex != nil || s.Status != engine.Destroyed {
		t.Errorf("got %+v in the turn of its end, want it off the map", s)
	}
	g.Turn = 4
	if s, ok := look(); ok {
		t.Errorf("got %+v a turn later, want nothing", s)
	}
}
