package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Start is where the reading of a mailbox began. Mails that were there before it
// are left there, see Admits.
type Start struct {
	Since time.Time `json:"since,omitzero"` // zero: everything is taken in
	// Asked tells that someone named Since: then it does not matter whether a mail
	// was read by a person.
	Asked bool `json:"asked,omitempty"`
	// UIDValidity and UID are of the last mail that lay there at the start. What comes
	// later is taken in, whatever its date.
	UIDValidity uint32 `json:"uidvalidity"`
	UID         uint32 `json:"uid"`
	Left        int    `json:"left"` // how many stayed
}

// Admits tells whether a mail is taken in: its UID under the validity of the start, the
// date at which the server got it, zero if it does not say, and whether someone
// has read it.
func (s Start) Admits(uid uint32, arrived time.Time, seen bool) bool {
	if uid > s.UID || s.Since.IsZero() {
		return true
	}
	return !arrived.Before(s.Since) && (s.Asked || !seen)
}

// startTrace is a start in the journal.
type startTrace struct {
	Mailbox string `json:"mailbox"`
	Start
}

const putStart = `INSERT INTO starts (mailbox, since, asked, uidvalidity, uid, remaining) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
	ON CONFLICT (mailbox) DO UPDATE SET since = ?2, asked = ?3, uidvalidity = ?4, uid = ?5, remaining = ?6`

func (t startTrace) row() []any {
	return []any{t.Mailbox, stamp(t.Since), t.Asked, t.UIDValidity, t.UID, t.Left}
}

const startColumns = "mailbox, since, asked, uidvalidity, uid, remaining"

func scanStart(row scanner) (t startTrace, err error) {
	err = row.Scan(&t.Mailbox, (*micros)(&t.Since), &t.Asked, &t.UIDValidity, &t.UID, &t.Left)
	return t, err
}

// Start gives where the reading of a mailbox began; known is false before that.
func (l *Ledger) Start(ctx context.Context, mailbox string) (s Start, known bool, err error) {
	t, err := scanStart(l.db.QueryRowContext(ctx, "SELECT "+startColumns+" FROM starts WHERE mailbox = ?", mailbox))
	if errors.Is(err, sql.ErrNoRows) {
		return Start{}, false, nil
	}
	if err != nil {
		return Start{}, false, fmt.Errorf("read the start of %s: %w", mailbox, err)
	}
	return t.Start, true, nil
}

// SetStart notes where the reading of a mailbox begins.
func (l *Ledger) SetStart(ctx context.Context, mailbox string, s Start) error {
	s.Since = s.Since.UTC()
	t := startTrace{mailbox, s}
	err := l.within(ctx, func(tx *transaction) error {
		if err := l.note(ctx, trace{Start: &t}); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, putStart, t.row()...)
		return err
	})
	if err != nil {
		return fmt.Errorf("record the start of %s: %w", mailbox, err)
	}
	return nil
}
