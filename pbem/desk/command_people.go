package desk

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/auth"
	"starpost/pbem/clock"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/referee"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// away notes an absence.
func away(c *task, d *commandResult) error {
	if !d.running() {
		return nil
	}
	zone := d.game.Zone()
	midnight := func(day time.Time) time.Time { return time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, zone) }
	from, to := midnight(d.cmd.From), midnight(d.cmd.Until.AddDate(0, 0, 1))
	now := c.in.Received.In(zone)
	today := midnight(time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, zone))
	most := d.game.Settings().Mail.AwayMax
	st, err := d.game.AdminState()
	if err != nil {
		return err
	}
	days := int(d.cmd.Until.Sub(d.cmd.From).Hours()/24) + 1
	switch {
	case days < 1:
		d.refuse(codes.BadDates, "the last day of the absence is before its first", "write the first day before the last: "+d.cmd.Verb.Usage[0])
	case from.Before(today):
		d.refuse(codes.BadDates, "the absence begins in the past", "it may begin today: "+today.Format(time.DateOnly))
	case from.After(today.AddDate(1, 0, 0)):
		d.refuse(codes.BadDates, "the absence begins in more than a year", "")
	case most > 0 && time.Duration(days)*24*time.Hour > most.Duration():
		d.refuse(codes.BadDates, fmt.Sprintf("the absence has %d days; in this game %s are the most", days, spanWords(most)), "make it shorter, or ask the referee")
	case strung(c, d, st, from, to, most):
	default:
		return goAway(c, d, from, to)
	}
	return nil
}

// Bounds of absences that are announced.
const maxAbsences = 3

// strung refuses an absence that with others would be longer than one may be, or
// that is one too many.
func strung(c *task, d *commandResult, st vault.AdminState, from, to time.Time, most clock.Span) bool {
	n, first, last := 0, from, to
	for _, a := range st.Away {
		if a.Captain != d.captain.Name || !a.To.After(c.in.Received) {
			continue
		}
		n++
		// One day between two absences does not make them two.
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
		d.refuse(codes.BadDates, fmt.Sprintf("%d absences of yours are announced already", n), "back ends them all")
	case most > 0 && last.Sub(first) > most.Duration()+2*time.Hour: // of summer time
		d.refuse(codes.BadDates, fmt.Sprintf("together with what you announced before, the absence would be longer than %s", spanWords(most)), "back ends what you announced before")
	default:
		return false
	}
	return true
}

// spanWords is a length of time as people say it: "14 days".
func spanWords(s clock.Span) string {
	return report.TimeLeft(time.Time{}.Add(time.Hour), time.Time{}.Add(time.Hour+s.Duration()))
}

func goAway(c *task, d *commandResult, from, to time.Time) error {
	if busy, err := c.busy(d); err != nil || busy {
		return err
	}
	d.subject = "Absence noted"
	first, last := d.cmd.From.Format("Mon 2 Jan 2006"), d.cmd.Until.Format("Mon 2 Jan 2006")
	d.say("You are away from %s to %s, both included.", first, last)
	if d.game.Settings().Mail.AwayMax > 0 {
		d.say("The deadline of the turn that is due stays as it is; those of later turns make room for your absence. %s told that you are away, but not why.", d.whoIsTold())
	} else {
		d.say("In this game deadlines make no room for absences. %s told that you are away, but not why.", d.whoIsTold())
	}
	d.say("The command back ends it.")
	if err := c.note(d, journal.Away, d.pos.Due(), journal.AwayData{From: from.UTC(), To: to.UTC()}); err != nil {
		return err
	}
	return c.tellOthers(d, string(d.captain.Name)+" will be away", fmt.Sprintf("%s will be away from %s to %s, both included.", d.captain.Name, first, last))
}

// back ends the captain's absences.
func comeBack(c *task, d *commandResult) error {
	d.subject = "Absences ended"
	st, err := d.game.AdminState()
	if err != nil {
		return err
	}
	n := 0
	for _, a := range st.Away {
		if a.Captain == d.captain.Name && a.To.After(c.in.Received) {
			n++
		}
	}
	if n == 0 {
		d.say("No absence of yours is announced, so nothing was changed.")
		return nil
	}
	if busy, err := c.busy(d); err != nil || busy {
		return err
	}
	d.say("Your absence is over. Deadlines that were already set stay as they are.")
	if err := c.note(d, journal.Back, d.pos.Due(), nil); err != nil {
		return err
	}
	return c.tellOthers(d, string(d.captain.Name)+" is back", fmt.Sprintf("%s is not away any more.", d.captain.Name))
}

