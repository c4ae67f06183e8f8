package sqlstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/store"
)

// put inserts a row into a table unless it is there already, and reports whether it is
// new. table is the table's name followed by its columns.
func (l *notes) put(ctx context.Context, doing, table string, values ...any) (first bool, err error) {
	n, err := l.Exec(ctx, doing, "INSERT INTO "+table+" VALUES (?"+strings.Repeat(", ?", len(values)-1)+") ON CONFLICT DO NOTHING", values...)
	return n > 0, err
}

// reminded is the prefix of the names of reminder events.
const reminded = "remind "

// RecordReminder notes that a captain was reminded of a turn; with captain "", that all who could be were. which
// distinguishes the reminders of one turn, such as "24h". It reports whether this is the
// first time: only then is a mail due.
func (l *notes) RecordReminder(ctx context.Context, game string, turn int, captain engine.CaptainName, which string, at time.Time) (first bool, err error) {
	return l.RecordEvent(ctx, store.Event{Game: game, Turn: turn, Name: reminded + which, Subject: string(captain), At: at})
}

// Reminders returns the distinct reminders of a turn (see RecordReminder) that went out to anyone, sorted.
func (l *notes) Reminders(ctx context.Context, game string, turn int) ([]string, error) {
	return collect(ctx, l.db, fmt.Sprintf("list reminders of %s turn %d", game, turn), func(row Row) (which string, err error) {
		err = row.Scan(&which)
		return strings.TrimPrefix(which, reminded), err
	}, "SELECT DISTINCT name FROM events WHERE game = ? AND turn = ? AND name LIKE '"+reminded+"%' ORDER BY name", game, turn)
}

// RecordAnswer notes that a sender was answered. cause identifies what was answered,
// such as the content hash of the mail, or the day for an answer sent once
// a day; the same sender, kind and cause count once. It reports whether
// this is the first time. Senders are compared without regard to case.
func (l *notes) RecordAnswer(ctx context.Context, sender, kind, cause string, at time.Time) (first bool, err error) {
	return l.put(ctx, "record answer", "answers (sender, kind, cause, at)", strings.ToLower(sender), kind, cause, stamp(at))
}

// Answers counts the answers to a sender at or after since, of one kind or, with kind "", of all
// kinds except those with the prefix OfSeat.
func (l *notes) Answers(ctx context.Context, sender, kind string, since time.Time) (int, error) {
	a, err := l.AnswerHistory(ctx, sender, kind, since)
	return a.Lately, err
}

// Answered returns the causes (see RecordAnswer) of the answers of one kind to a sender, at or after
// since and before another time, newest first.
func (l *notes) Answered(ctx context.Context, sender, kind string, since, before time.Time) (causes []string, err error) {
	return collect(ctx, l.db, "list answers", func(row Row) (cause string, err error) {
		err = row.Scan(&cause)
		return cause, err
	}, "SELECT cause FROM answers WHERE sender = ? AND kind = ? AND at >= ? AND at < ? ORDER BY at DESC, cause", strings.ToLower(sender), kind, stamp(since), stamp(before))
}

// AnswerHistory summarizes the earlier answers to a sender: see Answers and Unanswered.
func (l *notes) AnswerHistory(ctx context.Context, sender, kind string, since time.Time) (store.AnswerHistory, error) {
	a, _, err := first(ctx, l.db, "look up answers", func(row Row) (a store.AnswerHistory, err error) {
		err = row.Scan(&a.Lately, (*micros)(&a.Oldest), &a.Missed)
		return a, err
	}, "SELECT count(*), coalesce(min(at), 0), EXISTS (SELECT 1 FROM unanswered WHERE sender = ?1) FROM answers WHERE sender = ?1 AND (kind = ?2 OR ?2 = '' AND kind NOT LIKE '"+store.OfSeat+"%') AND at >= ?3",
		strings.ToLower(sender), kind, stamp(since))
	return a, err
}

