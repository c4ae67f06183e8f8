package enginetest

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"slices"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/robots"
)

// Twin plays some turns of a battle with robots commanding all ships, and returns what the captains of some of them
// are told, turn by turn. Battles that differ only in what those captains do not know are twins: the result must be
// the same.
func Twin(r *engine.Rules, g *engine.Game, secret dice.Secret, turns int, captains ...engine.ShipID) (told []byte, events []engine.Event, err error) {
	var all []engine.Event
	for turn := 0; ; turn++ {
		for _, id := range captains {
			more, err := Told(r, g, events, engine.Seat{Ship: id})
			if err != nil {
				return nil, nil, err
			}
			told = fmt.Appendf(told, "\nturn %d, %s\n%s", turn, id, more)
		}
		if turn == turns || g.Result != nil {
			return []byte(WithoutHashes(string(told))), all, nil
		}
		sheets, err := robots.Orders(r, g, events)
		if err != nil {
			return nil, nil, err
		}
		if g, events, err = engine.Resolve(r, g, sheets, secret); err != nil {
			return nil, nil, err
		}
		all = append(all, events...)
	}
}

// NamesTellNothing plays a battle with an unseen ship of one name, then with every n-th word of its events, reports
// and dice as her name, and with all words in others. Captains who do not see her must be told the same each time.
// Battle makes the game, or returns nil for a word that cannot be a name. NamesTellNothing returns how many words
// were names.
func NamesTellNothing(r *engine.Rules, battle func(unseen string) *engine.Game, secret dice.Secret, turns, every int, others []string, captains ...engine.ShipID) (names int, err error) {
	const first = "Zubenelgenubi"
	want, events, err := Twin(r, battle(first), secret, turns, captains...)
	if err != nil {
		return 0, err
	}
	if bytes.Contains(bytes.ToLower(want), []byte("zubenelgenubi")) {
		return 0, fmt.Errorf("%s: the ship that is to be unseen is seen", r.Name)
	}
	record, err := engine.EncodeEvents(events)
	if err != nil {
		return 0, err
	}
	text := string(record) + string(want) + fmt.Sprint(r.Dice, r.Events.Names())
	words := regexp.MustCompile(`[A-Za-z][A-Za-z0-9-]*`).FindAllString(text, -1)
	slices.Sort(words)
	words = slices.Concat(others, slices.Compact(words))
	for i, name := range words {
		g := battle(name)
		if g == nil || i >= len(others) && i%every > 0 {
			continue
		}
		got, _, err := Twin(r, g, secret, turns, captains...)
		if err != nil {
			return names, fmt.Errorf("%s, with an unseen ship called %s: %w", r.Name, name, err)
		}
		if !reflect.DeepEqual(got, want) {
			return names, fmt.Errorf("%s: that an unseen ship is called %s shows: %s", r.Name, name, Difference(want, got))
		}
		names++
	}
	return names, nil
}
