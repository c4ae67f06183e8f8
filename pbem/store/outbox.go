package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"
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
	ID        int64  // set by the store
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
}

// ErrIncomplete is returned for a mail that could never be sent.
var ErrIncomplete = errors.New("a mail needs a Message-ID, a recipient, and bytes or a path to them")

// outboxColumns are those of a mail without its bytes.
const outboxColumns = "id, game, kind, message_id, sender, recipient, path, queued_at, attempts, next_try, state, settled_at, last_error"

func scanOutboxMessage(row scanner) (m OutboxMessage, err error) {
	err = row.Scan(m.columns()...)
	return m, err
}

// columns is where outboxColumns go.
func (m *OutboxMessage) columns() []any {
	return []any{
		&m.ID, &m.Game, &m.Kind, &m.MessageID, &m.From, &m.To, &m.Path, (*micros)(&m.QueuedAt), &m.Attempts, (*micros)(&m.NextTry),
		&m.State, (*micros)(&m.SettledAt), &m.LastError,
	}
}

// Queue puts mails into the outbox, all or none. A mail whose Message-ID
// is there already changes nothing, whatever became of it; added counts the
// others. ID, Attempts, State, SettledAt and LastError are ignored.
func (l *Store) Queue(ctx context.Context, messages ...OutboxMessage) (added int, err error) {
	return l.queue(ctx, Queued, "", messages)
}

// queue puts mails into the outbox, in a state for which there is a reason.
func (l *Store) queue(ctx context.Context, state Delivery, why string, messages []OutboxMessage) (added int, err error) {
	for _, m := range messages {
		if m.MessageID == "" || m.To == "" || m.Path == "" && len(m.Bytes) == 0 {
			return 0, fmt.Errorf("queue mail %q: %w", m.MessageID, ErrIncomplete)
		}
	}
	err = l.Group(ctx, func(ctx context.Context) error {
		added = 0
		for _, m := range messages {
			settled := time.Time{}
			if state == Sent {
				settled = m.QueuedAt
			}
			id, err := l.insert(ctx, fmt.Sprintf("queue mail %q", m.MessageID), `INSERT INTO outbox
				(game, kind, message_id, sender, recipient, path, queued_at, attempts, next_try, state, settled_at, last_error)
				VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)
				ON CONFLICT (message_id) DO NOTHING`,
				m.Game, string(m.Kind), m.MessageID, m.From, m.To, m.Path, stamp(m.QueuedAt), stamp(m.NextTry), string(state), stamp(settled), why)
			if err != nil || id == 0 {
				if err != nil {
					return err
				}
				continue
			}
			added++
			if len(m.Bytes) > 0 && state == Queued {
				if err := l.storeLetter(ctx, id, m.Bytes); err != nil {
					return err
				}
				l.db.group(ctx).queued = append(l.db.group(ctx).queued, letter{id, m.MessageID, m.Bytes})
			}
		}
		return nil
	})
	return added, err
}

// storeLetter keeps the bytes of a mail in the outbox, and their checksum: what a bad
// disk changed is not sent.
func (l *Store) storeLetter(ctx context.Context, id int64, bytes []byte) error {
	_, err := l.exec(ctx, "keep a mail to send", "INSERT OR REPLACE INTO letters (id, sum, bytes) VALUES (?, ?, ?)", id, checksum(bytes), bytes)
	return err
}

// checksum is CRC-32C, whose table is made when it is first needed.
func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

// letter is the bytes of a mail in the outbox.
type letter struct {
	id        int64
	messageID string
	bytes     []byte
}

// mostRecent is how many bytes of mails are held in memory from when they are committed
// until they were tried once: what goes out soon need not be read again.
const mostRecent = 2 << 20

