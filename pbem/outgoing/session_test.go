package outgoing_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"starpost/pbem/loopback"
	"starpost/pbem/outgoing"
	"starpost/pbem/transport"
)

const (
	host     = "host@example.org"
	captain  = "kirk@example.net"
	password = "hunter2 \u00e9"
)

// inbox records what a loopback server accepted.
type inbox struct {
	mu    sync.Mutex
	mails [][]byte
}

func (b *inbox) take(_, _ string, raw []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mails = append(b.mails, raw)
}

func (b *inbox) all() [][]byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.mails
}

func serve(t *testing.T, opts loopback.Options) (*loopback.Server, *inbox, outgoing.Config) {
	t.Helper()
	box := new(inbox)
	opts.OnDelivery = box.take
	s, err := loopback.Start([]loopback.User{{Address: host, Password: password}, {Address: captain}}, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	cfg := config(t, s.SMTPAddr())
	cfg.User, cfg.Password, cfg.RootCAs = host, password, s.Roots()
	cfg.TLS = map[loopback.TLSMode]string{
		loopback.NoTLS: transport.TLSNone, loopback.ImplicitTLS: transport.TLSImplicit, loopback.StartTLS: transport.TLSStart,
	}[opts.TLS]
	return s, box, cfg
}

func config(t *testing.T, addr string) outgoing.Config {
	t.Helper()
	name, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	return outgoing.Config{Server: transport.Server{Host: name, Port: n, TLS: transport.TLSNone}}
}

// TestContractWithoutPipelining hides the server's extension from the client.
func TestContractWithoutPipelining(t *testing.T) {
	contract(t, func(t *testing.T) world {
		t.Helper()
		_, box, cfg := serve(t, loopback.Options{RequireLogin: true})
		cfg.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, network, addr)
			return plodding{conn}, err
		}
		return world{config: cfg, from: host, to: captain, unknown: "nobody@example.net", arrived: func(int) [][]byte { return box.all() }}
	})
}

// plodding is a connection to a server that does not offer pipelining.
type plodding struct{ net.Conn }

func (p plodding) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	copy(b, bytes.ReplaceAll(b[:n], []byte("PIPELINING"), []byte("X-PLODDING")))
	return n, err
}

func TestContract(t *testing.T) {
	for name, opts := range map[string]loopback.Options{
		"plain":    {RequireLogin: true},
		"no login": {},
		"tls":      {TLS: loopback.ImplicitTLS, RequireLogin: true},
		"starttls": {TLS: loopback.StartTLS, RequireLogin: true},
	} {
		t.Run(name, func(t *testing.T) {
			contract(t, func(t *testing.T) world {
				t.Helper()
				_, box, cfg := serve(t, opts)
				if !opts.RequireLogin {
					cfg.User, cfg.Password = "", ""
				}
				return world{config: cfg, from: host, to: captain, unknown: "nobody@example.net", arrived: func(int) [][]byte { return box.all() }}
			})
		})
	}
}

// TestRealServer runs the contract on a server named by the environment:
// STARPOST_TEST_SMTP=host:port, _SMTP_TLS, _SMTP_USER, _SMTP_PASSWORD, _SMTP_FROM, _SMTP_TO and
// _SMTP_UNKNOWN; and again on _SMTP_IMPLICIT=host:port, if that is set too. STARPOST_TEST_CA is a
// file with certificates to trust. With STARPOST_TEST_IMAP the received mails are checked: then
// _SMTP_TO must have the password of _SMTP_USER there, and an INBOX that may be emptied.
func TestRealServer(t *testing.T) {
	servers := [][2]string{ // address, tls
		{os.Getenv("STARPOST_TEST_SMTP"), cmp.Or(os.Getenv("STARPOST_TEST_SMTP_TLS"), transport.TLSStart)},
		{os.Getenv("STARPOST_TEST_SMTP_IMPLICIT"), transport.TLSImplicit},
	}
	for _, s := range servers {
		t.Run(s[1], func(t *testing.T) {
			if s[0] == "" {
				t.Skip("STARPOST_TEST_SMTP is not set")
			}
			contract(t, func(t *testing.T) world {
				t.Helper()
				cfg := config(t, s[0])
				cfg.TLS, cfg.RootCAs = s[1], authorities(t)
				cfg.User, cfg.Password = os.Getenv("STARPOST_TEST_SMTP_USER"), os.Getenv("STARPOST_TEST_SMTP_PASSWORD")
				w := world{config: cfg, from: os.Getenv("STARPOST_TEST_SMTP_FROM"), to: os.Getenv("STARPOST_TEST_SMTP_TO"), unknown: os.Getenv("STARPOST_TEST_SMTP_UNKNOWN")}
				if addr := os.Getenv("STARPOST_TEST_IMAP"); addr != "" {
					w.to, w.arrived = realArrivals(t, addr, w.to, cfg)
				}
				return w
			})
		})
	}
}

