package sqlstore_test

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"starpost/engine"
	"starpost/pbem/daemon/process"
	"starpost/pbem/store"
	"starpost/pbem/store/postgres"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/testkit/postgrestest"
)

// adapters opens an empty store of each kind. Tests of an adapter that needs a server are skipped without
// one; .ci/postgres starts one.
var adapters = map[string]func(testing.TB) process.Store{
	"sqlite": func(tb testing.TB) process.Store {
		tb.Helper()
		l, err := sqlite.Open(filepath.Join(tb.TempDir(), "ledger.db"))
		must(tb, err)
		tb.Cleanup(func() { must(tb, l.Close()) })
		return l
	},
	"postgres": func(tb testing.TB) process.Store {
		tb.Helper()
		at := postgrestest.Place(tb)
		_, err := postgres.Init(tb.Context(), at)
		must(tb, err)
		l, err := postgres.Open(tb.Context(), at)
		must(tb, err)
		tb.Cleanup(func() { must(tb, l.Close()) })
		return l
	},
}

// TestStoreContract checks what the daemon requires of every kind of store.
func TestStoreContract(t *testing.T) {
	for adapter, open := range adapters {
		for law, hold := range map[string]func(*testing.T, process.Store){
			"a mail moves forward":                       lawMailMovesForward,
			"a mail must be known":                       lawUnknownMail,
			"the same bytes are not acted on again":      lawSameBytesAtAnotherPlace,
			"unfinished mails are in the order recorded": lawUnfinishedIsInOrder,
			"the bytes of a mail are kept":               lawRaws,
			"a cursor goes forward":                      lawCursor,
			"a mailbox has one start":                    lawStart,
			"similar mails are found":                    lawSimilarActed,
			"a mail is queued once":                      lawQueueOnce,
			"mails are queued all or none":               lawQueueAllOrNone,
			"mails are due in order":                     lawDueInOrder,
			"marks come in order":                        lawMarks,
			"a turn is queued once":                      lawQueueTurn,
			"mails have an address that is known":        lawReaddress,
			"reminders count once":                       lawReminders,
			"answers count once":                         lawAnswers,
			"events count once":                          lawEvents,
			"answers are remembered by sender":           lawAnswerHistory,
			"bounces count once":                         lawBounces,
			"a group is all or nothing":                  lawGroup,
			"a game is leased to one":                    lawLeases,
			"of an idle game the last is known":          lawIdleGames,
		} {
			t.Run(adapter+"/"+law, func(t *testing.T) { hold(t, open(t)) })
		}
	}
}

// noon is a time that a store can represent exactly.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC)

func message(id string) store.OutboxMessage {
	return store.OutboxMessage{Game: "wolf", Kind: store.Ack, MessageID: id, From: "battles@example.org", To: "ann@example.org", Bytes: []byte("mail " + id), QueuedAt: noon}
}

func queueAll(t *testing.T, l process.Store, messages ...store.OutboxMessage) {
	t.Helper()
	if _, err := l.Queue(t.Context(), messages...); err != nil {
		t.Fatal(err)
	}
}

func find(t *testing.T, l process.Store, messageID string) store.OutboxMessage {
	t.Helper()
	m, ok, err := l.Message(t.Context(), messageID)
	if err != nil || !ok {
		t.Fatalf("mail %s: %v, %v", messageID, ok, err)
	}
	return m
}

func due(t *testing.T, l process.Store, now time.Time) []string {
	t.Helper()
	list, err := l.Due(t.Context(), now, 100)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, m := range list {
		ids = append(ids, m.MessageID)
	}
	return ids
}

// came returns an incoming mail with bytes that depend on its UID.
func came(mailbox string, uid uint32) store.Mail {
	raw := []byte{byte(uid)}
	return store.Mail{Ref: store.Ref{Mailbox: mailbox, UIDValidity: 7, UID: uid}, SHA256: store.ContentHash(raw), MessageID: "m@x", ReceivedAt: noon.Add(time.Duration(uid) * time.Second)}
}

// stored records a mail and returns it as the store has it.
func stored(t *testing.T, l process.Store, m store.Mail) store.Mail {
	t.Helper()
	if _, err := l.RecordStored(t.Context(), m, nil); err != nil {
		t.Fatal(err)
	}
	return unfinished(t, l, m.Ref)
}

