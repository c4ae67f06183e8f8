package hosted_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/store"
	"starpost/pbem/store/hosted"
	"starpost/pbem/store/postgres"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/store/sqlstore"
	"starpost/pbem/testkit/postgrestest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// work stores something of each kind.
func work(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	ctx := t.Context()
	raw := []byte("Subject: orders\r\n\r\npower\r\n")
	m := store.Mail{Ref: store.Ref{Mailbox: "box", UIDValidity: 4294967295, UID: 7}, SHA256: store.ContentHash(raw), MessageID: "m@x", ReceivedAt: noon, Arrived: noon}
	id, err := s.RecordStored(ctx, m, raw)
	m.ID = id
	_, qerr := s.Queue(ctx,
		store.OutboxMessage{Game: "wolf", Kind: store.Ack, MessageID: "a@x", From: "r@x", To: "ann@x", Bytes: []byte("mail"), QueuedAt: noon},
		store.OutboxMessage{Game: "wolf", Kind: store.Report, MessageID: "b@x", From: "r@x", To: "bob@x", Path: "turns/0001/b.eml", QueuedAt: noon, NextTry: noon.Add(time.Hour)})
	_, aerr := s.RecordAnswer(ctx, "ann@x", "ack", m.SHA256, noon)
	_, eerr := s.RecordEvent(ctx, store.Event{Game: "wolf", Turn: 1, Name: "grace", At: noon, Detail: "x"})
	_, berr := s.RecordBounce(ctx, store.Bounce{Cause: "c", MessageID: "a@x", Address: "ann@x", At: noon.Add(time.Hour), Permanent: true, Status: "5.1.1"})
	_, terr := s.QueueTurn(ctx, "wolf", 3)
	_, lerr := s.Lease(ctx, "wolf", "here", noon, noon.Add(time.Minute))
	if err := errors.Join(err, qerr, aerr, eerr, berr, terr, lerr,
		s.RecordAnswered(ctx, "done", m), s.MoveCursor(ctx, "box", store.Cursor{UIDValidity: 4294967295, UID: 7}),
		s.SetStart(ctx, "box", store.Start{Since: noon, Asked: true, UIDValidity: 1, UID: 2, Left: 3}),
		s.RecordUnanswered(ctx, "bob@x", store.Unanswered{Cause: "d", At: noon}),
		s.RecordIdle(ctx, store.IdleGame{Game: "wolf", Seen: "1", Detail: "{}"})); err != nil {
		t.Fatal(err)
	}
}

// A host can move from a file to a database, and back by a snapshot: everything except leases is kept, and new mails get new IDs.
func TestPostgresFromAFileAndBack(t *testing.T) {
	at := postgrestest.Place(t)
	c := &config.Config{State: t.TempDir(), Store: &config.Store{URL: at.URL}}
	file, err := sqlite.Open(hosted.File(c))
	if err != nil {
		t.Fatal(err)
	}
	work(t, file.Store)
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := postgres.Init(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	if mails, err := hosted.Fill(t.Context(), c); err != nil || mails != 1 {
		t.Fatalf("%d mails, %v", mails, err)
	}
	if _, err := hosted.Fill(t.Context(), c); !errors.Is(err, sqlstore.ErrFilled) {
		t.Errorf("filled twice: %v", err)
	}
	back := filepath.Join(t.TempDir(), "ledger.db")
	if mails, err := hosted.Snapshot(t.Context(), c, back, nil); err != nil || mails != 1 {
		t.Fatalf("%d mails, %v", mails, err)
	}
	was, is := rows(t, hosted.File(c)), rows(t, back)
	if was != is || len(was) < 500 {
		t.Errorf("it was\n%s\nand is\n%s", was, is)
	}
	if err := hosted.Change(t.Context(), c, func(s *sqlstore.Store) error {
		if n, err := s.Queue(t.Context(), store.OutboxMessage{MessageID: "new@x", From: "r@x", To: "cid@x", Bytes: []byte("x")}); err != nil || n != 1 {
			t.Errorf("queued %d, %v", n, err)
		}
		l, err := s.Lease(t.Context(), "wolf", "there", noon, noon.Add(time.Minute))
		if l.Holder != "there" {
			t.Errorf("the lease came with it: %+v", l)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	if o, err := hosted.Inspect(t.Context(), c); err != nil || o.Waiting != 3 || len(o.Bouncing) != 1 {
		t.Errorf("%+v, %v", o, err)
	}
}

// A missing password file is reported before connecting to the server.
func TestPasswordOfTheStoreIsMissing(t *testing.T) {
	c := &config.Config{State: t.TempDir(), Store: &config.Store{URL: "postgres://x@127.0.0.1:1/x", PasswordFile: filepath.Join(t.TempDir(), "db")}}
	if _, err := hosted.Inspect(t.Context(), c); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// rows returns the contents of a store file, except leases and the commit counter.
func rows(t *testing.T, path string) string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	names := "mails raws cursors starts outbox letters games answers unanswered events bounces idle"
	var b strings.Builder
	for table := range strings.FieldsSeq(names) {
		all, err := db.QueryContext(t.Context(), "SELECT * FROM "+table+" ORDER BY 1")
		if err != nil {
			t.Fatal(err)
		}
		columns, err := all.Columns()
		if err != nil {
			t.Fatal(err)
		}
		for all.Next() {
			row, to := make([]any, len(columns)), make([]any, len(columns))
			for i := range row {
				to[i] = &row[i]
			}
			if err := all.Scan(to...); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&b, table, row)
		}
		if err := errors.Join(all.Err(), all.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}
