package desk

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/console"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/outgoing"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// A captain can ask the referees of his game: by the command message, or in a mail that holds nothing
// but words of his own. Their answers go back to him. Neither sees the other's address.

// refereeWord is how a message names the referees.
const refereeWord = "referee"

// KindAsk is a captain's words to a referee.
const KindAsk = "ask"

// answerDays is for how long a referee may answer.
const answerDays = 30

// askClaim is what the answer of a referee to a captain needs.
func askClaim(g *vault.Game, captain engine.CaptainName, address string) auth.Claim {
	return auth.Claim{Kind: KindAsk, Game: g.ID(), Captain: captain, Changes: g.Changes(captain), Address: address}
}

// contacts are those who may answer a captain of a game: not the sender himself.
func (c *task) contacts(g *vault.Game) []RefereeContact {
	return slices.DeleteFunc(c.robot.RefereeContacts(g), func(r RefereeContact) bool {
		return slices.ContainsFunc(c.in.Mail.Senders(), func(a string) bool { return auth.SameAddress(a, r.Address) })
	})
}

// askReferee passes a message on to the referees.
func askReferee(c *task, d *commandResult) error {
	if len(c.contacts(d.game)) == 0 {
		d.refuse(codes.NoAddressee, "no referee of this game gets mails", "")
		return nil
	}
	if busy, err := c.busy(d); err != nil || busy {
		return err
	}
	d.subject = "Message sent to the referee"
	d.say("Your message goes out to the referee, without your address. The answer comes to you by mail.")
	if err := c.passOn(d, fmt.Sprintf("%s writes to you:", d.title())); err != nil {
		return err
	}
	return c.note(d, journal.Message, d.pos.Due(), journal.MessageData{To: refereeWord, Text: d.cmd.Text})
}

// passOn mails the words of a captain to the referees.
func (c *task) passOn(d *commandResult, head string, more ...string) error {
	for _, r := range c.contacts(d.game) {
		plain := r
		plain.Key = "" // each referee's answer goes to the captain
		n := templates.Notice{Kind: templates.Plain, Turn: d.pos.Due(), Words: d.cmd.Text, Text: append([]string{
			head, "To answer, reply to this mail with your own words above all that is quoted. They go to this captain and to no one else, without your address.",
		}, more...)}
		m, err := c.robot.RefereeMail(d.game, plain, "Message from "+d.title(), c.in.Received, n)
		if err != nil {
			return err
		}
		claim, day := askClaim(d.game, d.captain.Name, r.Address), c.in.Received.UTC()
		m.ReplyTo = outgoing.Address{}
		if !c.robot.NoPlus {
			m.ReplyTo = outgoing.Address{Name: m.From.Name, Addr: auth.WithKey(c.robot.Address, auth.Token(d.game.Secret(), claim, day.Add(answerDays*24*time.Hour)))}
		}
		_, domain, _ := strings.Cut(c.robot.Address, "@")
		m.MessageID = fmt.Sprintf("<%s.%s.%s.%s.%s-%d@%s>", KindAsk, day.Format(time.DateOnly), questionWord(d.game.Secret(), claim, day), strings.ToLower(d.game.ID()), c.in.SHA256[:min(16, len(c.in.SHA256))], d.cmd.N, domain)
		c.Mails = append(c.Mails, Outgoing{Kind: KindAsk, Game: d.game.ID(), Message: m})
	}
	return nil
}

// fewWords is how many words are worth a referee's time: people thank in fewer.
const fewWords = 3

