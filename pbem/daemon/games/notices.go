package games

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/clock"
	"starpost/pbem/daemon/process"
	"starpost/pbem/report"
	"starpost/pbem/store"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// tellAmended tells captains whose orders for the due turn a referee has replaced, so that they do
// not learn it from the report.
func (d *teller) tellAmended(ctx context.Context, g *Game, st *turnStatus) error {
	entries, err := g.Vault.Journal.Entries()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Kind != journal.Amend || e.Turn != st.ready.Due {
			continue
		}
		err := d.once(ctx, g, e.Turn, eventTold, fmt.Sprint(e.Seq), e.Kind, func() error { return d.amendNotice(ctx, g, st, e) })
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *teller) amendNotice(ctx context.Context, g *Game, st *turnStatus, e journal.Entry) error {
	c, ok := g.Vault.Settings().Captain(e.Captain)
	if !ok || c.Address == "" {
		return nil
	}
	data := journal.DataOf[journal.AmendData](e)
	n, err := d.notice(g, st, templates.Plain, captainOwing{captain: c}, st.timing.Deadline)
	if err != nil {
		return err
	}
	whose := strings.TrimPrefix(data.Name, "@")
	what := "The referee has replaced the orders of " + whose
	if data.Before == "" {
		what = "The referee has given orders for " + whose
	}
	if e.Why != "" {
		what += ": " + strings.TrimRight(e.Why, ".")
	}
	n.Text = []string{what + ".", "Any orders you send from now on replace them. To see what is in force, send status as the first line of a mail."}
	subject := fmt.Sprintf("[%s] %s: orders for %s from the referee", g.Vault.ID(), st.due(), whose)
	return d.notify(ctx, g, st, store.Notice, entryWord(g, "amend", e.Seq), c, subject, n)
}

// council sends a reminder, once a turn, to captains whose orders are due before those of the
// others aboard and are missing. It sends it as long before that time as the last of the regular
// reminders comes before the deadline. It returns when to check again, or zero for never.
func (d *teller) council(ctx context.Context, g *Game, st *turnStatus) (next time.Time, sent bool, err error) {
	by := turn.CouncilDue(g.Vault.Rules(), g.Vault.Settings(), st.status.Deadline)
	if by.IsZero() || st.status.Paused || len(st.schedule.Remind) == 0 {
		return time.Time{}, false, nil
	}
	first := st.schedule.Remind[0]
	for _, r := range st.schedule.Remind {
		first = min(first, r)
	}
	switch at := by.Add(-first.Duration()); {
	case st.status.Now.Before(at):
		return at, false, nil
	case !st.status.Now.Before(by):
		return time.Time{}, false, nil
	}
	missing := turn.InCouncil(g.Vault.Rules(), st.missing)
	mark := st.reminder(clock.Span(0)) + "-council"
	if len(missing) == 0 {
		return time.Time{}, false, nil
	}
	if _, known, err := d.Store.Event(ctx, g.Key, st.ready.Due, eventCouncil, mark); err != nil || known {
		return time.Time{}, false, err
	}
	early := *st
	early.missing = missing
	for _, c := range owing(g, &early) {
		n, err := d.notice(g, st, templates.Reminder, c, by)
		if err != nil {
			return time.Time{}, false, err
		}
		n.Reason = fmt.Sprintf("Your orders are due by %s, ahead of the others aboard, who see them. They are accepted until the deadline, %s.",
			report.FormatTime(by, st.schedule.Zone), report.FormatTime(st.status.Deadline, st.schedule.Zone))
		subject := fmt.Sprintf("[%s] %s: orders are missing for %s", g.Vault.ID(), st.due(), strings.Join(c.ships, ", "))
		if err := d.notify(ctx, g, st, store.Reminder, mark, c.captain, subject, n); err != nil {
			return time.Time{}, false, err
		}
	}
	_, err = d.recordEvent(ctx, g, st.ready.Due, eventCouncil, mark, strings.Join(names(missing), ", "))
	d.Log.Info("council reminder queued", "game", g.Vault.ID(), "turn", st.ready.Due, "missing", len(missing))
	return time.Time{}, err == nil, err
}

// isBroken reports whether err is a broken invariant, which waiting does not fix.
func isBroken(err error) bool {
	return errors.Is(err, engine.ErrInvariant) || errors.Is(err, process.ErrPanic)
}