// TestStages: whatever fails at whatever stage, the outcome is correct, no partial or doubtful mail
// counts as delivered, and the next mail goes through.
func TestStages(t *testing.T) {
	type faultCase struct {
		name     string
		fault    loopback.Fault
		want     outgoing.Outcome
		stage    outgoing.Stage
		arrives  int  // mails that arrived although Delivered was not reported
		settings bool // someone must change a setting
	}
	cases := []faultCase{
		{"busy at login", loopback.Fault{Stage: loopback.StageSMTPLogin, Code: 454}, outgoing.TemporaryFailure, outgoing.StageAuth, 0, false},
		{"drop at connect", loopback.Fault{Stage: loopback.StageSMTPConnect}, outgoing.TemporaryFailure, outgoing.StageGreeting, 0, false},
		{"refused at hello", loopback.Fault{Stage: loopback.StageSMTPHello, Code: 550, Times: 2}, outgoing.TemporaryFailure, outgoing.StageHello, 0, true},
		{"drop at login", loopback.Fault{Stage: loopback.StageSMTPLogin, Drop: true}, outgoing.TemporaryFailure, outgoing.StageAuth, 0, false},
		{"refused at login", loopback.Fault{Stage: loopback.StageSMTPLogin, Code: 535}, outgoing.TemporaryFailure, outgoing.StageAuth, 0, true},
		{"sender without login", loopback.Fault{Stage: loopback.StageSMTPMail, Code: 530}, outgoing.TemporaryFailure, outgoing.StageMail, 0, true},
		{"accepted, then drop", loopback.Fault{Stage: loopback.StageSMTPEnd, Drop: true, Accept: true}, outgoing.Ambiguous, outgoing.StageEnd, 1, false},
		{"not accepted, then drop", loopback.Fault{Stage: loopback.StageSMTPEnd, Drop: true}, outgoing.Ambiguous, outgoing.StageEnd, 0, false},
		{"busy at the end", loopback.Fault{Stage: loopback.StageSMTPEnd, Code: 421}, outgoing.TemporaryFailure, outgoing.StageEnd, 0, false},
	}
	// A refused sender may be accepted another day.
	refused := map[outgoing.Stage]outgoing.Outcome{
		outgoing.StageMail: outgoing.TemporaryFailure, outgoing.StageRcpt: outgoing.PermanentFailure, outgoing.StageEnd: outgoing.PermanentFailure,
	}
	for stage, at := range map[loopback.Stage]outgoing.Stage{
		loopback.StageSMTPMail: outgoing.StageMail, loopback.StageSMTPRcpt: outgoing.StageRcpt, loopback.StageSMTPEnd: outgoing.StageEnd,
	} {
		cases = append(cases,
			faultCase{"4xx at " + string(at), loopback.Fault{Stage: stage, Code: 450}, outgoing.TemporaryFailure, at, 0, false},
			faultCase{"5xx at " + string(at), loopback.Fault{Stage: stage, Code: 554}, refused[at], at, 0, true})
		if stage != loopback.StageSMTPEnd {
			cases = append(cases, faultCase{"drop at " + string(at), loopback.Fault{Stage: stage, Drop: true}, outgoing.TemporaryFailure, at, 0, false})
		}
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, box, cfg := serve(t, loopback.Options{})
			raw := render(t, report())
			env := outgoing.Envelope{From: host, To: captain, Data: raw}
			c.fault.Times = max(c.fault.Times, 1) // EHLO is followed by HELO
			s.Inject(c.fault)
			ctx := t.Context()
			live, err := sender(t, cfg).Open(ctx)
			if err == nil {
				defer live.Close()
				_, err = live.Send(ctx, env)
			}
			e := asError(t, err, c.want)
			if e.Stage != c.stage || e.Temporary() == c.settings || e.Code != c.fault.Code {
				t.Errorf("%v: stage %q, code %d, temporary %v", e, e.Stage, e.Code, e.Temporary())
			}
			if n := len(box.all()); n != c.arrives {
				t.Errorf("%d mails arrived, want %d", n, c.arrives)
			}
			if live == nil {
				live, ctx = session(t, cfg)
			}
			delivered(ctx, t, live, env)
			if n := len(box.all()); n != c.arrives+1 {
				t.Errorf("%d mails arrived in the end, want %d", n, c.arrives+1)
			}
			for _, got := range box.all() {
				if !bytes.Equal(got, raw) {
					t.Errorf("arrived:\n%q", got)
				}
			}
		})
	}
}

