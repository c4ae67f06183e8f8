package dice

import (
	"fmt"
	"strconv"
)

// Die is a kind of roll. The zero value is not a valid die.
type Die uint8

// The dice of the rule sets. Tens dice read 0 as 10 (D1).
const (
	D6    Die = iota + 1 // 1 to 6
	TwoD6                // the sum of two D6, 2 to 12
	D10                  // 1 to 10
	D100                 // 1 to 100
)

// dieTable has for each die its name, how many are rolled, and their faces.
var dieTable = [...]struct {
	name         string
	count, faces int
}{
	D6:    {"d6", 1, 6},
	TwoD6: {"2d6", 2, 6},
	D10:   {"d10", 1, 10},
	D100:  {"d100", 1, 100},
}

func (d Die) valid() bool { return d >= D6 && d <= D100 }

// Range returns the lowest and the highest value of a roll; 0, 0 for an invalid die.
func (d Die) Range() (low, high int) {
	if !d.valid() {
		return 0, 0
	}
	t := dieTable[d]
	return t.count, t.count * t.faces
}

// String returns "d6", "2d6", "d10" or "d100"; an invalid die shows its number.
func (d Die) String() string {
	if !d.valid() {
		return "Die(" + strconv.Itoa(int(d)) + ")"
	}
	return dieTable[d].name
}

// ParseDie parses what String returns.
func ParseDie(s string) (Die, error) {
	for d := D6; d <= D100; d++ {
		if s == dieTable[d].name {
			return d, nil
		}
	}
	return 0, fmt.Errorf("die %.24q: want d6, 2d6, d10 or d100", s)
}

// MarshalText returns the name; an invalid die is an error.
func (d Die) MarshalText() ([]byte, error) {
	if !d.valid() {
		return nil, fmt.Errorf("die %d: want d6, 2d6, d10 or d100", uint8(d))
	}
	return []byte(dieTable[d].name), nil
}

// UnmarshalText parses a name; see ParseDie.
func (d *Die) UnmarshalText(text []byte) error {
	parsed, err := ParseDie(string(text))
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

// Source returns the value of a named roll, within the range of the die.
type Source interface {
	Roll(name string, d Die) int
}
