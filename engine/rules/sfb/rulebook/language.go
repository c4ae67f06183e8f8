package rulebook

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/family"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
	"starpost/orders"
)

// Language is the order language of the book.
func (b *Book) Language() *orders.Language {
	speed := orders.Param{Class: orders.Number, Doc: fmt.Sprintf("hexes a turn, 0 to %d", b.MaxSpeed)}
	if b.Quanta != nil {
		speed = orders.Param{Class: orders.Choice, Doc: "a speed"}
		for _, q := range b.Quanta {
			speed.Choices = append(speed.Choices, q.Word)
		}
	}
	lead := ""
	if b.Quanta != nil {
		lead = "impulse"
	}
	lang := &orders.Language{
		Lead:  lead,
		Rules: b.Name, Meant: phrase.Meant(),
		Params: map[string]orders.Param{
			"SPEED":   speed,
			"ENERGY":  {Class: orders.Number, Doc: "energy"},
			"POINTS":  {Class: orders.Number, Doc: "points of reinforcement"},
			"BOXES":   {Class: orders.Number, Doc: "boxes"},
			"COUNT":   {Class: orders.Number, Doc: "how many boxes"},
			"SHIELD":  {Class: orders.Number, Doc: "a shield, 1 to 6: 1 is ahead, then 2 to 6 clockwise"},
			"WEAPON":  {Class: orders.Name, Doc: "a weapon as the report prints it, or `all`, `phasers` or `heavy`"},
			"RACK":    {Class: orders.Name, Doc: "a drone rack or plasma launcher as the report prints it"},
			"SHIP":    {Class: orders.Name, Doc: "a ship or drone, by its name or its short name on the map; `nearest` is the nearest enemy ship"},
			"TURN":    {Class: orders.Choice, Choices: []string{"L", "LL", "LLL", "R", "RR", "RRR"}, Doc: "L, LL or LLL for one, two or three sides to port, R, RR or RRR to starboard"},
			"ROW":     {Class: orders.Number, Doc: "a row of the damage allocation chart, 2 to 12"},
			"RANGE":   {Class: orders.Number, Doc: "a distance in hexes"},
			"HEX":     {Class: orders.HexLabel, Doc: "a hex, column and row: 0714"},
			"WORD":    {Class: orders.Choice, Choices: steering.MoveWords(), Doc: "F, L or R"},
			"IMPULSE": {Class: orders.Number, Doc: fmt.Sprintf("an impulse of the turn, 1 to %d", b.Impulses)},
			"KIND":    {Class: orders.Choice, Choices: []string{"hull", "engines", "weapons", "other"}, Doc: "hull, engines, weapons or other"},
			"BOX":     {Class: orders.Name, Doc: "a bank of boxes as the sheet names it, or the word before its hyphen, or a kind"},
			"LEVEL":   dark.LevelParam(),
			"WHICH":   {Class: orders.Choice, Choices: []string{state.Strongest, state.Weakest, "1", "2", "3", "4", "5", "6"}, Doc: "strongest, weakest or a shield"},
			"ABSENT":  {Class: orders.Choice, Choices: []string{missingCourse, MissingRepeat}, Doc: "course or repeat"},
			"TO":      {Class: orders.Name, Doc: "a ship, a side, `side` or `all`"},
			"WORDS":   {Class: orders.Text, Doc: "any words"},
		},
		Sections: []orders.Section{b.powerSection(), b.phaseSection(), b.standingSection(), engine.TurnLevel(slices.Concat(b.labVerbs(), dark.TalkVerbs(), []orders.Verb{family.ConnVerb(), surrenderVerb()})...)},
		Subjects: []orders.Subject{
			{Form: "range", Kind: orders.NumberSubject, Doc: "hexes to the ship that the order names"},
			{Form: "impulse", Kind: orders.NumberSubject, Doc: "the impulse of the turn"},
			{Form: "damaged", Kind: orders.FlagSubject, Doc: "damage has got inside your ship this turn"},
			dark.HeardSubject(),
			{Form: "shield SHIELD", Kind: orders.NumberSubject, Doc: "boxes left of a shield of your own"},
			{Form: "shield SHIELD of SHIP", Kind: orders.NumberSubject, Doc: "boxes left of a shield of a ship"},
			{Form: "facing", Kind: orders.NumberSubject, Doc: "the shield of the ship named that faces you"},
			{Form: "cloaked", Kind: orders.FlagSubject, Doc: "the ship that the order names is cloaked"},
			{Form: "drones", Kind: orders.NumberSubject, Doc: "drones in flight that seek you"},
		},
	}
	lang.Subjects = append(lang.Subjects, dark.ContactSubjects()...)
	maps.Copy(lang.Params, family.ConnParams())
	if b.Research.Range > 0 {
		maps.Copy(lang.Params, dark.LabParams())
		delete(lang.Meant, "send")
	}
	for _, p := range b.Parts {
		maps.Copy(lang.Params, p.Params)
		if p.Verbs == nil {
			continue
		}
		power, phase := p.Verbs(b)
		lang.Sections[0].Verbs = append(lang.Sections[0].Verbs, power...)
		lang.Sections[1].Verbs = append(lang.Sections[1].Verbs, phase...)
	}
	told := map[string]bool{}
	for _, section := range lang.Sections[:2] { // what stands is told in its own words, and what power has too
		for i := range section.Verbs {
			v := &section.Verbs[i]
			if !told[v.Name] {
				v.Doc = cmp.Or(b.Docs[v.Name], v.Doc)
			}
			told[v.Name] = true
		}
	}
	return lang
}

