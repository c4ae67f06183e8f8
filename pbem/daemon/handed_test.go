package daemon_test

import (
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/emersion/go-smtp"

	"starpost/pbem/config"
	"starpost/pbem/daemon/process"
	"starpost/pbem/incoming"
	"starpost/pbem/store"
)

// handOver gives a mail to the daemon like a mail server.
func (w *world) handOver(raw string) {
	w.t.Helper()
	b, err := incoming.Open(w.cfg.State, robot)
	if err == nil {
		err = b.Put(incoming.Envelope{To: []string{robot}}, strings.NewReader(raw))
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestHandedMailsKilledAtEachStep is [TestKilledAtEachStep] with mails that are only handed over, all before the
// first start.
func TestHandedMailsKilledAtEachStep(t *testing.T) {
	base := watchedWorld(t)
	for _, m := range base.campaignMails() {
		base.handOver(m)
	}
	killedAtEachStep(t, func(t *testing.T) *world {
		t.Helper()
		w := base.again(t)
		w.cfg.IMAP, w.cfg.LMTP = nil, &config.LMTP{}
		return w
	})
}

// TestSameMailByBothWays: a mail that comes by IMAP and is also handed over counts once, whichever comes first.
func TestSameMailByBothWays(t *testing.T) {
	for _, first := range []string{"imap", "lmtp", "at once", "twice by lmtp"} {
		t.Run(first, func(t *testing.T) {
			t.Parallel()
			w := watchedWorld(t)
			w.cfg.LMTP = &config.LMTP{}
			g := w.game("wolf", schedule())
			w.run()
			m := w.order(g, "Kirk", "power", "  shields 2:4")
			read := "Received: by mail.example.org with ESMTP; Sat, 28 Nov 2026 09:00:00 +0000\r\n" + m
			var sent sentMails
			switch first {
			case "imap":
				w.box.put(read)
				sent = w.run()
				w.handOver(m)
			case "lmtp":
				w.handOver(m)
				sent = w.run()
				w.box.put(read)
			case "at once":
				w.handOver(m)
				w.box.put(read)
			case "twice by lmtp": // the server lost the reply to the end of the mail
				w.handOver(m)
				w.handOver(m)
			}
			sent = append(sent, w.run()...)
			if got := sent.to(kirk, "accepted"); len(got) != 1 || len(sent) != 1 {
				t.Errorf("%d answers:\n%s", len(got), sent)
			}
			if sent = w.run(); len(sent) > 0 {
				t.Errorf("later came\n%s", sent)
			}
		})
	}
}

// TestHandedMailsSurviveALostStore: mails that were handed over but not handled are still there.
func TestHandedMailsSurviveALostStore(t *testing.T) {
	w := newWorld(t)
	w.cfg.IMAP, w.cfg.LMTP = nil, &config.LMTP{}
	g := w.game("wolf", schedule())
	w.handOver(w.order(g, "Kirk", "power", "  shields 2:4"))
	if sent := w.run(); len(sent.to(kirk, "accepted")) != 1 {
		t.Fatalf("sent\n%s", sent)
	}
	w.handOver(w.order(g, "Kor", "power", "  shields 2:5"))
	w.loseStore()
	if sent := w.run(); len(sent.to(kor, "accepted")) != 1 || len(sent.to(kirk, "accepted")) != 0 {
		t.Errorf("sent\n%s", sent)
	}
	if left, done, _ := w.sorted(); left != 0 || done != 2 {
		t.Errorf("%d mails left, %d done", left, done)
	}
}

// TestDeliveredMailsAreSeenAtOnce: mails that another process delivers are noticed within a second.
func TestDeliveredMailsAreSeenAtOnce(t *testing.T) {
	for _, both := range []bool{false, true} {
		inBubble(t, func(w *world) {
			w.cfg.LMTP = &config.LMTP{}
			if !both {
				w.cfg.IMAP = nil
			}
			g := w.game("wolf", schedule())
			defer w.serve()()
			time.Sleep(time.Minute / 2)
			w.delivered()
			w.handOver(w.order(g, "Kirk", "power", "  shields 2:4"))
			time.Sleep(2 * time.Second)
			synctest.Wait()
			if sent := w.delivered(); len(sent.to(kirk, "accepted")) != 1 {
				w.t.Errorf("both %t: sent\n%s", both, sent)
			}
		})
	}
}

// TestServeTakesMailsByLMTP: two mailboxes share a socket; each answers its own.
func TestServeTakesMailsByLMTP(t *testing.T) {
	w := watchedWorld(t)
	socket := filepath.Join(t.TempDir(), "lmtp")
	w.cfg.IMAP, w.cfg.LMTP = nil, &config.LMTP{Listen: "unix:" + socket}
	w.cfg.More = []config.Mailbox{{Address: club, Name: "Club", LMTP: w.cfg.LMTP}}
	sent, looked := make(chan string, 10), make(chan struct{}, 10)
	w.watch = func(e process.Event) {
		switch e.Kind {
		case process.Sent:
			sent <- e.Mailbox + " " + e.Detail
		case process.Looked:
			select {
			case looked <- struct{}{}:
			default:
			}
		}
	}
	defer w.serve()()
	<-looked
	conn, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	c := smtp.NewClientLMTP(conn)
	for _, to := range []string{robot, club} {
		if err := errors.Join(c.Mail("dee@example.org", nil), c.Rcpt(to, nil)); err != nil {
			t.Fatal(err)
		}
		data, err := c.Data()
		if err == nil {
			_, err = fmt.Fprintf(data, "From: dee@example.org\r\nTo: %s\r\nSubject: help\r\nMessage-ID: <%s>\r\n\r\nhelp\r\n", to, to)
			err = errors.Join(err, data.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := <-sent; got != to+" dee@example.org" {
			t.Errorf("sent: %s", got)
		}
	}
	if err := c.Quit(); err != nil {
		t.Error(err)
	}
}

// TestDoorsThatCannotOpen: a socket that cannot be opened ends the daemon with a clear error.
func TestDoorsThatCannotOpen(t *testing.T) {
	w := newWorld(t)
	socket := filepath.Join(t.TempDir(), "none", "lmtp")
	w.cfg.LMTP = &config.LMTP{Listen: "unix:" + socket}
	d := w.open()
	if err := d.Serve(t.Context()); err == nil || !strings.Contains(err.Error(), "listen for LMTP at unix:"+socket) || store.IsLost(err) {
		t.Errorf("error %v", err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}
