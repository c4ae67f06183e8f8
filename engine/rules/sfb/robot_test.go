package sfb

import (
	"encoding/json"
	"strings"
	"testing"

	"starpost/engine"
)

// TestRobotsKnowSheetsByMail: a robot that has a report by mail orders the same as one that
// is handed the view.
func TestRobotsKnowSheetsByMail(t *testing.T) {
	r := cadetRules(t)
	files, err := Family().ScenarioFiles()
	if err != nil {
		t.Fatal(err)
	}
	sc, diags := engine.ParseScenario(files["war-eagle"])
	if sc == nil {
		t.Fatal(diags)
	}
	g, diags := sc.NewGame(r, "mail", nil)
	if g == nil {
		t.Fatal(diags)
	}
	hood, _ := g.Ship("constellation")
	v, err := engine.BuildView(r, g, nil, g.Viewer(hood))
	if err != nil {
		t.Fatal(err)
	}
	want := r.Robot(v, hood.ID)
	if !strings.Contains(want, "not cloaked") {
		t.Fatalf("the robot knows of no cloak:\n%s", want)
	}
	for _, s := range v.Ships {
		if known, is := s.System.(*Open); is {
			data, err := json.Marshal(known)
			if err != nil {
				t.Fatal(err)
			}
			s.System = json.RawMessage(data)
		}
	}
	if got := r.Robot(v, hood.ID); got != want {
		t.Errorf("by mail the robot orders\n%s\nwant\n%s", got, want)
	}
}
