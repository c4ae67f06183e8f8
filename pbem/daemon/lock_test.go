package daemon_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/vault"
)

// Mails that are acted on together lock their games once, and unlock them after their results are on disk, also after
// a failure.
func TestMailsShareALock(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.game("cub", schedule())
	w.run()
	locked, trouble := 0, error(nil)
	w.before = func(step string) error {
		other := w.load("wolf")
		switch err := other.Lock(); {
		case step == "vault clean":
			locked++
		case step == "store" || step == "acted":
			if !errors.Is(err, vault.ErrLocked) {
				t.Errorf("before %q another process may write: %v", step, err)
			}
		case step == "move" && err != nil:
			t.Errorf("the mails are done, and nobody else may write: %v", err)
		}
		if step == "acted" && trouble != nil {
			return trouble
		}
		return other.Unlock()
	}
	orders := func() {
		w.box.put(w.order(g, "Kirk", "power", "  shields 1:1"))
		w.box.put(w.order(g, "Kor", "power", "  shields 1:1"))
		w.box.put(w.order(g, "Kirk", "power", "  shields 1:2"))
	}
	orders()
	if _, err := w.once(); err != nil {
		t.Fatal(err)
	}
	if locked != 1 {
		t.Errorf("three mails for a game took its lock %d times", locked)
	}
	if files, err := g.Orders.For(vault.At(1)); err != nil || len(files) != 2 {
		t.Errorf("in force: %v %v", files, err)
	}
	if n := len(w.delivered().to(kirk, "accepted")); n != 2 {
		t.Errorf("%d answers", n)
	}

	trouble = errors.New("the store is broken")
	orders()
	d := w.open()
	if _, err := d.Once(t.Context()); !errors.Is(err, trouble) {
		t.Errorf("the trouble came to %v", err)
	}
	trouble = nil
	if err := errors.Join(g.Lock(), g.Unlock()); err != nil {
		t.Errorf("after trouble nobody else may write: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if _, err := w.once(); err != nil {
		t.Fatal(err)
	}
	if n := len(w.delivered().to(kirk, "accepted")); n != 2 || w.box.left() != 0 {
		t.Errorf("%d answers, %d mails left", n, w.box.left())
	}
}

// lateInbox calls a function when it is closed.
type lateInbox struct {
	process.Inbox
	then func()
}

func (b lateInbox) Close() { b.then(); b.Inbox.Close() }

// A mail waits for a game that another process has locked. When that unlocks it, the mail is handled before the due
// turn is played: it may contain orders for it.
func TestWaitingMailComesBeforeTheTurn(t *testing.T) {
	w := newWorld(t)
	g := w.game("wolf", schedule())
	w.run()
	other := w.load("wolf")
	if err := other.Lock(); err != nil {
		t.Fatal(err)
	}
	for ship, captain := range map[string]engine.CaptainName{"Hood": "Kirk", "Riskadh": "Kor"} {
		_, set, _ := strings.Cut(w.order(g, captain, "final"), "\r\n\r\n")
		if err := other.Orders.Put(vault.At(1), ship, []byte(strings.ReplaceAll(set, "\r\n", "\n")), time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	w.box.put(w.order(g, "Kirk", "power", "  shields 1:1"))
	d, err := daemon.Open(process.Options{
		Config: w.cfg, Catalogue: w.cat, Clock: w.clock, Log: w.log, Sender: w.out.open,
		Inbox: func(ctx context.Context, b config.Mailbox) (process.Inbox, error) {
			in, err := w.box.open(ctx, b)
			return lateInbox{in, func() {
				if err := other.Unlock(); err != nil {
					t.Error(err)
				}
			}}, err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if turn := w.turnOf(g); turn != 0 || w.box.left() != 1 {
		t.Fatalf("turn %d, %d mails left", turn, w.box.left())
	}
	if sent := w.run(); len(sent.to(kirk, "accepted")) != 1 || w.turnOf(g) != 0 {
		t.Errorf("turn %d; then went\n%s", w.turnOf(g), sent)
	}
}
