package daemon_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/store"
)

// register says who serves the mailbox, as a database that hosts share.
type register struct {
	mu    sync.Mutex
	other string // the other host that serves it; "": the one that asks does
	down  error
	clock clock.Clock
}

func (r *register) Hold(_ context.Context, _, holder string, _ time.Duration, _ time.Time) (store.Holding, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.down != nil {
		return store.Holding{}, r.down
	}
	if r.other != "" {
		return store.Holding{Holder: r.other, Fence: 1, Looked: r.clock.Now(), Owner: "hosts"}, nil
	}
	return store.Holding{Holder: holder, Fence: 2, Owner: "hosts"}, nil
}

func (r *register) HoldUntilCommit(context.Context, string, string, int64) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.other == "", r.down
}

func (r *register) Release(context.Context, string, string) error { return nil }

func (r *register) set(other string, down error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.other, r.down = other, down
}

// A host that waits is well again once the database answers, even if the same host as before serves the mailbox.
func TestWaitingHostRecovers(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		var log bytes.Buffer
		d, err := daemon.Open(process.Options{
			Config: w.cfg, Catalogue: w.cat, Clock: bubbled{start: time.Now()}, Log: slog.New(slog.NewTextHandler(&log, nil)), Inbox: w.box.open, Sender: w.out.open,
		})
		if err != nil {
			t.Fatal(err)
		}
		w.cfg.Store = &config.Store{Lease: clock.Span(30 * time.Second)}
		hosts := &register{other: "vm:/srv/a/state EO6AGPMZ", clock: bubbled{}}
		d.Hosts = hosts
		ctx, end := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- d.Serve(ctx) }()
		after := func(wait time.Duration) string {
			time.Sleep(wait)
			synctest.Wait()
			return problems(w, time.Now())
		}
		down := &store.Failure{Err: errors.New("PostgreSQL is unreachable")}
		if got := after(time.Minute); got != "" {
			t.Errorf("while it waits: %s", got)
		}
		hosts.set(hosts.other, down)
		if got := after(4 * time.Minute); !strings.Contains(got, "mails cannot be handled (began ") || !strings.Contains(got, "PostgreSQL is unreachable") {
			t.Errorf("with the database down: %s", got)
		}
		hosts.set(hosts.other, nil)
		if got := after(time.Minute); got != "" {
			t.Errorf("with the database back: %s", got)
		}
		said := log.String()
		if n := strings.Count(said, `msg="requesting the mailbox works again"`); n != 1 {
			t.Errorf("the end of the trouble is logged %d times:\n%s", n, said)
		}
		if n := strings.Count(said, `msg="waiting while another host serves the mailbox" mailbox=`+robot+` host="vm:/srv/a/state EO6AGPMZ"`); n != 1 {
			t.Errorf("who serves the mailbox is logged %d times:\n%s", n, said)
		}
		end()
		if err := errors.Join(<-ended, d.Close()); err != nil {
			t.Error(err)
		}
	})
}

// A problem with sending is not a host's own any more once another one serves the mailbox.
func TestWaitingHostForgetsProblemsOfItsLoops(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		w.game("wolf", schedule())
		w.out.down = errors.New("the server is away")
		d, err := daemon.Open(process.Options{
			Config: w.cfg, Catalogue: w.cat, Clock: bubbled{start: time.Now()}, Log: w.log, Inbox: w.box.open, Sender: w.out.open,
		})
		if err != nil {
			t.Fatal(err)
		}
		w.cfg.Store = &config.Store{Lease: clock.Span(30 * time.Second)}
		hosts := &register{clock: bubbled{}}
		d.Hosts = hosts
		ctx, end := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- d.Serve(ctx) }()
		sending := func() *watch.Problem {
			time.Sleep(5 * time.Minute)
			synctest.Wait()
			h, err := watch.ReadHeartbeat(w.cfg.State)
			if err != nil {
				t.Fatal(err)
			}
			return h.Mailboxes[robot].Sending
		}
		if sending() == nil {
			t.Error("no problem with sending")
		}
		hosts.set("another", nil)
		if p := sending(); p != nil {
			t.Errorf("while it waits: %+v", p)
		}
		end()
		if err := errors.Join(<-ended, d.Close()); err != nil {
			t.Error(err)
		}
	})
}

// A host that loses the mailbox because the database is away, while it works on a game, and gets it back, does that work
// then.
func TestWorkOutlastsALostMailbox(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		var later atomic.Int64 // than now, so that the game's files are old
		later.Store(int64(time.Until(time.Unix(0, 0).AddDate(100, 0, 0))))
		machine := wall{time.Now(), &later}
		w.clock.Set(machine.Now())
		mail := schedule()
		mail.Deadline, mail.Remind = clock.Span(72*time.Hour), []clock.Span{clock.Span(71 * time.Hour)}
		w.game("wolf", mail)
		hosts := &register{clock: machine}
		began, lost := time.Now(), false
		w.with(troubled{queue: func() error {
			if lost || time.Since(began) < time.Minute {
				return nil
			}
			lost = true
			hosts.set("", errCut)
			time.Sleep(time.Minute)
			return errCut
		}})
		d, err := daemon.Open(process.Options{
			Config: w.cfg, Catalogue: w.cat, Clock: machine, Log: w.log, Inbox: w.box.open, Sender: w.out.open, Store: w.store,
		})
		if err != nil {
			t.Fatal(err)
		}
		w.cfg.Store = &config.Store{Lease: clock.Span(30 * time.Second)}
		d.Hosts = hosts
		ctx, end := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- d.Serve(ctx) }()
		time.Sleep(time.Hour + 5*time.Minute)
		hosts.set("", nil)
		time.Sleep(30 * time.Minute)
		synctest.Wait()
		if sent := w.delivered(); !lost || len(sent.to(kirk, "missing")) != 1 || len(sent.to(kor, "missing")) != 1 {
			t.Errorf("sent:\n%s", sent)
		}
		end()
		if err := errors.Join(<-ended, d.Close()); err != nil {
			t.Error(err)
		}
	})
}
