package compose_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"starpost/engine/family"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/sfb"
	"starpost/pbem/compose"
)

var moves = regexp.MustCompile(`(?m)^  move \d+$`)

// TestPowerIsSummed checks that the lines' uses are listed and add up to the sum, even if it is too much.
func TestPowerIsSummed(t *testing.T) {
	type power struct {
		Have, Used, Left int
		Rows             []struct {
			Name   string
			Amount int
		}
	}
	for set, f := range map[string]family.Family{"stcs-basic": fasa.Family(), "sfb-cadet": sfb.Family(), "sfb-house": sfb.Family()} {
		summed := 0
		battles(t, f, set, 5, func(t *testing.T, s seat) {
			t.Helper()
			if !strings.Contains(s.text, "\npower\n") {
				return // as in a phase after the one in which power is allocated
			}
			summed++
			d := opened(t, s.view)
			look := func(text string) (a struct {
				Power       []power
				Diagnostics []struct{ Severity string }
			},
			) {
				request, err := json.Marshal(map[string]string{"do": "check", "text": text})
				if err != nil {
					t.Fatal(err)
				}
				if err := json.Unmarshal(d.Answer(request), &a); err != nil {
					t.Fatal(err)
				}
				if len(a.Power) != 1 {
					t.Fatalf("%s: got %+v", set, a)
				}
				return a
			}
			p := look(s.text).Power[0]
			sum := 0
			for _, r := range p.Rows {
				sum += r.Amount
				if r.Name != "her own needs" && !strings.Contains(s.text, "  "+r.Name+"\n") {
					t.Errorf("%s: no line %q", set, r.Name)
				}
			}
			if sum != p.Used || p.Left != p.Have-p.Used || p.Left < 0 || p.Used == 0 {
				t.Errorf("%s: %+v", set, p)
			}
			too := strings.Replace(s.text, "power\n", "power\n  reinforce 1:90\n", 1)
			if set == "stcs-basic" {
				too = moves.ReplaceAllString(s.text, "  move 90")
			}
			if p := look(too).Power[0]; p.Left >= 0 {
				t.Errorf("%s: too much is %+v in\n%s", set, p, too)
			}
		})
		if summed == 0 {
			t.Errorf("%s: no set gives power", set)
		}
	}
}

// TestSliderKeepsWordsWithoutANumber checks that an order that is valid without its number stays when a slider goes to
// zero, and gets the number back from the same slider.
func TestSliderKeepsWordsWithoutANumber(t *testing.T) {
	view, _ := beginning(t, sfb.Family(), "sfb-house", "house-duel")
	d := compose.New(families())
	a := ask(t, d, map[string]any{"do": "open", "view": string(view)})
	before, after, _ := strings.Cut(a.Text, "\npower\n")
	text := before + "\npower\n  phasers 3 reserve\n" + after
	for _, step := range []struct {
		value int
		want  string
	}{{0, "phasers reserve"}, {2, "phasers 2 reserve"}} {
		set := ask(t, d, map[string]any{"do": "set", "text": text, "ship": a.Ships[0].ID, "name": "phasers reserve", "value": step.value})
		if text = set.Text; !set.OK || strings.Count(text, "phasers") != strings.Count(after, "phasers")+1 || !strings.Contains(text, "\n  "+step.want+"\n") {
			t.Errorf("%d: got %s%s, want the order %q", step.value, set.Error, text, step.want)
		}
	}
}

// Sliders have useful steps, show the power that an order takes, and arm weapons that are armed without a number.
func TestSlidersTellSteps(t *testing.T) {
	view, _ := beginning(t, fasa.Family(), "stcs-basic", "big-bad-wolf")
	d := compose.New(families())
	a := ask(t, d, map[string]any{"do": "open", "view": string(view)})
	head, _, _ := strings.Cut(a.Text, "\n")
	text := head + "\npower\n  move 8\n  arm bank-a 5\n#end\n"
	set := ask(t, d, map[string]any{"do": "set", "text": text, "ship": a.Ships[0].ID, "name": "arm torpedo-1", "value": 1})
	if !set.OK || !strings.Contains(set.Text, "\n  arm torpedo-1\n") {
		t.Fatalf("got %s%s, want the torpedo armed", set.Error, set.Text)
	}
	reply, err := json.Marshal(map[string]any{"do": "choices", "text": set.Text, "ship": a.Ships[0].ID})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Power []struct {
			Name                   string
			Max, Step, Cost, Value int
		}
	}
	if err := json.Unmarshal(d.Answer(reply), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string][4]int{"move": {44, 4, 8, 8}, "arm bank-a": {5, 1, 10, 5}, "arm torpedo-1": {1, 1, 1, 1}, "arm torpedo-2": {1, 1, 0, 0}}
	for _, p := range got.Power {
		if w, ok := want[p.Name]; ok && w != [4]int{p.Max, p.Step, p.Cost, p.Value} {
			t.Errorf("%s: got %+v, want %v", p.Name, p, w)
		}
		delete(want, p.Name)
	}
	if len(want) > 0 {
		t.Errorf("no sliders: %v in %+v", want, got.Power)
	}
}
