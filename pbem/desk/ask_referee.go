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
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/desk/submission"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// fewWords is the fewest words worth a referee's time: thanks are usually shorter.
const fewWords = 3

// prose forwards a captain's mail that holds only plain words to the referees, once a day or when a
// referee has written to the captain since, and says so in the answer.
func (c *Decision) prose(seats []identity.Seat) error {
	own := slices.ContainsFunc(c.Sets, func(s submission.Set) bool { return !s.Echo })
	if own || c.unsent != nil || len(c.Commands)+len(c.Strays) > 0 || len(c.loose) > 0 || c.reply != helpReply && c.reply != ackReply {
		return nil
	}
	text := c.ownText()
	if bare := blocks.Unmark(text); len(strings.Fields(text)) < fewWords || strings.HasPrefix(bare, "#") || strings.Contains(bare, "\n#") { // or meant for the robot
		return nil
	}
	who, t, err := c.DueSeat(seats)
	if first := c.first(); err == nil && first != nil && first.Captain.Name != "" { // the quoted report names the captain
		who = identity.Seat{Game: first.Game.ID(), Captain: first.Captain}
	} else if t.Game == nil {
		who = seats[0]
	}
	if err == nil {
		t, err = c.Opened(who.Game)
	}
	if err != nil {
		return err
	}
	captain := who.Captain
	d := &command.Result{Cmd: &command.Command{Verb: command.Spec{Name: "message"}, N: 1, To: command.RefereeWord, Text: text}, Game: t.Game, Pos: t.Pos, Captain: captain}
	if len(c.Contacts(t.Game)) == 0 {
		return nil
	}
	cl := identity.Claim{Game: t.Game, Captain: captain, KeyTurn: t.Game.Turn() + 1, Given: c.Given(""), What: "#message"}
	trust, err := c.TrustIn(cl)
	if err != nil {
		return err
	}
	by, more := string(captain.Name), []string(nil)
	if !trust.OK() { // a forger must not use up the captain's daily mail
		by, more = referee.ByDaemon, []string{"The mail came from this captain's address, but had no turn key or other proof, so anyone may have written it."}
	}
	c.prosaic = "The robot does not act on plain words; nothing was changed."
	if c.Services.Library != nil {
		c.prosaic += " Send help orders as the first line of a mail for what each order means."
	}
	if err := c.HideText(d); err != nil {
		return err
	}
	if last, err := proseSent(t.Game, captain.Name, by, c.In.SHA256, c.In.Received); err != nil {
		return err
	} else if last != nil {
		if c.In.Received.Sub(last.Time) < time.Hour && journal.DataOf[journal.MessageData](*last).Text == d.Cmd.Text { // repeated within the hour, probably by a machine
			c.wordsMail = effect.AnswerName(last.Cause)
		}
		c.prosaic += " Earlier words of yours went to the referee within the last day, so these did not; to send them now, put a line \"#message to referee\" above them and a line \"#end\" below."
		return nil
	}
	if err := c.PassOn(d, fmt.Sprintf("%s wrote to the robot, in a mail without orders or commands. Such mails are passed on to you once a day:", d.Title()), more...); err != nil {
		return err
	}
	e := journal.NewEntry(journal.Message, by, c.In.Received, journal.MessageData{To: command.RefereeWord, Text: d.Cmd.Text, Prose: true})
	e.Captain, e.Turn, e.Cause = captain.Name, t.Pos.Due(), c.Cause(d)
	c.Steps = append(c.Steps, effect.NoteStep{Game: t.Game, Entries: []journal.Entry{e}})
	c.Outcome, c.Reason, c.wordsMail = Done, "words passed on to the referee", effect.AnswerName(c.In.SHA256)
	c.prosaic = "Your words went to the referee, who answers you by mail. " + c.prosaic + " One such mail a day is passed on; for more, put a line \"#message to referee\" above your words and a line \"#end\" below."
	return nil
}

