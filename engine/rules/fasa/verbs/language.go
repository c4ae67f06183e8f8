package verbs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/words"
	"starpost/orders"
)

// MovementWords returns the words of one movement point in the Basic Course (ruling D16).
func MovementWords() []string { return []string{"F", "FF", "FL", "FR", "L", "R", "SL", "SR", "H"} }

// numbering explains how shields are numbered.
func numbering(book *rulebook.Book) string {
	rest := make([]string, 4)
	for i := range rest {
		rest[i] = fmt.Sprint(book.Ring.Number(i + 1))
	}
	return fmt.Sprintf("a shield, 1 to 6: %d is ahead, then %s and %d clockwise", book.Ahead(), strings.Join(rest, ", "), book.Ring.Number(5))
}

// wordsDoc explains the movement words that a book shares with others.
func wordsDoc(book *rulebook.Book) string {
	var does []string
	for _, w := range []struct{ word, does string }{
		{"F", "F one hex ahead"},
		{"FF", "FF two"},
		{"FL", "FL and FR one ahead and a turn of one side"},
		{"L", "L and R a turn of one side in place"},
		{"SL", "SL and SR a side-slip (to the bow's neighbour and one ahead, heading kept)"},
		{"H", "H hold"},
	} {
		if slices.Contains(book.Words, w.word) {
			does = append(does, w.does)
		}
	}
	return strings.Join(does, ", ")
}

// bankDoc explains how the mounts of a bank fire.
func bankDoc(book *rulebook.Book) string {
	if book.AsOne {
		return "a bank fires as one weapon: naming one of its mounts fires all that are armed."
	}
	return "weapons of one bank that fire in the same phase fire at the same ship."
}

// leavingDoc explains a change of warp speed.
func leavingDoc(book *rulebook.Book) string {
	return "Change the warp speed. In " + book.Subtitle() + " this leaves the field to the enemy: the ship is gone at once, before anything moves or fires."
}

// BasicLanguage returns the verb table of the Basic Course, to which other courses add.
func BasicLanguage(book *rulebook.Book) *orders.Language {
	return &orders.Language{
		Params: map[string]orders.Param{
			"POWER":  {Class: orders.Number, Doc: "power units"},
			"POINTS": {Class: orders.Number, Doc: "points"},
			"SHIELD": {Class: orders.Number, Doc: numbering(book)},
			"WEAPON": {Class: orders.Name, Doc: "a bank or mount as the report prints it; `all`, `beams` or `missiles`"},
			"MOUNT":  {Class: orders.Name, Doc: "a bank, or one mount of it, as the report prints it"},
			"BANK":   {Class: orders.Name, Doc: "a bank as the report prints it"},
			"SHIP":   {Class: orders.Name, Doc: "a ship, by its name or its short name on the map"},
			"RANGE":  {Class: orders.Number, Doc: "a distance in hexes"},
			"HEX":    {Class: orders.HexLabel, Doc: "a hex, column and row: 0714"},
			"WORD":   {Class: orders.Choice, Choices: book.Words, Doc: "a movement word"},
			"WHICH":  {Class: orders.Choice, Choices: []string{"strongest", "weakest", "1", "2", "3", "4", "5", "6"}, Doc: "strongest, weakest or a shield"},
			"SYSTEM": {Class: orders.Choice, Choices: ship.Shedable(), Doc: "weapons, movement or shields"},
			"ABSENT": {Class: orders.Choice, Choices: []string{"course", "hold", "repeat"}, Doc: "course, hold or repeat"},
			"STEP":   {Class: orders.Signed, Choices: []string{"+1", "-1"}, Doc: "+1 or -1"},
			"TO":     {Class: orders.Name, Doc: "a ship, a side, `side` or `all`"},
			"WORDS":  {Class: orders.Text, Doc: "any words"},
		},
		Sections: []orders.Section{PowerSection(book), PhaseSection(book), standingSection(book), engine.TurnLevel(append(dark.TalkVerbs(), rulebook.SurrenderVerb(), orders.Verb{
			Name: "warp", Forms: []orders.Form{"warp STEP"}, Once: true, Post: ship.PostHelm, Ends: "she leaves the battle", Examples: []string{"warp +1"},
			Doc: leavingDoc(book),
		})...)},
		Subjects: []orders.Subject{
			{Form: "range", Kind: orders.NumberSubject, Doc: "hexes to the ship that the order names"},
			{Form: "chance", Kind: orders.PercentSubject, Doc: "the weapon's chance to hit the ship that the order names"},
			{Form: "arc", Kind: orders.WordSubject, Choices: []string{"forward", "port", "starboard", "aft"}, Doc: "the ship named lies in this arc of yours"},
			{Form: "shield SHIELD", Kind: orders.NumberSubject, Doc: "points left on a shield of your own"},
			{Form: rulebook.ShieldOf, Kind: orders.NumberSubject, Doc: "points left on a shield of a ship, if you know them"},
			{Form: "damaged", Kind: orders.FlagSubject, Doc: "a hit has got through to your ship this turn"},
			dark.HeardSubject(),
			{Form: rulebook.AboutTargeted, Kind: orders.FlagSubject, Doc: "fire has been declared on you in this phase; in a `fire` order it may choose a weapon's target, but not whether to fire, unless the game has the option `declared = \"fire\"`"},
			{Form: "missile", Kind: orders.FlagSubject, Doc: "a missile has been declared on you in this phase"},
			{Form: "moved", Kind: orders.FlagSubject, Doc: "the ship named changed its hex in this phase"},
			{Form: "crippled", Kind: orders.FlagSubject, Doc: "the ship named is crippled and out of the fight; your own in orders that name none"},
		},
	}
}

