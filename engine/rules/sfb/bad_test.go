package sfb

import (
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/scenario"
	"starpost/orders"
)

const badGame = `
format = 1
name = "bad"
title = "Bad"
rules = "sfb-house"
options = {cannon = "on"}
side = [{id = "a"}, {id = "b"}]
ship = [
  {name = "Hood", side = "a", class = "federation-ca", hex = "1010", heading = "A", state = {speed = 8, photon-a = 1, parties = 0}},
  {name = "Fang", side = "b", class = "kzinti-cs", hex = "1007", heading = "D", state = {speed = 8}},
  {name = "Gurkan", side = "b", class = "klingon-f5", hex = "1060", heading = "D"},
]
`

// TestWhatIsWrongInAHouseSetIsToldAndNothingElseLost: each mistake possible under the house rules has its code, its
// line and a hint, and every other line of the set works as without it. In the dark, a ship with an unknown sheet is
// reported as the turn is played: the case house-36.2-sheet.
func TestWhatIsWrongInAHouseSetIsToldAndNothingElseLost(t *testing.T) {
	r := houseRules(t)
	sc, diags := scenario.Parse([]byte(badGame))
	if sc == nil {
		t.Fatal(diags)
	}
	g, diags := sc.NewGame(r, "bad", nil)
	if g == nil {
		t.Fatal(diags)
	}
	hood, _ := g.Ship("hood")
	state.Of(hood).Rigged = map[string]int{"photon-a": 1}
	state.Of(hood).Probes = 1 // her one rack is empty
	if err := (&state.CraftLaunch{Ship: "hood", Craft: "b1", Short: "b1", At: engine.Place{Hex: hood.Hex}, Flight: state.Flight{Kind: sheet.Shuttle, Points: 6}}).Apply(g); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ what, ship, power, phase, code, hint string }{
		{"a speed that is none of the six", "Hood", "speed 2.7", "", "E031", "2.5"},
		{"a faster one", "Hood", "speed 4", "", "E031", "such as"},
		{"acceleration by two steps", "Hood", "speed 3", "", "E201", "2.5 comes next"},
		{"a speed of a phase that is none of the six", "Hood", "", "speed 7 on 2", "E031", "such as"},
		{"acceleration by two steps in an impulse", "Hood", "", "speed 3 on 2", "E201", "2 comes next"},
		{"aim at range 3", "Hood", "", "fire ph-2 at Fang aimed 11", "W216", "come"},
		{"aim at a row that the chart lacks", "Hood", "", "fire ph-2 at Fang aimed 13", "E225", "2 to 12"},
		{"a cannon split over its damage", "Fang", "", "fire cannon-1 along A split 7 6", "E229", ""},
		{"a shot of no points", "Fang", "", "fire cannon-1 along A split 7 0 5", "E227", ""},
		{"an overload of what was mended", "Hood", "arm photon-a overload", "", "E222", "arm it as it is"},
		{"a tractor beam at more than its range", "Hood", "", "tractor Gurkan with 3", "E242", ""},
		{"a tractor beam with more energy than there is", "Hood", "", "tractor Fang with 99", "E241", "at most"},
		{"a raid without boarding parties", "Hood", "", "raid Fang lab", "E244", ""},
		{"a shuttle that sends and receives in one turn", "Hood", "", "shuttle b1 receive Hood\n  shuttle b1 send Hood", "E251", "next turn"},
		{"boarding without boarding parties", "Hood", "", "board Fang with 1", "E244", ""},
		{"a probe from an empty rack", "Hood", "", "probe to 1007 study Fang", "E250", "leave it out"},
	} {
		t.Run(c.what, func(t *testing.T) {
			s, _ := g.Ship(engine.ShipID(strings.ToLower(c.ship)))
			v, err := engine.BuildView(r, g, nil, g.Viewer(s))
			if err != nil {
				t.Fatal(err)
			}
			checked := func(power, phase string) (engine.Checked, []string) {
				text := "#orders bad turn 1 ship " + c.ship + "\npower\n  phasers 2\n" + power +
					"phase 1\n  face nearest\n  fire ph-1 at nearest on 2\n" + phase + "standing\n  reinforce struck up to 3\n#end\n"
				blocks, diags := orders.Parse([]byte(text), r.Language)
				if len(blocks) != 1 {
					t.Fatalf("%s\n%v", text, diags)
				}
				out := r.Check(v, s.ID, blocks[0])
				out.Diagnostics = append(diags, out.Diagnostics...)
				return out, strings.Split(text, "\n")
			}
			wrong := "  " + c.power + c.phase + "\n"
			if c.power != "" {
				c.power = wrong
			} else {
				c.phase = wrong
			}
			got, lines := checked(c.power, c.phase)
			told := strings.Split(strings.TrimSpace(wrong), "\n")
			line := slices.Index(lines, "  "+strings.TrimSpace(told[len(told)-1])) + 1
			if len(got.Diagnostics) != 1 {
				t.Fatalf("told is %v", got.Diagnostics)
			}
			if d := got.Diagnostics[0]; d.Code != c.code || d.Pos.Line != line || d.Pos.Col == 0 || d.Hint == "" || !strings.Contains(d.Hint, c.hint) {
				t.Errorf("told is %s in line %d, column %d: %s (%s); want %s in line %d (%s)", d.Code, d.Pos.Line, d.Pos.Col, d.Message, d.Hint, c.code, line, c.hint)
			}
			done := func(of engine.Checked, lines []string) (out []string) { // lines with an effect
				for _, e := range of.Effects {
					if text := lines[e.Line-1]; !strings.Contains(wrong, text+"\n") {
						out = append(out, text)
					}
				}
				return out
			}
			clean, all := checked("", "")
			want := done(clean, all)
			for _, w := range want {
				if !slices.Contains(done(got, lines), w) {
					t.Errorf("without that line %q, and with it:\n%s", w, strings.Join(done(got, lines), "\n"))
				}
			}
			if len(want) == 0 || !strings.Contains(strings.Join(got.Summary, " "), "2 to the phasers") {
				t.Errorf("the other lines do %q, in all %q", want, got.Summary)
			}
		})
	}
}