// speedVerb is the verb for the speed of a turn, or for its pool of movement energy.
func (b *Book) speedVerb() orders.Verb {
	if b.Quanta != nil {
		return orders.Verb{
			Name: "speed", Forms: []orders.Form{"speed SPEED [pool ENERGY]"}, Once: true, Examples: []string{"speed 2", "speed 2.5 pool 20"},
			Doc: "The speed that the turn begins with, at most a step above the last one, and the pool of energy that its hexes are paid from: from the warp engines, 1 of it perhaps from impulse; what the speed takes if none is told. What is left is lost at the end of the turn.",
		}
	}
	return orders.Verb{
		Name: "speed", Forms: []orders.Form{"speed SPEED"}, Once: true, Examples: []string{"speed 8"},
		Doc: fmt.Sprintf("Hexes to move in this turn, each 1 energy from the warp engines; impulse engines can give %d of it. At most twice last turn's speed, or %d more if that is more.", b.ImpulseHexes, b.Faster),
	}
}

// phasersVerb is the verb for the capacitors, and for what phasers take where those are empty.
func (b *Book) phasersVerb() orders.Verb {
	v := orders.Verb{
		Name: VerbPhasers, Forms: []orders.Form{"phasers ENERGY"}, Once: true, Examples: []string{"phasers 3"},
		Doc: "Energy into the phaser capacitors: 1 a shot. They hold one shot for each phaser, from turn to turn.",
	}
	if b.Reserve {
		v.Forms = append(v.Forms, "phasers ENERGY reserve", "phasers reserve")
		v.Examples = append(v.Examples, "phasers 3 reserve", "phasers reserve")
	}
	return v
}

// Unused is what becomes of energy that no line takes.
func (b *Book) Unused() string {
	if b.Reserve {
		return "kept in reserve for the turn"
	}
	return "lost"
}