// prose passes a captain's mail that holds nothing but his own words on to the referees, once a day or
// when a referee has written to him since, and says so in the answer.
func (c *Decision) prose(seats []seat) error {
	own := slices.ContainsFunc(c.orderResults, func(s orderResult) bool { return !s.echo })
	if own || c.unsent != nil || len(c.commands)+len(c.strays) > 0 || len(c.loose) > 0 || c.reply != helpReply && c.reply != ackReply {
		return nil
	}
	text := c.ownText()
	if bare := blocks.Unmark(text); len(strings.Fields(text)) < fewWords || strings.HasPrefix(bare, "#") || strings.Contains(bare, "\n#") { // or meant for the robot
		return nil
	}
	who, t, err := c.dueSeat(seats)
	if first := c.first(); err == nil && first != nil && first.captain.Name != "" { // whose report it quotes
		who = seat{game: first.game.ID(), captain: first.captain}
	} else if t.game == nil {
		who = seats[0]
	}
	if err == nil {
		t, err = c.opened(who.game)
	}
	if err != nil {
		return err
	}
	captain := who.captain
	d := &commandResult{cmd: &command.Command{Verb: command.Spec{Name: "message"}, N: 1, To: refereeWord, Text: text}, game: t.game, pos: t.pos, captain: captain}
	if len(c.contacts(t.game)) == 0 {
		return nil
	}
	cl := claim{game: t.game, captain: captain, keyTurn: t.game.Turn() + 1, given: c.given(""), what: "#message"}
	trust, err := c.trustIn(cl)
	if err != nil {
		return err
	}
	by, more := string(captain.Name), []string(nil)
	if !trust.OK() { // a forger is not to use up what the captain may send
		by, more = referee.ByDaemon, []string{"The mail came from the address of this captain, but bore no turn key or other proof, so anyone may have written it."}
	}
	c.prosaic = "The robot does not act on words, and nothing was changed."
	if c.services.Library != nil {
		c.prosaic += " A mail whose first line is help orders brings what each order means."
	}
	if err := c.hideText(d); err != nil {
		return err
	}
	if last, err := proseSent(t.game, captain.Name, by, c.in.SHA256, c.in.Received); err != nil {
		return err
	} else if last != nil {
		if c.in.Received.Sub(last.Time) < time.Hour && journal.DataOf[journal.MessageData](*last).Text == d.cmd.Text { // a machine's
			c.wordsMail = answerName(last.Cause)
		}
		c.prosaic += " Other words of yours went to the referee within a day, so these did not; to send them now, put a line \"#message to referee\" above them and a line \"#end\" below."
		return nil
	}
	if err := c.passOn(d, fmt.Sprintf("%s wrote to the robot, in a mail without orders and commands. Such words are passed on to you once a day:", d.title()), more...); err != nil {
		return err
	}
	e := journal.NewEntry(journal.Message, by, c.in.Received, journal.MessageData{To: refereeWord, Text: d.cmd.Text, Prose: true})
	e.Captain, e.Turn, e.Cause = captain.Name, t.pos.Due(), c.cause(d)
	c.Steps = append(c.Steps, NoteStep{Game: t.game, Entries: []journal.Entry{e}})
	c.Outcome, c.Reason, c.wordsMail = Done, "words passed on to the referee", answerName(c.in.SHA256)
	c.prosaic = "Your words went to the referee, and the answer comes to you by mail. " + c.prosaic + " Within a day one such mail is passed on; for more, put a line \"#message to referee\" above your words and a line \"#end\" below."
	return nil
}

// proseSent is how a captain's words went to the referees within a day and since they wrote to him, nil if
// none did. Words without proof wait for those with proof too, else a machine's would go twice.
func proseSent(g *vault.Game, captain engine.CaptainName, by, mail string, now time.Time) (*journal.Entry, error) {
	all, err := g.Journal()
	for _, e := range slices.Backward(all) {
		switch {
		case e.Captain != captain || strings.HasPrefix(e.Cause, mail+"#") || now.Sub(e.Time) >= 24*time.Hour:
		case e.Kind == journal.Tell:
			return nil, err
		case e.Kind == journal.Message && (e.By == by || by == referee.ByDaemon) && journal.DataOf[journal.MessageData](e).Prose:
			return &e, err
		}
	}
	return nil, err
}

// answerName names the answer to a mail by the hash that it or its cause begins with.
func answerName(cause string) string { return cause[:min(32, len(cause))] }

// ownText is what the sender wrote himself above all that is quoted, as it stands.
func (c *Decision) ownText() string {
	own := c.body.OwnWords()
	if len(own) == 0 {
		return ""
	}
	lines := c.body.Lines[own[0].N-1 : own[len(own)-1].N]
	if len(lines) > command.MaxMessageLines {
		lines = append(slices.Clone(lines[:command.MaxMessageLines]), "[...]")
	}
	text := strings.TrimSpace(strings.Join(lines, "\n"))
	if len(text) > command.MaxMessageBytes {
		text = strings.ToValidUTF8(text[:command.MaxMessageBytes-10], "") + "\n[...]"
	}
	return text
}