// TestSilentServerTimesOut: a silent server blocks no caller at any stage, neither beyond the
// configured timeout nor beyond the context.
func TestSilentServerTimesOut(t *testing.T) {
	for stage, want := range map[loopback.Stage]struct {
		stage   outgoing.Stage
		outcome outgoing.Outcome
	}{
		loopback.StageSMTPConnect: {outgoing.StageGreeting, outgoing.TemporaryFailure},
		loopback.StageSMTPHello:   {outgoing.StageHello, outgoing.TemporaryFailure},
		loopback.StageSMTPLogin:   {outgoing.StageAuth, outgoing.TemporaryFailure},
		loopback.StageSMTPMail:    {outgoing.StageMail, outgoing.TemporaryFailure},
		loopback.StageSMTPRcpt:    {outgoing.StageRcpt, outgoing.TemporaryFailure},
		loopback.StageSMTPBody:    {outgoing.StageBody, outgoing.TemporaryFailure},
		loopback.StageSMTPEnd:     {outgoing.StageEnd, outgoing.Ambiguous},
	} {
		// try reports whether the stage was reached: on a busy machine the client may time out
		// before it.
		try := func(t *testing.T, silence time.Duration, cancelled bool) (e *outgoing.Error, reached bool) {
			t.Helper()
			s, box, cfg := serve(t, loopback.Options{})
			cfg.Timeout, cfg.EndTimeout, cfg.Linger = silence, silence, 50*time.Millisecond
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var hit atomic.Bool
			s.Inject(loopback.Fault{Stage: stage, Hang: true, Hit: func() {
				hit.Store(true)
				if cancelled {
					cancel()
				}
			}})
			data := render(t, report())
			if stage == loopback.StageSMTPBody {
				// Too large for the buffers on the way.
				data = append(data, bytes.Repeat([]byte("0123456789\r\n"), 2_000_000)...)
			}
			live, err := sender(t, cfg).Open(ctx)
			if err == nil {
				defer live.Close()
				_, err = live.Send(ctx, outgoing.Envelope{From: host, To: captain, Data: data})
			}
			if !errors.As(err, &e) {
				t.Fatalf("error %v is not an *Error", err)
			}
			if len(box.all()) != 0 {
				t.Error("the mail arrived")
			}
			return e, hit.Load()
		}
		// The client may give up before it has seen the success of the previous stage, which the
		// server has finished. The commands that begin a mail are sent together.
		before := map[outgoing.Stage][]outgoing.Stage{
			outgoing.StageGreeting: {outgoing.StageDial}, outgoing.StageRcpt: {outgoing.StageMail}, outgoing.StageBody: {outgoing.StageMail, outgoing.StageRcpt, outgoing.StageData},
		}
		for _, cancelled := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/cancelled=%v", stage, cancelled), func(t *testing.T) {
				t.Parallel()
				var e *outgoing.Error
				for patience, reached := 50*time.Millisecond, false; !reached || slices.Contains(before[want.stage], e.Stage); patience *= 2 {
					silence := patience
					if cancelled {
						silence = time.Hour
					}
					e, reached = try(t, silence, cancelled)
					if cancelled && reached && slices.Contains(before[want.stage], e.Stage) {
						return
					}
				}
				if e.Outcome != want.outcome || e.Stage != want.stage || !e.Temporary() {
					t.Errorf("%v: %v at %q, want %v at %q", e, e.Outcome, e.Stage, want.outcome, want.stage)
				}
			})
		}
	}
}

