package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// State is how far an incoming mail was handled. States only move forward.
type State int

// The states in their order.
const (
	Stored   State = 1 // the raw bytes are in the spool
	Acted    State = 2 // what it asks for was done, or there was nothing to do
	Answered State = 3 // the answer stands in the outbox, or none is due
	Moved    State = 4 // it left the inbox; nothing is left to do
)

// String names the state in lower case.
func (s State) String() string {
	switch s {
	case Stored:
		return "stored"
	case Acted:
		return "acted"
	case Answered:
		return "answered"
	case Moved:
		return "moved"
	}
	return fmt.Sprintf("state %d", int(s))
}

// Ref is where a mail lies on the server. A server that renumbers its mails
// changes UIDValidity.
type Ref struct {
	Mailbox     string
	UIDValidity uint32
	UID         uint32
}

// Mail is one incoming mail.
type Mail struct {
	Ref
	SHA256     string    // of the raw bytes, in hexadecimal; the name in the spool
	MessageID  string    // as the mail has it, or ""
	ReceivedAt time.Time // when it was taken in here
	Arrived    time.Time // when the server got it, as that says; zero if it is not known
	State      State
	Outcome    string // what became of it, in the words of who acted on it; "" before Acted
}

const mailColumns = "mailbox, uidvalidity, uid, sha256, message_id, received_at, state, outcome, arrived"

func scanMail(row scanner) (m Mail, err error) {
	err = row.Scan(&m.Mailbox, &m.UIDValidity, &m.UID, &m.SHA256, &m.MessageID, (*micros)(&m.ReceivedAt), &m.State, &m.Outcome, (*micros)(&m.Arrived))
	return m, err
}

// SeenContent gives every known mail with these very bytes, furthest handled
// first.
func (l *Ledger) SeenContent(ctx context.Context, sha256 string) ([]Mail, error) {
	return l.mails(ctx, "look up mail by content", "sha256 = ? ORDER BY state DESC, received_at, uid", sha256)
}

// ActedMail is a mail that was acted on.
type ActedMail struct {
	SHA256  string
	Outcome string
}

// SimilarActed gives the mails that were acted on and have the same bytes as m, or
// the same Message-ID: furthest handled first, then oldest first. See
// SeenMessageID for what the latter is worth.
func (l *Ledger) SimilarActed(ctx context.Context, m Mail) ([]ActedMail, error) {
	return collect(ctx, l.db, "look up similar mails", func(row scanner) (o ActedMail, err error) {
		err = row.Scan(&o.SHA256, &o.Outcome)
		return o, err
	}, `SELECT sha256, outcome FROM mails WHERE state >= 2 AND (sha256 = ? OR message_id = ? AND message_id <> '')
		ORDER BY state DESC, received_at, uid`, m.SHA256, m.MessageID)
}

// SeenMessageID gives every known mail with that Message-ID, oldest first. The
// sender chose the id: equal ids with different bytes may be one mail that
// came by two ways, or two mails of a careless program.
func (l *Ledger) SeenMessageID(ctx context.Context, id string) ([]Mail, error) {
	if id == "" {
		return nil, nil
	}
	return l.mails(ctx, "look up mail by Message-ID", "message_id = ? AND message_id <> '' ORDER BY received_at, uid", id)
}

// Unfinished gives the mails of a mailbox that are not Moved yet, in the order
// of their arrival.
func (l *Ledger) Unfinished(ctx context.Context, mailbox string) ([]Mail, error) {
	return l.mails(ctx, "list unfinished mails", "state < 4 AND mailbox = ? ORDER BY received_at, uidvalidity, uid", mailbox)
}

func (l *Ledger) mails(ctx context.Context, doing, where string, args ...any) ([]Mail, error) {
	return collect(ctx, l.db, doing, scanMail, "SELECT "+mailColumns+" FROM mails WHERE "+where, args...)
}

// RecordStored notes that the bytes of a mail are in the spool. A place that is
// known is left as it is. At a new place, bytes that were handled before (the
// server renumbered its mails, or delivered one twice) start where the earlier
// one is, with its outcome, but not as Moved, for this copy still lies in the
// inbox. State and Outcome of m are ignored.
func (l *Ledger) RecordStored(ctx context.Context, m Mail) error {
	return l.exec(ctx, fmt.Sprintf("record mail %d of %s", m.UID, m.Mailbox), `INSERT INTO mails (`+mailColumns+`)
		SELECT ?, ?, ?, ?, ?, ?, min(coalesce(max(state), 1), 3), coalesce(
			(SELECT outcome FROM mails WHERE sha256 = ? ORDER BY state DESC, received_at, uid LIMIT 1), ''), ?
		FROM mails WHERE sha256 = ?
		ON CONFLICT DO NOTHING`,
		m.Mailbox, m.UIDValidity, m.UID, m.SHA256, m.MessageID, stamp(m.ReceivedAt), m.SHA256, stamp(m.Arrived), m.SHA256)
}

// RecordActed notes that a mail was acted on, and with what outcome. Once a
// mail is Acted or further its outcome stays.
func (l *Ledger) RecordActed(ctx context.Context, ref Ref, outcome string) error {
	return l.advance(ctx, ref, Acted, outcome)
}