// proseSent returns the entry of a captain's words that went to the referees within a day, if no referee
// has written to the captain since; otherwise nil. Words without proof also wait for those with proof, or
// an automatic mail would go out twice.
func proseSent(g *vault.Game, captain engine.CaptainName, by, mail string, now time.Time) (*journal.Entry, error) {
	all, err := g.Journal.Entries()
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

// ownText returns what the sender wrote above everything quoted, unchanged.
func (c *Decision) ownText() string {
	own := c.Body.OwnWords()
	if len(own) == 0 {
		return ""
	}
	lines := c.Body.Lines[own[0].N-1 : own[len(own)-1].N]
	if len(lines) > command.MaxMessageLines {
		lines = append(slices.Clone(lines[:command.MaxMessageLines]), "[...]")
	}
	text := strings.TrimSpace(strings.Join(lines, "\n"))
	if len(text) > command.MaxMessageBytes {
		text = strings.ToValidUTF8(text[:command.MaxMessageBytes-10], "") + "\n[...]"
	}
	return text
}

// asked finds the captain that a referee's mail answers, by its recipient address or its
// references; ok is false for any other mail.
func (c *Decision) asked(sender string) (g *vault.Game, captain vault.Captain, contact effect.RefereeContact, ok bool, err error) {
	m := &c.In.Mail
	_, domain, _ := strings.Cut(c.Robot.Address, "@")
	token := auth.TokenFromAddress(m.Recipients(), c.Robot.Address)
	type reference struct {
		day        time.Time
		word, game string
	}
	var refs []reference
	for _, id := range append([]string{m.InReplyTo}, m.References[max(0, len(m.References)-command.MaxReferences):]...) {
		local, at, _ := strings.Cut(strings.Trim(id, "<>"), "@")
		words := strings.Split(local, ".")
		if len(words) != 5 || words[0] != command.KindAsk || !strings.EqualFold(at, domain) {
			continue
		}
		if day, err := time.Parse(time.DateOnly, words[1]); err == nil && c.In.Received.Sub(day) <= (command.AnswerDays+1)*24*time.Hour {
			refs = append(refs, reference{day, words[2], words[3]})
		}
	}
	operator := c.Robot.Referee != "" && auth.SameAddress(sender, c.Robot.Referee)
	mine := c.People.RefereeSeats(sender)
	if token == "" && len(refs) == 0 || !operator && len(mine) == 0 {
		return nil, captain, contact, false, nil
	}
	for _, s := range c.People.Games.Settings() {
		if !operator && !slices.ContainsFunc(mine, func(m identity.RefereeSeat) bool { return m.Game == s.ID }) {
			continue
		}
		if token == "" && !slices.ContainsFunc(refs, func(r reference) bool { return strings.EqualFold(r.game, s.ID) }) {
			continue
		}
		g, err := c.People.Games.Look(s.ID)
		if err != nil {
			return nil, captain, contact, false, err
		}
		for _, r := range c.Robot.RefereeContacts(g) {
			if !auth.SameAddress(r.Address, sender) {
				continue
			}
			for _, of := range s.Captains {
				claim := command.AskClaim(g, of.Name, r.Address)
				if claim.Confirms(g.Secret(), token, c.In.Received) || slices.ContainsFunc(refs, func(f reference) bool { return effect.QuestionWord(g.Secret(), claim, f.day) == f.word }) {
					return g, of, r, true, nil
				}
			}
		}
	}
	return nil, captain, contact, false, nil
}

// answerOfReferee decides a mail in which a referee answers a captain; done is false for any other mail.
func (c *Decision) answerOfReferee(sender string) (done bool, err error) {
	found, captain, r, ok, err := c.asked(sender)
	if err != nil || !ok || c.In.Err != nil || // an unreadable mail answers nothing
		r.Name != "" && len(c.findRefereeCommands(false)) > 0 {
		return false, err
	}
	t, err := c.Opened(found.ID())
	if err != nil {
		return false, err
	}
	c.Body, c.To = blocks.Plain(c.In.Mail.Text), r.Address
	d := &command.Result{Cmd: &command.Command{Verb: command.Spec{Name: "tell"}, N: 1, Line: "tell " + string(captain.Name), Text: c.ownText(), Pos: orders.Pos{Line: 1, Col: 1}}, Game: t.Game, Pos: t.Pos, Left: true}
	if r.Name != "" {
		d.Referee = &r.Referee
	}
	if err := c.HideText(d); err != nil {
		return false, err
	}
	c.Results, c.reply, c.Outcome = []*command.Result{d}, ackReply, Refused
	if d.Cmd.Text == "" {
		d.Refuse(codes.TooMuch, fmt.Sprintf("the mail has no words of your own, so nothing went to %s", captain.Name), "write them above everything that is quoted")
		return true, c.summarizeCommands()
	}
	d.Done, d.Subject = true, "Your answer goes to "+string(captain.Name)
	if d.Pos.Due() == 0 && captain.Address != "" { // the journal of a finished game takes no more words
		d.Say("%s gets your words in a mail.", captain.Name)
		out, err := c.ToCaptain(effect.KindTold, d, captain, "A word from the referee", templates.Notice{Gone: true, Text: []string{"The referee answers you:", d.Cmd.Text}})
		c.Mails = append(c.Mails, out)
		return true, errors.Join(err, c.summarizeCommands())
	}
	c.Steps = append(c.Steps, &tellStep{c: c, d: d, captain: captain.Name, by: r.Name})
	return true, c.summarizeCommands()
}

// tellStep tells a captain what a referee answered.
type tellStep struct {
	c       *Decision
	d       *command.Result
	captain engine.CaptainName
	by      string // name of the referee; "" for the address in the configuration
}

// Do tells the captain.
func (s *tellStep) Do() error {
	d, by := s.d, cmp.Or(s.by, referee.ByReferee)
	d.Done, d.Diags, d.Out.Text = true, nil, nil
	_, err := referee.Tell(d.Game, referee.Act{By: by, Cause: s.c.Cause(d), Now: s.c.In.Received}, string(s.captain), d.Cmd.Text, false)
	if err == nil {
		d.Say("Only %s gets your words, in a mail.", s.captain)
	} else {
		if _, ok := console.Mendable(err); !ok {
			return err
		}
		d.Done = false
		d.Refuse(codes.Referee, strings.TrimSuffix(err.Error(), "."), "say it in other words, or send it by a command: tell "+string(s.captain)+" TEXT --force")
	}
	s.c.Outcome, s.c.Reason = Refused, ""
	return s.c.summarizeCommands()
}