// unfinished returns the mail with a Ref, as the store has it; zero if it is finished.
func unfinished(t *testing.T, l process.Store, at store.Ref) store.Mail {
	t.Helper()
	list, err := l.Unfinished(t.Context(), at.Mailbox)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if m.Ref == at {
			return m
		}
	}
	return store.Mail{}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func lawMailMovesForward(t *testing.T, l process.Store) {
	t.Helper()
	ctx := t.Context()
	in := came("INBOX", 4294967295)
	in.State, in.Outcome = store.Moved, "ignored" // the store ignores these
	want := in
	want.State, want.Outcome = store.Stored, ""
	for range 2 {
		got := stored(t, l, in)
		if want.ID = got.ID; got != want || got.ID == 0 {
			t.Fatalf("stored %+v; want %+v", got, want)
		}
	}
	must(t, l.RecordAnswered(ctx, "orders taken", want))
	want.State, want.Outcome = store.Answered, "orders taken"
	must(t, l.RecordAnswered(ctx, "something else", want))
	if got := unfinished(t, l, in.Ref); got != want {
		t.Errorf("answered %+v; want %+v", got, want)
	}
	must(t, l.RecordMoved(ctx, want))
	must(t, l.RecordAnswered(ctx, "something else", want))
	if got := stored(t, l, in); got != (store.Mail{}) {
		t.Errorf("a mail that was moved is listed as work: %+v", got)
	}
	if like, err := l.SimilarActed(ctx, in); err != nil || !slices.Equal(like, []store.ActedMail{{SHA256: in.SHA256, Outcome: "orders taken"}}) {
		t.Errorf("what became of it: %+v, %v", like, err)
	}
}

func lawUnknownMail(t *testing.T, l process.Store) {
	t.Helper()
	for _, err := range []error{l.RecordAnswered(t.Context(), "x", store.Mail{ID: 1}), l.RecordMoved(t.Context(), store.Mail{ID: 1})} {
		if !errors.Is(err, store.ErrUnknownMail) {
			t.Errorf("error %v", err)
		}
	}
}

// After the server renumbered its mails, mails handled before are not handled again.
func lawSameBytesAtAnotherPlace(t *testing.T, l process.Store) {
	t.Helper()
	one := stored(t, l, came("INBOX", 10))
	if m := stored(t, l, came("INBOX", 11)); m.State != store.Stored || m.Outcome != "" {
		t.Errorf("other bytes start at %v (%q)", m.State, m.Outcome)
	}
	again := func(validity uint32) store.Mail {
		m := came("INBOX", 10)
		m.UIDValidity = validity
		return stored(t, l, m)
	}
	if m := again(8); m.State != store.Stored {
		t.Errorf("the same bytes start at %v", m.State)
	}
	must(t, l.RecordAnswered(t.Context(), "orders taken", one))
	if m := again(9); m.State != store.Answered || m.Outcome != "orders taken" {
		t.Errorf("the same bytes start at %v (%q)", m.State, m.Outcome)
	}
	must(t, l.RecordMoved(t.Context(), one))
	if m := again(10); m.State != store.Answered || m.Outcome != "orders taken" {
		t.Errorf("the same bytes start at %v (%q)", m.State, m.Outcome)
	}
}

// The order is that in which the mails were recorded, even if the clock was set back meanwhile.
func lawUnfinishedIsInOrder(t *testing.T, l process.Store) {
	t.Helper()
	for _, uid := range []uint32{5, 3, 9} {
		m := came("INBOX", uid)
		m.ReceivedAt, m.Arrived = noon.Add(-time.Duration(uid)*time.Hour), noon
		stored(t, l, m)
	}
	if m := stored(t, l, store.Mail{Ref: store.Ref{Mailbox: "Other", UIDValidity: 1, UID: 1}, SHA256: "x"}); !m.ReceivedAt.IsZero() || !m.Arrived.IsZero() {
		t.Errorf("no time comes back as %v, %v", m.ReceivedAt, m.Arrived)
	}
	list, err := l.Unfinished(t.Context(), "INBOX")
	var uids []uint32
	for _, m := range list {
		uids = append(uids, m.UID)
		if !m.Arrived.Equal(noon) {
			t.Errorf("arrived %v", m.Arrived)
		}
	}
	if err != nil || !slices.Equal(uids, []uint32{5, 3, 9}) {
		t.Errorf("uids %v, %v", uids, err)
	}
}

