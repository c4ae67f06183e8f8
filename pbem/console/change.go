package console

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/clock"
	"starpost/pbem/referee"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// plan makes the plan of the options.
func (j *job) plan(n int, rulings []string) (referee.Plan, error) {
	p := referee.Plan{Turn: n, Rulings: rulings, Before: j.r.flag("before"), Force: j.r.flag("force"), End: j.r.flag("end")}
	switch j.r.value("later") {
	case "":
	case "rerun":
		p.Later.Rerun = true
	case "aside":
		p.Later.Aside = true
	default:
		return p, &Error{Problem: fmt.Sprintf("--later cannot be %q", j.r.value("later")), Way: "rerun or aside"}
	}
	p.Later.Keep = j.r.flag("keep-orders")
	return p, nil
}

func (j *job) amend() error {
	if err := j.args(1, 1); err != nil {
		return err
	}
	a, err := j.reasoned()
	if err != nil {
		return err
	}
	name := j.r.Args[0]
	if !strings.HasPrefix(name, "@") {
		p, err := turn.Load(j.g)
		if err != nil {
			return err
		}
		s, err := p.FindShip(name)
		if err != nil {
			return err
		}
		name = s.Name
	}
	if len(j.r.Blocks) != 1 {
		return &Error{Problem: fmt.Sprintf("%d order sets came with the command, and one is wanted", len(j.r.Blocks)), Way: "put the set for the ship below it, from #orders to #end"}
	}
	set, err := referee.Amend(j.g, a, referee.Amendment{Name: name, Text: []byte(j.r.Blocks[0])})
	if err != nil {
		return err
	}
	Amended(j.w, j.g, set, "this mail")
	for _, line := range Mistakes(set.Name, set.Diagnostics) {
		fmt.Fprintln(j.w, line)
	}
	return nil
}

// Amended tells whose orders were replaced, and by what.
func Amended(w io.Writer, g *vault.Game, set turn.Set, from string) {
	fmt.Fprintf(w, "%s: the orders of %s for turn %d are those of %s now\n", g.ID(), set.Name, set.Turn, from)
}

func (j *job) ruling() error {
	if err := j.args(1, 100); err != nil {
		return err
	}
	if j.r.Args[0] == "fields" {
		if err := j.args(2, 2); err != nil {
			return err
		}
		_, err := Fields(j.w, j.g, j.r.Args[1])
		return err
	}
	a := j.act()
	if !j.r.flag("dry-run") {
		var err error
		if a, err = j.reasoned(); err != nil {
			return err
		}
		if done, err := j.before(vault.JournalRevise); done || err != nil {
			return err
		}
	}
	if j.r.HasTurn && j.r.Turn != j.g.Turn() {
		return &Error{Problem: fmt.Sprintf("turn %d is not the last that was resolved, turn %d is", j.r.Turn, j.g.Turn()), Way: fmt.Sprintf("rerun %d --with %q", j.r.Turn, strings.Join(j.r.Args, " "))}
	}
	p, err := j.plan(j.g.Turn(), []string{strings.Join(j.r.Args, " ")})
	if err != nil {
		return err
	}
	if j.r.flag("dry-run") {
		run, err := referee.Retry(j.g, a, p)
		if err != nil {
			return err
		}
		return j.corrected(run, false)
	}
	done, err := referee.Rule(j.g, a, p, turn.Options{Compose: j.Compose})
	if err != nil {
		return err
	}
	return j.corrected(done.Rerun, true)
}

// before tells of a change of the past that this very command made already.
func (j *job) before(kind string) (bool, error) {
	known, err := j.g.Noted(kind, j.by.Cause)
	if err != nil || !known {
		return false, err
	}
	entries, err := j.g.Journal()
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(entries, func(e vault.Entry) bool { return e.Kind == kind && e.Cause == j.by.Cause })
	var d vault.ReviseData
	if err := entries[i].Decode(&d); err != nil {
		return false, err
	}
	fmt.Fprintf(j.w, "it counts from now on: revision %d of turn %d\n", d.Revision, d.Turn)
	for _, m := range d.Later {
		fmt.Fprintf(j.w, "and revision %d of turn %d\n", m.Revision, m.Turn)
	}
	return true, nil
}

func (j *job) corrected(run *turn.Rerun, committed bool) error {
	c, err := Correct(j.g, run, committed)
	if err != nil {
		return err
	}
	if c.Warning != "" {
		fmt.Fprintln(j.w, "warning: "+c.Warning)
	}
	how := "--commit has it count"
	if j.r.Verb.Name == "ruling" {
		how = "without --dry-run it counts"
	}
	c.Print(j.w, how)
	return nil
}