// DeleteExpired deletes the notes of answers, unanswered mails and bounces
// from before that moment.
func (l *notes) DeleteExpired(ctx context.Context, before time.Time) error {
	return l.Group(ctx, func(ctx context.Context) error {
		for _, table := range []string{"answers", "unanswered", "bounces"} {
			if _, err := l.Exec(ctx, "delete old notes", "DELETE FROM "+table+" WHERE at < ?", stamp(before)); err != nil {
				return err
			}
		}
		return nil
	})
}

// RecordEvent notes an event and reports whether it is the first of its game,
// turn, name and subject. A later one changes nothing.
func (l *notes) RecordEvent(ctx context.Context, e store.Event) (first bool, err error) {
	return l.put(ctx, fmt.Sprintf("record %s of %s turn %d", e.Name, e.Game, e.Turn), "events (game, turn, name, subject, at, detail)",
		e.Game, e.Turn, e.Name, e.Subject, stamp(e.At), e.Detail)
}

// Event returns an event, and false if it has not happened.
func (l *notes) Event(ctx context.Context, game string, turn int, name, subject string) (store.Event, bool, error) {
	return first(ctx, l.db, fmt.Sprintf("look up %s of %s turn %d", name, game, turn), func(row Row) (store.Event, error) {
		e := store.Event{Game: game, Turn: turn, Name: name, Subject: subject}
		return e, row.Scan((*micros)(&e.At), &e.Detail)
	}, "SELECT at, detail FROM events WHERE game = ? AND turn = ? AND name = ? AND subject = ?", game, turn, name, subject)
}

// RecordBounce notes a bounce and reports whether it is new. One report
// about one mail counts once.
func (l *notes) RecordBounce(ctx context.Context, b store.Bounce) (first bool, err error) {
	return l.put(ctx, fmt.Sprintf("record bounce of %q", b.MessageID), "bounces (cause, message_id, address, at, permanent, status, diagnostic)",
		b.Cause, b.MessageID, strings.ToLower(b.Address), stamp(b.At), flag(b.Permanent), b.Status, b.Diagnostic)
}

// mailsLost counts the mails permanently refused since the last answer to the
// address.
const mailsLost = `count(DISTINCT CASE WHEN permanent <> 0 AND at > coalesce((SELECT max(a.at) FROM answers a WHERE a.sender = bounces.address), 0)
	THEN message_id END)`

// Bounces summarizes the failed deliveries to an address; false if there were none.
func (l *notes) Bounces(ctx context.Context, address string) (store.Bouncing, bool, error) {
	return first(ctx, l.db, "list bounces", scanBouncing, fmt.Sprintf(bouncing, "WHERE address = ?"), strings.ToLower(address))
}

// allBounces summarizes the failed deliveries to every address, sorted by address.
func (l *notes) allBounces(ctx context.Context) ([]store.Bouncing, error) {
	return collect(ctx, l.db, "list bounces", scanBouncing, fmt.Sprintf(bouncing, ""))
}

const bouncing = "SELECT address, " + mailsLost + `, count(*), max(at),
	coalesce((SELECT b.status || ' ' || b.diagnostic FROM bounces b WHERE b.address = bounces.address AND b.permanent <> 0 ORDER BY b.at DESC LIMIT 1), '')
	FROM bounces %s GROUP BY address ORDER BY address`

func scanBouncing(row Row) (b store.Bouncing, err error) {
	err = row.Scan(&b.Address, &b.Mails, &b.All, (*micros)(&b.Last), &b.Why)
	b.Why = strings.TrimSpace(b.Why)
	return b, err
}

// RecordUnanswered notes a mail that was acted on but not answered.
func (l *notes) RecordUnanswered(ctx context.Context, sender string, u store.Unanswered) error {
	_, err := l.put(ctx, "record mail without an answer", "unanswered (sender, cause, at)", strings.ToLower(sender), u.Cause, stamp(u.At))
	return err
}

