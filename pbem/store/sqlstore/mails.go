package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"time"

	"starpost/pbem/store"
)

const mailColumns = "id, mailbox, uidvalidity, uid, sha256, message_id, received_at, state, outcome, arrived"

func scanMail(row Row) (m store.Mail, err error) {
	err = row.Scan(&m.ID, &m.Mailbox, &m.UIDValidity, &m.UID, &m.SHA256, &m.MessageID, (*micros)(&m.ReceivedAt), &m.State, &m.Outcome, (*micros)(&m.Arrived))
	return m, err
}

// SimilarActed returns the mails that were acted on and have the same bytes as m, or
// the same Message-ID: furthest handled first, then oldest first. An equal
// Message-ID proves little: see SeenMessageID.
func (l *incoming) SimilarActed(ctx context.Context, m store.Mail) ([]store.ActedMail, error) {
	return collect(ctx, l.db, "look up similar mails", func(row Row) (o store.ActedMail, err error) {
		err = row.Scan(&o.SHA256, &o.Outcome)
		return o, err
	}, `SELECT sha256, outcome FROM mails WHERE state >= 2 AND (sha256 = ? OR message_id = ? AND message_id <> '')
		ORDER BY state DESC, received_at, uid`, m.SHA256, m.MessageID)
}

// SeenMessageID returns every known mail with that Message-ID, oldest first. The
// sender chose the ID: equal IDs with different bytes may be one mail that
// came by two routes, or two mails from a careless program.
func (l *incoming) SeenMessageID(ctx context.Context, id string) ([]store.Mail, error) {
	if id == "" {
		return nil, nil
	}
	return l.mails(ctx, "look up mail by Message-ID", "message_id = ? AND message_id <> '' ORDER BY received_at, uid", id)
}

// Unfinished returns the mails of a mailbox that are not Moved yet, in the order in which they were
// recorded: the clocks of hosts differ, and are set.
func (l *incoming) Unfinished(ctx context.Context, mailbox string) ([]store.Mail, error) {
	return l.mails(ctx, "list unfinished mails", "state < 4 AND mailbox = ? ORDER BY id", mailbox)
}

func (l *incoming) mails(ctx context.Context, doing, where string, args ...any) ([]store.Mail, error) {
	return collect(ctx, l.db, doing, scanMail, "SELECT "+mailColumns+" FROM mails WHERE "+where, args...)
}

// RecordStored stores a mail and its bytes, unless a mail with the same Ref is known.
// If a mail with the same bytes was handled before (the server renumbered its mails, or
// delivered one twice), the new one starts with the state and outcome of that one, but
// at most as Answered, because this copy is still in the inbox. ID, State and Outcome of m
// are ignored; if raw is nil, no bytes are stored. It returns the mail's ID, or 0 if its Ref is known.
func (l *incoming) RecordStored(ctx context.Context, m store.Mail, raw []byte) (id int64, err error) {
	doing := fmt.Sprintf("record mail %d of %s", m.UID, m.Mailbox)
	err = l.Group(ctx, func(ctx context.Context) error {
		id, err = l.insert(ctx, doing, `INSERT INTO mails (mailbox, uidvalidity, uid, sha256, message_id, received_at, state, outcome, arrived)
			SELECT ?1, ?2, ?3, ?4, ?5, ?6, CASE WHEN max(state) >= 3 THEN 3 ELSE coalesce(max(state), 1) END, coalesce(
				(SELECT outcome FROM mails WHERE sha256 = ?4 ORDER BY state DESC, received_at, uid LIMIT 1), ''), ?7
			FROM mails WHERE sha256 = ?4
			ON CONFLICT DO NOTHING RETURNING id`,
			m.Mailbox, m.UIDValidity, m.UID, m.SHA256, m.MessageID, stamp(m.ReceivedAt), stamp(m.Arrived))
		if err != nil || id == 0 || raw == nil {
			return err
		}
		return l.StoreRaw(ctx, id, raw)
	})
	return id, err
}

// StoreRaw stores the bytes of the mail with that ID, replacing any earlier
// ones.
func (l *incoming) StoreRaw(ctx context.Context, id int64, raw []byte) error {
	return l.Send(ctx, "store a mail", "INSERT INTO raws (id, bytes) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes", id, raw)
}

