package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/orders"
	"starpost/pbem/clock"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// away records an absence.
func away(c *Task, d *Result) error {
	if !d.running() {
		return nil
	}
	zone := d.Game.Zone()
	if d.Cmd.From.IsZero() {
		now := c.In.Received.In(zone)
		d.Cmd.From = time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	}
	midnight := func(day time.Time) time.Time { return time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, zone) }
	from, to := midnight(d.Cmd.From), midnight(d.Cmd.Until.AddDate(0, 0, 1))
	now := c.In.Received.In(zone)
	today := midnight(time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, zone))
	most := d.Game.Settings().Mail.AwayMax
	st, err := d.Game.AdminState()
	if err != nil {
		return err
	}
	days := int(d.Cmd.Until.Sub(d.Cmd.From).Hours()/24) + 1
	switch {
	case days < 1:
		d.Refuse(codes.BadDates, "the last day of the absence is before its first", "write the first day before the last: "+d.Cmd.Verb.Usage[0])
	case from.Before(today):
		d.Refuse(codes.BadDates, "the absence begins in the past", "it may begin today: "+today.Format(time.DateOnly))
	case from.After(today.AddDate(1, 0, 0)):
		d.Refuse(codes.BadDates, "the absence begins in more than a year", "")
	case most > 0 && time.Duration(days)*24*time.Hour > most.Duration():
		d.Refuse(codes.BadDates, fmt.Sprintf("the absence lasts %d days; this game allows at most %s", days, spanWords(most)), "make it shorter, or ask the referee")
	case strung(c, d, st, from, to, most):
	default:
		return goAway(c, d, st, from, to)
	}
	return nil
}

// maxAbsences limits the absences that a captain may announce.
const maxAbsences = 3

// strung refuses an absence that, joined with others, would be too long, or that is one too many.
func strung(c *Task, d *Result, st vault.AdminState, from, to time.Time, most clock.Span) bool {
	n, first, last := 0, from, to
	for _, a := range st.Away {
		if a.Captain != d.Captain.Name || !a.To.After(c.In.Received) {
			continue
		}
		n++
		// Absences with only one day between them count as one.
		if !a.From.After(last.AddDate(0, 0, 2)) && !a.To.Before(first.AddDate(0, 0, -2)) {
			if a.From.Before(first) {
				first = a.From
			}
			if a.To.After(last) {
				last = a.To
			}
		}
	}
	switch {
	case n >= maxAbsences:
		d.Refuse(codes.BadDates, fmt.Sprintf("you have already announced %d absences", n), "back ends them all")
	case most > 0 && last.Sub(first) > most.Duration()+2*time.Hour: // two hours for daylight saving time
		d.Refuse(codes.BadDates, fmt.Sprintf("together with those announced before, the absence would be longer than %s", spanWords(most)), "back ends what you announced before")
	default:
		return false
	}
	return true
}

func goAway(c *Task, d *Result, st vault.AdminState, from, to time.Time) error {
	if busy, err := c.busy(d); err != nil || busy {
		return err
	}
	a, asked := journal.AwayData{From: from.UTC(), To: to.UTC(), StandIn: d.Cmd.To}, false
	if a.StandIn != "" {
		ok := false
		if ok, asked = mayStandIn(c, d, st, a.StandIn, from, to); !ok {
			return nil
		}
	}
	d.Subject = "Absence noted"
	first, last := d.Cmd.From.Format("Mon 2 Jan 2006"), d.Cmd.Until.Format("Mon 2 Jan 2006")
	d.Say("You are away from %s to %s, both days included.", first, last)
	if d.Game.Settings().Mail.AwayMax > 0 {
		d.Say("The deadline of the current turn stays as it is; later deadlines make room for your absence. %s told that you are away, but not why.", d.whoIsTold())
	} else {
		d.Say("In this game deadlines do not make room for absences. %s told that you are away, but not why.", d.whoIsTold())
	}
	d.Say("The command back ends it.")
	if a.StandIn != "" {
		if err := askStandIn(c, d, a, asked); err != nil {
			return err
		}
	}
	if err := c.note(d, journal.Away, d.Pos.Due(), a); err != nil {
		return err
	}
	return c.tellOthers(d, string(d.Captain.Name)+" will be away", fmt.Sprintf("%s will be away from %s to %s, both included.", d.Captain.Name, first, last))
}

// comeBack ends the captain's absences.
func comeBack(c *Task, d *Result) error {
	d.Subject = "Absences ended"
	st, err := d.Game.AdminState()
	if err != nil {
		return err
	}
	n := 0
	for _, a := range st.Away {
		if a.Captain == d.Captain.Name && a.To.After(c.In.Received) {
			n++
		}
	}
	if n == 0 {
		d.Say("You have announced no absence, so nothing was changed.")
		return nil
	}
	if busy, err := c.busy(d); err != nil || busy {
		return err
	}
	d.Say("Your absence is over. Deadlines already set stay as they are.")
	if err := c.note(d, journal.Back, d.Pos.Due(), nil); err != nil {
		return err
	}
	if in := d.Captain.StandInsAt(c.In.Received); len(in) > 0 {
		gone := d.Captain
		gone.Address = in[0]
		if err := tellGone(c, d, gone, "", "The captain is back", "You no longer stand in: the captain is back. You will get no more mails about the game. Thank you."); err != nil {
			return err
		}
	}
	return c.tellOthers(d, string(d.Captain.Name)+" is back", fmt.Sprintf("%s is no longer away.", d.Captain.Name))
}

func tailOfAway(c *Command) []string {
	day := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.Format(time.DateOnly)
	}
	return c.tail(day(c.From), day(c.Until), behind("stand-in", c.To))
}

func (r *commandReader) away() {
	// Two words are the dates, in any form: then no game was named.
	r.standIn()
	if len(r.rest) > 0 && !r.is("from") && !r.is("until") && (len(r.rest) > 2 || r.games(r.rest[0].Text)) {
		r.game()
	}
	if r.is("from") {
		r.rest = r.rest[1:]
	}
	if r.cmd.OK() && !r.is("until") { // otherwise from today
		r.cmd.From = r.date("the first day")
	}
	if r.is("to") || r.is("until") {
		r.rest = r.rest[1:]
	}
	if r.cmd.OK() {
		r.cmd.Until = r.date("the last day")
	}
}

// standIn reads the last words, which name a stand-in.
func (r *commandReader) standIn() {
	i := slices.IndexFunc(r.rest, func(w orders.Word) bool { return strings.EqualFold(w.Text, "stand-in") })
	if i < 0 {
		return
	}
	named := r.rest[i+1:]
	if len(named) != 1 || !strings.Contains(named[0].Text, "@") {
		r.fail(r.rest[i], "write one mail address after stand-in")
		return
	}
	r.cmd.To, r.rest = strings.Trim(named[0].Text, "<>,"), r.rest[:i]
}

func (r *commandReader) date(which string) time.Time {
	w, ok := r.next()
	if !ok {
		r.fail(w, which+" of your absence is missing")
		return time.Time{}
	}
	day, err := time.Parse(time.DateOnly, w.Text)
	if err != nil || day.Year() < 2000 || day.Year() > 9999 {
		r.fail(w, fmt.Sprintf("%q is not a date such as 2026-08-03", effect.Shortened(w.Text)))
	}
	return day
}
