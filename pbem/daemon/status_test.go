package daemon_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/games"
	"starpost/pbem/daemon/process"
	"starpost/pbem/outgoing"
	"starpost/pbem/vault"
)

// The status of a daemon is shown, and every mail and attempt emits an event with its outcome.
func TestStatus(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		w.cfg.Poll = clock.Span(10 * time.Minute)
		g := w.game("wolf", schedule())
		stray := schedule()
		stray.Robot = "elsewhere@example.org"
		w.game("stray", stray)
		var telling sync.Mutex
		var told []string
		w.watch = func(e process.Event) {
			telling.Lock()
			defer telling.Unlock()
			switch e.Kind {
			case process.Handled, process.Sent, process.Unsent:
				told = append(told, e.Mailbox+" "+e.Kind+" "+e.Outcome)
			}
		}
		w.out.answer = func(env outgoing.Envelope, try int) (outgoing.Outcome, error) {
			if env.To == kor && try == 1 {
				return outgoing.TemporaryFailure, errors.New("later")
			}
			return outgoing.Delivered, nil
		}
		d, err := daemon.Open(process.Options{Config: w.cfg, Catalogue: w.cat, Clock: clock.Real{}, Inbox: w.box.open, Sender: w.out.open, Watch: w.watch})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- d.Serve(ctx) }()
		synctest.Wait()
		s := d.Status()
		if want := (games.GameCounts{Running: 1, Trouble: 1, Missing: 2}); s.Games != want {
			t.Errorf("games are counted as %+v, want %+v", s.Games, want)
		}
		games := d.Games()
		if len(games) != 2 || !games[0].Trouble || games[0].ID != "stray" {
			t.Fatalf("games %+v", games)
		}
		wolf := games[1]
		m, err := g.Stages.Manifest(vault.At(0))
		if err != nil {
			t.Fatal(err)
		}
		if wolf.ID != "wolf" || wolf.Mailbox != robot || wolf.Turn != 1 || wolf.Missing != 2 || !wolf.Deadline.Equal(m.Deadline) || wolf.Paused || wolf.Trouble {
			t.Errorf("game %+v, deadline %s", wolf, m.Deadline)
		}
		if s.Waiting != 1 || len(s.Mailboxes) != 1 || s.Mailboxes[0].Address != robot || !s.Mailboxes[0].Looked.Equal(time.Now()) {
			t.Errorf("status %+v", s)
		}
		w.box.put(w.order(g, "Kirk", "final"))
		w.box.put(w.mail(kirk, "nothing\n", "Auto-Submitted: auto-replied"))
		synctest.Wait()
		time.Sleep(time.Hour)
		synctest.Wait()
		if s := d.Status(); s.Waiting != 0 || s.Games.Missing != 1 {
			t.Errorf("later: %+v", s)
		}
		cancel()
		if err := errors.Join(<-ended, d.Close()); err != nil {
			t.Error(err)
		}
		slices.Sort(told)
		if want := []string{robot + " handled done", robot + " handled ignored", robot + " sent delivered", robot + " unsent temporary failure"}; !slices.Equal(slices.Compact(told), want) {
			t.Errorf("told\n%s", strings.Join(told, "\n"))
		}
	})
}
