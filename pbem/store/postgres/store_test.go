package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"starpost/pbem/fault"
	"starpost/pbem/store"
	"starpost/pbem/store/postgres"
	"starpost/pbem/store/sqlstore"
	"starpost/pbem/testkit/postgrestest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func open(t *testing.T) (*postgres.Store, postgres.Place) {
	t.Helper()
	at := postgrestest.Place(t)
	if _, err := postgres.Init(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	s, err := postgres.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, at
}

// execute runs statements on a connection of its own.
func execute(t *testing.T, at postgres.Place, statement string) {
	t.Helper()
	if err := postgrestest.Exec(t.Context(), at, statement); err != nil {
		t.Error(err)
	}
}

// with returns a place with a changed URL.
func with(t *testing.T, at postgres.Place, change func(*url.URL)) postgres.Place {
	t.Helper()
	u, err := url.Parse(at.URL)
	if err != nil {
		t.Fatal(err)
	}
	change(u)
	at.URL = u.String()
	return at
}

// Databases that are incomplete or would lose data are refused before anything is written, with advice.
func TestPostgresIsRefused(t *testing.T) {
	key := func(name, value string) func(*url.URL) {
		return func(u *url.URL) {
			q := u.Query()
			q.Set(name, value)
			u.RawQuery = q.Encode()
		}
	}
	for name, c := range map[string]struct {
		prepare string
		at      func(*url.URL)
		problem string
		way     string
		kind    error
	}{
		"no tables":              {prepare: "DROP TABLE format", problem: "no starpost tables", way: "store init"},
		"tables of later":        {prepare: "UPDATE format SET n = 99", problem: "format is 99", way: "a later one", kind: store.ErrNewer},
		"commits are not waited": {at: key("synchronous_commit", "off"), problem: "synchronous_commit = off", way: "postgresql.conf"},
		"no such database":       {at: func(u *url.URL) { u.Path = "/nothing" }, problem: `"nothing" does not exist`, way: "createdb"},
		"no such user":           {at: func(u *url.URL) { u.User = url.User("nobody") }, problem: `"nobody" does not exist`, way: "pg_hba.conf"},
		"no server":              {at: func(u *url.URL) { u.Host = "127.0.0.1:1" }, problem: "unreachable", way: "that the server runs"},
		"only a standby": {
			at: func(u *url.URL) {
				key("target_session_attrs", "read-write")(u)
				key("default_transaction_read_only", "on")(u)
			},
			problem: "unreachable", way: "promote the standby",
		},
		"another kind of address": {at: func(u *url.URL) { u.Scheme = "mysql" }, problem: "not a PostgreSQL url", way: "postgres://"},
	} {
		t.Run(name, func(t *testing.T) {
			_, at := open(t)
			if c.prepare != "" {
				execute(t, at, c.prepare)
			}
			if c.at != nil {
				at = with(t, at, c.at)
			}
			s, err := postgres.Open(t.Context(), at)
			f, ok := errors.AsType[*fault.Fault](err)
			if s != nil || !ok || !strings.Contains(err.Error(), c.problem) || !strings.Contains(f.Way, c.way) {
				t.Errorf("%v; way %+v", err, f)
			}
			if c.kind != nil && !errors.Is(err, c.kind) {
				t.Errorf("%v is not %v", err, c.kind)
			}
		})
	}
}

// A statement or commit that the server does not confirm in time, as without its synchronous standby, fails with advice.
func TestUnconfirmedIsToldWithAWay(t *testing.T) {
	for _, cause := range []error{context.Canceled, context.DeadlineExceeded} {
		err := postgres.Late(cause)
		if !store.IsTrouble(err) || !errors.Is(err, cause) || !strings.Contains(err.Error(), "did not confirm within 30 s") || !strings.Contains(fault.Hint(err), "synchronous standby") {
			t.Errorf("%v; hint %q", err, fault.Hint(err))
		}
	}
}

