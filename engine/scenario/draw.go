package scenario

import (
	"errors"
	"fmt"
	"strings"

	"starpost/engine/dice"
	"starpost/engine/hex"
)

// Choices are the places where a ship may start, or her headings there. If there are several, dice choose when a
// game is set up. In a file it is a string or a list of strings.
type Choices []string

// mostChoices is the maximum number of places to draw from.
const mostChoices = 12

var errChoices = errors.New(`must be a text in quotes, or a list of such texts, such as ["0640", "1542"]`)

// UnmarshalTOML reads a string or a list of strings.
func (c *Choices) UnmarshalTOML(value any) error {
	switch value := value.(type) {
	case string:
		*c = Choices{value}
		return nil
	case []any:
		for _, one := range value {
			text, ok := one.(string)
			if !ok {
				return errChoices
			}
			*c = append(*c, text)
		}
		return nil
	}
	return errChoices
}

// at returns the n-th choice, or the last if there are fewer; blank if there are none.
func (c Choices) at(n int) string {
	if len(c) == 0 {
		return ""
	}
	return c[min(n, len(c)-1)]
}

// drawName returns the name of the roll for a ship's place. Ships of one draw get places with the same number.
func (sh Ship) drawName() string {
	if sh.Draw != "" {
		return "draw." + strings.ToLower(sh.Draw)
	}
	return "place." + strings.ToLower(sh.Name)
}

// Drawn returns the scenario with starting places chosen by dice of the game's secret, for ships with several.
// Without the secret, the scenario does not show which.
func (s *Scenario) Drawn(secret dice.Secret, game string) *Scenario {
	drawn := *s
	drawn.Ships = make([]Ship, len(s.Ships))
	source := dice.ForGame(secret, game, 0, "")
	drawn.dice = source
	for i, sh := range s.Ships {
		if n := len(sh.Hex); n > 1 {
			at := drawOf(source, sh.drawName(), n)
			sh.Hex, sh.Heading = Choices{sh.Hex[at]}, Choices{sh.Heading.at(at)}
		}
		drawn.Ships[i] = sh
	}
	return &drawn
}

// drawOf returns a number from 0 to n-1, all equally likely: a named d100 less one, modulo n. A roll that would
// favour some numbers is repeated, under the name with the number of the attempt.
func drawOf(source dice.Source, name string, n int) int {
	for throw := 1; ; throw++ {
		as := name
		if throw > 1 {
			as = fmt.Sprintf("%s.%d", name, throw)
		}
		if v := source.Roll(as, dice.D100); v <= 100-100%n {
			return (v - 1) % n
		}
	}
}

// shapePlaces checks the starting places of the n-th ship, from 1, against those of the ships before her.
func (s *Scenario) shapePlaces(say sayFunc, n int, taken map[hex.Hex][]startingPlace) {
	sh := s.Ships[n-1]
	switch places := len(sh.Hex); {
	case places > mostChoices:
		say("ship", n, "hex", "E405", "", "%s: more than %d places to draw from", sh.Name, mostChoices)
		return
	case len(sh.Heading) > 1 && len(sh.Heading) != places:
		say("ship", n, "heading", "E405", "give one heading, or one for each place", "%s has %d headings for %d places", sh.Name, len(sh.Heading), places)
	case sh.Draw != "" && !oneWord(sh.Draw):
		say("ship", n, "draw", "E405", "use letters, digits and hyphens", "%s: a draw needs a one-word name, not %q", sh.Name, sh.Draw)
	}
	for i := range n - 1 {
		if o := s.Ships[i]; sh.Draw != "" && strings.EqualFold(o.Draw, sh.Draw) && len(o.Hex) != len(sh.Hex) {
			say("ship", n, "hex", "E405", "give all ships of a draw the same number of places", "%s has %d places to draw from, and %s of the same draw %d", sh.Name, len(sh.Hex), o.Name, len(o.Hex))
			break
		}
	}
	for i := range max(1, len(sh.Hex)) {
		place := sh.Hex.at(i)
		h, err := hex.ParseLabel(place)
		if err != nil {
			say("ship", n, "hex", "E405", "", "%s: %v", sh.Name, err)
			continue
		}
		if col, row := h.ColRow(); max(col, -col, row, -row) > maxStart {
			say("ship", n, "hex", "E405", "", "%s starts at %s, more than %d columns or rows from the centre of space", sh.Name, place, maxStart)
		}
		if s.Bounds != nil && !(hex.Bounds{Cols: s.Bounds.Columns, Rows: s.Bounds.Rows}).Contains(h) {
			say("ship", n, "hex", "E405", "", "%s starts at %s, outside the map of %d columns and %d rows", sh.Name, place, s.Bounds.Columns, s.Bounds.Rows)
		}
		if sh.Arrives > 1 {
			continue
		}
		own := startingPlace{sh.Name, sh.drawName(), i, max(1, len(sh.Hex))}
		for _, other := range taken[h] {
			switch {
			case other.of == 1 && own.of == 1:
				say("ship", n, "hex", "E405", "give each ship its own hex; ships in one hex cannot fire at each other", "%s starts in the same hex as %s (%s)", own.ship, other.ship, place)
			case other.ship == own.ship:
				say("ship", n, "hex", "E405", "name each place only once", "%s lists the place %s twice", own.ship, place)
			case other.draw != own.draw || other.number == own.number:
				say("ship", n, "hex", "E405", `give each her own places, or write draw = "NAME" for both: then both get the first place of their lists, or both the second, and so on`, "%s and %s may both be drawn to start at %s", other.ship, own.ship, place)
			}
		}
		taken[h] = append(taken[h], own)
	}
	for i := range max(1, len(sh.Heading)) {
		if _, err := hex.ParseHeading(sh.Heading.at(i)); err != nil {
			say("ship", n, "heading", "E405", "use A for up, then clockwise to F", "%s: %v", sh.Name, err)
		}
	}
}

// startingPlace is one of the places that a ship may start at: its number, out of how many.
type startingPlace struct {
	ship, draw string
	number, of int
}
