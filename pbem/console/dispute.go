package console

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"starpost/pbem/referee"
	"starpost/pbem/report"
	"starpost/pbem/vault"
)

// Disputes lists disputes.
func Disputes(w io.Writer, g *vault.Game, all []referee.Case) error {
	schedule, err := g.Settings().Schedule()
	if err != nil {
		return err
	}
	if len(all) == 0 {
		fmt.Fprintln(w, "no disputes")
		return nil
	}
	for _, c := range all {
		fmt.Fprintf(w, "%d  %s, event %d.%d of %s, %s: %s\n", c.Number, c.State, c.Turn, c.Event, c.Captain, report.When(c.At, schedule.Zone), c.Reason)
	}
	return nil
}

// Event reads the number of an event as reports have it, "3.17".
func Event(text string) (turn, event int, err error) {
	at, number, ok := strings.Cut(text, ".")
	turn, err1 := strconv.Atoi(at)
	event, err2 := strconv.Atoi(number)
	if !ok || err1 != nil || err2 != nil || turn < 1 || event < 1 {
		return 0, 0, &Error{Problem: fmt.Sprintf("%q is no event", text), Way: "TURN.EVENT, as the report numbers it, such as 3.17"}
	}
	return turn, event, nil
}

// Dispute shows a dispute with all its steps.
func Dispute(w io.Writer, g *vault.Game, c referee.Case) error {
	schedule, err := g.Settings().Schedule()
	if err != nil {
		return err
	}
	zone := schedule.Zone
	fmt.Fprintf(w, "dispute %d of %s, %s\n", c.Number, g.ID(), c.State)
	fmt.Fprintf(w, "%s (%s) protests against event %d.%d of his report, %s\n", c.Captain, strings.Join(c.Ships, ", "), c.Turn, c.Event, report.When(c.At, zone))
	fmt.Fprintf(w, "his reason: %s\n", c.Reason)
	if c.Seq == 0 {
		fmt.Fprintln(w, "the event is not there any more: the turn was taken back or has another outcome")
	} else {
		fmt.Fprintf(w, "it is event %d of the turn:\n", c.Seq)
		for _, line := range c.What {
			fmt.Fprintf(w, "  %s\n", line)
		}
		how := fmt.Sprintf("starpost referee %s trace %d.%d", g.Dir(), c.Turn, c.Seq)
		if now, err := g.Current(c.Turn); err != nil || now != c.Revision {
			how += fmt.Sprintf(" --revision %d", c.Revision)
			fmt.Fprintf(w, "his report was that of revision %d, which does not count any more\n", c.Revision)
		}
		fmt.Fprintf(w, "how it came about: %s\n", how)
	}
	for _, s := range c.Steps {
		fmt.Fprintf(w, "%s  %s by %s: %s\n", report.When(s.At, zone), map[string]string{
			vault.DisputeAnswer: "answered", vault.DisputeUphold: "upheld", vault.DisputeReject: "rejected",
		}[s.Step], s.By, s.Text)
		if s.Tell != "" {
			fmt.Fprintf(w, "  all others are told: %s\n", s.Tell)
		}
		if s.Revision > 0 {
			fmt.Fprintf(w, "  it led to revision %d of turn %d\n", s.Revision, s.Turn)
		}
	}
	return nil
}

// Settled tells what the last step in a dispute came to.
func Settled(w io.Writer, game string, c referee.Case) {
	last := c.Steps[len(c.Steps)-1]
	if last.Step == vault.DisputeAnswer {
		fmt.Fprintf(w, "%s: dispute %d is answered and stays open\n", game, c.Number)
	} else {
		fmt.Fprintf(w, "%s: dispute %d, the protest of %s, is %s\n", game, c.Number, c.Captain, c.State)
		public := last.Tell
		if public == "" {
			public = fmt.Sprintf("A protest on turn %d was %s.", c.Turn, c.State)
		}
		fmt.Fprintf(w, "the other captains are told: %s\n", public)
	}
	fmt.Fprintln(w, "the daemon tells them when it looks next")
}
