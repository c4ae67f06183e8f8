package sfb

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/tell"
	"starpost/orders"
)

// tractorPart has tractor beams and towing (house 71.61, 71.8).
var tractorPart = part{
	Part: rulebook.Part{
		Has: func(b *rulebook.Book) bool { return b.TractorRange > 0 },
		Verbs: func(b *rulebook.Book) (power, phase []orders.Verb) {
			power = []orders.Verb{{
				Name: rulebook.VerbTractor, Forms: []orders.Form{"tractor ENERGY"}, Once: true, Examples: []string{"tractor 6"},
				Doc: "Set energy aside for tractor beams; anything beyond it comes from the reserve, then the batteries.",
			}}
			phase = []orders.Verb{{
				Name: rulebook.VerbTractor, Forms: []orders.Form{"tractor SHIP with ENERGY [on IMPULSE]"}, When: true, Examples: []string{"tractor Zephyr with 6", "tractor nearest with 4 on 3"},
				Doc: fmt.Sprintf("Put a tractor beam on a ship, as soon as she is within %s; one for each tractor box. The energy divided by what a hex costs her is the number of hexes she loses this turn; she stops after the rest. If that is more than all of them, she is caught, with a breakdown roll if she was moving, and towed: a hex then costs both ships' energy, and the worse turn mode applies. To keep her, repeat the order in phase 1 of each turn.", phrase.Hexes(b.TractorRange)),
			}}
			return power, phase
		},
		Read:   play.ReadTractor,
		Purses: []string{rulebook.VerbTractor},
		Begin:  func(l *rulebook.Rules, t *engine.Turn) { play.HoldOn(l, t) },
		Steer:  func(l *rulebook.Rules, t *engine.Turn) { play.Loosen(l, t) },
		// Steer releases ships that are gone before she would pay for towing them.
		Act: func(l *rulebook.Rules, t *engine.Turn) {
			play.Loosen(l, t)
			play.CarryOut(l, t, rulebook.VerbTractor, func(s, target *engine.Ship, a *rulebook.Act) string { return play.Tractor(l, t, s, target, a) })
		},
		Dice: []engine.NamedDie{{Name: "breakdown.SHIP.N", Example: "t3.p2.breakdown.gurkan.1", Die: dice.D6, What: "whether a ship's engines break down; N counts her rolls in the impulse"}},
		Sheet: func(_ *rulebook.Rules, v *engine.View, sys *state.System) (out []string) {
			for _, g := range sys.Holds {
				out = append(out, fmt.Sprintf("holds %s with a tractor beam: a hex takes %s energy; to keep her, write in phase 1: tractor %s with N", v.Name(g.Ship), sheet.Fraction(sys.HexCost()), v.Name(g.Ship)))
			}
			if sys.Held != "" {
				out = append(out, "held by the tractor beam of "+v.Name(sys.Held)+": she cannot move by herself until, at the start of a turn, her speed is more than it takes off")
			}
			return out
		},
		Mark: func(v *engine.View, known state.Open) string {
			if known.Held != "" {
				return "held by " + v.Name(known.Held)
			}
			return ""
		},
	},
	events: []tell.Event{
		family.Own("tractor", tell.Told[state.Beam]{Tell: tell.Says(play.TractorWords), Why: play.WhyTractor}),
		family.Own("release", tell.Told[state.Release]{Tell: tell.Says(func(_ *rulebook.Rules, v *engine.View, b *state.Release) string {
			return fmt.Sprintf("%s no longer holds %s: %s", v.Name(b.Ship), v.Name(b.Target), b.Why)
		})}),
		family.Own("breakdown", tell.Told[state.Breakdown]{Tell: tell.Says(play.BreakdownWords)}),
	},
}

