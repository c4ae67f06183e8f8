package sfb

const houseName = "sfb-house"

// house is the rule set sfb-house as far as it goes: how ships move. It is in no list of
// rule sets until a game by it can be played to its end.
func house() Book {
	b := cadet()
	b.Name, b.Title, b.Version = houseName, "House rules: six speeds, a pool of movement energy, eight impulses", "1"
	b.Sources = []string{
		"house rules as of 2001 (cited `house 6.04`): speeds, impulses, turn modes, steps of acceleration",
		"what they leave out as in the cadet game",
	}
	b.Impulses, b.MaxSpeed, b.Again = 8, 24, 2
	b.Quanta = []quantum{{"0", 0}, {"1", 1}, {"2", 8}, {"2.5", 16}, {"3", 24}}
	b.TurnModes = map[string][]TurnStep{}
	straight := [][6]int{{1, 1, 1, 1, 1, 1}, {2, 2, 2, 3, 3, 3}, {3, 4, 5, 5, 6, 7}, {5, 6, 6, 6, 7, 8}} // by speed from 1 on, for A to F
	for i := range straight[0] {
		letter := string(rune('A' + i))
		for k, q := range b.Quanta[1:] {
			b.TurnModes[letter] = append(b.TurnModes[letter], TurnStep{Moves: straight[k][i], Speed: q.Hexes})
		}
	}
	b.Cites[onPool] = []string{"house 6.01", "house 6.03a", "house 6.05"}
	b.Cites[onSpeed] = b.Cites[onPool]
	b.Cites[onTurning] = []string{"house 6.02", "house 6.04"}
	b.Advice = []string{
		"A speed may be raised by one step in an impulse, from a stop to 2 at once; slower ships turn sooner.",
		"What a slower speed leaves in the pool of movement energy pays for hexes later in the turn.",
	}
	return b
}
