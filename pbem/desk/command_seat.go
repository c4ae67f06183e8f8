package desk

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// Kinds of claims that are confirmed by a token.
const (
	claimJoin    = "join"
	claimAddress = "address"
	claimInvite  = "invite"  // a referee asked, of whatever game
	claimUndo    = "undo"    // a change of address
	claimRequest = "request" // a game, or a place on the waiting list
)

// Bounds of questions a day.
const (
	questionsTo   = 3  // to one address
	questionsFrom = 5  // for one captain
	questionsGame = 50 // for seats of one game
)

// resign gives the captain's seat up.
func resign(c *task, d *commandResult) error {
	if !d.running() {
		return nil
	}
	if opening, err := d.game.Opening(); err != nil || opening != nil {
		return errors.Join(err, leave(c, d))
	}
	d.subject = "You resigned"
	d.say("You gave up your seat as %s. A robot plays it until another person joins; a set of yours that is in force for this turn stays so.", d.captain.Titled())
	d.say("No more mails about the game come to you. Thank you for playing.")
	if err := c.note(d, journal.Resign, d.pos.Due(), journal.ResignData{Address: d.captain.Address}); err != nil {
		return err
	}
	d.left = true
	given := "command"
	if len(d.captain.Ships) == 0 {
		given = "post"
	}
	what := fmt.Sprintf("%s gave up the %s. A robot plays the seat until another person joins.", d.title(), given)
	if err := c.tellOthers(d, string(d.captain.Name)+" has resigned", what); err != nil {
		return err
	}
	return c.tellReferee(d, string(d.captain.Name)+" has resigned", what)
}

// newAddress asks the new address whether reports are to go there.
func newAddress(c *task, d *commandResult) error {
	to := d.cmd.To
	switch {
	case !answerable(to) || auth.SameAddress(to, c.robot.Address):
		d.refuse(codes.BadAddress, fmt.Sprintf("%q is no address that mails can be sent to", command.Shorten(to)), "write it plainly: "+d.cmd.Verb.Usage[0])
		return nil
	case auth.SameAddress(to, d.captain.Address):
		d.refuse(codes.BadAddress, "your reports go to that address already", "")
		return nil
	case d.captain.Address == "":
		d.refuse(codes.BadAddress, "no reports go to you by mail", "ask the referee")
		return nil
	}
	d.subject = "A question went to the new address"
	d.say("A mail with a question went to %s. When it is answered from there, your reports go there, and the old address is told. Until then nothing changes.", to)
	d.say("At most %d such mails go to one address within a day, and %d because of one person.", questionsTo, questionsFrom)
	claim := auth.Claim{
		Kind: claimAddress, Game: d.game.ID(), Captain: d.captain.Name, Changes: d.game.Changes(d.captain.Name),
		Old: d.captain.Address, Address: to,
	}
	s, limits := d.game.Settings(), caused(d.captain.Address, to)
	if !plays(s, to) { // it is told neither of the game nor of the seat
		q := query{game: vault.Settings{ID: s.ID, SecretSHA256: s.SecretSHA256, Title: c.robot.Name}, shown: lobbyGame, secret: d.game.Secret(), claim: claim}
		return c.ask(q, limits,
			"A person who plays by mail here asked that the reports of his game go to this address from now on.")
	}
	return c.ask(d.query("", claim), limits,
		fmt.Sprintf("A person who plays %s as %s asked that the reports of the game go to this address from now on.", s.Title, d.captain.Titled()))
}

// caused are the limits of questions that a person causes to another address: his own, and that of the address. They do
// not count for what is asked from the address itself, or others could use that up.
func caused(by, to string) []DailyLimit {
	return []DailyLimit{{Who: ToAddress(to), PerDay: questionsTo}, {Who: "by " + auth.Canonical(by), PerDay: questionsFrom}}
}

// ToAddress is as whom an address is counted for what others have it asked.
func ToAddress(address string) string { return "to " + auth.Canonical(address) }

// unknownPost is what a command names behind a ship of a game with posts in place of one of them.
func (d *commandResult) unknownPost() (post string, ok bool) {
	at := strings.LastIndexAny(d.cmd.Ship, " ./")
	if at < 0 || len(d.game.Rules().Posts()) == 0 {
		return "", false
	}
	post = d.cmd.Ship[at+1:]
	_, known := d.game.Rules().PostOf(post)
	_, _, ship := engine.FindShip(d.publicShips(), strings.TrimSpace(d.cmd.Ship[:at]))
	return post, ship && !known
}

// postNamed is the post that a command names behind a ship, "Hood helm" or "Hood.helm", as its
// order set is called.
func (d *commandResult) postNamed() (name string, ok bool) {
	at := strings.LastIndexAny(d.cmd.Ship, " ./")
	if at < 0 {
		return "", false
	}
	post, ok := d.game.Rules().PostOf(d.cmd.Ship[at+1:])
	s, _, found := engine.FindShip(d.publicShips(), strings.TrimSpace(d.cmd.Ship[:at]))
	if !ok || !found {
		return "", false
	}
	return engine.OrderSetName(s.Name, post), true
}

// publicShips are those that anybody may know who asks for a seat: in the dark, and of those that are still to come, the
// ones alone with a seat that is free.
func (d *commandResult) publicShips() []*engine.Ship {
	_, free := d.free()
	return slices.DeleteFunc(engine.Captained(d.pos.State().Ships), func(s *engine.Ship) bool {
		return (s.Status == engine.Waiting || turn.InTheDark(d.pos.State())) &&
			!slices.ContainsFunc(free, func(name string) bool { ship, _, _ := strings.Cut(name, "."); return ship == s.Name })
	})
}

