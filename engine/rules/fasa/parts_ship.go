package fasa

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/forecast"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/fasa/tell"
	"starpost/engine/rules/fasa/verbs"
	"starpost/orders"
)

// enginesPart gives ships individual engines, of which the Basic Course knows only the sum,
// and lets captains choose the order in which hits take them.
func enginesPart(book *rulebook.Book) part {
	lose := verbs.StandingVerb(book, "lose")
	lose.Forms = append(slices.Clone(lose.Forms), "lose engines ENGINE...")
	lose.Doc += " Engines lose power in the order you name; any others follow, the one with the most power left first."
	lose.Examples = append(slices.Clone(lose.Examples), "lose engines impulse port")
	return part{
		Part: rulebook.Part{
			Verbs: []rulebook.Verb{{Verb: lose, Section: "standing", Whose: losesFirst, Compile: func(c *rulebook.Compiler, _ int, st orders.Statement) {
				if st.Form != 2 {
					c.Lose(st)
					return
				}
				var known []string
				for _, e := range c.Sys.Engines() {
					known = append(known, e.Name)
				}
				c.Plan.Standing.SetList("engines", c.Named(st.All("ENGINE"), known, "engine")...)
			}}},
			Params:     map[string]orders.Param{"ENGINE": {Class: orders.Name, Doc: "an engine as the report prints it"}},
			Keeps:      []ship.Share{&ship.EngineList{}},
			Commission: func(k *rulebook.Commissioning) { k.Sys.FitEngines(&k.Design) },
			Orders:     []string{"engines"},
			Standing: func(s ship.Standing) []string {
				if len(s.List("engines")) == 0 {
					return nil
				}
				return []string{"lose engines " + strings.Join(s.List("engines"), " ")}
			},
			Panels: func(_ *rulebook.Rules, _ *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
				p := engine.Panel{Key: "engines-" + string(s.ID), Posts: []string{ship.PostEngineer}, Title: s.Name + ": engines"}
				for _, e := range sys.Engines() {
					p.Notes = append(p.Notes, fmt.Sprintf("%s: %d of %d power", e.Name, e.Now, e.Max))
				}
				if mark := sys.Design.Doubt("engines"); mark != "" {
					p.Notes = append(p.Notes, "split of the power over the engines"+mark)
				}
				return []engine.Panel{p}
			},
		},
		events: []tell.Event{family.Own("strain", tell.Told[ship.Strain]{Tell: tell.TellStrain, Posts: []string{ship.PostEngineer, ship.PostScience}})},
	}
}

// losesFirst returns the post that orders which systems go first: the engineer for engines, else weapons.
func losesFirst(st orders.Statement) string {
	if st.Form == 2 {
		return ship.PostEngineer
	}
	return ship.PostWeapons
}

// helmPart lets ships go astern and make emergency heading changes (stcs 8.1, 8.2).
func helmPart(words []string) part {
	return part{
		Part: rulebook.Part{
			Params: map[string]orders.Param{"WORD": {
				Class: orders.Choice, Choices: words,
				Doc: "a movement word; besides those above, B: one hex astern, in a phase without turns, if the ship held through the phase before or is already going astern (likewise for going ahead again); EL and ER: one hex ahead with an emergency turn of two sides, once a phase, at the cost of engine power and -2 on the ship's own fire in the phase",
			}},
			Keeps: []ship.Share{&ship.Helm{}},
			Commission: func(k *rulebook.Commissioning) {
				h := &ship.Helm{Cruise: k.Design.Cruise, Top: k.Design.Emergency, Stress: k.Design.Stress}
				if h.Cruise == 0 && !k.Design.Outpost {
					h.Cruise, h.Top = play.UsualCruise, max(h.Top, play.UsualCruise+play.UsualSprint)
				}
				h.Top = max(h.Top, h.Cruise)
				h.Warp = k.Number("warp", 0, h.Top, h.Cruise)
				k.Sys.Put(h)
			},
			Panels: tell.HelmPanels,
		},
		events: []tell.Event{family.Own("helm", tell.Told[ship.HelmSet]{Tell: tell.TellHelm, Alone: tell.HelmWords, Posts: []string{ship.PostHelm}})},
	}
}

