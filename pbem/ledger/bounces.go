package ledger

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Bounce is one mail of ours that a mail server could not deliver, as it
// reports.
type Bounce struct {
	Cause      string    `json:"cause"`      // SHA-256 of the report
	MessageID  string    `json:"message_id"` // of our mail
	Address    string    `json:"address"`    // to which it went, in lower case
	At         time.Time `json:"at"`         // when the report came
	Permanent  bool      `json:"permanent,omitempty"`
	Status     string    `json:"status,omitempty"` // as RFC 3463 has it: "5.1.1"
	Diagnostic string    `json:"diagnostic,omitempty"`
}

const (
	bounceColumns = "cause, message_id, address, at, permanent, status, diagnostic"
	putBounce     = "INSERT INTO bounces (" + bounceColumns + ") VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)

func (b Bounce) row() []any {
	return []any{b.Cause, b.MessageID, strings.ToLower(b.Address), stamp(b.At), b.Permanent, b.Status, b.Diagnostic}
}

func scanBounce(row scanner) (b Bounce, err error) {
	err = row.Scan(&b.Cause, &b.MessageID, &b.Address, (*micros)(&b.At), &b.Permanent, &b.Status, &b.Diagnostic)
	return b, err
}

// RecordBounce notes a bounce and reports whether it is a new one: one report
// about one mail counts once.
func (l *Ledger) RecordBounce(ctx context.Context, b Bounce) (first bool, err error) {
	b.Address = strings.ToLower(b.Address)
	if first, err = l.put(ctx, trace{Bounce: &b}, putBounce, b.row()...); err != nil {
		return false, fmt.Errorf("record bounce of %q: %w", b.MessageID, err)
	}
	return first, nil
}

// FailingAfter is how many mails to an address must have come back for good, since
// anything was heard from there, for the address to count as failing.
const FailingAfter = 3

// Bouncing is how deliveries to an address fail.
type Bouncing struct {
	Address string    `json:"address"`
	Mails   int       `json:"letters"` // different ones refused for good since a mail came from there
	All     int       `json:"all"`     // reports about the address, delays too
	Last    time.Time `json:"last"`
	Why     string    `json:"why"` // of the last permanent one
}

// mailsLost counts the mails that were lost since the address was last heard
// of.
const mailsLost = `count(DISTINCT CASE WHEN permanent AND at > coalesce((SELECT max(a.at) FROM answers a WHERE a.sender = bounces.address), 0)
	THEN message_id END)`

// Bounces tells how deliveries to an address fail; false if none ever did.
func (l *Ledger) Bounces(ctx context.Context, address string) (Bouncing, bool, error) {
	all, err := l.bouncing(ctx, "WHERE address = ?", strings.ToLower(address))
	if err != nil || len(all) == 0 {
		return Bouncing{}, false, err
	}
	return all[0], true, nil
}

// AllBounces tells of every address from which mails came back, sorted.
func (l *Ledger) AllBounces(ctx context.Context) ([]Bouncing, error) { return l.bouncing(ctx, "") }

func (l *Ledger) bouncing(ctx context.Context, where string, args ...any) ([]Bouncing, error) {
	return collect(ctx, l.db, "list bounces", func(row scanner) (b Bouncing, err error) {
		err = row.Scan(&b.Address, &b.Mails, &b.All, (*micros)(&b.Last), &b.Why)
		b.Why = strings.TrimSpace(b.Why)
		return b, err
	}, "SELECT address, "+mailsLost+`, count(*), max(at),
		coalesce((SELECT b.status || ' ' || b.diagnostic FROM bounces b WHERE b.address = bounces.address AND b.permanent ORDER BY b.at DESC LIMIT 1), '')
		FROM bounces `+where+" GROUP BY address ORDER BY address", args...)
}

// Unanswered is a mail that was acted on but not answered, for there had been
// too many answers to its sender.
type Unanswered struct {
	Cause string // SHA-256 of the mail
	At    time.Time
}

// RecordUnanswered notes a mail that is not answered.
func (l *Ledger) RecordUnanswered(ctx context.Context, sender string, u Unanswered) error {
	return l.exec(ctx, "record mail without an answer", "INSERT INTO unanswered (sender, cause, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
		strings.ToLower(sender), u.Cause, stamp(u.At))
}

// Unanswered lists the mails of a sender that were not answered, oldest first.
func (l *Ledger) Unanswered(ctx context.Context, sender string) ([]Unanswered, error) {
	return collect(ctx, l.db, "list mails without an answer", func(row scanner) (u Unanswered, err error) {
		err = row.Scan(&u.Cause, (*micros)(&u.At))
		return u, err
	}, "SELECT cause, at FROM unanswered WHERE sender = ? ORDER BY at, cause", strings.ToLower(sender))
}

// ForgetUnanswered drops the notes of mails of a sender that came at or before a
// moment: he was told of them.
func (l *Ledger) ForgetUnanswered(ctx context.Context, sender string, until time.Time) error {
	return l.exec(ctx, "forget mails without an answer", "DELETE FROM unanswered WHERE sender = ? AND at <= ?", strings.ToLower(sender), stamp(until))
}

// AnswersOfKind counts the answers of one kind at or after since, to whomever; what
// one cause brought to several addresses counts once.
func (l *Ledger) AnswersOfKind(ctx context.Context, kind string, since time.Time) (int, error) {
	return get[int](ctx, l, "count answers", "SELECT count(DISTINCT cause) FROM answers WHERE kind = ? AND at >= ?", kind, stamp(since))
}
