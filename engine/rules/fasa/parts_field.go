package fasa

import (
	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/forecast"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tell"
	"starpost/engine/rules/fasa/verbs"
	"starpost/orders"
)

// sensorsPart gives ships sensors (stcs 7).
func sensorsPart() part {
	return part{
		Part: rulebook.Part{
			Verbs:    verbs.SensorVerbs(),
			Params:   verbs.SensorParams(),
			Subjects: play.SensorSubjects(),
			Keeps:    []ship.Share{&ship.Sensors{}},
			Commission: func(k *rulebook.Commissioning) {
				k.Sys.Put(&ship.Sensors{Navy: k.Design.Navy, Crew: k.Design.Crew})
			},
			Orders:   []string{"sensors", "questions"},
			Standing: verbs.SensorStanding,
			Panels:   tell.SensorPanels,
			Robot:    watchWithSensors,
		},
		events: tell.SensorEvents(),
	}
}

// cloakPart gives cloaking devices to the ships whose design has one (stcs 10.4 to
// 10.8). A scenario sets the state of the cloak at the start by the state key cloak.
func cloakPart(systems []string) part {
	return part{
		Part: rulebook.Part{
			Verbs:      append(verbs.CloakVerbs(), play.ScanVerbs()...),
			Params:     verbs.CloakParams(systems),
			Subjects:   play.CloakSubjects(),
			Keeps:      []ship.Share{&ship.Cloak{}},
			Commission: play.FitCloak,
			Settle:     verbs.SettleCloak,
			Orders:     []string{"scan"},
			Standing:   play.ScanStanding,
			Panels:     tell.CloakPanels,
		},
		events: tell.CloakEvents(),
	}
}

// minesPart adds minelaying and the effects of mines.
func minesPart() part {
	return part{
		Part: rulebook.Part{
			Verbs:  []rulebook.Verb{verbs.LayVerb()},
			Panels: tell.MinePanels,
		},
		foresee: (*forecast.Forecast).WarnLay,
		events:  []tell.Event{family.Own("mine", tell.Told[ship.MineMet]{Tell: (*tell.Narrator).Mine, Posts: rulebook.Posts()})},
	}
}

// obstaclesPart adds the events of obstacles.
func obstaclesPart() part {
	return part{
		Part: rulebook.Part{},
		events: []tell.Event{
			family.Own("debris", tell.Told[ship.Debris]{Tell: (*tell.Narrator).Debris, Why: tell.WhyStruck, Posts: rulebook.Posts()}),
			family.Also(tell.Told[ship.ShieldHit]{Tell: (*tell.Narrator).Struck}),
		},
	}
}

// blastPart adds explosions, and the order to self-destruct.
func blastPart(phases int) part {
	return part{
		Part: rulebook.Part{
			Keeps:  []ship.Share{&ship.Blast{}},
			Verbs:  []rulebook.Verb{verbs.DestructVerb()},
			Params: verbs.DestructParams(phases),
		},
		events: []tell.Event{
			family.Own("explode", tell.Told[ship.Explode]{Tell: (*tell.Narrator).Explode, Why: tell.WhyExplode, Posts: rulebook.Posts()}),
			family.Own("blast", tell.Told[ship.Blasted]{Tell: tell.TellBlast, Why: tell.WhyBlasted, Unknown: rulebook.BlastInTheDark, Posts: rulebook.Posts()}),
		},
	}
}

// placePart lets captains choose where to begin, if the scenario allows it.
func placePart() part {
	return part{
		Part: rulebook.Part{
			Verbs: []rulebook.Verb{{Compile: verbs.CompilePlace, Verb: orders.Verb{
				Name: "place", Forms: []orders.Form{"place HEX HEADING"}, Once: true, Post: ship.PostHelm,
				Doc:      "Where your ship starts and her heading, in the first turn, if the scenario leaves that to you: anywhere on the map, or on its border. Until then she is where the scenario puts her (" + cites.Placement.Ref() + ").",
				Examples: []string{"place 0714 B"},
			}}},
			Params: map[string]orders.Param{"HEADING": {Class: orders.Choice, Choices: verbs.Headings(), Doc: "a heading, A to F clockwise from the top of the map"}},
			Keeps:  []ship.Share{new(ship.FreeStart)},
			Commission: func(k *rulebook.Commissioning) {
				if free := ship.FreeStart(verbs.Choice(k, "free", ship.FreeAnywhere, ship.FreeEdge)); free != "" {
					k.Sys.Put(&free)
				}
			},
			Panels: func(_ *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
				if sys.Free() == "" || v.Due != 1 || v.Round > 0 {
					return nil
				}
				return []engine.Panel{{Key: "place-" + string(s.ID), Posts: []string{ship.PostHelm}, Title: s.Name + ": where to start", Notes: []string{
					verbs.FreeWords(sys.Free()) + ": write place HEX HEADING in your first orders, or start where you are",
				}}}
			},
		},
		foresee: (*forecast.Forecast).Place,
		events: []tell.Event{family.Own("place", tell.Told[ship.Placed]{Posts: rulebook.Posts(), Tell: func(n *tell.Narrator, b *ship.Placed, cite string) {
			n.Line(0, cite, n.View.Name(b.Ship), " begins at ", verbs.PlaceWords(b.At))
		}})},
	}
}
