package desk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/console"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/desk/submission"
	"starpost/pbem/report"
)

// Outcome is the result of a mail; it names the folder that the mail is moved to.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"    // at least one order set was stored or dropped, or a command done
	Refused Outcome = "refused" // orders or commands that were not accepted
	Ignored Outcome = "ignored" // automatic, from a stranger, or without orders
)

// Desk reads mails for one robot address.
type Desk struct {
	effect.Robot
	identity.Registry
	command.Services
	// Strangers enables answers to strangers.
	Strangers bool
	// Ways remembers which maps were drawn in answers; if nil, every map is drawn.
	Ways *Ways
	// Console runs the commands of referees.
	Console console.Console
}

// Decision is the result for a mail: first do its Steps, then send its Mails and what Answer
// returns.
type Decision struct {
	*command.Task
	Outcome Outcome
	Reason  string // for the log, without keys
	// Silent is the address that gets no answer although its mail had an effect; the captain is
	// told in the next answer. It is "" for none.
	Silent string

	desk      *Desk
	reply     reply
	why       string              // reason given to a stranger
	open      []effect.Question   // questions that a stranger has not answered
	prosaic   string              // what happened to a captain's plain words, see prose
	wordsMail string              // the mail with plain words that went to the referee within the hour, as answers name it: a repeat has the same answer ID, so it is not answered again
	unsent    *unsent             // see toCaptainOnly
	framed    *looseSet           // see headless
	loose     []orders.Diagnostic // not about a particular order set
	large     oversize            // for largeReply
	notices   []string            // see AddNotice
}

// newDecision returns the decision for a mail before the mail is examined.
func (d *Desk) newDecision(l identity.Incoming) *Decision {
	in := &identity.Mail{Robot: &d.Robot, People: &d.Registry, In: l, Body: blocks.Plain("")}
	return &Decision{desk: d, Outcome: Ignored, Task: &command.Task{Services: &d.Services, Submissions: &submission.Submissions{Mail: in, Effects: &effect.Effects{}}}}
}

// reply is the kind of an answer.
type reply uint8

const (
	noReply reply = iota
	ackReply
	helpReply
	strangerReply
	textReply
	refereeReply
	largeReply
)

// Decide decides a mail. It changes nothing. An error means trouble with a game or with the disk:
// the same mail can be decided again later.
func (d *Desk) Decide(l identity.Incoming) (*Decision, error) {
	c := d.newDecision(l)
	senders := l.Mail.Senders()
	switch {
	case l.Mail.Automatic != "" && !l.Mail.Uncertain:
		c.Reason = "automatic: " + machine(l.Mail.Automatic)
		return c, nil
	case len(senders) == 0:
		c.Reason = "no sender"
		return c, nil
	case d.IsOwn(senders[0]):
		c.Reason = "from our own address"
		return c, nil
	}
	c.Plus, _ = auth.TurnKeyFromAddress(l.Mail.WrittenTo(), d.Address)
	seats := d.Seats(senders[0], l.Received)
	if l.Mail.Uncertain {
		return c, c.decideUncertain(seats)
	}
	if done, err := c.answerOfReferee(senders[0]); done || err != nil {
		return c, err
	}
	if done, err := c.asReferee(senders[0], len(seats) > 0); done || err != nil {
		return c, err
	}
	if len(seats) == 0 {
		return c, c.decideStranger(senders[0])
	}
	c.To = seats[0].Address
	raws, diags, err := c.Find(l)
	if err != nil && c.subjectAlone() {
		return c, c.doCommands(seats)
	}
	if err != nil {
		c.refuse(orders.Diagnostic{Code: codes.Unreadable, Message: report.UpperFirst(err.Error()), Hint: "send the orders as plain text in the mail itself"})
		return c, nil
	}
	diags = c.readCommands(diags)
	if len(raws) == 0 && len(c.Body.Marked) == 0 && len(c.Commands) == 0 && c.viewed() {
		if raws, diags, err = c.Find(c.In); err != nil {
			return nil, err
		}
		diags = c.readCommands(diags)
	}
	if len(raws) > 0 || len(c.Body.Marked) > 0 {
		if err := c.decideSets(seats, raws, diags); err != nil {
			return nil, err
		}
		diags = slices.DeleteFunc(diags, func(d orders.Diagnostic) bool {
			return slices.ContainsFunc(c.Unspoken, func(r orders.Raw) bool { return d.Pos.Compare(r.Start) >= 0 && d.Pos.Compare(r.End) <= 0 })
		})
	}
	more, err := c.meant(seats)
	if err != nil {
		return nil, err
	}
	if len(more) == 0 && !slices.ContainsFunc(diags, func(d orders.Diagnostic) bool { return d.Code == orders.CodeNearOrders }) {
		more = c.nearly()
	}
	if diags = append(diags, more...); len(c.Sets) > 0 {
		c.loose = append(c.loose, more...)
	}
	if len(c.Commands) > 0 && len(c.Sets) == 0 {
		// With a command above it, a quoted report needs no remark.
		diags = slices.DeleteFunc(diags, func(d orders.Diagnostic) bool { return d.Code == orders.CodeQuoted })
	}
	if len(c.Sets) == 0 && orders.HasErrors(diags) {
		c.refuse(diags...)
		return c, nil
	}
	if err := c.doCommands(seats); err != nil {
		return nil, err
	}
	switch {
	case len(c.Sets) > 0:
	case len(c.Results) > 0 || len(c.Strays) > 0:
		c.loose = diags
		if len(c.Results) == 0 {
			c.refuse(append(c.Strays, diags...)...)
			c.Strays = nil
		}
	case len(diags) > 0:
		c.refuse(diags...)
	default:
		c.Reason, c.reply = "no order set", helpReply
		if c.open, err = c.Answers(senders[0]); err != nil {
			return nil, err
		} else if len(c.open) > 0 {
			c.reply = strangerReply // the question is still open
		}
	}
	return c, c.prose(seats)
}

