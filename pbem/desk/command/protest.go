package command

import (
	"fmt"
	"strconv"
	"strings"

	"starpost/orders"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/referee"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// protest records a protest, and tells the referee.
func protest(c *Task, d *Result) error {
	t := d.Cmd.Turn
	if last := d.Game.Turn(); t < 1 || t > last {
		d.Refuse(codes.NoReport, notResolved(t, last), resolvedLast(last))
		return nil
	}
	v, err := turn.ViewAt(d.Game, vault.At(t), d.Captain.Seat())
	if err != nil {
		return err
	}
	if d.Cmd.Event == 0 {
		d.Subject = fmt.Sprintf("Events of turn %d", t)
		d.Say("These are the events in your report of turn %d. To protest against one, write its number and the reason: protest %d.1 what is wrong with it", t, t)
		d.Out.List = report.EventLines(d.Game.Rules(), v)
		return nil
	}
	if d.Cmd.Event > len(v.Events) {
		d.Refuse(codes.NoEvent, fmt.Sprintf("your report of turn %d has %d events", t, len(v.Events)), fmt.Sprintf("protest %d without a number lists them", t))
		return nil
	}
	if busy, err := c.busy(d); err != nil || busy {
		return err
	}
	number, ok, err := newDispute(c, d)
	if err != nil || !ok {
		return err
	}
	seq, err := referee.EventOf(d.Game, t, d.Captain.Seat(), d.Cmd.Event)
	if err != nil {
		return err
	}
	revision, err := d.Game.Stages.Current(t)
	if err != nil {
		return err
	}
	event := report.EventLine(d.Game.Rules(), v, d.Cmd.Event)
	d.Subject = fmt.Sprintf("Protest against event %d.%d", t, d.Cmd.Event)
	d.Say("Your protest is noted as dispute %d, and the referee is told. You get a mail when it is decided.", number)
	if d.Game.Settings().Mail.DisputesWait && d.Pos.Due() > 0 {
		d.Say("The clock for turn %d is stopped until then.", d.Pos.Due())
	}
	d.Out.List = []string{event}
	if err := c.note(d, journal.Protest, d.Pos.Due(), journal.ProtestData{Turn: t, Event: d.Cmd.Event, Reason: d.Cmd.Text, Seq: seq, Revision: revision}); err != nil {
		return err
	}
	text := []string{
		fmt.Sprintf("%s (%s) protests against an event of turn %d. The number is from that captain's report; it is also in the journal.", d.Captain.Name, strings.Join(d.Captain.SetNames(), ", "), t),
		event,
		fmt.Sprintf("It is dispute %d of the game. To read and decide it, in the folder of the games: %s", number, d.Game.MailedCommandLine("referee", "dispute", number)),
	}
	if len(d.Game.SharedSettings().Referees) > 0 {
		text = append(text, fmt.Sprintf("A registered referee can do so by mail: write #dispute %d on the first line of the reply.", number))
	}
	return c.tellReferee(d, fmt.Sprintf("Protest of %s against event %d.%d", d.Captain.Name, t, d.Cmd.Event), text...)
}

// notResolved says why there is no report of a turn; last is the last turn that was resolved.
func notResolved(turn, last int) string {
	if turn < 1 && last > 0 {
		return "turn 0 is the set-up, in which nothing was resolved"
	}
	if last == 0 {
		return "no turn was resolved yet"
	}
	return fmt.Sprintf("turn %d was not resolved yet", turn)
}

// resolvedLast says which turn can be named.
func resolvedLast(last int) string {
	if last == 0 {
		return "send it again when you have the report of turn 1"
	}
	return fmt.Sprintf("the last turn that was resolved is turn %d", last)
}

// maxDisputes limits the open protests of one captain: each may make the game wait.
const maxDisputes = 3

// newDispute returns the number of a new dispute, or refuses one too many.
func newDispute(c *Task, d *Result) (number int, ok bool, err error) {
	st, err := d.Game.AdminState()
	if err != nil {
		return 0, false, err
	}
	number, open := len(st.Disputes)+1, 0
	for _, o := range st.OpenDisputes() {
		if o.Captain == d.Captain.Name {
			open++
		}
	}
	for _, o := range c.Results { // those of the same mail are not recorded yet
		if o != d && o.Done && o.Game == d.Game && o.Cmd.Verb.Name == "protest" && o.Cmd.Event > 0 {
			number++
			open++
		}
	}
	if open >= maxDisputes {
		d.Refuse(codes.TooMuch, fmt.Sprintf("%d of your protests wait for the referee already", open), "send it again when one of them is decided")
		return 0, false, nil
	}
	return number, true, nil
}

func tailOfProtest(c *Command) []string {
	if c.Event == 0 {
		return c.tail()
	}
	return []string{c.Game, fmt.Sprintf("%d.%d", c.Turn, c.Event)}
}

// reason reads the whole reason of a protest.
func (f *Finder) reason(cmd *Command, i int) {
	if cmd.Event > 0 {
		cmd.Text = f.wrapped(cmd, i, maxReasonBytes)
	}
	switch {
	case cmd.Event == 0 || !cmd.OK():
	case cmd.Text == "":
		cmd.Diagnostics = append(cmd.Diagnostics, orders.Diagnostic{
			Pos: cmd.Pos, Code: codes.BadCommand, Message: "the reason is missing", Hint: "after the number, say what is wrong with the event",
		})
	case len(cmd.Text) > maxReasonBytes:
		cmd.Diagnostics = append(cmd.Diagnostics, orders.Diagnostic{
			Pos: cmd.Pos, Code: codes.TooMuch, Message: fmt.Sprintf("the reason has %d bytes", len(cmd.Text)),
			Hint: fmt.Sprintf("a reason can have at most %d bytes; use fewer words", maxReasonBytes),
		})
	}
}

func (r *commandReader) protest() {
	r.game()
	w, ok := r.next()
	if !ok {
		r.fail(w, "which event do you protest against? none is given")
		return
	}
	turn, event, both := strings.Cut(w.Text, ".")
	r.number(orders.Word{Text: turn, Pos: w.Pos})
	if !both || !r.cmd.OK() {
		return
	}
	n, err := strconv.Atoi(event)
	if err != nil || n < 1 || n > 1_000_000 {
		r.fail(w, fmt.Sprintf("%q is not the number of a turn and of an event, such as 3.17", effect.Shortened(w.Text)))
		return
	}
	r.cmd.Event = n
	r.cmd.Text = orders.JoinWords(r.rest, " ")
	r.rest = nil
}