// hidingPart has the cloak that takes a ship off the map (house 41.7, 41.71).
var hidingPart = part{
	Part: rulebook.Part{
		Has: func(b *rulebook.Book) bool { return b.Cloak.Hides },
		Verbs: func(b *rulebook.Book) (power, phase []orders.Verb) {
			return nil, []orders.Verb{{
				Name: rulebook.VerbCloak, Forms: []orders.Form{"cloak STATE [at IMPULSE]"}, When: true, Examples: []string{"cloak on", "cloak off at 5"},
				Doc: fmt.Sprintf("Cloak or uncloak before the movement of an impulse; pay for it under power. A cloaked ship is off the map for all but her own side: nobody can target her, drones lose her, and she cannot fire or launch. A plasma torpedo fired at her earlier still seeks her, and keeps her on the map; fire at her then counts as from %d hexes farther. A ship cloaked at the start of a turn stays cloaked while it is paid for.", b.Cloak.More),
			}}
		},
		Params: map[string]orders.Param{"STATE": {Class: orders.Choice, Choices: []string{"on", "off"}, Doc: "on or off"}},
		Read:   play.ReadCloak,
		Steer: func(l *rulebook.Rules, t *engine.Turn) {
			play.CarryOut(l, t, rulebook.VerbCloak, func(s, _ *engine.Ship, a *rulebook.Act) string { return play.SwitchCloak(l, t, s, a) })
		},
		Act: func(l *rulebook.Rules, t *engine.Turn) { play.BlindFire(l, t) },
		Sheet: func(_ *rulebook.Rules, _ *engine.View, sys *state.System) []string {
			if sys.Sheet.Cloak > 0 && sys.Cloaked {
				return []string{"others cannot see her; without cloak under power she uncloaks as the turn begins"}
			}
			return nil
		},
	},
	events: []tell.Event{family.Own("cloak", tell.Told[state.Cloak]{Tell: tell.Says(func(_ *rulebook.Rules, v *engine.View, b *state.Cloak) string {
		if b.On {
			return v.Name(b.Ship) + " cloaks, and is off the map"
		}
		return fmt.Sprintf("%s uncloaks at %s heading %s", v.Name(b.Ship), b.At.Hex.Label(), b.At.Heading)
	})})},
}

// boardingPart has transporters, raids and boarding (house 33.6, 33.91).
var boardingPart = part{
	Part: rulebook.Part{
		Has: func(b *rulebook.Book) bool { return b.Boarding.Range > 0 },
		Verbs: func(b *rulebook.Book) (power, phase []orders.Verb) {
			over := fmt.Sprintf("by transporter, within %s, one box a party, %d for one energy. The target's shield that faces the ship must be down; the ship's own drops until the turn ends", phrase.Hexes(b.Boarding.Range), b.Boarding.Uses)
			power = []orders.Verb{{
				Name: rulebook.VerbTransporter, Forms: []orders.Form{"transporter ENERGY"}, Once: true, Examples: []string{"transporter 1"},
				Doc: "Set energy aside for transporters; anything beyond it comes from the reserve, then the batteries.",
			}}
			phase = []orders.Verb{{
				Name: rulebook.VerbRaid, Forms: []orders.Form{"raid SHIP BOX [on IMPULSE]", "raid SHIP BOX steal [on IMPULSE]"}, When: true, Examples: []string{"raid Zephyr photon-a", "raid Zephyr lab steal on 3"},
				Doc: "Send a boarding party against a box of a ship, " + over + ". On a 1 the box is destroyed and the party returns, on 2 both are lost, on 3 to 5 the party, on 6 neither. A raid to steal from a laboratory takes what the ship knows on a 1, and leaves the box.",
			}, {
				Name: rulebook.VerbBoard, Forms: []orders.Form{"board SHIP with PARTIES [on IMPULSE]"}, When: true, Examples: []string{"board Zephyr with 3"},
				Doc: "Send boarding parties to take a ship, " + over + ". At the end of each turn both sides fight, with a die each for losses; a ship without parties of her own is captured. On a ship of their own side they help to defend her.",
			}}
			return power, phase
		},
		Params: map[string]orders.Param{
			"PARTIES": {Class: orders.Number, Doc: "boarding parties"},
		},
		Read:   play.ReadBoarding,
		Purses: []string{rulebook.VerbTransporter},
		Act: func(l *rulebook.Rules, t *engine.Turn) {
			play.CarryOut(l, t, rulebook.VerbRaid, func(s, target *engine.Ship, a *rulebook.Act) string { return play.Raid(l, t, s, target, a) })
			play.CarryOut(l, t, rulebook.VerbBoard, func(s, target *engine.Ship, a *rulebook.Act) string {
				_, why := play.Transport(l, t, s, target, a, a.N)
				return why
			})
		},
		End: func(l *rulebook.Rules, t *engine.Turn) { play.Fights(l, t) },
		Dice: []engine.NamedDie{
			{Name: "raid.SHIP.N", Example: "t3.p2.raid.hood.1", Die: dice.D6, What: "the outcome of a raid; N counts the parties the ship has sent in the turn"},
			{Name: "board.SHIP.SHIP", Example: "t3.board.hood.gurkan", Die: dice.D6, What: "losses that the first ship's boarding parties inflict on the second"},
			{Name: "repel.SHIP", Example: "t3.repel.gurkan", Die: dice.D6, What: "losses that a ship's own parties inflict on her boarders"},
		},
		Sheet: func(l *rulebook.Rules, v *engine.View, sys *state.System) []string {
			out := []string{fmt.Sprintf("%s aboard; %s free", phrase.Counted(sys.Parties, "boarding party", "boarding parties"), phrase.Counted(max(0, sys.Sheet.Count(sheet.Transporter).Left-sys.Beamed), "transporter", "transporters"))}
			for _, f := range sys.Boarders {
				out = append(out, fmt.Sprintf("boarded by %s of %s", phrase.Counted(f.Parties, "party", "parties"), v.Name(f.From)))
			}
			for side, down := range sys.Lowered {
				if down {
					out = append(out, fmt.Sprintf("shield %d is down for transporters until the turn ends", side+1))
				}
			}
			return out
		},
		Mark: func(_ *engine.View, known state.Open) string {
			n := 0
			for _, f := range known.Boarders {
				n += f.Parties
			}
			if n > 0 {
				return "boarded by " + phrase.Counted(n, "party", "parties")
			}
			return ""
		},
	},
	events: []tell.Event{
		family.Own("transport", tell.Told[state.Transport]{Tell: tell.Says(play.TransportWords), Unknown: play.TransportInTheDark}),
		family.Own("raid", tell.Told[state.Raid]{Tell: tell.Says(play.RaidWords), Why: play.WhyRaid, Unknown: play.RaidInTheDark}),
		family.Own("fight", tell.Told[state.Fight]{
			Tell: tell.Says(func(_ *rulebook.Rules, v *engine.View, b *state.Fight) string {
				return play.FightWords(v.Name(b.Ship), b.Killed, b.Fallen, b.Defenders, play.Boarders(b))
			}),
			Why: func(*rulebook.Rules, *engine.Story, int, *state.Fight) []string {
				return []string{"both sides inflict losses at the same time, by the casualty table, a die each and the number of their parties; Gorn and Kzinti add 1 when they board, and a 7 counts as a 6"}
			},
			Unknown: play.FightInTheDark,
		}),
	},
}

