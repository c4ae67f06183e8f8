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

// Language returns the order language of the book.
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
	for _, section := range lang.Sections[:2] { // standing orders have their own texts, and verbs of power need them once
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

// speedVerb returns the verb for the turn's speed, with its pool of movement energy if the book has one.
func (b *Book) speedVerb() orders.Verb {
	if b.Quanta != nil {
		return orders.Verb{
			Name: "speed", Forms: []orders.Form{"speed SPEED [pool ENERGY]"}, Once: true, Examples: []string{"speed 2", "speed 2.5 pool 20"},
			Doc: "The speed at the start of the turn, at most a step above the last one, and the pool of energy that pays for its hexes, from the warp engines and up to 1 from impulse (default: what the speed takes). What is left is lost at the end of the turn.",
		}
	}
	return orders.Verb{
		Name: "speed", Forms: []orders.Form{"speed SPEED"}, Once: true, Examples: []string{"speed 8"},
		Doc: fmt.Sprintf("Hexes to move this turn, each 1 energy from the warp engines; impulse engines can give %d of it. At most twice last turn's speed, or last turn's plus %d if that is more.", b.ImpulseHexes, b.Faster),
	}
}

// phasersVerb returns the verb for the capacitors, and for what phasers draw when they are empty.
func (b *Book) phasersVerb() orders.Verb {
	v := orders.Verb{
		Name: VerbPhasers, Forms: []orders.Form{"phasers ENERGY"}, Once: true, Examples: []string{"phasers 3"},
		Doc: "Energy for the phaser capacitors: 1 a shot. They hold one shot for each phaser, from turn to turn.",
	}
	if b.Reserve {
		v.Forms = append(v.Forms, "phasers ENERGY reserve", "phasers reserve")
		v.Examples = append(v.Examples, "phasers 3 reserve", "phasers reserve")
	}
	return v
}

// Unused says what happens to energy that is not allotted.
func (b *Book) Unused() string {
	if b.Reserve {
		return "kept in reserve for the turn"
	}
	return "lost"
}

func (b *Book) powerSection() orders.Section {
	section := orders.Section{
		Name: "power", Doc: "How the turn's energy is allotted, in secret. Energy that no line uses is " + b.Unused() + ".",
		Verbs: []orders.Verb{
			b.speedVerb(),
			b.phasersVerb(),
			{
				Name: "arm", Forms: []orders.Form{"arm WEAPON..."}, Examples: []string{"arm photon-a photon-b"},
				Doc: "This turn's share of arming: a photon torpedo takes 2 warp energy in each of two consecutive turns, a plasma torpedo 2, 2 and 4 of any kind in three, a disruptor 2 of any kind in the turn in which it fires.",
			},
			{
				Name: "hold", Forms: []orders.Form{"hold WEAPON..."}, Examples: []string{"hold photon-a"},
				Doc: "Keep an armed photon torpedo for 1 energy of any kind, a plasma torpedo for 2. A weapon that is not held, or whose arming stops half way, loses its charge.",
			},
			{
				Name: "reinforce", Forms: []orders.Form{"reinforce SHIELD:POINTS...", "reinforce all POINTS"}, Examples: []string{"reinforce 1:5", "reinforce all 2"},
				Doc: fmt.Sprintf("Reinforcement that stops damage before a shield does, this turn: 1 energy a point on one shield, %d a point on all.", b.AllRoundEnergy),
			},
			{
				Name: "cloak", Forms: []orders.Form{"cloak"}, Once: true, Examples: []string{"cloak"},
				Doc: fmt.Sprintf("Be cloaked for the whole turn; the sheet gives the energy. She stays on the map, but cannot fire or launch. Fire at her counts as from %d times the range plus %d; seeking weapons miss on a die of %d or less, and otherwise do half.", b.Cloak.Times, b.Cloak.More, b.Cloak.Miss),
			},
			{
				Name: "batteries", Forms: []orders.Form{"batteries ENERGY"}, Once: true, Examples: []string{"batteries 2"},
				Doc: "Use battery energy this turn.",
			},
			{
				Name: "recharge", Forms: []orders.Form{"recharge ENERGY"}, Once: true, Examples: []string{"recharge 1"},
				Doc: "Energy to recharge batteries; it is available from the next turn on.",
			},
			{
				Name: "repair", Forms: []orders.Form{"repair SHIELD:BOXES..."}, Once: true, Examples: []string{"repair 1:2"},
				Doc: fmt.Sprintf("Mend boxes of shields at the end of the turn: %d energy each, at most %d in all.", b.BoxEnergy, b.RepairEnergy),
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
			Doc: fmt.Sprintf("Lower all shields for the turn and save the %d energy they take; they stop nothing.", n.Shields),
		}, orders.Verb{
			Name: "fire-control", Forms: []orders.Form{"fire-control off"}, Once: true,
			Doc: fmt.Sprintf("Switch off fire control for the turn and save its %d energy; the ship cannot fire or launch.", n.FireControl),
		})
	}
	return section
}

func (b *Book) phaseSection() orders.Section {
	n := b.PhaseLength()
	section := orders.Section{
		Name: "phase", Numbered: true, Max: b.Rounds,
		Doc: fmt.Sprintf("Movement and fire of %d impulses: phase 1 is impulses 1 to %d, and so on. Movement orders are carried out in turn, a word for each hex that the speed gives; hexes left over are F, and the report says so.", n, n),
		Verbs: []orders.Verb{
			{
				Name: "move", Forms: []orders.Form{"move WORD..."}, When: true, Examples: []string{"move F F L", "move R when damaged"},
				Doc: "One word a hex: F ahead, L and R a turn of one side and then ahead. A turn that the turn mode forbids becomes F, and the report says so.",
			},
			{
				Name: "pursue", Forms: []orders.Form{"pursue SHIP [to RANGE]"}, When: true, Examples: []string{"pursue Zephyr to 3"},
				Doc: "Steer for a ship with the remaining hexes, to a range from it (default 1).",
			},
			{
				Name: "flee", Forms: []orders.Form{"flee SHIP"}, When: true, Examples: []string{"flee nearest"},
				Doc: "Steer away from a ship with the remaining hexes.",
			},
			{
				Name: "face", Forms: []orders.Form{"face SHIP [with SHIELD]"}, When: true, Examples: []string{"face Zephyr with 2"},
				Doc: "Steer with the remaining hexes to face a shield (default 1) towards a ship.",
			},
			{
				Name: "course", Forms: []orders.Form{"course HEX"}, When: true, Examples: []string{"course 0714"},
				Doc: "Steer for a hex with the remaining hexes.",
			},
			{
				Name: "fire", Forms: []orders.Form{"fire WEAPON... at SHIP [on IMPULSE]"}, When: true,
				Examples: []string{"fire ph-1 ph-2 at Zephyr when range <= 8", "fire all at nearest", "fire photon-a at Zephyr on 8"},
				Doc:      "Fire weapons on the impulse named, or on the first of the phase in which they can fire and the condition holds. A weapon fires once a turn.",
			},
			{
				Name: "launch", Forms: []orders.Form{"launch RACK... at SHIP [on IMPULSE]"}, When: true, Examples: []string{"launch drone-1 at Zephyr when range <= 12"},
				Doc: "Launch a drone at a ship, one a turn from each rack, or an armed plasma torpedo. It flies by itself, a hex each impulse.",
			},
			{
				Name: "disengage", Forms: []orders.Form{"disengage [on IMPULSE]"}, When: true, Ends: "she leaves the battle", Examples: []string{"disengage when damaged"},
				Doc: "Leave the battle at the end of an impulse. The enemy scores half the ship's value. In the dark this happens unseen at the end of the turn, if an enemy once found you and none has for two whole turns; warp fields do not count.",
			},
		},
	}
	if b.Block != nil {
		for i := range section.Verbs {
			if v := &section.Verbs[i]; v.Name == "fire" {
				v.Forms = []orders.Form{"fire WEAPON... at SHIP [aimed ROW] [on IMPULSE]"}
				v.Examples = append(v.Examples, "fire ph-1 at Zephyr aimed 11")
				v.Doc += fmt.Sprintf(" Aimed at a row of the damage allocation chart, what gets inside uses that row: at range 0 with both ships at rest in this impulse and the last, or by a ship of the navy %s within %s, when half counts.", b.Aiming.Navy, phrase.Hexes(b.Aiming.Range))
			}
		}
	}
	if b.Quanta != nil {
		section.Doc += " `impulse 3: speed 2.5` means the same as `speed 2.5 on 3`, and so on for every order that takes an impulse."
		section.Verbs = append(section.Verbs, orders.Verb{
			Name: "speed", Forms: []orders.Form{"speed SPEED [on IMPULSE]"}, When: true, Examples: []string{"speed 2.5", "speed 2 on 3"},
			Doc: "A new speed from the impulse named, or from the first of the phase in which the condition holds: up by one step an impulse, from a stop straight to 2; down to any lower speed, but to a stop only from 1. Hexes that the pool cannot pay for are not moved.",
		})
	}
	if b.Cannons() {
		fire := &section.Verbs[slices.IndexFunc(section.Verbs, func(v orders.Verb) bool { return v.Name == "fire" })]
		fire.Forms = append(fire.Forms, alongForms()...)
		fire.Examples = append(fire.Examples, "fire cannon-1 along B", "fire cannon-1 along B split 7 1 1 1 2 on 3", "fire cannon-1 along B from pool reserve")
		fire.Doc += " Battery cannon fire along a row of hexes, not at a target: a shot hits the first ship or drone in its way, friend or foe. Its points can be split into shots of whole points, one an impulse. A cannon takes 1 energy, a tertiary one 1/2, from the reserve, then the batteries; or from the sources named, in that order: the movement pool, the capacitors, the reserve, the batteries."
	}
	if b.Cloak.Hides {
		fire := &section.Verbs[slices.IndexFunc(section.Verbs, func(v orders.Verb) bool { return v.Name == "fire" })]
		fire.Forms = append(fire.Forms, "fire WEAPON... blind [on IMPULSE]")
		fire.Examples = append(fire.Examples, "fire photon-a blind on 4")
		fire.Doc += fmt.Sprintf(" Blind fire is at the nearest cloaked ship in the arc, if there is one, as from %d hexes farther. You are told of a hit, but not where; of a miss, nothing.", b.Cloak.More)
	}
	if b.Hard.Hexes > 0 {
		section.Verbs = append(section.Verbs, b.hardVerb())
	}
	if b.Brakes != "" {
		section.Verbs = append(section.Verbs, orders.Verb{
			Name: "brake", Forms: []orders.Form{"brake [on IMPULSE]"}, When: true, Examples: []string{"brake on 3", "brake when shield 1 < 5"},
			Doc: "Brake in an emergency, announced to all after an impulse's movement: she stops for the rest of the turn after the second later impulse in which she moves. Half the remaining movement energy goes to the reserve for any task: shields and cannon, like all reserve, and, in a phase, arm, labs and hard.",
		})
	}
	return section
}

func (b *Book) standingSection() orders.Section {
	section := orders.Section{
		Name: "standing", Doc: "Standing orders last until you change them; each kind of line replaces earlier lines of its kind.",
		Verbs: []orders.Verb{
			{
				Name: "lose", Forms: []orders.Form{"lose KIND BOX...", "lose KIND BOX:COUNT...", "lose KIND BOX:COUNT... BOX..."},
				Examples: []string{"lose hull fore aft", "lose weapons ph-4 drone", "lose engines impulse:2", "lose engines impulse:2 warp-left:1 warp-right"},
				Doc:      "Which boxes hits of a kind take first, if you like until a number of them are gone. The rest follow the rule.",
			},
			{
				Name: "guard", Forms: []orders.Form{"guard WEAPON... within RANGE", "guard none"}, Examples: []string{"guard ph-2 ph-3 within 2"},
				Doc: "Fire weapons at drones that seek the ship as soon as they come within a range.",
			},
			{
				Name: "choose", Forms: []orders.Form{"choose shield WHICH"}, Once: true, Examples: []string{"choose shield strongest"},
				Doc: "Which of two shields is hit by a shot along the line between them: the stronger, the weaker, or the one numbered, if it is one of the two (else the stronger).",
			},
			dark.HoldVerb(),
			{
				Name: "missing", Forms: []orders.Form{"missing ABSENT"}, Once: true, Examples: []string{"missing course"},
				Doc: "What to do when your orders do not arrive: keep course at last turn's speed, or repeat last turn's orders.",
			},
		},
	}
	if b.Meets {
		choose := &section.Verbs[slices.IndexFunc(section.Verbs, func(v orders.Verb) bool { return v.Name == "choose" })]
		choose.Doc += " Against a drone or torpedo about to hit, the ship also turns one side to meet it with the shield of your choice, if her turn mode allows; a stopped ship turns as far as needed. This happens once an impulse, and the turn mode starts counting anew."
	}
	if b.Reserve {
		section.Verbs = append(append(section.Verbs, b.standingVerbs()...), reinforceVerb())
	}
	return section
}

func surrenderVerb() orders.Verb {
	return orders.Verb{
		Name: VerbSurrender, Forms: []orders.Form{"surrender"}, When: true, Ends: "she is the enemy's",
		Doc:      "Surrender the ship at the end of the first impulse, or of the first in which the condition holds. Her fire of that impulse still counts; then she is captured and leaves the map, with the drones she guides.",
		Examples: []string{"surrender", "surrender when shield 1 < 1 and damaged"},
	}
}