func (b *Book) powerSection() orders.Section {
	section := orders.Section{
		Name: "power", Doc: "How the turn's energy is allotted, in secret. What no line takes is " + b.Unused() + ".",
		Verbs: []orders.Verb{
			b.speedVerb(),
			b.phasersVerb(),
			{
				Name: "arm", Forms: []orders.Form{"arm WEAPON..."}, Examples: []string{"arm photon-a photon-b"},
				Doc: "This turn's part of arming: a photon torpedo takes 2 warp energy in each of two turns running, a plasma torpedo 2, 2 and 4 of any kind in three, a disruptor 2 of any kind in the turn that it fires in.",
			},
			{
				Name: "hold", Forms: []orders.Form{"hold WEAPON..."}, Examples: []string{"hold photon-a"},
				Doc: "Keep an armed photon torpedo for 1 energy of any kind, a plasma torpedo for 2. What is not held, or whose arming stops half way, is lost.",
			},
			{
				Name: "reinforce", Forms: []orders.Form{"reinforce SHIELD:POINTS...", "reinforce all POINTS"}, Examples: []string{"reinforce 1:5", "reinforce all 2"},
				Doc: fmt.Sprintf("Points that stop damage before a shield does, for this turn: 1 energy each on one shield, %d each all round.", b.AllRoundEnergy),
			},
			{
				Name: "cloak", Forms: []orders.Form{"cloak"}, Once: true, Examples: []string{"cloak"},
				Doc: fmt.Sprintf("Be cloaked for all of the turn, for the energy that the sheet tells. She stays on the map, and fires and launches nothing. Fire at her counts as from %d times the range and %d; what seeks her misses with a die of %d or less, and else does half.", b.Cloak.Times, b.Cloak.More, b.Cloak.Miss),
			},
			{
				Name: "batteries", Forms: []orders.Form{"batteries ENERGY"}, Once: true, Examples: []string{"batteries 2"},
				Doc: "Let energy out of the batteries for this turn.",
			},
			{
				Name: "recharge", Forms: []orders.Form{"recharge ENERGY"}, Once: true, Examples: []string{"recharge 1"},
				Doc: "Energy into empty batteries; it is there from the next turn on.",
			},
			{
				Name: "repair", Forms: []orders.Form{"repair SHIELD:BOXES..."}, Once: true, Examples: []string{"repair 1:2"},
				Doc: fmt.Sprintf("Mend boxes of shields at the end of the turn: %d energy each, %d at most in all.", b.BoxEnergy, b.RepairEnergy),
			},
		},
	}
	if b.Overloads() {
		for i := range section.Verbs {
			if v := &section.Verbs[i]; v.Name == "arm" {
				v.Forms = append([]orders.Form{"arm WEAPON... overload [with ENERGY]"}, v.Forms...)
				v.Examples = append(v.Examples, "arm photon-a overload with 5", "arm disr-a disr-b overload")
			}
		}
	}
	if n := b.Needs; n != (Needs{}) {
		section.Verbs = append(section.Verbs, orders.Verb{
			Name: "shields", Forms: []orders.Form{"shields down"}, Once: true,
			Doc: fmt.Sprintf("Have all shields down for the turn, and save the %d energy that they take: they stop nothing.", n.Shields),
		}, orders.Verb{
			Name: "fire-control", Forms: []orders.Form{"fire-control off"}, Once: true,
			Doc: fmt.Sprintf("Do without fire control for the turn, and save its %d energy: the ship fires and launches nothing.", n.FireControl),
		})
	}
	return section
}

