package daemon_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"starpost/engine"
	"starpost/pbem/clock"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/vault"
)

// serve runs the daemon in a synctest bubble until end is called.
func (w *world) serve() (end func()) {
	w.t.Helper()
	_, end = w.serving()
	return end
}

// serving is serve, and returns the daemon.
func (w *world) serving() (d *daemon.Daemon, end func()) {
	t := w.t
	t.Helper()
	d, err := daemon.Open(process.Options{
		Config: w.cfg, Catalogue: w.cat, Clock: w.machine, Version: "1.2.3", Log: w.log, Inbox: w.box.open, Sender: w.out.open, Watch: w.watch, Digest: w.digest, Beacons: w.beacons, Store: w.store,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- d.Serve(ctx) }()
	return d, func() {
		t.Helper()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("serve: %v", err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

// inBubble runs a test in fake time, starting at the world's time.
func inBubble(t *testing.T, f func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := watchedWorld(t)
		time.Sleep(time.Until(began))
		w.clock.Set(time.Now())
		f(w)
	})
}

func TestServePlaysByTheClock(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		w.cfg.Poll = clock.Span(10 * time.Minute)
		g := w.game("wolf", schedule())
		end := w.serve()
		defer end()
		synctest.Wait()
		if sent := w.delivered(); len(sent) != 2 {
			t.Errorf("at first:\n%s", sent)
		}
		for _, words := range []string{"", "final"} {
			w.box.put(w.order(g, "Kirk", words))
			synctest.Wait()
			answers := w.delivered().to(kirk, "accepted")
			if len(answers) != 1 {
				t.Fatalf("a mail is not answered at once: %v", answers)
			}
			if told := strings.Contains(unwrapped(answers[0].Text), "You have said final: you need no more time."); told != (words == "final") {
				t.Errorf("orders with %q: told of final: %t\n%s", words, told, answers[0].Text)
			}
		}
		time.Sleep(48*time.Hour + time.Second)
		synctest.Wait()
		if sent := w.delivered(); len(sent.to(kor, "missing")) != 1 {
			t.Errorf("no reminder on time:\n%s", sent)
		}
		time.Sleep(36 * time.Hour)
		synctest.Wait()
		if sent := w.delivered(); w.turnOf(g) != 1 || len(sent.to(kirk, "Turn 1: report")) != 1 {
			t.Errorf("turn %d after the grace period, sent:\n%s", g.Turn(), sent)
		}
	})
}

// A mailbox that cannot be read may contain an order in time: nothing is resolved until it is read.
func TestServeWaitsForTheMailbox(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		w.cfg.Poll = clock.Span(10 * time.Minute)
		mail := schedule()
		mail.Grace, mail.Remind = 0, nil
		g := w.game("wolf", mail)
		end := w.serve()
		defer end()
		time.Sleep(71 * time.Hour)
		w.box.fail(errors.New("down"))
		w.box.put(w.order(g, "Kirk", "power", "  shields 2:4"))
		time.Sleep(10 * time.Hour)
		synctest.Wait()
		if w.turnOf(g) != 0 {
			t.Fatal("resolved without a look at the mailbox")
		}
		w.box.fail(nil)
		time.Sleep(20 * time.Minute)
		synctest.Wait()
		if w.turnOf(g) != 1 {
			t.Fatal("not resolved when the mailbox was back")
		}
		if m, err := g.Stages.Manifest(vault.At(1)); err != nil || m.Missing[engine.Seat{Ship: "hood"}] != "" || m.Missing[engine.Seat{Ship: "riskadh"}] != vault.PolicyStanding {
			t.Errorf("missing: %v %v", m.Missing, err)
		}
	})
}

func TestServeRetriesSending(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		w.game("wolf", schedule())
		w.out.down = errors.New("no route")
		end := w.serve()
		defer end()
		time.Sleep(time.Hour)
		w.out.mu.Lock()
		w.out.down = nil
		w.out.mu.Unlock()
		time.Sleep(20 * time.Minute)
		synctest.Wait()
		if sent := w.delivered(); len(sent) != 2 {
			t.Errorf("sent:\n%s", sent)
		}
	})
}

// A game that is created while the daemon runs is found.
func TestServeFindsNewGames(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		end := w.serve()
		defer end()
		time.Sleep(10 * time.Minute)
		w.clock.Set(time.Now())
		w.game("wolf", schedule())
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if sent := w.delivered(); len(sent) != 2 {
			t.Errorf("sent:\n%s", sent)
		}
	})
}

// An idle daemon looks no more often than it must.
func TestServeSleeps(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		looks := 0
		w.watch = func(e process.Event) {
			if e.Kind == process.Idle {
				looks++
			}
		}
		w.cfg.Poll = clock.Span(10 * time.Minute)
		w.game("wolf", schedule())
		end := w.serve()
		time.Sleep(24 * time.Hour)
		end()
		if looks < 144 || looks > 146 {
			t.Errorf("%d looks in a day at one in ten minutes", looks)
		}
	})
}