func (j *job) rerun() error {
	n, err := j.named()
	if err != nil {
		return err
	}
	if err := j.args(0, 0); err != nil {
		return err
	}
	p, err := j.plan(n, j.r.values["with"])
	if err != nil {
		return err
	}
	if j.r.flag("amend") {
		if len(j.r.Blocks) == 0 {
			return &Error{Problem: "no order set came with the command", Way: "put the sets below it, each from #orders to #end"}
		}
		for _, text := range j.r.Blocks {
			p.Orders = append(p.Orders, referee.Amendment{Text: []byte(text)})
		}
	}
	if !j.r.flag("commit") {
		run, err := referee.Retry(j.g, j.act(), p)
		if err != nil {
			return err
		}
		return j.corrected(run, false)
	}
	a, err := j.reasoned()
	if err != nil {
		return err
	}
	if done, err := j.before(vault.JournalRevise); done || err != nil {
		return err
	}
	done, err := referee.Rerun(j.g, a, p, turn.Options{Compose: j.Compose})
	if err != nil {
		return err
	}
	return j.corrected(done.Rerun, true)
}

func (j *job) rollback() error {
	n, err := j.named()
	if err != nil {
		return err
	}
	if err := j.args(0, 0); err != nil {
		return err
	}
	a, err := j.reasoned()
	if err != nil {
		return err
	}
	return j.time(func() (vault.Timing, error) { return referee.Rollback(j.g, a, n, j.r.flag("keep-orders")) })
}

func (j *job) clock() error {
	if j.r.HasTurn && j.r.Turn != j.g.Turn()+1 {
		return &Error{Problem: fmt.Sprintf("turn %d is not due, turn %d is", j.r.Turn, j.g.Turn()+1), Way: "nothing was changed"}
	}
	if j.r.Verb.Name == "resume" {
		if err := j.args(0, 0); err != nil {
			return err
		}
		a := j.act()
		return j.time(func() (vault.Timing, error) { return referee.Resume(j.g, a) })
	}
	a, err := j.reasoned()
	if err != nil {
		return err
	}
	if j.r.Verb.Name == "pause" {
		if err := j.args(0, 0); err != nil {
			return err
		}
		return j.time(func() (vault.Timing, error) { return referee.Pause(j.g, a) })
	}
	if j.r.Verb.Name == "rules" {
		if err := j.args(1, 1); err != nil {
			return err
		}
		return j.time(func() (vault.Timing, error) { return referee.Rules(j.g, a, j.r.Args[0]) })
	}
	if err := j.args(1, 2); err != nil {
		return err
	}
	to, err := Deadline(strings.Join(j.r.Args, " "), a.Now)
	if err != nil {
		return err
	}
	return j.time(func() (vault.Timing, error) { return referee.Extend(j.g, a, to, j.r.flag("shorten")) })
}

// Deadline reads another deadline: how much later, or a moment as clocks show it.
func Deadline(text string, now time.Time) (func(vault.Timing, clock.Schedule) (time.Time, error), error) {
	at := strings.Replace(text, "T", " ", 1)
	if more, err := clock.ParseSpan(text); err == nil {
		if more == 0 {
			return nil, &Error{Problem: fmt.Sprintf("extend by %s gives no time", text), Way: "such as 12h or 2d"}
		}
		return referee.By(more, now), nil
	}
	if _, err := (clock.Schedule{}).Wall(at); err != nil {
		return nil, &Error{Problem: fmt.Sprintf("%q is neither a length of time nor a moment", text), Way: `such as 12h, 2d or "2026-12-01 20:00"`}
	}
	return referee.At(at), nil
}

// time does what is about the time, and tells how it stands then.
func (j *job) time(act func() (vault.Timing, error)) error {
	if _, err := act(); err != nil {
		return err
	}
	return j.regarded(func() error {
		t, err := j.g.Timing()
		if err != nil {
			return err
		}
		off, err := Time(j.w, j.g, t, j.by.Now)
		if off {
			fmt.Fprintln(j.w, "warning: the deadline is on a day off of the game's calendar")
		}
		return err
	})
}

// Time tells how the time of a game stands. Off tells that its deadline is on a
// day off.
func Time(w io.Writer, g *vault.Game, t vault.Timing, now time.Time) (off bool, err error) {
	schedule, err := g.Settings().Schedule()
	if err != nil {
		return false, err
	}
	fmt.Fprintf(w, "%s: %s\n", g.ID(), TimingOf(t).Words(now, schedule.Zone))
	fmt.Fprintln(w, "the daemon tells the captains when it looks next")
	return !t.Stands() && schedule.IsOff(t.Ends()), nil
}

// Before tells that a turn was resolved before.
func Before(w io.Writer, g *vault.Game, n int) error {
	m, err := g.Manifest(n)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "turn %d of %s was resolved before, %s: nothing was done\n", n, g.ID(), report.When(m.Resolved, time.UTC))
	return nil
}