// hullPart gives ships detailed damage, and crews that can suffer casualties (stcs 15).
func hullPart() part {
	return part{
		Part: rulebook.Part{
			Keeps: []ship.Share{&ship.Hull{}, &ship.Crew{}},
			Commission: func(k *rulebook.Commissioning) {
				k.Sys.Put(&ship.Hull{Chart: k.Design.DamageChart}, &ship.Crew{Lost: k.Number("casualties", 0, ship.MaxLost, 0)})
				for i := range k.Sys.Banks {
					for m, mt := range k.Sys.Banks[i].Mounts {
						if mt.Destroyed {
							k.Sys.SetTrack(ship.MountFault(&k.Sys.Banks[i], i, m).Name, ship.Track{Boxes: 1})
						}
					}
				}
			},
			Settle: play.Unsteered,
			Panels: tell.CrewPanels,
		},
	}
}

// lasersPart lets weapons of some families fire more than once a turn (stcs 14.2,
// ruling D43): once in a phase, with an equal part of their power.
func lasersPart(book *rulebook.Book) part {
	arm, fire := verbs.VerbIn(verbs.PowerSection(book), "arm"), verbs.VerbIn(verbs.PhaseSection(book), "fire")
	arm.Forms = append(slices.Clone(arm.Forms), "arm MOUNT POWER... shots SHOTS")
	arm.Doc += " A laser may be armed for several shots, one in each phase in which you fire it: each does its power divided by the number of shots, rounded down, at most the laser's maximum (" + cites.Lasers.Ref() + "). A plasma launcher may be armed with half its power, for half the damage (" + cites.HalfPowerPlasma.Ref() + ")."
	arm.Examples = append(slices.Clone(arm.Examples), "arm bank-a 4 shots 2")
	fire.Doc = strings.Replace(fire.Doc, "A weapon fires once a turn;", "A weapon fires once a turn, a laser as often as it is armed for, once in a phase;", 1)
	return part{
		Part: rulebook.Part{
			Verbs: []rulebook.Verb{
				{Verb: arm, Section: "power", Compile: func(c *rulebook.Compiler, _ int, st orders.Statement) { c.ArmOrder(st) }},
				{Verb: fire, Section: "phase", Compile: func(c *rulebook.Compiler, n int, st orders.Statement) { c.Fire(n, st) }},
			},
			Params: map[string]orders.Param{"SHOTS": {Class: orders.Number, Doc: fmt.Sprintf("a number of shots, 1 to %d", tables.MostShots)}},
			Commission: func(k *rulebook.Commissioning) {
				for i, bd := range k.Design.Banks {
					if w, err := k.Rules.Mounted(bd); err == nil && i < len(k.Sys.Banks) {
						k.Sys.Banks[i].Shots = w.Shots
					}
				}
			},
		},
	}
}

// outpostsPart lets defence outposts take part (stcs 17): they neither move nor turn,
// and have no warp drive, but otherwise have all that ships have.
func outpostsPart() part {
	return part{Part: rulebook.Part{Commission: rulebook.Moor, Bars: verbs.Unmoved}}
}

// repairPart gives ships repair parties (stcs 11).
func repairPart() part {
	return part{
		Part: rulebook.Part{
			Verbs: verbs.RepairVerbs(),
			Keeps: []ship.Share{&ship.RepairState{}},
			Params: map[string]orders.Param{
				"REPAIRED": {Class: orders.Name, Doc: "a system that can be repaired: `shield-1` to `shield-6`, `sensors`; in the Graduate Course also `shield-grid`, `weapon-grid`, `converter` and weapon mounts"},
			},
			Commission: func(k *rulebook.Commissioning) {
				k.Sys.Put(&ship.RepairState{})
				for i, sh := range k.Sys.Shields {
					if sh.Down {
						k.Sys.SetTrack(ship.Generator(i+1).Name, ship.Track{Boxes: 1})
					}
				}
			},
			Orders:   []string{"repair"},
			Standing: func(s ship.Standing) []string { return []string{"repair " + verbs.OrAll(s.List("repair"))} },
			Panels:   tell.RepairPanels,
			Robot:    func(c *robot.Commander) { c.Standing.SetList("repair", wantedRepairs(c)...) },
		},
		events: []tell.Event{family.Own("repair", tell.Told[ship.Mend]{Tell: tell.TellRepair, Posts: []string{ship.PostScience}})},
	}
}

