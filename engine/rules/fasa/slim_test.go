package fasa

import (
	"testing"

	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/tables"
)

// slimly reports whether dice succeed against a number, by the table of slim chances.
func slimly(need, roll int, s rulebook.SlimRoll) bool {
	if need > 0 {
		return roll <= need
	}
	chance := map[int]int{0: 8, -1: 6, -2: 4, -3: 2}[need]
	return roll == 1 && chance > 0 && s.Slim == chance && s.Second <= chance
}

// TestAttempt tries every number against every pair of dice: the second die is thrown
// only when it decides, and the chance in per cent is how often they succeed.
func TestAttempt(t *testing.T) {
	lib, err := tables.Core()
	if err != nil {
		t.Fatal(err)
	}
	l := &rulebook.Rules{Library: lib, Book: course{Book: rulebook.Book{FireRules: rulebook.FireRules{SlimTable: (*tables.Library).SlimChance}}}.complete().Book}
	for need := -6; need <= 12; need++ {
		succeeded := 0
		for first := 1; first <= 10; first++ {
			for second := 1; second <= 10; second++ {
				asked := false
				done, s := l.Attempt(need, first, func() int { asked = true; return second })
				if done != slimly(need, first, s) || asked != (need <= 0 && need > -4 && first == 1) || asked != (s.Second > 0) {
					t.Errorf("needs %d, rolled %d and %d: %v, %+v, asked: %v", need, first, second, done, s, asked)
				}
				if done {
					succeeded++
				}
			}
		}
		if got := l.Percent(need); got != succeeded {
			t.Errorf("needs %d: %d per cent, succeeds %d times in a hundred", need, got, succeeded)
		}
	}
	l.Book = course{}.complete().Book
	if done, s := l.Attempt(0, 1, nil); done || s != (rulebook.SlimRoll{}) || l.Percent(-1) != 0 {
		t.Errorf("a course without slim chances: %v, %+v", done, s)
	}
}
