package command

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/desk/audience"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/outgoing"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// relay forwards a captain's message to others.
//
// A name counts if the scenario's list of ships has it from the start: ships that are still to arrive are known to
// their own side only, and for others the name does not exist. Whether a ship is visible does not matter, and the
// answer does not reveal it.
func relay(c *Task, d *Result) error {
	if strings.EqualFold(strings.TrimPrefix(strings.ToLower(d.Cmd.To), "the "), RefereeWord) {
		return askReferee(c, d)
	}
	s, w := d.Game.Settings(), d.writer()
	if (s.Mail.Messages == vault.TalkNone || turn.InTheDark(d.Pos.State())) && !w.AllAboard(d.Cmd.To) {
		d.Refuse(codes.NoAddressee, "in this game the robot carries no messages", "a message order in your order set goes out with the reports, if the rules have it")
		return nil
	}
	to, why, way := w.Find(d.Cmd.To)
	if why != "" {
		d.Refuse(codes.NoAddressee, why, way)
		return nil
	}
	if s.Mail.Messages == vault.TalkSide && !w.OwnSide(to) {
		d.Refuse(codes.NoAddressee, "in this game messages go only to your own side", "write: message to side")
		return nil
	}
	busy, err := c.busy(d)
	if err != nil || busy {
		return err
	}
	reach := w.Reached(to, func(o vault.Captain) bool { return o.Address != "" })
	if len(reach) == 0 {
		d.Refuse(codes.NoAddressee, "nobody would get the message: no other captain there reads mail", "")
		return nil
	}
	d.Subject = "Message sent"
	d.Say("Your message goes to %s.", audience.Words(to))
	data := journal.MessageData{To: d.Cmd.To, Text: d.Cmd.Text, Press: audience.Published(s.Mail.Press, to)}
	if data.Press {
		d.Say("When the game is over, everyone can read it.")
	}
	thread, err := c.thread(d)
	if err != nil {
		return err
	}
	if len(thread) > 0 {
		data.Answers = thread[len(thread)-1].Cause
	}
	data.Captains = []engine.CaptainName{}
	for _, part := range to { // the answer does not reveal who cannot hear it
		for _, o := range w.Hearers(part, w.Reached([]audience.Audience{part}, func(o vault.Captain) bool { return o.Address != "" })) {
			if slices.Contains(data.Captains, o.Name) {
				continue
			}
			data.Captains = append(data.Captains, o.Name)
			for _, address := range append([]string{o.Address}, o.StandInsAt(c.In.Received)...) {
				out, err := messageTo(c, d, o, address, to, thread)
				if err != nil {
					return err
				}
				c.Mails = append(c.Mails, out)
			}
		}
	}
	return c.note(d, journal.Message, d.Pos.Due(), data)
}

// messageTo returns the forwarded message to an address of a captain or a stand-in, in the thread of the message that
// it answers.
func messageTo(c *Task, d *Result, o vault.Captain, address string, to []audience.Audience, thread []journal.Entry) (effect.Outgoing, error) {
	s, w := d.Game.Settings(), d.writer()
	own := address == o.Address
	o.Address = address
	thread = slices.DeleteFunc(slices.Clone(thread), func(e journal.Entry) bool { // omit what the captain has not seen
		return e.Captain != o.Name && !slices.Contains(journal.DataOf[journal.MessageData](e).Captains, o.Name)
	})
	from, first := w.Title(), w.Title()
	if len(thread) > 0 {
		first = w.As(thread[0].Captain).Title()
	}
	out, err := c.ToCaptain(effect.KindMessage, d, o, "Message from "+first, templates.Notice{})
	if err != nil {
		return out, err
	}
	m := &out.Message
	if !own {
		m.MessageID = c.id(effect.KindMessage, d, effect.StandInWord(&s, address))
	}
	m.From = outgoing.Address{Name: fmt.Sprintf("%s of %s", d.Captain.Name, s.Title), Addr: c.Robot.Address}
	for _, e := range thread {
		m.InReplyTo = c.messageID(s, e, o)
		m.References = append(m.References, m.InReplyTo)
	}
	if len(thread) > 0 {
		m.Subject = "Re: " + m.Subject
	}
	back := w.BackTo(o, to)
	how := fmt.Sprintf("To reply, answer this mail with a line \"#message to %s\", your own words, and a line \"#end\", above everything that is quoted. The robot forwards them; nobody sees your address.", back[0])
	foot := []string{how}
	if len(back) > 1 {
		foot = append(foot, fmt.Sprintf("To answer everyone it went to: \"#message to %s\".", strings.Join(back, ", ")))
	}
	if audience.Published(s.Mail.Press, to) {
		foot = append(foot, "When the game is over, everyone can read this message.")
	}
	l := templates.RelayedMessage{
		Game: s.ID, Title: s.Title, Turn: d.Pos.Due(), From: from, To: w.ToFor(o, to), Text: d.Cmd.Text,
		Foot: append(foot, "Send help as the first line of a mail for a list of commands."),
	}
	m.Text, err = c.Robot.Templates.MessageText(l)
	return out, err
}

func tailOfMessage(c *Command) []string { return c.tail(behind("to", c.To)) }

// message reads the text of a message: its words after a colon, or the lines up to #end.
func (f *Finder) message(cmd *Command, i int) {
	if cmd.Text != "" {
		cmd.Text = f.wrapped(cmd, i, MaxMessageBytes)
		f.measure(cmd, 1)
		return
	}
	if lines, ok := f.body(cmd, i, "the message has no #end; it was not sent", "put a line with only #end below your words"); ok {
		cmd.Text = strings.Join(trimBlank(lines), "\n")
		f.measure(cmd, len(lines))
	}
}

// message reads the recipients, with or without the word to, and an optional game before them.
func (r *commandReader) message() {
	if !r.is("to") && len(r.rest) > 1 && (r.games(r.rest[0].Text) || strings.EqualFold(r.rest[1].Text, "to")) {
		r.game()
	}
	if r.is("to", "") || r.is("for", "") {
		r.rest = r.rest[1:]
	}
	if len(r.rest) == 0 || r.is("to") && len(r.rest) == 1 {
		r.fail(orders.Word{}, "who is the message for? nobody is named")
		return
	}
	r.cmd.To = orders.JoinWords(r.rest, " ")
	r.rest = nil
}
