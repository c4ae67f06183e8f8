package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"hash/crc32"
	"strings"
	"time"

	"starpost/pbem/store"
)

// outboxColumns are the columns of a mail without its bytes.
const outboxColumns = "id, game, kind, message_id, sender, recipient, path, queued_at, attempts, next_try, state, settled_at, last_error"

func scanOutboxMessage(row Row) (m store.OutboxMessage, err error) {
	err = row.Scan(columns(&m)...)
	return m, err
}

// columns returns the scan targets of outboxColumns.
func columns(m *store.OutboxMessage) []any {
	return []any{
		&m.ID, &m.Game, &m.Kind, &m.MessageID, &m.From, &m.To, &m.Path, (*micros)(&m.QueuedAt), &m.Attempts, (*micros)(&m.NextTry),
		&m.State, (*micros)(&m.SettledAt), &m.LastError,
	}
}

// Queue puts mails into the outbox, all or none. A mail with a Message-ID that
// is already there, in whatever state, is skipped; added counts the
// others. ID, Attempts, State, SettledAt and LastError are ignored.
func (l *outbox) Queue(ctx context.Context, messages ...store.OutboxMessage) (added int, err error) {
	return l.queue(ctx, store.Queued, "", messages)
}

// queue puts mails into the outbox in a given state; why is stored as their LastError.
func (l *outbox) queue(ctx context.Context, state store.Delivery, why string, messages []store.OutboxMessage) (added int, err error) {
	for _, m := range messages {
		if m.MessageID == "" || m.To == "" || m.Path == "" && len(m.Bytes) == 0 {
			return 0, fmt.Errorf("queue mail %q: %w", m.MessageID, store.ErrIncomplete)
		}
	}
	err = l.Group(ctx, func(ctx context.Context) error {
		added = 0
		for _, m := range messages {
			settled := time.Time{}
			if state == store.Sent {
				settled = m.QueuedAt
			}
			id, err := l.insert(ctx, fmt.Sprintf("queue mail %q", m.MessageID), `INSERT INTO outbox
				(game, kind, message_id, sender, recipient, path, queued_at, attempts, next_try, state, settled_at, last_error)
				VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)
				ON CONFLICT (message_id) DO NOTHING RETURNING id`,
				m.Game, string(m.Kind), m.MessageID, m.From, m.To, m.Path, stamp(m.QueuedAt), stamp(m.NextTry), string(state), stamp(settled), why)
			if err != nil || id == 0 {
				if err != nil {
					return err
				}
				continue
			}
			added++
			if len(m.Bytes) > 0 && state == store.Queued {
				if err := l.StoreLetter(ctx, id, m.Bytes); err != nil {
					return err
				}
				l.db.group(ctx).queued = append(l.db.group(ctx).queued, letter{id, m.MessageID, m.Bytes})
			}
		}
		return nil
	})
	return added, err
}

// StoreLetter stores the bytes of a mail in the outbox with their checksum, so that bytes
// changed by a bad disk are not sent.
func (l *outbox) StoreLetter(ctx context.Context, id int64, bytes []byte) error {
	return l.Send(ctx, "store a mail to send", "INSERT INTO letters (id, sum, bytes) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET sum = excluded.sum, bytes = excluded.bytes", id, checksum(bytes), bytes)
}

// checksum returns the CRC-32C of data. The table is made when it is first needed.
func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

// letter holds the bytes of a mail in the outbox.
type letter struct {
	id        int64
	messageID string
	bytes     []byte
}

// mostRecent is the most bytes of mails held in memory between their commit and their first
// try, so that mails sent soon need not be read again.
const mostRecent = 16 << 20

// remember keeps newly committed mails in memory. The caller must hold the connection.
func (l *handle) remember(queued []letter) {
	for _, q := range queued {
		if l.recentBytes+len(q.bytes) <= mostRecent && l.recent[q.id].bytes == nil {
			if l.recent == nil {
				l.recent = map[int64]letter{}
			}
			l.recent[q.id] = q
			l.recentBytes += len(q.bytes)
		}
	}
}

// forget drops a mail from memory. The caller must hold the connection.
func (l *handle) forget(id int64) {
	l.recentBytes -= len(l.recent[id].bytes)
	delete(l.recent, id)
}

