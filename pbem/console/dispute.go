package console

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"starpost/orders"
	"starpost/pbem/referee"
	"starpost/pbem/report"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

func (j *job) disputes() (any, error) {
	all, err := referee.Disputes(j.g)
	if err != nil {
		return nil, err
	}
	if j.r.flag("open") {
		all = slices.DeleteFunc(all, func(c referee.Case) bool { return c.State != referee.Verdict("") })
	}
	if len(all) == 0 {
		fmt.Fprintln(j.w, "no disputes")
	}
	for _, c := range all {
		fmt.Fprintf(j.w, "%d  %s, event %d.%d of %s, %s: %s\n", c.Number, c.State, c.Turn, c.Event, c.Captain, report.FormatTime(c.At, j.g.Zone()), c.Reason)
	}
	return all, nil
}

// stepWanted is a step in a dispute as requested by a command.
type stepWanted struct {
	number      int
	turn, event int // for open
	referee.Decision
}

// readDispute parses the requested step. The error is an *Error, except for an invalid event.
func readDispute(r *Request) (d stepWanted, err error) {
	d.Decision = referee.Decision{Step: "show", Text: r.value("why"), Tell: r.value("tell"), Force: r.flag("force")}
	if strings.EqualFold(r.Args[0], "open") {
		return d, d.readOpen(r)
	}
	if r.value("for") != "" {
		return d, wrong("dispute open EVENT REASON --for CAPTAIN opens one", "--for says whose protest it is, but no protest is opened")
	}
	if d.number, err = strconv.Atoi(r.Args[0]); err != nil || d.number < 1 {
		return d, wrong("such as 1", "%q is not the number of a dispute", r.Args[0])
	}
	if len(r.Args) > 1 {
		d.Step = strings.ToLower(r.Args[1])
	}
	most := 2
	switch steps := []string{"show", journal.DisputeAnswer, journal.DisputeUphold, journal.DisputeReject}; {
	case !slices.Contains(steps, d.Step):
		way := orders.DidYouMean("%s", d.Step, steps, "one of: "+strings.Join(steps, ", "))
		return d, wrong(way, "unknown dispute step %q", r.Args[1])
	case d.Step == "show":
		if err := r.undecided("add uphold, reject or answer", "why", "tell", "revision", "force"); err != nil {
			return d, err
		}
	case d.Step == journal.DisputeAnswer:
		most = 3
		for _, name := range []string{"why", "tell", "revision"} {
			if r.flag(name) && (name != "why" || len(r.Args) == most) {
				return d, wrong("write the words after answer", "answer does not take --%s", name)
			}
		}
		if len(r.Args) == most {
			d.Text = strings.TrimSpace(r.Args[2])
		}
		if d.Text == "" {
			return d, wrong(`such as: dispute 1 answer "Which bank do you mean?"`, "answer needs the words for the captain")
		}
	case d.Text == "":
		return d, wrong(`such as --why "Range 11 is within chart H."`, "dispute %s needs --why: the captain who protested is told the reason", d.Step)
	}
	if len(r.Args) > most {
		return d, wrong("quote words that belong together", "dispute does not take %q", r.Args[most])
	}
	for _, text := range []string{d.Text, d.Tell} {
		if len(text) > 4000 || strings.ContainsFunc(text, func(c rune) bool { return unicode.IsControl(c) && c != '\n' }) {
			return d, wrong("plain words, at most 4000 bytes", "a text is too long, or contains invalid characters")
		}
	}
	if text := r.value("revision"); text != "" {
		ok := false
		if d.Turn, d.Revision, ok = pair(text); !ok {
			return d, wrong("such as 3.2 for revision 2 of turn 3", "%q is not a revision of a turn", text)
		}
	}
	return d, nil
}

// readOpen parses a captain's protest that was made other than by mail.
func (d *stepWanted) readOpen(r *Request) error {
	if err := r.undecided("open it first, then decide it", "tell", "revision", "force"); err != nil {
		return err
	}
	if len(r.Args) == 3 {
		d.Text = r.Args[2]
	}
	switch {
	case len(r.Args) == 1:
		return wrong("such as 3.17, as the report numbers it", "open needs an event")
	case d.Text == "":
		return wrong("in the captain's words", "open needs the reason, in quotes")
	case r.value("for") == "":
		return wrong("such as --for Riskadh", "open needs --for: whose protest it is")
	}
	var ok bool
	if d.turn, d.event, ok = pair(r.Args[1]); !ok {
		return &referee.Error{Problem: fmt.Sprintf("%q is not an event", r.Args[1]), Way: "TURN.EVENT, as the report numbers it, such as 3.17"}
	}
	return nil
}

