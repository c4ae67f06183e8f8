package engine

import (
	"slices"
	"strings"

	"starpost/engine/dice"
)

// RollName is the name of a roll: parts joined by dots that say what it is for, which ships it is about, and
// whatever else distinguishes it. It records which parts are ship ids (two at most), so that they never have to be
// told from other words again. A name that was read from a file has none recorded.
type RollName struct {
	text string
	ids  [2]part
}

// part is the position of an id in the text of a name; zero for none.
type part struct{ from, to int }

// NameRoll returns the name of a roll for something, about some ships.
func NameRoll(what string, ships ...ShipID) RollName {
	n := RollName{text: what}
	for _, id := range ships {
		n = n.Of(id)
	}
	return n
}

// Of adds a ship to a name.
func (n RollName) Of(id ShipID) RollName {
	at := part{from: len(n.text) + 1}
	n.text += "." + string(id)
	at.to = len(n.text)
	for i := range n.ids {
		if n.ids[i] == (part{}) {
			n.ids[i] = at
			return n
		}
	}
	panic("engine: the name of a roll has more than two ships: " + n.text)
}

// And adds words to a name, each as a part of its own.
func (n RollName) And(words ...string) RollName {
	n.text = strings.Join(append([]string{n.text}, words...), ".")
	return n
}

// within returns the name with a prefix.
func (n RollName) within(prefix string) RollName {
	n.text = prefix + n.text
	for i := range n.ids {
		if n.ids[i] != (part{}) {
			n.ids[i].from += len(prefix)
			n.ids[i].to += len(prefix)
		}
	}
	return n
}

// String returns the name with its dots, as dice and files use it.
func (n RollName) String() string { return n.text }

// Ships returns the ships that the roll is about, in their order in the name.
func (n RollName) Ships() (ids []ShipID) {
	for _, at := range n.ids {
		if at != (part{}) {
			ids = append(ids, ShipID(n.text[at.from:at.to]))
		}
	}
	return ids
}

// renamed returns the name with other ids for the ships in it.
func (n RollName) renamed(rename func(ShipID) ShipID) RollName {
	out, at := RollName{}, 0
	for i, id := range n.ids {
		if id == (part{}) {
			continue
		}
		out.text += n.text[at:id.from]
		out.ids[i].from = len(out.text)
		out.text += string(rename(ShipID(n.text[id.from:id.to])))
		out.ids[i].to = len(out.text)
		at = id.to
	}
	out.text += n.text[at:]
	return out
}

// MarshalText writes String.
func (n RollName) MarshalText() ([]byte, error) { return []byte(n.text), nil }

// UnmarshalText reads what MarshalText wrote.
func (n *RollName) UnmarshalText(text []byte) error {
	*n = RollName{text: string(text)}
	return nil
}

// NamedDie describes a kind of roll that a rule set makes, for people who recompute dice. In Name, words in
// capitals stand for ids, N for a number and NAME for anything; a part in brackets may be missing:
// "fire.SHIP.WEAPON[.N].hit". Before it come the turn and, if the roll belongs to a phase, the phase: "t3.p2.".
type NamedDie struct {
	Name    string
	Example string   // the full name: "t3.p2.fire.hood.bank-a.hit"
	Die     dice.Die // zero: whichever the referee names
	What    string   // what it is thrown for
}

// Fits reports whether a roll is of this kind.
func (n NamedDie) Fits(name string, die dice.Die) bool {
	if n.Die != 0 && n.Die != die {
		return false
	}
	turn, rest, _ := strings.Cut(name, ".")
	if phase, after, ok := strings.Cut(rest, "."); ok && isNumber(phase, "p") && fitsName(n.Name, after) {
		return isNumber(turn, "t")
	}
	return isNumber(turn, "t") && fitsName(n.Name, rest)
}

// fitsName reports whether what follows turn and phase has the form of [NamedDie.Name].
func fitsName(form, name string) bool {
	if before, rest, ok := strings.Cut(form, "["); ok {
		inside, after, _ := strings.Cut(rest, "]")
		return fitsName(before+after, name) || fitsName(before+inside+after, name)
	}
	if form == "NAME" {
		return name != ""
	}
	forms, parts := strings.Split(form, "."), strings.Split(name, ".")
	return slices.EqualFunc(forms, parts, func(f, part string) bool {
		switch {
		case f == "N":
			return isNumber(part, "")
		case f == strings.ToUpper(f):
			return part != ""
		}
		return f == part
	})
}

// isNumber reports whether a text is a prefix followed by digits.
func isNumber(text, letter string) bool {
	digits, ok := strings.CutPrefix(text, letter)
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// Roll is one named roll (ruling D2).
type Roll struct {
	Name  RollName `json:"name" see:"all"`
	Dice  dice.Die `json:"dice" see:"all"`
	Value int      `json:"value" see:"all"`
	Was   int      `json:"was,omitempty" see:"all"` // what the die showed, if a referee ruled otherwise
}
