package daemon_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"starpost/engine/testkit/enginetest"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/doctor"
	"starpost/pbem/store"
	"starpost/pbem/vault"
)

func day(n int) time.Time { return began.Add(time.Duration(n) * 24 * time.Hour) }

// inForce returns the orders of a ship.
func (w *world) inForce(g *vault.Game, turn int, ship string) string {
	w.t.Helper()
	if err := g.Refresh(); err != nil {
		w.t.Fatal(err)
	}
	files, err := g.Orders.For(vault.At(turn))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, f := range files {
		if f.Name == ship {
			return string(f.Text)
		}
	}
	return ""
}

// from runs the daemon once with that option.
func (w *world) from(since time.Time) sentMails {
	w.t.Helper()
	d, err := daemon.Open(process.Options{
		Config: w.cfg, Catalogue: w.cat, Clock: w.clock, Log: w.log, Inbox: w.box.open, Sender: w.out.open, From: since,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := d.Once(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		w.t.Fatal(err)
	}
	return w.delivered()
}

// Mails from before the first start stay in the mailbox and get no answer. Later ones are taken in, whatever their
// date.
func TestOldMailsStay(t *testing.T) {
	w := newWorld(t)
	var log bytes.Buffer
	w.log = slog.New(slog.NewTextHandler(&log, nil))
	w.game("wolf", schedule())
	for n := range 300 {
		w.box.old(w.mail(fmt.Sprintf("someone%d@example.com", n), "hello"), day(-365), n%2 == 0)
	}
	w.box.old(w.mail("read@example.com", "hello"), began.Add(-2*time.Minute), true)
	w.box.old(w.mail("nodate@example.com", "hello"), time.Time{}, false)
	w.box.old(w.mail("now@example.com", "hello"), began, false)
	sent := w.run()
	if w.box.left() != 302 || len(sent.to("now@example.com", "")) != 1 || len(sent) != 3 { // two reports
		t.Fatalf("%d mails stay, sent:\n%s", w.box.left(), sent)
	}
	if !strings.Contains(log.String(), "old mails left in the mailbox") || !strings.Contains(log.String(), "mails=302") || !strings.Contains(log.String(), "--from DATE") {
		t.Errorf("the log says\n%s", log.String())
	}
	w.clock.Advance(time.Hour)
	g := w.load("wolf")
	w.box.old(w.order(g, "Kirk", "final"), day(-20000), false) // a server without a clock
	w.box.old(w.mail(kor, "#status"), day(20000), true)        // read meanwhile in another program
	sent = w.run()
	if w.box.left() != 302 || len(sent.to(kirk, "accepted")) != 1 || len(sent.to(kor, "")) != 1 || len(sent) != 2 {
		t.Fatalf("%d mails stay, sent:\n%s", w.box.left(), sent)
	}
	// The server renumbers its mails.
	w.box.renumber()
	w.clock.Advance(time.Hour)
	w.box.put(w.mail(kor, "#status"))
	if sent = w.run(); w.box.left() != 302 || len(sent) != 1 {
		t.Fatalf("renumbered: %d mails stay, sent:\n%s", w.box.left(), sent)
	}
	// The store is lost.
	if err := os.Remove(filepath.Join(w.cfg.State, "ledger.db")); err != nil {
		t.Fatal(err)
	}
	w.box.put(w.mail(kor, "#status"))
	if sent = w.run(); w.box.left() != 302 || len(sent) != 1 {
		t.Fatalf("without the store: %d mails stay, sent:\n%s", w.box.left(), sent)
	}
}

// Older mails are taken in on request, and strangers get no answer to those.
func TestOldMailsAreTakenIn(t *testing.T) {
	for _, first := range []bool{true, false} {
		w := newWorld(t)
		w.game("wolf", schedule())
		w.box.old(w.mail(kirk, "#status"), day(-10), true)
		w.box.old(w.mail(kirk, "#status "), day(-5), true)
		w.box.old(w.mail("four@example.com", "hello"), day(-4), false)
		w.box.old(w.mail("two@example.com", "hello", "Date: Thu, 1 Jan 1970 00:00:00 +0000"), day(-2), false)
		if !first {
			if sent := w.run(); w.box.left() != 4 || len(sent) != 2 {
				t.Fatalf("%d mails stay, sent:\n%s", w.box.left(), sent)
			}
			w.clock.Advance(time.Hour)
		}
		sent := w.from(day(-7))
		if w.box.left() != 1 || len(sent.to(kirk, "Status")) != 1 || len(sent.to("two@example.com", "")) != 1 || len(sent.to("four@example.com", "")) != 0 {
			t.Errorf("%d mails stay, sent:\n%s", w.box.left(), sent)
		}
		if sent := w.run(); w.box.left() != 1 || len(sent) != 0 {
			t.Errorf("again: %d mails stay, sent:\n%s", w.box.left(), sent)
		}
	}
}

// Mails from seconds before the first start stay, like those from years before.
func TestMailsFromJustBeforeTheFirstStartStay(t *testing.T) {
	w := newWorld(t)
	w.game("wolf", schedule())
	w.run() // the reports
	if err := os.RemoveAll(w.cfg.State); err != nil {
		t.Fatal(err)
	}
	for _, before := range []time.Duration{time.Hour, 59 * time.Second, 5 * time.Second, time.Second} {
		w.box.old(w.mail(fmt.Sprintf("old%d@example.com", before), "hello"), w.clock.Now().Add(-before), false)
	}
	w.box.old(w.mail("new@example.com", "hello"), w.clock.Now(), false)
	sent := w.run()
	if w.box.left() != 4 || len(sent.to("new@example.com", "")) != 1 {
		t.Errorf("%d mails stay, sent:\n%s", w.box.left(), sent)
	}
}

// A kill at the first look leaves nothing undone, and no old mail is taken in.
func TestKilledAtTheFirstLook(t *testing.T) {
	enginetest.Sequential(t)
	for _, step := range []string{"start", "record", "cursor", "store", "acted", "move", "moved"} {
		t.Run(step, func(t *testing.T) {
			w := watchedWorld(t)
			g := w.game("wolf", schedule())
			w.box.old(w.mail("old@example.com", "hello"), day(-30), false)
			w.box.put(w.order(g, "Kirk", "power", "  move 4"))
			w.box.old(w.mail("older@example.com", "hello"), day(-60), false)
			w.before = func(s string) error {
				if s == step {
					return errors.New("killed")
				}
				return nil
			}
			if _, err := w.once(); err == nil {
				t.Fatal("it was not killed")
			}
			w.before = nil
			w.run()
			if text := w.inForce(g, 1, "Hood"); w.box.left() != 2 || !strings.Contains(text, "move 4") {
				t.Errorf("%d mails stay, in force %q", w.box.left(), text)
			}
		})
	}
}

// If the records are lost, mails since the start of a game in progress are the captains'.
func TestRecordsLost(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	w.box.put(w.order(g, "Kirk", "final"))
	w.box.put(w.order(g, "Kor", "final"))
	w.clock.Advance(time.Hour)
	w.run()
	if w.turnOf(g) != 1 {
		t.Fatal("the turn was not played")
	}
	if err := os.RemoveAll(w.cfg.State); err != nil {
		t.Fatal(err)
	}
	w.box.old(w.mail("old@example.com", "hello"), day(-1), false)
	w.box.old(w.order(g, "Kirk", "power", "  move 4"), w.clock.Now(), false)
	w.clock.Advance(2 * time.Hour)
	w.run()
	if text := w.inForce(g, 2, "Hood"); w.box.left() != 1 || !strings.Contains(text, "move 4") {
		t.Errorf("%d mails stay, in force %q", w.box.left(), text)
	}
}

// A store of an earlier version has read every mail so far.
func TestStartTook(t *testing.T) {
	for name, c := range map[string]struct {
		start   store.Start
		uid     uint32
		arrived time.Time
		seen    bool
		want    bool
	}{
		"earlier version": {store.Start{UID: 0}, 1, time.Time{}, true, true},
		"old":             {store.Start{Since: began, UID: 5}, 5, day(-1), false, false},
		"new":             {store.Start{Since: began, UID: 5}, 5, day(1), false, true},
		"read":            {store.Start{Since: began, UID: 5}, 5, day(1), true, false},
		"read, asked for": {store.Start{Since: began, Asked: true, UID: 5}, 5, day(1), true, true},
		"later":           {store.Start{Since: began, UID: 5}, 6, day(-1), true, true},
		"without a date":  {store.Start{Since: began, UID: 5}, 5, time.Time{}, false, false},
	} {
		if got := c.start.Admits(c.uid, c.arrived, c.seen); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Doctor counts the mails that stay, and says how to take them in.
func TestDoctorTellsOfOldMails(t *testing.T) {
	w := newWorld(t)
	w.clock = newClock(time.Now().Add(time.Hour)) // so that present mails are old
	s := w.onLoopback()
	w.game("wolf", schedule())
	for range 3 {
		if err := s.Put(robot, []byte(w.mail(anybody, "hello"))); err != nil {
			t.Fatal(err)
		}
	}
	says := func(want string) {
		t.Helper()
		found := ""
		doctor.Examine(t.Context(), w.cfg, w.cat, 0, func(c watch.Check) {
			if strings.HasPrefix(c.What, "mailbox ") {
				found = c.Found + c.Problem
			}
		})
		if !strings.Contains(found, want) || want == "" && strings.Contains(found, "stay") {
			t.Errorf("doctor says %q, not %q", found, want)
		}
	}
	once := func(from time.Time) {
		t.Helper()
		d, err := daemon.Open(process.Options{Config: w.cfg, Catalogue: w.cat, Clock: w.clock, From: from})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Once(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	says("3 mails in it; mails present at the first start stay there, unless you run serve --from DATE")
	once(time.Time{})
	says("3 mails in it; 3 of them from before " + w.clock.Now().Add(-time.Minute).UTC().Format("2006-01-02"))
	if err := s.Put(robot, []byte(w.mail(anybody, "hello"))); err != nil {
		t.Fatal(err)
	}
	once(time.Time{})
	says("3 of them from before")
	once(time.Now().Add(-time.Hour))
	says("no mail in it")
}

// said records the messages of the log, in order.
type said struct {
	slog.Handler
	mu       sync.Mutex
	messages []string
}

func (s *said) Enabled(context.Context, slog.Level) bool { return true }

func (s *said) Handle(_ context.Context, r slog.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.messages = append(s.messages, r.Message)
	return nil
}

func (s *said) WithAttrs([]slog.Attr) slog.Handler { return s }

// TestManyGamesSendWhileTheyOpen: the reports of open games are sent before others are open. No mail is judged
// before all are open, because it may concern any of them.
func TestManyGamesSendWhileTheyOpen(t *testing.T) {
	inBubble(t, func(w *world) {
		log := &said{Handler: slog.DiscardHandler}
		w.log = slog.New(log)
		var last string
		for i := range 51 { // one more than are opened together
			last = w.order(w.game(fmt.Sprintf("game%03d", i), schedule()), "Kirk", "final")
		}
		w.box.put(last)
		end := w.serve()
		synctest.Wait()
		end()
		queued := slices.Index(log.messages, "reports queued")
		slices.Reverse(log.messages)
		opened := len(log.messages) - 1 - slices.Index(log.messages, "game opened")
		if queued < 0 || queued > opened {
			t.Errorf("the first reports were queued at line %d of the log, the last game opened at %d", queued, opened)
		}
		if got := w.delivered().to(kirk, "[game050]"); len(got) != 2 || !strings.Contains(strings.Join([]string{got[0].words(), got[1].words()}, "\n"), "Hood") {
			t.Errorf("%d mails about the last game, want its report and the answer to an order set", len(got))
		}
	})
}