// RecordAnswered notes that the answer to a mail is queued or that none is due.
func (l *Ledger) RecordAnswered(ctx context.Context, ref Ref) error {
	return l.advance(ctx, ref, Answered, "")
}

// RecordMoved notes that a mail left the inbox.
func (l *Ledger) RecordMoved(ctx context.Context, ref Ref) error {
	return l.advance(ctx, ref, Moved, "")
}

// RecordDone is RecordActed and RecordAnswered at once, for a mail as the ledger
// gave it.
func (l *Ledger) RecordDone(ctx context.Context, m Mail, outcome string) error {
	moved := false
	err := l.within(ctx, func(tx *transaction) (err error) {
		moved, err = inserted(tx.ExecContext(ctx, "UPDATE mails SET state = 3, outcome = ? WHERE mailbox = ? AND uidvalidity = ? AND uid = ? AND state = 1",
			outcome, m.Mailbox, m.UIDValidity, m.UID))
		if err != nil || !moved {
			return err
		}
		return l.note(ctx, trace{Mail: &mailTrace{m.SHA256, m.MessageID, m.ReceivedAt, outcome}})
	})
	if err == nil && !moved { // it was done before, in part or whole, or there is none
		return errors.Join(l.RecordActed(ctx, m.Ref, outcome), l.RecordAnswered(ctx, m.Ref))
	}
	if err != nil {
		return fmt.Errorf("record mail %d of %s as %s: %w", m.UID, m.Mailbox, Answered, err)
	}
	return nil
}

// ErrUnknownMail is returned for a step of a mail that was never recorded.
var ErrUnknownMail = errors.New("the mail is not in the ledger")

func (l *Ledger) advance(ctx context.Context, ref Ref, to State, outcome string) error {
	known := false
	err := l.within(ctx, func(tx *transaction) error {
		if to == Acted {
			if err := l.traceMail(ctx, tx, ref, outcome); err != nil {
				return err
			}
		}
		moved, err := inserted(tx.ExecContext(ctx, `UPDATE mails SET state = ?1,
			outcome = CASE WHEN state < 2 AND ?2 <> '' THEN ?2 ELSE outcome END
			WHERE mailbox = ?3 AND uidvalidity = ?4 AND uid = ?5 AND state < ?1`,
			to, outcome, ref.Mailbox, ref.UIDValidity, ref.UID))
		if err != nil || moved {
			known = moved
			return err
		}
		return tx.QueryRowContext(ctx, "SELECT count(*) > 0 FROM mails WHERE mailbox = ? AND uidvalidity = ? AND uid = ?",
			ref.Mailbox, ref.UIDValidity, ref.UID).Scan(&known)
	})
	if err == nil && !known {
		err = ErrUnknownMail
	}
	if err != nil {
		return fmt.Errorf("record mail %d of %s as %s: %w", ref.UID, ref.Mailbox, to, err)
	}
	return nil
}

// traceMail leaves a trace of a mail that is being acted on for the first time.
func (l *Ledger) traceMail(ctx context.Context, tx *transaction, ref Ref, outcome string) error {
	m, err := scanMail(tx.QueryRowContext(ctx,
		"SELECT "+mailColumns+" FROM mails WHERE mailbox = ? AND uidvalidity = ? AND uid = ?", ref.Mailbox, ref.UIDValidity, ref.UID))
	if errors.Is(err, sql.ErrNoRows) || err == nil && m.State >= Acted {
		return nil
	}
	if err != nil {
		return err
	}
	return l.note(ctx, trace{Mail: &mailTrace{m.SHA256, m.MessageID, m.ReceivedAt, outcome}})
}

// Cursor is how far a mailbox was read: every UID up to UID is recorded.
type Cursor struct {
	UIDValidity uint32
	UID         uint32
}

// Cursor gives the cursor of a mailbox; zero if it was never read.
func (l *Ledger) Cursor(ctx context.Context, mailbox string) (Cursor, error) {
	var c Cursor
	err := l.db.QueryRowContext(ctx, "SELECT uidvalidity, uid FROM cursors WHERE mailbox = ?", mailbox).Scan(&c.UIDValidity, &c.UID)
	if errors.Is(err, sql.ErrNoRows) {
		return Cursor{}, nil
	}
	if err != nil {
		return Cursor{}, fmt.Errorf("read cursor of %s: %w", mailbox, err)
	}
	return c, nil
}

// MoveCursor sets the cursor of a mailbox. Under one UIDValidity it never goes
// back; another one starts from the beginning.
func (l *Ledger) MoveCursor(ctx context.Context, mailbox string, c Cursor) error {
	return l.exec(ctx, "move cursor of "+mailbox, `INSERT INTO cursors (mailbox, uidvalidity, uid) VALUES (?1, ?2, ?3)
		ON CONFLICT (mailbox) DO UPDATE SET
			uid = CASE WHEN uidvalidity = ?2 THEN max(uid, ?3) ELSE ?3 END,
			uidvalidity = ?2`,
		mailbox, c.UIDValidity, c.UID)
}

// ForgetCursors has every mailbox read from its beginning again.
func (l *Ledger) ForgetCursors(ctx context.Context) error {
	return l.exec(ctx, "reset mailbox cursors", "DELETE FROM cursors")
}
