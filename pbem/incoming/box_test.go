package incoming

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"starpost/pbem/mailbox"
)

const address = "battles@example.org"

func open(t *testing.T, state string) *Box {
	t.Helper()
	b, err := Open(state, address)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func put(t *testing.T, b *Box, text string) {
	t.Helper()
	if err := b.Put(Envelope{"<ann@example.net>", []string{address}}, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
}

func look(t *testing.T, b *Box, validity, after uint32) (uint32, []uint32) {
	t.Helper()
	now, uids, err := b.Look(t.Context(), validity, after)
	if err != nil {
		t.Fatal(err)
	}
	return now, uids
}

func fetch(t *testing.T, b *Box, uids ...uint32) (all []mailbox.Mail) {
	t.Helper()
	if err := b.Fetch(t.Context(), uids, func(m mailbox.Mail) error { all = append(all, m); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestWhatIsPutInIsRead(t *testing.T) {
	state := t.TempDir()
	b := open(t, state)
	if _, uids := look(t, b, 0, 0); len(uids) > 0 {
		t.Errorf("new mails %v in an empty folder", uids)
	}
	put(t, b, "From ann Sat Nov 28 09:00:00 2026\nSubject: one\n\nFrom here on\nlast")
	put(t, b, "Subject: two\r\n\r\nbody\r\n")
	validity, uids := look(t, b, 0, 0)
	if validity == 0 || !slices.Equal(uids, []uint32{1, 2}) {
		t.Fatalf("validity %d, mails %v", validity, uids)
	}
	all := fetch(t, b, 1, 2, 7)
	head := "Return-Path: <ann@example.net>\r\nDelivered-To: battles@example.org\r\n"
	for i, want := range []string{"Subject: one\r\n\r\nFrom here on\r\nlast\r\n", "Subject: two\r\n\r\nbody\r\n"} {
		m := all[i]
		if string(m.Raw) != head+want || m.Size != int64(len(m.Raw)) || m.Ref != (mailbox.Ref{Mailbox: address, UIDValidity: validity, UID: uint32(i + 1)}) {
			t.Errorf("mail %d is %+v\n%s", i+1, m.Ref, m.Raw)
		}
	}
	if len(all) != 2 {
		t.Errorf("%d mails, 2 are there", len(all))
	}
	infos, err := b.Infos(t.Context(), []uint32{2, 3})
	if err != nil || len(infos) != 1 || infos[2].Seen || infos[2].Arrived.IsZero() {
		t.Errorf("infos %v, %v", infos, err)
	}
	if err := b.Move(t.Context(), []uint32{1, 9}, "Starpost/Done"); err != nil {
		t.Fatal(err)
	}
	again := open(t, state)
	put(t, again, "Subject: three\n\n")
	if now, uids := look(t, again, validity, 1); now != validity || !slices.Equal(uids, []uint32{2, 3}) {
		t.Errorf("validity %d, mails %v; want %d, 2 and 3", now, uids, validity)
	}
	if _, uids := look(t, again, validity, 3); len(uids) > 0 {
		t.Errorf("mails %v above the last", uids)
	}
	if _, uids := look(t, again, validity+2, 3); len(uids) != 2 {
		t.Errorf("of another validity %v", uids)
	}
}

// TestNoNumberTwice: a number is not reused after its mail left, and if the numbers are lost everything is read
// again.
func TestNoNumberTwice(t *testing.T) {
	b := open(t, t.TempDir())
	put(t, b, "a: b\n\n")
	validity, _ := look(t, b, 0, 0)
	if err := b.Move(t.Context(), []uint32{1}, "Done"); err != nil {
		t.Fatal(err)
	}
	put(t, b, "c: d\n\n")
	if _, uids := look(t, b, validity, 0); !slices.Equal(uids, []uint32{2}) {
		t.Errorf("mails %v", uids)
	}
	for _, text := range []string{"", "x", "0 5\n", "17"} {
		if err := os.WriteFile(filepath.Join(b.dir, nextFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		now, uids := look(t, b, validity, 2)
		if now == validity || now == 0 || !slices.Equal(uids, []uint32{2}) {
			t.Errorf("with the numbers %q: validity %d, mails %v", text, now, uids)
		}
		if n, err := b.numbers(); err != nil || n.validity != now || n.next != 3 {
			t.Errorf("with the numbers %q: %v, %v", text, n, err)
		}
		validity = now
	}
}

// TestManyPutAtOnce: each mail is there once, and a reader by ascending numbers misses none.
func TestManyPutAtOnce(t *testing.T) {
	state := t.TempDir()
	const writers, each = 8, 10
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			b, err := Open(state, address)
			for i := range each {
				err = errors.Join(err, b.Put(Envelope{}, strings.NewReader(fmt.Sprintf("X: %d.%d\n\n", w, i))))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	done := make(chan struct{})
	go func() { group.Wait(); close(done) }()
	reader, seen, last := open(t, state), map[string]bool{}, uint32(0)
	for ended := false; ; {
		validity, _ := look(t, reader, 0, 0)
		_, uids := look(t, reader, validity, last)
		for _, m := range fetch(t, reader, uids...) {
			seen[string(m.Raw)] = true
			last = m.Ref.UID
		}
		if ended {
			break
		}
		select {
		case <-done:
			ended = true // once more
		default:
		}
	}
	if len(seen) != writers*each || last != writers*each {
		t.Errorf("%d mails were seen up to number %d, %d were put in", len(seen), last, writers*each)
	}
}

// broken returns some bytes, then an error.
type broken struct{ left int }

func (b *broken) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n := min(len(p), b.left)
	for i := range n {
		p[i] = 'x'
	}
	b.left -= n
	return n, nil
}

// TestNothingIsLeft: nothing is left of a mail that is not taken in.
func TestNothingIsLeft(t *testing.T) {
	b := open(t, t.TempDir())
	for what, test := range map[string]struct {
		r    io.Reader
		want error
	}{
		"too large":        {&broken{MaxBytes + 1}, ErrTooLarge},
		"cut off":          {&broken{5000}, io.ErrUnexpectedEOF},
		"nothing":          {strings.NewReader(""), ErrEmpty},
		"a separator only": {strings.NewReader("From ann\n"), ErrEmpty},
	} {
		if err := b.Put(Envelope{"<a@b.example>", []string{address}}, test.r); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := b.Put(Envelope{}, io.LimitReader(&broken{MaxBytes + 5}, MaxBytes)); err != nil {
		t.Errorf("the largest mail: %v", err)
	}
	entries, err := os.ReadDir(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			t.Errorf("%s is left", e.Name())
		}
	}
	if _, uids := look(t, b, 0, 0); len(uids) != 1 {
		t.Errorf("mails %v", uids)
	}
}

func TestAddressesStayOneLine(t *testing.T) {
	b := open(t, t.TempDir())
	if err := b.Put(Envelope{"<a\r\nBcc: x\x00>", []string{address + "\nX: y"}}, strings.NewReader("a: b\n\n")); err != nil {
		t.Fatal(err)
	}
	look(t, b, 0, 0)
	if raw := string(fetch(t, b, 1)[0].Raw); raw != "Return-Path: <aBcc: x>\r\nDelivered-To: battles@example.orgX: y\r\na: b\r\n\r\n" {
		t.Errorf("%q", raw)
	}
}

func TestTidy(t *testing.T) {
	b := open(t, t.TempDir())
	for range 3 {
		put(t, b, "a: b\n\n")
	}
	if err := b.Move(t.Context(), []uint32{1, 2}, "Done"); err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(b.dir, partial+"1")
	if err := os.WriteFile(half, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	if n, err := b.Tidy(now.Add(time.Hour), time.Minute); n != 2 || err != nil {
		t.Errorf("%d mails deleted, %v", n, err)
	}
	if _, err := os.Stat(half); err != nil {
		t.Errorf("a delivery that may be under way: %v", err)
	}
	if n, err := b.Tidy(now.Add(25*time.Hour), 0); n != 0 || err != nil {
		t.Errorf("%d mails deleted, %v", n, err)
	}
	if _, err := os.Stat(half); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what a delivery left: %v", err)
	}
	if _, uids := look(t, b, 0, 0); !slices.Equal(uids, []uint32{3}) {
		t.Errorf("mails %v", uids)
	}
}

func TestWaitEnds(t *testing.T) {
	b := open(t, t.TempDir())
	b.Wake()
	if err := b.Wait(t.Context(), time.Hour); err != nil {
		t.Error(err)
	}
	if err := b.Wait(t.Context(), time.Nanosecond); err != nil {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := b.Wait(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
