package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"time"
)

// State is how far an incoming mail was handled. States only move forward.
type State int

// The states in their order.
const (
	Stored   State = 1 // the raw bytes are here
	Acted    State = 2 // what it asks for was done; only earlier versions stopped there
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
	ID int64 // set by the store
	Ref
	SHA256     string    // of the raw bytes, in hexadecimal
	MessageID  string    // as the mail has it, or ""
	ReceivedAt time.Time // when it was taken in here
	Arrived    time.Time // when the server got it, as that says; zero if it is not known
	State      State
	Outcome    string // what became of it, in the words of who acted on it; "" before Acted
}

const mailColumns = "id, mailbox, uidvalidity, uid, sha256, message_id, received_at, state, outcome, arrived"

func scanMail(row scanner) (m Mail, err error) {
	err = row.Scan(&m.ID, &m.Mailbox, &m.UIDValidity, &m.UID, &m.SHA256, &m.MessageID, (*micros)(&m.ReceivedAt), &m.State, &m.Outcome, (*micros)(&m.Arrived))
	return m, err
}

// ActedMail is a mail that was acted on.
type ActedMail struct {
	SHA256  string
	Outcome string
}

// SimilarActed gives the mails that were acted on and have the same bytes as m, or
// the same Message-ID: furthest handled first, then oldest first. See
// SeenMessageID for what the latter is worth.
func (l *Store) SimilarActed(ctx context.Context, m Mail) ([]ActedMail, error) {
	return collect(ctx, l, "look up similar mails", func(row scanner) (o ActedMail, err error) {
		err = row.Scan(&o.SHA256, &o.Outcome)
		return o, err
	}, `SELECT sha256, outcome FROM mails WHERE state >= 2 AND (sha256 = ? OR message_id = ? AND message_id <> '')
		ORDER BY state DESC, received_at, uid`, m.SHA256, m.MessageID)
}

// SeenMessageID gives every known mail with that Message-ID, oldest first. The
// sender chose the id: equal ids with different bytes may be one mail that
// came by two ways, or two mails of a careless program.
func (l *Store) SeenMessageID(ctx context.Context, id string) ([]Mail, error) {
	if id == "" {
		return nil, nil
	}
	return l.mails(ctx, "look up mail by Message-ID", "message_id = ? AND message_id <> '' ORDER BY received_at, uid", id)
}

// Unfinished gives the mails of a mailbox that are not Moved yet, in the order
// of their arrival.
func (l *Store) Unfinished(ctx context.Context, mailbox string) ([]Mail, error) {
	return l.mails(ctx, "list unfinished mails", "state < 4 AND mailbox = ? ORDER BY received_at, uidvalidity, uid", mailbox)
}

func (l *Store) mails(ctx context.Context, doing, where string, args ...any) ([]Mail, error) {
	return collect(ctx, l, doing, scanMail, "SELECT "+mailColumns+" FROM mails WHERE "+where, args...)
}

// RecordStored keeps a mail, and its bytes. A place that is known is left as it is.
// At a new place, bytes that were handled before (the server renumbered its mails, or
// delivered one twice) start where the earlier one is, with its outcome, but not as
// Moved, for this copy still lies in the inbox. ID, State and Outcome of m are
// ignored; without raw its bytes are not kept. It gives the mail's ID, 0 at a known place.
func (l *Store) RecordStored(ctx context.Context, m Mail, raw []byte) (id int64, err error) {
	doing := fmt.Sprintf("record mail %d of %s", m.UID, m.Mailbox)
	err = l.Group(ctx, func(ctx context.Context) error {
		id, err = l.insert(ctx, doing, `INSERT INTO mails (mailbox, uidvalidity, uid, sha256, message_id, received_at, state, outcome, arrived)
			SELECT ?1, ?2, ?3, ?4, ?5, ?6, min(coalesce(max(state), 1), 3), coalesce(
				(SELECT outcome FROM mails WHERE sha256 = ?4 ORDER BY state DESC, received_at, uid LIMIT 1), ''), ?7
			FROM mails WHERE sha256 = ?4
			ON CONFLICT DO NOTHING`,
			m.Mailbox, m.UIDValidity, m.UID, m.SHA256, m.MessageID, stamp(m.ReceivedAt), stamp(m.Arrived))
		if err != nil || id == 0 || raw == nil {
			return err
		}
		return l.StoreRaw(ctx, id, raw)
	})
	return id, err
}

