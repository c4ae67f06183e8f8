package outgoing_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"starpost/pbem/outgoing"
	"starpost/pbem/transport"
)

// life plays an SMTP server with STARTTLS and a login until a stage is reached, and then does fault in place of
// replying.
type life struct {
	stage   string
	fault   func(conn net.Conn, raw *net.TCPConn)
	refuse  string // or: a reply, after which it goes on
	reached atomic.Bool
	taken   atomic.Int32 // complete mails
	size    string       // of the SIZE extension
	secure  *tls.Config
}

// due reports whether the stage has been reached, and whether nothing follows it.
func (l *life) due(stage string, conn net.Conn, raw *net.TCPConn) (now, over bool) {
	if stage != l.stage {
		return false, false
	}
	l.reached.Store(true)
	if l.refuse != "" {
		_, err := fmt.Fprintf(conn, "%s\r\n", l.refuse)
		return true, err != nil
	}
	l.fault(conn, raw)
	return true, true
}

func (l *life) run(raw *net.TCPConn) {
	var conn net.Conn = raw
	lines := bufio.NewReader(conn)
	ok := true
	say := func(format string, args ...any) {
		_, err := fmt.Fprintf(conn, format+"\r\n", args...)
		ok = ok && err == nil
	}
	if now, over := l.due("greeting", conn, raw); over || now {
		return
	}
	say("220 hello")
	for secure := false; ok; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		verb, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		verb = strings.ToUpper(verb)
		if verb == "HELO" {
			verb = "EHLO" // it was refused
		}
		if verb == "EHLO" && secure {
			verb = "second EHLO"
		}
		now, over := l.due(verb, conn, raw)
		switch {
		case over:
			return
		case now:
			continue
		}
		switch verb {
		case "EHLO":
			say("250-hello\r\n250-AUTH PLAIN\r\n250-SIZE %s\r\n250 STARTTLS", l.size)
		case "second EHLO":
			say("250-hello\r\n250-SIZE %s\r\n250 AUTH PLAIN", l.size)
		case "STARTTLS":
			say("220 go")
			if now, over := l.due("handshake", conn, raw); over || now {
				return
			}
			conn = tls.Server(conn, l.secure)
			lines, secure = bufio.NewReader(conn), true
		case "AUTH":
			say("235 welcome")
		case "DATA":
			say("354 go")
			if now, over := l.due("body", conn, raw); over || now {
				return
			}
			for ok {
				line, err := lines.ReadString('\n')
				if err != nil {
					return
				}
				if line == ".\r\n" {
					break
				}
			}
			l.taken.Add(1)
			now, over := l.due("end", conn, raw)
			if over {
				return
			}
			if !now {
				say("250 taken")
			}
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

// begin serves on the loopback address.
func (l *life) begin(t *testing.T) outgoing.Config {
	t.Helper()
	// In any case it has a certificate for the loopback address.
	web := httptest.NewTLSServer(nil)
	t.Cleanup(web.Close)
	l.secure = web.TLS
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Cleanup(func() {
		listener.Close()
		<-ended
	})
	go func() {
		defer close(ended)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			l.run(conn.(*net.TCPConn))
			conn.Close()
		}
	}()
	cfg := config(t, listener.Addr().String())
	cfg.TLS, cfg.User, cfg.Password = transport.TLSStart, host, password
	cfg.RootCAs = x509.NewCertPool()
	cfg.RootCAs.AddCert(web.Certificate())
	return cfg
}

// drain reads until the client hangs up.
func drain(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

// TestFaultAtEveryStage: whatever a server does in place of replying, sending ends by itself with the right
// outcome and stage, and the mail can then be sent through a healthy server.
func TestFaultAtEveryStage(t *testing.T) {
	stages := []struct {
		at    string
		stage []outgoing.Stage // where the fault may show
	}{
		{"greeting", []outgoing.Stage{outgoing.StageGreeting, outgoing.StageDial}},
		{"EHLO", []outgoing.Stage{outgoing.StageHello}},
		{"STARTTLS", []outgoing.Stage{outgoing.StageTLS}},
		{"handshake", []outgoing.Stage{outgoing.StageTLS}},
		{"second EHLO", []outgoing.Stage{outgoing.StageTLS}},
		{"AUTH", []outgoing.Stage{outgoing.StageAuth}},
		{"MAIL", []outgoing.Stage{outgoing.StageMail}},
		{"RCPT", []outgoing.Stage{outgoing.StageRcpt}},
		{"DATA", []outgoing.Stage{outgoing.StageData}},
		{"body", []outgoing.Stage{outgoing.StageBody, outgoing.StageEnd}},
		{"end", []outgoing.Stage{outgoing.StageEnd}},
	}
	faults := map[string]struct {
		do     func(conn net.Conn, raw *net.TCPConn)
		silent bool // only our own timeout ends it
		slow   bool // ... at some stages
	}{
		"silence":     {do: func(conn net.Conn, _ *net.TCPConn) { drain(conn) }, silent: true},
		"half a line": {do: func(conn net.Conn, _ *net.TCPConn) { _, _ = io.WriteString(conn, "250-half"); drain(conn) }, silent: true},
		"end":         {do: func(net.Conn, *net.TCPConn) {}},
		"reset":       {do: func(_ net.Conn, raw *net.TCPConn) { _ = raw.SetLinger(0) }},
		"nonsense":    {do: func(conn net.Conn, _ *net.TCPConn) { _, _ = io.WriteString(conn, "\x00 what?\r\n"); drain(conn) }, slow: true},
		"flood": {slow: true, do: func(conn net.Conn, _ *net.TCPConn) {
			for line := []byte("250-" + strings.Repeat("x", 8000) + "\r\n"); ; {
				if _, err := conn.Write(line); err != nil {
					return
				}
			}
		}},
	}
	for _, at := range stages {
		for name, f := range faults {
			t.Run(at.at+"/"+name, func(t *testing.T) {
				t.Parallel()
				data := render(t, report())
				if at.at == "body" {
					data = append(data, bytes.Repeat([]byte("0123456789\r\n"), 2_000_000)...) // more than fits into buffers
				}
				var e *outgoing.Error
				for silence := 100 * time.Millisecond; ; silence *= 4 {
					l := &life{stage: at.at, fault: f.do, size: "0"}
					if at.at == "handshake" && name == "half a line" {
						// A line after the client's hello is no silence, but a broken handshake.
						l.fault = func(conn net.Conn, _ *net.TCPConn) { _, _ = io.WriteString(conn, "\x16\x03\x01"); drain(conn) }
					}
					cfg := l.begin(t)
					cfg.Timeout, cfg.EndTimeout = time.Minute, time.Minute
					if f.silent || f.slow {
						cfg.Timeout, cfg.EndTimeout = silence, silence
					}
					_, err := once(t, cfg, data)
					if !errors.As(err, &e) {
						t.Fatalf("got %v", err)
					}
					if l.reached.Load() {
						break
					}
					if !f.silent && !f.slow {
						t.Fatalf("the stage was not reached: %v", err)
					}
				}
				want := outgoing.TemporaryFailure
				if at.at == "end" || e.Stage == outgoing.StageEnd {
					want = outgoing.Ambiguous
				}
				if e.Outcome != want || !slices.Contains(at.stage, e.Stage) {
					t.Errorf("%v: %v at %q", e, e.Outcome, e.Stage)
				}
				if !e.Temporary() && at.at != "handshake" && at.at != "STARTTLS" {
					t.Errorf("%v is called lasting", e)
				}
				if f.silent && !errors.Is(e, transport.ErrSilent) {
					t.Errorf("%v is not called silence", e)
				}
			})
		}
		for _, code := range []int{421, 451, 554} {
			if at.at == "handshake" || at.at == "body" {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", at.at, code), func(t *testing.T) {
				t.Parallel()
				l := &life{stage: at.at, refuse: fmt.Sprintf("%d not so", code), size: "0"}
				outcome, err := once(t, l.begin(t), render(t, report()))
				var e *outgoing.Error
				if !errors.As(err, &e) || !l.reached.Load() {
					t.Fatalf("got %v", err)
				}
				about := slices.Contains([]string{"MAIL", "RCPT", "DATA", "end"}, at.at)
				want := outgoing.TemporaryFailure
				if code == 554 && about && at.at != "MAIL" {
					want = outgoing.PermanentFailure
				}
				if ofSender := code == 554 && at.at == "MAIL"; e.Sender != ofSender || outcome != want || e.Code != code || !slices.Contains(at.stage, e.Stage) || e.Temporary() != (code < 500) {
					t.Errorf("%v: %v at %q, code %d, temporary %v", e, outcome, e.Stage, e.Code, e.Temporary())
				}
			})
		}
	}
}

// once opens a session and sends one mail.
func once(t *testing.T, cfg outgoing.Config, data []byte) (outgoing.Outcome, error) {
	t.Helper()
	ctx := t.Context()
	live, err := sender(t, cfg).Open(ctx)
	if err != nil {
		return outgoing.TemporaryFailure, err
	}
	defer live.Close()
	return live.Send(ctx, outgoing.Envelope{From: host, To: captain, Data: data})
}

// TestHealthyLife: the server of these tests is healthy without a fault.
func TestHealthyLife(t *testing.T) {
	for size, want := range map[string]outgoing.Outcome{"": outgoing.Delivered, "0": outgoing.Delivered, "1000000": outgoing.Delivered, "lots": outgoing.Delivered, "100": outgoing.PermanentFailure} {
		l := &life{size: size}
		got, err := once(t, l.begin(t), render(t, report()))
		if got != want || (l.taken.Load() == 1) != (want == outgoing.Delivered) {
			t.Errorf("size %q: %v, %v, %d taken", size, got, err, l.taken.Load())
		}
		var e *outgoing.Error
		if errors.As(err, &e) && (e.Stage != outgoing.StageMail || e.Temporary() || !strings.Contains(e.Hint(), "too large")) {
			t.Errorf("size %q: %v at %q, hint %q", size, e, e.Stage, e.Hint())
		}
	}
}

// TestTooLarge: an oversized mail is permanently refused wherever the server says so.
func TestTooLarge(t *testing.T) {
	for _, stage := range []string{"MAIL", "RCPT", "DATA", "end"} {
		l := &life{stage: stage, refuse: "552 5.3.4 too large", size: "0"}
		got, err := once(t, l.begin(t), render(t, report()))
		var e *outgoing.Error
		if !errors.As(err, &e) || got != outgoing.PermanentFailure || !strings.Contains(e.Hint(), "too large") {
			t.Errorf("at %s: %v, %v", stage, got, err)
		}
	}
}

// TestStrippedSTARTTLSIsRefused: if someone on the way removes STARTTLS from the server's offers, or injects data
// before the encryption begins, no password and no mail is sent in the clear, and the injected data is not
// believed.
func TestStrippedSTARTTLSIsRefused(t *testing.T) {
	var said strings.Builder
	cfg := outgoing.Config{Server: transport.Server{
		Host: "mail.example.org", TLS: transport.TLSStart, User: host, Password: password,
		Dial: func(context.Context, string, string) (net.Conn, error) {
			here, there := net.Pipe()
			go func() {
				defer there.Close()
				lines := bufio.NewScanner(there)
				for _, line := range []string{"220 hi", "250-hi\r\n250 AUTH PLAIN", "221 bye"} {
					if _, err := fmt.Fprintf(there, "%s\r\n", line); err != nil || !lines.Scan() {
						return
					}
					said.WriteString(lines.Text() + "\n")
				}
			}()
			return here, nil
		},
	}}
	_, err := once(t, cfg, render(t, report()))
	var e *outgoing.Error
	if !errors.As(err, &e) || e.Stage != outgoing.StageTLS || e.Temporary() || e.Hint() == "" {
		t.Errorf("got %v", err)
	}
	if strings.Contains(said.String(), "AUTH") || strings.Contains(said.String(), "MAIL") {
		t.Errorf("said\n%s", said.String())
	}

	l := &life{size: "0"}
	slipped := l.begin(t)
	inner := new(net.Dialer).DialContext
	slipped.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := inner(ctx, network, addr)
		return &slip{Conn: conn}, err
	}
	if got, err := once(t, slipped, render(t, report())); err == nil && (got != outgoing.Delivered || l.taken.Load() != 1) {
		t.Errorf("with words slipped in: %v, %v, %d taken", got, err, l.taken.Load())
	}
}

// slip injects data into the reply to STARTTLS.
type slip struct {
	net.Conn
	done bool
}

func (s *slip) Read(p []byte) (int, error) {
	n, err := s.Conn.Read(p[:len(p)/2])
	if !s.done && bytes.HasPrefix(p[:n], []byte("220 go\r\n")) {
		s.done = true
		n += copy(p[n:], "250-evil\r\n250 AUTH LOGIN\r\n")
	}
	return n, err
}
