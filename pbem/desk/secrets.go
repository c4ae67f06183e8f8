package desk

import (
	"slices"
	"strings"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/console"
	"starpost/pbem/desk/codes"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// keptBack is how many turns the keys are hidden of: those before the one that is
// due fit again when a turn is taken back.
const keptBack = 21

// secrets are the keys of who sent the mail, as captain and as referee, of all his
// games.
func (c *mailIn) secrets() ([]string, error) {
	senders := c.in.Mail.Senders()
	if c.own != nil || len(senders) == 0 {
		return c.own, nil
	}
	out := []string{}
	add := func(game string, key func(g *vault.Game, due int) string) error {
		g, err := c.people.Games.Look(game)
		if err != nil {
			return err
		}
		for due, n := g.Turn()+1, 0; n < keptBack && due-n > 0; n++ {
			out = append(out, key(g, due-n))
		}
		return nil
	}
	for _, s := range c.people.seats(senders[0]) {
		if err := add(s.game, func(g *vault.Game, due int) string { return turn.Key(g, due, s.captain.Name) }); err != nil {
			return nil, err
		}
	}
	for _, s := range c.people.refereeSeats(senders[0]) {
		if err := add(s.game, func(g *vault.Game, due int) string { return referee.Key(g, due, s.referee.Name) }); err != nil {
			return nil, err
		}
	}
	c.own = out
	return out, nil
}

// hide takes keys out of words that leave the robot or are kept: what a captain
// copies from his reports into a message is not to let others speak for him.
func (c *mailIn) hide(text string) (string, error) {
	keys, err := c.secrets()
	if err != nil {
		return "", err
	}
	return auth.MaskRelayed(text, slices.Concat(keys, c.keys)), nil
}

// hideText hides keys in what a command says in the sender's own words.
func (c *task) hideText(d *commandResult) (err error) {
	if d.cmd.Text != "" {
		d.cmd.Text, err = c.hide(d.cmd.Text)
	}
	return err
}

// hideWords hides keys in the words of a referee's command, and in what he files.
func (c *Decision) hideWords(req *console.Request) (err error) {
	hide := func(text string) string {
		out, hidden := c.hide(text)
		if hidden != nil {
			err = hidden
		}
		return out
	}
	req.Reword(hide)
	for i, t := range req.Texts {
		head, rest, ok := strings.Cut(string(t.Text), "\n")
		if ok && strings.HasPrefix(head, "#orders") {
			req.Texts[i].Text = []byte(head + "\n" + hide(rest)) // a key in the head has its place there
		} else {
			req.Texts[i].Text = []byte(hide(string(t.Text)))
		}
	}
	return err
}

// hideInSet hides keys in the free words of an order set: they go out with the
// reports. Where none can be written there is nothing to look at.
func (c *submissions) hideInSet(s *orderResult) error {
	if s.set.Text == "" || !strings.Contains(s.set.Text, "#text") && s.game.Rules().Language.Free == "" {
		return nil
	}
	head, rest, _ := strings.Cut(s.set.Text, "\n")
	hidden, err := c.hide(rest)
	if err != nil || hidden == rest {
		return err
	}
	read := s.pos.CheckAs([]byte(head+"\n"+hidden), s.captain.Name)
	if len(read.Sets) != 1 || read.Sets[0].Name != s.set.Name || !read.Sets[0].OK() {
		s.set.Diagnostics = append(s.set.Diagnostics, orders.Diagnostic{
			Pos: s.set.Raw.Head.Pos, Code: codes.KeyInWords, Message: "a turn key stands among the words of the set, and cannot be left out of them",
			Hint: "write the key on the #orders line and nowhere else",
		})
		return nil
	}
	s.set.Text, s.set.Block = read.Sets[0].Text, read.Sets[0].Block
	s.notices = append(s.notices, "A turn key stood among the words of the set. It is hidden there, for others read them.")
	return nil
}
