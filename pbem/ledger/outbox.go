package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kind is what an outgoing mail is for.
type Kind string

// The kinds.
const (
	Ack      Kind = "ack"      // the answer to a mail
	Report   Kind = "report"   // what happened in a turn
	Reminder Kind = "reminder" // orders are missing
	Notice   Kind = "notice"   // anything else, to captains or the referee
)

// Delivery is what became of an outgoing mail.
type Delivery string

// The deliveries. Queued and Ambiguous mails are tried again; the other two
// are final.
const (
	Queued    Delivery = "queued"
	Ambiguous Delivery = "ambiguous" // the server may have taken it; sent again under the same Message-ID
	Sent      Delivery = "sent"
	Failed    Delivery = "failed" // refused for good
)

// OutboxMessage is one outgoing mail to one recipient.
type OutboxMessage struct {
	ID        int64  // set by the ledger
	Game      string // "" for mails that belong to none
	Kind      Kind
	MessageID string // unique: the mail's identity
	From      string // envelope sender
	To        string // envelope recipient
	Path      string // where the bytes can be had again; or "" and Bytes is set
	Bytes     []byte // as it goes out each time, until it is settled; nil: they are at Path
	QueuedAt  time.Time
	Attempts  int       // tries that ended, whatever way
	NextTry   time.Time // not before this; zero is at once
	State     Delivery
	SettledAt time.Time // when it was sent or given up; zero before
	LastError string
	Missing   error // why Bytes is not set by Due, though Path is not either

	at place // of the bytes, if they lie in a segment
}

// ErrIncomplete is returned for a mail that could never be sent.
var ErrIncomplete = errors.New("a mail needs a Message-ID, a recipient, and bytes or a path to them")

// outboxColumns are those of a mail without its bytes.
const outboxColumns = "id, game, kind, message_id, sender, recipient, path, queued_at, attempts, next_try, state, settled_at, last_error, segment, place, length"

func scanOutboxMessage(row scanner) (m OutboxMessage, err error) {
	err = row.Scan(m.columns()...)
	return m, err
}

// columns is where outboxColumns go.
func (m *OutboxMessage) columns() []any {
	return []any{
		&m.ID, &m.Game, &m.Kind, &m.MessageID, &m.From, &m.To, &m.Path, (*micros)(&m.QueuedAt), &m.Attempts, (*micros)(&m.NextTry),
		&m.State, (*micros)(&m.SettledAt), &m.LastError, &m.at.segment, &m.at.offset, &m.at.length,
	}
}

// Queue puts mails into the outbox, all or none. A mail whose Message-ID
// is there already changes nothing, whatever became of it; added counts the
// others. ID, Attempts, State, SettledAt and LastError are ignored.
func (l *Ledger) Queue(ctx context.Context, messages ...OutboxMessage) (added int, err error) {
	for _, m := range messages {
		if m.MessageID == "" || m.To == "" || m.Path == "" && len(m.Bytes) == 0 {
			return 0, fmt.Errorf("queue mail %q: %w", m.MessageID, ErrIncomplete)
		}
	}
	if added, err = l.queueWith(ctx, messages, func(context.Context, *transaction) error { return nil }); err != nil {
		return 0, fmt.Errorf("queue: %w", err)
	}
	return added, nil
}

// queueWith queues mails, keeps the bytes or leaves traces of the new ones, and
// does something more in the same transaction.
func (l *Ledger) queueWith(ctx context.Context, messages []OutboxMessage, more func(context.Context, *transaction) error) (added int, err error) {
	g := l.db.together(ctx)
	if g == nil {
		err = l.Group(ctx, func(ctx context.Context) (err error) {
			added, err = l.queueWith(ctx, messages, more)
			return err
		})
		if err != nil {
			return 0, err
		}
		return added, nil
	}
	err = g.run(func(tx *transaction) error {
		var filed []string
		for _, m := range messages {
			isNew, err := g.queue(ctx, tx, m)
			if err != nil {
				return fmt.Errorf("mail %q: %w", m.MessageID, err)
			}
			if isNew {
				added++
			}
			if isNew && len(m.Bytes) == 0 {
				filed = append(filed, m.MessageID)
			}
		}
		if len(filed) > 0 {
			if err := l.note(ctx, trace{Queued: filed}); err != nil {
				return err
			}
		}
		return more(ctx, tx)
	})
	return added, err
}

// queue puts a mail into the outbox and, if it is new, its bytes into the
// group's segment.
func (g *group) queue(ctx context.Context, tx *transaction, m OutboxMessage) (isNew bool, err error) {
	if len(m.Bytes) == 0 {
		return queue(ctx, tx, m)
	}
	if m.at, err = g.keep(m); err != nil {
		return false, err
	}
	if isNew, err = queue(ctx, tx, m); err != nil || !isNew {
		g.unkeep(m.at)
	}
	return isNew, err
}

