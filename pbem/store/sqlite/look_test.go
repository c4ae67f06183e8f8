package sqlite

import (
	"fmt"
	"testing"
	"time"

	"starpost/pbem/store"
)

// TestViewIsReadOnly checks that View can read a store in use, but not change it.
func TestViewIsReadOnly(t *testing.T) {
	path := newPath(t)
	l := openAt(t, path)
	for i := range 4 {
		m := store.Mail{Ref: store.Ref{Mailbox: "INBOX", UIDValidity: 1, UID: uint32(i + 1)}, SHA256: fmt.Sprintf("%064d", i/2), MessageID: fmt.Sprintf("<%d@x>", i), ReceivedAt: noon.Add(time.Duration(i) * time.Hour)}
		if _, err := l.RecordStored(t.Context(), m, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Queue(t.Context(), store.OutboxMessage{Game: "g", Kind: store.Report, MessageID: fmt.Sprintf("<o%d@x>", i), From: "a@x", To: "b@x", Bytes: []byte("x"), QueuedAt: noon}); err != nil {
			t.Fatal(err)
		}
	}
	looked := false
	err := View(t.Context(), path, func(l *Store) error {
		looked = true
		for _, c := range []struct {
			since, until time.Time
			want         int
		}{
			{noon, time.Time{}, 2}, // the same bytes twice are one mail
			{noon.Add(time.Minute), noon.Add(90 * time.Minute), 1},
			{noon, noon, 0},
			{noon.Add(4 * time.Hour), time.Time{}, 0},
		} {
			if got, err := l.Received(t.Context(), c.since, c.until); err != nil || len(got) != c.want {
				t.Errorf("from %v to %v: %d mails, %v", c.since, c.until, len(got), err)
			}
		}
		got, err := l.Recent(t.Context(), 3)
		if err != nil || len(got) != 3 || got[0].MessageID != "<o3@x>" || got[2].MessageID != "<o1@x>" || got[0].Bytes != nil {
			t.Errorf("%+v, %v", got, err)
		}
		if _, err := l.RecordReminder(t.Context(), "g", 1, "Kirk", "24h", noon); err == nil {
			t.Error("it could be changed")
		}
		return nil
	})
	if err != nil || !looked {
		t.Fatalf("looked %v, %v", looked, err)
	}
}