// sentLetters is the condition for bytes of sent mails, which are no longer needed and would fill the disk.
const sentLetters = "EXISTS (SELECT 1 FROM outbox WHERE outbox.id = letters.id AND state = 'sent')"

// dropSent deletes the bytes of sent mails, many at a time: done for each mail, that would make up half of
// the pages changed. The first call also deletes bytes left by a process that was killed.
func (l *outbox) dropSent(ctx context.Context) error {
	const doing = "remove mails that were sent"
	var spent []int64
	first := false
	err := l.db.Use(ctx, func() error {
		spent, l.spent = l.spent, nil
		first, l.looked = !l.looked, true
		return nil
	})
	if err != nil || len(spent) == 0 && !first {
		return err
	}
	return l.Group(ctx, func(ctx context.Context) error {
		if first {
			_, err := l.Exec(ctx, doing, "DELETE FROM letters WHERE "+sentLetters)
			return err
		}
		_, err := l.execByID(ctx, doing, "DELETE FROM letters WHERE "+sentLetters+" AND", spent)
		return err
	})
}

// Due returns at most limit mails to send at now, the longest due first. With from,
// it returns only mails from those envelope senders. The mails have their bytes set,
// unless these are in a file or missing.
func (l *outbox) Due(ctx context.Context, now time.Time, limit int, from ...string) ([]store.OutboxMessage, error) {
	if err := l.dropSent(ctx); err != nil {
		return nil, err
	}
	where, args := waitingFrom(from)
	due, err := collect(ctx, l.db, "list mails due", func(row Row) (store.OutboxMessage, error) {
		m, err := scanOutboxMessage(row)
		if q := l.recent[m.ID]; q.messageID == m.MessageID {
			m.Bytes = q.bytes
		}
		return m, err
	}, "SELECT "+outboxColumns+" FROM outbox WHERE "+where+" AND next_try <= ? ORDER BY next_try, id LIMIT ?", append(args, stamp(now), limit)...)
	for i := range due {
		if m := &due[i]; err == nil && m.Bytes == nil {
			err = l.readLetter(ctx, m)
		}
	}
	return due, err
}

// readLetter sets the bytes of a mail if they are stored and intact; otherwise it may set Missing.
func (l *outbox) readLetter(ctx context.Context, m *store.OutboxMessage) error {
	bytes, _, err := first(ctx, l.db, "read a mail to send", func(row Row) (bytes []byte, err error) {
		var sum sql.Null[uint32]
		err = row.Scan(&sum, &bytes)
		if sum.Valid && checksum(bytes) != sum.V {
			bytes = nil
		}
		return bytes, err
	}, "SELECT sum, bytes FROM letters WHERE id = ?", m.ID)
	if m.Bytes = bytes; bytes == nil && m.Path == "" {
		m.Missing = fmt.Errorf("mail %q is missing from the outbox or damaged", m.MessageID)
	}
	return err
}

// waitingFrom returns the condition for waiting mails from certain senders, or from all if there are none.
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

// Readdress sets the envelope sender of waiting mails to the first known one, unless
// they have a known one. It is used after the robot's address has changed.
func (l *outbox) Readdress(ctx context.Context, known ...string) error {
	_, args := waitingFrom(known)
	_, err := l.Exec(ctx, "readdress waiting mails", "UPDATE outbox SET sender = ? WHERE state IN ('queued', 'ambiguous') AND sender NOT IN (?"+
		strings.Repeat(", ?", len(known)-1)+")", append(args[:1:1], args...)...)
	return err
}

// NextDue returns the earliest time at which a mail must be sent, from certain
// senders or all, and false if none is waiting. It may lie in the past; zero is at once.
func (l *outbox) NextDue(ctx context.Context, from ...string) (time.Time, bool, error) {
	where, args := waitingFrom(from)
	at, err := Get[sql.NullInt64](ctx, l.db, "look up next mail due", "SELECT min(next_try) FROM outbox WHERE "+where, args...)
	return unstamp(at.Int64), at.Valid, err
}

// Outbox returns every mail of a game, oldest first, without their bytes.
func (l *outbox) Outbox(ctx context.Context, game string) ([]store.OutboxMessage, error) {
	return l.outboxWhere(ctx, "list outbox", "game = ? ORDER BY id", game)
}