// queue puts a mail into the outbox: one that lies in a file or a segment, or
// its bytes.
func queue(ctx context.Context, tx *transaction, m OutboxMessage) (bool, error) {
	var bytes any
	if len(m.Bytes) > 0 && m.at.segment == 0 {
		bytes = m.Bytes
	}
	return inserted(tx.ExecContext(ctx, `INSERT INTO outbox
		(game, kind, message_id, sender, recipient, path, bytes, queued_at, attempts, next_try, state, settled_at, last_error, segment, place, length)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, 'queued', 0, '', ?, ?, ?)
		ON CONFLICT (message_id) DO NOTHING`,
		m.Game, string(m.Kind), m.MessageID, m.From, m.To, m.Path, bytes, stamp(m.QueuedAt), stamp(m.NextTry), m.at.segment, m.at.offset, m.at.length))
}

// Due gives at most limit mails to send at now, the longest due first: all,
// or those of the envelope senders that are named. They come with their bytes,
// unless these lie in a file, or are missing.
func (l *Ledger) Due(ctx context.Context, now time.Time, limit int, from ...string) ([]OutboxMessage, error) {
	where, args := waitingFrom(from)
	return l.outboxWithBytes(ctx, "list mails due", where+" AND next_try <= ? ORDER BY next_try, id LIMIT ?", append(args, stamp(now), limit)...)
}

// waitingFrom is the condition for mails that wait, of certain senders or all.
func waitingFrom(senders []string) (where string, args []any) {
	where = "state IN ('queued', 'ambiguous')"
	if len(senders) > 0 {
		where += " AND sender IN (?" + strings.Repeat(", ?", len(senders)-1) + ")"
	}
	for _, s := range senders {
		args = append(args, s)
	}
	return where, args
}

// Readdress gives mails that wait, and whose envelope sender is none of the
// known ones, the first of these: the robot has another address now.
func (l *Ledger) Readdress(ctx context.Context, known ...string) error {
	_, args := waitingFrom(known)
	return l.exec(ctx, "readdress waiting mails", "UPDATE outbox SET sender = ? WHERE state IN ('queued', 'ambiguous') AND sender NOT IN (?"+
		strings.Repeat(", ?", len(known)-1)+")", append(args[:1:1], args...)...)
}

// NextDue is the earliest moment at which a mail must be sent, of certain
// senders or all, and false if none waits. It may lie in the past.
func (l *Ledger) NextDue(ctx context.Context, from ...string) (time.Time, bool, error) {
	var at sql.NullInt64
	where, args := waitingFrom(from)
	err := l.db.QueryRowContext(ctx, "SELECT min(next_try) FROM outbox WHERE "+where, args...).Scan(&at)
	if err != nil {
		return time.Time{}, false, fmt.Errorf("look up next mail due: %w", err)
	}
	return unstamp(at.Int64), at.Valid, nil
}

// Outbox gives every mail of a game, oldest first, without their bytes.
func (l *Ledger) Outbox(ctx context.Context, game string) ([]OutboxMessage, error) {
	return l.outboxWhere(ctx, "list outbox", "game = ? ORDER BY id", game)
}

// Message gives the mail with that Message-ID, if there is one, without its
// bytes.
func (l *Ledger) Message(ctx context.Context, messageID string) (OutboxMessage, bool, error) {
	list, err := l.outboxWhere(ctx, "look up mail", "message_id = ?", messageID)
	if err != nil || len(list) == 0 {
		return OutboxMessage{}, false, err
	}
	return list[0], true, nil
}

// InOutbox tells whether there is a mail with that Message-ID, whatever became
// of it.
func (l *Ledger) InOutbox(ctx context.Context, messageID string) (bool, error) {
	return get[bool](ctx, l, "look up mail", "SELECT EXISTS (SELECT 1 FROM outbox WHERE message_id = ?)", messageID)
}

// outboxWhere gives mails without their bytes.
func (l *Ledger) outboxWhere(ctx context.Context, doing, where string, args ...any) ([]OutboxMessage, error) {
	return collect(ctx, l.db, doing, scanOutboxMessage, "SELECT "+outboxColumns+" FROM outbox WHERE "+where, args...)
}

// outboxWithBytes gives mails with their bytes.
func (l *Ledger) outboxWithBytes(ctx context.Context, doing, where string, args ...any) ([]OutboxMessage, error) {
	all, err := collect(ctx, l.db, doing, func(row scanner) (m OutboxMessage, err error) {
		err = row.Scan(append(m.columns(), &m.Bytes)...)
		return m, err
	}, "SELECT "+outboxColumns+", bytes FROM outbox WHERE "+where, args...)
	l.segments.fill(all)
	return all, err
}