// Two hosts can initialize the database at once, and existing data stays.
func TestPostgresInitTwice(t *testing.T) {
	at := postgrestest.Place(t)
	done := make(chan error)
	for range 4 {
		go func() {
			_, err := postgres.Init(context.WithoutCancel(t.Context()), at)
			done <- err
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if from, err := postgres.Init(t.Context(), at); err != nil || from != postgres.Formats() {
		t.Errorf("from %d, %v", from, err)
	}
}

func letter(id string) store.OutboxMessage {
	return store.OutboxMessage{Game: "wolf", Kind: store.Ack, MessageID: id, From: "battles@example.org", To: "ann@example.org", Bytes: []byte("mail " + id), QueuedAt: noon}
}

// A lost connection undoes what was not committed; the next connection goes on.
func TestPostgresConnectionIsCut(t *testing.T) {
	s, at := open(t)
	cut := func() {
		t.Helper()
		execute(t, at, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = current_setting('application_name')")
	}
	err := s.Group(t.Context(), func(ctx context.Context) error {
		if _, err := s.Queue(ctx, letter("lost@x")); err != nil {
			return err
		}
		cut()
		_, err := s.Queue(ctx, letter("lost too@x"))
		return err
	})
	if !store.IsTrouble(err) {
		t.Errorf("a group whose connection was cut: %v", err)
	}
	if n, err := s.Waiting(t.Context()); err != nil || n != 0 {
		t.Errorf("afterwards %d wait, %v", n, err)
	}
	if _, err := s.Queue(t.Context(), letter("a@x")); err != nil {
		t.Error(err)
	}
	cut()
	for range 2 { // the first try may fail because the connection is gone
		if _, err = s.Queue(t.Context(), letter("b@x")); err == nil {
			break
		}
	}
	if n, werr := s.Waiting(t.Context()); err != nil || werr != nil || n != 2 {
		t.Errorf("%d wait, %v, %v", n, err, werr)
	}
}

// Mails with bytes that PostgreSQL does not accept as text are stored and found again.
func TestPostgresTextThatIsNone(t *testing.T) {
	s, _ := open(t)
	for _, id := range []string{"nul\x00nul@x", "latin\xe4@x", "?1 ? $1 ' \" \\ @x"} {
		m := letter(id)
		for range 2 {
			if _, err := s.Queue(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
		if found, err := s.InOutbox(t.Context(), id); err != nil || !found {
			t.Errorf("%q: %v, %v", id, found, err)
		}
		if _, err := s.RecordBounce(t.Context(), store.Bounce{Cause: id, MessageID: id, Address: id, Status: id, Diagnostic: id, Permanent: true, At: noon}); err != nil {
			t.Error(err)
		}
	}
	if n, err := s.Waiting(t.Context()); err != nil || n != 3 {
		t.Errorf("%d wait, %v", n, err)
	}
}

// Only one of two hosts gets the lease of a game; the other learns who holds it.
func TestPostgresLeasesBetweenHosts(t *testing.T) {
	one, at := open(t)
	other, err := postgres.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	}()
	got := make(chan store.Lease)
	for holder, s := range map[string]*postgres.Store{"one": one, "other": other} {
		go func() {
			l, err := s.Lease(context.WithoutCancel(t.Context()), "wolf", holder, noon, noon.Add(time.Minute))
			if err != nil {
				t.Error(err)
			}
			got <- l
		}()
	}
	if a, b := <-got, <-got; a != b || a.Holder == "" {
		t.Errorf("%+v and %+v", a, b)
	}
}

// A host that falls silent in a transaction, such as a suspended one, loses its locks to the next host.
func TestPostgresSilentHostLosesItsLocks(t *testing.T) {
	one, at := open(t)
	other, err := postgres.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	}()
	limit := ""
	if err := one.Query(t.Context(), "ask for the limit", func(row sqlstore.Row) error { return row.Scan(&limit) }, "SELECT current_setting('idle_in_transaction_session_timeout')"); err != nil || limit != "30s" {
		t.Errorf("the limit is %q, %v", limit, err)
	}
	err = one.Group(t.Context(), func(ctx context.Context) error {
		if _, err := one.Hold(ctx, "robot@example.org", "one", time.Minute, time.Time{}); err != nil {
			return err
		}
		// Half a minute is too long for a test.
		if _, err := one.Exec(ctx, "lower the limit", "SET LOCAL idle_in_transaction_session_timeout = 100"); err != nil {
			return err
		}
		if h, err := other.Hold(t.Context(), "robot@example.org", "other", time.Minute, time.Time{}); err != nil || h.Holder != "other" {
			t.Errorf("the other host: %+v, %v", h, err)
		}
		_, err := one.Queue(ctx, letter("late@x"))
		return err
	})
	if !store.IsTrouble(err) {
		t.Errorf("the silent host: %v", err)
	}
	if n, err := one.Waiting(t.Context()); err != nil || n != 0 {
		t.Errorf("%d mails wait, %v", n, err)
	}
}

// Statements are planned while the tables of a new club are nearly empty; those plans must suit full ones.
func TestPostgresUsesIndexesOfSmallTables(t *testing.T) {
	s, at := open(t)
	m := store.Mail{Ref: store.Ref{Mailbox: "INBOX", UIDValidity: 7, UID: 1}, SHA256: "x", ReceivedAt: noon}
	if _, err := s.RecordStored(t.Context(), m, []byte("mail")); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := s.Queue(t.Context(), store.OutboxMessage{Kind: store.Ack, MessageID: fmt.Sprint(i), From: "a@x", To: "b@x", Bytes: []byte("mail"), QueuedAt: noon}); err != nil {
			t.Fatal(err)
		}
	}
	due, err := s.Due(t.Context(), noon, 3)
	if err != nil || len(due) != 3 {
		t.Fatalf("%d due, %v", len(due), err)
	}
	for _, d := range due {
		if err := s.MarkSent(t.Context(), d.ID, 1, noon); err != nil {
			t.Fatal(err)
		}
	}
	execute(t, at, "ANALYZE mails, outbox") // no mail waits
	explain := func(statement string) string {
		t.Helper()
		var plan strings.Builder
		if err := s.Query(t.Context(), "explain", func(row sqlstore.Row) error {
			var line string
			err := row.Scan(&line)
			plan.WriteString(line + "\n")
			return err
		}, "EXPLAIN "+statement); err != nil {
			t.Fatal(err)
		}
		return plan.String()
	}
	if plan := explain("SELECT outcome FROM mails WHERE sha256 = 'x'"); !strings.Contains(plan, "mails_by_content") {
		t.Errorf("the plan does not use the index:\n%s", plan)
	}
	name := ""
	if err := s.Query(t.Context(), "find a statement", func(row sqlstore.Row) error { return row.Scan(&name) },
		"SELECT name FROM pg_prepared_statements WHERE statement LIKE 'UPDATE outbox SET attempts%'"); err != nil || name == "" {
		t.Fatalf("statement %q, %v", name, err)
	}
	if plan := explain(fmt.Sprintf("EXECUTE %s (1, 0, 0, '', 'sent', 3)", name)); !strings.Contains(plan, "outbox_pkey") {
		t.Errorf("a mail is not looked up by its id:\n%s", plan)
	}
}

// If a statement that was queued by Send fails on the server, its group fails: at the next statement, or at the commit.
func TestPostgresQueuedStatementFails(t *testing.T) {
	s, _ := open(t)
	for name, later := range map[string]func(context.Context) error{
		"at the commit":         func(context.Context) error { return nil },
		"at the next statement": func(ctx context.Context) error { _, err := s.Waiting(ctx); return err },
	} {
		err := s.Group(t.Context(), func(ctx context.Context) error {
			if err := s.MoveCursor(ctx, "INBOX", store.Cursor{UIDValidity: 7, UID: 1}); err != nil {
				return err
			}
			if err := s.Send(ctx, "store nothing", "INSERT INTO raws (id, bytes) VALUES (?, NULL)", 1); err != nil {
				t.Errorf("%s: it was not queued: %v", name, err)
			}
			return later(ctx)
		})
		if !store.IsTrouble(err) || !strings.Contains(err.Error(), "null value") {
			t.Errorf("%s: %v", name, err)
		}
		if c, err := s.Cursor(t.Context(), "INBOX"); err != nil || c != (store.Cursor{}) {
			t.Errorf("%s: the group left %v, %v", name, c, err)
		}
	}
}