// TestClosedSessionIsReopened: a session that the server has closed between two mails is reopened
// unnoticed.
func TestClosedSessionIsReopened(t *testing.T) {
	s, box, cfg := serve(t, loopback.Options{})
	live, ctx := session(t, cfg)
	env := outgoing.Envelope{From: host, To: captain, Data: render(t, report())}
	delivered(ctx, t, live, env)
	s.DropConnections()
	delivered(ctx, t, live, env)
	s.Inject(loopback.Fault{Stage: loopback.StageSMTPMail, Code: 421, Times: 1})
	delivered(ctx, t, live, env)
	if n := len(box.all()); n != 3 {
		t.Errorf("%d mails arrived, want 3", n)
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
	if e := refused(t, cfg); e.Stage != outgoing.StageDial || !e.Temporary() || e.Hint() == "" {
		t.Errorf("%v at %s", e, e.Stage)
	}
}

func TestTLSTrouble(t *testing.T) {
	_, _, secure := serve(t, loopback.Options{TLS: loopback.ImplicitTLS})
	_, _, start := serve(t, loopback.Options{TLS: loopback.StartTLS})
	_, _, plain := serve(t, loopback.Options{})
	unknown, unknownStart, tlsOnPlain, startOnPlain := secure, start, plain, plain
	unknown.RootCAs, unknownStart.RootCAs = nil, nil
	tlsOnPlain.TLS, startOnPlain.TLS = transport.TLSImplicit, transport.TLSStart
	for name, cfg := range map[string]outgoing.Config{
		"unknown authority": unknown, "unknown authority, STARTTLS": unknownStart,
		"tls on a plain port": tlsOnPlain, "no STARTTLS": startOnPlain,
	} {
		t.Run(name, func(t *testing.T) {
			if e := refused(t, cfg); e.Stage != outgoing.StageTLS || e.Temporary() || e.Hint() == "" {
				t.Errorf("%v at %s", e, e.Stage)
			}
		})
	}
}

func TestConfigRefused(t *testing.T) {
	good := outgoing.Config{Server: transport.Server{Host: "127.0.0.1", TLS: transport.TLSNone}}
	if _, err := outgoing.NewSender(good, nil); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*outgoing.Config){
		"no host":     func(c *outgoing.Config) { c.Host = "" },
		"bad port":    func(c *outgoing.Config) { c.Port = -1 },
		"bad tls":     func(c *outgoing.Config) { c.TLS = "ssl" },
		"no loopback": func(c *outgoing.Config) { c.Host = "mail.example.org" },
		"bad helo":    func(c *outgoing.Config) { c.HELO = "a b" },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := good
			change(&cfg)
			_, err := outgoing.NewSender(cfg, nil)
			if e := asError(t, err, outgoing.TemporaryFailure); e.Stage != outgoing.StageConfig || e.Temporary() {
				t.Errorf("%v at %s", e, e.Stage)
			}
		})
	}
}