// The four marks say how one try ended. attempt numbers the try from 1, so
// that is OutboxMessage.Attempts+1 of the mail that was tried; a mark for a try
// that is marked already changes nothing, nor does any on a mail that is
// Sent or Failed.

// MarkSent notes that the server took the mail.
func (l *Ledger) MarkSent(ctx context.Context, id int64, attempt int, at time.Time) error {
	return l.mark(ctx, id, attempt, Sent, time.Time{}, at, "")
}

// MarkRetry notes a passing failure; the mail is due again at next.
func (l *Ledger) MarkRetry(ctx context.Context, id int64, attempt int, next time.Time, reason string) error {
	return l.mark(ctx, id, attempt, Queued, next, time.Time{}, reason)
}

// Defer has a mail wait until next without counting a try: it was not to blame.
func (l *Ledger) Defer(ctx context.Context, id int64, next time.Time, reason string) error {
	return l.exec(ctx, fmt.Sprintf("defer mail %d", id), "UPDATE outbox SET next_try = ?, last_error = ? WHERE id = ? AND state IN ('queued', 'ambiguous')", stamp(next), reason, id)
}

// MarkReturned notes of a mail that was sent, and lies in a file, that it came back
// and may be sent again: see Resend.
func (l *Ledger) MarkReturned(ctx context.Context, id int64, reason string) error {
	return l.exec(ctx, fmt.Sprintf("mark mail %d as returned", id), "UPDATE outbox SET state = 'failed', last_error = ? WHERE id = ? AND state = 'sent' AND path <> ''", reason, id)
}

// MarkAmbiguous notes that the server may or may not have taken the mail; it
// is due again at next.
func (l *Ledger) MarkAmbiguous(ctx context.Context, id int64, attempt int, next time.Time, reason string) error {
	return l.mark(ctx, id, attempt, Ambiguous, next, time.Time{}, reason)
}

// MarkFailed notes that the mail will never be delivered.
func (l *Ledger) MarkFailed(ctx context.Context, id int64, attempt int, at time.Time, reason string) error {
	return l.mark(ctx, id, attempt, Failed, time.Time{}, at, reason)
}

// ErrUnknownMessage is returned for a mark on a mail that is not there.
var ErrUnknownMessage = errors.New("the mail is not in the outbox")

func (l *Ledger) mark(ctx context.Context, id int64, attempt int, state Delivery, next, settled time.Time, reason string) error {
	var segment int64 // of the mail, if this settles it
	if state == Failed && l.db.together(ctx) == nil {
		return l.Group(ctx, func(ctx context.Context) error { return l.mark(ctx, id, attempt, state, next, settled, reason) })
	}
	err := l.within(ctx, func(tx *transaction) error {
		var raw any
		if state == Failed { // it can still be looked at when its segment is gone
			list, err := l.outboxWithBytes(ctx, "look up mail", "id = ? AND state IN ('queued', 'ambiguous')", id)
			if err != nil {
				return err
			}
			if len(list) > 0 && len(list[0].Bytes) > 0 {
				raw = list[0].Bytes
			}
		}
		// A mail that was ambiguous once stays so until it is settled: a
		// later refusal to connect does not tell that it never arrived.
		row := tx.QueryRowContext(ctx, `UPDATE outbox SET attempts = ?1, next_try = ?2, settled_at = ?3, last_error = ?4,
			state = CASE WHEN state = 'ambiguous' AND ?5 = 'queued' THEN 'ambiguous' ELSE ?5 END,
			bytes = CASE ?5 WHEN 'sent' THEN NULL WHEN 'failed' THEN ?7 ELSE bytes END
			WHERE id = ?6 AND state IN ('queued', 'ambiguous') AND attempts < ?1
			RETURNING message_id, game, kind, sender, recipient, segment`,
			attempt, stamp(next), stamp(settled), reason, string(state), id, raw)
		m := outboxTrace{State: state, At: settled, Why: reason}
		err := row.Scan(&m.MessageID, &m.Game, &m.Kind, &m.From, &m.To, &segment)
		if errors.Is(err, sql.ErrNoRows) {
			return mustHave(ctx, tx, id)
		}
		if err != nil || settled.IsZero() {
			segment = 0
			return err
		}
		return l.note(ctx, trace{Settled: &m})
	})
	if err == nil && segment > 0 {
		// The bytes are of no more use; answers would fill the disk.
		err = l.afterwards(ctx, func() error { return l.segments.settled(segment) })
	}
	if err != nil {
		return fmt.Errorf("mark mail %d as %s: %w", id, state, err)
	}
	return nil
}

func mustHave(ctx context.Context, tx *transaction, id int64) error {
	var has bool
	if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM outbox WHERE id = ?)", id).Scan(&has); err != nil {
		return err
	}
	if !has {
		return ErrUnknownMessage
	}
	return nil
}