// asked finds the captain whose words a referee's mail answers: by the address that it went to, or by
// what it says it answers; ok is false for any other mail.
func (c *Decision) asked(sender string) (g *vault.Game, captain vault.Captain, contact RefereeContact, ok bool, err error) {
	m := &c.in.Mail
	_, domain, _ := strings.Cut(c.robot.Address, "@")
	token := auth.TokenFromAddress(m.Recipients(), c.robot.Address)
	type reference struct {
		day        time.Time
		word, game string
	}
	var refs []reference
	for _, id := range append([]string{m.InReplyTo}, m.References[max(0, len(m.References)-maxReferences):]...) {
		local, at, _ := strings.Cut(strings.Trim(id, "<>"), "@")
		words := strings.Split(local, ".")
		if len(words) != 5 || words[0] != KindAsk || !strings.EqualFold(at, domain) {
			continue
		}
		if day, err := time.Parse(time.DateOnly, words[1]); err == nil && c.in.Received.Sub(day) <= (answerDays+1)*24*time.Hour {
			refs = append(refs, reference{day, words[2], words[3]})
		}
	}
	operator := c.robot.Referee != "" && auth.SameAddress(sender, c.robot.Referee)
	mine := c.people.refereeSeats(sender)
	if token == "" && len(refs) == 0 || !operator && len(mine) == 0 {
		return nil, captain, contact, false, nil
	}
	for _, s := range c.people.Games.Settings() {
		if !operator && !slices.ContainsFunc(mine, func(m refereeSeat) bool { return m.game == s.ID }) {
			continue
		}
		if token == "" && !slices.ContainsFunc(refs, func(r reference) bool { return strings.EqualFold(r.game, s.ID) }) {
			continue
		}
		g, err := c.people.Games.Look(s.ID)
		if err != nil {
			return nil, captain, contact, false, err
		}
		for _, r := range c.robot.RefereeContacts(g) {
			if !auth.SameAddress(r.Address, sender) {
				continue
			}
			for _, of := range s.Captains {
				claim := askClaim(g, of.Name, r.Address)
				if claim.Confirms(g.Secret(), token, c.in.Received) || slices.ContainsFunc(refs, func(f reference) bool { return questionWord(g.Secret(), claim, f.day) == f.word }) {
					return g, of, r, true, nil
				}
			}
		}
	}
	return nil, captain, contact, false, nil
}

// answerOfReferee decides a mail in which a referee answers a captain; done tells.
func (c *Decision) answerOfReferee(sender string) (done bool, err error) {
	found, captain, r, ok, err := c.asked(sender)
	if err != nil || !ok || c.in.Err != nil || // one that cannot be read answers nothing
		r.Name != "" && len(c.findRefereeCommands(false)) > 0 {
		return false, err
	}
	t, err := c.opened(found.ID())
	if err != nil {
		return false, err
	}
	c.body, c.to = blocks.Plain(c.in.Mail.Text), r.Address
	d := &commandResult{cmd: &command.Command{Verb: command.Spec{Name: "tell"}, N: 1, Line: "tell " + string(captain.Name), Text: c.ownText(), Pos: orders.Pos{Line: 1, Col: 1}}, game: t.game, pos: t.pos, left: true}
	if r.Name != "" {
		d.referee = &r.Referee
	}
	if err := c.hideText(d); err != nil {
		return false, err
	}
	c.commandResults, c.reply, c.Outcome = []*commandResult{d}, ackReply, Refused
	if d.cmd.Text == "" {
		d.refuse(codes.TooMuch, fmt.Sprintf("there are no words of your own in the mail, so nothing went to %s", captain.Name), "write them above all that is quoted")
		return true, c.summarizeCommands()
	}
	d.done, d.subject = true, "Your answer goes to "+string(captain.Name)
	if d.pos.Due() == 0 && captain.Address != "" { // the journal of a game that is over takes no more words
		d.say("%s gets your words in a mail.", captain.Name)
		out, err := c.toCaptain(KindTold, d, captain, "A word from the referee", templates.Notice{Gone: true, Text: []string{"The referee answers you:", d.cmd.Text}})
		c.Mails = append(c.Mails, out)
		return true, errors.Join(err, c.summarizeCommands())
	}
	c.Steps = append(c.Steps, &tellStep{c: c, d: d, captain: captain.Name, by: r.Name})
	return true, c.summarizeCommands()
}

// tellStep has a captain told what a referee answered.
type tellStep struct {
	c       *Decision
	d       *commandResult
	captain engine.CaptainName
	by      string // the referee, by name; "" for the address of the configuration
}

// Do does it.
func (s *tellStep) Do() error {
	d, by := s.d, cmp.Or(s.by, referee.ByReferee)
	d.done, d.diags, d.out.Text = true, nil, nil
	_, err := referee.Tell(d.game, referee.Act{By: by, Cause: s.c.cause(d), Now: s.c.in.Received}, string(s.captain), d.cmd.Text, false)
	if err == nil {
		d.say("%s gets your words in a mail, and no one else does.", s.captain)
	} else {
		if _, ok := console.Mendable(err); !ok {
			return err
		}
		d.done = false
		d.refuse(codes.Referee, strings.TrimSuffix(err.Error(), "."), "say it in other words, or send it by a command: tell "+string(s.captain)+" TEXT --force")
	}
	s.c.Outcome, s.c.Reason = Refused, ""
	return s.c.summarizeCommands()
}
