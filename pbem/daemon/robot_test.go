package daemon_test

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/doctor"
	"starpost/pbem/fault"
	"starpost/pbem/loopback"
)

// Mails of a game that names another robot are not sent, because answers would go there. Once
// game.toml names the daemon's robot, they are sent with that address.
func TestOtherRobotHoldsTheMails(t *testing.T) {
	w := newWorld(t)
	var log bytes.Buffer
	w.log = slog.New(slog.NewTextHandler(&log, nil))
	mail := schedule()
	mail.Robot = "starpost@localhost"
	g := w.game("wolf", mail)
	w.game("bear", schedule())
	d := w.open()
	for range 3 {
		_, err := d.Once(t.Context())
		if err == nil || !strings.Contains(err.Error(), "starpost@localhost") || !strings.Contains(fault.Hint(err), "--robot "+robot) {
			t.Fatalf("error %v, hint %q", err, fault.Hint(err))
		}
		w.clock.Advance(time.Hour)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(log.String(), "level=ERROR"); n != 1 || !strings.Contains(log.String(), "hint=") {
		t.Errorf("%d errors are logged:\n%s", n, log.String())
	}
	if sent := w.delivered(); len(sent.to(kirk, "[wolf]")) != 0 || len(sent.to(kirk, "[bear]")) != 1 {
		t.Errorf("sent:\n%s", sent)
	}

	file := filepath.Join(g.Dir(), "game.toml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.Replace(text, []byte("starpost@localhost"), []byte(robot), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	sent := w.run().to(kirk, "[wolf]")
	if len(sent) != 1 {
		t.Fatalf("after it was mended:\n%s", sent)
	}
	head, _, _ := strings.Cut(sent[0].raw, "\r\n\r\n")
	if !strings.Contains(head, "<"+robot+">\r\n") || !strings.Contains(head, "<starpost+") || !strings.Contains(head, "@example.org>") || strings.Contains(head, "+localhost") {
		t.Errorf("the mail is from another:\n%s", head)
	}
	for line := range strings.Lines(head) {
		if (strings.HasPrefix(line, "From:") || strings.HasPrefix(line, "Reply-To:")) && strings.Contains(line, "localhost") {
			t.Errorf("%s", line)
		}
	}
}

// A game whose captains have no addresses sends no mails, whatever its robot.
func TestOtherRobotWithoutMails(t *testing.T) {
	w := newWorld(t)
	mail := schedule()
	g := w.game("wolf", mail)
	file := filepath.Join(g.Dir(), "game.toml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []string{kirk, kor} {
		text = bytes.Replace(text, []byte(a), nil, 1)
	}
	if err := os.WriteFile(file, bytes.Replace(text, []byte(robot), []byte("x@localhost"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.once(); err != nil {
		t.Error(err)
	}
}

// Without plus addresses every mail asks for replies to the plain address.
func TestNoPlus(t *testing.T) {
	for _, plus := range []bool{true, false} {
		w := newWorld(t)
		w.cfg.Plus = plus
		g := w.game("wolf", schedule())
		w.box.put(w.order(g, "Kirk"))
		w.box.put(w.mail(kor, "And now?\n"))
		sent := w.run()
		for _, m := range append(sent.to(kirk, ""), sent.to(kor, "begins")...) {
			head, _, _ := strings.Cut(m.raw, "\r\n\r\n")
			_, reply, found := strings.Cut(head, "\r\nReply-To:")
			reply, _, _ = strings.Cut(reply, "\r\nTo:")
			if !found || strings.Contains(reply, robot) == plus || strings.Contains(reply, "starpost+") != plus {
				t.Errorf("plus %v: Reply-To%q of %q", plus, reply, m.Subject)
			}
			if len(m.From) != 1 || m.From[0].Addr != robot {
				t.Errorf("plus %v: from %v", plus, m.From)
			}
		}
		help := sent.to(kor, "How to send orders")
		if len(help) != 1 || strings.Contains(help[0].Text, "unless you reply to") != plus {
			t.Errorf("plus %v: help\n%s", plus, help)
		}
	}
}

// Captains reply to an address with a plus tag. The doctor sends a mail of its own to test whether
// such mails arrive.
func TestDoctorSendsItselfAPlusAddressedMail(t *testing.T) {
	for name, c := range map[string]struct {
		options  loopback.Options
		patience time.Duration
		change   func(*config.Config)
		running  bool // with a daemon on the same mailbox
		want     string
		hint     string
	}{
		"delivered":              {patience: time.Hour, want: "a mail to starpost+"},
		"refused":                {options: loopback.Options{NoPlus: true}, patience: time.Hour, want: "was not accepted:", hint: "set plus = false"},
		"never comes":            {patience: time.Millisecond, change: func(c *config.Config) { c.IMAP.User = refAddress }, want: "did not arrive within 1ms", hint: "check the spam"},
		"without":                {options: loopback.Options{NoPlus: true}, patience: time.Hour, change: func(c *config.Config) { c.Plus = false }, want: "plus = false, so replies go to the plain address"},
		"taken in by the daemon": {patience: time.Hour, running: true, want: "a mail to starpost+"},
	} {
		t.Run(name, func(t *testing.T) {
			w := watchedWorld(t)
			w.onServers(c.options)
			if c.change != nil {
				c.change(w.cfg)
			}
			if c.running {
				d, ended := w.openReal(), make(chan error, 1)
				ctx, cancel := contextOf(t)
				go func() { ended <- d.Serve(ctx) }()
				defer func() {
					cancel()
					if err := errors.Join(<-ended, d.Close()); err != nil {
						t.Error(err)
					}
				}()
			}
			found := watch.Check{}
			doctor.Examine(t.Context(), w.cfg, w.cat, c.patience, func(check watch.Check) {
				if check.What == "plus addresses" {
					found = check
				}
			})
			if got := found.Found + found.Problem; !strings.Contains(got, c.want) || found.OK() != (c.hint == "") || !strings.Contains(found.Hint, c.hint) {
				t.Errorf("%+v, want %q, hint %q", found, c.want, c.hint)
			}
		})
	}
}

// look runs Doctor and returns its checks by first word.
func look(t *testing.T, w *world) map[string]watch.Check {
	t.Helper()
	out := map[string]watch.Check{}
	doctor.Examine(t.Context(), w.cfg, w.cat, 0, func(c watch.Check) {
		word, _, _ := strings.Cut(c.What, " ")
		out[word] = c
	})
	return out
}

func TestDoctor(t *testing.T) {
	w := newWorld(t)
	w.onLoopback()
	g := w.game("wolf", schedule())
	for name, want := range map[string]string{
		"mailbox": "logged in as " + robot, "outgoing": "logged in as " + robot, "store": "none yet", "game": "wolf, turn 0 played", "clock": "20",
	} {
		if c := look(t, w)[name]; !c.OK() || !strings.Contains(c.Found, want) || strings.ContainsAny(c.Found, "{}") {
			t.Errorf("%s: %+v; want %q", name, c, want)
		}
	}
	d := w.openReal()
	if _, err := d.Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c := look(t, w)["store"]; c.Found != "sound; 0 mails waiting to be sent" {
		t.Errorf("while the daemon runs: %+v", c)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}

	db := filepath.Join(w.cfg.State, "ledger.db")
	if err := os.WriteFile(db, bytes.Repeat([]byte("junk"), 3000), 0o600); err != nil {
		t.Fatal(err)
	}
	w.cfg.Address = "battles@example.org"
	checks := look(t, w)
	if c := checks["store"]; c.OK() || !strings.Contains(c.Hint, "--repair") {
		t.Errorf("of a damaged store: %+v", c)
	}
	if c := checks["game"]; c.OK() || !strings.Contains(c.Hint, "remove "+g.Dir()) || !strings.Contains(c.Problem, robot) {
		t.Errorf("of a game with another robot: %+v", c)
	}
}

// A server that requires no login is only contacted.
func TestDoctorWithoutLogin(t *testing.T) {
	w := newWorld(t)
	w.onFreeLoopback()
	w.cfg.SMTP.User, w.cfg.SMTP.Password = "", config.Secret{}
	if c := look(t, w)["outgoing"]; c.Found != "reached, no login, in the clear on this machine" {
		t.Errorf("%+v", c)
	}
}