// Message returns the mail with that Message-ID, if there is one, without its
// bytes.
func (l *outbox) Message(ctx context.Context, messageID string) (store.OutboxMessage, bool, error) {
	return first(ctx, l.db, "look up mail", scanOutboxMessage, "SELECT "+outboxColumns+" FROM outbox WHERE message_id = ?", messageID)
}

// InOutbox reports whether there is a mail with that Message-ID, in whatever
// state.
func (l *outbox) InOutbox(ctx context.Context, messageID string) (bool, error) {
	return Get[bool](ctx, l.db, "look up mail", "SELECT EXISTS (SELECT 1 FROM outbox WHERE message_id = ?)", messageID)
}

// outboxWhere returns the mails that satisfy a condition, without their bytes.
func (l *outbox) outboxWhere(ctx context.Context, doing, where string, args ...any) ([]store.OutboxMessage, error) {
	return collect(ctx, l.db, doing, scanOutboxMessage, "SELECT "+outboxColumns+" FROM outbox WHERE "+where, args...)
}

// MarkSent, MarkRetry, MarkAmbiguous and MarkFailed record how one try ended. attempt
// numbers the try from 1: it is OutboxMessage.Attempts+1 of the mail as it was tried.
// Marking a try again changes nothing, nor does marking a mail that is
// Sent or Failed.

// MarkSent notes that the server accepted the mail.
func (l *outbox) MarkSent(ctx context.Context, id int64, attempt int, at time.Time) error {
	return l.mark(ctx, id, attempt, store.Sent, time.Time{}, at, "")
}

// MarkRetry notes a temporary failure; the mail is due again at next.
func (l *outbox) MarkRetry(ctx context.Context, id int64, attempt int, next time.Time, reason string) error {
	return l.mark(ctx, id, attempt, store.Queued, next, time.Time{}, reason)
}

// unsettled is the condition that a mail with a known id still waits. Written as a list of the waiting states, it would let
// PostgreSQL scan the index of waiting mails instead of looking up the id.
const unsettled = "state NOT IN ('sent', 'failed')"

// Defer makes a mail wait until next without counting a try, because the failure was not the mail's fault.
func (l *outbox) Defer(ctx context.Context, id int64, next time.Time, reason string) error {
	_, err := l.Exec(ctx, fmt.Sprintf("defer mail %d", id), "UPDATE outbox SET next_try = ?, last_error = ? WHERE id = ? AND "+unsettled, stamp(next), reason, id)
	return err
}

// MarkReturned notes that a sent mail with a Path has bounced, and may be
// sent again: see Resend.
func (l *outbox) MarkReturned(ctx context.Context, id int64, reason string) error {
	_, err := l.Exec(ctx, fmt.Sprintf("mark mail %d as returned", id), "UPDATE outbox SET state = 'failed', last_error = ? WHERE id = ? AND state = 'sent' AND path <> ''", reason, id)
	return err
}

// MarkAmbiguous notes that the server may or may not have accepted the mail; it
// is due again at next.
func (l *outbox) MarkAmbiguous(ctx context.Context, id int64, attempt int, next time.Time, reason string) error {
	return l.mark(ctx, id, attempt, store.Ambiguous, next, time.Time{}, reason)
}

// MarkFailed notes that the mail will never be delivered.
func (l *outbox) MarkFailed(ctx context.Context, id int64, attempt int, at time.Time, reason string) error {
	return l.mark(ctx, id, attempt, store.Failed, time.Time{}, at, reason)
}

func (l *outbox) mark(ctx context.Context, id int64, attempt int, state store.Delivery, next, settled time.Time, reason string) error {
	doing := fmt.Sprintf("mark mail %d as %s", id, state)
	return l.oneStatement(ctx, func(ctx context.Context) error {
		// An ambiguous mail stays so until it is settled: a later refusal
		// to connect does not prove that it never arrived.
		n, err := l.Exec(ctx, doing, `UPDATE outbox SET attempts = ?1, next_try = ?2, settled_at = ?3, last_error = ?4,
			state = CASE WHEN state = 'ambiguous' AND ?5 = 'queued' THEN 'ambiguous' ELSE ?5 END
			WHERE id = ?6 AND attempts < ?1 AND `+unsettled,
			attempt, stamp(next), stamp(settled), reason, string(state), id)
		if err == nil {
			err = l.db.Use(context.WithoutCancel(ctx), func() error {
				l.forget(id)
				if n > 0 && state == store.Sent {
					l.spent = append(l.spent, id)
				}
				return nil
			})
		}
		if err != nil || n > 0 {
			return err
		}
		if has, err := Get[bool](ctx, l.db, doing, "SELECT EXISTS (SELECT 1 FROM outbox WHERE id = ?)", id); err != nil || has {
			return err
		}
		return fmt.Errorf("%s: %w", doing, store.ErrUnknownMessage)
	})
}

