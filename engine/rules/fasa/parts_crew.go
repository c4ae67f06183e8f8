package fasa

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// peoplePart gives ships captains and crews. A scenario sets their ratings by the
// state keys skill and efficiency; else they are rolled, or average.
func peoplePart() part {
	return part{
		Part: Part{
			keeps:      []ship.Share{&ship.People{}},
			commission: enlist,
			panels: func(_ *rulebook, _ *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
				if !sys.Has("people") {
					return nil
				}
				p := sys.People()
				return []engine.Panel{{Key: "people-" + string(s.ID), Title: s.Name + ": captain and crew", Notes: []string{
					"captain's skill " + ratingWords(p.Skill, p.SkillDue, SkillBase) + ", crew efficiency " + ratingWords(p.Efficiency, p.EfficiencyDue, efficiencyBase),
				}}}
			},
		},
		events: []event{family.Own("ratings", told[ship.Rated]{
			Tell: func(n *narrator, b *ship.Rated, cite string) {
				n.line(0, cite, fmt.Sprintf("%s: captain's skill %d, crew efficiency %d", n.v.Name(b.Ship), b.Skill, b.Efficiency))
			},
			Why: func(*rulebook, *engine.Story, int, *ship.Rated) []string {
				return []string{fmt.Sprintf("three dice and %d for a captain, three dice and %d for a crew; what the scenario gives is not rolled", SkillBase, efficiencyBase)}
			},
		})},
	}
}

// bonusPart lets crews do more than their duty (stcs 12.3).
func bonusPart() part {
	return part{
		Part: Part{
			verbs: []verb{
				{section: "power", compile: compileBonus, Verb: orders.Verb{
					Name: "bonus",
					Forms: []orders.Form{
						"bonus superstructure", "bonus engine ENGINE", "bonus power to movement", "bonus power to shield SHIELD", "bonus power to weapon MOUNT", "bonus none",
					},
					Once:     true,
					Doc:      "What the crew tries beyond its duty this turn: its efficiency or less on two dice repairs a point of superstructure, or of an engine, or gives a unit of power this turn, which goes where you say. 05 or less doubles it (" + cites.CrewBonus.Ref() + ").",
					Examples: []string{"bonus superstructure", "bonus engine port", "bonus power to shield 2"},
				}},
				{section: "standing", compile: compileBonuses, Verb: orders.Verb{
					Name: "bonus", Forms: []orders.Form{"bonus TASK..."}, Once: true,
					Doc:      "What the crew tries in turns without a bonus order: the first of the list where something is to be repaired. `engines` is the engine that has lost most; with `none` nothing is tried.",
					Examples: []string{"bonus superstructure engines", "bonus none"},
				}},
			},
			params: map[string]orders.Param{
				"TASK": {Class: orders.Choice, Choices: []string{bonusSuperstructure, bonusEngines, bonusNone}, Doc: "superstructure, engines or none"},
			},
			orders: []string{"bonus"},
			standing: func(s ship.Standing) []string {
				list := s.List("bonus")
				if len(list) == 0 {
					list = []string{bonusSuperstructure, bonusEngines}
				}
				return []string{"bonus " + strings.Join(list, " ")}
			},
			robot: useBonus,
		},
		events: []event{family.Own("bonus", told[ship.Bonus]{Tell: tellBonus})},
	}
}

// bridgePart gives ships officers with posts (stcs 19 to 24).
func bridgePart() part {
	return part{
		Part: Part{
			verbs:      bridgeVerbs(),
			params:     bridgeParams(),
			keeps:      []ship.Share{&ship.Bridge{}},
			commission: appoint,
			orders:     []string{standingGate, standingFire, standingCuts, standingDisarm, standingSlow, standingLower, standingLearn},
			standing:   bridgeStanding,
			panels:     bridgePanels,
			robot:      useSkills,
			dice:       crewDice(),
		},
		events: bridgeEvents(),
	}
}
