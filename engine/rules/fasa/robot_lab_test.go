package fasa

import (
	"fmt"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// TestRobotsUseLaboratories checks robots' orders in one situation each, in every book that can be played in the dark:
// laboratories work on what is near enough and not yet known, and have power while nothing is found.
func TestRobotsUseLaboratories(t *testing.T) {
	const letter = "[[file]]\nname = \"letter\"\nship = \"Mate\"\n[[victory]]\nside = \"red\"\nwhen = \"file\"\nfile = \"letter\"\nships = [\"Hood\"]\nedge = \"north\"\n" +
		"[[victory]]\nside = \"green\"\nwhen = \"file\"\nfile = \"letter\"\nedge = \"south\"\n"
	hear := func(text []string) func(*engine.Game, *engine.View) {
		return func(_ *engine.Game, v *engine.View) {
			v.Events = append(v.Events, engine.Entry{Body: &dark.Overheard{Ship: "hood", Coded: true, Text: text}})
		}
	}
	knows := func(points int) func(*engine.Game, *engine.View) {
		return func(_ *engine.Game, v *engine.View) {
			v.Ships[0].Gathered = []engine.LabView{{Job: engine.JobStudy, What: "c01", Points: points}}
		}
	}
	for name, test := range map[string]struct {
		mate, foe, more, of string // where they are; whose orders are checked, blank for Hood's
		labs                int    // of Hood; 0: the usual 4
		set                 func(*engine.Game, *engine.View)
		has, not            []string
	}{
		"nothing is found":                    {mate: "1052", foe: "10.99", has: []string{"labs 4\n"}, not: []string{"study", "steal"}},
		"more than a tenth of her power":      {mate: "1052", foe: "10.99", labs: 9, has: []string{"labs 4\n"}},
		"a contact within reach":              {mate: "1052", foe: "1024", has: []string{"study c01 with 4\n"}, not: []string{"labs"}},
		"a contact too far away":              {mate: "1052", foe: "1025", not: []string{"study", "labs"}},
		"a contact of which little is known":  {mate: "1052", foe: "1020", set: knows(7), has: []string{"study c01 with 4\n"}},
		"a contact whose sheet is drawn":      {mate: "1052", foe: "1020", set: knows(8), not: []string{"study", "labs"}},
		"a code that is not read":             {mate: "1052", foe: "1020", set: hear(nil), has: []string{"decode any with 4\n"}, not: []string{"study"}},
		"a code that is read":                 {mate: "1052", foe: "1020", set: hear([]string{"Fire"}), has: []string{"study"}, not: []string{"decode"}},
		"who takes a file away":               {mate: "1012", foe: "10.99", more: letter, has: []string{"receive letter with 4\n", "pursue Mate to 1"}, not: []string{"labs", "study"}},
		"... and an enemy near":               {mate: "1012", foe: "1020", more: letter, has: []string{"receive letter with 4\n"}, not: []string{"study"}},
		"... far from who has it":             {mate: "1029", foe: "10.99", more: letter, has: []string{"labs 4\n", "pursue Mate to 1"}, not: []string{"receive"}},
		"... with it aboard":                  {mate: "1012", foe: "10.99", more: strings.Replace(letter, "ship = \"Mate\"", "ship = \"Hood\"", 1), not: []string{"receive", "send", "pursue"}},
		"who has a file":                      {of: "mate", mate: "1012", foe: "10.99", more: letter, has: []string{"send file letter to Hood\n", "pursue Hood to 1"}},
		"... far from who takes it away":      {of: "mate", mate: "1029", foe: "10.99", more: letter, has: []string{"pursue Hood to 1"}, not: []string{"send"}},
		"... with an enemy near":              {of: "mate", mate: "1012", foe: "1018", more: letter, has: []string{"send file letter to Hood\n", "study c02 with 4\n"}},
		"who steals a file, with ships near":  {of: "foe", mate: "1012", foe: "1020", more: letter, has: []string{"steal letter with 4\n"}, not: []string{"study"}},
		"who steals a file, with no one near": {of: "foe", mate: "1012", foe: "10.99", more: letter, has: []string{"labs 4\n"}, not: []string{"steal"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range darkBooks(t) {
				labs := ""
				if test.labs > 0 {
					labs = fmt.Sprintf("blind = { labs = %d }", test.labs)
				}
				text := darkScenario(r, darkShip("Hood", "red", "constitution-hood", "1010", "A", labs), darkShip("Mate", "red", "constitution-hood", test.mate, "A", ""),
					darkShip("Foe", "green", "d-10-wolf", test.foe, "A", ""), test.more)
				g := gameOf(t, r, strings.Replace(text, "[blind]", "bounds = { columns = 44, rows = 120 }\n[blind]", 1))
				id := test.of
				if id == "" {
					id = "hood"
				}
				v := viewOf(t, r, g, nil, engine.ShipID(id))
				if test.set != nil {
					test.set(g, v)
				}
				orderSet := r.Robot(v, engine.ShipID(id)).String()
				for _, want := range test.has {
					if !strings.Contains(orderSet, want) {
						t.Errorf("%s: no %q in:\n%s", r.Name, want, orderSet)
					}
				}
				for _, no := range test.not {
					if strings.Contains(orderSet, no) {
						t.Errorf("%s: %q in:\n%s", r.Name, no, orderSet)
					}
				}
				blocks, diags := orders.Parse([]byte("#orders game turn 1 ship "+mustShip(g, engine.ShipID(id)).Name+"\n"+orderSet+"#end\n"), r.Language)
				if len(blocks) != 1 || orders.HasErrors(append(diags, r.Check(v, engine.ShipID(id), blocks[0]).Diagnostics...)) {
					t.Errorf("%s: %v in:\n%s", r.Name, diags, orderSet)
				}
			}
		})
	}
}

// TestRobotsSpareWhatMovementHas: with the converter out, movement gets what it got last turn, laboratories the rest.
func TestRobotsSpareWhatMovementHas(t *testing.T) {
	for last, want := range map[int]string{44: "", 42: "labs 2\n", 4: "labs 4\n"} {
		r := rulesOf(t, Graduate)
		g := labGame(t, r, "")
		mustShip(g, "riskadh").Hex = mustShip(g, "riskadh").Hex.StepN(3, 80)
		g.Blind.Logs[0].Contacts, g.Blind.Logs[1].Contacts = nil, nil
		sys := ship.Of(mustShip(g, "hood"))
		sys.Put(&ship.RepairState{Tracks: map[string]ship.Track{ship.NameConverter: {Boxes: 1, Down: true}}})
		sys.Alloc.Available, sys.Alloc.Movement = sys.Power, last
		text := orderedBy(t, r, g, "hood")
		if !strings.Contains(text, want) || strings.Contains(text, "labs") != (want != "") {
			t.Errorf("with %d of %d power to movement want %q in:\n%s", last, sys.Power, want, text)
		}
		if _, err := robotsOrder(r, g, nil); err != nil {
			t.Error(err)
		}
	}
}
