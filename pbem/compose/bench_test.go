package compose_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/sfb"
	"starpost/engine/scenario"
	"starpost/pbem/compose"
)

// beginning returns the report of a scenario's first captain before the first turn, and robots' orders for the
// captain's ships.
func beginning(tb testing.TB, f family.Family, set, name string) (view []byte, text string) {
	tb.Helper()
	files, err := f.ScenarioFiles()
	if err != nil {
		tb.Fatal(err)
	}
	for _, s := range f.Sets {
		if s.Name != set {
			continue
		}
		r, err := s.Rules(nil)
		if err != nil {
			tb.Fatal(err)
		}
		sc, diags := scenario.Parse(scenario.ForRules(files[name], set))
		if sc == nil {
			tb.Fatal(diags)
		}
		g, diags := sc.Drawn(dice.FromSeed(1), "game").NewGame(r, "game", nil)
		if g == nil {
			tb.Fatal(diags)
		}
		c := g.Captains()[0]
		v, err := engine.BuildView(r, g, nil, engine.Viewer{Captain: c.Name, Ships: c.Ships, Focus: c.Ships[0]})
		if err != nil {
			tb.Fatal(err)
		}
		if view, err = json.Marshal(v); err != nil {
			tb.Fatal(err)
		}
		return view, robots(tb, v, r)
	}
	tb.Fatalf("no rule set %s", set)
	return nil, ""
}

// BenchmarkClick measures the cost of a click: the check of the new orders, and the next choices.
func BenchmarkClick(b *testing.B) {
	for _, of := range []struct {
		title, set, scenario string
		family               family.Family
	}{
		{"2 ships", "stcs-basic", "big-bad-wolf", fasa.Family()},
		{"2 ships, command course", "stcs-command", "big-bad-wolf", fasa.Family()},
		{"2 ships, house rules", "sfb-house", "house-duel", sfb.Family()},
		{"20 ships", "stcs-basic", "fleet-action", fasa.Family()},
	} {
		view, text := beginning(b, of.family, of.set, of.scenario)
		d := compose.New(families())
		a := ask(b, d, map[string]any{"do": "open", "view": string(view)})
		ship := ""
		for _, s := range a.Ships {
			if s.Own && ship == "" {
				ship = s.ID
			}
		}
		for _, do := range []string{"open", "check", "choices"} {
			request, err := json.Marshal(map[string]any{"do": do, "view": string(view), "text": text, "ship": ship})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(of.title+"/"+do, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if answer := d.Answer(request); !bytes.HasPrefix(answer, []byte(`{"ok":true`)) {
						b.Fatalf("%.200s", answer)
					}
				}
			})
		}
	}
}
