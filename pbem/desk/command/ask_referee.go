package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/auth"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/outgoing"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// A captain can ask the referees of the game: with the command message, or in a mail of only plain words. Their answers
// go back to the captain. Neither sees the other's address.

// RefereeWord addresses a message to the referees.
const RefereeWord = "referee"

// KindAsk is the kind of a captain's mail to a referee.
const KindAsk = "ask"

// AnswerDays is the number of days in which a referee may answer.
const AnswerDays = 30

// AskClaim returns the claim that a referee's answer to a captain confirms.
func AskClaim(g *vault.Game, captain engine.CaptainName, address string) auth.Claim {
	return auth.Claim{Kind: KindAsk, Game: g.ID(), Captain: captain, Changes: g.Changes(captain), Address: address}
}

// Contacts returns the referees who may answer a captain of a game, without the sender.
func (c *Task) Contacts(g *vault.Game) []effect.RefereeContact {
	return slices.DeleteFunc(c.Robot.RefereeContacts(g), func(r effect.RefereeContact) bool {
		return slices.ContainsFunc(c.In.Mail.Senders(), func(a string) bool { return auth.SameAddress(a, r.Address) })
	})
}

// askReferee forwards a message to the referees.
func askReferee(c *Task, d *Result) error {
	if len(c.Contacts(d.Game)) == 0 {
		d.Refuse(codes.NoAddressee, "no referee of this game gets mails", "")
		return nil
	}
	if busy, err := c.busy(d); err != nil || busy {
		return err
	}
	d.Subject = "Message sent to the referee"
	d.Say("Your message goes to the referee, without your address. The answer comes to you by mail.")
	if err := c.PassOn(d, fmt.Sprintf("%s writes to you:", d.Title())); err != nil {
		return err
	}
	return c.note(d, journal.Message, d.Pos.Due(), journal.MessageData{To: RefereeWord, Text: d.Cmd.Text})
}

// PassOn mails a captain's words to the referees.
func (c *Task) PassOn(d *Result, head string, more ...string) error {
	all, err := d.Game.Journal.Entries()
	if err != nil {
		return err
	}
	before := LastAsked(slices.DeleteFunc(slices.Clone(all), func(e journal.Entry) bool { return strings.HasPrefix(e.Cause, c.In.SHA256+"#") }), d.Captain.Name, c.In.Received)
	for _, r := range c.Contacts(d.Game) {
		plain := r
		plain.Key = "" // without the key, because each referee's answer goes to the captain
		n := templates.Notice{Kind: templates.Plain, Turn: d.Pos.Due(), Words: d.Cmd.Text, Text: append([]string{
			head, "To answer, reply to this mail with your own words above everything that is quoted. They go only to this captain, without your address.",
		}, more...)}
		m, err := c.Robot.RefereeMail(d.Game, plain, "Message from "+d.Title(), c.In.Received, n)
		if err != nil {
			return err
		}
		claim, day := AskClaim(d.Game, d.Captain.Name, r.Address), c.In.Received.UTC()
		m.ReplyTo = outgoing.Address{}
		if !c.Robot.NoPlus {
			m.ReplyTo = outgoing.Address{Name: m.From.Name, Addr: auth.WithKey(c.Robot.Address, auth.Token(d.Game.Secret(), claim, day.Add(AnswerDays*24*time.Hour)))}
		}
		m.MessageID = c.askID(d.Game, claim, day, c.Cause(d))
		if before != nil {
			m.InReplyTo = c.askID(d.Game, claim, before.Time.UTC(), before.Cause)
			m.References, m.Subject = append(m.References, m.InReplyTo), "Re: "+m.Subject
		}
		c.Mails = append(c.Mails, effect.Outgoing{Kind: KindAsk, Game: d.Game.ID(), Message: m})
	}
	return nil
}

// askID returns the Message-ID of words that went to a referee on a day, caused by a command of a mail.
func (c *Task) askID(g *vault.Game, claim auth.Claim, day time.Time, cause string) string {
	_, domain, _ := strings.Cut(c.Robot.Address, "@")
	sha, n, _ := strings.Cut(cause, "#")
	return fmt.Sprintf("<%s.%s.%s.%s.%s-%s@%s>", KindAsk, day.Format(time.DateOnly), effect.QuestionWord(g.Secret(), claim, day), strings.ToLower(g.ID()), sha[:min(16, len(sha))], n, domain)
}

// LastAsked returns a captain's last message to the referees before now, if they may still answer it; nil for none.
func LastAsked(entries []journal.Entry, captain engine.CaptainName, now time.Time) *journal.Entry {
	for _, e := range slices.Backward(entries) {
		if past := now.Sub(e.Time); e.Kind == journal.Message && e.Captain == captain && past >= 0 && past < AnswerDays*24*time.Hour && journal.DataOf[journal.MessageData](e).Captains == nil {
			return &e
		}
	}
	return nil
}
