package mailbox_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"starpost/pbem/loopback"
	"starpost/pbem/mailbox"
	"starpost/pbem/transport"
)

const (
	address  = "host@example.org"
	password = "hunter2 \"quoted\" \\ \u00e9"
)

// serve starts a loopback server with one account.
func serve(t *testing.T, opts loopback.Options) (*loopback.Server, mailbox.Config) {
	t.Helper()
	s, err := loopback.Start([]loopback.User{{Address: address, Password: password}}, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	mode := map[loopback.TLSMode]string{
		loopback.NoTLS: transport.TLSNone, loopback.ImplicitTLS: transport.TLSImplicit, loopback.StartTLS: transport.TLSStart,
	}[opts.TLS]
	cfg := config(t, s.IMAPAddr())
	cfg.TLS, cfg.RootCAs = mode, s.Roots()
	return s, cfg
}

func config(t *testing.T, addr string) mailbox.Config {
	t.Helper()
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	return mailbox.Config{Server: transport.Server{Host: host, Port: n, TLS: transport.TLSNone, User: address, Password: password}, Name: "box"}
}

func TestContract(t *testing.T) {
	for name, opts := range map[string]loopback.Options{
		"plain":      {},
		"tls":        {TLS: loopback.ImplicitTLS},
		"starttls":   {TLS: loopback.StartTLS},
		"no MOVE":    {NoMove: true},
		"no UIDPLUS": {NoUIDPlus: true},
		"neither":    {NoMove: true, NoUIDPlus: true},
	} {
		t.Run(name, func(t *testing.T) {
			contract(t, func(t *testing.T) world {
				t.Helper()
				s, cfg := serve(t, opts)
				return world{
					config: cfg,
					keeps:  opts.NoMove && opts.NoUIDPlus,
					put: func(t *testing.T, raw []byte) {
						t.Helper()
						if err := s.Put(address, raw); err != nil {
							t.Error(err)
						}
					},
					renumber: func(t *testing.T) {
						t.Helper()
						if err := s.Renumber(address); err != nil {
							t.Error(err)
						}
					},
				}
			})
		})
	}
}

// hang runs call, or Dial if call is nil, on a server that fails at a stage. It reports whether the
// stage was reached: on a busy machine the client may time out before it.
func hang(t *testing.T, stage loopback.Stage, call func(context.Context, *mailbox.Client) error, silence, deadline time.Duration, cancelled, drop bool) (reached bool, err error) {
	t.Helper()
	s, cfg := serve(t, loopback.Options{})
	cfg.Timeout = silence
	if err := s.Put(address, letter(0)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var hit atomic.Bool
	fault := loopback.Fault{Stage: stage, Hang: !drop, Drop: drop, Hit: func() {
		hit.Store(true)
		if cancelled {
			cancel()
		}
	}}
	limit := func() {
		if deadline > 0 {
			ctx, cancel = context.WithTimeout(ctx, deadline)
			t.Cleanup(cancel)
		}
	}
	if call == nil {
		s.Inject(fault)
		limit()
		_, err = mailbox.Dial(ctx, cfg, nil)
		return hit.Load(), err
	}
	c, err := mailbox.Dial(t.Context(), cfg, nil)
	if err != nil {
		return false, err
	}
	defer c.Close()
	if stage != loopback.StageIMAPSelect {
		if _, _, err := c.Select(t.Context()); err != nil {
			return false, err
		}
	}
	s.Inject(fault)
	limit()
	err = call(ctx, c)
	if _, again := c.List(t.Context(), 0); again == nil {
		t.Error("the client works on after its connection was cut")
	}
	return hit.Load(), err
}

// TestSilentServerTimesOut: whatever stage a server falls silent at, the call ends with its
// context, with the configured timeout, or with a cancellation.
func TestSilentServerTimesOut(t *testing.T) {
	stages := map[loopback.Stage]func(context.Context, *mailbox.Client) error{
		loopback.StageIMAPConnect: nil,
		loopback.StageIMAPLogin:   nil,
		loopback.StageIMAPSelect:  func(ctx context.Context, c *mailbox.Client) error { _, _, err := c.Select(ctx); return err },
		loopback.StageIMAPSearch:  func(ctx context.Context, c *mailbox.Client) error { _, err := c.List(ctx, 0); return err },
		loopback.StageIMAPFetch: func(ctx context.Context, c *mailbox.Client) error {
			return c.Fetch(ctx, []uint32{1}, func(mailbox.Mail) error { return nil })
		},
		loopback.StageIMAPMove: func(ctx context.Context, c *mailbox.Client) error {
			return c.Move(ctx, []uint32{1}, "Starpost/Done")
		},
	}
	ways := map[string]struct {
		patient, limited, cancelled, drop bool
		want                              mailbox.Kind
	}{
		"silence":  {want: mailbox.KindSilentServer},
		"deadline": {patient: true, limited: true, want: mailbox.KindSilentServer},
		"cancel":   {patient: true, cancelled: true, want: mailbox.KindCancelled},
		"drop":     {patient: true, drop: true, want: mailbox.KindLost},
	}
	for stage, call := range stages {
		for name, way := range ways {
			t.Run(string(stage)+"/"+name, func(t *testing.T) {
				t.Parallel() // they mostly wait
				var err error
				for patience, reached := 50*time.Millisecond, false; !reached; patience *= 2 {
					silence, deadline := patience, time.Duration(0)
					if way.patient {
						silence = time.Hour
					}
					if way.limited {
						deadline = patience
					}
					reached, err = hang(t, stage, call, silence, deadline, way.cancelled, way.drop)
					reached = reached && kind(err) != mailbox.KindNoServer
				}
				if kind(err) != way.want || !temporary(err) {
					t.Errorf("got %v (kind %d), want kind %d", err, kind(err), way.want)
				}
				var e *mailbox.Error
				if errors.As(err, &e) && way.want != mailbox.KindCancelled && e.Hint() == "" {
					t.Errorf("no hint for %v", err)
				}
			})
		}
	}
}

// TestCopyFails: without MOVE, mails that could not be copied must not be removed.
func TestCopyFails(t *testing.T) {
	s, cfg := serve(t, loopback.Options{NoMove: true})
	if err := s.Put(address, letter(0)); err != nil {
		t.Fatal(err)
	}
	c, ctx := dial(t, cfg)
	selectBox(t, c)
	s.Inject(loopback.Fault{Stage: loopback.StageIMAPCopy, Text: "over quota"})
	err := c.Move(ctx, list(t, c, 0), "Starpost/Done")
	if err == nil || !strings.Contains(err.Error(), "over quota") {
		t.Errorf("move: %v", err)
	}
	if left := list(t, c, 0); len(left) != 1 {
		t.Errorf("left %v, want the mail", left)
	}
}

func TestNoServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	cfg := config(t, l.Addr().String())
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = mailbox.Dial(t.Context(), cfg, nil)
	if kind(err) != mailbox.KindNoServer || !temporary(err) {
		t.Errorf("dial: %v", err)
	}
}

func TestTLSTrouble(t *testing.T) {
	_, secure := serve(t, loopback.Options{TLS: loopback.ImplicitTLS})
	_, plain := serve(t, loopback.Options{})
	unknown := secure
	unknown.RootCAs = nil
	wrongName := secure
	wrongName.Host, wrongName.Dial = "mail.example.org", func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, net.JoinHostPort(secure.Host, strconv.Itoa(secure.Port)))
	}
	tlsOnPlain, startOnPlain := plain, plain
	tlsOnPlain.TLS = transport.TLSImplicit
	startOnPlain.TLS = transport.TLSStart
	for name, cfg := range map[string]mailbox.Config{
		"unknown authority": unknown, "wrong name": wrongName, "tls on a plain port": tlsOnPlain, "no STARTTLS": startOnPlain,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mailbox.Dial(t.Context(), cfg, nil)
			if kind(err) != mailbox.KindTLS || temporary(err) {
				t.Errorf("dial: %v (kind %d)", err, kind(err))
			}
		})
	}
}

