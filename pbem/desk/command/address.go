package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/outgoing"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// addressMoved makes the confirmed address the captain's. It tells the old one, and how to undo the
// change: anyone with a turn key could have asked for it from a forged address.
func addressMoved(c *Task, d *Result, to string) error {
	d.Subject = "Your new address"
	d.Say("From now on the mails of the game go to %s. The old address is told, and can undo this for %d days.", to, effect.TokenDays)
	if err := c.note(d, journal.Address, d.Pos.Due(), journal.AddressData{Old: d.Captain.Address, New: to}); err != nil {
		return err
	}
	claim := auth.Claim{
		Kind: effect.ClaimUndo, Game: d.Game.ID(), Captain: d.Captain.Name, Changes: d.Changes, Old: to, Address: d.Captain.Address,
	}
	token := auth.Token(d.Game.Secret(), claim, c.In.Received.Add(effect.TokenDays*24*time.Hour))
	back := auth.WithKey(c.Robot.Address, token)
	if c.Robot.NoPlus {
		back = ""
	}
	text := []string{
		"The reports of the game now go to another address; this was requested from here and confirmed from there. No more mails of the game come to this one.",
		"If you did not ask for this, restore this address.",
	}
	text = append(append(text, c.Robot.How("undo", token)...), fmt.Sprintf("That is possible for %d days.", effect.TokenDays))
	if err := tellGone(c, d, d.Captain, back, "Your address has changed", text...); err != nil {
		return err
	}
	c.To = to
	return c.lastReport(d, to)
}

// tellGone mails an address that is no longer the captain's, without a key. back is the Reply-To
// address, "" for none.
func tellGone(c *Task, d *Result, to vault.Captain, back, subject string, text ...string) error {
	if who := askable(c, d.Game.Settings()); len(who) > 0 {
		text = append(text, "Ask the referee for more: "+strings.Join(who, ", ")+".")
	}
	out, err := c.ToCaptain(effect.KindTold, d, to, subject, templates.Notice{Gone: true, Text: text})
	if err != nil {
		return err
	}
	out.Message.MessageID = c.id(effect.KindTold, d, "old")
	if back != "" {
		out.Message.ReplyTo = outgoing.Address{Name: out.Message.From.Name, Addr: back}
	}
	c.Mails = append(c.Mails, out)
	return nil
}

// askable returns the addresses of a game's referees and of the robot's operator, without those of
// anyone who plays in it: captains' addresses are never shown.
func askable(c *Task, s vault.Settings) []string {
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
	add(c.Robot.Referee)
	return out
}

// undo restores an address if the token is right.
func undo(c *Task, d *Result, _ []identity.Seat) error {
	senders := c.In.Mail.Senders()
	tokens, err := c.tokens(d)
	if err != nil {
		return err
	}
	if len(tokens) == 0 {
		d.Refuse(codes.BadToken, "there is no token in the mail", "reply to the mail that told you of the change, or write the line it gives")
		return nil
	}
	for _, token := range tokens {
		if len(senders) != 1 || !effect.Answerable(senders[0]) {
			break
		}
		for _, s := range c.People.Games.Settings() {
			if ok, err := undoes(c, d, s.ID, token, senders[0]); err != nil || ok {
				return err
			}
		}
	}
	d.Refuse(codes.BadToken, "the token is wrong, already used, or too old",
		fmt.Sprintf("reply from your old address within %d days of the change; otherwise ask the referee", effect.TokenDays))
	return nil
}

// undoes restores an address of a game if the token is one for it.
func undoes(c *Task, d *Result, id, token, sender string) (bool, error) {
	g, err := c.People.Games.Look(id)
	if err != nil {
		return false, err
	}
	if _, ok, err := movedFrom(c, g, token, sender); err != nil || !ok {
		return false, err
	}
	t, err := c.Opened(id)
	if err != nil {
		return false, err
	}
	// Check again, now that the game is locked.
	who, ok, err := movedFrom(c, t.Game, token, sender)
	if err != nil || !ok {
		return false, err
	}
	d.Game, d.Pos, d.Captain, d.Changes = t.Game, t.Pos, who, t.Game.Changes(who.Name)
	return true, putBack(c, d, sender)
}

