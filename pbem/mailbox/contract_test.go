package mailbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"

	"starpost/pbem/mailbox"
)

// world is a mailbox on some server, empty at first, for checking the contract.
type world struct {
	config   mailbox.Config
	put      func(t *testing.T, raw []byte)
	keeps    bool               // moved mails stay, hidden
	renumber func(t *testing.T) // empties the mailbox under a new UIDVALIDITY; nil when impossible
}

// contract is what every IMAP server must fulfil with the adapter. It always runs on the loopback
// server, and on a real one if the environment names it.
func contract(t *testing.T, open func(t *testing.T) world) {
	t.Helper()
	t.Run("marks", func(t *testing.T) {
		w := open(t)
		c, ctx := dial(t, w.config)
		w.put(t, letter(1))
		const folder = "Starpost/Daemon"
		look := func() []mailbox.Mark {
			t.Helper()
			marks, err := c.Marks(ctx, folder)
			if err != nil {
				t.Fatal(err)
			}
			return marks
		}
		for _, m := range look() { // from an earlier run
			if err := c.DropMark(ctx, m.UID); err != nil {
				t.Fatal(err)
			}
		}
		for _, owner := range []string{"ABC", "DEF"} {
			if err := c.PutMark(ctx, folder, mailbox.Mark{Owner: owner, Run: "of " + owner, Who: "process 7 on mars", Every: 5 * time.Minute, Beat: 2}); err != nil {
				t.Fatal(err)
			}
		}
		marks := look()
		if len(marks) != 2 || marks[0].Owner != "ABC" || marks[1].Owner != "DEF" || marks[0].UID >= marks[1].UID ||
			marks[0].Who != "process 7 on mars" || marks[0].Every != 5*time.Minute || marks[0].Beat != 2 || marks[0].Run != "of ABC" || marks[0].Place != marks[0].UID {
			t.Fatalf("marks %+v", marks)
		}
		// The next process of an owner takes over the place of the previous one.
		if err := c.PutMark(ctx, folder, mailbox.Mark{Owner: "ABC", Run: "next", Place: marks[0].Place, Who: "process 8 on mars", Every: 5 * time.Minute}); err != nil {
			t.Fatal(err)
		}
		now := look()
		if len(now) != 3 || now[2].Run != "next" || now[2].Place != marks[0].UID || now[2].UID <= marks[1].UID {
			t.Fatalf("marks %+v", now)
		}
		if err := c.DropMark(ctx, now[2].UID); err != nil {
			t.Fatal(err)
		}
		for beat := range mailbox.Beats {
			if err := c.BeatMark(ctx, marks[0].UID, beat); err != nil {
				t.Fatal(err)
			}
			if now := look(); now[0].Beat != beat || now[1].Beat != 2 {
				t.Errorf("marks %+v, want beat %d", now, beat)
			}
		}
		if err := c.DropMark(ctx, marks[0].UID); err != nil {
			t.Fatal(err)
		}
		if left := look(); len(left) != 1 || left[0].UID != marks[1].UID {
			t.Errorf("left %+v", left)
		}
		selectBox(t, c)
		if uids := list(t, c, 0); len(uids) != 1 {
			t.Errorf("in the mailbox are %v", uids)
		}
	})
	t.Run("list and fetch", func(t *testing.T) {
		w := open(t)
		c, _ := dial(t, w.config)
		want := map[string]bool{}
		for i := range 5 {
			raw := letter(i)
			want[string(raw)] = true
			w.put(t, raw)
		}
		validity, next := selectBox(t, c)
		uids := list(t, c, 0)
		if len(uids) != 5 || !slices.IsSorted(uids) {
			t.Fatalf("listed %v, want five rising UIDs", uids)
		}
		if next != 0 && next <= uids[4] {
			t.Errorf("next UID is %d after %d", next, uids[4])
		}
		for _, m := range fetch(t, c, uids) {
			if m.Ref.UIDValidity != validity || m.Ref.Mailbox != "box" || !slices.Contains(uids, m.Ref.UID) {
				t.Errorf("mail has the reference %+v", m.Ref)
			}
			if !want[string(m.Raw)] {
				t.Errorf("mail %d is not one that was put there:\n%s", m.Ref.UID, m.Raw)
			}
			if m.Size != int64(len(m.Raw)) {
				t.Errorf("mail %d: size %d, %d bytes", m.Ref.UID, m.Size, len(m.Raw))
			}
			delete(want, string(m.Raw))
		}
		if len(want) != 0 {
			t.Errorf("%d mails were not fetched", len(want))
		}
	})

	t.Run("nothing above the last", func(t *testing.T) {
		w := open(t)
		w.put(t, letter(0))
		w.put(t, letter(1))
		c, _ := dial(t, w.config)
		selectBox(t, c)
		uids := list(t, c, 0)
		if got := list(t, c, uids[0]); !slices.Equal(got, uids[1:]) {
			t.Errorf("above %d: %v, want %v", uids[0], got, uids[1:])
		}
		// "N:*" names the highest mail even if it is below N.
		for _, after := range []uint32{uids[1], uids[1] + 10, 1<<32 - 2, 1<<32 - 1} {
			if got := list(t, c, after); len(got) != 0 {
				t.Errorf("above %d: %v, want none", after, got)
			}
		}
	})

	t.Run("many mails", func(t *testing.T) {
		w := open(t)
		const many = 230 // more than a batch
		for i := range many {
			w.put(t, letter(i))
		}
		c, _ := dial(t, w.config)
		selectBox(t, c)
		uids := list(t, c, 0)
		if got := fetch(t, c, uids); len(got) != many {
			t.Errorf("fetched %d mails, want %d", len(got), many)
		}
		move(t, c, uids, "Starpost/Done")
		if left := list(t, c, 0); len(left) != 0 {
			t.Errorf("%d mails are left after the move", len(left))
		}
	})

	t.Run("too large", func(t *testing.T) {
		w := open(t)
		w.config.MaxBytes = 2000
		big := append(letter(0), bytes.Repeat([]byte("0123456789abcdef\r\n"), 500)...)
		w.put(t, big)
		w.put(t, letter(1))
		c, _ := dial(t, w.config)
		selectBox(t, c)
		got := fetch(t, c, list(t, c, 0))
		if len(got) != 2 {
			t.Fatalf("fetched %d mails, want 2", len(got))
		}
		for _, m := range got {
			if large := m.Size > 2000; large != (m.Raw == nil) {
				t.Errorf("mail of %d bytes has %d bytes here", m.Size, len(m.Raw))
			}
			if m.Size <= 2000 {
				continue
			}
			if head, _, ok := bytes.Cut(big, []byte("\r\n\r\n")); !ok || string(m.Head) != string(head)+"\r\n\r\n" || m.Limit != 2000 {
				t.Errorf("limit %d, header %q", m.Limit, m.Head)
			}
		}
	})

	t.Run("dates and flags", func(t *testing.T) {
		w := open(t)
		raw := rawClient(t, w.config)
		dates := []time.Time{
			time.Date(1970, 1, 2, 3, 4, 5, 0, time.UTC), time.Date(2025, 11, 1, 23, 59, 59, 0, time.FixedZone("", 7200)), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), // none in the future: servers correct those
		}
		for i, date := range dates {
			o := &imap.AppendOptions{Time: date}
			if i == 1 {
				o.Flags = []imap.Flag{imap.FlagSeen}
			}
			appendAs(t, raw, letter(i), o)
		}
		hangUp(t, raw)
		before := time.Now().Add(-time.Hour)
		w.put(t, letter(3))
		c, _ := dial(t, w.config)
		selectBox(t, c)
		uids := list(t, c, 0)
		for _, m := range fetch(t, c, uids) {
			i := slices.Index(uids, m.Ref.UID)
			if i < 3 && !m.Arrived.Equal(dates[i]) || i == 3 && (m.Arrived.Before(before) || m.Arrived.After(time.Now().Add(time.Hour))) {
				t.Errorf("fetched mail %d arrived %s", i, m.Arrived)
			}
		}
		infos, err := c.Infos(t.Context(), append(uids, uids[3]+9))
		if err != nil || len(infos) != 4 {
			t.Fatalf("%v, %v", infos, err)
		}
		for i, uid := range uids {
			info := infos[uid]
			if info.Seen != (i == 1) || i < 3 && !info.Arrived.Equal(dates[i]) || i == 3 && info.Arrived.Before(before) {
				t.Errorf("mail %d: %+v", i, info)
			}
		}
	})

	t.Run("fetching twice gives the same", func(t *testing.T) {
		w := open(t)
		w.put(t, letter(0))
		c, _ := dial(t, w.config)
		selectBox(t, c)
		uids := list(t, c, 0)
		first, again := fetch(t, c, uids), fetch(t, c, uids)
		if len(first) != 1 || len(again) != 1 || !bytes.Equal(first[0].Raw, again[0].Raw) || first[0].Ref != again[0].Ref {
			t.Errorf("first %v, again %v", first, again)
		}
	})

	t.Run("move", func(t *testing.T) {
		w := open(t)
		w.put(t, letter(0))
		w.put(t, letter(1))
		w.put(t, letter(2))
		c, ctx := dial(t, w.config)
		selectBox(t, c)
		uids := list(t, c, 0)
		move(t, c, uids[:1], "Starpost/Done")
		move(t, c, uids[:1], "Starpost/Done") // already moved: no error
		move(t, c, uids[:2], "Starpost/Done") // half of them already moved
		move(t, c, nil, "Starpost/Done")
		if got := list(t, c, 0); !slices.Equal(got, uids[2:]) {
			t.Errorf("left %v, want %v", got, uids[2:])
		}
		if got := fetch(t, c, uids); !w.keeps && (len(got) != 1 || got[0].Ref.UID != uids[2]) {
			t.Errorf("fetched %d mails, want only the one that is left", len(got))
		}
		if err := c.Move(ctx, uids[2:], "/"); kind(err) != mailbox.KindConfig {
			t.Errorf("move to a folder without a name: %v", err)
		}
		done := w.config
		done.Inbox = folderName(t, c, w, "Starpost/Done")
		d, _ := dial(t, done)
		selectBox(t, d)
		if got := fetch(t, d, list(t, d, 0)); len(got) != 2 {
			t.Errorf("%d mails in the folder, want 2", len(got))
		}
	})

	t.Run("taker fails", func(t *testing.T) {
		w := open(t)
		for i := range 4 {
			w.put(t, letter(i))
		}
		c, ctx := dial(t, w.config)
		selectBox(t, c)
		uids := list(t, c, 0)
		full := errors.New("disk full")
		calls := 0
		err := c.Fetch(ctx, uids, func(mailbox.Mail) error { calls++; return full })
		if !errors.Is(err, full) || calls != 1 {
			t.Errorf("after %d calls: %v", calls, err)
		}
		if got := fetch(t, c, uids); len(got) != 4 {
			t.Errorf("fetched %d mails afterwards, want 4", len(got))
		}
	})

	t.Run("taker must not call", func(t *testing.T) {
		w := open(t)
		w.put(t, letter(0))
		c, ctx := dial(t, w.config)
		selectBox(t, c)
		var inner error
		err := c.Fetch(ctx, list(t, c, 0), func(m mailbox.Mail) error {
			inner = c.Move(ctx, []uint32{m.Ref.UID}, "Starpost/Done")
			return nil
		})
		if err != nil || inner == nil {
			t.Errorf("fetch: %v; a move within: %v, want an error", err, inner)
		}
	})

	t.Run("new validity", func(t *testing.T) {
		w := open(t)
		if w.renumber == nil {
			t.Skip("this server cannot be made to renumber")
		}
		w.put(t, letter(0))
		c, _ := dial(t, w.config)
		before, _ := selectBox(t, c)
		c.Close()
		w.renumber(t)
		w.put(t, letter(1))
		c, _ = dial(t, w.config)
		after, _ := selectBox(t, c)
		if before == after {
			t.Errorf("the validity is %d before and after", before)
		}
		// Also on one connection: the mailbox is selected for each look.
		w.renumber(t)
		w.put(t, letter(1))
		if again, _ := selectBox(t, c); again == after {
			t.Errorf("the validity is %d before and after, on one connection", again)
		} else {
			after = again
		}
		got := fetch(t, c, list(t, c, 0))
		if len(got) != 1 || got[0].Ref.UIDValidity != after {
			t.Errorf("fetched %v, want one mail under validity %d", got, after)
		}
	})

	t.Run("wait ends with news", func(t *testing.T) {
		w := open(t)
		c, ctx := dial(t, w.config)
		selectBox(t, c)
		done := make(chan error, 1)
		go func() { done <- c.Wait(ctx, time.Hour) }()
		w.put(t, letter(0))
		if err := <-done; err != nil {
			t.Fatalf("wait: %v", err)
		}
		if got := list(t, c, 0); len(got) != 1 {
			t.Errorf("after the wait: %v, want one mail", got)
		}
	})

	t.Run("wait ends with time", func(t *testing.T) {
		w := open(t)
		c, ctx := dial(t, w.config)
		selectBox(t, c)
		for _, most := range []time.Duration{0, time.Millisecond} {
			if err := c.Wait(ctx, most); err != nil {
				t.Errorf("wait for %v: %v", most, err)
			}
		}
		if got := list(t, c, 0); len(got) != 0 {
			t.Errorf("listed %v", got)
		}
	})

	t.Run("wait ends with the context", func(t *testing.T) {
		w := open(t)
		c, _ := dial(t, w.config)
		selectBox(t, c)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- c.Wait(ctx, time.Hour) }()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("wait: %v", err)
		}
	})

	t.Run("login refused", func(t *testing.T) {
		w := open(t)
		w.config.Password += "x"
		c, err := mailbox.Dial(t.Context(), w.config, nil)
		if c != nil || kind(err) != mailbox.KindLoginRefused || temporary(err) {
			t.Errorf("dial: %v", err)
		}
		if err != nil && strings.Contains(err.Error(), w.config.Password) {
			t.Errorf("the error holds the password: %v", err)
		}
	})

	t.Run("mailbox missing", func(t *testing.T) {
		w := open(t)
		w.config.Inbox = "No such box"
		c, ctx := dial(t, w.config)
		_, _, err := c.Select(ctx)
		if kind(err) != mailbox.KindMailboxMissing || temporary(err) {
			t.Errorf("select: %v", err)
		}
		var e *mailbox.Error
		if !errors.As(err, &e) || !strings.Contains(e.Hint(), "There are ") || !strings.Contains(e.Hint(), "INBOX") {
			t.Errorf("the hint names no mailbox: %q", e.Hint())
		}
	})

	t.Run("check", func(t *testing.T) {
		w := open(t)
		w.put(t, letter(0))
		c, ctx := dial(t, w.config)
		caps, err := c.Check(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if caps.Messages != 1 || caps.Validity == 0 {
			t.Errorf("check found %+v", caps)
		}
	})

	t.Run("closed", func(t *testing.T) {
		w := open(t)
		c, ctx := dial(t, w.config)
		c.Close()
		c.Close()
		if _, _, err := c.Select(ctx); kind(err) != mailbox.KindLost || !temporary(err) {
			t.Errorf("select on a closed client: %v", err)
		}
	})
}

