package fasa

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/crew"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tell"
	"starpost/engine/rules/fasa/verbs"
	"starpost/orders"
)

// peoplePart gives ships captains and crews. A scenario sets their ratings by the state keys
// skill and efficiency; without these, ratings are rolled or average.
func peoplePart() part {
	return part{
		Part: rulebook.Part{
			Keeps:      []ship.Share{&ship.People{}},
			Commission: crew.Enlist,
			Panels: func(_ *rulebook.Rules, _ *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
				if !sys.Has("people") {
					return nil
				}
				p := sys.People()
				return []engine.Panel{{Key: "people-" + string(s.ID), Title: s.Name + ": captain and crew", Notes: []string{
					"captain's skill " + crew.RatingWords(p.Skill, p.SkillDue, crew.SkillBase) + ", crew efficiency " + crew.RatingWords(p.Efficiency, p.EfficiencyDue, crew.EfficiencyBase),
				}}}
			},
		},
		events: []tell.Event{family.Own("ratings", tell.Told[ship.Rated]{
			Tell: func(n *tell.Narrator, b *ship.Rated, cite string) {
				n.Line(0, cite, fmt.Sprintf("%s: captain's skill %d, crew efficiency %d", n.View.Name(b.Ship), b.Skill, b.Efficiency))
			},
			Why: func(*rulebook.Rules, *engine.Story, int, *ship.Rated) []string {
				return []string{fmt.Sprintf("three dice plus %d for a captain, three dice plus %d for a crew; ratings that the scenario gives are not rolled", crew.SkillBase, crew.EfficiencyBase)}
			},
		})},
	}
}

// bonusPart lets crews make an extra effort (stcs 12.3).
func bonusPart() part {
	return part{
		Part: rulebook.Part{
			Verbs: []rulebook.Verb{
				{Section: "power", Compile: crew.CompileBonus, Verb: orders.Verb{
					Name: "bonus",
					Forms: []orders.Form{
						"bonus superstructure", "bonus engine ENGINE", "bonus power to movement", "bonus power to shield SHIELD", "bonus power to weapon MOUNT", "bonus none",
					},
					Once:     true,
					Doc:      "The crew's extra effort this turn: its efficiency or less on two dice repairs a point of superstructure or of an engine, or gives a unit of power this turn, to go where you say. 05 or less doubles it (" + cites.CrewBonus.Ref() + ").",
					Examples: []string{"bonus superstructure", "bonus engine port", "bonus power to shield 2"},
				}},
				{Section: "standing", Compile: crew.CompileBonuses, Verb: orders.Verb{
					Name: "bonus", Forms: []orders.Form{"bonus TASK..."}, Once: true,
					Doc:      "The crew's extra effort in turns without a bonus order: the first task on the list with something to repair. `engines` is the engine that has lost most; `none` means no effort.",
					Examples: []string{"bonus superstructure engines", "bonus none"},
				}},
			},
			Params: map[string]orders.Param{
				"TASK": {Class: orders.Choice, Choices: []string{rulebook.BonusSuperstructure, rulebook.BonusEngines, rulebook.BonusNone}, Doc: "superstructure, engines or none"},
			},
			Orders: []string{"bonus"},
			Standing: func(s ship.Standing) []string {
				list := s.List("bonus")
				if len(list) == 0 {
					list = []string{rulebook.BonusSuperstructure, rulebook.BonusEngines}
				}
				return []string{"bonus " + strings.Join(list, " ")}
			},
			Robot: useBonus,
		},
		events: []tell.Event{family.Own("bonus", tell.Told[ship.Bonus]{Tell: tell.TellBonus})},
	}
}

// bridgePart gives ships officers with posts (stcs 19 to 24).
func bridgePart() part {
	return part{
		Part: rulebook.Part{
			Verbs:      verbs.BridgeVerbs(),
			Params:     verbs.BridgeParams(),
			Keeps:      []ship.Share{&ship.Bridge{}},
			Commission: crew.Appoint,
			Orders:     []string{rulebook.StandingGate, rulebook.StandingFire, rulebook.StandingCuts, rulebook.StandingDisarm, rulebook.StandingSlow, rulebook.StandingLower, rulebook.StandingLearn},
			Standing:   crew.BridgeStanding,
			Panels:     tell.BridgePanels,
			Robot:      useSkills,
			Dice:       crew.CrewDice(),
		},
		events: tell.BridgeEvents(),
	}
}