// QueuedTurn returns the last turn of a game with reports known to the store, or -1
// for none. known is false if the store does not know the game.
func (l *outbox) QueuedTurn(ctx context.Context, game string) (turn int, known bool, err error) {
	turn, known, err = first(ctx, l.db, "look up the turns of "+game, func(row Row) (turn int, err error) {
		err = row.Scan(&turn)
		return turn, err
	}, "SELECT queued FROM games WHERE game = ?", game)
	if !known {
		turn = -1
	}
	return turn, known, err
}

// QueueTurn puts the reports of a turn into the outbox, as Queue does, and notes
// the turn for QueuedTurn.
func (l *outbox) QueueTurn(ctx context.Context, game string, turn int, messages ...store.OutboxMessage) (added int, err error) {
	err = l.Group(ctx, func(ctx context.Context) error {
		if added, err = l.Queue(ctx, messages...); err != nil {
			return err
		}
		return l.Send(ctx, fmt.Sprintf("queue turn %d of %s", turn, game),
			"INSERT INTO games (game, queued) VALUES (?1, ?2) ON CONFLICT (game) DO UPDATE SET queued = ?2 WHERE games.queued < ?2", game, turn)
	})
	return added, err
}

// RecordTurnSent records the reports of a turn that was played before the store knew
// the game: unknown mails count as sent, known ones stay as they are. It does not
// make the game known: QueueTurn does that, with the first turn that is really queued.
func (l *outbox) RecordTurnSent(ctx context.Context, messages ...store.OutboxMessage) error {
	_, err := l.queue(ctx, store.Sent, "before the store knew the game", messages)
	return err
}

// keepGivenUp is how long a mail that was given up can still be sent again.
const keepGivenUp = 30 * 24 * time.Hour

// givenUp is the condition for mails that were given up lately and can be sent again.
const givenUp = "state = 'failed' AND settled_at >= ? AND (path <> '' OR EXISTS (SELECT 1 FROM letters WHERE letters.id = outbox.id))"

// GivenUp counts the mails that Resend would requeue.
func (l *outbox) GivenUp(ctx context.Context, now time.Time) (int, error) {
	return Get[int](ctx, l.db, "count mails that were given up", "SELECT count(*) FROM outbox WHERE "+givenUp, stamp(now.Add(-keepGivenUp)))
}

// Resend requeues mails that were given up in the last 30 days, under their Message-IDs, and returns them.
func (l *outbox) Resend(ctx context.Context, now time.Time) (again []store.OutboxMessage, err error) {
	since := stamp(now.Add(-keepGivenUp))
	err = l.Group(ctx, func(ctx context.Context) error {
		if again, err = l.outboxWhere(ctx, "requeue mails", givenUp+" ORDER BY id", since); err != nil {
			return err
		}
		_, err = l.Exec(ctx, "requeue mails", "UPDATE outbox SET state = 'queued', attempts = 0, next_try = ?, settled_at = 0 WHERE "+givenUp, stamp(now), since)
		return err
	})
	if err != nil {
		return nil, err
	}
	return again, nil
}

// Waiting counts the mails still to be sent.
func (l *outbox) Waiting(ctx context.Context) (int, error) {
	return Get[int](ctx, l.db, "count waiting mails", "SELECT count(*) FROM outbox WHERE state IN ('queued', 'ambiguous')")
}

// Recent returns the mails queued last, newest first, at most limit of
// them, without their bytes.
func (l *outbox) Recent(ctx context.Context, limit int) ([]store.OutboxMessage, error) {
	return l.outboxWhere(ctx, "list the last mails", "id > (SELECT coalesce(max(id), 0) - ? FROM outbox) ORDER BY id DESC", limit)
}
