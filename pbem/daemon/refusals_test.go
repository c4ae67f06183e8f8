package daemon_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"starpost/pbem/daemon/watch"
	"starpost/pbem/doctor"
	"starpost/pbem/fault"
	"starpost/pbem/loopback"
	"starpost/pbem/outgoing"
	"starpost/pbem/store"
	"starpost/pbem/store/hosted"
	"starpost/pbem/store/sqlite"
	"starpost/pbem/store/sqlstore"
)

// refusing answers like a server that permanently refuses recipients.
func refusing(who ...string) func(outgoing.Envelope, int) (outgoing.Outcome, error) {
	return func(env outgoing.Envelope, _ int) (outgoing.Outcome, error) {
		if slices.Contains(who, env.To) {
			return outgoing.PermanentFailure, &outgoing.Error{Stage: outgoing.StageRcpt, Outcome: outgoing.PermanentFailure, Code: 550, Err: errors.New("550 no such user")}
		}
		return outgoing.Delivered, nil
	}
}

// A provider that permanently refuses mails because the daily limit is reached loses no mail,
// however long it does so, and is rarely asked meanwhile. The referee is told once that is
// possible.
func TestSendingLimitLosesNothing(t *testing.T) {
	w := newWorld(t)
	var mu sync.Mutex
	got := map[string]int{}
	s := w.onServers(loopback.Options{RequireLogin: true, OnDelivery: func(_, to string, raw []byte) {
		mu.Lock()
		defer mu.Unlock()
		if to != refAddress || strings.Contains(string(raw), "were refused, and wait") {
			got[to]++
		}
	}})
	const games = 6
	for i := range games {
		w.game(fmt.Sprintf("wolf%d", i), schedule())
	}
	said := 0
	s.Inject(loopback.Fault{
		Stage: loopback.StageSMTPEnd, Code: 550, Hit: func() { said++ },
		Text: "5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits go to https://support.google.com/a/answer/166852",
	})
	for range 50 { // more often than a mail is deferred
		d := w.openReal()
		if sum, err := d.Once(t.Context()); sum.Sent+sum.Failed > 0 || said == 3 && !strings.Contains(fault.Hint(err), "sending limits") {
			t.Fatalf("%+v, %v", sum, err)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		w.clock.Advance(4 * time.Minute)
	}
	if said > 60 {
		t.Errorf("it was asked %d times", said)
	}
	s.Heal()
	w.clock.Advance(24 * time.Hour)
	d := w.openReal()
	sum, err := d.Once(t.Context())
	if cerr := d.Close(); err != nil || cerr != nil || sum.Failed > 0 {
		t.Fatalf("%+v, %v, %v", sum, err, cerr)
	}
	mu.Lock()
	defer mu.Unlock()
	if want := map[string]int{kirk: games, kor: games, refAddress: 1}; !maps.Equal(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
}

// If a server refuses all recipients of a session, the server is at fault: nothing is given up.
// Only mails that it refuses while accepting others are.
func TestAllRecipientsRefused(t *testing.T) {
	w := newWorld(t)
	w.game("wolf", schedule())
	w.out.answer = refusing(kirk, kor, refAddress)
	for range 2 {
		if s, err := w.once(); err != nil || s.Failed > 0 {
			t.Fatalf("%+v %v", s, err)
		}
		w.clock.Advance(5 * time.Hour)
	}
	w.out.answer = refusing(kor)
	s, err := w.once()
	if err != nil || s.Failed != 1 {
		t.Errorf("%+v %v", s, err)
	}
	if sent := w.delivered(); len(sent.to(kirk, "begins")) != 1 || len(sent.to(refAddress, "were refused, and wait")) != 1 || len(sent.to(refAddress, "A mail to "+kor+" could not be delivered")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
}

// One mail that the server refuses because of the sender does not delay the others.
func TestOneMailRefusedForItsSender(t *testing.T) {
	w := newWorld(t)
	w.game("wolf", schedule())
	w.out.answer = func(env outgoing.Envelope, _ int) (outgoing.Outcome, error) {
		if env.To == kirk {
			return outgoing.TemporaryFailure, &outgoing.Error{Stage: outgoing.StageEnd, Outcome: outgoing.TemporaryFailure, Code: 554, Sender: true, Err: errors.New("554 5.7.1 spam")}
		}
		return outgoing.Delivered, nil
	}
	for range 60 {
		if s, err := w.once(); err != nil || s.Failed > 0 {
			t.Fatalf("%+v %v", s, err)
		}
		w.clock.Advance(30 * time.Minute)
	}
	if sent := w.delivered(); len(sent.to(kor, "begins")) != 1 || len(sent.to(kirk, "begins")) != 0 {
		t.Errorf("sent:\n%s", sent)
	}
	w.out.answer = nil
	w.clock.Advance(time.Hour)
	if sent := w.run(); len(sent.to(kirk, "begins")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}
}

// Mails that were given up are counted, and sent again unchanged on demand, reports and answers
// alike, by a running daemon and by the next one.
func TestResend(t *testing.T) {
	for _, running := range []bool{true, false} {
		t.Run(fmt.Sprint("running ", running), func(t *testing.T) {
			inBubble(t, func(w *world) {
				t := w.t
				g := w.game("wolf", schedule())
				w.out.answer = refusing(kirk)
				end := w.serve()
				synctest.Wait()
				w.box.put(w.order(g, "Kirk", "final"))
				time.Sleep(time.Minute)
				synctest.Wait()
				sent := w.delivered()
				if told := sent.to(refAddress, "A mail to "+kirk); len(sent.to(kirk, "")) != 0 || len(told) != 1 || !strings.Contains(told[0].Text, "--resend") {
					t.Fatalf("sent:\n%s", sent)
				}
				o, err := sqlite.Inspect(t.Context(), w.cfg.State+"/ledger.db")
				if err != nil || o.GivenUp != 2 {
					t.Errorf("given up %d, %v", o.GivenUp, err)
				}
				w.out.answer = nil
				if !running {
					end()
				}
				var told []string
				if err := doctor.Resend(t.Context(), w.cfg, func(c watch.Check) { told = append(told, c.What+": "+c.Found) }); err != nil {
					t.Fatal(err)
				}
				if len(told) != 2 || !strings.Contains(told[0], "report to "+kirk) || !strings.Contains(told[0], "no such user") || !strings.Contains(told[1], "ack to "+kirk) {
					t.Errorf("told %q", told)
				}
				if running {
					time.Sleep(2 * w.cfg.Poll.Duration())
				} else {
					end = w.serve()
				}
				synctest.Wait()
				if sent := w.delivered(); len(sent) != 2 || len(sent.to(kirk, "begins")) != 1 || len(sent.to(kirk, "accepted")) != 1 {
					t.Errorf("sent:\n%s", sent)
				}
				end()
				told = nil
				if err := doctor.Resend(t.Context(), w.cfg, func(c watch.Check) { told = append(told, c.Found) }); err != nil || len(told) != 1 || !strings.HasPrefix(told[0], "none") {
					t.Errorf("once more: %q, %v", told, err)
				}
			})
		})
	}
}

// A mail that another process adds to the outbox goes out within a poll.
func TestQueuedByAnotherProcess(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		w.game("wolf", schedule())
		end := w.serve()
		defer end()
		synctest.Wait()
		w.delivered()
		mail := store.OutboxMessage{Kind: store.Ack, MessageID: "<another@example.org>", From: robot, To: kirk, Bytes: []byte("Subject: from another\r\n\r\nNews.\r\n"), QueuedAt: time.Now()}
		if err := hosted.Change(t.Context(), w.cfg, func(s *sqlstore.Store) error {
			_, err := s.Queue(t.Context(), mail)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * w.cfg.Poll.Duration())
		synctest.Wait()
		if sent := w.delivered(); len(sent) != 1 || len(sent.to(kirk, "from another")) != 1 {
			t.Errorf("sent:\n%s", sent)
		}
	})
}

// A mail that bounces because of the provider's sending limit does not count against its address,
// and can be sent again.
func TestBounceOfTheSendingLimit(t *testing.T) {
	inBubble(t, func(w *world) {
		t := w.t
		w.game("wolf", schedule())
		first := w.run().to(kor, "begins")
		for range 4 {
			w.box.put(w.dsn(first[0].MessageID, kor, "failed", "5.4.5", "550 5.4.5 Daily user sending limit exceeded"))
		}
		if told := w.run().to(refAddress, "A mail to "+kor+" could not be delivered"); len(told) != 1 || !strings.Contains(told[0].Text, "--resend") {
			t.Errorf("told:\n%s", told)
		}
		o, err := sqlite.Inspect(t.Context(), w.cfg.State+"/ledger.db")
		if err != nil || o.GivenUp != 1 || len(o.Bouncing) != 1 || o.Bouncing[0].Mails != 0 {
			t.Errorf("%+v, %v", o, err)
		}
		if err := doctor.Resend(t.Context(), w.cfg, func(watch.Check) {}); err != nil {
			t.Fatal(err)
		}
		if sent := w.run(); len(sent) != 1 || sent[0].raw != first[0].raw {
			t.Errorf("sent:\n%s", sent)
		}
	})
}