// remember holds mails whose queueing is committed. The connection must be taken.
func (l *Store) remember(queued []letter) {
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

// forget lets go of a mail that is held. The connection must be taken.
func (l *Store) forget(id int64) {
	l.recentBytes -= len(l.recent[id].bytes)
	delete(l.recent, id)
}

// Due gives at most limit mails to send at now, the longest due first: all,
// or those of the envelope senders that are named. They come with their bytes,
// unless these lie in a file, or are missing.
func (l *Store) Due(ctx context.Context, now time.Time, limit int, from ...string) ([]OutboxMessage, error) {
	where, args := waitingFrom(from)
	due, err := collect(ctx, l, "list mails due", func(row scanner) (OutboxMessage, error) {
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

// readLetter reads the bytes of a mail, if they are there and whole.
func (l *Store) readLetter(ctx context.Context, m *OutboxMessage) error {
	bytes, _, err := first(ctx, l, "read a mail to send", func(row scanner) (bytes []byte, err error) {
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
func (l *Store) Readdress(ctx context.Context, known ...string) error {
	_, args := waitingFrom(known)
	_, err := l.exec(ctx, "readdress waiting mails", "UPDATE outbox SET sender = ? WHERE state IN ('queued', 'ambiguous') AND sender NOT IN (?"+
		strings.Repeat(", ?", len(known)-1)+")", append(args[:1:1], args...)...)
	return err
}

// NextDue is the earliest moment at which a mail must be sent, of certain
// senders or all, and false if none waits. It may lie in the past.
func (l *Store) NextDue(ctx context.Context, from ...string) (time.Time, bool, error) {
	where, args := waitingFrom(from)
	at, err := get[sql.NullInt64](ctx, l, "look up next mail due", "SELECT min(next_try) FROM outbox WHERE "+where, args...)
	return unstamp(at.Int64), at.Valid, err
}

// Outbox gives every mail of a game, oldest first, without their bytes.
func (l *Store) Outbox(ctx context.Context, game string) ([]OutboxMessage, error) {
	return l.outboxWhere(ctx, "list outbox", "game = ? ORDER BY id", game)
}

// Message gives the mail with that Message-ID, if there is one, without its
// bytes.
func (l *Store) Message(ctx context.Context, messageID string) (OutboxMessage, bool, error) {
	return first(ctx, l, "look up mail", scanOutboxMessage, "SELECT "+outboxColumns+" FROM outbox WHERE message_id = ?", messageID)
}

// InOutbox tells whether there is a mail with that Message-ID, whatever became
// of it.
func (l *Store) InOutbox(ctx context.Context, messageID string) (bool, error) {
	return get[bool](ctx, l, "look up mail", "SELECT EXISTS (SELECT 1 FROM outbox WHERE message_id = ?)", messageID)
}

// outboxWhere gives mails without their bytes.
func (l *Store) outboxWhere(ctx context.Context, doing, where string, args ...any) ([]OutboxMessage, error) {
	return collect(ctx, l, doing, scanOutboxMessage, "SELECT "+outboxColumns+" FROM outbox WHERE "+where, args...)
}

// The four marks say how one try ended. attempt numbers the try from 1, so
// that is OutboxMessage.Attempts+1 of the mail that was tried; a mark for a try
// that is marked already changes nothing, nor does any on a mail that is
// Sent or Failed.

// MarkSent notes that the server took the mail.
func (l *Store) MarkSent(ctx context.Context, id int64, attempt int, at time.Time) error {
	return l.mark(ctx, id, attempt, Sent, time.Time{}, at, "")
}

// MarkRetry notes a passing failure; the mail is due again at next.
func (l *Store) MarkRetry(ctx context.Context, id int64, attempt int, next time.Time, reason string) error {
	return l.mark(ctx, id, attempt, Queued, next, time.Time{}, reason)
}

// Defer has a mail wait until next without counting a try: it was not to blame.
func (l *Store) Defer(ctx context.Context, id int64, next time.Time, reason string) error {
	_, err := l.exec(ctx, fmt.Sprintf("defer mail %d", id), "UPDATE outbox SET next_try = ?, last_error = ? WHERE id = ? AND state IN ('queued', 'ambiguous')", stamp(next), reason, id)
	return err
}

// MarkReturned notes of a mail that was sent, and lies in a file, that it came back
// and may be sent again: see Resend.
func (l *Store) MarkReturned(ctx context.Context, id int64, reason string) error {
	_, err := l.exec(ctx, fmt.Sprintf("mark mail %d as returned", id), "UPDATE outbox SET state = 'failed', last_error = ? WHERE id = ? AND state = 'sent' AND path <> ''", reason, id)
	return err
}

// MarkAmbiguous notes that the server may or may not have taken the mail; it
// is due again at next.
func (l *Store) MarkAmbiguous(ctx context.Context, id int64, attempt int, next time.Time, reason string) error {
	return l.mark(ctx, id, attempt, Ambiguous, next, time.Time{}, reason)
}

// MarkFailed notes that the mail will never be delivered.
func (l *Store) MarkFailed(ctx context.Context, id int64, attempt int, at time.Time, reason string) error {
	return l.mark(ctx, id, attempt, Failed, time.Time{}, at, reason)
}

// ErrUnknownMessage is returned for a mark on a mail that is not there.
var ErrUnknownMessage = errors.New("the mail is not in the outbox")

func (l *Store) mark(ctx context.Context, id int64, attempt int, state Delivery, next, settled time.Time, reason string) error {
	doing := fmt.Sprintf("mark mail %d as %s", id, state)
	return l.Group(ctx, func(ctx context.Context) error {
		l.forget(id)
		// A mail that was ambiguous once stays so until it is settled: a
		// later refusal to connect does not tell that it never arrived.
		n, err := l.exec(ctx, doing, `UPDATE outbox SET attempts = ?1, next_try = ?2, settled_at = ?3, last_error = ?4,
			state = CASE WHEN state = 'ambiguous' AND ?5 = 'queued' THEN 'ambiguous' ELSE ?5 END
			WHERE id = ?6 AND state IN ('queued', 'ambiguous') AND attempts < ?1`,
			attempt, stamp(next), stamp(settled), reason, string(state), id)
		if err != nil {
			return err
		}
		if n > 0 && state == Sent { // the bytes are of no more use; answers would fill the disk
			_, err = l.exec(ctx, doing, "DELETE FROM letters WHERE id = ?", id)
			return err
		}
		if n == 0 {
			if has, err := get[bool](ctx, l, doing, "SELECT EXISTS (SELECT 1 FROM outbox WHERE id = ?)", id); err != nil || has {
				return err
			}
			return fmt.Errorf("%s: %w", doing, ErrUnknownMessage)
		}
		return nil
	})
}