// riggingPart has repairs of boxes in battle (house 30.6 to 30.92).
var riggingPart = part{
	Part: rulebook.Part{
		Has: func(b *rulebook.Book) bool { return b.Rigging.Energy > 0 },
		Verbs: func(b *rulebook.Book) (power, phase []orders.Verb) {
			return []orders.Verb{{
				Name: rulebook.VerbScotty, Forms: []orders.Form{"scotty BOX..."}, Once: true, Examples: []string{"scotty lab", "scotty photon-a lab lab"},
				Doc: fmt.Sprintf("Try to repair lost boxes, one for each word, at the end of the turn: %d energy each, within the limit of damage control; a die of %d or less repairs the box. It works, but is lost again on a %d whenever it is used: a weapon by firing, an engine, reactor or battery by a turn's energy, a laboratory, transporter or tractor beam by its work. Hit again, it is lost for good. It cannot be overloaded.", b.Rigging.Energy, b.Rigging.Mends, b.Rigging.Blows),
			}}, nil
		},
		Begin: func(l *rulebook.Rules, t *engine.Turn) { play.Strain(l, t) },
		Fired: func(l *rulebook.Rules, t *engine.Turn) { play.StrainWeapons(l, t) },
		End: func(l *rulebook.Rules, t *engine.Turn) {
			play.StrainLabs(l, t)
			play.Rig(l, t)
		},
		Dice: []engine.NamedDie{
			{Name: "scotty.SHIP.BANK.N", Example: "t3.scotty.hood.lab.1", Die: dice.D6, What: "whether a lost box is repaired; N counts the attempts for a bank"},
			{Name: "use.SHIP.BANK.N", Example: "t3.p2.use.hood.photon-a.1", Die: dice.D6, What: "whether a box repaired in battle blows out when used; N counts the uses of a bank"},
		},
		Sheet: func(l *rulebook.Rules, _ *engine.View, sys *state.System) (out []string) {
			for _, name := range slices.Sorted(maps.Keys(sys.Rigged)) {
				if n := sys.Rigged[name]; n > 0 {
					out = append(out, fmt.Sprintf("%s of %s repaired in battle: each use loses it on a die of %d", phrase.Counted(n, "box", "boxes"), name, l.Rigging.Blows))
				}
			}
			for _, name := range slices.Sorted(maps.Keys(sys.Beyond)) {
				out = append(out, fmt.Sprintf("%s of %s beyond repair", phrase.Counted(sys.Beyond[name], "box", "boxes"), name))
			}
			return append(out, fmt.Sprintf("damage control: repairs of up to %d energy a turn", l.Repairs(sys)))
		},
	},
	events: []tell.Event{
		family.Own("scotty", tell.Told[state.Rig]{
			Tell: tell.Says(func(_ *rulebook.Rules, v *engine.View, b *state.Rig) string {
				done := map[bool]string{true: "repairs", false: "fails to repair"}[b.After > b.Before]
				return fmt.Sprintf("%s %s a box of %s: die %d", v.Name(b.Ship), done, b.Bank, b.Roll)
			}),
			Why: func(l *rulebook.Rules, _ *engine.Story, _ int, _ *state.Rig) []string {
				return []string{fmt.Sprintf("a die of %d or less repairs a box, for %d energy", l.Rigging.Mends, l.Rigging.Energy)}
			},
		}),
		family.Own("strain", tell.Told[state.Strain]{
			Tell: tell.Says(func(_ *rulebook.Rules, v *engine.View, b *state.Strain) string {
				done := map[bool]string{true: "blows out as it is used", false: "holds"}[b.After < b.Before]
				return fmt.Sprintf("the repaired box of %s of %s %s: die %d", b.Bank, v.Name(b.Ship), done, b.Roll)
			}),
			Why: func(l *rulebook.Rules, _ *engine.Story, _ int, _ *state.Strain) []string {
				return []string{fmt.Sprintf("a box repaired in battle is lost on a die of %d whenever it is used", l.Rigging.Blows)}
			},
		}),
	},
}

