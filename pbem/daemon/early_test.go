package daemon_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/outgoing"
)

// lateBox shows its mails only after something was sent.
type lateBox struct {
	process.Inbox
	sent <-chan struct{}
}

func (b lateBox) Look(ctx context.Context, validity, after uint32) (uint32, []uint32, error) {
	select {
	case <-b.sent:
	case <-ctx.Done():
		return 0, nil, ctx.Err()
	}
	return b.Inbox.Look(ctx, validity, after)
}

// manyGames returns a world with more reports to send than are left for the end.
func manyGames(t *testing.T) (w *world, mails int) {
	t.Helper()
	w = newWorld(t)
	const games = 51
	for i := range games {
		w.game(fmt.Sprintf("wolf%02d", i), schedule())
	}
	return w, 2 * games
}

// TestOnceSendsEarly: with many mails, a single run sends while it is still reading, over one
// connection, and counts all of them.
func TestOnceSendsEarly(t *testing.T) {
	w, mails := manyGames(t)
	sent, connections := make(chan struct{}), 0
	w.out.answer = func(outgoing.Envelope, int) (outgoing.Outcome, error) {
		select {
		case <-sent:
		default:
			close(sent)
		}
		return outgoing.Delivered, nil
	}
	d, err := daemon.Open(process.Options{
		Config: w.cfg, Catalogue: w.cat, Clock: w.clock,
		Inbox: func(ctx context.Context, box config.Mailbox) (process.Inbox, error) {
			in, err := w.box.open(ctx, box)
			return lateBox{in, sent}, err
		},
		Sender: func(ctx context.Context, box config.Mailbox) (process.Sender, error) {
			connections++
			return w.out.open(ctx, box)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := d.Once(t.Context())
	if err = errors.Join(err, d.Close()); err != nil || sum != (daemon.Summary{Sent: mails}) || len(w.delivered()) != mails || connections != 1 {
		t.Errorf("%+v over %d connections, %v", sum, connections, err)
	}
	if again := w.run(); len(again) != 0 {
		t.Errorf("sent again:\n%s", again)
	}
}

// TestEarlySendingErrorsAreReportedOnce: an error in early sending is reported once, also when the
// run ends early, and nothing is lost.
func TestEarlySendingErrorsAreReportedOnce(t *testing.T) {
	w, mails := manyGames(t)
	tries := 0
	down := errors.New("no such server")
	open := func(ctx context.Context, box config.Mailbox) (process.Sender, error) {
		if tries++; tries == 1 {
			return nil, down
		}
		return w.out.open(ctx, box)
	}
	d, err := daemon.Open(process.Options{Config: w.cfg, Catalogue: w.cat, Clock: w.clock, Inbox: w.box.open, Sender: open})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := d.Once(t.Context())
	if !errors.Is(err, down) || sum != (daemon.Summary{}) || tries != 1 {
		t.Errorf("%+v, %d tries, %v", sum, tries, err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if got := len(w.run()); got != mails {
		t.Errorf("%d mails were sent then, want %d", got, mails)
	}
}