func lawRaws(t *testing.T, l process.Store) {
	t.Helper()
	ctx := t.Context()
	m := came("INBOX", 1)
	if _, err := l.LoadRaw(ctx, m.SHA256); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("bytes that never came: %v", err)
	}
	id, err := l.RecordStored(ctx, m, []byte{9})
	must(t, err)
	if _, err := l.LoadRaw(ctx, m.SHA256); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("bytes that are not what came: %v", err)
	}
	must(t, l.StoreRaw(ctx, id, []byte{1}))
	if raw, err := l.LoadRaw(ctx, m.SHA256); err != nil || !slices.Equal(raw, []byte{1}) {
		t.Errorf("bytes %v, %v", raw, err)
	}
	if whole, damaged, err := l.VerifyRaws(ctx); err != nil || whole != 1 || len(damaged) > 0 {
		t.Errorf("whole %d, damaged %v, %v", whole, damaged, err)
	}
	for n, until := range []time.Time{noon, noon.Add(time.Hour)} {
		if n == 1 {
			must(t, l.RecordMoved(ctx, unfinished(t, l, m.Ref)))
		}
		if gone, err := l.DeleteRaws(ctx, until); err != nil || gone != int64(n) {
			t.Errorf("deleted %d, %v", gone, err)
		}
	}
	must(t, l.Probe(ctx))
}