// enginePart has overloaded warp engines and the boxes they lose (house 30.91).
var enginePart = part{
	Part: rulebook.Part{
		Has: func(b *rulebook.Book) bool { return b.Engines != "" },
		Verbs: func(b *rulebook.Book) (power, phase []orders.Verb) {
			return []orders.Verb{{
				Name: rulebook.VerbOverload, Forms: []orders.Form{"overload BOX..."}, Once: true, Examples: []string{"overload warp-left", "overload warp"},
				Doc: fmt.Sprintf("Overload warp engines (navy %s only): each box gives 2 energy this turn, and each engine loses a box at the end of the turn. scotty can repair it; boxes so repaired give 1 and cannot be overloaded again.", b.Engines),
			}}, nil
		},
		End: func(l *rulebook.Rules, t *engine.Turn) { play.BurnOut(l, t) },
	},
	events: []tell.Event{family.Own("burnout", tell.Told[state.Burnout]{
		Tell: tell.Says(func(_ *rulebook.Rules, v *engine.View, b *state.Burnout) string {
			return fmt.Sprintf("a box of %s of %s burns out: the engine was overloaded", b.Bank, v.Name(b.Ship))
		}),
		Why: func(*rulebook.Rules, *engine.Story, int, *state.Burnout) []string {
			return []string{"an overloaded engine gives twice its energy, and loses a box at the end of the turn"}
		},
	})},
}

// controlPart has the rule that ships need a bridge, or another control position, to turn and fire (ruling H19).
var controlPart = part{
	Part: rulebook.Part{
		Has: func(b *rulebook.Book) bool { return b.Controls },
		Sheet: func(_ *rulebook.Rules, _ *engine.View, sys *state.System) []string {
			if !sys.Controlled() {
				return []string{rulebook.Uncontrolled + " (bridge, flag, emergency, auxiliary): she goes straight on, and fires and launches nothing"}
			}
			return nil
		},
		Mark: func(_ *engine.View, known state.Open) string {
			if (&state.System{Sheet: known.Sheet, Dealings: state.Dealings{Steered: known.Steered}}).Controlled() {
				return ""
			}
			return "out of control"
		},
	},
}