// remind reminds every captain who owes orders, and records the reminder.
func (d *teller) remind(ctx context.Context, g *Game, st *turnStatus, which clock.Span) error {
	for _, c := range owing(g, st) {
		n, err := d.notice(g, st, templates.Reminder, c, st.status.Deadline)
		if err != nil {
			return err
		}
		n.Reason = otherwise(st, g.Vault.Settings().Mail)
		if last := st.lastChance(c.captain.Name, g.Vault.Settings().Mail.MissedRule()); last != "" {
			n.Text = append([]string{last}, n.Text...)
		}
		subject := fmt.Sprintf("[%s] %s: orders are missing for %s", g.Vault.ID(), st.due(), strings.Join(c.ships, ", "))
		if err := d.notify(ctx, g, st, store.Reminder, "remind-"+st.reminder(which), c.captain, subject, n); err != nil {
			return err
		}
	}
	// Recorded only after all are queued: once recorded, no captain is reminded again.
	for _, c := range owing(g, st) {
		if _, err := d.Store.RecordReminder(ctx, g.Key, st.ready.Due, c.captain.Name, st.reminder(which), d.Clock.Now()); err != nil {
			return err
		}
	}
	// Recorded even if no captain who owes orders has an address, so that it is not due again.
	if _, err := d.Store.RecordReminder(ctx, g.Key, st.ready.Due, "", st.reminder(which), d.Clock.Now()); err != nil {
		return err
	}
	d.Log.Info("reminder queued", "game", g.Vault.ID(), "turn", st.ready.Due, "before", which, "missing", len(st.missing))
	return nil
}

// graceNotice tells every captain who owes orders about the grace period. e is its entry in the
// journal.
func (d *teller) graceNotice(ctx context.Context, g *Game, st *turnStatus, e journal.Entry) error {
	until, what := st.timing.GraceEnds, "grace"
	if !d.Clock.Now().Before(until) {
		return nil // the grace period is over
	}
	if st.graces > 1 {
		what = entryWord(g, "grace", e.Seq)
	}
	for _, c := range owing(g, st) {
		n, err := d.notice(g, st, templates.Deadline, c, until)
		if err != nil {
			return err
		}
		n.Was = report.FormatTime(st.status.Deadline, st.schedule.Zone)
		n.Reason = "Orders are missing, so the turn waits once for the grace period. " + laterOn(st, g.Vault.Settings().Mail)
		subject := fmt.Sprintf("[%s] %s: the deadline has passed, %s of grace", g.Vault.ID(), st.due(), st.schedule.Grace)
		if err := d.notify(ctx, g, st, store.Reminder, what, c.captain, subject, n); err != nil {
			return err
		}
	}
	return nil
}

// otherwise says what happens after a deadline with orders missing.
func otherwise(st *turnStatus, m vault.MailSettings) string {
	if st.schedule.Grace <= 0 {
		return strings.Replace(laterOn(st, m), "After it", "After the deadline", 1)
	}
	return fmt.Sprintf("If they are still missing then, the turn waits once for %s of grace. %s", st.schedule.Grace, laterOn(st, m))
}

// halt tells the referee, once, that a game waits for missing orders.
func (d *teller) halt(ctx context.Context, g *Game, st *turnStatus) error {
	missing := strings.Join(names(st.missing), ", ")
	return d.once(ctx, g, st.ready.Due, eventHalt, st.inRound(""), missing, func() error {
		detail := []string{"Missing: " + missing, "To go on without them: " + goOnWithout(g, st)}
		if st.asks {
			for _, a := range st.absent {
				if relievable(a, g.Vault.Settings().Mail.MissedRule()) {
					continue
				}
				detail = append(detail, fmt.Sprintf("Captain %s has sent no orders for %s in a row. Please decide what to do.", a.Captain, turnCount(a.Turns)))
			}
			detail = append(detail, absentCommands(g, st.absent))
		}
		d.Log.Warn("game waits for missing orders", "game", g.Vault.ID(), "turn", st.ready.Due, "missing", names(st.missing))
		d.Emit(process.Event{Kind: process.Trouble, Game: g.Vault.ID(), Turn: st.ready.Due, Detail: "orders are missing for " + missing})
		return d.mailTrouble(ctx, g, st.ready.Due, st.inRound("halt"), "Orders are missing, so the game is on hold until they arrive.", strings.Join(detail, "\n"))
	})
}

// droppedAhead tells a captain that orders sent ahead no longer fit and were dropped.
func (d *teller) droppedAhead(ctx context.Context, g *Game, st *turnStatus, name string, diags []string) error {
	c, ok := g.Vault.Settings().CaptainOf(name)
	if !ok || c.Address == "" {
		return nil
	}
	n, err := d.notice(g, st, templates.Plain, captainOwing{captain: c}, st.status.Deadline)
	if err != nil {
		return err
	}
	n.Text = append([]string{fmt.Sprintf("The orders for %s that you sent ahead for %s no longer fit the ship and were dropped. Please send new ones.", strings.TrimPrefix(name, "@"), st.stage())}, diags...)
	return d.notify(ctx, g, st, store.Notice, "ahead-"+strings.ToLower(strings.TrimPrefix(name, "@")), c, fmt.Sprintf("[%s] %s: orders sent ahead were dropped", g.Vault.ID(), st.due()), n)
}
