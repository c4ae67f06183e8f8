package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"starpost/engine"
)

// put puts a row that is there at most once into a table, whose columns stand behind
// its name, and reports whether it is new.
func (l *Store) put(ctx context.Context, doing, table string, values ...any) (first bool, err error) {
	n, err := l.exec(ctx, doing, "INSERT INTO "+table+" VALUES (?"+strings.Repeat(", ?", len(values)-1)+") ON CONFLICT DO NOTHING", values...)
	return n > 0, err
}

// reminded begins the name of the event that someone was reminded.
const reminded = "remind "

// RecordReminder notes that a captain was reminded of a turn, or with "" that all were who could be. which tells the
// reminders of one turn apart, such as "24h". It reports whether this is the
// first time: only then is a mail due.
func (l *Store) RecordReminder(ctx context.Context, game string, turn int, captain engine.CaptainName, which string, at time.Time) (first bool, err error) {
	return l.RecordEvent(ctx, Event{Game: game, Turn: turn, Name: reminded + which, Subject: string(captain), At: at})
}

// Reminders gives which reminders of a turn went out, to anyone, sorted.
func (l *Store) Reminders(ctx context.Context, game string, turn int) ([]string, error) {
	return collect(ctx, l, fmt.Sprintf("list reminders of %s turn %d", game, turn), func(row scanner) (which string, err error) {
		err = row.Scan(&which)
		return strings.TrimPrefix(which, reminded), err
	}, "SELECT DISTINCT name FROM events WHERE game = ? AND turn = ? AND name LIKE '"+reminded+"%' ORDER BY name", game, turn)
}

// RecordAnswer notes that a sender was answered. cause is what was answered,
// such as the content hash of the mail, or the day for something that is sent
// once a day; the same sender, kind and cause count once. It reports whether
// this is the first time. Senders are told apart without regard to case.
func (l *Store) RecordAnswer(ctx context.Context, sender, kind, cause string, at time.Time) (first bool, err error) {
	return l.put(ctx, "record answer", "answers (sender, kind, cause, at)", strings.ToLower(sender), kind, cause, stamp(at))
}

// OfSeat begins the kinds of answers that are counted by the seat of a captain, not with the
// others to his address.
const OfSeat = "seat "

// Answers counts the answers to a sender at or after since, of one kind or, with kind "", of all
// but those OfSeat.
func (l *Store) Answers(ctx context.Context, sender, kind string, since time.Time) (int, error) {
	a, err := l.AnswerHistory(ctx, sender, kind, since)
	return a.Lately, err
}

// Answered gives what was answered to a sender, of one kind, since a moment and before another,
// newest first: see RecordAnswer.
func (l *Store) Answered(ctx context.Context, sender, kind string, since, before time.Time) (causes []string, err error) {
	return collect(ctx, l, "list answers", func(row scanner) (cause string, err error) {
		err = row.Scan(&cause)
		return cause, err
	}, "SELECT cause FROM answers WHERE sender = ? AND kind = ? AND at >= ? AND at < ? ORDER BY at DESC, cause", strings.ToLower(sender), kind, stamp(since), stamp(before))
}

// AnswerHistory is what there is to know before a mail is answered.
type AnswerHistory struct {
	Lately int       // answers to the sender, as Answers counts them
	Oldest time.Time // when the first of them went; zero for none
	Missed bool      // there are mails of his that were not answered
}

// AnswerHistory looks up how a sender was answered: see Answers and Unanswered.
func (l *Store) AnswerHistory(ctx context.Context, sender, kind string, since time.Time) (AnswerHistory, error) {
	a, _, err := first(ctx, l, "look up what was answered", func(row scanner) (a AnswerHistory, err error) {
		err = row.Scan(&a.Lately, (*micros)(&a.Oldest), &a.Missed)
		return a, err
	}, "SELECT count(*), coalesce(min(at), 0), EXISTS (SELECT 1 FROM unanswered WHERE sender = ?1) FROM answers WHERE sender = ?1 AND (kind = ?2 OR ?2 = '' AND kind NOT LIKE '"+OfSeat+"%') AND at >= ?3",
		strings.ToLower(sender), kind, stamp(since))
	return a, err
}

// DeleteExpired drops the notes of answers, of mails without one, and of bounces that
// were made before that moment.
func (l *Store) DeleteExpired(ctx context.Context, before time.Time) error {
	return l.Group(ctx, func(ctx context.Context) error {
		for _, table := range []string{"answers", "unanswered", "bounces"} {
			if _, err := l.exec(ctx, "forget old notes", "DELETE FROM "+table+" WHERE at < ?", stamp(before)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Event is something that happens at most once to a subject in a turn of a
// game: the grace period was opened, the referee was told of a halt.
type Event struct {
	Game    string
	Turn    int
	Name    string // such as "grace"
	Subject string // what tells it from others of its name, such as a captain's name; "" for the whole game
	At      time.Time
	Detail  string
}

// RecordEvent notes an event and reports whether it is the first of its game,
// turn, name and subject. A later one changes nothing.
func (l *Store) RecordEvent(ctx context.Context, e Event) (first bool, err error) {
	return l.put(ctx, fmt.Sprintf("record %s of %s turn %d", e.Name, e.Game, e.Turn), "events (game, turn, name, subject, at, detail)",
		e.Game, e.Turn, e.Name, e.Subject, stamp(e.At), e.Detail)
}

// Event gives an event, if it happened.
func (l *Store) Event(ctx context.Context, game string, turn int, name, subject string) (Event, bool, error) {
	return first(ctx, l, fmt.Sprintf("look up %s of %s turn %d", name, game, turn), func(row scanner) (Event, error) {
		e := Event{Game: game, Turn: turn, Name: name, Subject: subject}
		return e, row.Scan((*micros)(&e.At), &e.Detail)
	}, "SELECT at, detail FROM events WHERE game = ? AND turn = ? AND name = ? AND subject = ?", game, turn, name, subject)
}