// cannonPart has battery cannon.
var cannonPart = part{
	Part: rulebook.Part{
		Has:   (*rulebook.Book).Cannons,
		Verbs: func(*rulebook.Book) (power, phase []orders.Verb) { return nil, nil },
		Params: map[string]orders.Param{
			"HEADING": {Class: orders.Choice, Choices: strings.Split("A B C D E F", " "), Doc: "a direction on the map, A to F: A is up, then clockwise"},
			"PART":    {Class: orders.Number, Doc: "points of a shot"},
			"SOURCE":  {Class: orders.Choice, Choices: []string{rulebook.FromPool, rulebook.FromCapacitors, rulebook.FromReserve, rulebook.FromBatteries}, Doc: "what pays for it: the movement pool, the capacitors, the reserve or the batteries"},
		},
		Act: func(l *rulebook.Rules, t *engine.Turn) { play.FireCannon(l, t) },
	},
	events: []tell.Event{family.Own("burst", tell.Told[state.Burst]{
		Tell: tell.Says(func(_ *rulebook.Rules, v *engine.View, b *state.Burst) string {
			return fmt.Sprintf("%s fires %s along %s: %s, %s", v.Name(b.Ship), b.Weapon, b.At.Heading, b.Shot, phrase.Points(b.Flight.Damage))
		}),
		Why: func(l *rulebook.Rules, _ *engine.Story, _ int, b *state.Burst) []string {
			shot := l.Charts[b.Flight.Kind].Shot
			return []string{fmt.Sprintf("a %s fires %s in all, split as its captain likes, one shot an impulse; each flies straight, %s an impulse for %d impulses, starting with the next", b.Flight.Kind.Title(), phrase.Points(shot.Points), phrase.Hexes(shot.Pace), shot.Life)}
		},
	})},
}

// researchPart has powered laboratories (house 12.3), probes and shuttles (house 6.03b, 14.1 to 14.4, 27.41).
var researchPart = part{
	Part: rulebook.Part{
		Has: func(b *rulebook.Book) bool { return b.Research.Range > 0 },
		Verbs: func(b *rulebook.Book) (power, phase []orders.Verb) {
			r := b.Research
			labs := orders.Verb{
				Name: rulebook.VerbLabs, Forms: []orders.Form{"labs ENERGY"}, Once: true, Examples: []string{"labs 2"},
				Doc: "Light this many laboratories for the turn, at 1 energy each: in a game in the dark each extends sensor range by 10 %. In the open it has no effect.",
			}
			probe := dark.ProbeVerb(" [on IMPULSE]", fmt.Sprintf("(one for each box in a battle, without energy). It flies %s to a hex, at most %d hexes", play.Pace(&r), r.Life))
			if r.Hold == 0 {
				return []orders.Verb{labs}, []orders.Verb{probe}
			}
			return []orders.Verb{labs}, []orders.Verb{probe, {
				Name: rulebook.VerbShuttle, Forms: []orders.Form{"shuttle to HEX [on IMPULSE]", "shuttle CRAFT to HEX", "shuttle CRAFT study SHIP", "shuttle CRAFT receive SHIP", "shuttle CRAFT send SHIP", "shuttle CRAFT retrieve"},
				Examples: []string{"shuttle to 1412 on 3", "shuttle b2 study Zephyr", "shuttle b2 send Zephyr", "shuttle b2 retrieve"},
				Doc:      fmt.Sprintf("Launch a shuttle, or give orders to one already launched. It flies a hex a turn, in impulse %d. At the end of the turn it gathers data about a ship with its one laboratory, %d less a die and the range, within %s; or takes data from a ship of its side, holding at most %d points; or sends such a ship what it holds. It cannot send in a turn in which it gathers or receives. Its ship retrieves it, with all its data, when both are in the same hex; it may be launched again in a later turn.", b.Impulses, r.Lab, phrase.Hexes(r.Range), r.Hold),
			}}
		},
		Purses: []string{rulebook.VerbLabs},
		Params: map[string]orders.Param{"CRAFT": {Class: orders.Name, Doc: "a shuttle of yours, as the report names it"}},
		Read:   play.ReadResearch,
		Own:    true,
		Act: func(l *rulebook.Rules, t *engine.Turn) {
			play.FlyCraft(l, t)
			play.CarryOut(l, t, rulebook.VerbProbe, func(s, target *engine.Ship, a *rulebook.Act) string { return play.LaunchProbe(l, t, s, target, a) })
			play.CarryOut(l, t, rulebook.VerbShuttle, func(s, _ *engine.Ship, a *rulebook.Act) string { return play.CommandShuttle(l, t, s, a) })
		},
		End:  func(l *rulebook.Rules, t *engine.Turn) { play.Gather(l, t) },
		Dice: []engine.NamedDie{{Name: "lab.SHIP.N", Example: "t3.lab.hood.1", Die: dice.D6, What: "what laboratories gather; N counts a ship's jobs in the turn"}, {Name: "study.CRAFT", Example: "t3.study.b2", Die: dice.D6, What: "what a shuttle's laboratory learns"}},
		Sheet: func(l *rulebook.Rules, v *engine.View, sys *state.System) (out []string) {
			if l.Research.Dark && !v.Dark {
				return nil
			}
			for _, d := range sys.Data {
				out = append(out, fmt.Sprintf("%s of data about %s", phrase.Points(d.Points), v.Name(d.About)))
			}
			if n := sys.Sheet.Count(sheet.Probe).Left; n > 0 {
				out = append(out, fmt.Sprintf("%s loaded", phrase.Counted(max(0, n-sys.Probes), "probe", "probes")))
			}
			return out
		},
	},
	events: []tell.Event{
		family.Own("craft", tell.Told[state.CraftLaunch]{Hers: true, Tell: tell.Says(func(_ *rulebook.Rules, v *engine.View, b *state.CraftLaunch) string {
			return fmt.Sprintf("%s launches a %s, %s", v.Name(b.Ship), b.Flight.Kind, b.Craft)
		})}),
		family.Own("course", tell.Told[state.CraftCourse]{Tell: tell.Says(func(_ *rulebook.Rules, v *engine.View, b *state.CraftCourse) string {
			return fmt.Sprintf("%s goes to %s", v.Name(b.Craft), b.To.Label())
		})}),
		family.Own("study", tell.Told[state.Study]{Tell: tell.Says(play.StudyWords), Why: play.WhyStudy, Unknown: play.StudyInTheDark}),
		family.Own("retrieve", tell.Told[state.CraftBack]{Tell: tell.Says(func(_ *rulebook.Rules, v *engine.View, b *state.CraftBack) string {
			return fmt.Sprintf("%s takes her shuttle %s back aboard", v.Name(b.Ship), v.Name(b.Craft))
		})}),
	},
}

