package rulebook

import (
	"fmt"
	"strconv"
	"strings"

	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
)

// slimNumber is the highest second die that succeeds for a number of 0 or less; 0 for
// none, and where the course has no such chances.
func (l *Rules) slimNumber(number int) int { return l.SlimTable(l.Library, number) }

// SlimTopics are the topics of a number's slim chance. A book without such chances says
// nothing of them, so that nothing is cited.
func SlimTopics(number int) []cites.Topic {
	if number > 0 {
		return nil
	}
	return []cites.Topic{cites.SlimChance}
}

// Attempt tells whether a die succeeds against a number. A second one is rolled only
// if it can still change anything.
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

// Percent is the chance in per cent that a die succeeds against a number. A slim one
// is one in ten of as many tenths.
func (l *Rules) Percent(need int) int {
	if need > 0 {
		return 10 * min(10, need)
	}
	return l.slimNumber(need)
}

// DieWords is what a die must show for a number, such as "1-7".
func (l *Rules) DieWords(need int) string {
	switch n := l.slimNumber(need); {
	case need > 0:
		return "1-" + strconv.Itoa(min(10, need))
	case n > 0:
		return fmt.Sprintf("a 1, then 1-%d", n)
	}
	return "no chance"
}

// TriedWords is a number, with what changed it, and the dice against it.
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

// rolledWords is what was rolled.
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
