package daemon

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/auth"
	"starpost/pbem/clock"
	"starpost/pbem/outgoing"
	"starpost/pbem/report"
	"starpost/pbem/store"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
	"starpost/templates"
)

// isBroken tells a broken invariant, which time does not mend, from the rest.
func isBroken(err error) bool {
	return errors.Is(err, engine.ErrInvariant) || errors.Is(err, errPanic)
}

// remind tells every captain who owes orders, and notes the reminder.
func (d *teller) remind(ctx context.Context, g *game, st *turnStatus, which clock.Span) error {
	for _, c := range owing(g, st) {
		n, err := d.notice(g, st, templates.Reminder, c, st.status.Deadline)
		if err != nil {
			return err
		}
		n.Reason = otherwise(st, g.vault.Settings().Mail)
		if last := st.lastChance(c.captain.Name, g.vault.Settings().Mail.MissedRule()); last != "" {
			n.Text = append([]string{last}, n.Text...)
		}
		subject := fmt.Sprintf("[%s] %s: orders are missing for %s", g.vault.ID(), st.due(), strings.Join(c.ships, ", "))
		if err := d.notify(ctx, g, st, store.Reminder, "remind-"+st.reminder(which), c.captain, subject, n); err != nil {
			return err
		}
	}
	// Recorded when all are queued: after one record no captain is reminded again.
	for _, c := range owing(g, st) {
		if _, err := d.store.RecordReminder(ctx, g.key, st.ready.Due, c.captain.Name, st.reminder(which), d.clock.Now()); err != nil {
			return err
		}
	}
	// Also when no captain who owes orders has an address: it must not be looked
	// for again.
	if _, err := d.store.RecordReminder(ctx, g.key, st.ready.Due, "", st.reminder(which), d.clock.Now()); err != nil {
		return err
	}
	d.log.Info("reminder queued", "game", g.vault.ID(), "turn", st.ready.Due, "before", which, "missing", len(st.missing))
	return nil
}

// reminder names a reminder: that before a deadline which was moved is another
// one than that before the deadline which was announced.
func (st *turnStatus) reminder(which clock.Span) string {
	name := st.inRound(which.String())
	if !st.timing.Moved() {
		return name
	}
	return fmt.Sprintf("%s-%d", name, st.timing.Deadline.Unix())
}

// graceNotice tells every captain who owes orders that there is some time left.
// e is the journal's entry of it.
func (d *teller) graceNotice(ctx context.Context, g *game, st *turnStatus, e journal.Entry) error {
	until, what := st.timing.GraceEnds, "grace"
	if !d.clock.Now().Before(until) {
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
		n.Reason = "Orders are missing, so the turn waits once for the grace period. " + laterOn(st, g.vault.Settings().Mail)
		subject := fmt.Sprintf("[%s] %s: the deadline has passed, %s of grace", g.vault.ID(), st.due(), st.schedule.Grace)
		if err := d.notify(ctx, g, st, store.Reminder, what, c.captain, subject, n); err != nil {
			return err
		}
	}
	return nil
}

// otherwise tells what comes after a deadline at which orders are missing.
func otherwise(st *turnStatus, m vault.MailSettings) string {
	if st.schedule.Grace <= 0 {
		return strings.Replace(laterOn(st, m), "After it", "After the deadline", 1)
	}
	return fmt.Sprintf("If they are missing then, the turn waits once for %s of grace. %s", st.schedule.Grace, laterOn(st, m))
}

func afterwards(policy string) string {
	switch policy {
	case vault.PolicyForfeit:
		return "After it a ship without orders surrenders."
	case vault.PolicyRobot:
		return "After it a robot gives the orders."
	case vault.PolicyHold:
		return "After it the game waits, and the referee is told."
	}
	return "After it standing orders serve."
}

// halt tells, once, that a game waits for missing orders.
func (d *teller) halt(ctx context.Context, g *game, st *turnStatus) error {
	missing := strings.Join(names(st.missing), ", ")
	return d.once(ctx, g, st.ready.Due, eventHalt, st.inRound(""), missing, func() error {
		detail := []string{"Missing: " + missing, "To go on without them: " + goOnWithout(g, st)}
		if st.asks {
			for _, a := range st.absent {
				if relievable(a, g.vault.Settings().Mail.MissedRule()) {
					continue
				}
				detail = append(detail, fmt.Sprintf("No orders of captain %s have come for %s in a row, and the game asks you what is to become of it.", a.Captain, turnCount(a.Turns)))
			}
			detail = append(detail, absentCommands(g, st.absent))
		}
		d.log.Warn("game waits for missing orders", "game", g.vault.ID(), "turn", st.ready.Due, "missing", names(st.missing))
		d.emit(Event{Kind: Trouble, Game: g.vault.ID(), Turn: st.ready.Due, Detail: "orders are missing for " + missing})
		return d.mailTrouble(ctx, g, st.ready.Due, st.inRound("halt"), "Orders are missing and the game holds. It goes on when they come.", strings.Join(detail, "\n"))
	})
}

