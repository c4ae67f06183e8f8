package daemon_test

import (
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/daemon"
	"starpost/pbem/daemon/process"
	"starpost/pbem/fault"
	"starpost/pbem/loopback"
	"starpost/pbem/vault"
)

// onLoopback replaces the mailbox and outlet in memory by real servers.
func (w *world) onLoopback() *loopback.Server {
	w.t.Helper()
	return w.onServers(loopback.Options{RequireLogin: true})
}

// onFreeLoopback is onLoopback without a login for sending.
func (w *world) onFreeLoopback() *loopback.Server {
	w.t.Helper()
	return w.onServers(loopback.Options{})
}

func (w *world) onServers(o loopback.Options) *loopback.Server {
	w.t.Helper()
	var users []loopback.User
	for _, a := range []string{robot, kirk, kor, refAddress} {
		users = append(users, loopback.User{Address: a, Password: "open sesame"})
	}
	s, err := loopback.Start(users, o)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			w.t.Error(err)
		}
	})
	server := func(addr string) config.Server {
		host, port, err := net.SplitHostPort(addr)
		if err != nil {
			w.t.Fatal(err)
		}
		n, err := strconv.Atoi(port)
		if err != nil {
			w.t.Fatal(err)
		}
		return config.Server{Host: host, Port: n, TLS: config.TLSNone, User: robot, Password: config.NewSecret("open sesame")}
	}
	w.cfg.IMAP.Server, w.cfg.SMTP = server(s.IMAPAddr()), server(s.SMTPAddr())
	return s
}

func (w *world) openReal() *daemon.Daemon {
	w.t.Helper()
	d, err := daemon.Open(process.Options{Config: w.cfg, Catalogue: w.cat, Clock: w.clock, Log: w.log, Watch: w.watch})
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

func TestWrongPassword(t *testing.T) {
	for _, which := range []string{"imap", "smtp"} {
		t.Run(which, func(t *testing.T) {
			w := newWorld(t)
			w.onLoopback()
			w.game("wolf", schedule())
			server := &w.cfg.IMAP.Server
			if which == "smtp" {
				server = &w.cfg.SMTP
			}
			server.Password = config.NewSecret("open barley")
			d := w.openReal()
			_, err := d.Once(t.Context())
			if cerr := d.Close(); cerr != nil {
				t.Fatal(cerr)
			}
			if err == nil || strings.Contains(err.Error(), "barley") {
				t.Fatalf("error %v", err)
			}
			if h := fault.Hint(err); !strings.Contains(h, "password") {
				t.Errorf("hint %q of %v", h, err)
			}
		})
	}
}

func TestNoRealServer(t *testing.T) {
	w := newWorld(t)
	s := w.onLoopback()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	w.game("wolf", schedule())
	d := w.openReal()
	_, err := d.Once(t.Context())
	if cerr := d.Close(); cerr != nil {
		t.Fatal(cerr)
	}
	if err == nil || !strings.Contains(fault.Hint(err), "host and port") {
		t.Errorf("error %v, hint %q", err, fault.Hint(err))
	}
}

// Broken connections cost time, nothing else.
func TestConnectionsBreak(t *testing.T) {
	w := watchedWorld(t)
	delivered := make(chan string, 100)
	s := w.onLoopback()
	g := w.game("wolf", schedule())
	idle := make(chan struct{}, 100)
	w.watch = func(e process.Event) {
		switch e.Kind {
		case process.Sent:
			delivered <- e.Detail
		case process.Idle:
			idle <- struct{}{}
		}
	}
	d := w.openReal()
	ended := make(chan error, 1)
	ctx, cancel := contextOf(t)
	go func() { ended <- d.Serve(ctx) }()
	await(delivered, 2)
	s.DropConnections()
	if err := s.Deliver(kirk, robot, []byte(w.order(g, "Kirk", "final"))); err != nil {
		t.Fatal(err)
	}
	s.Inject(loopback.Fault{Stage: loopback.StageIMAPFetch, Drop: true, Times: 1})
	s.Inject(loopback.Fault{Stage: loopback.StageIMAPMove, Drop: true, Times: 1})
	s.Inject(loopback.Fault{Stage: loopback.StageSMTPBody, Drop: true, Times: 1})
	done := make(chan struct{})
	go func() { // time passes whenever the daemon sleeps
		for {
			select {
			case <-idle:
				w.clock.Advance(5 * time.Minute)
			case <-done:
				return
			}
		}
	}()
	await(delivered, 1)
	close(done)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if files, err := g.Orders.For(vault.At(1)); err != nil || len(files) != 1 {
		t.Errorf("orders %v %v", files, err)
	}
}
