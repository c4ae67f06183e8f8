package daemon_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"starpost/engine/testkit/enginetest"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/mailbox"
	"starpost/pbem/outgoing"
	"starpost/pbem/store/sqlite"
)

// frost stops a daemon at a step, as SIGSTOP would: its next operation on a server or a game waits for melt.
type frost struct {
	at string // the step
	n  int    // which occurrence

	mu     sync.Mutex
	melted chan struct{} // nil while it is not stopped
	begun  string        // the Message-ID of the last mail that was to be completed
	flying string        // ... if the stop came before that was recorded
}

func (f *frost) wait() bool {
	f.mu.Lock()
	melted := f.melted
	f.mu.Unlock()
	if melted == nil {
		return false
	}
	<-melted
	return true
}

func (f *frost) before(step string) error {
	f.mu.Lock()
	if step == f.at {
		if f.n--; f.n == 0 {
			f.melted = make(chan struct{})
		}
	}
	f.mu.Unlock()
	if f.wait() && (step == handOver || step == "sent") {
		f.flying = f.begun
	}
	return nil
}

// stopped reports whether the daemon has reached the stop.
func (f *frost) stopped() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.n <= 0
}

// melt lets the daemon go on, with its connections lost.
func (f *frost) melt() {
	f.mu.Lock()
	close(f.melted)
	f.melted = nil
	f.mu.Unlock()
	synctest.Wait()
}

type frostyInbox struct {
	*markedSession
	f *frost
}

// errHungUp is the error of a connection that did not outlast the stop. It is temporary.
var errHungUp = errors.New("connection reset")

func (i frostyInbox) alive() error {
	if i.f.wait() {
		return errHungUp
	}
	return nil
}

func (i frostyInbox) Look(ctx context.Context, validity, after uint32) (uint32, []uint32, error) {
	if err := i.alive(); err != nil {
		return 0, nil, err
	}
	return i.markedSession.Look(ctx, validity, after)
}

func (i frostyInbox) Move(ctx context.Context, uids []uint32, folder string) error {
	return errors.Join(i.alive(), i.markedSession.Move(ctx, uids, folder))
}

func (i frostyInbox) Marks(ctx context.Context, folder string) ([]mailbox.Mark, error) {
	if err := i.alive(); err != nil {
		return nil, err
	}
	return i.markedSession.Marks(ctx, folder)
}

func (i frostyInbox) BeatMark(ctx context.Context, uid uint32, beat int) error {
	i.f.wait()
	return i.markedSession.BeatMark(ctx, uid, beat)
}

func (i frostyInbox) Wait(ctx context.Context, most time.Duration) error {
	err := i.markedSession.Wait(ctx, most)
	return errors.Join(i.alive(), err)
}

type frostyOutlet struct {
	out *outlet
	f   *frost
}

func (o frostyOutlet) Send(ctx context.Context, env outgoing.Envelope) (outgoing.Outcome, error) {
	if o.f.wait() {
		return outgoing.TemporaryFailure, &outgoing.Error{Stage: outgoing.StageMail, Err: errors.New("connection reset")}
	}
	if err := asked(env); err != nil {
		return outgoing.TemporaryFailure, err
	}
	env.Last, o.f.begun = nil, idOf(env)
	// The server has all but the end of the mail, and waits for it without a limit.
	if err := o.f.before(handOver); err != nil {
		return outgoing.TemporaryFailure, err
	}
	return o.out.Send(ctx, env)
}

// handOver is the step between the daemon's last check and the end of the mail.
const handOver = "hand over"

func (o frostyOutlet) Close() {}

// frosty returns the options of a daemon that is stopped.
func (r *rival) frosty(f *frost) process.Options {
	o := r.options()
	open := o.Inbox
	o.Before = f.before
	o.Inbox = func(ctx context.Context, box config.Mailbox) (process.Inbox, error) {
		f.wait()
		in, err := open(ctx, box)
		return frostyInbox{in.(*markedSession), f}, err
	}
	o.Sender = func(context.Context, config.Mailbox) (process.Sender, error) {
		f.wait()
		return frostyOutlet{r.out, f}, nil
	}
	return o
}