// decideSets decides the order sets of the mail.
func (c *Decision) decideSets(seats []identity.Seat, raws []orders.Raw, diags []orders.Diagnostic) error {
	c.OnlyChecked, c.Commanded = c.Checks(), len(c.Commands) > 0
	loose, err := c.DecideBlocks(seats, raws, diags)
	if err != nil || len(c.Sets) == 0 {
		return err
	}
	reason, done, err := c.Take()
	c.reply, c.Outcome, c.Reason, c.loose = ackReply, Refused, reason, append(c.loose, loose...)
	if done {
		c.Outcome = Done
	}
	return err
}

// doCommands decides the commands of the mail.
func (c *Decision) doCommands(seats []identity.Seat) error {
	if err := c.DecideCommands(seats); err != nil {
		return err
	}
	return c.summarizeCommands()
}

// refuse sets the answer to a mail in which no set was found.
func (c *Decision) refuse(ds ...orders.Diagnostic) {
	c.Outcome, c.reply, c.loose = Refused, ackReply, ds
	worst := ds[max(0, submission.FirstError(ds))]
	c.Reason = fmt.Sprintf("%s: %s", worst.Code, worst.Message)
}

// machine returns why a mail counts as automatic, without what its sender may have written there:
// it keeps a value only if that is a plain word and cannot be a key.
func machine(why string) string {
	head, value, ok := strings.Cut(why, ": ")
	odd := strings.ContainsFunc(value, func(r rune) bool { return r != '-' && r != '_' && (r < 'a' || r > 'z') })
	if _, key := auth.Normalise(value); ok && (odd || key) {
		return head
	}
	return why
}

// summarizeCommands sets the reason: a line that says how the commands ended.
func (c *Decision) summarizeCommands() error {
	var words []string
	for _, d := range c.Results {
		if d.Done {
			c.Outcome = Done
			words = append(words, d.Cmd.String())
			continue
		}
		words = append(words, fmt.Sprintf("refused #%s (%s)", d.Cmd.Verb.Name, submission.Refusal(d.Diags)))
	}
	if len(words) == 0 {
		return nil
	}
	if c.reply != ackReply {
		c.reply, c.Reason = ackReply, ""
		if c.Outcome != Done {
			c.Outcome = Refused
		}
	}
	if c.Reason != "" {
		words = append([]string{c.Reason}, words...)
	}
	c.Reason = auth.Mask(strings.Join(words, ", "), c.Keys)
	return nil
}

// Seat returns the seat, for example "wolf/Kirk", of the captain or referee who provably wrote an
// order set or a command in the mail; "" for none. It also reports whether any of these was
// refused. A template that is only quoted, as in an automatic reply, does not count.
func (c *Decision) Seat() (name string, refused bool) {
	add := func(cl identity.Claim, t auth.Trust, done bool) {
		if !t.OK() || cl.Game == nil {
			return
		}
		refused = refused || !done
		name = cmp.Or(name, cl.Game.ID()+"/"+cl.By())
	}
	for i := range c.Sets {
		if s := &c.Sets[i]; !s.Echo {
			add(s.Claim, s.Proof, s.Taken || s.Checked && s.Read.OK())
		}
	}
	for _, d := range c.Results {
		add(d.Claim, d.Proof, d.Done)
	}
	return name, refused
}