// freedPart lets a ship that braked use the energy this returned, in addition to what a reserve can do. It may be
// used for any task (house 34.1, ruling R3): during the turn she arms weapons and powers laboratories; high energy
// turns take from it what the pool lacks.
var freedPart = part{
	Part: rulebook.Part{
		Has: func(b *rulebook.Book) bool { return b.Brakes != "" },
		Verbs: func(*rulebook.Book) (power, phase []orders.Verb) {
			return nil, []orders.Verb{
				{
					Name: rulebook.VerbArm, Forms: []orders.Form{"arm WEAPON [on IMPULSE]"}, When: true, Examples: []string{"arm disr-a on 5", "arm photon-b"},
					Doc: "Give an uncharged weapon its first turn of arming, from the energy that braking returned; a disruptor may fire at once.",
				}, {
					Name: rulebook.VerbLabs, Forms: []orders.Form{"labs ENERGY [on IMPULSE]"}, When: true, Examples: []string{"labs 2 on 5"},
					Doc: "Light this many more laboratories for the rest of the turn, from the energy that braking returned.",
				},
			}
		},
		Read: play.ReadFreed,
		Act: func(l *rulebook.Rules, t *engine.Turn) {
			play.CarryOut(l, t, rulebook.VerbArm, func(s, _ *engine.Ship, a *rulebook.Act) string { return play.ArmNow(l, t, s, a) })
			play.CarryOut(l, t, rulebook.VerbLabs, func(s, _ *engine.Ship, a *rulebook.Act) string { return play.LightNow(l, t, s, a) })
		},
		Sheet: func(_ *rulebook.Rules, _ *engine.View, sys *state.System) []string {
			if sys.Freed == 0 {
				return nil
			}
			return []string{fmt.Sprintf("braking returned %d energy of the reserve: it may be used for any task this turn, even arming and laboratories", sys.Freed)}
		},
	},
	events: []tell.Event{
		family.Own("arm", tell.Told[state.Arming]{Tell: tell.Says(func(_ *rulebook.Rules, v *engine.View, b *state.Arming) string {
			return fmt.Sprintf("%s gives %s its first turn of arming", v.Name(b.Ship), b.Weapon)
		})}),
		family.Own("lit", tell.Told[state.Lit]{Tell: tell.Says(func(_ *rulebook.Rules, v *engine.View, b *state.Lit) string {
			return fmt.Sprintf("%s lights %s more", v.Name(b.Ship), phrase.Counted(b.Boxes, "laboratory", "laboratories"))
		})}),
	},
}
