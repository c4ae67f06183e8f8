package store

import (
	"context"
	"time"
)

// Start is where the reading of a mailbox began. Mails that were there before it
// are left there, see Admits.
type Start struct {
	Since time.Time // zero: everything is taken in
	// Asked tells that someone named Since: then it does not matter whether a mail
	// was read by a person.
	Asked bool
	// UIDValidity and UID are of the last mail that lay there at the start. What comes
	// later is taken in, whatever its date.
	UIDValidity uint32
	UID         uint32
	Left        int // how many stayed
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

// Start gives where the reading of a mailbox began; known is false before that.
func (l *Store) Start(ctx context.Context, mailbox string) (s Start, known bool, err error) {
	return first(ctx, l, "read the start of "+mailbox, func(row scanner) (s Start, err error) {
		err = row.Scan((*micros)(&s.Since), &s.Asked, &s.UIDValidity, &s.UID, &s.Left)
		return s, err
	}, "SELECT since, asked, uidvalidity, uid, remaining FROM starts WHERE mailbox = ?", mailbox)
}

// SetStart notes where the reading of a mailbox begins.
func (l *Store) SetStart(ctx context.Context, mailbox string, s Start) error {
	_, err := l.exec(ctx, "record the start of "+mailbox, `INSERT INTO starts (mailbox, since, asked, uidvalidity, uid, remaining) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
		ON CONFLICT (mailbox) DO UPDATE SET since = ?2, asked = ?3, uidvalidity = ?4, uid = ?5, remaining = ?6`,
		mailbox, stamp(s.Since), s.Asked, s.UIDValidity, s.UID, s.Left)
	return err
}