// TestOddServers uses servers that a library would not imitate: each sends the lines of a script,
// one per received line.
func TestOddServers(t *testing.T) {
	ok := []string{"220 hi", "250 hi", "250 ok", "250 ok", "354 go", "250 taken"}
	with := func(i int, line string) []string {
		lines := append([]string(nil), ok...)
		lines[i] = line
		return lines
	}
	for name, c := range map[string]struct {
		lines []string
		want  outgoing.Outcome
		stage outgoing.Stage
	}{
		"fine":                {ok, outgoing.Delivered, ""},
		"2xx at the end":      {with(5, "251 taken"), outgoing.Delivered, ""},
		"refused greeting":    {with(0, "554 go away"), outgoing.TemporaryFailure, outgoing.StageGreeting},
		"busy greeting":       {with(0, "421 later"), outgoing.TemporaryFailure, outgoing.StageGreeting},
		"not SMTP":            {with(0, "* OK IMAP4rev1 ready"), outgoing.TemporaryFailure, outgoing.StageGreeting},
		"data busy":           {append(with(4, "451 later")[:5], "250 reset"), outgoing.TemporaryFailure, outgoing.StageData},
		"data refused":        {append(with(4, "554 never")[:5], "250 reset"), outgoing.PermanentFailure, outgoing.StageData},
		"nonsense at mail":    {with(2, "what?"), outgoing.TemporaryFailure, outgoing.StageMail},
		"3xx at rcpt":         {with(3, "334 what?"), outgoing.TemporaryFailure, outgoing.StageRcpt},
		"gone after data":     {with(4, hangUp), outgoing.TemporaryFailure, outgoing.StageData},
		"nonsense at the end": {with(5, "what?"), outgoing.Ambiguous, outgoing.StageEnd},
		"3xx at the end":      {with(5, "354 go on"), outgoing.Ambiguous, outgoing.StageEnd},
		"gone at the end":     {with(5, hangUp), outgoing.Ambiguous, outgoing.StageEnd},
		"endless line":        {with(2, "250 "+strings.Repeat("x", 1<<20)), outgoing.TemporaryFailure, outgoing.StageMail},
		"endless reply":       {with(2, strings.Repeat("250-x\r\n", 1<<16)+"250 x"), outgoing.TemporaryFailure, outgoing.StageMail},
		"terminal controls":   {with(3, "550 \x1b[31mred\x07"), outgoing.PermanentFailure, outgoing.StageRcpt},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := outgoing.Config{Server: transport.Server{Host: "localhost", TLS: transport.TLSNone, Dial: script(c.lines)}}
			ctx := t.Context()
			live, err := sender(t, cfg).Open(ctx)
			outcome := outgoing.TemporaryFailure
			if err == nil {
				defer live.Close()
				outcome, err = live.Send(ctx, outgoing.Envelope{From: host, To: captain, Data: []byte("Subject: x\r\n\r\nx\r\n")})
			}
			if outcome != c.want {
				t.Fatalf("%v: %v, want %v", outcome, err, c.want)
			}
			if c.want == outgoing.Delivered {
				return
			}
			if e := asError(t, err, c.want); e.Stage != c.stage {
				t.Errorf("%v at %q, want %q", e, e.Stage, c.stage)
			}
			if strings.ContainsAny(err.Error(), "\x1b\x07") || len(err.Error()) > 1000 {
				t.Errorf("the error repeats what the server sent: %q", err)
			}
		})
	}
}

// hangUp in a script is no line: the server hangs up.
const hangUp = ""

// script returns a dialler for a server that replies line by line.
func script(lines []string) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go func() {
			defer there.Close()
			heard := make([]byte, 0, 1024)
			buf := make([]byte, 1024)
			for i, line := range lines {
				if line == hangUp {
					return
				}
				if _, err := there.Write([]byte(line + "\r\n")); err != nil {
					return
				}
				if i == len(lines)-1 {
					break
				}
				end := "\r\n"
				if strings.HasPrefix(line, "354") {
					end = "\r\n.\r\n"
				}
				for !bytes.Contains(heard, []byte(end)) {
					n, err := there.Read(buf)
					if err != nil {
						return
					}
					heard = append(heard, buf[:n]...)
				}
				heard = heard[:0]
			}
		}()
		return here, nil
	}
}