func (b *Book) phaseSection() orders.Section {
	n := b.PhaseLength()
	section := orders.Section{
		Name: "phase", Numbered: true, Max: b.Rounds,
		Doc: fmt.Sprintf("Movement and fire of %d impulses: phase 1 is impulses 1 to %d, and so on. Movement orders are used one after the other, a word for each hex that the speed gives; hexes that no order uses are F, and the report says so.", n, n),
		Verbs: []orders.Verb{
			{
				Name: "move", Forms: []orders.Form{"move WORD..."}, When: true, Examples: []string{"move F F L", "move R when damaged"},
				Doc: "One word a hex: F ahead, L and R a turn of one side and then ahead. A turn that the turn mode forbids is F, and told.",
			},
			{
				Name: "pursue", Forms: []orders.Form{"pursue SHIP [to RANGE]"}, When: true, Examples: []string{"pursue Zephyr to 3"},
				Doc: "Steer for a ship with the hexes that are left, to a range from it (1 if none is named).",
			},
			{
				Name: "flee", Forms: []orders.Form{"flee SHIP"}, When: true, Examples: []string{"flee nearest"},
				Doc: "Steer away from a ship with the hexes that are left.",
			},
			{
				Name: "face", Forms: []orders.Form{"face SHIP [with SHIELD]"}, When: true, Examples: []string{"face Zephyr with 2"},
				Doc: "Steer with the hexes that are left so that a shield (1 if none is named) is towards a ship.",
			},
			{
				Name: "course", Forms: []orders.Form{"course HEX"}, When: true, Examples: []string{"course 0714"},
				Doc: "Steer for a hex with the hexes that are left.",
			},
			{
				Name: "fire", Forms: []orders.Form{"fire WEAPON... at SHIP [on IMPULSE]"}, When: true,
				Examples: []string{"fire ph-1 ph-2 at Zephyr when range <= 8", "fire all at nearest", "fire photon-a at Zephyr on 8"},
				Doc:      "Fire weapons on the impulse named, or on the first of the phase in which they can and the condition holds. A weapon fires once a turn.",
			},
			{
				Name: "launch", Forms: []orders.Form{"launch RACK... at SHIP [on IMPULSE]"}, When: true, Examples: []string{"launch drone-1 at Zephyr when range <= 12"},
				Doc: "Launch a drone at a ship, one a turn from each rack, or an armed plasma torpedo. It flies a hex each impulse by itself.",
			},
			{
				Name: "disengage", Forms: []orders.Form{"disengage [on IMPULSE]"}, When: true, Ends: "she leaves the battle", Examples: []string{"disengage when damaged"},
				Doc: "Leave the battle at the end of an impulse. The enemy gains half of what the ship is worth. In the dark it is as the turn ends, unseen, if for two whole turns no enemy has found you, and one had before that; warp fields do not count.",
			},
		},
	}
	if b.Block != nil {
		for i := range section.Verbs {
			if v := &section.Verbs[i]; v.Name == "fire" {
				v.Forms = []orders.Form{"fire WEAPON... at SHIP [aimed ROW] [on IMPULSE]"}
				v.Examples = append(v.Examples, "fire ph-1 at Zephyr aimed 11")
				v.Doc += fmt.Sprintf(" Aimed at a row of the damage allocation chart, what gets inside goes by that row: at range 0 with both ships at rest in this impulse and the last, or by a ship of the navy %s within %s, of which half counts.", b.Aiming.Navy, phrase.Hexes(b.Aiming.Range))
			}
		}
	}
	if b.Quanta != nil {
		section.Doc += " `impulse 3: speed 2.5` is the same as `speed 2.5 on 3`: so each order may be given that takes an impulse."
		section.Verbs = append(section.Verbs, orders.Verb{
			Name: "speed", Forms: []orders.Form{"speed SPEED [on IMPULSE]"}, When: true, Examples: []string{"speed 2.5", "speed 2 on 3"},
			Doc: "Another speed from the impulse named, or from the first of the phase in which the condition holds: up by one step in an impulse, from a stop to 2 at once; down to any lower one, but to a stop only from 1. Hexes that the pool cannot pay for are not moved.",
		})
	}
	if b.Cannons() {
		fire := &section.Verbs[slices.IndexFunc(section.Verbs, func(v orders.Verb) bool { return v.Name == "fire" })]
		fire.Forms = append(fire.Forms, alongForms()...)
		fire.Examples = append(fire.Examples, "fire cannon-1 along B", "fire cannon-1 along B split 7 1 1 1 2 on 3", "fire cannon-1 along B from pool reserve")
		fire.Doc += " Battery cannon fire along a row of hexes, at nothing: a shot hits the first ship or drone in its way, friend or foe. Its points can be split into shots of whole points, one an impulse. A cannon takes 1 energy, a tertiary one 1/2, from the reserve, then from the batteries; or from what is named, in that order: the movement pool, the capacitors, the reserve, the batteries."
	}
	if b.Cloak.Hides {
		fire := &section.Verbs[slices.IndexFunc(section.Verbs, func(v orders.Verb) bool { return v.Name == "fire" })]
		fire.Forms = append(fire.Forms, "fire WEAPON... blind [on IMPULSE]")
		fire.Examples = append(fire.Examples, "fire photon-a blind on 4")
		fire.Doc += fmt.Sprintf(" Blind, they fire at no one who is seen: at the nearest ship under a cloak in the arc, if there is one, as from %d hexes more. A hit is told, but not where; of a miss nothing is.", b.Cloak.More)
	}
	if b.Hard.Hexes > 0 {
		section.Verbs = append(section.Verbs, b.hardVerb())
	}
	if b.Brakes != "" {
		section.Verbs = append(section.Verbs, orders.Verb{
			Name: "brake", Forms: []orders.Form{"brake [on IMPULSE]"}, When: true, Examples: []string{"brake on 3", "brake when shield 1 < 5"},
			Doc: "Slow down in an emergency, told to all after an impulse's movement: she stops, for the rest of the turn, at the end of the second later impulse in which she moves. Half the movement energy that is left goes to the reserve, and is for any task: shields and cannon as all of the reserve, and in a phase arm, labs and hard.",
		})
	}
	return section
}

