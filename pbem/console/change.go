package console

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/engine/ruling"
	"starpost/orders"
	"starpost/pbem/clock"
	"starpost/pbem/referee"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// plan returns the plan of the options.
func (j *job) plan(n int, rulings []string) referee.Plan {
	p := referee.Plan{Turn: n, Rulings: rulings, Before: j.r.flag("before"), Force: j.r.flag("force"), End: j.r.flag("end")}
	p.Later = turn.Later{Rerun: j.r.value("later") == "rerun", Aside: j.r.value("later") == "aside", Keep: j.r.flag("keep-orders")}
	return p
}

func (j *job) amend() (any, error) {
	am := j.r.Texts[0]
	if am.Name = j.r.Args[0]; !strings.HasPrefix(am.Name, "@") {
		p, err := turn.Load(j.g)
		if err != nil {
			return nil, err
		}
		seat, err := p.FindSeat(am.Name)
		if err != nil {
			return nil, err
		}
		s, _ := p.State().Ship(seat.Ship)
		am.Name = engine.OrderSetName(s.Name, seat.Post)
	}
	set, err := referee.Amend(j.g, j.act(), am)
	if err != nil {
		return nil, err
	}
	j.Warnings = append(j.Warnings, Mistakes(am.File, set.Diagnostics)...)
	fmt.Fprintf(j.w, "%s: the orders of %s for turn %d are replaced\n", j.g.ID(), set.Name, set.Turn)
	return struct {
		Game        string              `json:"game"`
		Turn        int                 `json:"turn"`
		Name        string              `json:"name"`
		Captain     engine.CaptainName  `json:"captain"`
		Text        string              `json:"text"`
		Diagnostics []orders.Diagnostic `json:"diagnostics,omitempty"`
	}{j.g.ID(), set.Turn, set.Name, set.Captain, set.Text, set.Diagnostics}, nil
}

func (r *Request) asksFields() bool { return len(r.Args) > 0 && r.Args[0] == "fields" }

func readRuling(r *Request) error {
	if r.asksFields() {
		if len(r.Args) != 2 {
			return wrong("such as: ruling fields Hood", "fields wants one ship")
		}
		return nil
	}
	_, _, err := ruling.Read(strings.Join(r.Args, " "))
	if bad, ok := errors.AsType[*ruling.Error](err); ok {
		return wrong(bad.Hint(), "%s", bad.Problem)
	}
	return err
}

func (j *job) ruling() (any, error) {
	if j.r.asksFields() {
		return j.fields(j.r.Args[1])
	}
	return j.revise(j.plan(j.g.Turn(), []string{strings.Join(j.r.Args, " ")}), !j.r.flag("dry-run"), "without --dry-run it takes effect")
}

// fields lists what can be set on a ship.
func (j *job) fields(name string) (any, error) {
	p, err := turn.Load(j.g)
	if err != nil {
		return nil, err
	}
	s, _, ok := engine.FindShip(p.State().Ships, name) // including small craft
	if !ok {
		if s, err = p.FindShip(name); err != nil {
			return nil, err
		}
	}
	sys, ok := s.System.(ruling.Editable)
	if !ok {
		return nil, &referee.Error{Problem: fmt.Sprintf("ships of %s have no fields that can be set", j.g.Rules().Name), Way: "move, kill and revive still work"}
	}
	fmt.Fprintf(j.w, "%s: %s at %s %s\n", s.Name, s.Status, s.Hex.Label(), s.Heading)
	for _, f := range sys.Fields() {
		bounds := fmt.Sprintf("%d to %d", f.Low, f.High)
		switch {
		case f.Ship:
			bounds = "a ship on the map"
		case f.Choices != nil:
			bounds = strings.Join(f.Choices, ", ")
		}
		fmt.Fprintf(j.w, "  %s %s (%s)", f.Name, f.Now, bounds)
		if f.System != "" && f.System != f.Name {
			fmt.Fprint(j.w, "; repair and damage call it ", f.System)
		}
		fmt.Fprintln(j.w)
	}
	return sys.Fields(), nil
}

