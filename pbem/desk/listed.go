package desk

import (
	"strings"

	"starpost/pbem/auth"
)

// judgeListed decides a mail that bears the marks of a mailing list and no others
// of a machine. Such marks may come from the provider of a captain who wrote the
// mail himself: so the order sets in it that are proven count. Nothing else in
// it is looked at, and no mail goes out for it, so that there can be no loop.
func (c *Case) judgeListed(seats []seat) error {
	why := "automatic: " + machine(c.letter.Mail.Automatic)
	c.Reason = why
	if c.letter.Mail.Text == "" || len(seats) == 0 {
		return nil // of a text that cannot be read nobody is told either
	}
	raws, diags, err := c.find(c.letter)
	if err != nil || len(raws) == 0 {
		return err
	}
	if c.readCommands(diags); c.checks() {
		return nil
	}
	c.marked = nil
	if err := c.judgeBlocks(seats, raws, diags); err != nil {
		return err
	}
	c.reply, c.Mails = noReply, nil
	if c.Outcome != Done {
		c.Outcome, c.Reason = Ignored, why
		return nil
	}
	c.Silent = seats[0].address
	c.Reason += ", not answered: " + strings.TrimPrefix(why, "automatic: ")
	return nil
}

// doubtful tells whether a set in a mail that may be a machine's does not show that a
// person wrote it: machines send back what they were sent, and servers vouch for
// them too.
func (c *Case) doubtful(s *section) (bool, error) {
	if c.letter.Mail.Automatic == "" {
		return false, nil
	}
	if s.proof.Proof == auth.ByResults || s.set.Ship == "" {
		return s.proof.Proof == auth.ByResults, nil
	}
	t := sent{pile: &pile{game: s.game}, pos: s.pos}
	return t.has(s.set.Raw, s.set.Ship)
}
