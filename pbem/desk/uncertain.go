package desk

import (
	"slices"
	"strings"

	"starpost/pbem/auth"
	"starpost/pbem/desk/identity"
	"starpost/pbem/desk/submission"
)

// decideUncertain decides a mail whose only automatic marks are those of a mailing list, or of an
// absence notice that a person may have set by hand. A captain may have written the mail
// personally, so proven order sets in it count. Nothing else in it has an effect, and no mail goes
// out, so that no loop can arise. If a proven set was refused or a keyed command ignored, the
// captain is told in the next answer.
func (c *Decision) decideUncertain(seats []identity.Seat) error {
	why := "automatic: " + machine(c.In.Mail.Automatic)
	c.Reason = why
	if c.In.Mail.Text == "" || len(seats) == 0 {
		return nil // an unreadable text is not reported either
	}
	raws, diags, err := c.Find(c.In)
	if err != nil {
		return err
	}
	c.readCommands(diags)
	keyed, err := c.commandsKeyed(seats)
	if err != nil {
		return err
	}
	if keyed {
		c.Silent = seats[0].Address
	}
	if len(raws) == 0 || c.Checks() {
		return nil
	}
	c.Body.Marked = nil
	if err := c.decideSets(seats, raws, diags); err != nil {
		return err
	}
	c.reply, c.Mails = noReply, nil
	if c.Outcome != Done {
		c.Outcome, c.Reason = Ignored, why
		if slices.ContainsFunc(c.Sets, submission.Set.RefusedProven) {
			c.Silent = seats[0].Address
		}
		return nil
	}
	c.Silent = seats[0].Address
	c.Reason += ", not answered: " + strings.TrimPrefix(why, "automatic: ")
	return nil
}

// commandsKeyed reports whether the mail has a command and the key of the turn that is due, in a
// command or in the recipient address.
func (c *Decision) commandsKeyed(seats []identity.Seat) (bool, error) {
	if len(c.Commands) == 0 {
		return false, nil
	}
	given := []string{c.Plus}
	for _, cmd := range c.Commands {
		given = append(given, cmd.Key)
	}
	for _, s := range seats {
		t, err := c.Opened(s.Game)
		if err != nil {
			return false, err
		}
		if t.Pos.Due() == 0 {
			continue
		}
		key := t.Pos.Key(s.Captain.Name)
		if slices.ContainsFunc(given, func(k string) bool { return k != "" && auth.EqualKeys(k, key) }) {
			return true, nil
		}
	}
	return false, nil
}