func lawCursor(t *testing.T, l process.Store) {
	t.Helper()
	ctx := t.Context()
	for _, c := range []struct{ move, want store.Cursor }{
		{store.Cursor{}, store.Cursor{}},
		{store.Cursor{UIDValidity: 7, UID: 10}, store.Cursor{UIDValidity: 7, UID: 10}},
		{store.Cursor{UIDValidity: 7, UID: 9}, store.Cursor{UIDValidity: 7, UID: 10}},
		{store.Cursor{UIDValidity: 7, UID: 4294967295}, store.Cursor{UIDValidity: 7, UID: 4294967295}},
		{store.Cursor{UIDValidity: 8, UID: 3}, store.Cursor{UIDValidity: 8, UID: 3}},
		{store.Cursor{UIDValidity: 8, UID: 3}, store.Cursor{UIDValidity: 8, UID: 3}},
	} {
		if c.move != (store.Cursor{}) {
			if err := l.MoveCursor(ctx, "INBOX", c.move); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := l.Cursor(ctx, "INBOX"); err != nil || got != c.want {
			t.Errorf("after %v: %v, %v; want %v", c.move, got, err, c.want)
		}
	}
	if got, err := l.Cursor(ctx, "Other"); err != nil || got != (store.Cursor{}) {
		t.Errorf("another mailbox: %v, %v", got, err)
	}
}

func lawStart(t *testing.T, l process.Store) {
	t.Helper()
	if _, known, err := l.Start(t.Context(), "box"); known || err != nil {
		t.Errorf("known %v, %v", known, err)
	}
	for _, want := range []store.Start{{UIDValidity: 6}, {Since: noon, Asked: true, UIDValidity: 7, UID: 50000, Left: 49999}} {
		must(t, l.SetStart(t.Context(), "box", want))
		if got, known, err := l.Start(t.Context(), "box"); got != want || !known || err != nil {
			t.Errorf("%+v, known %v, %v", got, known, err)
		}
	}
}

func lawSimilarActed(t *testing.T, l process.Store) {
	t.Helper()
	ctx := t.Context()
	a, b, c := stored(t, l, came("INBOX", 1)), stored(t, l, came("INBOX", 2)), stored(t, l, came("INBOX", 3))
	must(t, l.RecordAnswered(ctx, "done", a, b))
	must(t, l.RecordMoved(ctx, b))
	for i, want := range [][]string{{b.SHA256, a.SHA256}, {a.SHA256}, nil, {b.SHA256, a.SHA256}} {
		like, err := l.SimilarActed(ctx, []store.Mail{{SHA256: c.SHA256, MessageID: "m@x"}, {SHA256: a.SHA256}, {SHA256: c.SHA256, MessageID: "other@x"}, {SHA256: a.SHA256, MessageID: "m@x"}}[i])
		must(t, err)
		var got []string
		for _, o := range like {
			got = append(got, o.SHA256)
		}
		if !slices.Equal(got, want) {
			t.Errorf("like %d: %v, want %v", i, got, want)
		}
	}
}

func lawQueueOnce(t *testing.T, l process.Store) {
	t.Helper()
	ctx := t.Context()
	a := message("a@x")
	b := message("b@x")
	b.Bytes, b.Path, b.Kind, b.NextTry = nil, "turns/0001/outbox/b.eml", store.Report, noon.Add(time.Hour)
	if n, err := l.Queue(ctx, a, b, a); n != 2 || err != nil {
		t.Fatalf("queued %d, %v", n, err)
	}
	changed := a
	changed.Bytes = []byte("other")
	if n, err := l.Queue(ctx, changed); n != 0 || err != nil {
		t.Fatalf("queued again %d, %v", n, err)
	}
	a.ID, a.State = 1, store.Queued
	b.ID, b.State = 2, store.Queued
	if got, err := l.Due(ctx, noon.Add(time.Hour), 9); err != nil || !reflect.DeepEqual(got, []store.OutboxMessage{a, b}) {
		t.Errorf("due\n%+v\nwant\n%+v (%v)", got, []store.OutboxMessage{a, b}, err)
	}
	a.Bytes = nil // lists of mails have no bytes
	if got, err := l.Outbox(ctx, "wolf"); err != nil || !reflect.DeepEqual(got, []store.OutboxMessage{a, b}) {
		t.Errorf("outbox\n%+v\nwant\n%+v (%v)", got, []store.OutboxMessage{a, b}, err)
	}
	if got, err := l.Outbox(ctx, "bear"); err != nil || len(got) != 0 {
		t.Errorf("another game's outbox %+v, %v", got, err)
	}
	if _, ok, err := l.Message(ctx, "none@x"); ok || err != nil {
		t.Errorf("found what is not there, %v", err)
	}
	for id, want := range map[string]bool{"a@x": true, "b@x": true, "none@x": false} {
		if has, err := l.InOutbox(ctx, id); err != nil || has != want {
			t.Errorf("%s: %v, %v", id, has, err)
		}
	}
}

func lawQueueAllOrNone(t *testing.T, l process.Store) {
	t.Helper()
	ctx := t.Context()
	for name, bad := range map[string]func(*store.OutboxMessage){
		"no Message-ID": func(m *store.OutboxMessage) { m.MessageID = "" },
		"no recipient":  func(m *store.OutboxMessage) { m.To = "" },
		"nothing":       func(m *store.OutboxMessage) { m.Bytes = nil },
	} {
		m := message("b@x")
		bad(&m)
		if n, err := l.Queue(ctx, message("a@x"), m); n != 0 || !errors.Is(err, store.ErrIncomplete) {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
	if ids := due(t, l, noon); len(ids) != 0 {
		t.Errorf("queued %v", ids)
	}
}

func lawDueInOrder(t *testing.T, l process.Store) {
	t.Helper()
	ctx := t.Context()
	if _, ok, err := l.NextDue(ctx); ok || err != nil {
		t.Errorf("an empty outbox has something due, %v", err)
	}
	later, now, soon := message("later@x"), message("now@x"), message("soon@x")
	later.NextTry, soon.NextTry = noon.Add(2*time.Hour), noon.Add(time.Hour)
	queueAll(t, l, later, now, soon)
	for _, c := range []struct {
		at   time.Time
		want []string
	}{
		{noon, []string{"now@x"}},
		{noon.Add(time.Hour), []string{"now@x", "soon@x"}},
		{noon.Add(3 * time.Hour), []string{"now@x", "soon@x", "later@x"}},
	} {
		if got := due(t, l, c.at); !reflect.DeepEqual(got, c.want) {
			t.Errorf("due at %v: %v, want %v", c.at, got, c.want)
		}
	}
	if list, err := l.Due(ctx, noon.Add(3*time.Hour), 2); err != nil || len(list) != 2 {
		t.Errorf("limited: %v, %v", list, err)
	}
	if err := l.MarkSent(ctx, find(t, l, "now@x").ID, 1, noon); err != nil {
		t.Fatal(err)
	}
	if at, ok, err := l.NextDue(ctx); err != nil || !ok || !at.Equal(noon.Add(time.Hour)) {
		t.Errorf("next due %v, %v, %v", at, ok, err)
	}
}

func lawMarks(t *testing.T, l process.Store) {
	t.Helper()
	ctx := t.Context()
	queueAll(t, l, message("a@x"), message("b@x"))
	a := find(t, l, "a@x")
	check := func(want store.OutboxMessage) {
		t.Helper()
		if got := find(t, l, want.MessageID); !reflect.DeepEqual(got, want) {
			t.Errorf("got\n%+v\nwant\n%+v", got, want)
		}
	}
	twice := func(mark func() error) {
		t.Helper()
		for range 2 {
			if err := mark(); err != nil {
				t.Error(err)
			}
		}
	}

	twice(func() error { return l.MarkRetry(ctx, a.ID, 1, noon.Add(time.Minute), "busy") })
	a.Attempts, a.NextTry, a.LastError = 1, noon.Add(time.Minute), "busy"
	check(a)

	twice(func() error { return l.MarkAmbiguous(ctx, a.ID, 2, noon.Add(time.Hour), "cut off") })
	a.Attempts, a.NextTry, a.LastError, a.State = 2, noon.Add(time.Hour), "cut off", store.Ambiguous
	check(a)

	// A late mark changes nothing.
	twice(func() error { return l.MarkRetry(ctx, a.ID, 1, noon, "busy") })
	twice(func() error { return l.MarkSent(ctx, a.ID, 2, noon) })
	check(a)

	// A later refusal does not settle whether the earlier try succeeded.
	twice(func() error { return l.MarkRetry(ctx, a.ID, 3, noon.Add(2*time.Hour), "refused") })
	a.Attempts, a.NextTry, a.LastError = 3, noon.Add(2*time.Hour), "refused"
	check(a)

	twice(func() error { return l.MarkSent(ctx, a.ID, 4, noon.Add(3*time.Hour)) })
	a.Attempts, a.NextTry, a.LastError, a.State, a.SettledAt = 4, time.Time{}, "", store.Sent, noon.Add(3*time.Hour)
	check(a)
	twice(func() error { return l.MarkRetry(ctx, a.ID, 5, noon, "x") })
	twice(func() error { return l.MarkFailed(ctx, a.ID, 6, noon, "x") })
	check(a)
	queueAll(t, l, message("a@x"))
	check(a)

	b := find(t, l, "b@x")
	twice(func() error { return l.MarkFailed(ctx, b.ID, 1, noon, "no such user") })
	b.Attempts, b.State, b.SettledAt, b.LastError = 1, store.Failed, noon, "no such user"
	check(b)
	if ids := due(t, l, noon.Add(1000*time.Hour)); len(ids) != 0 {
		t.Errorf("due %v", ids)
	}
	if err := l.MarkSent(ctx, 99, 1, noon); !errors.Is(err, store.ErrUnknownMessage) {
		t.Errorf("error %v", err)
	}
}

// onlyOnce checks that the note is new the first time only.
func onlyOnce(t *testing.T, name string, note func() (bool, error)) {
	t.Helper()
	for i := range 3 {
		if first, err := note(); err != nil || first != (i == 0) {
			t.Errorf("%s, time %d: first %v, %v", name, i+1, first, err)
		}
	}
}

func lawReminders(t *testing.T, l process.Store) {
	t.Helper()
	ctx := t.Context()
	for _, c := range []struct {
		game    string
		turn    int
		captain engine.CaptainName
		which   string
	}{
		{"wolf", 1, "Hood", "24h"},
		{"wolf", 1, "Hood", "6h"},
		{"wolf", 1, "Riskadh", "24h"},
		{"wolf", 2, "Hood", "24h"},
		{"bear", 1, "Hood", "24h"},
	} {
		onlyOnce(t, c.game+string(c.captain)+c.which, func() (bool, error) {
			return l.RecordReminder(ctx, c.game, c.turn, c.captain, c.which, noon)
		})
	}
	if got, err := l.Reminders(ctx, "wolf", 1); err != nil || !slices.Equal(got, []string{"24h", "6h"}) {
		t.Errorf("reminders %v, %v", got, err)
	}
	if got, err := l.Reminders(ctx, "wolf", 3); err != nil || len(got) != 0 {
		t.Errorf("reminders %v, %v", got, err)
	}
}

func lawAnswers(t *testing.T, l process.Store) {
	t.Helper()
	ctx := t.Context()
	answer := func(sender, kind, cause string, at time.Time) func() (bool, error) {
		return func() (bool, error) { return l.RecordAnswer(ctx, sender, kind, cause, at) }
	}
	onlyOnce(t, "help", answer("Eve@example.com", "help", "2026-03-01", noon))
	onlyOnce(t, "help another day", answer("eve@example.com", "help", "2026-03-02", noon.Add(24*time.Hour)))
	onlyOnce(t, "an answer", answer("eve@example.com", "ack", "sha", noon))
	onlyOnce(t, "to another", answer("ann@example.org", "help", "2026-03-01", noon))
	if first, err := l.RecordAnswer(ctx, "EVE@EXAMPLE.COM", "help", "2026-03-01", noon); first || err != nil {
		t.Errorf("case makes another sender: %v, %v", first, err)
	}
	count := func(kind string, since time.Time) int {
		t.Helper()
		n, err := l.Answers(ctx, "eve@Example.com", kind, since)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, c := range []struct {
		kind  string
		since time.Time
		want  int
	}{
		{"", noon, 3}, {"help", noon, 2}, {"ack", noon, 1}, {"help", noon.Add(time.Hour), 1}, {"", time.Time{}, 3}, {"report", noon, 0},
	} {
		if got := count(c.kind, c.since); got != c.want {
			t.Errorf("%d answers of kind %q since %v, want %d", got, c.kind, c.since, c.want)
		}
	}
	if err := l.DeleteExpired(ctx, noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if got := count("", time.Time{}); got != 1 {
		t.Errorf("%d answers are left, want 1", got)
	}
}

func lawEvents(t *testing.T, l process.Store) {
	t.Helper()
	ctx := t.Context()
	grace := store.Event{Game: "wolf", Turn: 3, Name: "grace", At: noon, Detail: "until later"}
	halt := store.Event{Game: "wolf", Turn: 3, Name: "halt", Subject: "Hood", At: noon.Add(-time.Hour)}
	for _, e := range []store.Event{grace, halt, {Game: "wolf", Turn: 4, Name: "grace", At: noon}} {
		onlyOnce(t, e.Name, func() (bool, error) { return l.RecordEvent(ctx, e) })
	}
	again := grace
	again.At, again.Detail = noon.Add(time.Hour), "changed"
	if _, err := l.RecordEvent(ctx, again); err != nil {
		t.Fatal(err)
	}
	if got, ok, err := l.Event(ctx, "wolf", 3, "grace", ""); err != nil || !ok || got != grace {
		t.Errorf("got %+v, %v, %v", got, ok, err)
	}
	if _, ok, err := l.Event(ctx, "wolf", 3, "grace", "Hood"); ok || err != nil {
		t.Errorf("another subject: %v, %v", ok, err)
	}
	if got, ok, err := l.Event(ctx, "wolf", 3, halt.Name, halt.Subject); err != nil || !ok || got != halt {
		t.Errorf("got %+v, %v, %v", got, ok, err)
	}
}

// AnswerHistory agrees with the separate look-ups.
func lawAnswerHistory(t *testing.T, l process.Store) {
	t.Helper()
	ctx := t.Context()
	for range 2 { // the second time with a prepared statement
		if got, err := l.AnswerHistory(ctx, "Ann@x", "", noon); err != nil || got != (store.AnswerHistory{}) {
			t.Errorf("of nothing: %+v, %v", got, err)
		}
	}
	for i, at := range []time.Time{noon.Add(-time.Second), noon, noon.Add(time.Hour)} {
		if _, err := l.RecordAnswer(ctx, "ann@x", "ack", string(rune('a'+i)), at); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.RecordAnswer(ctx, "ann@x", store.OfSeat+"wolf/Ann", "d", noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := l.RecordUnanswered(ctx, "bob@x", store.Unanswered{Cause: "x", At: noon}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind          string
		since, before time.Time
		want          []string
	}{
		{"ack", noon, noon.Add(time.Hour), []string{"b"}}, {"ack", noon.Add(-time.Hour), noon.Add(2 * time.Hour), []string{"c", "b", "a"}}, {"help", noon.Add(-time.Hour), noon.Add(2 * time.Hour), nil},
	} {
		if got, err := l.Answered(ctx, "ANN@x", c.kind, c.since, c.before); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("answered with %s from %s to %s: %q, %v", c.kind, c.since, c.before, got, err)
		}
	}
	for _, c := range []struct {
		sender, kind string
		want         store.AnswerHistory
	}{
		{"Ann@x", "", store.AnswerHistory{Lately: 2, Oldest: noon}},
		{"ANN@x", "ack", store.AnswerHistory{Lately: 2, Oldest: noon}},
		{"ann@x", "help", store.AnswerHistory{}},
		{"Ann@x", store.OfSeat + "wolf/Ann", store.AnswerHistory{Lately: 1, Oldest: noon.Add(time.Hour)}},
		{"Bob@x", "", store.AnswerHistory{Missed: true}},
		{"cid@x", "", store.AnswerHistory{}},
	} {
		if got, err := l.AnswerHistory(ctx, c.sender, c.kind, noon); err != nil || got != c.want {
			t.Errorf("to %s as %s: %+v, %v; want %+v", c.sender, c.kind, got, err, c.want)
		}
	}
}

func lawQueueTurn(t *testing.T, l process.Store) {
	t.Helper()
	ctx := t.Context()
	if turn, known, err := l.QueuedTurn(ctx, "wolf"); turn != -1 || known || err != nil {
		t.Errorf("turn %d, known %v, %v", turn, known, err)
	}
	must(t, l.RecordTurnSent(ctx, message("old@x")))
	if got := find(t, l, "old@x"); got.State != store.Sent || !got.SettledAt.Equal(noon) {
		t.Errorf("a report from before: %+v", got)
	}
	for _, turn := range []int{2, 1} {
		if added, err := l.QueueTurn(ctx, "wolf", turn, message("a@x"), message("old@x")); err != nil || added != turn-1 {
			t.Errorf("turn %d: added %d, %v", turn, added, err)
		}
		if last, known, err := l.QueuedTurn(ctx, "wolf"); last != 2 || !known || err != nil {
			t.Errorf("turn %d, known %v, %v", last, known, err)
		}
	}
}

func lawReaddress(t *testing.T, l process.Store) {
	t.Helper()
	ctx := t.Context()
	other := message("b@x")
	other.From = "second@example.org"
	queueAll(t, l, message("a@x"), other)
	must(t, l.Readdress(ctx, "first@example.org", "second@example.org"))
	for id, want := range map[string]string{"a@x": "first@example.org", "b@x": "second@example.org"} {
		if got := find(t, l, id); got.From != want {
			t.Errorf("%s goes out from %s, want %s", id, got.From, want)
		}
	}
	if list, err := l.Due(ctx, noon, 9, "second@example.org"); err != nil || len(list) != 1 || list[0].MessageID != "b@x" {
		t.Errorf("due from the second address: %+v, %v", list, err)
	}
	if n, err := l.Waiting(ctx); n != 2 || err != nil {
		t.Errorf("%d wait, %v", n, err)
	}
}

func lawBounces(t *testing.T, l process.Store) {
	t.Helper()
	ctx := t.Context()
	b := store.Bounce{Cause: "sha", MessageID: "a@x", Address: "Ann@example.org", At: noon, Permanent: true, Status: "5.1.1", Diagnostic: "no such user"}
	onlyOnce(t, "bounce", func() (bool, error) { return l.RecordBounce(ctx, b) })
	want := store.Bouncing{Address: "ann@example.org", Mails: 1, All: 1, Last: noon, Why: "5.1.1 no such user"}
	if got, known, err := l.Bounces(ctx, "ANN@example.org"); got != want || !known || err != nil {
		t.Errorf("%+v, %v, %v; want %+v", got, known, err, want)
	}
	if _, known, err := l.Bounces(ctx, "bob@example.org"); known || err != nil {
		t.Errorf("another address: %v, %v", known, err)
	}
}

// Calls in a group do the same as single calls, and see the results of earlier ones. A group takes
// effect completely or not at all, even if f panics or goes on after an error.
func lawGroup(t *testing.T, l process.Store) {
	t.Helper()
	work := func(ctx context.Context, uid uint32) error {
		if _, err := l.RecordStored(ctx, came("INBOX", uid), []byte{byte(uid)}); err != nil {
			return err
		}
		if err := l.MoveCursor(ctx, "INBOX", store.Cursor{UIDValidity: 7, UID: uid}); err != nil {
			return err
		}
		if c, err := l.Cursor(ctx, "INBOX"); err != nil || c.UID != uid {
			return errors.Join(errors.New("what was done is not seen"), err)
		}
		return nil
	}
	ended, end := context.WithCancel(t.Context())
	must(t, l.Group(ended, func(ctx context.Context) error {
		end() // cancelling ctx does not stop the group
		return errors.Join(work(ctx, 1), l.Group(ctx, func(ctx context.Context) error { return work(ctx, 2) }))
	}))
	full := errors.New("disk full")
	for name, f := range map[string]func(context.Context) error{
		"f fails": func(ctx context.Context) error { return errors.Join(work(ctx, 3), full) },
		"a method fails and f does not care": func(ctx context.Context) error {
			must(t, work(ctx, 3))
			if err := l.MarkSent(ctx, 999, 1, noon); err == nil || work(ctx, 4) == nil {
				t.Error("work goes on after an error")
			}
			return nil
		},
		"f panics": func(ctx context.Context) error { must(t, work(ctx, 3)); panic("out of bounds") },
	} {
		err := func() (err error) {
			defer func() {
				if p := recover(); p != nil {
					err = errors.New("panic")
				}
			}()
			return l.Group(t.Context(), f)
		}()
		if c, cerr := l.Cursor(t.Context(), "INBOX"); err == nil || cerr != nil || c.UID != 2 {
			t.Errorf("%s: error %v; left %+v, %v", name, err, c, cerr)
		}
	}
	if list, err := l.Unfinished(t.Context(), "INBOX"); err != nil || len(list) != 2 {
		t.Errorf("%d mails, %v", len(list), err)
	}
	must(t, work(t.Context(), 3))
}

// A lease belongs to its holder until it ends, and renewing never shortens it.
func lawLeases(t *testing.T, l process.Store) {
	t.Helper()
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	for _, c := range []struct {
		holder     string
		now, until int
		want       store.Lease
	}{
		{"here", 0, 10, store.Lease{Holder: "here", Until: at(10)}},
		{"there", 5, 15, store.Lease{Holder: "here", Until: at(10)}},
		{"here", 1, 9, store.Lease{Holder: "here", Until: at(10)}},
		{"here", 6, 16, store.Lease{Holder: "here", Until: at(16)}},
		{"there", 16, 20, store.Lease{Holder: "there", Until: at(20)}},
		{"here", 17, 27, store.Lease{Holder: "there", Until: at(20)}},
	} {
		if got, err := l.Lease(t.Context(), "wolf", c.holder, at(c.now), at(c.until)); err != nil || got != c.want {
			t.Errorf("%s at %d: %+v, %v; want %+v", c.holder, c.now, got, err, c.want)
		}
	}
	if got, err := l.Lease(t.Context(), "bear", "here", at(17), at(27)); err != nil || got.Holder != "here" {
		t.Errorf("another game: %+v, %v", got, err)
	}
	must(t, l.EndLeases(t.Context(), "there"))
	for game, want := range map[string]string{"wolf": "third", "bear": "here"} {
		if got, err := l.Lease(t.Context(), game, "third", at(18), at(28)); err != nil || got.Holder != want {
			t.Errorf("%s after an end: %+v, %v", game, got, err)
		}
	}
}

func lawIdleGames(t *testing.T, l process.Store) {
	t.Helper()
	must(t, l.RecordIdle(t.Context(), store.IdleGame{Game: "wolf", Seen: "1", Detail: "{}"}, store.IdleGame{Game: "bear", Seen: "2", Detail: "a"}))
	must(t, l.RecordIdle(t.Context(), store.IdleGame{Game: "wolf", Seen: "3", Detail: "b"}))
	want := []store.IdleGame{{Game: "bear", Seen: "2", Detail: "a"}, {Game: "wolf", Seen: "3", Detail: "b"}}
	if got, err := l.IdleGames(t.Context()); err != nil || !slices.Equal(got, want) {
		t.Errorf("idle games: %+v, %v; want %+v", got, err, want)
	}
}