// StoreRaw keeps the bytes of the mail with that ID, in place of those that are
// there.
func (l *Store) StoreRaw(ctx context.Context, id int64, raw []byte) error {
	_, err := l.exec(ctx, "keep a mail", "INSERT OR REPLACE INTO raws (id, bytes) VALUES (?, ?)", id, raw)
	return err
}

// ErrDamaged is returned by LoadRaw for bytes that are not what came.
var ErrDamaged = errors.New("the stored mail is damaged")

// LoadRaw gives the bytes of a mail by their SHA-256. If they are not there the error
// is fs.ErrNotExist.
func (l *Store) LoadRaw(ctx context.Context, sha string) ([]byte, error) {
	raw, err := l.loadRaw(ctx, sha)
	if errors.Is(err, ErrDamaged) {
		cerr := look(ctx, copyOf(l.path), readOnly, func(l *Store, _ int) (err error) {
			raw, err = l.loadRaw(ctx, sha)
			return err
		})
		if cerr == nil {
			err = nil
		}
	}
	return raw, err
}

func (l *Store) loadRaw(ctx context.Context, sha string) ([]byte, error) {
	raw, known, err := first(ctx, l, "load mail "+sha, func(row scanner) (raw []byte, err error) {
		err = row.Scan(&raw)
		return raw, err
	}, "SELECT raws.bytes FROM mails JOIN raws USING (id) WHERE sha256 = ? LIMIT 1", sha)
	switch {
	case err != nil:
		return nil, err
	case !known:
		return nil, fmt.Errorf("load mail %s: %w", sha, fs.ErrNotExist)
	case ContentHash(raw) != sha:
		return nil, fmt.Errorf("load mail %s: %w", sha, ErrDamaged)
	}
	return raw, nil
}

// VerifyRaws reads the bytes of every mail: whole counts those that are what came,
// damaged names the others.
func (l *Store) VerifyRaws(ctx context.Context) (whole int, damaged []string, err error) {
	all, err := collect(ctx, l, "list stored mails", func(row scanner) (sha string, err error) {
		err = row.Scan(&sha)
		return sha, err
	}, "SELECT DISTINCT sha256 FROM mails JOIN raws USING (id) ORDER BY sha256")
	for _, sha := range all {
		_, lerr := l.LoadRaw(ctx, sha)
		switch {
		case lerr == nil:
			whole++
		case errors.Is(lerr, ErrDamaged):
			damaged = append(damaged, sha)
		default:
			return whole, damaged, lerr
		}
	}
	return whole, damaged, err
}

// DeleteRaws drops the bytes of mails that came before a moment and with which
// nothing is left to do. It gives how many.
func (l *Store) DeleteRaws(ctx context.Context, before time.Time) (int64, error) {
	return l.exec(ctx, "delete expired mails", "DELETE FROM raws WHERE "+spareRaw, stamp(before))
}

// spareRaw are the mails whose bytes DeleteRaws drops.
const spareRaw = `id IN (SELECT id FROM mails m WHERE received_at < ?
	AND NOT EXISTS (SELECT 1 FROM mails WHERE sha256 = m.sha256 AND state < 4))`

// SpareRaws counts the mails in the store in the file path whose bytes ClearRaws would drop, and the
// bytes. A daemon may use it meanwhile.
func SpareRaws(ctx context.Context, path string, before time.Time) (n int, bytes int64, err error) {
	if _, err := os.Stat(path); err != nil {
		return 0, 0, fmt.Errorf("count mails: %w", err)
	}
	err = look(ctx, path, readOnly, func(l *Store, version int) error {
		if version < len(migrations) {
			return nil // the daemon brings it up to date first
		}
		var err error
		if n, err = get[int](ctx, l, "count mails", "SELECT count(*) FROM raws WHERE "+spareRaw, stamp(before)); err == nil {
			bytes, err = get[int64](ctx, l, "measure mails", "SELECT coalesce(sum(length(bytes)), 0) FROM raws WHERE "+spareRaw, stamp(before))
		}
		return err
	})
	return n, bytes, err
}