// vote notes a vote for a draw, or that it is taken back.
func vote(c *task, d *commandResult) error {
	due, ok := d.turn(0)
	if !ok {
		return nil
	}
	if len(d.captain.Ships) == 0 {
		d.refuse(codes.NotYours, "captains vote for their ships; an officer has no vote", "tell your captain: #message to captain")
		return nil
	}
	draw := d.cmd.Vote == command.VoteDraw
	d.subject = fmt.Sprintf("Turn %d: vote", due)
	st, err := d.game.AdminState()
	if err != nil {
		return err
	}
	has := st.Votes[due][d.captain.Name] == vault.VoteDraw
	switch {
	case has && draw:
		d.say("You have voted for a draw in turn %d already.", due)
		return nil
	case !has && !draw:
		d.say("No vote of yours for a draw stands in turn %d, so nothing was changed.", due)
		return nil
	}
	if busy, err := c.busy(d); err != nil || busy {
		return err
	}
	if !draw {
		d.say("Your vote for a draw in turn %d is taken back. %s", due, d.votesTold())
		if err := c.note(d, journal.Unvote, due, nil); err != nil {
			return err
		}
		return tellVote(c, d, "A captain has taken a vote for a draw back", fmt.Sprintf("A captain has taken his vote for a draw in turn %d back.", due))
	}
	d.say("You vote to end the game as a draw. The vote holds for turn %d; vote continue takes it back. %s", due, d.votesTold())
	d.say("The game ends at once if, before the turn runs, every captain who still has a ship has voted so, and they are of two sides at least. Ships that a robot has do not count.")
	if err := c.note(d, journal.VoteDraw, due, nil); err != nil {
		return err
	}
	return tellVote(c, d, "A captain has voted for a draw",
		fmt.Sprintf("A captain has voted for a draw. The vote holds for turn %d.", due),
		fmt.Sprintf("If every captain who still has a ship, of two sides at least, votes so before turn %d runs, the game ends at once. To agree, answer this mail with the line: vote draw", due))
}

// votesTold says who is told of a vote (D63): all, and of no name. A scenario in the dark may keep it secret.
func (d *commandResult) votesTold() string {
	if d.pos.State().SecretVotes() {
		return "No one is told."
	}
	return "The other captains are told that a captain did so, not who."
}

// tellVote tells all captains that one of them has voted, or has taken that back, unless the scenario keeps it secret.
func tellVote(c *task, d *commandResult, subject string, text ...string) error {
	if d.pos.State().SecretVotes() {
		return nil
	}
	all := slices.DeleteFunc(slices.Clone(d.game.Settings().Captains), func(o vault.Captain) bool { return o.Address == "" || o.Name == d.captain.Name })
	return c.tell(d, all, subject, text...)
}

// protest notes a protest, and tells the referee.
func protest(c *task, d *commandResult) error {
	t := d.cmd.Turn
	if last := d.game.Turn(); t < 1 || t > last {
		d.refuse(codes.NoReport, notResolved(t, last), resolvedLast(last))
		return nil
	}
	v, err := turn.ViewAt(d.game, t, d.captain.Seat())
	if err != nil {
		return err
	}
	if d.cmd.Event == 0 {
		d.subject = fmt.Sprintf("Events of turn %d", t)
		d.say("These are the events of your report of turn %d. To protest against one, write its number and the reason: protest %d.1 what is wrong with it", t, t)
		d.out.List = report.EventLines(d.game.Rules(), v)
		return nil
	}
	if d.cmd.Event > len(v.Events) {
		d.refuse(codes.NoEvent, fmt.Sprintf("your report of turn %d has %d events", t, len(v.Events)), fmt.Sprintf("protest %d without a number lists them", t))
		return nil
	}
	if busy, err := c.busy(d); err != nil || busy {
		return err
	}
	number, ok, err := newDispute(c, d)
	if err != nil || !ok {
		return err
	}
	seq, err := referee.EventOf(d.game, t, d.captain.Seat(), d.cmd.Event)
	if err != nil {
		return err
	}
	revision, err := d.game.Current(t)
	if err != nil {
		return err
	}
	event := report.EventLine(d.game.Rules(), v, d.cmd.Event)
	d.subject = fmt.Sprintf("Protest against event %d.%d", t, d.cmd.Event)
	d.say("Your protest is noted as dispute %d, and the referee is told. You get a mail when he has looked at it.", number)
	if d.game.Settings().Mail.DisputesWait && d.pos.Due() > 0 {
		d.say("The time of turn %d stands still until then.", d.pos.Due())
	}
	d.out.List = []string{event}
	if err := c.note(d, journal.Protest, d.pos.Due(), journal.ProtestData{Turn: t, Event: d.cmd.Event, Reason: d.cmd.Text, Seq: seq, Revision: revision}); err != nil {
		return err
	}
	return c.tellReferee(d, fmt.Sprintf("Protest of %s against event %d.%d", d.captain.Name, t, d.cmd.Event),
		fmt.Sprintf("%s (%s) protests against an event of turn %d. The number is that of his own report; it is also in the journal.", d.captain.Name, strings.Join(d.captain.SetNames(), ", "), t),
		event,
		fmt.Sprintf("It is dispute %d of the game: starpost referee %s dispute %d", number, d.game.Name(), number))
}