// LoadRaw returns the bytes of a mail by their SHA-256. If they are not stored, the error
// is fs.ErrNotExist.
func (l *incoming) LoadRaw(ctx context.Context, sha string) ([]byte, error) {
	raw, err := l.loadRaw(ctx, sha)
	if errors.Is(err, store.ErrDamaged) && l.again != nil {
		if other, aerr := l.again(ctx, sha); aerr == nil {
			return other, nil
		}
	}
	return raw, err
}

func (l *incoming) loadRaw(ctx context.Context, sha string) ([]byte, error) {
	raw, known, err := first(ctx, l.db, "load mail "+sha, func(row Row) (raw []byte, err error) {
		err = row.Scan(&raw)
		return raw, err
	}, "SELECT raws.bytes FROM mails JOIN raws USING (id) WHERE sha256 = ? LIMIT 1", sha)
	switch {
	case err != nil:
		return nil, err
	case !known:
		return nil, fmt.Errorf("load mail %s: %w", sha, fs.ErrNotExist)
	case store.ContentHash(raw) != sha:
		return nil, fmt.Errorf("load mail %s: %w", sha, store.ErrDamaged)
	}
	return raw, nil
}

// VerifyRaws reads the bytes of every mail. whole counts the intact mails; damaged
// lists the SHA-256 of the others.
func (l *incoming) VerifyRaws(ctx context.Context) (whole int, damaged []string, err error) {
	all, err := collect(ctx, l.db, "list stored mails", func(row Row) (sha string, err error) {
		err = row.Scan(&sha)
		return sha, err
	}, "SELECT DISTINCT sha256 FROM mails JOIN raws USING (id) ORDER BY sha256")
	for _, sha := range all {
		_, lerr := l.LoadRaw(ctx, sha)
		switch {
		case lerr == nil:
			whole++
		case errors.Is(lerr, store.ErrDamaged):
			damaged = append(damaged, sha)
		default:
			return whole, damaged, lerr
		}
	}
	return whole, damaged, err
}

// DeleteRaws deletes the bytes of mails that came in before a moment and are Moved, in all
// their copies. It returns the number of mails.
func (l *incoming) DeleteRaws(ctx context.Context, before time.Time) (int64, error) {
	return l.Exec(ctx, "delete expired mails", "DELETE FROM raws WHERE "+spareRaw, stamp(before))
}

// spareRaw is the condition for mails that DeleteRaws deletes the bytes of.
const spareRaw = `id IN (SELECT id FROM mails m WHERE received_at < ?
	AND NOT EXISTS (SELECT 1 FROM mails WHERE sha256 = m.sha256 AND state < 4))`

// SpareRaws counts the mails and bytes that DeleteRaws would delete.
func (l *incoming) SpareRaws(ctx context.Context, before time.Time) (n int, bytes int64, err error) {
	n, err = Get[int](ctx, l.db, "count mails", "SELECT count(*) FROM raws WHERE "+spareRaw, stamp(before))
	if err == nil {
		bytes, err = Get[int64](ctx, l.db, "measure mails", "SELECT coalesce(sum(length(bytes)), 0) FROM raws WHERE "+spareRaw, stamp(before))
	}
	return n, bytes, err
}

// RecordAnswered notes that mails from this store were acted on, with this outcome,
// and that their answers are queued or not due. The outcome of a mail that is already Acted
// or further does not change.
func (l *incoming) RecordAnswered(ctx context.Context, outcome string, mails ...store.Mail) error {
	return l.advance(ctx, store.Answered, outcome, mails)
}

// RecordMoved notes that mails have left the inbox.
func (l *incoming) RecordMoved(ctx context.Context, mails ...store.Mail) error {
	return l.advance(ctx, store.Moved, "", mails)
}

