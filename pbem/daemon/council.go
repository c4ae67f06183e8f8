package daemon

import (
	"context"
	"fmt"
	"strings"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/report"
	"starpost/pbem/store"
	"starpost/pbem/turn"
	"starpost/templates"
)

// council reminds, once a turn, the captains whose orders are due before those of the others
// aboard and have not come, as long before that as the last reminder of all comes. It gives
// when to ask again, zero for never.
func (d *teller) council(ctx context.Context, g *game, st *turnStatus) (next time.Time, sent bool, err error) {
	by := turn.CouncilDue(g.vault.Rules(), g.vault.Settings(), st.status.Deadline)
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
	missing := turn.InCouncil(g.vault.Rules(), st.missing)
	mark := st.reminder(clock.Span(0)) + "-council"
	if len(missing) == 0 {
		return time.Time{}, false, nil
	}
	if _, known, err := d.store.Event(ctx, g.key, st.ready.Due, eventCouncil, mark); err != nil || known {
		return time.Time{}, false, err
	}
	early := *st
	early.missing = missing
	for _, c := range owing(g, &early) {
		n, err := d.notice(g, st, templates.Reminder, c, by)
		if err != nil {
			return time.Time{}, false, err
		}
		n.Reason = fmt.Sprintf("Your orders are due before those of the others aboard, who are told of them: by %s. They are taken until the deadline, %s.",
			report.FormatTime(by, st.schedule.Zone), report.FormatTime(st.status.Deadline, st.schedule.Zone))
		subject := fmt.Sprintf("[%s] %s: orders are missing for %s", g.vault.ID(), st.due(), strings.Join(c.ships, ", "))
		if err := d.notify(ctx, g, st, store.Reminder, mark, c.captain, subject, n); err != nil {
			return time.Time{}, false, err
		}
	}
	_, err = d.recordEvent(ctx, g, st.ready.Due, eventCouncil, mark, strings.Join(names(missing), ", "))
	d.log.Info("council reminded", "game", g.vault.ID(), "turn", st.ready.Due, "missing", len(missing))
	return time.Time{}, err == nil, err
}
