package report_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/robots"
	"starpost/engine/rules/fasa"
	"starpost/engine/scenario"
	"starpost/pbem/report"
	"starpost/templates"
)

// darkFleets plays two turns of Fleet Action in the dark, with robots.
func darkFleets(t *testing.T, r *engine.Rules) []moment {
	t.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	sc, diags := scenario.Parse(scenario.Darkened(all["fleet-action"]))
	if sc == nil {
		t.Fatal(diags)
	}
	enough := errors.New("enough turns")
	var out []moment
	_, err = robots.Battle(r, sc, "fleets", dice.FromSeed(7), func(turn robots.Turn) error {
		if out = append(out, moment{turn.After, turn.Events}); len(out) == 2 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) {
		t.Fatal(err)
	}
	return out
}

// TestDarkReportsTellEachContactOnce checks that a report in the dark has one line and one row of the contact list for
// each contact, in text and in HTML, and that reports of allies about the same place and time make only one contact.
func TestDarkReportsTellEachContactOnce(t *testing.T) {
	r := rules(t)
	told := 0
	for _, m := range darkFleets(t, r) {
		for _, s := range m.game.Ships {
			v := view(t, r, m, s.ID)
			out := report.Build(r, v, facts())
			line := map[string]int{}
			for _, ph := range append(out.Phases, out.Elsewhere...) {
				for _, l := range ph.Lines {
					if l.N == 0 {
						continue
					}
					if b, ok := v.Events[l.N-1].Body.(*dark.SensorContact); ok {
						no := fmt.Sprintf("c%02d", b.No)
						if line[no]++; line[no] > 1 || ph.Title != "Contacts" {
							t.Fatalf("turn %d, %s: %q is told again in %q", m.game.Turn, s.Name, l.Text, ph.Title)
						}
					}
				}
			}
			places := map[string]string{}
			for _, o := range v.Ships {
				if o.Sensed == nil || o.Sensed.Told == "" {
					continue
				}
				told++
				place := fmt.Sprint(o.Hex.Label(), *o.Since)
				if other := places[place]; other != "" {
					t.Errorf("turn %d, %s: %s and %s are told of at one place and one moment", m.game.Turn, s.Name, other, o.Name)
				}
				places[place] = o.Name
			}
			if len(out.Contacts) != 1 {
				t.Fatalf("turn %d, %s has %d lists of contacts", m.game.Turn, s.Name, len(out.Contacts))
			}
			text, err := (*templates.Set)(nil).ReportText(out)
			if err != nil {
				t.Fatal(err)
			}
			page, err := (*templates.Set)(nil).ReportHTML(out)
			if err != nil {
				t.Fatal(err)
			}
			_, list, _ := strings.Cut(string(text), "== Contacts ===")
			list, _, _ = strings.Cut(list, "\n== ")
			if strings.Contains(list, "  - ") {
				t.Fatalf("turn %d, %s: the list is no table\n%s", m.game.Turn, s.Name, list)
			}
			for _, o := range v.Ships {
				if o.Sensed == nil {
					continue
				}
				no := fmt.Sprintf("c%02d", o.Sensed.No)
				if n := strings.Count(list, "\n  "+no+" "); n != 1 {
					t.Errorf("turn %d, %s: the list has %s %d times", m.game.Turn, s.Name, no, n)
				}
				if n := strings.Count(string(page), "<tr><td>"+no); n != 1 {
					t.Errorf("turn %d, %s: the page has %s %d times", m.game.Turn, s.Name, no, n)
				}
			}
		}
	}
	if told == 0 {
		t.Error("no mate told of anything")
	}
}
