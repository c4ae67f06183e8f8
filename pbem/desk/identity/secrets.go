package identity

import (
	"slices"

	"starpost/pbem/auth"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// OwnKeys adds the sender's keys of all his games to those that are hidden.
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

// keptBack is how many turns the keys are hidden of: those before the one that is
// due fit again when a turn is taken back.
const keptBack = 21

// secrets are the keys of who sent the mail, as captain and as referee, of all his
// games.
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

// Hide takes keys out of words that leave the robot or are kept: what a captain
// copies from his reports into a message is not to let others speak for him.
func (c *Mail) Hide(text string) (string, error) {
	keys, err := c.secrets()
	if err != nil {
		return "", err
	}
	return auth.MaskRelayed(text, slices.Concat(keys, c.Keys)), nil
}
