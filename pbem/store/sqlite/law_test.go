package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/pbem/store"

	"pgregory.net/rapid"
)

// fataler is a *testing.T or a *rapid.T.
type fataler interface{ Fatal(args ...any) }

// dump returns the contents of a store as text.
func dump(t fataler, l *Store) string {
	var b strings.Builder
	for _, table := range []string{"mails", "cursors", "outbox", "answers", "events", "games", "bounces", "unanswered", "raws", "letters"} {
		rows, err := l.link.conn.QueryContext(context.Background(), "SELECT * FROM "+table+" ORDER BY rowid")
		if err != nil {
			t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			row, to := make([]any, len(columns)), make([]any, len(columns))
			for i := range row {
				to[i] = &row[i]
			}
			if err := rows.Scan(to...); err != nil {
				t.Fatal(err)
			}
			for i, v := range row {
				if b, ok := v.([]byte); ok {
					row[i] = store.ContentHash(b)
				}
			}
			fmt.Fprintln(&b, table, row)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// Repeating any step, at once or later, changes nothing.
func TestRepeatingChangesNothing(t *testing.T) {
	l, ctx := open(t), t.Context()
	// The law is not about durability, and syncing would take most of the time.
	execute(t, l, "PRAGMA synchronous = OFF")
	round := 0
	rapid.Check(t, func(t *rapid.T) {
		round++
		mailbox := fmt.Sprint("box", round)
		game := fmt.Sprint("game", round)
		at := func() time.Time { return noon.Add(time.Duration(rapid.IntRange(0, 9).Draw(t, "at")) * time.Hour) }
		few := func(name string) int { return rapid.IntRange(1, 3).Draw(t, name) }

		stored := map[store.Ref]bool{}
		attempts := map[string]int{}
		draw := func() func() error {
			ref := store.Ref{Mailbox: mailbox, UIDValidity: uint32(few("validity")), UID: uint32(few("uid"))}
			id := fmt.Sprintf("%d.%d@x", few("mail"), round)
			switch kind := rapid.IntRange(0, 9).Draw(t, "step"); {
			case kind == 0 || kind < 4 && !stored[ref]:
				stored[ref] = true
				m := store.Mail{Ref: ref, SHA256: fmt.Sprint(game, few("content")), MessageID: id, ReceivedAt: at()}
				return func() error {
					_, err := l.RecordStored(ctx, m, []byte(m.SHA256))
					return err
				}
			case kind < 4:
				m, _, err := l.SeenRef(ctx, ref)
				if err != nil {
					t.Fatal(err)
				}
				outcome := fmt.Sprint("outcome ", few("outcome"))
				return func() error {
					if kind == 3 {
						return l.RecordMoved(ctx, m)
					}
					return l.RecordAnswered(ctx, outcome, m)
				}
			case kind == 4:
				c := store.Cursor{UIDValidity: 1, UID: uint32(few("cursor"))}
				return func() error { return l.MoveCursor(ctx, mailbox, c) }
			case kind == 5 || kind < 8 && attempts[id] == 0:
				attempts[id] = max(attempts[id], 1)
				m := message(id)
				m.Game, m.NextTry = game, at()
				return func() error { _, err := l.Queue(ctx, m); return err }
			case kind < 8:
				m, ok, err := l.Message(ctx, id)
				if err != nil || !ok {
					t.Fatalf("mail %s: %v", id, err)
				}
				attempt, when := attempts[id], at()
				attempts[id]++
				switch few("end") + rapid.IntRange(0, 1).Draw(t, "final") {
				case 1:
					return func() error { return l.MarkRetry(ctx, m.ID, attempt, when, "busy") }
				case 2:
					return func() error { return l.MarkAmbiguous(ctx, m.ID, attempt, when, "cut") }
				case 3:
					return func() error { return l.MarkFailed(ctx, m.ID, attempt, when, "no") }
				}
				return func() error { return l.MarkSent(ctx, m.ID, attempt, when) }
			case kind == 8:
				captain, when := engine.CaptainName(fmt.Sprint("c", few("captain"))), at()
				return func() error {
					_, err := l.RecordReminder(ctx, game, 1, captain, "24h", when)
					return err
				}
			default:
				e := store.Event{Game: game, Turn: few("turn"), Name: "grace", At: at(), Detail: fmt.Sprint(few("detail"))}
				return func() error {
					if _, err := l.RecordAnswer(ctx, "ann@example.org", "ack", game+e.Detail, e.At); err != nil {
						return err
					}
					_, err := l.RecordEvent(ctx, e)
					return err
				}
			}
		}

		var done []func() error
		for range rapid.IntRange(1, 9).Draw(t, "steps") {
			step := draw()
			if err := step(); err != nil {
				t.Fatal(err)
			}
			done = append(done, step)
			before := dump(t, l)
			for range 3 {
				again := rapid.IntRange(0, len(done)-1).Draw(t, "again")
				if err := done[again](); err != nil {
					t.Fatal(err)
				}
			}
			if after := dump(t, l); after != before {
				t.Fatalf("steps done again change\n%s\nto\n%s", before, after)
			}
		}
		if _, err := l.link.conn.ExecContext(ctx, "DELETE FROM raws; DELETE FROM letters; DELETE FROM mails; DELETE FROM cursors; DELETE FROM outbox; DELETE FROM answers; DELETE FROM events"); err != nil {
			t.Fatal(err)
		}
	})
}