// ClearRaws is DeleteRaws for the store in the file path, which a daemon may use meanwhile.
func ClearRaws(ctx context.Context, path string, before time.Time) error {
	return look(ctx, path, writing, func(l *Store, version int) error {
		if version < len(migrations) {
			return &Error{Way: "start the daemon once", Err: fmt.Errorf("%s was written by an earlier version of starpost", path)}
		}
		_, err := l.DeleteRaws(ctx, before)
		return err
	})
}

// ContentHash is what mails are known by: the SHA-256 of their bytes in hexadecimal.
func ContentHash(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// IsContentHash tells whether a word is such a name.
func IsContentHash(sha string) bool {
	b, err := hex.DecodeString(sha)
	return err == nil && len(b) == sha256.Size && hex.EncodeToString(b) == sha
}

// RecordAnswered notes that mails, as the store gave them, were acted on, with what
// outcome, and that their answers are queued or that none is due. Once a mail is Acted
// or further its outcome stays.
func (l *Store) RecordAnswered(ctx context.Context, outcome string, mails ...Mail) error {
	return l.advance(ctx, Answered, outcome, mails)
}

// RecordMoved notes that mails left the inbox.
func (l *Store) RecordMoved(ctx context.Context, mails ...Mail) error {
	return l.advance(ctx, Moved, "", mails)
}

// ErrUnknownMail is returned for a step of a mail that was never recorded.
var ErrUnknownMail = errors.New("the mail is not in the store")

func (l *Store) advance(ctx context.Context, to State, outcome string, mails []Mail) error {
	doing := fmt.Sprintf("record %d mails as %s", len(mails), to)
	return l.Group(ctx, func(ctx context.Context) error {
		for _, m := range mails {
			n, err := l.exec(ctx, doing, `UPDATE mails SET state = max(state, ?1), outcome = CASE WHEN state < 2 THEN ?2 ELSE outcome END
				WHERE id = ?3`, to, outcome, m.ID)
			if err == nil && n == 0 {
				err = fmt.Errorf("%s: %w", doing, ErrUnknownMail)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Cursor is how far a mailbox was read: every UID up to UID is recorded.
type Cursor struct {
	UIDValidity uint32
	UID         uint32
}

// Cursor gives the cursor of a mailbox; zero if it was never read.
func (l *Store) Cursor(ctx context.Context, mailbox string) (Cursor, error) {
	c, _, err := first(ctx, l, "read cursor of "+mailbox, func(row scanner) (c Cursor, err error) {
		err = row.Scan(&c.UIDValidity, &c.UID)
		return c, err
	}, "SELECT uidvalidity, uid FROM cursors WHERE mailbox = ?", mailbox)
	return c, err
}

// MoveCursor sets the cursor of a mailbox. Under one UIDValidity it never goes
// back; another one starts from the beginning.
func (l *Store) MoveCursor(ctx context.Context, mailbox string, c Cursor) error {
	_, err := l.exec(ctx, "move cursor of "+mailbox, `INSERT INTO cursors (mailbox, uidvalidity, uid) VALUES (?1, ?2, ?3)
		ON CONFLICT (mailbox) DO UPDATE SET
			uid = CASE WHEN uidvalidity = ?2 THEN max(uid, ?3) ELSE ?3 END,
			uidvalidity = ?2`,
		mailbox, c.UIDValidity, c.UID)
	return err
}

// ForgetCursors has every mailbox read from its beginning again.
func (l *Store) ForgetCursors(ctx context.Context) error {
	_, err := l.exec(ctx, "reset mailbox cursors", "DELETE FROM cursors")
	return err
}

// Probe tells by an error that no mail can be stored just now. It leaves nothing
// behind.
func (l *Store) Probe(ctx context.Context) error {
	err := l.StoreRaw(ctx, math.MaxInt64, make([]byte, 64<<10))
	if err == nil {
		_, err = l.exec(ctx, "remove what was tried", "DELETE FROM raws WHERE id = ?", int64(math.MaxInt64))
	}
	if err != nil {
		return fmt.Errorf("try the store: %w", err)
	}
	return nil
}