// PowerSection returns the power section of the Basic Course.
func PowerSection(book *rulebook.Book) orders.Section {
	return orders.Section{
		Name: "power", Post: ship.PostHelm, Doc: "How the turn's power is used. Unused power is lost at the end of the turn (" + cites.PowerUse.Ref() + ").",
		Verbs: []orders.Verb{
			{
				Name: "move", Forms: []orders.Form{"move POWER", "move POINTS points"}, Once: true, Post: ship.PostEngineer,
				Doc:      "Power for movement, or a number of movement points at their cost.",
				Examples: []string{"move 16", "move 4 points"},
			},
			{
				Name: "shields", Forms: []orders.Form{"shields SHIELD:POINTS..."}, Post: ship.PostScience,
				Doc:      "Shield points for each shield. The sum costs power at the ship's shield ratio.",
				Examples: []string{fmt.Sprintf("shields %d:10 %d:14 %d:10", book.Ring.Number(5), book.Ahead(), book.Ring.Number(1))},
			},
			{
				Name: "arm", Forms: []orders.Form{"arm MOUNT [POWER...]"}, Post: ship.PostWeapons,
				Doc:      "Arm a weapon. A beam takes power up to its maximum: one number arms every mount of the bank with it; several arm them one by one. A missile takes a fixed amount and needs no number.",
				Examples: []string{"arm bank-b 5 5", "arm bank-b-1 4", "arm torpedo-1"},
			},
		},
	}
}

// PhaseSection returns the section of a phase of the Basic Course.
func PhaseSection(book *rulebook.Book) orders.Section {
	return orders.Section{
		Name: "phase", Numbered: true, Max: book.Split.Phases(), Post: ship.PostHelm,
		Doc: "Movement and fire of one of the " + words.Number(book.Split.Phases()) + " phases. Movement orders are carried out in turn until the phase's movement points are used up; points left over are spent on H, and the report says so.",
		Verbs: []orders.Verb{
			{
				Name: "move", Forms: []orders.Form{"move WORD..."}, When: true,
				Doc:      "One word a movement point: " + wordsDoc(book) + ".",
				Examples: []string{"move F FL", "move H when damaged"},
			},
			{
				Name: "pursue", Forms: []orders.Form{"pursue SHIP [to RANGE] [showing SHIELD]"}, When: true,
				Doc:      "Use the remaining points to reach a range from a ship (default 1), with the named shield, or else the bow, towards it.",
				Examples: []string{fmt.Sprintf("pursue Zephyr to 5 showing %d", book.Ahead())},
			},
			{
				Name: "flee", Forms: []orders.Form{"flee SHIP"}, When: true,
				Doc:      "Use the remaining points to get as far from a ship as possible.",
				Examples: []string{"flee Zephyr"},
			},
			{
				Name: "face", Forms: []orders.Form{"face SHIP [with SHIELD]"}, When: true,
				Doc:      fmt.Sprintf("Turn in place, with as few points as possible, to show a shield (default %d, the bow) to a ship; the rest is spent on hold.", book.Ahead()),
				Examples: []string{fmt.Sprintf("face Zephyr with %d", book.Ahead())},
			},
			{
				Name: "circle", Forms: []orders.Form{"circle SHIP at RANGE"}, When: true,
				Doc:      "Use the remaining points to circle a ship clockwise at a range.",
				Examples: []string{"circle Zephyr at 6"},
			},
			{
				Name: "course", Forms: []orders.Form{"course HEX"}, When: true,
				Doc:      "Use the remaining points to go to a hex and stay there.",
				Examples: []string{"course 0714"},
			},
			{
				Name: "fire", Forms: []orders.Form{"fire WEAPON... at SHIP"}, When: true, Post: ship.PostWeapons,
				Doc:      "Declare fire at a ship. A weapon fires once a turn; " + bankDoc(book) + " With all, beams or missiles, every such armed weapon that bears fires.",
				Examples: []string{"fire bank-b at Zephyr when range <= 10", "fire all at Zephyr", "fire torpedo-1 at Zephyr when range <= 6 or chance >= 60%"},
			},
		},
	}
}

