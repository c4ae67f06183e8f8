package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// Recovery tells how a ledger was rebuilt.
type Recovery struct {
	New      bool   // there was no database, or none that could be used
	Aside    string // where the damaged one is; "" if there was none
	Why      error  // what was wrong with that
	Mails    int    // handled mails that are known again
	Messages int    // mails that wait again
	Settled  int    // mails that were sent or given up, known again
	Torn     int    // lines of the journal that could not be read
}

// Recovered tells whether the ledger was lost and rebuilt when it was opened.
func (l *Ledger) Recovered() (Recovery, bool) {
	r := l.recovery
	return r, r.Aside != "" || r.New && r.Mails+r.Messages+r.Settled+r.Torn > 0
}

// rebuilt is the mailbox of mails that are known from the journal only.
const rebuilt = "(rebuilt)"

// rebuild fills a new database from what lies beside it.
func (l *Ledger) rebuild(ctx context.Context, tx *transaction) error {
	l.recovery.New = true
	return l.replay(ctx, tx, &l.recovery)
}

// Replay puts into the ledger whatever its journal and the mails beside it know
// and it does not. With a whole ledger it does nothing.
func (l *Ledger) Replay(ctx context.Context) (Recovery, error) {
	var r Recovery
	err := l.within(ctx, func(tx *transaction) error {
		r = Recovery{}
		return l.replay(ctx, tx, &r)
	})
	if err == nil {
		err = l.recount(ctx) // what the journal calls settled waits no more
	}
	if err != nil {
		return Recovery{}, fmt.Errorf("replay the ledger's journal: %w", err)
	}
	return r, nil
}

func (l *Ledger) replay(ctx context.Context, tx *transaction, r *Recovery) error {
	var last int64
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(uid), 0) FROM mails WHERE mailbox = ?", rebuilt).Scan(&last); err != nil {
		return err
	}
	torn, err := l.journal.read(func(one trace) error {
		switch {
		case one.Mail != nil:
			isNew, err := inserted(tx.ExecContext(ctx, `INSERT INTO mails (`+mailColumns+`)
				SELECT ?1, 0, ?2, ?3, ?4, ?5, 4, ?6, 0 WHERE NOT EXISTS (SELECT 1 FROM mails WHERE sha256 = ?3 AND state >= 2)`,
				rebuilt, last+1, one.Mail.SHA256, one.Mail.MessageID, stamp(one.Mail.Received), one.Mail.Outcome))
			if isNew {
				last++
				r.Mails++
			}
			return err
		case one.Settled != nil:
			isNew, err := replaySettled(ctx, tx, *one.Settled)
			if isNew {
				r.Settled++
			}
			return err
		}
		return replayNote(ctx, tx, one)
	})
	if err != nil {
		return err
	}
	r.Torn = torn
	r.Messages, _, err = l.requeue(ctx, tx)
	return err
}

// requeue puts mails that lie beside the database and that it does not know of
// into the outbox: added counts them. It tells the files that an earlier version
// kept them in.
func (l *Ledger) requeue(ctx context.Context, tx *transaction) (added int, old []string, err error) {
	found, err := l.segments.messages()
	if err != nil {
		return 0, nil, err
	}
	copies, old, err := sentCopies{l.segments.dir}.messages()
	if err != nil {
		return 0, nil, err
	}
	found = append(found, copies...)
	slices.SortFunc(found, func(a, b OutboxMessage) int {
		return cmp.Or(a.QueuedAt.Compare(b.QueuedAt), strings.Compare(a.MessageID, b.MessageID))
	})
	for _, m := range found {
		isNew, err := queue(ctx, tx, m)
		if err != nil {
			return 0, nil, err
		}
		if isNew {
			added++
		}
	}
	return added, old, nil
}

// replaySettled notes what became of a mail.
func replaySettled(ctx context.Context, tx *transaction, m outboxTrace) (bool, error) {
	if m.State != Sent && m.State != Failed {
		return false, nil
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM owed WHERE message_id = ?", m.MessageID); err != nil {
		return false, err
	}
	return inserted(tx.ExecContext(ctx, `INSERT INTO outbox
		(game, kind, message_id, sender, recipient, path, bytes, queued_at, attempts, next_try, state, settled_at, last_error)
		VALUES (?1, ?2, ?3, ?4, ?5, '', NULL, ?6, 1, 0, ?7, ?6, ?8)
		ON CONFLICT (message_id) DO UPDATE SET state = ?7, settled_at = ?6, last_error = ?8, attempts = attempts + 1, bytes = NULL
		WHERE state IN ('queued', 'ambiguous')`,
		m.Game, string(m.Kind), m.MessageID, m.From, m.To, stamp(m.At), string(m.State), m.Why))
}

