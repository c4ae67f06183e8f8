package engine

import (
	"regexp"
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

// capitals are the parts of a name that stand for others.
var capitals = regexp.MustCompile(`[A-Z]+`)

// Fits tells whether a roll is one of the kind.
func (n NamedDie) Fits(name string, die dice.Die) bool {
	if n.Die != 0 && n.Die != die {
		return false
	}
	p := strings.NewReplacer(".", `\.`, "[", "(", "]", ")?").Replace(n.Name)
	p = capitals.ReplaceAllStringFunc(p, func(word string) string {
		switch word {
		case "N":
			return "[0-9]+"
		case "NAME":
			return ".+"
		}
		return "[^.]+"
	})
	ok, err := regexp.MatchString(`^t[0-9]+\.(p[0-9]+\.)?`+p+"$", name)
	return err == nil && ok
}