func (b *Book) standingSection() orders.Section {
	section := orders.Section{
		Name: "standing", Doc: "Standing orders last until you change them; each kind of line replaces what was said of its matter.",
		Verbs: []orders.Verb{
			{
				Name: "lose", Forms: []orders.Form{"lose KIND BOX...", "lose KIND BOX:COUNT...", "lose KIND BOX:COUNT... BOX..."},
				Examples: []string{"lose hull fore aft", "lose weapons ph-4 drone", "lose engines impulse:2", "lose engines impulse:2 warp-left:1 warp-right"},
				Doc:      "Which boxes are lost first to hits of a kind, perhaps until so many of them are gone. Others come after, by the rule.",
			},
			{
				Name: "guard", Forms: []orders.Form{"guard WEAPON... within RANGE", "guard none"}, Examples: []string{"guard ph-2 ph-3 within 2"},
				Doc: "Fire weapons at drones that seek the ship as soon as they come within a range.",
			},
			{
				Name: "choose", Forms: []orders.Form{"choose shield WHICH"}, Once: true, Examples: []string{"choose shield strongest"},
				Doc: "Which of two shields is struck when the shot comes along the line between them: the stronger one, the weaker, or a number if it is one of the two (else the stronger).",
			},
			dark.HoldVerb(),
			{
				Name: "missing", Forms: []orders.Form{"missing ABSENT"}, Once: true, Examples: []string{"missing course"},
				Doc: "What to do when your orders do not come: keep course at last turn's speed, or repeat last turn's orders.",
			},
		},
	}
	if b.Meets {
		choose := &section.Verbs[slices.IndexFunc(section.Verbs, func(v orders.Verb) bool { return v.Name == "choose" })]
		choose.Doc += " Against a drone or torpedo that is about to strike, the ship is also turned by a side so that the shield of your choice meets it, if her turn mode lets her turn then; one that is stopped turns as far as it takes. That is done once an impulse, and the hexes straight are counted again."
	}
	if b.Reserve {
		section.Verbs = append(append(section.Verbs, b.standingVerbs()...), reinforceVerb())
	}
	return section
}

func surrenderVerb() orders.Verb {
	return orders.Verb{
		Name: VerbSurrender, Forms: []orders.Form{"surrender"}, When: true, Ends: "she is the enemy's",
		Doc:      "Strike: at the end of the first impulse, or with a condition of the first in which it holds, the ship is the enemy's. Her fire of that impulse still counts; then she fights no more, counts as captured and leaves the map, with the drones that she guides.",
		Examples: []string{"surrender", "surrender when shield 1 < 1 and damaged"},
	}
}
