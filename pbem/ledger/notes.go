package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// What puts a row that is there at most once.
const (
	putReminder = "INSERT INTO reminders (game, turn, captain, which, sent_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
	putAnswer   = "INSERT INTO answers (sender, kind, cause, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
	putEvent    = "INSERT INTO events (game, turn, name, subject, at, detail) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)

// put puts a row and, if it is new, leaves a trace of it.
func (l *Ledger) put(ctx context.Context, one trace, query string, args ...any) (first bool, err error) {
	err = l.within(ctx, func(tx *transaction) error {
		if first, err = inserted(tx.ExecContext(ctx, query, args...)); err != nil || !first {
			return err
		}
		return l.note(ctx, one)
	})
	return first && err == nil, err
}

// RecordReminder notes that a captain was reminded of a turn. which tells the
// reminders of one turn apart, such as "24h". It reports whether this is the
// first time: only then is a mail due.
func (l *Ledger) RecordReminder(ctx context.Context, game string, turn int, captain, which string, at time.Time) (first bool, err error) {
	first, err = l.put(ctx, trace{Reminder: &reminderTrace{game, turn, captain, which, at}}, putReminder, game, turn, captain, which, stamp(at))
	if err != nil {
		return false, fmt.Errorf("record reminder of %s turn %d: %w", game, turn, err)
	}
	return first, nil
}

// Reminders gives which reminders of a turn went out, to anyone, sorted.
func (l *Ledger) Reminders(ctx context.Context, game string, turn int) ([]string, error) {
	return collect(ctx, l.db, fmt.Sprintf("list reminders of %s turn %d", game, turn), func(row scanner) (which string, err error) {
		err = row.Scan(&which)
		return which, err
	}, "SELECT DISTINCT which FROM reminders WHERE game = ? AND turn = ? ORDER BY which", game, turn)
}

// RecordAnswer notes that a sender was answered. cause is what was answered,
// such as the content hash of the mail, or the day for something that is sent
// once a day; the same sender, kind and cause count once. It reports whether
// this is the first time. Senders are told apart without regard to case.
func (l *Ledger) RecordAnswer(ctx context.Context, sender, kind, cause string, at time.Time) (first bool, err error) {
	sender = strings.ToLower(sender)
	first, err = l.put(ctx, trace{Answer: &answerTrace{sender, kind, cause, at}}, putAnswer, sender, kind, cause, stamp(at))
	if err != nil {
		return false, fmt.Errorf("record answer: %w", err)
	}
	return first, nil
}

// Answers counts the answers to a sender at or after since, of one kind or,
// with kind "", of all.
func (l *Ledger) Answers(ctx context.Context, sender, kind string, since time.Time) (int, error) {
	return get[int](ctx, l, "count answers", "SELECT count(*) FROM answers WHERE sender = ?1 AND (?2 = '' OR kind = ?2) AND at >= ?3",
		strings.ToLower(sender), kind, stamp(since))
}

// AnswerHistory is what there is to know before a mail is answered.
type AnswerHistory struct {
	Lately int  // answers to the sender, as Answers counts them
	Missed bool // there are mails of his that were not answered
}

// AnswerHistory looks up how a sender was answered: see Answers and Unanswered.
func (l *Ledger) AnswerHistory(ctx context.Context, sender string, since time.Time) (a AnswerHistory, err error) {
	sender = strings.ToLower(sender)
	err = l.db.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM answers WHERE sender = ? AND at >= ?), EXISTS (SELECT 1 FROM unanswered WHERE sender = ?)",
		sender, stamp(since), sender).Scan(&a.Lately, &a.Missed)
	if err != nil {
		return AnswerHistory{}, fmt.Errorf("look up what was answered: %w", err)
	}
	return a, nil
}

// DeleteExpired drops the notes of answers, of mails without one, and of bounces that
// were made before that moment.
func (l *Ledger) DeleteExpired(ctx context.Context, before time.Time) error {
	err := l.within(ctx, func(tx *transaction) error {
		for _, table := range []string{"answers", "unanswered", "bounces"} {
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE at < ?", stamp(before)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("forget old notes: %w", err)
	}
	return nil
}

// Event is something that happens at most once to a subject in a turn of a
// game: the grace period was opened, the referee was told of a halt.
type Event struct {
	Game    string    `json:"game"`
	Turn    int       `json:"turn"`
	Name    string    `json:"name"`              // such as "grace"
	Subject string    `json:"subject,omitempty"` // a captain, or "" for the whole game
	At      time.Time `json:"at"`
	Detail  string    `json:"detail,omitempty"`
}

// RecordEvent notes an event and reports whether it is the first of its game,
// turn, name and subject. A later one changes nothing.
func (l *Ledger) RecordEvent(ctx context.Context, e Event) (first bool, err error) {
	first, err = l.put(ctx, trace{Event: &e}, putEvent, e.Game, e.Turn, e.Name, e.Subject, stamp(e.At), e.Detail)
	if err != nil {
		return false, fmt.Errorf("record %s of %s turn %d: %w", e.Name, e.Game, e.Turn, err)
	}
	return first, nil
}

// Event gives an event, if it happened.
func (l *Ledger) Event(ctx context.Context, game string, turn int, name, subject string) (Event, bool, error) {
	e := Event{Game: game, Turn: turn, Name: name, Subject: subject}
	err := l.db.QueryRowContext(ctx, "SELECT at, detail FROM events WHERE game = ? AND turn = ? AND name = ? AND subject = ?",
		game, turn, name, subject).Scan((*micros)(&e.At), &e.Detail)
	if errors.Is(err, sql.ErrNoRows) {
		return Event{}, false, nil
	}
	if err != nil {
		return Event{}, false, fmt.Errorf("look up %s of %s turn %d: %w", name, game, turn, err)
	}
	return e, true, nil
}