// A daemon that was stopped and then replaced does nothing visible when it goes on: it sends no mail twice,
// commits no turn or order set, and moves no mail. The other daemon completes what it began. Only the one
// mail that was being handed to the server at the instant of the stop, and was not recorded, may go out
// twice.
func TestStoppedDaemonGivesWay(t *testing.T) {
	n := 0
	for name, how := range map[string]struct {
		copied bool // the other one has a copy of its state; otherwise they share the store
		over   bool // ... and takes over at once
		waits  time.Duration
	}{
		"a copy":              {copied: true, waits: 5 * time.Minute},
		"one that takes over": {over: true, waits: 5 * time.Minute},
		"one that waited":     {waits: 20 * time.Minute},
	} {
		for _, at := range []struct {
			step string
			nth  int
		}{
			{"send", 1},
			{"send", 7},
			{handOver, 1},
			{handOver, 5},
			{"sent", 1},
			{"sent", 6},
			{"sent", 12},
			{"resolve", 1},
			{"vault rename", 1},
			{"move", 1},
			{"store", 1},
			{"answered", 1},
		} {
			if (at.step == "store" || at.step == "answered") && !how.copied {
				continue // it is within a transaction, so a second daemon cannot start on its store
			}
			if n++; n%enginetest.Share != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s %d", name, at.step, at.nth), func(t *testing.T) {
				inBubble(t, func(w *world) { stopAt(w, how.copied, how.over, how.waits, at.step, at.nth) })
			})
		}
	}
}

func stopAt(w *world, copied, over bool, waits time.Duration, step string, nth int) {
	t := w.t
	all := rivals(w, 2)
	first, second := all[0], all[1]
	second.cfg.Games, second.out, second.over = first.cfg.Games, first.out, over
	for i := range 6 {
		first.game(fmt.Sprintf("g%d", i), schedule())
	}
	g := first.load("g0")
	f := &frost{at: step, n: nth}
	path := filepath.Join(first.dir, "ledger.db")
	shared := func(o process.Options) process.Options {
		if !copied {
			o.Store = func() (process.Store, error) { return sqlite.Open(path) }
		}
		return o
	}
	first.serves(shared(first.frosty(f)))
	first.box.put(first.order(g, "Kirk", "final"))
	first.box.put(first.order(g, "Kor", "final"))
	time.Sleep(3*time.Minute + time.Second) // between two heartbeats: no file is being written
	if !f.stopped() {
		t.Fatalf("it was not stopped:\n%s", first.log.String())
	}
	if copied {
		if err := os.CopyFS(second.cfg.State, os.DirFS(first.cfg.State)); err != nil {
			t.Fatal(err)
		}
	}
	o := shared(second.options())
	second.serves(o)
	time.Sleep(waits)
	f.melt()
	time.Sleep(30 * time.Minute)
	if err := first.gone(); !daemon.NeedsOperator(err) {
		t.Errorf("the first one ended with %v\n%s", err, first.log.String())
	}
	if err := second.gone(); err != nil || !second.works(2*time.Minute) {
		t.Fatalf("the second one does not serve: %v\n%s", err, second.log.String())
	}
	second.stop()
	ids := map[string]int{}
	for _, env := range first.out.take() {
		ids[idOf(env)]++
	}
	if (step == handOver || step == "sent") && ids[f.flying] != 2 {
		t.Errorf("%d times went out what the second one cannot know of: %q", ids[f.flying], f.flying)
	}
	for id, n := range ids {
		if n > 1 && (n > 2 || id != f.flying) {
			t.Errorf("%d times: %s", n, id)
		}
	}
	if got := first.turnOf(first.load("g0")); got != 1 {
		t.Errorf("turn %d", got)
	}
	// Reports, answers, reports of turn 1, and the answer that shows that the second one works.
	const want = 12 + 2 + 2 + 1
	if len(ids) != want {
		t.Errorf("%d mails, want %d: %v\n%s", len(ids), want, ids, second.log.String())
	}
	if step != "move" && strings.Contains(first.log.String(), "turn resolved") {
		t.Errorf("the first one has resolved the turn:\n%s", first.log.String())
	}
}