// calls tells whether a ship, or a post on one, is meant by what the command says.
func (d *commandResult) calls(name string) bool {
	if strings.EqualFold(name, d.cmd.Ship) {
		return true
	}
	if post, ok := d.postNamed(); ok {
		return name == post
	}
	s, _, ok := engine.FindShip(d.pos.State().Ships, d.cmd.Ship)
	return ok && s.Name == name
}

// confirm does what was asked for, when the token is right.
func confirm(c *task, d *commandResult) error {
	senders := c.in.Mail.Senders()
	tokens, err := c.tokens(d)
	if err != nil {
		return err
	}
	if len(tokens) == 0 {
		d.refuse(codes.BadToken, "nothing in the mail tells which question it answers", "answer the mail with the question, or write the line that it gives")
		return nil
	}
	for _, token := range tokens {
		if len(senders) != 1 || !answerable(senders[0]) {
			break
		}
		if ok, err := fitsRequest(c, d, token, senders[0]); err != nil || ok {
			return err
		}
		for _, s := range c.people.Games.Settings() {
			for _, o := range s.Captains {
				ok, err := fits(c, d, s.ID, o, token, senders[0])
				if err != nil || ok {
					return err
				}
			}
		}
	}
	d.refuse(codes.BadToken, "the token does not fit, was used already, or is too old, or another person has the seat by now",
		fmt.Sprintf("answer from the address that the question went to, within %d days; or ask again", tokenDays))
	return nil
}

// fits does what a token confirms, if it is one for that captain.
func fits(c *task, d *commandResult, id string, who vault.Captain, token, sender string) (bool, error) {
	kind := claimAddress
	if who.Address == "" {
		kind = claimJoin
	}
	g, err := c.people.Games.Look(id)
	if err != nil {
		return false, err
	}
	claim := auth.Claim{Kind: kind, Game: id, Captain: who.Name, Changes: g.Changes(who.Name), Old: who.Address, Address: sender}
	if !claim.Confirms(g.Secret(), token, c.in.Received) {
		if claim.Kind = claimInvite; kind != claimJoin || !claim.Confirms(g.Secret(), token, c.in.Received) {
			return false, nil
		}
	}
	t, err := c.opened(id)
	if err != nil {
		return false, err
	}
	// Once more, now that no other process writes to the game.
	if claim.Changes = t.game.Changes(who.Name); !claim.Confirms(t.game.Secret(), token, c.in.Received) {
		return false, nil
	}
	if now, ok := t.game.Settings().Captain(who.Name); !ok || now.Address != who.Address {
		return false, nil
	}
	d.game, d.pos, d.captain, d.changes = t.game, t.pos, who, claim.Changes
	if kind == claimAddress {
		return true, addressMoved(c, d, sender)
	}
	return true, giveSeat(c, d, sender, claim.Kind == claimInvite)
}

// joined gives the seat to who confirmed that he wants it; invited tells that a
// referee asked him.
func giveSeat(c *task, d *commandResult, to string, invited bool) error {
	if !invited && !d.game.Settings().Joinable(d.captain) {
		d.refuse(codes.NoSeat, "the game is not open any more", "ask its referee")
		return nil
	}
	if !d.running() {
		return nil
	}
	d.subject = "Welcome aboard"
	d.say("You are %s now. Your report comes in a mail of its own: answer it with orders.", titled(d.captain))
	d.tell = func(now time.Time) error {
		timing, err := d.game.Timing()
		if err != nil {
			return err
		}
		if o := timing.Opening; o != nil { // the seat is taken by this mail
			mine := *o
			mine.Free = slices.DeleteFunc(slices.Clone(o.Free), func(name engine.CaptainName) bool { return name == d.captain.Name })
			timing.Opening = &mine
		}
		d.say("%s The word help as the first line of a mail brings a list of all that may be sent.", strings.Join(turn.DueSentences(timing, now, d.game.Zone()), " "))
		return nil
	}
	if err := c.note(d, journal.Join, d.pos.Due(), journal.JoinData{Address: to}); err != nil {
		return err
	}
	who := "captain"
	if len(d.captain.Ships) == 0 {
		who = "officer"
	}
	what := fmt.Sprintf("A new %s has taken over the seat of %s.", who, d.title())
	if err := c.tellOthers(d, string(d.captain.Name)+" has a new "+who, what); err != nil {
		return err
	}
	if err := c.tellReferee(d, string(d.captain.Name)+" has a new "+who, what); err != nil {
		return err
	}
	c.to = to
	d.changes++
	return c.lastReport(d, to)
}

// lastReport sends the last report to who holds the seat now, with his key.
func (c *task) lastReport(d *commandResult, to string) error {
	return c.sendReport(d, d.game.Newest(), to, d.changes, false)
}

// sendReport sends a report once more to an address, with the key of a seat that passed
// from hand to hand so often; answer tells that it goes to who sent the mail.
func (c *task) sendReport(d *commandResult, at vault.Stage, to string, changes int, answer bool) error {
	holder := d.captain
	holder.Address = to
	m, err := c.robot.ReportMail(d.game, turn.Repeat{
		Turn: at.Turn, Round: at.Round, Captain: holder, Changes: changes,
		ID: c.id(KindReport, d, captainWord(d.game.Settings(), holder.Name)), Now: c.in.Received,
	})
	if err != nil {
		return err
	}
	c.Mails = append(c.Mails, Outgoing{Kind: KindReport, Game: d.game.ID(), Message: m, Answer: answer})
	return nil
}