// undecided refuses options for deciding a dispute.
func (r *Request) undecided(way string, names ...string) error {
	for _, name := range names {
		if r.flag(name) {
			return wrong(way, "--%s is for deciding a dispute, and nothing is decided here", name)
		}
	}
	return nil
}

// pair parses "3.17", two numbers from 1.
func pair(text string) (first, second int, ok bool) {
	a, b, ok := strings.Cut(text, ".")
	first, err1 := strconv.Atoi(a)
	second, err2 := strconv.Atoi(b)
	return first, second, ok && err1 == nil && err2 == nil && first > 0 && second > 0
}

func (j *job) dispute() (data any, err error) {
	d, err := readDispute(j.r)
	if err != nil {
		return nil, err
	}
	a := j.act()
	a.Why = ""
	if strings.EqualFold(j.r.Args[0], "open") {
		d.number, err = referee.OpenDispute(j.g, a, j.r.value("for"), d.turn, d.event, d.Text)
	} else if d.Step != "show" {
		_, err = referee.Settle(j.g, a, d.number, d.Decision)
	}
	if err != nil {
		return nil, err
	}
	err = j.afterwards(func() error {
		c, err := referee.Dispute(j.g, d.number)
		switch data = c; {
		case err != nil:
			return err
		case d.Step == "show":
			return showDispute(j.w, j.g, c)
		}
		settled(j.w, j.g.ID(), c)
		return nil
	})
	return data, err
}

// showDispute prints a dispute with all its steps.
func showDispute(w io.Writer, g *vault.Game, c referee.Case) error {
	zone := g.Zone()
	fmt.Fprintf(w, "dispute %d of %s, %s\n", c.Number, g.ID(), c.State)
	fmt.Fprintf(w, "%s (%s) protests against event %d.%d of the report, %s\n", c.Captain, strings.Join(c.Ships, ", "), c.Turn, c.Event, report.FormatTime(c.At, zone))
	fmt.Fprintf(w, "reason: %s\n", c.Reason)
	if c.Seq == 0 {
		fmt.Fprintln(w, "the event no longer exists: the turn was undone or has a different outcome")
	} else {
		fmt.Fprintf(w, "it is event %d of the turn:\n", c.Seq)
		for _, line := range c.What {
			fmt.Fprintf(w, "  %s\n", line)
		}
		how := g.CommandLine("referee", "trace", fmt.Sprintf("%d.%d", c.Turn, c.Seq))
		if now, err := g.Stages.Current(c.Turn); err != nil || now != c.Revision {
			how += fmt.Sprintf(" --revision %d", c.Revision)
			fmt.Fprintf(w, "the report was of revision %d, which no longer counts\n", c.Revision)
		}
		fmt.Fprintf(w, "how it came about: %s\n", how)
	}
	for _, s := range c.Steps {
		fmt.Fprintf(w, "%s  %s by %s: %s\n", report.FormatTime(s.At, zone), map[string]string{
			journal.DisputeAnswer: "answered", journal.DisputeUphold: "upheld", journal.DisputeReject: "rejected",
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

// settled prints the result of the last step in a dispute.
func settled(w io.Writer, game string, c referee.Case) {
	last := c.Steps[len(c.Steps)-1]
	if last.Step == journal.DisputeAnswer {
		fmt.Fprintf(w, "%s: dispute %d is answered and stays open\n", game, c.Number)
	} else {
		fmt.Fprintf(w, "%s: dispute %d, the protest of %s, is %s\n", game, c.Number, c.Captain, c.State)
		public := last.Tell
		if public == "" {
			public = fmt.Sprintf("A protest on turn %d was %s.", c.Turn, c.State)
		}
		fmt.Fprintf(w, "the other captains are told: %s\n", public)
	}
	fmt.Fprintln(w, "the daemon tells them at its next pass")
}