// movedFrom returns the captain who gets their former address back by a token.
func movedFrom(c *Task, g *vault.Game, token, sender string) (vault.Captain, bool, error) {
	st, err := g.AdminState()
	if err != nil {
		return vault.Captain{}, false, err
	}
	for _, m := range st.Moves {
		who, ok := g.Settings().Captain(m.Captain)
		if !ok || who.Address == "" || m.Back || !auth.SameAddress(m.Old, sender) || auth.SameAddress(who.Address, sender) {
			continue
		}
		claim := auth.Claim{Kind: effect.ClaimUndo, Game: g.ID(), Captain: who.Name, Changes: g.Changes(who.Name), Old: m.New, Address: sender}
		if claim.Confirms(g.Secret(), token, c.In.Received) {
			return who, true, nil
		}
	}
	return vault.Captain{}, false, nil
}

// putBack makes an address the captain's again. It tells the referee, and the address that got the
// seat's mails in the meantime: one of the two may be someone else.
func putBack(c *Task, d *Result, to string) error {
	d.Subject = "Your address is restored"
	d.Say("The mails of the game come to this address again, and the other one is told. You have a new turn key: your report comes again in a separate mail.")
	d.Say("Orders sent from the other address stay in force until you send others: the command status shows them.")
	if err := c.note(d, journal.Address, d.Pos.Due(), journal.AddressData{Old: d.Captain.Address, New: to, Back: true}); err != nil {
		return err
	}
	if err := tellGone(c, d, d.Captain, "", "Your address has changed back",
		"The change of address was undone from the previously registered address. The reports of the game go there again, and no more mails of the game come to this one."); err != nil {
		return err
	}
	if err := c.tellReferee(d, "The address of "+string(d.Captain.Name)+" was restored",
		fmt.Sprintf("The address of captain %s had been changed to %s. This was undone from the earlier address, %s: mails go there again, with a new turn key.", d.Captain.Name, d.Captain.Address, to),
		"If the two addresses do not belong to one person, somebody else asked for the change. To give the seat to another address, use the command replace."); err != nil {
		return err
	}
	c.To = to
	d.Changes++
	return c.lastReport(d, to)
}

// newAddress asks the new address whether reports should go there.
func newAddress(c *Task, d *Result) error {
	to := d.Cmd.To
	switch {
	case !effect.Answerable(to) || auth.SameAddress(to, c.Robot.Address):
		d.Refuse(codes.BadAddress, fmt.Sprintf("%q is not an address that mail can be sent to", effect.Shortened(to)), "write it plainly: "+d.Cmd.Verb.Usage[0])
		return nil
	case auth.SameAddress(to, d.Captain.Address):
		d.Refuse(codes.BadAddress, "your reports already go to that address", "")
		return nil
	case d.Captain.Address == "":
		d.Refuse(codes.BadAddress, "you get no reports by mail", "ask the referee")
		return nil
	}
	d.Subject = "A question went to the new address"
	d.Say("A mail with a question went to %s. Once it is answered from there, your reports go there, and the old address is told. Until then nothing changes.", to)
	d.Say("At most %d such mails a day go to one address, and %d on behalf of one person.", QuestionsTo, questionsFrom)
	claim := auth.Claim{
		Kind: effect.ClaimAddress, Game: d.Game.ID(), Captain: d.Captain.Name, Changes: d.Game.Changes(d.Captain.Name),
		Old: d.Captain.Address, Address: to,
	}
	s, limits := d.Game.Settings(), caused(d.Captain.Address, to)
	if !effect.Plays(s, to) { // the address must not learn the game or the seat
		q := effect.Query{Game: vault.Settings{ID: s.ID, SecretSHA256: s.SecretSHA256, Title: c.Robot.Name}, Shown: effect.LobbyGame, Secret: d.Game.Secret(), Claim: claim}
		return c.ask(q, limits,
			"A person who plays by mail here asked that the reports of the game go to this address from now on.")
	}
	return c.ask(d.query("", claim), limits,
		fmt.Sprintf("A person who plays %s as %s asked that the reports of the game go to this address from now on.", s.Title, d.Captain.Titled()))
}

func tailOfAddress(c *Command) []string { return c.tail(c.To) }

func (r *commandReader) address() {
	if len(r.rest) > 1 {
		r.game()
	}
	w, ok := r.next()
	if !ok || !strings.Contains(w.Text, "@") {
		r.fail(w, "the new address is missing")
		return
	}
	r.cmd.To = strings.Trim(w.Text, "<>")
}