// evadePart lets ships evade missiles, plasma bolts and shells (stcs 8.4).
func evadePart() part {
	forms := []orders.Form{"evade HAND [against SHIP]", "evade HAND against MISSILE of SHIP", "evade never"}
	return part{
		Part: rulebook.Part{
			Verbs: []rulebook.Verb{
				{Section: "phase", Compile: verbs.CompileEvade, Verb: orders.Verb{
					Name: "evade", Forms: forms, When: true,
					Doc:      "Evade one missile (or plasma bolt, or shell) declared on you: an immediate turn of one side, for a point of superstructure. On 1 to 3 it does half damage, on the shield then facing it; otherwise full damage, as if you had not turned. All other fire hits you as you stood before. Of several missiles, you evade the one that would do most damage among those for whose ship the condition holds, of equals the nearest ship's, unless you name a ship or her weapon; range and the like refer to that ship. In the Advanced Course your own fire of the phase is withdrawn; in the Graduate Course it is at -4 (" + cites.Evasion.Ref() + ", " + cites.FireWhileEvading.Ref() + ").",
					Examples: []string{"evade port", "evade starboard against Zephyr when range <= 5", "evade port against torpedo-1 of Zephyr", "evade never"},
				}},
				{Section: "standing", Compile: verbs.CompileStandingEvade, Verb: orders.Verb{
					Name: "evade", Forms: forms, When: true,
					Doc:      "When to evade in phases whose own orders do not say; the first line whose condition holds counts. The lines of a new set replace all earlier ones; `evade never` removes them.",
					Examples: []string{"evade port when missile and range <= 5", "evade never"},
				}},
			},
			Params: map[string]orders.Param{
				"HAND":    {Class: orders.Choice, Choices: []string{"port", "starboard"}, Doc: "port (left) or starboard (right)"},
				"MISSILE": {Class: orders.Name, Doc: "a missile weapon of the other ship, as reports call it: `torpedo-1`"},
			},
			Robot:    forgetToEvade,
			Orders:   []string{"evade"},
			Standing: func(s ship.Standing) []string { return s.List("evade") },
		},
		events: []tell.Event{
			family.Own("evade", tell.Told[ship.Evade]{Tell: tell.TellEvade, Hers: true, Posts: []string{ship.PostHelm}}),
			family.Own("withdraw", tell.Told[ship.Withdraw]{Alone: tell.WithdrawWords, Hers: true}), // reports tell it by the skipped fire, and others see no fire
		},
	}
}

// tacticalPart adds the heading change after all movement (stcs 8.3).
func tacticalPart() part {
	return part{
		Part: rulebook.Part{
			Verbs: []rulebook.Verb{{Section: "phase", Compile: play.CompileTactical, Verb: orders.Verb{
				Name: "tactical", Forms: []orders.Form{"tactical DIRECTION", "tactical showing SHIELD to SHIP"}, When: true,
				Doc:      "A tactical heading change: a turn of one side after all ships have moved, at the cost of a point of superstructure and a point of power from each warp engine. With a shield named, the ship turns to the side that brings that shield nearer to facing the other ship, if either does. Of several such orders in a phase, the first whose condition holds is carried out (" + cites.TacticalHeadingChange.Ref() + ").",
				Examples: []string{"tactical left when shield 2 = 0", "tactical showing 3 to Zephyr when shield 2 < 4"},
			}}},
			Params: map[string]orders.Param{"DIRECTION": {Class: orders.Choice, Choices: []string{"left", "right"}, Doc: "left or right"}},
		},
		foresee: (*forecast.Forecast).TurnAfter,
	}
}

// warpPart lets ships change warp speed, to leave or to pursue (stcs 8.5).
func warpPart() part {
	return part{
		Part: rulebook.Part{
			Verbs: []rulebook.Verb{
				{Section: "", Compile: play.CompileWarp, Verb: orders.Verb{
					Name: "warp", Forms: []orders.Form{"warp STEP"}, Once: true, Post: ship.PostHelm, Ends: "she leaves the battle", Examples: []string{"warp +1"},
					Doc: "Change the warp speed by one at the end of the turn, up to the ship's maximum. She then leaves the battle, unless an enemy with a lock on her makes the same change or follows (" + cites.WarpChange.Ref() + ").",
				}},
				{Section: "standing", Compile: play.CompileFollow, Verb: orders.Verb{
					Name: "follow", Forms: []orders.Form{"follow SHIP..."}, Once: true, Examples: []string{"follow Zephyr", "follow all", "follow none"},
					Doc: "Enemies to follow when they change their warp speed: ships by name, `all` or `none`. You need a lock on the ship, and warp engines that allow the same change.",
				}},
			},
			Robot:  followLeavers,
			Orders: []string{"follow"},
			Standing: func(s ship.Standing) []string {
				if len(s.List("follow")) == 0 {
					return nil
				}
				return []string{"follow " + strings.Join(s.List("follow"), " ")}
			},
		},
		events: []tell.Event{family.Own("warp", tell.Told[ship.WarpSet]{Tell: tell.TellWarp, Unknown: rulebook.WarpInTheDark, Posts: rulebook.Posts()})},
	}
}