func (l *incoming) advance(ctx context.Context, to store.State, outcome string, mails []store.Mail) error {
	doing := fmt.Sprintf("record %d mails as %s", len(mails), to)
	ids := make([]int64, len(mails))
	for i, m := range mails {
		ids[i] = m.ID
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return l.Group(ctx, func(ctx context.Context) error {
		n, err := l.execByID(ctx, doing, "UPDATE mails SET state = CASE WHEN state < ? THEN ? ELSE state END, outcome = CASE WHEN state < 2 THEN ? ELSE outcome END WHERE", ids, to, to, outcome)
		if err == nil && n < int64(len(ids)) {
			err = fmt.Errorf("%s: %w", doing, store.ErrUnknownMail)
		}
		return err
	})
}

// Cursor returns the cursor of a mailbox; zero if it was never read.
func (l *incoming) Cursor(ctx context.Context, mailbox string) (store.Cursor, error) {
	c, _, err := first(ctx, l.db, "read cursor of "+mailbox, func(row Row) (c store.Cursor, err error) {
		err = row.Scan(&c.UIDValidity, &c.UID)
		return c, err
	}, "SELECT uidvalidity, uid FROM cursors WHERE mailbox = ?", mailbox)
	return c, err
}

// MoveCursor sets the cursor of a mailbox. It never goes back under one
// UIDValidity; a new UIDValidity is set as it is.
func (l *incoming) MoveCursor(ctx context.Context, mailbox string, c store.Cursor) error {
	return l.Send(ctx, "move cursor of "+mailbox, `INSERT INTO cursors (mailbox, uidvalidity, uid) VALUES (?1, ?2, ?3)
		ON CONFLICT (mailbox) DO UPDATE SET
			uid = CASE WHEN cursors.uidvalidity = ?2 AND cursors.uid > ?3 THEN cursors.uid ELSE ?3 END,
			uidvalidity = ?2`,
		mailbox, c.UIDValidity, c.UID)
}

// ForgetCursors deletes all cursors, so that every mailbox is read from its beginning again.
func (l *incoming) ForgetCursors(ctx context.Context) error {
	_, err := l.Exec(ctx, "reset mailbox cursors", "DELETE FROM cursors")
	return err
}

// Probe returns an error if no mail can be stored now. It leaves nothing
// behind.
func (l *incoming) Probe(ctx context.Context) error {
	err := l.StoreRaw(ctx, math.MaxInt64, make([]byte, 64<<10))
	if err == nil {
		_, err = l.Exec(ctx, "remove the test row", "DELETE FROM raws WHERE id = ?", int64(math.MaxInt64))
	}
	if err != nil {
		return fmt.Errorf("try the store: %w", err)
	}
	return nil
}

// Start returns where the reading of a mailbox began; known is false if it has not begun.
func (l *incoming) Start(ctx context.Context, mailbox string) (s store.Start, known bool, err error) {
	return first(ctx, l.db, "read the start of "+mailbox, func(row Row) (s store.Start, err error) {
		err = row.Scan((*micros)(&s.Since), &s.Asked, &s.UIDValidity, &s.UID, &s.Left)
		return s, err
	}, "SELECT since, asked <> 0, uidvalidity, uid, remaining FROM starts WHERE mailbox = ?", mailbox)
}

// SetStart notes where the reading of a mailbox begins.
func (l *incoming) SetStart(ctx context.Context, mailbox string, s store.Start) error {
	_, err := l.Exec(ctx, "record the start of "+mailbox, `INSERT INTO starts (mailbox, since, asked, uidvalidity, uid, remaining) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
		ON CONFLICT (mailbox) DO UPDATE SET since = ?2, asked = ?3, uidvalidity = ?4, uid = ?5, remaining = ?6`,
		mailbox, stamp(s.Since), flag(s.Asked), s.UIDValidity, s.UID, s.Left)
	return err
}

// Received returns the mails that came in at or after since and before until, in order
// of arrival. Mails with equal bytes count as one. A zero until means no limit.
func (l *incoming) Received(ctx context.Context, since, until time.Time) (all []store.Mail, err error) {
	end := int64(math.MaxInt64)
	if !until.IsZero() {
		end = stamp(until)
	}
	came, err := l.mails(ctx, "list mails in the store", "received_at >= ? AND received_at < ? ORDER BY received_at, uid", stamp(since), end)
	seen := map[string]bool{}
	for _, m := range came {
		if !seen[m.SHA256] {
			seen[m.SHA256] = true
			all = append(all, m)
		}
	}
	return all, err
}
