package daemon_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/outgoing"
)

// trouble is an error of a server.
type trouble struct {
	words     string
	temporary bool
}

func (e *trouble) Error() string   { return e.words }
func (e *trouble) Temporary() bool { return e.temporary }
func (e *trouble) Hint() string    { return "ask the provider" }

// fitful is a mailbox that can be opened and read, and fails at a given time.
type fitful struct {
	*boxSession
	ends time.Time
}

func (f *fitful) Wait(ctx context.Context, most time.Duration) error {
	left := time.Until(f.ends)
	if most < left {
		return f.boxSession.Wait(ctx, most)
	}
	if err := f.boxSession.Wait(ctx, left); err != nil {
		return err
	}
	return &trouble{"the connection ended", true}
}

// tries returns when a mailbox was opened.
func (w *world) tries(t *testing.T, open func(n int) (process.Inbox, error), long time.Duration) []time.Time {
	t.Helper()
	var at []time.Time
	d, err := daemon.Open(process.Options{
		Config: w.cfg, Catalogue: w.cat, Clock: clock.Real{}, Log: w.log, Sender: w.out.open, Watch: w.watch,
		Inbox: func(context.Context, config.Mailbox) (process.Inbox, error) {
			at = append(at, time.Now())
			return open(len(at))
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- d.Serve(ctx) }()
	time.Sleep(long)
	cancel()
	if err := errors.Join(<-ended, d.Close()); err != nil {
		t.Error(err)
	}
	return at
}

// gaps returns the times between tries.
func gaps(at []time.Time) []time.Duration {
	var out []time.Duration
	for i := 1; i < len(at); i++ {
		out = append(out, at[i].Sub(at[i-1]))
	}
	return out
}

// A server that is down is retried soon, then more and more rarely.
func TestServerDownIsRetriedWithBackoff(t *testing.T) {
	inBubble(t, func(w *world) {
		down := &trouble{"down", true}
		at := w.tries(w.t, func(int) (process.Inbox, error) { return nil, down }, 24*time.Hour)
		all := gaps(at)
		if len(at) < 90 || len(at) > 140 || all[0] > 10*time.Second || slices.Max(all) > 20*time.Minute || slices.Min(all) < 3*time.Second {
			w.t.Errorf("%d tries in a day, gaps from %s to %s, the first %s", len(at), slices.Min(all), slices.Max(all), all[0])
		}
		// With random jitter: servers that failed many clients at once are not all asked again at
		// once.
		if late := all[len(all)-20:]; slices.Max(late)-slices.Min(late) < time.Minute {
			w.t.Errorf("the pauses have no chance in them: %v", late)
		}
	})
}

// A refused login is retried so rarely that no one takes it for an attack. The log and the referee
// are told once.
func TestRefusedLoginIsRetriedRarely(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		var logged bytes.Buffer
		w.log = slog.New(slog.NewTextHandler(&logged, nil))
		refused := &trouble{"login: the server answered NO", false}
		session := &boxSession{w.box}
		at := w.tries(t, func(n int) (process.Inbox, error) {
			if n > 16 {
				return session, nil
			}
			return nil, refused
		}, 23*time.Hour)
		if len(at) > 17 || gaps(at)[0] < 4*time.Minute {
			t.Errorf("%d tries in a day, the first again after %s", len(at), gaps(at)[0])
		}
		if n := strings.Count(logged.String(), "login: the server answered NO"); n != 1 || !strings.Contains(logged.String(), `hint="ask the provider"`) {
			t.Errorf("it is logged %d times:\n%s", n, logged.String())
		}
		if sent := w.delivered(); len(sent.to(refAddress, "Trouble with the mailbox "+robot)) != 1 || !strings.Contains(sent[0].Text, "login: the server answered NO") || !strings.Contains(sent[0].Text, "ask the provider") {
			t.Errorf("the referee got\n%s", sent)
		}
	})
}

// A different kind of trouble is reported again, and so is its end.
func TestServerErrorsAreLoggedOnce(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		var logged bytes.Buffer
		w.log = slog.New(slog.NewTextHandler(&logged, nil))
		session := &boxSession{w.box}
		var kinds []string
		w.watch = func(e process.Event) {
			if e.Kind == process.Down {
				kinds = append(kinds, e.Mailbox+" "+e.Outcome)
			}
		}
		w.tries(t, func(n int) (process.Inbox, error) {
			if n < 4 {
				return nil, &trouble{fmt.Sprintf("down, says port %d", n), true}
			}
			return session, nil
		}, time.Hour)
		if strings.Count(logged.String(), "opening the mailbox failed") != 1 || strings.Count(logged.String(), "mailbox works again") != 1 {
			t.Errorf("logged:\n%s", logged.String())
		}
		if len(kinds) != 3 || kinds[0] != robot+" other" {
			t.Errorf("told %q", kinds)
		}
	})
}

// A server that accepts every login and hangs up at once is not retried at once each time. One that
// hangs up every half hour, as many do, is.
func TestShortConnectionsAreRetriedWithBackoff(t *testing.T) {
	for lasts, most := range map[time.Duration]int{time.Millisecond: 150, 30 * time.Second: 250, 25 * time.Minute: 60} {
		t.Run(lasts.String(), func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.cfg.Poll = clock.Span(10 * time.Minute)
				at := w.tries(w.t, func(int) (process.Inbox, error) {
					return &fitful{&boxSession{w.box}, time.Now().Add(lasts)}, nil
				}, 24*time.Hour)
				if len(at) > most {
					w.t.Errorf("%d connections in a day", len(at))
				}
				if all := gaps(at); lasts > steadyAtLeast && slices.Max(all) > lasts+time.Minute {
					w.t.Errorf("gaps up to %s", slices.Max(all))
				}
			})
		})
	}
}

// steadyAtLeast is how long a connection must have worked to be rebuilt at once.
const steadyAtLeast = 10 * time.Minute

// A server that refuses the login for sending is retried rarely too, however many mails are queued,
// and the other mailbox tells the referee.
func TestSendingIsRetriedWithBackoff(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		p := newPair(w)
		p.match("cub", club)
		p.cfg.More[0].SMTP.Host = "other.example.net"
		p.sides[club].out.down = &outgoing.Error{Stage: outgoing.StageAuth, Outcome: outgoing.TemporaryFailure, Err: errors.New("the server answered 535")}
		tries := 0
		o := p.options()
		inner := o.Sender
		o.Sender = func(ctx context.Context, b config.Mailbox) (process.Sender, error) {
			if b.Address == club {
				tries++
			}
			return inner(ctx, b)
		}
		o.Clock = clock.Real{}
		d, err := daemon.Open(o)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- d.Serve(ctx) }()
		synctest.Wait()
		for range 20 {
			p.sides[club].box.put(p.mail(kirk, "help\n"))
			time.Sleep(time.Minute)
		}
		time.Sleep(5 * time.Hour)
		cancel()
		if err := errors.Join(<-ended, d.Close()); err != nil {
			t.Error(err)
		}
		if tries > 15 {
			t.Errorf("%d tries in five hours", tries)
		}
		if sent := p.sent(robot); len(sent.to(refAddress, "Trouble with the mailbox "+club)) != 1 {
			t.Errorf("the referee got\n%s", sent)
		}
	})
}
