package sqlite

import (
	"context"
	"errors"
	"testing"

	"starpost/pbem/store"
)

// busy does all that a daemon does with one mail.
func busy(ctx context.Context, l *Store, uid uint32) error {
	ref := store.Ref{Mailbox: "box", UIDValidity: 7, UID: uid}
	id := "answer-" + string(rune('a'+uid)) + "@x"
	raw := []byte{byte(uid)}
	if _, err := l.RecordStored(ctx, store.Mail{Ref: ref, SHA256: store.ContentHash(raw), MessageID: "m@x", ReceivedAt: noon}, raw); err != nil {
		return err
	}
	m, _, err := l.SeenRef(ctx, ref)
	if err != nil {
		return err
	}
	if _, err := l.Queue(ctx, message(id)); err != nil {
		return err
	}
	if _, err := l.RecordAnswer(ctx, "ann@example.org", "ack", id, noon); err != nil {
		return err
	}
	if n, err := l.Answers(ctx, "ann@example.org", "", noon); err != nil || n == 0 {
		return errors.Join(errors.New("what was done is not seen"), err)
	}
	if m, ok, err := l.Message(ctx, id); err != nil || !ok || m.MessageID != id {
		return errors.Join(errors.New("the mail is not seen"), err)
	}
	if err := l.RecordAnswered(ctx, "done", m); err != nil {
		return err
	}
	return l.MoveCursor(ctx, "box", store.Cursor{UIDValidity: 7, UID: uid})
}

// TestGroupEqualsSingleCalls checks that calls in a group do the same as single calls.
func TestGroupEqualsSingleCalls(t *testing.T) {
	one, many := open(t), open(t)
	work := func(l *Store) func(context.Context) error {
		return func(ctx context.Context) error {
			for uid := range uint32(5) {
				if err := busy(ctx, l, uid); err != nil {
					return err
				}
			}
			return l.MarkSent(ctx, 2, 1, noon)
		}
	}
	for range 2 { // the second time with statements already prepared
		if err := work(one)(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := many.Group(t.Context(), work(many)); err != nil {
			t.Fatal(err)
		}
	}
	a, b := dump(t, one), dump(t, many)
	if a != b {
		t.Errorf("one by one:\n%s\ntogether:\n%s", a, b)
	}
}

// TestGroupIsAtomic checks that a failed group changes nothing.
func TestGroupIsAtomic(t *testing.T) {
	l := open(t)
	if err := busy(t.Context(), l, 0); err != nil {
		t.Fatal(err)
	}
	before := dump(t, l)
	full := errors.New("disk full")
	for name, end := range map[string]func(context.Context) error{
		"f fails": func(context.Context) error { return full },
		"a method fails and f does not care": func(ctx context.Context) error {
			_ = l.MarkSent(ctx, 999, 1, noon)
			if err := busy(ctx, l, 3); err == nil {
				t.Error("work goes on after an error")
			}
			return nil
		},
	} {
		err := l.Group(t.Context(), func(ctx context.Context) error {
			if err := busy(ctx, l, 1); err != nil {
				t.Error(err)
			}
			if err := busy(ctx, l, 2); err != nil {
				t.Error(err)
			}
			return end(ctx)
		})
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if got := dump(t, l); got != before {
			t.Errorf("%s: left\n%s\nwant\n%s", name, got, before)
		}
	}
	if err := busy(t.Context(), l, 1); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// TestGroupSurvivesItsContext checks that a group commits even if its context is cancelled.
func TestGroupSurvivesItsContext(t *testing.T) {
	l := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	if err := l.Group(ctx, func(ctx context.Context) error {
		cancel()
		return busy(ctx, l, 0)
	}); err != nil {
		t.Fatal(err)
	}
	if c, err := l.Cursor(t.Context(), "box"); err != nil || c.UIDValidity != 7 {
		t.Errorf("cursor %+v, %v", c, err)
	}
}

// TestGroupRollsBackAPanic checks that the store is usable after a panic in a group.
func TestGroupRollsBackAPanic(t *testing.T) {
	l := open(t)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = l.Group(t.Context(), func(context.Context) error { panic("out of bounds") })
	}()
	if err := busy(t.Context(), l, 0); err != nil {
		t.Error(err)
	}
}

// TestGroupIsOfOneStore checks that a group's context affects its own store only.
func TestGroupIsOfOneStore(t *testing.T) {
	l, other := open(t), open(t)
	full := errors.New("disk full")
	err := l.Group(t.Context(), func(ctx context.Context) error {
		if err := busy(ctx, other, 0); err != nil {
			t.Error(err)
		}
		return full
	})
	if !errors.Is(err, full) {
		t.Error(err)
	}
	if _, ok, err := other.Message(t.Context(), "answer-a@x"); !ok || err != nil {
		t.Errorf("the other store lost its mail: %v", err)
	}
}