// Fields lists what can be set on a ship.
func Fields(w io.Writer, g *vault.Game, name string) ([]engine.Field, error) {
	p, err := turn.Load(g)
	if err != nil {
		return nil, err
	}
	s, err := p.FindShip(name)
	if err != nil {
		return nil, err
	}
	sys, ok := s.System.(engine.Editable)
	if !ok {
		return nil, &Error{Problem: fmt.Sprintf("ships of %s have no fields that can be set", g.Rules().Name), Way: "move, kill and revive are there all the same"}
	}
	fmt.Fprintf(w, "%s: %s at %s %s\n", s.Name, s.Status, s.Hex.Label(), s.Heading)
	for _, d := range sys.Fields() {
		line := fmt.Sprintf("  %s %s", d.Name, d.Now)
		if d.Choices != nil {
			line += " (" + strings.Join(d.Choices, ", ") + ")"
		} else {
			line += fmt.Sprintf(" (%d to %d)", d.Low, d.High)
		}
		if d.System != "" && d.System != d.Name {
			line += "; repair and damage call it " + d.System
		}
		fmt.Fprintln(w, line)
	}
	return sys.Fields(), nil
}

func (j *job) disputes() error {
	if err := j.args(0, 0); err != nil {
		return err
	}
	all, err := referee.Disputes(j.g)
	if err != nil {
		return err
	}
	if j.r.flag("open") {
		all = slices.DeleteFunc(all, func(c referee.Case) bool { return c.State != referee.Verdict("") })
	}
	return Disputes(j.w, j.g, all)
}

func (j *job) dispute() error {
	if err := j.args(1, 1000); err != nil {
		return err
	}
	if strings.EqualFold(j.r.Args[0], "open") {
		return j.openDispute()
	}
	n, err := strconv.Atoi(j.r.Args[0])
	if err != nil || n < 1 {
		return j.r.Verb.refuse("%q is no number of a dispute", j.r.Args[0])
	}
	step := "show"
	if len(j.r.Args) > 1 {
		step = strings.ToLower(j.r.Args[1])
	}
	d := referee.Decision{Step: step, Text: j.r.value("why"), Tell: j.r.value("tell"), Force: j.r.flag("force")}
	switch step {
	case "show":
		c, err := referee.Dispute(j.g, n)
		if err != nil {
			return err
		}
		return Dispute(j.w, j.g, c)
	case vault.DisputeAnswer:
		if d.Text == "" {
			d.Text = strings.Join(j.r.Args[2:], " ")
		}
	case vault.DisputeUphold, vault.DisputeReject:
		if err := j.args(2, 2); err != nil {
			return err
		}
	default:
		return j.r.Verb.refuse("a dispute has no step %q", step)
	}
	if d.Text == "" {
		return j.r.Verb.refuse("the captain who protested is told the reason, and there is none")
	}
	if d.Turn, d.Revision, err = Revision(j.r.value("revision")); err != nil {
		return err
	}
	a := j.act()
	a.Why = ""
	if _, err := referee.Settle(j.g, a, n, d); err != nil {
		return err
	}
	return j.regarded(func() error {
		c, err := referee.Dispute(j.g, n)
		if err != nil {
			return err
		}
		Settled(j.w, j.g.ID(), c)
		return nil
	})
}

// openDispute notes a protest for a captain.
func (j *job) openDispute() error {
	if j.r.value("for") == "" || len(j.r.Args) < 2 || j.r.value("why") == "" {
		return j.r.Verb.refuse("open wants an event, --for CAPTAIN and --why WITH HIS REASON")
	}
	if err := j.args(2, 2); err != nil {
		return err
	}
	at, event, err := Event(j.r.Args[1])
	if err != nil {
		return err
	}
	a := j.act()
	a.Why = ""
	n, err := referee.OpenDispute(j.g, a, j.r.value("for"), at, event, j.r.value("why"))
	if err != nil {
		return err
	}
	return j.regarded(func() error {
		c, err := referee.Dispute(j.g, n)
		if err != nil {
			return err
		}
		return Dispute(j.w, j.g, c)
	})
}

// Revision reads "3.2", revision 2 of turn 3; "" is none.
func Revision(text string) (turn, revision int, err error) {
	if text == "" {
		return 0, 0, nil
	}
	at, rev, ok := strings.Cut(text, ".")
	turn, err = strconv.Atoi(at)
	revision, err2 := strconv.Atoi(rev)
	if !ok || err != nil || err2 != nil || turn < 1 || revision < 1 {
		return 0, 0, &Error{Problem: fmt.Sprintf("%q names no revision of a turn", text), Way: "such as 3.2 for revision 2 of turn 3"}
	}
	return turn, revision, nil
}
