package desk

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/outgoing"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// moved makes the confirmed address the captain's. The old one is told, and how to
// undo it: anyone who had a turn key could ask for the change from a forged address.
func addressMoved(c *task, d *commandResult, to string) error {
	d.subject = "Your new address"
	d.say("From now on the mails of the game go to %s. The old address is told, and may put itself back for %d days.", to, tokenDays)
	if err := c.note(d, journal.Address, d.pos.Due(), journal.AddressData{Old: d.captain.Address, New: to}); err != nil {
		return err
	}
	claim := auth.Claim{
		Kind: claimUndo, Game: d.game.ID(), Captain: d.captain.Name, Changes: d.changes, Old: to, Address: d.captain.Address,
	}
	token := auth.Token(d.game.Secret(), claim, c.in.Received.Add(tokenDays*24*time.Hour))
	back := auth.WithKey(c.robot.Address, token)
	if c.robot.NoPlus {
		back = ""
	}
	text := []string{
		"The reports of the game now go to another address, which was asked for from here and confirmed from there. No more mails of the game come to this one.",
		"If you know nothing of this, put this address back.",
	}
	text = append(append(text, c.robot.how("undo", token)...), fmt.Sprintf("That is possible for %d days.", tokenDays))
	if err := tellGone(c, d, d.captain, back, "Your address has changed", text...); err != nil {
		return err
	}
	c.to = to
	return c.lastReport(d, to)
}

// tellGone mails an address that is the captain's no more. No key of his goes there;
// back is where an answer is of use, "" for nowhere.
func tellGone(c *task, d *commandResult, to vault.Captain, back, subject string, text ...string) error {
	if who := askable(c, d.game.Settings()); len(who) > 0 {
		text = append(text, "The referee knows more: "+strings.Join(who, ", ")+".")
	}
	out, err := c.toCaptain(KindTold, d, to, subject, templates.Notice{Gone: true, Text: text})
	if err != nil {
		return err
	}
	out.Message.MessageID = c.id(KindTold, d, "old")
	if back != "" {
		out.Message.ReplyTo = outgoing.Address{Name: out.Message.From.Name, Addr: back}
	}
	c.Mails = append(c.Mails, out)
	return nil
}

// askable are the addresses of referees of a game, and of whom the robot's operator
// names, but of none who plays in it: captains' addresses are never shown.
func askable(c *task, s vault.Settings) []string {
	var out []string
	add := func(address string) {
		if address == "" || slices.ContainsFunc(s.Captains, func(o vault.Captain) bool {
			return auth.HasAddress(o.Addresses(), address)
		}) || auth.HasAddress(out, address) {
			return
		}
		out = append(out, address)
	}
	for _, r := range s.Referees {
		if r.Plays == "" {
			add(r.Address)
		}
	}
	add(c.robot.Referee)
	return out
}

// undo puts an address back, when the token is right.
func undo(c *task, d *commandResult) error {
	senders := c.in.Mail.Senders()
	tokens, err := c.tokens(d)
	if err != nil {
		return err
	}
	if len(tokens) == 0 {
		d.refuse(codes.BadToken, "there is no token in the mail", "answer the mail that told you of the change, or write the line that it gives")
		return nil
	}
	for _, token := range tokens {
		if len(senders) != 1 || !answerable(senders[0]) {
			break
		}
		for _, s := range c.people.Games.Settings() {
			if ok, err := undoes(c, d, s.ID, token, senders[0]); err != nil || ok {
				return err
			}
		}
	}
	d.refuse(codes.BadToken, "the token does not fit, was used already, or is too old",
		fmt.Sprintf("answer from the address that was yours, within %d days of the change; else ask the referee", tokenDays))
	return nil
}

// undoes puts an address of a game back, if the token is one for it.
func undoes(c *task, d *commandResult, id, token, sender string) (bool, error) {
	g, err := c.people.Games.Look(id)
	if err != nil {
		return false, err
	}
	if _, ok, err := movedFrom(c, g, token, sender); err != nil || !ok {
		return false, err
	}
	t, err := c.opened(id)
	if err != nil {
		return false, err
	}
	// Once more, now that the game is unlocked.
	who, ok, err := movedFrom(c, t.game, token, sender)
	if err != nil || !ok {
		return false, err
	}
	d.game, d.pos, d.captain, d.changes = t.game, t.pos, who, t.game.Changes(who.Name)
	return true, putBack(c, d, sender)
}

// movedFrom finds the captain whose address a token puts back.
func movedFrom(c *task, g *vault.Game, token, sender string) (vault.Captain, bool, error) {
	st, err := g.AdminState()
	if err != nil {
		return vault.Captain{}, false, err
	}
	for _, m := range st.Moves {
		who, ok := g.Settings().Captain(m.Captain)
		if !ok || who.Address == "" || m.Back || !auth.SameAddress(m.Old, sender) || auth.SameAddress(who.Address, sender) {
			continue
		}
		claim := auth.Claim{Kind: claimUndo, Game: g.ID(), Captain: who.Name, Changes: g.Changes(who.Name), Old: m.New, Address: sender}
		if claim.Confirms(g.Secret(), token, c.in.Received) {
			return who, true, nil
		}
	}
	return vault.Captain{}, false, nil
}

// putBack makes an address the captain's again. Who had the seat's mails meanwhile
// is told, and the referee: one of the two may be someone else.
func putBack(c *task, d *commandResult, to string) error {
	d.subject = "Your address is back"
	d.say("The mails of the game come to this address again, and the other one is told. Your turn key is a new one: your report comes once more, in a mail of its own.")
	d.say("If orders were sent from there, they are in force until you send others: the command status shows what is.")
	if err := c.note(d, journal.Address, d.pos.Due(), journal.AddressData{Old: d.captain.Address, New: to, Back: true}); err != nil {
		return err
	}
	if err := tellGone(c, d, d.captain, "", "Your address has changed back",
		"The change of address was undone from the address that was registered before. The reports of the game go there again, and no more mails of the game come to this one."); err != nil {
		return err
	}
	if err := c.tellReferee(d, "The address of "+string(d.captain.Name)+" was put back",
		fmt.Sprintf("The address of captain %s had been changed to %s. From %s, which was his before, this was undone: mails go there again, with a new turn key.", d.captain.Name, d.captain.Address, to),
		"If the two do not belong to one person, somebody asked for the change in his name. To give the seat to another address, use the command replace."); err != nil {
		return err
	}
	c.to = to
	d.changes++
	return c.lastReport(d, to)
}
