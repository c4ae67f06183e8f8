package rulebook

import (
	"fmt"
	"strconv"
	"strings"

	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
)

// slimNumber returns the highest second die that succeeds for a number of 0 or less; 0 if
// none does, or the course has no slim chances.
func (l *Rules) slimNumber(number int) int { return l.SlimTable(l.Library, number) }

// SlimTopics returns the topics of a number's slim chance. Books without slim chances have no
// paragraph for them, so nothing is cited.
func SlimTopics(number int) []cites.Topic {
	if number > 0 {
		return nil
	}
	return []cites.Topic{cites.SlimChance}
}

// Attempt reports whether a die succeeds against a number. It rolls a second die only if
// that can still change the result.
func (l *Rules) Attempt(need, roll int, second func() int) (done bool, s SlimRoll) {
	if need > 0 || roll != 1 {
		return roll <= need, SlimRoll{Slim: l.slimNumber(need)}
	}
	if s.Slim = l.slimNumber(need); s.Slim == 0 {
		return false, s
	}
	s.Second = second()
	return s.Second <= s.Slim, s
}

// Percent returns the chance in per cent that a die succeeds against a number. A slim chance
// is 1 in 10, times as many tenths as its number.
func (l *Rules) Percent(need int) int {
	if need > 0 {
		return 10 * min(10, need)
	}
	return l.slimNumber(need)
}

// DieWords returns what a die must show for a number, such as "1-7".
func (l *Rules) DieWords(need int) string {
	switch n := l.slimNumber(need); {
	case need > 0:
		return "1-" + strconv.Itoa(min(10, need))
	case n > 0:
		return fmt.Sprintf("a 1, then 1-%d", n)
	}
	return "no chance"
}

// TriedWords returns a number, its modifiers, and the dice rolled against it, in words.
func TriedWords(need int, mods []ship.Modifier, roll int, s SlimRoll) string {
	text := "needs " + strconv.Itoa(need) + ModifierWords(mods)
	switch {
	case need > 0:
		text += ", "
	case s.Slim > 0:
		text += fmt.Sprintf(": a 1, and then %d or less on a second die; ", s.Slim)
	default:
		text += ": no chance; "
	}
	return text + rolledWords(roll, s)
}

// rolledWords returns the dice rolled, in words.
func rolledWords(roll int, s SlimRoll) string {
	text := "rolled " + strconv.Itoa(roll)
	if s.Second > 0 {
		text += fmt.Sprintf(" and then %d", s.Second)
	}
	return text
}

// ModifierWords lists modifiers in brackets.
func ModifierWords(mods []ship.Modifier) string {
	var parts []string
	for _, m := range mods {
		parts = append(parts, fmt.Sprintf("%s %+d", m.Name, m.Value))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