func standingSection(book *rulebook.Book) orders.Section {
	s := orders.Section{
		Name: "standing", Post: ship.PostHelm, Doc: "Standing orders last until you change them; each line changes only its own subject.",
		Verbs: []orders.Verb{
			{
				Name: "choose", Forms: []orders.Form{"choose shield WHICH"}, Once: true, Post: ship.PostScience,
				Doc:      "Which of two shields is hit by a shot along the line between them: the stronger, the weaker, or the one numbered, if it is one of the two (else the stronger).",
				Examples: []string{"choose shield strongest", fmt.Sprintf("choose shield %d", book.Ahead())},
			},
			{
				Name: "lose", Forms: []orders.Form{"lose beams BANK...", "lose missiles BANK..."},
				Doc:      "The order in which weapons that bear on the firer are lost to weapon hits. Banks you do not name follow, starting with those that have fired.",
				Examples: []string{"lose beams bank-c bank-a bank-b"},
			},
			{
				Name: "missing", Forms: []orders.Form{"missing ABSENT"}, Once: true,
				Doc:      "What to do when your orders do not arrive: keep course with last turn's power, hold station with it, or repeat last turn's orders.",
				Examples: []string{"missing repeat"},
			},
		},
	}
	if book.Sheds {
		s.Verbs = slices.Insert(s.Verbs, 2, orders.Verb{
			Name: "shed", Forms: []orders.Form{"shed SYSTEM..."}, Once: true, Post: ship.PostEngineer,
			Doc:      "Where power is cut when the engines lose some in mid-turn.",
			Examples: []string{"shed weapons movement shields"},
		})
	}
	return s
}

// Language returns the language of the Basic Course with the verbs and subjects of the book's parts.
func Language(book rulebook.Book) *orders.Language {
	lang := BasicLanguage(&book)
	lang.Rules, lang.Meant, lang.Posts = book.Name, words.Meant(), book.Posts
	for _, p := range book.Parts {
		maps.Copy(lang.Params, p.Params)
		for _, s := range p.Subjects {
			if k := slices.IndexFunc(lang.Subjects, func(o orders.Subject) bool { return o.Form == s.Form }); k >= 0 {
				lang.Subjects[k] = s.Subject
			} else {
				lang.Subjects = append(lang.Subjects, s.Subject)
			}
		}
		for _, v := range p.Verbs {
			i := slices.IndexFunc(lang.Sections, func(s orders.Section) bool { return s.Name == v.Section })
			if i < 0 {
				continue // a test checks that all verbs are in one of the four sections
			}
			s := &lang.Sections[i]
			if k := slices.IndexFunc(s.Verbs, func(o orders.Verb) bool { return o.Name == v.Name }); k >= 0 {
				s.Verbs[k] = v.Verb
			} else {
				s.Verbs = append(s.Verbs, v.Verb)
			}
		}
	}
	for i := range lang.Sections {
		s := &lang.Sections[i]
		s.Doc = book.Cited(s.Doc)
		for k := range s.Verbs {
			s.Verbs[k].Doc = book.Cited(s.Verbs[k].Doc)
		}
	}
	lang.Foreign = sync.OnceValue(func() map[string]string { return foreignWords(book, lang) })
	return lang
}

// foreignWords maps words of later courses that the book's own language lacks to the course.
func foreignWords(book rulebook.Book, lang *orders.Language) map[string]string {
	own, words := book.Vocabulary(lang), map[string]string{}
	for _, course := range book.Later {
		other := course()
		for word := range other.Vocabulary(Language(other)) {
			if words[word] == "" && !own[word] {
				words[word] = other.Name
			}
		}
	}
	return words
}

// StandingVerb returns a verb of the Basic Course's standing orders.
func StandingVerb(book *rulebook.Book, name string) orders.Verb {
	verbs := standingSection(book).Verbs
	return verbs[slices.IndexFunc(verbs, func(v orders.Verb) bool { return v.Name == name })]
}

// VerbIn returns a verb of a section of the Basic Course.
func VerbIn(s orders.Section, name string) orders.Verb {
	return s.Verbs[slices.IndexFunc(s.Verbs, func(v orders.Verb) bool { return v.Name == name })]
}

// Plain returns an order set that the rules themselves made as a block to compile.
func Plain(l *rulebook.Rules, s orders.Set) *orders.Block {
	b, _ := s.Block(l.Language, "ship")
	return &b
}

// Read parses a captain's orders that the rules have kept, without head and end.
func Read(l *rulebook.Rules, text string) *orders.Block {
	b, _ := l.Language.Block("ship", text)
	return &b
}
