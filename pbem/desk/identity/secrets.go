package identity

import (
	"slices"

	"starpost/pbem/auth"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// OwnKeys adds the sender's keys of all games to the hidden keys.
func (c *Mail) OwnKeys() error {
	senders := c.In.Mail.Senders()
	if len(senders) == 0 {
		return nil
	}
	for _, s := range c.People.Seats(senders[0], c.In.Received) {
		g, err := c.People.Games.Game(s.Game)
		if err != nil {
			return err
		}
		c.Keys = append(c.Keys, turn.Key(g, g.Turn()+1, s.Captain.Name))
	}
	return nil
}

// keptBack is the number of turns for which keys are hidden: earlier keys become valid again when a
// turn is rolled back.
const keptBack = 21

// secrets returns the sender's keys in all games, as captain and as referee.
func (c *Mail) secrets() ([]string, error) {
	senders := c.In.Mail.Senders()
	if c.own != nil || len(senders) == 0 {
		return c.own, nil
	}
	out := []string{}
	add := func(game string, key func(g *vault.Game, due int) string) error {
		g, err := c.People.Games.Look(game)
		if err != nil {
			return err
		}
		for due, n := g.Turn()+1, 0; n < keptBack && due-n > 0; n++ {
			out = append(out, key(g, due-n))
		}
		return nil
	}
	for _, s := range c.People.Seats(senders[0], c.In.Received) {
		if err := add(s.Game, func(g *vault.Game, due int) string { return turn.Key(g, due, s.Captain.Name) }); err != nil {
			return nil, err
		}
	}
	for _, s := range c.People.RefereeSeats(senders[0]) {
		if err := add(s.Game, func(g *vault.Game, due int) string { return referee.Key(g, due, s.Referee.Name) }); err != nil {
			return nil, err
		}
	}
	c.own = out
	return out, nil
}

// Hide masks keys in words that leave the robot or are stored: a captain who copies text from a
// report into a message must not give others the key.
func (c *Mail) Hide(text string) (string, error) {
	keys, err := c.secrets()
	if err != nil {
		return "", err
	}
	return auth.MaskRelayed(text, slices.Concat(keys, c.Keys)), nil
}