// droppedAhead tells a captain that orders which he sent ahead do not fit.
func (d *teller) droppedAhead(ctx context.Context, g *game, st *turnStatus, name string, diags []string) error {
	c, ok := g.vault.Settings().CaptainOf(name)
	if !ok || c.Address == "" {
		return nil
	}
	n, err := d.notice(g, st, templates.Plain, captainOwing{captain: c}, st.status.Deadline)
	if err != nil {
		return err
	}
	n.Text = append([]string{fmt.Sprintf("The orders for %s that you sent ahead for %s do not fit the ship any more, and were dropped. Please send new ones.", strings.TrimPrefix(name, "@"), st.stage())}, diags...)
	return d.notify(ctx, g, st, store.Notice, "ahead-"+strings.ToLower(strings.TrimPrefix(name, "@")), c, fmt.Sprintf("[%s] %s: orders sent ahead were dropped", g.vault.ID(), st.due()), n)
}

// captainOwing is a captain and the ships that he owes orders for.
type captainOwing struct {
	captain vault.Captain
	ships   []string
}

// owing lists the captains with an address who owe orders and are not away: who
// is away is not to be reminded of it.
func owing(g *game, st *turnStatus) []captainOwing {
	var out []captainOwing
	for _, c := range g.vault.Settings().Captains {
		if c.Address == "" {
			continue
		}
		one := captainOwing{captain: c}
		for _, s := range st.missing {
			if s.Captain.Is(c.Name) && st.back[s.Seat] == "" {
				one.ships = append(one.ships, s.Name)
			}
		}
		if len(one.ships) > 0 {
			out = append(out, one)
		}
	}
	return out
}

// notice fills in what all notices of a game say.
func (d *teller) notice(g *game, st *turnStatus, kind templates.NoticeKind, c captainOwing, deadline time.Time) (templates.Notice, error) {
	s := g.vault.Settings()
	n := templates.Notice{
		Kind: kind, Game: s.ID, Title: s.Title, Turn: st.ready.Due, Ship: strings.Join(c.ships, ", "), Captain: string(c.captain.Name),
		Robot: g.worker.box.Address, Deadline: report.FormatTime(deadline, st.schedule.Zone), Left: report.TimeLeft(d.clock.Now(), deadline),
	}
	if s.Mail.ShowMissing {
		plain, err := st.pos.Shown(c.captain.Name)
		if err != nil {
			return templates.Notice{}, err
		}
		n.Missing = st.names(plain.Only(st.missing))
	}
	n.Text = []string{"Answer this mail with an order set; your last report ends with one."}
	if !g.worker.box.Plus {
		n.Text[0] += " Leave the turn key on its #orders line."
	}
	return n, nil
}

// notify queues a notice to a captain, in the thread of his game. It is known
// by game, turn, what and captain.
func (d *teller) notify(ctx context.Context, g *game, st *turnStatus, kind store.Kind, what string, c vault.Captain, subject string, n templates.Notice) error {
	m, err := g.worker.desk.CaptainMail(g.vault, c, g.vault.Newest(), "", d.clock.Now(), n)
	if err != nil {
		return err
	}
	m.Subject, m.MessageID = subject, relatedMessageID(m.InReplyTo, what)
	m.ReplyTo = outgoing.Address{Name: m.From.Name, Addr: auth.WithKey(g.worker.box.Address, st.pos.Key(c.Name))}
	return d.queue(ctx, kind, g.key, nil, m)
}

// mailTrouble tells the referees of trouble.
func (d *teller) mailTrouble(ctx context.Context, g *game, due int, what, reason, detail string) error {
	n := templates.Notice{Kind: templates.Trouble, Turn: due, Reason: reason}
	for line := range strings.Lines(detail) {
		if line = strings.TrimSpace(line); line != "" && len(n.Text) < 40 {
			n.Text = append(n.Text, line)
		}
	}
	return d.mailReferees(ctx, g, fmt.Sprintf("%d.%s", due, what), fmt.Sprintf("Turn %d: trouble", due), n)
}
