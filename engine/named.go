package engine

import (
	"slices"
	"strings"

	"starpost/engine/dice"
)

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