func (j *job) rerun() (any, error) {
	p := j.plan(j.r.Turn, j.r.values["with"])
	if j.r.flag("amend") {
		p.Orders = j.r.Texts
	}
	return j.revise(p, j.r.flag("commit"), "--commit makes it count")
}

// revise resolves a turn again by a plan, and makes it count if commit is set; how says how to make
// it count otherwise.
func (j *job) revise(p referee.Plan, commit bool, how string) (any, error) {
	if !commit {
		run, err := referee.PreviewRerun(j.g, j.act(), p)
		if err != nil {
			return nil, err
		}
		return j.corrected(run, how)
	}
	if done, err := j.revised(); done || err != nil {
		return nil, err
	}
	done, err := referee.Rerun(j.g, j.act(), p, turn.Options{Templates: j.Templates})
	if err != nil {
		return nil, err
	}
	return j.corrected(done.Rerun, "")
}

// revised reports, and describes, a change of the past that this same command has already made.
func (j *job) revised() (bool, error) {
	known, err := j.g.Journal.Noted(journal.Revise, j.by.Cause)
	if err != nil || !known {
		return false, err
	}
	entries, err := j.g.Journal.Entries()
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(entries, func(e journal.Entry) bool { return e.Kind == journal.Revise && e.Cause == j.by.Cause })
	d := journal.DataOf[journal.ReviseData](entries[i])
	fmt.Fprintf(j.w, "it now counts: revision %d of turn %d\n", d.Revision, d.Turn)
	for _, m := range d.Later {
		fmt.Fprintf(j.w, "and revision %d of turn %d\n", m.Revision, m.Turn)
	}
	return true, nil
}

// corrected describes the effect of a rerun on the turns. how says how to make it count; it is ""
// if it counts already.
func (j *job) corrected(run *turn.Rerun, how string) (any, error) {
	c, err := correct(j.g, run, how == "")
	if err != nil {
		return nil, err
	}
	if c.Warning != "" {
		j.warn("warning: " + c.Warning)
	}
	c.print(j.w, how)
	return c, nil
}

func (j *job) rollback() (any, error) {
	return j.time(referee.Rollback(j.g, j.act(), j.r.Turn, j.r.flag("keep-orders")))
}

func readExtend(r *Request) error {
	_, err := deadline(r.Args[0], time.Time{})
	return err
}

func (j *job) extend() (any, error) {
	to, err := deadline(j.r.Args[0], j.by.Now)
	if err != nil {
		return nil, err
	}
	return j.time(referee.Extend(j.g, j.act(), to, j.r.flag("shorten")))
}

// deadline parses a new deadline: how much later, or a local date and time.
func deadline(text string, now time.Time) (func(vault.Timing, clock.Schedule) (time.Time, error), error) {
	at := strings.Replace(text, "T", " ", 1)
	if more, err := clock.ParseSpan(text); err == nil {
		if more == 0 {
			return nil, wrong("such as 12h or 2d", "extend by %s adds no time", text)
		}
		return referee.DeadlineLater(more, now), nil
	}
	if _, err := (clock.Schedule{}).ParseLocal(at); err != nil {
		return nil, wrong(`such as 12h, 2d or "2026-12-01 20:00"`, "%q is neither a duration nor a time", text)
	}
	return referee.DeadlineAt(at), nil
}

// time describes the state of the clock after an act on it.
func (j *job) time(_ vault.Timing, err error) (data any, _ error) {
	if err != nil {
		return nil, err
	}
	return data, j.afterwards(func() error {
		t, err := j.g.Timing()
		if err != nil {
			return err
		}
		if !t.Stands() && j.g.Schedule().IsOff(t.Ends()) {
			j.warn("warning: the deadline is on a day off in the game's calendar")
		}
		fmt.Fprintf(j.w, "%s: %s\n", j.g.ID(), timingOf(t).Words(j.by.Now, j.g.Zone()))
		fmt.Fprintln(j.w, "the daemon tells the captains at its next pass")
		data = struct {
			Game string `json:"game"`
			Timing
		}{j.g.ID(), timingOf(t)}
		return nil
	})
}