// Unanswered lists the mails of a sender that were not answered, oldest first.
func (l *notes) Unanswered(ctx context.Context, sender string) ([]store.Unanswered, error) {
	return collect(ctx, l.db, "list mails without an answer", func(row Row) (u store.Unanswered, err error) {
		err = row.Scan(&u.Cause, (*micros)(&u.At))
		return u, err
	}, "SELECT cause, at FROM unanswered WHERE sender = ? ORDER BY at, cause", strings.ToLower(sender))
}

// ForgetUnanswered deletes the notes of a sender's unanswered mails up to and including
// until: the sender has been told about them.
func (l *notes) ForgetUnanswered(ctx context.Context, sender string, until time.Time) error {
	_, err := l.Exec(ctx, "forget mails without an answer", "DELETE FROM unanswered WHERE sender = ? AND at <= ?", strings.ToLower(sender), stamp(until))
	return err
}

// AnswersOfKind counts the answers of one kind at or after since, to any sender. Answers
// with one cause to several addresses count once.
func (l *notes) AnswersOfKind(ctx context.Context, kind string, since time.Time) (int, error) {
	return Get[int](ctx, l.db, "count answers", "SELECT count(DISTINCT cause) FROM answers WHERE kind = ? AND at >= ?", kind, stamp(since))
}

// RecordIdle notes games in which there is nothing to do, replacing earlier notes of these games.
func (l *notes) RecordIdle(ctx context.Context, games ...store.IdleGame) error {
	return l.Group(ctx, func(ctx context.Context) error {
		for _, g := range games {
			if _, err := l.Exec(ctx, "note an idle game", "INSERT INTO idle (game, seen, detail) VALUES (?, ?, ?) ON CONFLICT (game) DO UPDATE SET seen = excluded.seen, detail = excluded.detail", g.Game, g.Seen, g.Detail); err != nil {
				return err
			}
		}
		return nil
	})
}

// IdleGames returns the games noted by RecordIdle, sorted by name.
func (l *notes) IdleGames(ctx context.Context) ([]store.IdleGame, error) {
	return collect(ctx, l.db, "list idle games", func(row Row) (g store.IdleGame, err error) {
		err = row.Scan(&g.Game, &g.Seen, &g.Detail)
		return g, err
	}, "SELECT game, seen, detail FROM idle ORDER BY game")
}

// Lease leases a game to a holder until a moment, unless another holder has it now, and returns
// the lease then in force. It never shortens a lease. Processes that have the same store open
// see each other's leases; if they run on several machines, the clocks must agree.
func (l *notes) Lease(ctx context.Context, game, holder string, now, until time.Time) (got store.Lease, err error) {
	err = l.Group(ctx, func(ctx context.Context) error {
		if _, err := l.Exec(ctx, "lease "+game, `INSERT INTO leases (game, holder, until) VALUES (?1, ?2, ?3)
			ON CONFLICT (game) DO UPDATE SET holder = ?2, until = CASE WHEN leases.holder = ?2 AND leases.until > ?3 THEN leases.until ELSE ?3 END
			WHERE leases.holder = ?2 OR leases.until <= ?4`, game, holder, stamp(until), stamp(now)); err != nil {
			return err
		}
		got, _, err = first(ctx, l.db, "look up the lease of "+game, func(row Row) (got store.Lease, err error) {
			err = row.Scan(&got.Holder, (*micros)(&got.Until))
			return got, err
		}, "SELECT holder, until FROM leases WHERE game = ?", game)
		return err
	})
	return got, err
}

// ForgetLeases ends the leases of all games for any holder. It is for a store used by a single process.
func (l *notes) ForgetLeases(ctx context.Context) error {
	_, err := l.Exec(ctx, "forget leases", "DELETE FROM leases")
	return err
}

// EndLeases ends all leases of a holder.
func (l *notes) EndLeases(ctx context.Context, holder string) error {
	_, err := l.Exec(ctx, "end leases", "DELETE FROM leases WHERE holder = ?", holder)
	return err
}
