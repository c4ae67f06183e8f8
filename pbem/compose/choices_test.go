package compose_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/rules/manual"
	"starpost/engine/testkit/enginetest"
	"starpost/pbem/compose"
)

// offered is the content of an answer to choices.
type offered struct {
	OK          bool
	Error, Hint string
	Steps       []struct {
		Title string
		Line  int
	}
	Reach   []struct{ Hex, Heading, Text string }
	Targets []struct {
		Ship  engine.ShipID
		Shots []struct{ Bank, Chance, Why, Text string }
	}
	Power []struct {
		Name            string
		Min, Max, Value int
	}
	Lists []struct {
		Name, Title string
		Items       []struct {
			Label, Help, Why, Text string
			On                     bool
		}
	}
}

// choices returns everything that can be clicked for a ship, with every list open and every target aimed at.
func choices(tb testing.TB, d *compose.Desk, text string, ship engine.ShipID, step int) (o offered) {
	tb.Helper()
	asked := func(open []string, target engine.ShipID) (o offered) {
		request, err := json.Marshal(map[string]any{"do": "choices", "text": text, "ship": ship, "step": step, "open": open, "target": target})
		if err != nil {
			tb.Fatal(err)
		}
		if err := json.Unmarshal(d.Answer(request), &o); err != nil {
			tb.Fatal(err)
		}
		return o
	}
	var open []string
	for _, l := range asked(nil, "").Lists {
		if open = append(open, l.Name); len(l.Items) > 0 {
			tb.Errorf("%s: list %q was not asked for, and has %d items", ship, l.Name, len(l.Items))
		}
	}
	o = asked(open, "")
	for _, l := range o.Lists {
		if len(l.Items) == 0 {
			tb.Errorf("%s: there is nothing in list %q", ship, l.Name)
		}
	}
	for i := range o.Targets {
		if t := &o.Targets[i]; len(t.Shots) == 0 {
			t.Shots = asked(nil, t.Ship).Targets[i].Shots
		}
	}
	return o
}

// texts returns the offered texts, by their purpose.
func (o offered) texts() map[string]string {
	out := map[string]string{}
	add := func(text, format string, args ...any) {
		if text != "" {
			out[fmt.Sprintf(format, args...)] = text
		}
	}
	for _, r := range o.Reach {
		add(r.Text, "reach %s %s", r.Hex, r.Heading)
	}
	for _, g := range o.Targets {
		for _, s := range g.Shots {
			add(s.Text, "fire %s at %s", s.Bank, g.Ship)
		}
	}
	for _, l := range o.Lists {
		for _, i := range l.Items {
			add(i.Text, "%s: %s", l.Title, i.Label)
		}
	}
	return out
}

// bare matches a row of a chart without a label: no 100%.
var bare = regexp.MustCompile(`\d{3}([^%]|$)`)

// inTheDark matches orders and conditions that have an effect only in blind games.
var inTheDark = regexp.MustCompile(`(?m)^[^:\n]+: (hold fire|relay|report contacts|new code|decode) |when (level|age) of `)

// TestWhatIsOfferedIsTaken checks that every text that can be clicked in orders without a mistake has none either, and
// that a choice that cannot be clicked says why. It checks a quarter of the texts; for more views: -views 4000.
func TestWhatIsOfferedIsTaken(t *testing.T) {
	for _, f := range families() {
		for _, set := range f.Sets {
			t.Run(set.Name, func(t *testing.T) {
				looked, texts := 0, 0
				dark, views := map[bool]int{}, map[bool]int{} // orders for blind games that are offered there, and in other games
				most := max(2, *mostViews/20/enginetest.Share)
				battles(t, f, set.Name, most, func(t *testing.T, s seat) {
					t.Helper()
					if s.rules.Robot == nil {
						s.text = strings.Replace(s.text, "#end", "turn towards the sun\n#end", 1)
					}
					var v struct{ Dark bool }
					if err := json.Unmarshal(s.view, &v); err != nil {
						t.Fatal(err)
					}
					d := opened(t, s.view)
					a := ask(t, d, map[string]any{"do": "open", "view": string(s.view)})
					if !ask(t, d, map[string]any{"do": "check", "text": s.text}).Accepted {
						return
					}
					for i, ship := range a.Ships {
						if !ship.Own || i%3 != looked%3 && len(a.Ships) > 4 {
							continue
						}
						o := choices(t, d, s.text, engine.ShipID(ship.ID), looked%5)
						if !o.OK {
							if strings.Contains(s.text, " "+ship.ID) {
								t.Errorf("%s: %s", ship.ID, o.Error)
							}
							continue
						}
						looked++
						views[v.Dark]++
						dark[v.Dark] += len(inTheDark.FindAllString(strings.Join(slices.Collect(maps.Keys(o.texts())), "\n"), -1))
						for _, foe := range o.Targets {
							for _, shot := range foe.Shots {
								if bare.MatchString(shot.Chance) {
									t.Errorf("%s, %s at %s: %q is no words", ship.ID, shot.Bank, foe.Ship, shot.Chance)
								}
							}
						}
						n := 0
						for what, text := range o.texts() {
							if n++; n%4 != looked%4 { // of some hundreds
								continue
							}
							texts++
							if a := ask(t, d, map[string]any{"do": "check", "text": text}); !a.Accepted {
								t.Errorf("%s, %s: %+v\n%s", ship.ID, what, a.Diagnostics, text)
							}
						}
					}
				})
				if dark[false] > 0 || dark[true] == 0 && views[true] > 0 && f.Name != manual.Name {
					t.Errorf("in the open %d orders for games in the dark are offered, and %d there: of %v views", dark[false], dark[true], views)
				}
				t.Logf("%d ships, %d texts", looked, texts)
			})
		}
	}
}