// notResolved says why there is no report of a turn to speak of; last is the last
// turn that was resolved.
func notResolved(turn, last int) string {
	if turn < 1 && last > 0 {
		return "turn 0 is the set-up, in which nothing was resolved"
	}
	if last == 0 {
		return "no turn was resolved yet"
	}
	return fmt.Sprintf("turn %d was not resolved yet", turn)
}

// resolvedLast tells of which turn one may speak.
func resolvedLast(last int) string {
	if last == 0 {
		return "send it again when you have the report of turn 1"
	}
	return fmt.Sprintf("the last turn that was resolved is turn %d", last)
}

// maxDisputes is how many protests of one captain may be open: each may have the
// game wait.
const maxDisputes = 3

// newDispute gives the number of a new dispute, or refuses one too many.
func newDispute(c *task, d *commandResult) (number int, ok bool, err error) {
	st, err := d.game.AdminState()
	if err != nil {
		return 0, false, err
	}
	number, open := len(st.Disputes)+1, 0
	for _, o := range st.OpenDisputes() {
		if o.Captain == d.captain.Name {
			open++
		}
	}
	for _, o := range c.commandResults { // those of the same mail are not noted yet
		if o != d && o.done && o.game == d.game && o.cmd.Verb.Name == "protest" && o.cmd.Event > 0 {
			number++
			open++
		}
	}
	if open >= maxDisputes {
		d.refuse(codes.TooMuch, fmt.Sprintf("%d of your protests wait for the referee already", open), "send it again when one of them is decided")
		return 0, false, nil
	}
	return number, true, nil
}

// rename notes what the person calls himself who sent the mail.
func rename(c *task, d *commandResult) error {
	name := strings.Join(d.cmd.Words, " ")
	if problem := journal.ProperName(name); problem != "" {
		d.refuse(codes.BadCommand, problem, "letters, digits and spaces, and - . ' between")
		return nil
	}
	hidden := hidesPeople(d.game.SharedSettings(), d.pos.State())
	if !hidden {
		taken, err := nameTaken(c, d, name)
		if err != nil {
			return err
		}
		if taken {
			d.refuse(codes.BadCommand, "another captain, or a ship, is called so", "choose another name")
			return nil
		}
	}
	if busy, err := c.busy(d); err != nil || busy {
		return err
	}
	d.subject = "Your name"
	when := "It stands where this game is told of, and among the ratings."
	if d.game.SharedSettings().Mail.Anonymous {
		when = "This game is anonymous: no one is told before its end."
	}
	d.say("You are called %s in this game from now on. %s", name, when)
	if hidden {
		d.say("While the game hides who plays, it takes any name. If another turns out to be called so when it is over, a number tells you apart.")
	}
	return c.note(d, journal.Name, d.pos.Due(), journal.NameData{Name: name})
}

// hidesPeople tells of a game that does not tell who plays in it, or tells it to some alone.
func hidesPeople(s *vault.Settings, state *engine.Game) bool {
	return s.Mail.Anonymous && state.Result == nil || turn.InTheDark(state)
}

// taken tells whether a name is that of a person, or in the command's own game of a seat or a ship, of which the
// captain may know: the answer tells nothing of games that hide who plays, or that are not told of, nor of ships
// that are still to come.
func nameTaken(c *task, d *commandResult, name string) (bool, error) {
	for _, o := range d.game.Settings().Captains {
		if !d.known(d.captain, o) {
			continue
		}
		ships := append(shownSeats(d.pos, o), o.Posts...)
		if o.Name == d.captain.Name {
			ships = o.Ships
		}
		if slices.ContainsFunc(ships, func(ship string) bool { return vault.SameName(ship, name) }) || o.Name != d.captain.Name && (vault.SameName(string(o.Name), name) || ofAnother(c, d, o, name)) {
			return true, nil
		}
	}
	for _, s := range c.people.Games.Settings() {
		if s.ID == d.game.ID() || !slices.ContainsFunc(s.Captains, func(o vault.Captain) bool { return ofAnother(c, d, o, name) }) {
			continue
		}
		g, err := c.people.Games.Look(s.ID)
		if err != nil {
			return false, err
		}
		state, err := g.State(g.Turn())
		if err != nil {
			return false, err
		}
		if state.Result != nil || Listed(s) && !hidesPeople(s, state) {
			return true, nil
		}
	}
	return false, nil
}

// another tells whether a seat is that of another person, who calls himself so.
func ofAnother(c *task, d *commandResult, o vault.Captain, name string) bool {
	return o.Player != "" && vault.SameName(o.Player, name) &&
		!slices.ContainsFunc(o.Addresses(), func(a string) bool { return auth.HasAddress(d.captain.Addresses(), a) })
}
