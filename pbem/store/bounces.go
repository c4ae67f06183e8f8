package store

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Bounce is one mail of ours that a mail server could not deliver, as it
// reports.
type Bounce struct {
	Cause      string    // SHA-256 of the report
	MessageID  string    // of our mail
	Address    string    // to which it went, in lower case
	At         time.Time // when the report came
	Permanent  bool
	Status     string // as RFC 3463 has it: "5.1.1"
	Diagnostic string
}

// RecordBounce notes a bounce and reports whether it is a new one: one report
// about one mail counts once.
func (l *Store) RecordBounce(ctx context.Context, b Bounce) (first bool, err error) {
	return l.put(ctx, fmt.Sprintf("record bounce of %q", b.MessageID), "bounces (cause, message_id, address, at, permanent, status, diagnostic)",
		b.Cause, b.MessageID, strings.ToLower(b.Address), stamp(b.At), b.Permanent, b.Status, b.Diagnostic)
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
func (l *Store) Bounces(ctx context.Context, address string) (Bouncing, bool, error) {
	return first(ctx, l, "list bounces", scanBouncing, fmt.Sprintf(bouncing, "WHERE address = ?"), strings.ToLower(address))
}

// AllBounces tells of every address from which mails came back, sorted.
func (l *Store) AllBounces(ctx context.Context) ([]Bouncing, error) {
	return collect(ctx, l, "list bounces", scanBouncing, fmt.Sprintf(bouncing, ""))
}

const bouncing = "SELECT address, " + mailsLost + `, count(*), max(at),
	coalesce((SELECT b.status || ' ' || b.diagnostic FROM bounces b WHERE b.address = bounces.address AND b.permanent ORDER BY b.at DESC LIMIT 1), '')
	FROM bounces %s GROUP BY address ORDER BY address`

func scanBouncing(row scanner) (b Bouncing, err error) {
	err = row.Scan(&b.Address, &b.Mails, &b.All, (*micros)(&b.Last), &b.Why)
	b.Why = strings.TrimSpace(b.Why)
	return b, err
}

// Unanswered is a mail that was acted on but not answered, for there had been
// too many answers to its sender.
type Unanswered struct {
	Cause string // SHA-256 of the mail
	At    time.Time
}

// RecordUnanswered notes a mail that is not answered.
func (l *Store) RecordUnanswered(ctx context.Context, sender string, u Unanswered) error {
	_, err := l.put(ctx, "record mail without an answer", "unanswered (sender, cause, at)", strings.ToLower(sender), u.Cause, stamp(u.At))
	return err
}

// Unanswered lists the mails of a sender that were not answered, oldest first.
func (l *Store) Unanswered(ctx context.Context, sender string) ([]Unanswered, error) {
	return collect(ctx, l, "list mails without an answer", func(row scanner) (u Unanswered, err error) {
		err = row.Scan(&u.Cause, (*micros)(&u.At))
		return u, err
	}, "SELECT cause, at FROM unanswered WHERE sender = ? ORDER BY at, cause", strings.ToLower(sender))
}

// ForgetUnanswered drops the notes of mails of a sender that came at or before a
// moment: he was told of them.
func (l *Store) ForgetUnanswered(ctx context.Context, sender string, until time.Time) error {
	_, err := l.exec(ctx, "forget mails without an answer", "DELETE FROM unanswered WHERE sender = ? AND at <= ?", strings.ToLower(sender), stamp(until))
	return err
}

// AnswersOfKind counts the answers of one kind at or after since, to whomever; what
// one cause brought to several addresses counts once.
func (l *Store) AnswersOfKind(ctx context.Context, kind string, since time.Time) (int, error) {
	return get[int](ctx, l, "count answers", "SELECT count(DISTINCT cause) FROM answers WHERE kind = ? AND at >= ?", kind, stamp(since))
}
