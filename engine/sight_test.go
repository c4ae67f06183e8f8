package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/hex"
)

// TestLevelsOfSight: a viewer sees of a ship what the rule set's Look grants.
func TestLevelsOfSight(t *testing.T) {
	base := *basic(t)
	g, _ := read(t, &base, duel)
	last := engine.Place{Hex: hex.At(3, 4), Heading: hex.B}
	for _, test := range []struct {
		name  string
		gives engine.Observation
		want  []string
		never []string
	}{
		{"seen", engine.Observation{Known: map[string]int{"points": 3}}, []string{`"name":"Kang"`, `"points":3`}, []string{`"sight"`, `"superstructure"`}},
		{"seen, but not known what", engine.Observation{As: &engine.Alias{ID: "kang", Name: "Kang", Short: "K", Side: "blue", Class: "unknown"}}, []string{`"name":"Kang"`, `"class":"unknown"`, `"hex"`}, []string{"D-10", `"sight"`}},
		{"unseen", engine.Observation{Sight: engine.Unseen}, nil, []string{"Kang", "kang"}},
		{"lost", engine.Observation{Sight: engine.Lost, At: &last, Since: engine.Moment{Turn: 1, Phase: 2}}, []string{`"name":"Kang"`, `"hex":"0304"`, `"sight":"lost"`, `"since":{"turn":1,"phase":2}`}, []string{`"superstructure"`}},
		{"lost without a trace", engine.Observation{Sight: engine.Lost}, []string{`"name":"Kang"`}, []string{`"id":"kang","name":"Kang","title":"Kang","short":"K","side":"blue","class":"D-10 (The Big Bad Wolf)","own":false,"status":"active","hex"`}},
		{"a contact", engine.Observation{Sight: engine.Contact, At: &last, As: &engine.Alias{ID: "c1", Name: "C1", Short: "C1"}}, []string{`"name":"C1"`, `"hex":"0304"`, `"sight":"contact"`}, []string{"Kang", "kang"}},
		{"a contact without a guise", engine.Observation{Sight: engine.Contact, At: &last}, nil, []string{"Kang", "kang", "contact"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := base
			r.Look = func(*engine.Game, engine.Viewer, *engine.Ship) engine.Observation { return test.gives }
			who := engine.Viewer{Ships: []engine.ShipID{"hood"}, Focus: "hood"}
			v, err := engine.BuildView(&r, g, nil, who)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range v.Ships {
				if s.ID == "hood" && s.System == nil {
					t.Error("he does not know his own ship")
				}
			}
			data, err := json.Marshal(v.Ships)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range test.want {
				if !strings.Contains(string(data), w) {
					t.Errorf("no %s in %s", w, data)
				}
			}
			for _, w := range test.never {
				if others := string(data); strings.Contains(strings.ReplaceAll(others, string(mustJSON(t, own(v))), ""), w) {
					t.Errorf("%s in %s", w, others)
				}
			}
			if kang, _ := g.Ship("kang"); r.Knows(g, who, kang) != (test.gives.Sight != engine.Unseen) {
				t.Error("Knows does not say so")
			}
			// The referee sees everything whatever Look says.
			if v, err = engine.BuildView(&r, g, nil, engine.Viewer{All: true}); err != nil || len(v.Ships) != 2 {
				t.Errorf("%d ships, %v", len(v.Ships), err)
			}
		})
	}
}

func own(v *engine.View) *engine.ShipView {
	for _, s := range v.Ships {
		if s.Own {
			return s
		}
	}
	return nil
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