// letter returns a mail with an 8-bit body and every odd kind of line.
func letter(i int) []byte {
	return fmt.Appendf(nil, "From: Kirk <kirk@example.org>\r\nTo: host@example.org\r\nSubject: orders %d\r\n"+
		"Message-ID: <%d@example.org>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"+
		"speed 4\r\n.\r\n..\r\n\r\nsalut \xc3\xa9 {5}\r\n)\r\n", i, i)
}

func dial(t *testing.T, cfg mailbox.Config) (*mailbox.Client, context.Context) {
	t.Helper()
	ctx := t.Context()
	c, err := mailbox.Dial(ctx, cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, ctx
}

func selectBox(t *testing.T, c *mailbox.Client) (validity, next uint32) {
	t.Helper()
	validity, next, err := c.Select(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return validity, next
}

func list(t *testing.T, c *mailbox.Client, after uint32) []uint32 {
	t.Helper()
	uids, err := c.List(t.Context(), after)
	if err != nil {
		t.Fatal(err)
	}
	return uids
}

func fetch(t *testing.T, c *mailbox.Client, uids []uint32) []mailbox.Mail {
	t.Helper()
	var out []mailbox.Mail
	err := c.Fetch(t.Context(), uids, func(m mailbox.Mail) error {
		out = append(out, m)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func move(t *testing.T, c *mailbox.Client, uids []uint32, folder string) {
	t.Helper()
	if err := c.Move(t.Context(), uids, folder); err != nil {
		t.Fatal(err)
	}
}

// folderName finds the server's name of a folder that was just used, by trying the usual hierarchy
// delimiters.
func folderName(t *testing.T, _ *mailbox.Client, w world, folder string) string {
	t.Helper()
	for _, prefix := range []string{"", "INBOX.", "INBOX/"} {
		for _, mark := range []string{"/", "."} {
			cfg := w.config
			cfg.Inbox = prefix + strings.ReplaceAll(folder, "/", mark)
			c, ctx := dial(t, cfg)
			if _, _, err := c.Select(ctx); err == nil {
				return cfg.Inbox
			}
		}
	}
	t.Fatalf("folder %s was not created", folder)
	return ""
}

func kind(err error) mailbox.Kind {
	var e *mailbox.Error
	if !errors.As(err, &e) {
		return mailbox.KindOther
	}
	return e.Kind
}

func temporary(err error) bool {
	var e *mailbox.Error
	return errors.As(err, &e) && e.Temporary()
}