func TestConfigRefused(t *testing.T) {
	good := mailbox.Config{Server: transport.Server{Host: "localhost", User: "u", TLS: transport.TLSNone}}
	for name, change := range map[string]func(*mailbox.Config){
		"no host":     func(c *mailbox.Config) { c.Host = "" },
		"no user":     func(c *mailbox.Config) { c.User = "" },
		"bad port":    func(c *mailbox.Config) { c.Port = 70000 },
		"bad tls":     func(c *mailbox.Config) { c.TLS = "ssl" },
		"no loopback": func(c *mailbox.Config) { c.Host = "mail.example.org" },
		"near name":   func(c *mailbox.Config) { c.Host = "localhost.example.org" },
		"address":     func(c *mailbox.Config) { c.Host = "192.0.2.1" },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := good
			change(&cfg)
			cfg.Dial = func(context.Context, string, string) (net.Conn, error) {
				t.Error("the network was touched")
				return nil, net.ErrClosed
			}
			if _, err := mailbox.Dial(t.Context(), cfg, nil); kind(err) != mailbox.KindConfig {
				t.Errorf("dial: %v", err)
			}
		})
	}
}

func TestNothingSecretIsLogged(t *testing.T) {
	s, cfg := serve(t, loopback.Options{})
	var logged bytes.Buffer
	log := slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	c, err := mailbox.Dial(t.Context(), cfg, log)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := s.Put(address, letter(0)); err != nil {
		t.Fatal(err)
	}
	selectBox(t, c)
	uids := list(t, c, 0)
	fetch(t, c, append(uids, 99))
	move(t, c, uids, "Starpost/Done")
	if logged.Len() == 0 || strings.Contains(logged.String(), "hunter2") {
		t.Errorf("logged:\n%s", logged.String())
	}
}

// TestRealServer runs the contract on a server named by the environment:
// STARPOST_TEST_IMAP=host:port, _IMAP_TLS, _IMAP_USER, _IMAP_PASSWORD; and again on
// _IMAP_STARTTLS=host:port, if that is set too. STARPOST_TEST_CA is a file with certificates to
// trust. The INBOX is emptied.
func TestRealServer(t *testing.T) {
	servers := [][2]string{ // address, tls
		{os.Getenv("STARPOST_TEST_IMAP"), cmp.Or(os.Getenv("STARPOST_TEST_IMAP_TLS"), transport.TLSImplicit)},
		{os.Getenv("STARPOST_TEST_IMAP_STARTTLS"), transport.TLSStart},
	}
	for _, s := range servers {
		t.Run(s[1], func(t *testing.T) {
			if s[0] == "" {
				t.Skip("STARPOST_TEST_IMAP is not set")
			}
			cfg := config(t, s[0])
			cfg.TLS, cfg.RootCAs = s[1], authorities(t)
			cfg.User, cfg.Password = os.Getenv("STARPOST_TEST_IMAP_USER"), os.Getenv("STARPOST_TEST_IMAP_PASSWORD")
			contract(t, func(t *testing.T) world {
				t.Helper()
				emptied(t, cfg)
				c := rawClient(t, cfg)
				t.Cleanup(func() { hangUp(t, c) })
				return world{config: cfg, put: func(t *testing.T, raw []byte) {
					t.Helper()
					appendTo(t, c, raw)
				}}
			})
		})
	}
}
