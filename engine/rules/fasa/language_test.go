package fasa

import (
	"fmt"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// TestExamplesCanBeSent checks every example of the order reference for the Hood
// of The Big Bad Wolf: examples shown to captains must not be refused.
func TestExamplesCanBeSent(t *testing.T) {
	r := basicRules(t)
	g := scenarioGame(t, r, "big-bad-wolf")
	open := viewOf(t, r, g, nil, "hood")
	night := gameOf(t, r, darkScenario(r, darkShip("Hood", "red", "constitution-hood", "1010", "A", ""), darkShip("Zephyr", "red", "constitution-hood", "1110", "A", ""),
		darkShip("Huron", "red", "merchantman", "1026", "A", ""), darkShip("Husk", "red", "decoy", "1027", "A", "as = \"merchantman\"\n"),
		darkShip("Riskadh", "green", "d-10-wolf", "1014", "A", ""), darkShip("Gurkan", "green", "d-10-wolf", "1015", "A", ""))+"[[file]]\nname = \"charts\"\nship = \"Hood\"\n")
	unlit := viewOf(t, r, night, nil, "hood")
	ofLabs := map[string]bool{rulebook.VerbLabs: true, dark.VerbProbe: true}
	for _, verb := range dark.LabVerbs() {
		ofLabs[verb.Name] = true
	}
	for _, section := range r.Language.Sections {
		for _, verb := range section.Verbs {
			if len(verb.Examples) == 0 {
				t.Errorf("%s has no example", verb.Name)
			}
			for _, example := range verb.Examples {
				head := section.Name
				switch section.Name {
				case "phase":
					// Two points in every phase.
					head = "power\n move 6 points\n arm bank-b 1\n arm torpedo-1\nphase 2"
				case "":
					head = "power"
				}
				v, giver := open, "hood"
				switch {
				case ofLabs[verb.Name]:
					v = unlit
				case verb.Name == ship.Station:
					v, giver = viewOf(t, r, night, nil, "husk"), "husk"
				default:
					example = strings.ReplaceAll(example, "Zephyr", "Riskadh") // examples name a ship that no game has
				}
				text := fmt.Sprintf("#orders game turn 1 ship %s\n%s\n%s\n#end\n", giver, head, example)
				blocks, diags := orders.Parse([]byte(text), r.Language)
				if len(blocks) != 1 || orders.HasErrors(diags) {
					t.Errorf("%s\n%v", text, diags)
					continue
				}
				if c := r.Check(v, engine.ShipID(giver), blocks[0]); orders.HasErrors(c.Diagnostics) {
					t.Errorf("%s\n%v", text, c.Diagnostics)
				}
			}
		}
	}
}
