package fasa

import (
	"fmt"
	"strconv"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tell"
	"starpost/engine/rules/fasa/verbs"
	"starpost/orders"
)

// darkPart adds the orders and conditions about contacts, in books that can be played in the
// dark.
func darkPart() part {
	return part{
		Part: rulebook.Part{
			Verbs: []rulebook.Verb{
				{Section: "standing", Compile: verbs.CompileHold, Verb: ofPost(ship.PostWeapons, dark.HoldVerb())},
				{Compile: verbs.CompileDisengage, Verb: ofPost(ship.PostHelm, dark.DisengageVerb())},
				{Verb: family.ConnVerb()}, // a navigator turns it into other orders first
			},
			Params:   verbs.DarkParams(),
			Subjects: play.ContactSubjects(),
			Orders:   []string{ship.Hold},
			Standing: func(s ship.Standing) []string {
				if below := verbs.HeldBelow(s); below > 0 {
					return []string{"hold fire below " + strconv.Itoa(below)}
				}
				return nil
			},
		},
	}
}

// ofPost assigns a verb that all families share to a post.
func ofPost(post string, v orders.Verb) orders.Verb {
	v.Post = post
	return v
}

// decoysPart adds decoys: ships without weapons that look like others (ruling F20).
func decoysPart() part {
	return part{
		Part: rulebook.Part{
			Verbs: []rulebook.Verb{{Section: "standing", Compile: verbs.CompileStation, Verb: orders.Verb{
				Name: ship.Station, Forms: []orders.Form{"station on SHIP RANGE BEARING", "station off"}, Once: true,
				Doc: "For a decoy, in the dark: keep this many hexes from a ship of your side, in this direction on the map, on her heading, in each phase without movement orders of your own. " +
					"Without `move` under `power` she takes as many movement points as that ship, as far as her power allows.",
				Examples: []string{"station on Huron 2 A", "station off"},
			}}},
			Params:   map[string]orders.Param{"BEARING": {Class: orders.Choice, Choices: verbs.Headings(), Doc: "a direction, A to F clockwise from the top of the map"}},
			Keeps:    []ship.Share{&ship.Decoy{}},
			Bars:     verbs.BarsOfDecoys,
			Orders:   []string{ship.Station},
			Standing: rulebook.StationWords,
		},
	}
}

// labsPart adds laboratories: lit ones for the sensors (house 12.3), and what they gather (house 12.12 to 12.23).
// Ships have them in games in the dark (ruling F7).
func labsPart() part {
	p := part{
		Part: rulebook.Part{
			Verbs: []rulebook.Verb{{Section: "power", Compile: verbs.CompileLit, Verb: orders.Verb{
				Name: rulebook.VerbLabs, Forms: []orders.Form{"labs POWER"}, Once: true, Post: ship.PostEngineer, Examples: []string{"labs 2"},
				Doc: "In the dark, light this many laboratories for the turn, at 1 power each: each extends sensor range by 10 %. A lit laboratory does nothing else.",
			}}},
			Params: dark.LabParams(),
			Keeps:  []ship.Share{&ship.Labs{}},
			Panels: tell.LabPanels,
			Dice:   []engine.NamedDie{{Name: "lab.SHIP.N", Example: "t3.lab.hood.1", Die: dice.D6, What: "what laboratories gather; N counts a ship's jobs in the turn"}},
		},
	}
	p.Params["COUNT"] = orders.Param{Class: orders.Number, Doc: "boxes of laboratories"}
	for _, v := range dark.LabVerbs() {
		if v.Name != dark.VerbNew { // a side's code is its captains' matter
			v = ofPost(ship.PostScience, v)
		}
		p.Verbs = append(p.Verbs, rulebook.Verb{Compile: verbs.CompileLabs, Verb: v})
	}
	return p
}

// probesPart adds probes, which ships have in games in the dark.
func probesPart() part {
	flies := fmt.Sprintf("(a ship has one, and it takes no power). It leaves after all movement and flies to a hex, %d hexes a turn for %d turns, phase by phase like a ship with %d movement points", verbs.ProbeSpeed, verbs.ProbeTurns, verbs.ProbeSpeed)
	return part{
		Part: rulebook.Part{
			Verbs: []rulebook.Verb{{Section: "phase", Compile: verbs.CompileProbe, Verb: ofPost(ship.PostScience, dark.ProbeVerb("", flies))}},
			Keeps: []ship.Share{&ship.Probe{}},
		},
		events: []tell.Event{family.Own("probe", tell.Told[ship.ProbeLaunch]{
			Tell: func(n *tell.Narrator, b *ship.ProbeLaunch, cite string) {
				n.Line(0, cite, n.View.Name(b.Ship), " launches a probe, ", b.Craft)
			},
			Hers: true, Posts: []string{ship.PostScience},
		})},
	}
}
