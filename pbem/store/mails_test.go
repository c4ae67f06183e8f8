package store

import (
	"errors"
	"slices"
	"testing"
	"time"
)

func TestMailMovesForward(t *testing.T) {
	l, ctx := open(t), t.Context()
	ref := Ref{"INBOX", 7, 4294967295}
	if _, ok, err := l.SeenRef(ctx, ref); ok || err != nil {
		t.Fatalf("a new store knows mail: %v %v", ok, err)
	}
	want := Mail{ID: 1, Ref: ref, SHA256: ContentHash([]byte("x")), MessageID: "1@example.org", ReceivedAt: noon, State: Stored}
	in := want
	in.State, in.Outcome = Moved, "ignored"
	for range 2 {
		if got, err := l.stored(ctx, in); err != nil || got != want {
			t.Fatalf("stored %+v, %v; want %+v", got, err, want)
		}
	}
	expect := func(state State, outcome string) {
		t.Helper()
		want.State, want.Outcome = state, outcome
		if got, ok, err := l.SeenRef(ctx, ref); err != nil || !ok || got != want {
			t.Errorf("got %+v, %v, %v; want %+v", got, ok, err, want)
		}
	}
	step := func(err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	expect(Stored, "")
	step(l.RecordActed(ctx, "orders taken", want))
	expect(Acted, "orders taken")
	step(l.RecordActed(ctx, "something else", want))
	expect(Acted, "orders taken")
	step(l.RecordAnswered(ctx, "", want))
	step(l.RecordActed(ctx, "something else", want))
	expect(Answered, "orders taken")
	if list, err := l.Unfinished(ctx, "INBOX"); err != nil || len(list) != 1 {
		t.Errorf("unfinished %v, %v", list, err)
	}
	step(l.RecordMoved(ctx, want))
	step(l.RecordAnswered(ctx, "", want))
	expect(Moved, "orders taken")
	if _, err := l.RecordStored(ctx, in, nil); err != nil {
		t.Error(err)
	}
	expect(Moved, "orders taken")
	if list, err := l.Unfinished(ctx, "INBOX"); err != nil || len(list) != 0 {
		t.Errorf("unfinished %v, %v", list, err)
	}
}

func TestUnknownMail(t *testing.T) {
	l, ctx := open(t), t.Context()
	for _, err := range []error{
		l.RecordActed(ctx, "x", Mail{ID: 1}),
		l.RecordAnswered(ctx, "x", Mail{ID: 1}),
		l.RecordMoved(ctx, Mail{ID: 1}),
	} {
		if !errors.Is(err, ErrUnknownMail) {
			t.Errorf("error %v", err)
		}
	}
}

// After the server renumbered its mails, what was done is not done again.
func TestSameBytesAtAnotherPlace(t *testing.T) {
	l, ctx := open(t), t.Context()
	store := func(ref Ref, sha string) Mail {
		t.Helper()
		m, err := l.stored(ctx, Mail{Ref: ref, SHA256: sha, MessageID: "1@example.org", ReceivedAt: noon.Add(time.Duration(ref.UID))})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	a, b := ContentHash([]byte("a")), ContentHash([]byte("b"))
	first := Ref{"INBOX", 1, 10}
	one := store(first, a)
	if m := store(Ref{"INBOX", 1, 11}, b); m.State != Stored || m.Outcome != "" {
		t.Errorf("other bytes start at %v (%q)", m.State, m.Outcome)
	}
	if err := l.RecordActed(ctx, "orders taken", one); err != nil {
		t.Fatal(err)
	}
	if m := store(Ref{"INBOX", 2, 1}, a); m.State != Acted || m.Outcome != "orders taken" {
		t.Errorf("the same bytes start at %v (%q)", m.State, m.Outcome)
	}
	if err := l.RecordMoved(ctx, one); err != nil {
		t.Fatal(err)
	}
	if m := store(Ref{"INBOX", 3, 1}, a); m.State != Answered || m.Outcome != "orders taken" {
		t.Errorf("the same bytes start at %v (%q)", m.State, m.Outcome)
	}
	list, err := l.SeenContent(ctx, a)
	if err != nil || len(list) != 3 || list[0].Ref != first {
		t.Errorf("by content %+v, %v", list, err)
	}
	list, err = l.SeenMessageID(ctx, "1@example.org")
	if err != nil || len(list) != 4 {
		t.Errorf("by Message-ID %+v, %v", list, err)
	}
	if list, err = l.SeenMessageID(ctx, ""); err != nil || len(list) != 0 {
		t.Errorf("without Message-ID %+v, %v", list, err)
	}
}

func TestUnfinishedIsInOrderOfArrival(t *testing.T) {
	l, ctx := open(t), t.Context()
	for i, uid := range []uint32{5, 3, 9} {
		m := Mail{Ref: Ref{"INBOX", 1, uid}, SHA256: ContentHash([]byte{byte(i)}), ReceivedAt: noon.Add(-time.Duration(uid) * time.Second)}
		if _, err := l.RecordStored(ctx, m, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.RecordStored(ctx, Mail{Ref: Ref{"Other", 1, 1}, SHA256: "x"}, nil); err != nil {
		t.Fatal(err)
	}
	list, err := l.Unfinished(ctx, "INBOX")
	var uids []uint32
	for _, m := range list {
		uids = append(uids, m.UID)
	}
	if err != nil || !slices.Equal(uids, []uint32{9, 5, 3}) {
		t.Errorf("uids %v, %v", uids, err)
	}
	if got, ok, err := l.SeenRef(ctx, Ref{"Other", 1, 1}); err != nil || !ok || !got.ReceivedAt.IsZero() {
		t.Errorf("no time comes back as %v, %v", got.ReceivedAt, err)
	}
}

func TestCursor(t *testing.T) {
	l, ctx := open(t), t.Context()
	for _, c := range []struct{ move, want Cursor }{
		{Cursor{}, Cursor{}},
		{Cursor{7, 10}, Cursor{7, 10}},
		{Cursor{7, 9}, Cursor{7, 10}},
		{Cursor{7, 4294967295}, Cursor{7, 4294967295}},
		{Cursor{8, 3}, Cursor{8, 3}},
		{Cursor{8, 3}, Cursor{8, 3}},
	} {
		if c.move != (Cursor{}) {
			if err := l.MoveCursor(ctx, "INBOX", c.move); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := l.Cursor(ctx, "INBOX"); err != nil || got != c.want {
			t.Errorf("after %v: %v, %v; want %v", c.move, got, err, c.want)
		}
	}
	if got, err := l.Cursor(ctx, "Other"); err != nil || got != (Cursor{}) {
		t.Errorf("another mailbox: %v, %v", got, err)
	}
}

func TestStateNames(t *testing.T) {
	for s, want := range map[State]string{Stored: "stored", Acted: "acted", Answered: "answered", Moved: "moved", 9: "state 9"} {
		if got := s.String(); got != want {
			t.Errorf("state is called %q, want %q", got, want)
		}
	}
}

// What is answered was acted on, once.
func TestRecordAnswered(t *testing.T) {
	l, ctx := open(t), t.Context()
	var mails []Mail
	for uid := range uint32(3) {
		m, err := l.stored(ctx, Mail{Ref: Ref{"INBOX", 1, uid + 1}, SHA256: ContentHash([]byte{byte(uid)}), MessageID: "m@x", ReceivedAt: noon.Add(time.Duration(uid) * time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		mails = append(mails, m)
	}
	if err := l.RecordActed(ctx, "refused", mails[1]); err != nil {
		t.Fatal(err)
	}
	for _, m := range mails[:2] { // the second as it was before
		for range 2 {
			if err := l.RecordAnswered(ctx, "done", m); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, want := range []string{"done", "refused", ""} {
		m, ok, err := l.SeenRef(ctx, mails[i].Ref)
		if state := []State{Answered, Answered, Stored}[i]; err != nil || !ok || m.State != state || m.Outcome != want {
			t.Errorf("mail %d: %+v, %v", i, m, err)
		}
	}
	if err := l.RecordMoved(ctx, mails[0]); err != nil {
		t.Fatal(err)
	}
	if err := l.RecordAnswered(ctx, "ignored", mails[0]); err != nil {
		t.Fatal(err)
	}
	if err := l.RecordAnswered(ctx, "done", Mail{Ref: Ref{"INBOX", 1, 99}}); !errors.Is(err, ErrUnknownMail) {
		t.Errorf("error %v", err)
	}
	names := func(m Mail) (all []string) {
		like, err := l.SimilarActed(ctx, m)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range like {
			all = append(all, o.SHA256)
		}
		return all
	}
	a, b, c := mails[0].SHA256, mails[1].SHA256, mails[2].SHA256
	for i, want := range [][]string{{a, b}, {a}, nil, {a, b}} {
		if got := names([]Mail{{SHA256: c, MessageID: "m@x"}, {SHA256: a}, {SHA256: c, MessageID: "other@x"}, {SHA256: a, MessageID: "m@x"}}[i]); !slices.Equal(got, want) {
			t.Errorf("like %d: %v, want %v", i, got, want)
		}
	}
}