// replayNote puts a line of the journal that is a row as it stands.
func replayNote(ctx context.Context, tx *transaction, one trace) error {
	put := func(query string, args ...any) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	}
	switch {
	case one.Turn != nil:
		return put(setQueued, one.Turn.Game, one.Turn.Turn)
	case one.Reminder != nil:
		r := one.Reminder
		return put(putReminder, r.Game, r.Turn, r.Captain, r.Which, stamp(r.At))
	case one.Answer != nil:
		a := one.Answer
		return put(putAnswer, a.Sender, a.Kind, a.Cause, stamp(a.At))
	case one.Event != nil:
		e := one.Event
		return put(putEvent, e.Game, e.Turn, e.Name, e.Subject, stamp(e.At), e.Detail)
	case one.Bounce != nil:
		return put(putBounce, one.Bounce.row()...)
	case one.Start != nil:
		return put(putStart, one.Start.row()...)
	}
	for _, id := range one.Queued {
		if err := put("INSERT INTO owed (message_id) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE message_id = ?1) ON CONFLICT DO NOTHING", id); err != nil {
			return err
		}
	}
	return nil
}

// gather makes the database and the mails beside it agree. Mails that it does
// not know of are queued, those whose bytes are in the database, or in a file of
// their own, as earlier versions had it, are put into a segment, and what no one
// needs is removed.
func (l *Ledger) gather(ctx context.Context) error {
	var old []string
	err := l.Group(ctx, func(ctx context.Context) error {
		err := l.within(ctx, func(tx *transaction) (err error) {
			if _, old, err = l.requeue(ctx, tx); err != nil {
				return err
			}
			if err := l.segments.resume(ctx, tx); err != nil {
				return err
			}
			return l.moveOut(ctx, tx)
		})
		if err != nil {
			return err
		}
		return l.recount(ctx)
	})
	if err != nil {
		return err
	}
	return sentCopies{l.segments.dir}.drop(old)
}

// moveOut puts the mails that wait and whose bytes are in the database into the
// segment of the group.
func (l *Ledger) moveOut(ctx context.Context, tx *transaction) error {
	waiting, err := l.outboxWithBytes(ctx, "list waiting mails", "state IN ('queued', 'ambiguous') AND path = '' AND bytes IS NOT NULL")
	if err != nil {
		return err
	}
	for _, m := range waiting {
		at, err := l.db.together(ctx).keep(m)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE outbox SET segment = ?, place = ?, length = ?, bytes = NULL WHERE id = ?",
			at.segment, at.offset, at.length, m.ID); err != nil {
			return err
		}
	}
	return nil
}

// retrace rewrites the journal from the database: the newest of each kind.
func (l *Ledger) retrace(ctx context.Context) error {
	var all []trace
	newest := func(columns, from, order string) string {
		return "SELECT " + columns + " FROM " + from + " ORDER BY " + order + " DESC LIMIT ?"
	}
	for _, kind := range []struct {
		query string
		scan  func(scanner) (trace, error)
	}{
		{newest("sha256, message_id, received_at, outcome", "mails WHERE state >= 2", "received_at"), func(row scanner) (trace, error) {
			var m mailTrace
			return trace{Mail: &m}, row.Scan(&m.SHA256, &m.MessageID, (*micros)(&m.Received), &m.Outcome)
		}},
		{newest("message_id, state, settled_at, game, kind, sender, recipient, last_error", "outbox WHERE state IN ('sent', 'failed')", "settled_at"), func(row scanner) (trace, error) {
			var m outboxTrace
			return trace{Settled: &m}, row.Scan(&m.MessageID, &m.State, (*micros)(&m.At), &m.Game, &m.Kind, &m.From, &m.To, &m.Why)
		}},
		{newest("message_id", "(SELECT message_id, id FROM outbox WHERE path <> '' AND state IN ('queued', 'ambiguous') UNION ALL SELECT message_id, 0 FROM owed)", "id"), func(row scanner) (trace, error) {
			one := trace{Queued: make([]string, 1)}
			return one, row.Scan(&one.Queued[0])
		}},
		{newest("game, queued", "games", "game"), func(row scanner) (trace, error) {
			var t turnTrace
			return trace{Turn: &t}, row.Scan(&t.Game, &t.Turn)
		}},
		{newest("game, turn, captain, which, sent_at", "reminders", "sent_at"), func(row scanner) (trace, error) {
			var r reminderTrace
			return trace{Reminder: &r}, row.Scan(&r.Game, &r.Turn, &r.Captain, &r.Which, (*micros)(&r.At))
		}},
		{newest("sender, kind, cause, at", "answers", "at"), func(row scanner) (trace, error) {
			var a answerTrace
			return trace{Answer: &a}, row.Scan(&a.Sender, &a.Kind, &a.Cause, (*micros)(&a.At))
		}},
		{newest("game, turn, name, subject, at, detail", "events", "at"), func(row scanner) (trace, error) {
			var e Event
			return trace{Event: &e}, row.Scan(&e.Game, &e.Turn, &e.Name, &e.Subject, (*micros)(&e.At), &e.Detail)
		}},
		{newest(startColumns, "starts", "mailbox"), func(row scanner) (trace, error) {
			t, err := scanStart(row)
			return trace{Start: &t}, err
		}},
		{newest(bounceColumns, "bounces", "at"), func(row scanner) (trace, error) {
			b, err := scanBounce(row)
			return trace{Bounce: &b}, err
		}},
	} {
		some, err := collect(ctx, l.db, "rewrite the ledger's journal", kind.scan, kind.query, keepLines)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	if l.journal.size == 0 {
		return l.journal.note(all...)
	}
	return l.journal.replace(all)
}
