package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/orders"
)

func TestViewOfAnUnknownViewerIsEmpty(t *testing.T) {
	r := basic(t)
	g, _ := read(t, r, duel)
	if _, err := engine.BuildView(r, g, nil, engine.Viewer{Ships: []engine.ShipID{"hod"}}); err == nil {
		t.Error("a view of an unknown ship")
	}
	if _, err := engine.BuildView(r, g, nil, engine.Viewer{Focus: "hod"}); err == nil {
		t.Error("an unknown ship in the middle")
	}
	v, err := engine.BuildView(r, g, nil, engine.Viewer{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range v.Ships {
		if s.Own || s.Captain != "" {
			t.Errorf("a bystander has %+v", s)
		}
	}
	if v.Name("hood") != "Hood" || v.Name("ghost") != "something unseen" || v.SideName("blue") != "blue" || v.SideName("grey") != "grey" {
		t.Error("names")
	}
	if _, ok := v.WayOut("hood"); ok {
		t.Error("a way out that no goal wants")
	}
}

// TestViewMeasuresFromTheFocus: the other ship is ten hexes dead ahead of Kang
// and astern of Hood.
func TestViewMeasuresFromTheFocus(t *testing.T) {
	r := basic(t)
	g, _ := read(t, r, duel)
	for focus, want := range map[engine.ShipID]string{"hood": "180", "kang": "180"} {
		v, err := engine.BuildView(r, g, nil, engine.Viewer{Ships: []engine.ShipID{focus}, Focus: focus})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range v.Ships {
			if s.ID != focus && (s.Range != 10 || s.Bearing != want) {
				t.Errorf("from %s, %s is at %d bearing %s", focus, s.ID, s.Range, s.Bearing)
			}
		}
	}
}

// TestViewAfterTheEnd: when the game is over everybody may see everything, including others' ships and events that
// were for one captain only.
func TestViewAfterTheEnd(t *testing.T) {
	r := basic(t)
	g, _ := read(t, r, duel)
	sheets := []engine.Sheet{
		{Ship: "hood", Block: block(t, r, "#orders duel turn 1 ship Hood\nwarp +1\npower\n shields 2:9\n#end\n")},
		{Ship: "kang", Block: &orders.Block{}},
	}
	after, events, err := engine.Resolve(r, g, sheets, dice.FromSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	if after.Result == nil || len(after.InFight()) != 0 {
		t.Fatal("the battle goes on")
	}
	v, err := engine.BuildView(r, after, events, engine.Viewer{Ships: []engine.ShipID{"kang"}, Focus: "kang"})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"shield_points":[0,9,0,0,0,0]`, `"superstructure":20`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the view after the end has no %s", want)
		}
	}
	if v.Due != 0 || v.Result == nil || !strings.HasPrefix(v.Result.Describe(v.SideName), "Victory: blue") {
		t.Errorf("due %d, result %q", v.Due, v.Result.Describe(v.SideName))
	}
	var none *engine.Result
	if none.Describe(v.SideName) != "" || !strings.Contains((&engine.Result{Draw: true, Why: "x"}).Describe(v.SideName), "draw") {
		t.Error("results in words")
	}
}

// TestTrailsTellWhereAShipWas follows a ship through the phases.
func TestTrailsTellWhereAShipWas(t *testing.T) {
	r := basic(t)
	g, _ := read(t, r, duel)
	text := "#orders duel turn 1 ship Hood\npower\n move 3 points\nphase 1\n move FL\nphase 2\n move H\nphase 3\n move F\n#end\n"
	after, events, err := engine.Resolve(r, g, []engine.Sheet{{Ship: "hood", Block: block(t, r, text)}, {Ship: "kang", Block: &orders.Block{}}}, dice.FromSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	v, err := engine.BuildView(r, after, events, engine.Viewer{Ships: []engine.ShipID{"kang"}, Focus: "kang"})
	if err != nil {
		t.Fatal(err)
	}
	hood, _ := v.Ship("hood")
	for phase, want := range []string{"1010 A", "1009 F", "1009 F", "0909 F"} {
		if at, ok := hood.At(phase); !ok || at.Hex.Label()+" "+at.Heading.String() != want {
			t.Errorf("phase %d: %s %s, expected %s", phase, at.Hex.Label(), at.Heading, want)
		}
	}
	kang, _ := v.Ship("kang")
	if at, ok := kang.At(2); !ok || at.Hex.Label() != "1020" {
		t.Errorf("a ship that did not move is at %v", at)
	}
	if _, ok := (&engine.ShipView{}).At(1); ok {
		t.Error("a ship off the map is somewhere")
	}
}

// TestDecodeViewTellsWhatIsWrong: a view is decoded from JSON with its events, and what is not a view of the rule
// set is refused.
func TestDecodeViewTellsWhatIsWrong(t *testing.T) {
	r := basic(t)
	g, _ := read(t, r, duel)
	after, events, err := engine.Resolve(r, g, []engine.Sheet{{Ship: "hood", Block: &orders.Block{}}, {Ship: "kang", Block: &orders.Block{}}}, dice.FromSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	v, err := engine.BuildView(r, after, events, engine.Viewer{Ships: []engine.ShipID{"hood"}, Focus: "hood"})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	again, err := engine.DecodeView(data, r)
	if err != nil || len(again.Events) != len(v.Events) || len(again.Aims) == 0 {
		t.Fatalf("%v, %+v", err, again)
	}
	for what, change := range map[string][2]string{
		"unexpected end":      {string(data), `{"format":2`},
		"format 9":            {`"format":2`, `"format":9`},
		"rule set":            {`"rules":"stcs-basic"`, `"rules":"sfb-cadet"`},
		"ship 1 is null":      {`"ships":[{"id"`, `"ships":[null,{"id"`},
		"has no system":       {`"system":`, `"sistem":`},
		"read ship systems":   {`"shields":[`, `"shields":[{},`},
		`unknown type "bang"`: {`"type":"` + v.Events[0].Type.Name + `"`, `"type":"bang"`},
	} {
		if _, err := engine.DecodeView([]byte(strings.Replace(string(data), change[0], change[1], 1)), r); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
