package engine

import (
	"slices"
	"strings"

	"starpost/engine/dice"
)

// RollName is the name of a throw, in parts with dots between them: what it is for, the ships that it is about,
// and whatever else tells it from others. Which parts are ids of ships is kept, so that they never have to be
// told from other words again; names that were read from a file have none. No name has more than two.
type RollName struct {
	text string
	ids  [2]part
}

// part is where an id stands in the text of a name; empty for none.
type part struct{ from, to int }

// NameRoll is the name of a throw for something that is about some ships.
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

// And adds words to a name, each a part of its own.
func (n RollName) And(words ...string) RollName {
	n.text = strings.Join(append([]string{n.text}, words...), ".")
	return n
}

// within is a name with words before it.
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

// String is the name with its dots, as dice are thrown by and files have it.
func (n RollName) String() string { return n.text }

// Ships are those that it is about, in their order.
func (n RollName) Ships() (ids []ShipID) {
	for _, at := range n.ids {
		if at != (part{}) {
			ids = append(ids, ShipID(n.text[at.from:at.to]))
		}
	}
	return ids
}

// renamed is the name with other words for the ships in it.
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

// NamedDie is a kind of roll that a rule set makes, for those who work dice out for
// themselves. In Name, what is in capitals stands for an id, for a number as N, for
// anything as NAME; what is in brackets may be missing: "fire.SHIP.WEAPON[.N].hit". Before it stands
// the turn, and of rolls that belong to a phase that too: "t3.p2.".
type NamedDie struct {
	Name    string
	Example string   // whole: "t3.p2.fire.hood.bank-a.hit"
	Die     dice.Die // zero: whichever the referee names
	What    string   // what it is thrown for
}

// Fits tells whether a roll is one of the kind.
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

// fitsName tells whether what follows turn and phase has the form of [NamedDie.Name].
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

// isNumber tells whether a text is digits after a letter.
func isNumber(text, letter string) bool {
	digits, ok := strings.CutPrefix(text, letter)
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// Roll is one named throw (ruling D2).
type Roll struct {
	Name  RollName `json:"name" see:"all"`
	Dice  dice.Die `json:"dice" see:"all"`
	Value int      `json:"value" see:"all"`
	Was   int      `json:"was,omitempty" see:"all"` // what the die showed, where a referee ruled otherwise
}
