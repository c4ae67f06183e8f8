package games

import (
	"context"
	"fmt"
	"strings"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/daemon/process"
	"starpost/pbem/referee"
	"starpost/pbem/report"
	"starpost/pbem/store"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// openGrace records in the journal that the grace period of the turn has started.
func (d *stepper) openGrace(g *Game, st *turnStatus, until time.Time) error {
	if err := d.Before("grace"); err != nil {
		return err
	}
	e := journal.NewEntry(journal.Grace, referee.ByDaemon, d.Clock.Now(), journal.GraceData{Ends: until.UTC()})
	e.Turn, e.Why = st.ready.Due, "orders are missing at the deadline"
	if _, err := g.Vault.Append(e); err != nil {
		return fmt.Errorf("open the grace period of %s: %w", g.Vault.ID(), err)
	}
	d.Log.Info("grace period opened", "game", g.Vault.ID(), "turn", st.ready.Due, "until", until)
	return nil
}

// graceAgain reports whether the grace period ended while the robot did not read mail for a while.
// Then the rest of the period is granted once more: captains who wrote in it got no answer, and may
// have had errors to correct.
func (g *Game) graceAgain(st *turnStatus, dec clock.Decision) (until time.Time, ok bool) {
	ends, silent := st.timing.GraceEnds, g.Worker.SilentSince
	if dec.Missing == "" || silent.IsZero() || !ends.After(silent) || st.graces > 1 {
		return time.Time{}, false
	}
	return st.status.Now.Add(ends.Sub(silent)), true
}

// resume ends a pause whose time is up.
func (d *stepper) resume(g *Game) error {
	if err := d.Before("resume"); err != nil {
		return err
	}
	t, err := referee.Resume(g.Vault, referee.Act{By: referee.ByDaemon, Why: "the pause is over", Now: d.Clock.Now()})
	if err != nil {
		return err
	}
	d.Log.Info("game goes on", "game", g.Vault.ID(), "turn", t.Turn, "deadline", t.Deadline)
	return nil
}

// untoldTiming returns the journal entries about the timing of the due turn that captains have not
// been told about.
func (d *teller) untoldTiming(ctx context.Context, g *Game, st *turnStatus) ([]journal.Entry, error) {
	entries, err := g.Vault.Journal.Entries()
	if err != nil {
		return nil, err
	}
	var out []journal.Entry
	for _, e := range entries {
		switch e.Kind {
		case journal.Pause, journal.Resume, journal.Deadline, journal.Begin, journal.Grace, journal.Rollback, journal.Rules, journal.Close:
		case journal.Revise:
			d := journal.DataOf[journal.ReviseData](e)
			if d.Aside == 0 && d.Begun == 0 {
				continue // the captains that it concerns get a corrected report
			}
		default:
			continue
		}
		if e.Turn != st.ready.Due || max(e.Round, 1) != max(st.ready.Round, 1) {
			continue
		}
		if e.Kind == journal.Grace {
			st.graces++
		}
		_, told, err := d.Store.Event(ctx, g.Key, e.Turn, eventTold, fmt.Sprint(e.Seq))
		if err != nil {
			return nil, err
		}
		if !told {
			out = append(out, e)
		}
	}
	return out, nil
}

// tellTiming tells the captains about new journal entries on the timing of the turn, all in one
// mail. The daemon may have written the entries, or a command line.
func (d *teller) tellTiming(ctx context.Context, g *Game, st *turnStatus) error {
	entries, err := d.untoldTiming(ctx, g, st)
	if err != nil || len(entries) == 0 {
		return err
	}
	last := entries[len(entries)-1]
	switch {
	case last.Kind == journal.Grace:
		err = d.graceNotice(ctx, g, st, last)
	case len(entries) == 1 && asAnnounced(last):
	default:
		err = d.timeNotice(ctx, g, st, entries)
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if _, err := d.recordEvent(ctx, g, st.ready.Due, eventTold, fmt.Sprint(e.Seq), e.Kind); err != nil {
			return err
		}
	}
	return nil
}

// asAnnounced reports whether e ends a pause at the time announced at its start.
func asAnnounced(e journal.Entry) bool {
	return e.Kind == journal.Resume && e.By == referee.ByDaemon && len(e.Data) > 0 && journal.DataOf[journal.ResumeData](e).Deadline.IsZero()
}

// timeNotice tells every captain about a pause, its end, or another deadline.
func (d *teller) timeNotice(ctx context.Context, g *Game, st *turnStatus, entries []journal.Entry) error {
	last := entries[len(entries)-1]
	subject := fmt.Sprintf("[%s] %s: %s", g.Vault.ID(), st.due(), timeSubject(last, st.timing))
	for _, c := range g.Vault.Settings().Captains {
		if c.Address == "" {
			continue
		}
		n, err := d.notice(g, st, templates.Plain, captainOwing{captain: c}, st.timing.Deadline)
		if err != nil {
			return err
		}
		n.Text = timeText(entries, st)
		if mine := report.OwnTime(st.timing.Ends(), c.Zone); mine != "" && !st.timing.Stands() {
			n.Text = append(n.Text, "For you that is "+mine+".")
		}
		if err := d.notify(ctx, g, st, store.Notice, entryWord(g, "time", last.Seq), c, subject, n); err != nil {
			return err
		}
	}
	d.Log.Info("captains notified of timing change", "game", g.Vault.ID(), "turn", st.ready.Due, "kind", last.Kind, "deadline", st.timing.Deadline, "paused", st.timing.Paused != nil)
	return nil
}

func timeSubject(last journal.Entry, t vault.Timing) string {
	switch {
	case t.Paused != nil:
		return "the game is paused"
	case last.Kind == journal.Resume:
		return "the game goes on"
	}
	switch last.Kind {
	case journal.Close:
		return "the orders are closed"
	case journal.Begin:
		return "the game begins"
	case journal.Rules:
		return "the rules have another version"
	case journal.Rollback, journal.Revise:
		return "it is due again"
	}
	return "another deadline"
}

// turnsWords names one or several turns.
func turnsWords(first, last int) string {
	if first == last {
		return fmt.Sprintf("turn %d", first)
	}
	return fmt.Sprintf("turns %d to %d", first, last)
}

// timeText describes what happened, and the timing after it.
func timeText(entries []journal.Entry, st *turnStatus) []string {
	var out []string
	for i, e := range entries {
		now := i == len(entries)-1 && st.timing.Paused != nil && e.Kind == journal.Pause
		if s := happened(e); s != "" && !now { // otherwise the pause is described below
			out = append(out, s)
		}
	}
	out = append(out, turn.DueSentences(st.timing, st.status.Now, st.schedule.Zone)...)
	if !st.timing.Stands() && st.timing.Closed == nil {
		out = append(out, "Orders are accepted as usual.")
	}
	return out
}

// happened describes what an entry did, and why; "" if it needs no description.
func happened(e journal.Entry) string {
	who := vault.Who(e.By)
	who = strings.ToUpper(who[:1]) + who[1:]
	if e.By == referee.ByDaemon {
		who = "The robot"
	}
	s := ""
	switch e.Kind {
	case journal.Pause:
		s = who + " has paused the game"
	case journal.Close:
		return "" // described below
	case journal.Resume:
		s = who + " has resumed the game"
	case journal.Deadline:
		s = who + " has set another deadline"
	case journal.Begin:
		s = "The game begins"
	case journal.Rollback:
		d := journal.DataOf[journal.RollbackData](e)
		s = fmt.Sprintf("%s has undone %s. Orders for turn %d are due again", who, turnsWords(d.Turn+1, d.Last), d.Turn+1)
		if d.Keep {
			s += ", and those you sent for it are in force"
		}
	case journal.Rules:
		d := journal.DataOf[journal.RulesData](e)
		s = fmt.Sprintf("%s has switched the game to version %s of its rules from turn %d on; until now it used version %s", who, d.Version, e.Turn, d.From)
		if d.Begun > 0 {
			s += fmt.Sprintf(". What was played of turn %d is undone; orders for it are due again", e.Turn)
		}
	case journal.Revise:
		d := journal.DataOf[journal.ReviseData](e)
		// Only captains whose reports changed may know what was changed, and why; their reports say
		// so.
		last := d.Turn + len(d.Later)
		if d.Aside == 0 {
			return fmt.Sprintf("%s has undone what was played of turn %d. Orders for it are due again.", who, last+1)
		}
		return fmt.Sprintf("%s has undone %s. Orders for turn %d are due again.", who, turnsWords(last+1, d.Aside), last+1)
	default:
		return ""
	}
	if e.Why != "" {
		s += ": " + e.Why
	}
	return strings.TrimRight(s, ".") + "."
}

// tellRulesChange tells referees and captains, once, that a game waits until its referee accepts
// the program's version of the rules.
func (d *teller) tellRulesChange(ctx context.Context, g *Game, st *turnStatus) error {
	w := st.timing.Waits
	what := "rules-" + w.Is
	reason := fmt.Sprintf("The game uses version %s of rule set %s, and this program has version %s. No turn is played, and the clock is stopped.", w.Was, w.Rules, w.Is)
	way := fmt.Sprintf("To switch to version %s from turn %d on: #rules %s --why REASON\nThe captains are then notified. Or use a starpost that has version %s.", w.Is, w.Due, w.Is, w.Was)
	return d.once(ctx, g, w.Due, eventRules, w.Is, w.Was, func() error {
		if err := d.mailTrouble(ctx, g, w.Due, what, reason, way); err != nil {
			return err
		}
		for _, c := range g.Vault.Settings().Captains {
			if c.Address == "" {
				continue
			}
			if err := d.TellCaptain(ctx, g, g.Vault.Turn(), what, c, st.due()+": the game waits for its referee", turn.WaitsWords(w)); err != nil {
				return err
			}
		}
		d.Log.Warn("game waits for its referee to accept another rules version", "game", g.Vault.ID(), "turn", w.Due, "reason", reason)
		d.Emit(process.Event{Kind: process.Trouble, Game: g.Vault.ID(), Turn: w.Due, Detail: reason})
		return nil
	})
}
