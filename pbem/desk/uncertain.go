package desk

import (
	"slices"
	"strings"

	"starpost/pbem/auth"
)

// decideUncertain decides a mail that bears the marks of a mailing list, or those of an
// absence notice that a person may choose, and no others of a machine. A captain may
// have written the mail himself: so the order sets in it that are proven count. Nothing else in
// it does anything, and no mail goes out for it, so that there can be no loop; but
// of a set that was refused, or a command that was left alone, the captain is told
// when he gets his next answer, if his key is there.
func (c *Decision) decideUncertain(seats []seat) error {
	why := "automatic: " + machine(c.in.Mail.Automatic)
	c.Reason = why
	if c.in.Mail.Text == "" || len(seats) == 0 {
		return nil // an unreadable text is not reported either
	}
	raws, diags, err := c.find(c.in)
	if err != nil {
		return err
	}
	c.readCommands(diags)
	keyed, err := c.commandsKeyed(seats)
	if err != nil {
		return err
	}
	if keyed {
		c.Silent = seats[0].address
	}
	if len(raws) == 0 || c.checks() {
		return nil
	}
	c.body.Marked = nil
	if err := c.decideSets(seats, raws, diags); err != nil {
		return err
	}
	c.reply, c.Mails = noReply, nil
	if c.Outcome != Done {
		c.Outcome, c.Reason = Ignored, why
		if slices.ContainsFunc(c.orderResults, orderResult.refusedProven) {
			c.Silent = seats[0].address
		}
		return nil
	}
	c.Silent = seats[0].address
	c.Reason += ", not answered: " + strings.TrimPrefix(why, "automatic: ")
	return nil
}

// refusedProven tells of a set that the captain sent for sure, and that has a
// mistake in it.
func (s orderResult) refusedProven() bool {
	return s.trusted && s.proof.Proof != auth.ByResults && !s.echo && !s.set.OK()
}

// commandsKeyed tells whether the mail has a command and with it the key of the
// turn that is due, in the command or in the address that was written to.
func (c *Decision) commandsKeyed(seats []seat) (bool, error) {
	if len(c.commands) == 0 {
		return false, nil
	}
	given := []string{c.plus}
	for _, cmd := range c.commands {
		given = append(given, cmd.Key)
	}
	for _, s := range seats {
		t, err := c.opened(s.game)
		if err != nil {
			return false, err
		}
		if t.pos.Due() == 0 {
			continue
		}
		key := t.pos.Key(s.captain.Name)
		if slices.ContainsFunc(given, func(k string) bool { return k != "" && auth.EqualKeys(k, key) }) {
			return true, nil
		}
	}
	return false, nil
}

// doubtful tells whether a set in a mail that may be a machine's does not show that a
// person wrote it: machines send back what they were sent, and servers vouch for
// them too.
func (c *submissions) doubtful(s *orderResult) (bool, error) {
	if c.in.Mail.Automatic == "" {
		return false, nil
	}
	if s.proof.Proof == auth.ByResults || s.set.Ship == "" {
		return s.proof.Proof == auth.ByResults, nil
	}
	t := sent{pile: &gameBlocks{game: s.game}, pos: s.pos}
	return t.has(s.set.Raw, s.set.Seat())
}
