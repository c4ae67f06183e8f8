package fasa

import (
	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// sensorsPart gives ships sensors (stcs 7).
func sensorsPart() part {
	return part{
		Part: Part{
			verbs:    sensorVerbs(),
			params:   sensorParams(),
			subjects: sensorSubjects(),
			keeps:    []ship.Share{&ship.Sensors{}},
			commission: func(k *commissioning) {
				k.sys.Put(&ship.Sensors{Navy: k.design.Navy, Crew: k.design.Crew})
			},
			orders:   []string{"sensors", "questions"},
			standing: sensorStanding,
			panels:   sensorPanels,
			robot:    watchWithSensors,
		},
		events: sensorEvents(),
	}
}

// cloakPart gives cloaking devices to the ships whose design has one (stcs 10.4 to
// 10.8). A scenario sets by the state key cloak how it stands at the start.
func cloakPart(systems []string) part {
	return part{
		Part: Part{
			verbs:      append(cloakVerbs(), scanVerbs()...),
			params:     cloakParams(systems),
			subjects:   cloakSubjects(),
			keeps:      []ship.Share{&ship.Cloak{}},
			commission: fitCloak,
			settle:     (*compiler).settleCloak,
			orders:     []string{"scan"},
			standing:   scanStanding,
			panels:     cloakPanels,
		},
		events: cloakEvents(),
	}
}

// minesPart is the laying of mines and what they do.
func minesPart() part {
	return part{
		Part: Part{
			verbs:  []verb{layVerb()},
			panels: minePanels,
		},
		foresee: (*forecast).warnLay,
		events:  []event{family.Own("mine", told[ship.MineMet]{Tell: (*narrator).mine, Posts: posts()})},
	}
}

// obstaclesPart is the events of obstacles.
func obstaclesPart() part {
	return part{
		Part: Part{},
		events: []event{
			family.Own("debris", told[ship.Debris]{Tell: (*narrator).debris, Why: whyStruck, Posts: posts()}),
			family.Also(told[ship.ShieldHit]{Tell: (*narrator).struck}),
		},
	}
}

// blastPart is the events of explosions and the order to explode.
func blastPart(phases int) part {
	return part{
		Part: Part{
			keeps:  []ship.Share{&ship.Blast{}},
			verbs:  []verb{destructVerb()},
			params: destructParams(phases),
		},
		events: []event{
			family.Own("explode", told[ship.Explode]{Tell: (*narrator).explode, Why: whyExplode, Posts: posts()}),
			family.Own("blast", told[ship.Blasted]{Tell: tellBlast, Why: whyBlasted, Unknown: blastInTheDark, Posts: posts()}),
		},
	}
}

// placePart lets captains choose where to begin, if the scenario lets them.
func placePart() part {
	return part{
		Part: Part{
			verbs: []verb{{compile: compilePlace, Verb: orders.Verb{
				Name: "place", Forms: []orders.Form{"place HEX HEADING"}, Once: true,
				Doc:      "Where your ship begins and how she heads, in the first turn, if the scenario leaves it to you: anywhere on the map, or on its border. Until then she stands where the scenario has her (" + cites.Placement.Ref() + ").",
				Examples: []string{"place 0714 B"},
			}}},
			params: map[string]orders.Param{"HEADING": {Class: orders.Choice, Choices: headings(), Doc: "a heading, A to F clockwise from the top of the map"}},
			keeps:  []ship.Share{new(ship.FreeStart)},
			commission: func(k *commissioning) {
				if free := ship.FreeStart(k.choice("free", ship.FreeAnywhere, ship.FreeEdge)); free != "" {
					k.sys.Put(&free)
				}
			},
			panels: func(_ *rulebook, v *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
				if sys.Free() == "" || v.Due != 1 || v.Round > 0 {
					return nil
				}
				return []engine.Panel{{Key: "place-" + string(s.ID), Title: s.Name + ": where to begin", Notes: []string{
					freeWords(sys.Free()) + ": write place HEX HEADING with the first orders, or begin where you are",
				}}}
			},
		},
		foresee: (*forecast).place,
		events: []event{family.Own("place", told[ship.Placed]{Posts: posts(), Tell: func(n *narrator, b *ship.Placed, cite string) {
			n.line(0, cite, n.v.Name(b.Ship), " begins at ", placeWords(b.At))
		}})},
	}
}
