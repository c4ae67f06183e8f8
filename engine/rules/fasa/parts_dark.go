package fasa

import (
	"fmt"
	"strconv"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// darkPart is what captains may order and ask of their contacts, in books that can be played in the
// dark.
func darkPart() part {
	return part{
		Part: Part{
			verbs: []verb{
				{section: "standing", compile: compileHold, Verb: dark.HoldVerb()},
				{compile: compileDisengage, Verb: dark.DisengageVerb()},
				{Verb: family.ConnVerb()}, // of which a navigator makes other orders first,
			},
			params:   darkParams(),
			subjects: contactSubjects(),
			orders:   []string{ship.Hold},
			standing: func(s ship.Standing) []string {
				if below := heldBelow(s); below > 0 {
					return []string{"hold fire below " + strconv.Itoa(below)}
				}
				return nil
			},
		},
	}
}

// decoysPart is decoys: ships without weapons that show as others do (ruling F20).
func decoysPart() part {
	return part{
		Part: Part{
			verbs: []verb{{section: "standing", compile: compileStation, Verb: orders.Verb{
				Name: ship.Station, Forms: []orders.Form{"station on SHIP RANGE BEARING", "station off"}, Once: true,
				Doc: "Of a decoy, in the dark: keep so many hexes from a ship of your side, in that direction on the map, and head as she does, in each phase without movement orders of your own. " +
					"Without `move` under `power` she takes as many movement points as that ship, as far as her power goes.",
				Examples: []string{"station on Huron 2 A", "station off"},
			}}},
			params:   map[string]orders.Param{"BEARING": {Class: orders.Choice, Choices: headings(), Doc: "a direction, A to F clockwise from the top of the map"}},
			keeps:    []ship.Share{&ship.Decoy{}},
			bars:     barsOfDecoys,
			orders:   []string{ship.Station},
			standing: func(s ship.Standing) []string { return stationWords(s) },
		},
	}
}

// labsPart is laboratories: lit ones for the sensors (house 12.3), and what they gather (house 12.12 to 12.23).
// Ships have them in games in the dark (ruling F7).
func labsPart() part {
	p := part{
		Part: Part{
			verbs: []verb{{section: "power", compile: compileLit, Verb: orders.Verb{
				Name: verbLabs, Forms: []orders.Form{"labs POWER"}, Once: true, Examples: []string{"labs 2"},
				Doc: "In the dark, light so many laboratories for the turn, for 1 power each: each has the sensors reach 10 % farther. A lit one does nothing else.",
			}}},
			params: dark.LabParams(),
			keeps:  []ship.Share{&ship.Labs{}},
			panels: labPanels,
			dice:   []engine.NamedDie{{Name: "lab.SHIP.N", Example: "t3.lab.hood.1", Die: dice.D6, What: "what laboratories gather; N counts the jobs of a ship in the turn"}},
		},
	}
	p.params["COUNT"] = orders.Param{Class: orders.Number, Doc: "boxes of laboratories"}
	for _, v := range dark.LabVerbs() {
		p.verbs = append(p.verbs, verb{compile: compileLabs, Verb: v})
	}
	return p
}

// probesPart is probes, which ships have in games in the dark.
func probesPart() part {
	flies := fmt.Sprintf("of which a ship has one, without power. It leaves her when all have moved, flies %d hexes a turn for %d turns, as a ship of %d movement points would by phases, to a hex", probeSpeed, probeTurns, probeSpeed)
	return part{
		Part: Part{
			verbs: []verb{{section: "phase", compile: compileProbe, Verb: dark.ProbeVerb("", flies)}},
			keeps: []ship.Share{&ship.Probe{}},
		},
		events: []event{family.Own("probe", told[ship.ProbeLaunch]{
			Tell: func(n *narrator, b *ship.ProbeLaunch, cite string) {
				n.line(0, cite, n.v.Name(b.Ship), " launches a probe, ", b.Craft)
			},
			Hers: true, Posts: []string{ship.PostScience},
		})},
	}
}
