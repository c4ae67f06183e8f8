package outgoing_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"starpost/pbem/outgoing"
)

// eager is a server that offers pipelining, without TLS or login.
type eager struct {
	// odd returns an unusual reply to a command, or to the end of a mail, "."; "" for the usual one. nth counts the
	// mails begun, from 1, and early says that this one was begun together with the end of the previous one.
	odd  func(nth int, verb string, early bool) string
	deaf bool // it ignores what comes together with the end of a mail

	begun, early, connections, goodbyes int
	taken                               []string // subjects

	clients sync.Map // by address: the connections as clients see them
}

// patient is a connection that times out once the server has fallen silent and everything it sent was read, however
// long either takes.
type patient struct {
	net.Conn
	mu        sync.Mutex
	got, last int // bytes; last is -1 while the server is not silent
}

func (p *patient) settle() error {
	if p.last >= 0 && p.got >= p.last {
		return p.Conn.SetDeadline(time.Unix(1, 0))
	}
	return p.Conn.SetDeadline(time.Time{})
}

func (p *patient) SetDeadline(time.Time) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settle()
}

func (p *patient) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got += n
	return n, errors.Join(err, p.settle())
}

// dial connects a client.
func (e *eager) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	p := &patient{Conn: conn, last: -1}
	e.clients.Store(conn.LocalAddr().String(), p)
	return p, nil
}

// hush falls silent on a connection after said bytes.
func (e *eager) hush(conn net.Conn, said int) {
	c, _ := e.clients.Load(conn.RemoteAddr().String())
	p := c.(*patient)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = said
	_ = p.settle() // the client may have hung up
}

// silent in place of a reply means no reply, ever.
const silent = "-"

// serve serves one connection after the other until the listener is closed.
func (e *eager) serve(l net.Listener, ended chan<- struct{}) {
	defer close(ended)
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		e.connections++
		e.talk(conn, bufio.NewReader(conn))
		_ = conn.Close()
	}
}

func (e *eager) talk(conn net.Conn, lines *bufio.Reader) {
	early, words := false, 0
	say := func(verb, usual string) (said string) {
		said = usual
		if e.odd != nil {
			if odd := e.odd(e.begun, verb, early); odd != "" {
				said = odd
			}
		}
		if said == silent {
			e.hush(conn, words)
			_, _ = io.Copy(io.Discard, lines)
			return said
		}
		words += len(said + "\r\n")
		_, _ = io.WriteString(conn, said+"\r\n") // a missing client is noticed at the next line
		return said
	}
	said, next := say("", "220 hello"), "MAIL"
	for said != silent && !strings.HasPrefix(said, "421") {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		verb, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch verb {
		case "EHLO":
			said = say(verb, "250-hello\r\n250 PIPELINING")
		case "QUIT":
			e.goodbyes++
			return
		case "RSET":
			said, next = say(verb, "250 forgotten"), "MAIL"
		case next:
			if verb == "MAIL" {
				e.begun++
			}
			said = say(verb, map[string]string{"MAIL": "250 fine", "RCPT": "250 fine", "DATA": "354 go on"}[verb])
			if said[0] == '2' || said[0] == '3' {
				next = map[string]string{"MAIL": "RCPT", "RCPT": "DATA", "DATA": "MAIL"}[verb]
			}
			if !strings.HasPrefix(said, "354") {
				continue
			}
			subject, whole := hear(lines)
			if !whole {
				return
			}
			early = false
			said = say(".", "250 taken")
			if said[0] == '2' {
				e.taken = append(e.taken, subject)
			}
			if early = lines.Buffered() > 0; early && e.deaf {
				_, _ = lines.Discard(lines.Buffered())
				early = false
				e.hush(conn, words)
			}
			if early {
				e.early++
			}
		default:
			said = say(verb, "503 not now")
		}
	}
}

// hear reads a mail up to its end and returns its subject.
func hear(lines *bufio.Reader) (subject string, whole bool) {
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return subject, false
		}
		if line == ".\r\n" {
			return subject, true
		}
		if s, ok := strings.CutPrefix(line, "Subject: "); ok {
			subject = strings.TrimSpace(s)
		}
	}
}

// begin starts serving; end waits until all connections have ended.
func (e *eager) begin(t *testing.T) (cfg outgoing.Config, end func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go e.serve(l, ended)
	cfg = config(t, l.Addr().String())
	cfg.Timeout, cfg.EndTimeout, cfg.Dial = time.Hour, time.Hour, e.dial
	return cfg, func() { l.Close(); <-ended }
}

// letters returns n mails, each of which names the next.
func letters(n int) []outgoing.Envelope {
	all := make([]outgoing.Envelope, n)
	for i := range all {
		all[i] = outgoing.Envelope{From: host, To: captain, Data: fmt.Appendf(nil, "Subject: %d\r\n\r\nhello\r\n.\r\n", i+1)}
		if i > 0 {
			all[i-1].Next = &all[i]
		}
	}
	return all
}

// TestPipelinedMails: each mail is begun together with the end of the previous one. Whatever a server does about
// that, each has the outcome that it would have alone, and none is accepted twice.
func TestPipelinedMails(t *testing.T) {
	at := func(nth int, verb, words string) func(int, string, bool) string {
		return func(n int, v string, early bool) string {
			if n == nth && v == verb && early == (verb != ".") {
				return words
			}
			return ""
		}
	}
	fine := []outgoing.Outcome{outgoing.Delivered, outgoing.Delivered, outgoing.Delivered, outgoing.Delivered}
	but := func(i int, o outgoing.Outcome) []outgoing.Outcome {
		all := slices.Clone(fine)
		all[i] = o
		return all
	}
	for name, c := range map[string]struct {
		server      *eager
		want        []outgoing.Outcome
		early       int
		connections int
	}{
		"in health":                     {&eager{}, fine, 3, 1},
		"what comes early is forgotten": {&eager{deaf: true}, fine, 0, 2},
		"... gets no answer":            {&eager{odd: at(2, "MAIL", silent)}, fine, 1, 2},
		"... is refused":                {&eager{odd: at(2, "MAIL", "554 too early")}, fine, 1, 1},
		"... is put off":                {&eager{odd: at(2, "MAIL", "451 too early")}, fine, 1, 1},
		"... ends the connection":       {&eager{odd: at(2, "MAIL", "421 too early")}, fine, 1, 2},
		"recipient refused":             {&eager{odd: at(2, "RCPT", "550 unknown")}, but(1, outgoing.PermanentFailure), 2, 1},
		"recipient put off":             {&eager{odd: at(2, "RCPT", "450 busy")}, but(1, outgoing.TemporaryFailure), 2, 1},
		"mail refused at its end":       {&eager{odd: at(1, ".", "554 no")}, but(0, outgoing.PermanentFailure), 3, 1},
		"mail put off at its end":       {&eager{odd: at(1, ".", "451 later")}, but(0, outgoing.TemporaryFailure), 3, 1},
		"put off with a goodbye":        {&eager{odd: at(1, ".", "421 later")}, but(0, outgoing.TemporaryFailure), 3, 2},
		"nonsense at the end":           {&eager{odd: at(1, ".", "354 what?")}, but(0, outgoing.Ambiguous), 3, 2},
		"silence at the end":            {&eager{odd: at(1, ".", silent)}, but(0, outgoing.Ambiguous), 2, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := &eager{odd: c.server.odd, deaf: c.server.deaf}
			cfg, end := e.begin(t)
			s, ctx := session(t, cfg)
			var got []outgoing.Outcome
			var want []string
			for i, env := range letters(4) {
				outcome, err := s.Send(ctx, env)
				if got = append(got, outcome); (err == nil) != (outcome == outgoing.Delivered) {
					t.Errorf("mail %d: %v, %v", i+1, outcome, err)
				}
				if c.want[i] == outgoing.Delivered {
					want = append(want, fmt.Sprint(i+1))
				}
			}
			s.Close()
			end()
			if !slices.Equal(got, c.want) || !slices.Equal(e.taken, want) {
				t.Errorf("outcomes %v, want %v; %v were taken, want %v", got, c.want, e.taken, want)
			}
			if e.early != c.early || e.connections != c.connections {
				t.Errorf("%d were begun early, want %d, on %d connections, want %d", e.early, c.early, e.connections, c.connections)
			}
		})
	}
}

// TestPipelineWithoutAFollowingMail: a mail that was begun and does not follow is not sent, nor is QUIT in its place.
func TestPipelineWithoutAFollowingMail(t *testing.T) {
	other := outgoing.Envelope{From: host, To: "spock@example.net", Data: []byte("Subject: other\r\n\r\nx\r\n")}
	for name, c := range map[string]struct {
		then        *outgoing.Envelope
		taken       []string
		connections int
		goodbyes    int
	}{
		"nothing follows":      {nil, []string{"1"}, 1, 0},
		"another mail follows": {&other, []string{"1", "other"}, 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			e := new(eager)
			cfg, end := e.begin(t)
			s, ctx := session(t, cfg)
			delivered(ctx, t, s, letters(2)[0])
			if c.then != nil {
				delivered(ctx, t, s, *c.then)
			}
			s.Close()
			end()
			if !slices.Equal(e.taken, c.taken) || e.connections != c.connections || e.goodbyes != c.goodbyes || e.early != 1 {
				t.Errorf("%v were taken, %d early, on %d connections, with %d goodbyes", e.taken, e.early, e.connections, e.goodbyes)
			}
		})
	}
}

// TestMeanwhileRunsBeforeTheAnswer: Meanwhile runs before the server answers.
func TestMeanwhileRunsBeforeTheAnswer(t *testing.T) {
	e := new(eager)
	asked, done := make(chan struct{}), make(chan struct{})
	e.odd = func(_ int, verb string, _ bool) string {
		if verb == "." {
			close(asked)
			<-done
		}
		return ""
	}
	cfg, end := e.begin(t)
	s, ctx := session(t, cfg)
	env := letters(1)[0]
	env.Meanwhile = func() { <-asked; close(done) }
	delivered(ctx, t, s, env)
	s.Close()
	end()
	if len(e.taken) != 1 {
		t.Errorf("%v were taken", e.taken)
	}
}

// TestLastIsAskedBeforeTheEnd: after an error of Last no server has the mail, however long it is. The next mail uses
// a new connection.
func TestLastIsAskedBeforeTheEnd(t *testing.T) {
	no := errors.New("not any more")
	for name, length := range map[string]int{"short": 40, "several parts": 200_000, "its end between two parts": 64<<10 - 2} {
		t.Run(name, func(t *testing.T) {
			e := new(eager)
			cfg, end := e.begin(t)
			s, ctx := session(t, cfg)
			all := letters(3)
			head := []byte("Subject: 2\r\n\r\n")
			all[1].Data = append(append(head, strings.Repeat("x", length-len(head)-2)...), "\r\n"...)
			asked := 0
			for i := range all {
				all[i].Last = func() error {
					if asked++; i == 1 {
						return no
					}
					return nil
				}
			}
			delivered(ctx, t, s, all[0])
			if outcome, err := s.Send(ctx, all[1]); outcome != outgoing.TemporaryFailure || !errors.Is(err, no) {
				t.Errorf("%v, %v", outcome, err)
			}
			delivered(ctx, t, s, all[2])
			s.Close()
			end()
			if !slices.Equal(e.taken, []string{"1", "3"}) || asked != 3 {
				t.Errorf("%v were taken, it was asked %d times", e.taken, asked)
			}
		})
	}
}

// TestAnswerIsHeardToTheEnd: if a context ends after the end of a mail was sent, the reply is still read, even from a
// slow server. If it ends before that, the server does not get the mail.
func TestAnswerIsHeardToTheEnd(t *testing.T) {
	reason := errors.New("told to end")
	for name, length := range map[string]int{"short": 40, "several parts": 200_000, "its end between two parts": 64<<10 - 27} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			e := &eager{odd: func(_ int, verb string, _ bool) string {
				if verb == "." {
					cancel(reason)
					time.Sleep(50 * time.Millisecond)
				}
				return ""
			}}
			cfg, end := e.begin(t)
			live, err := sender(t, cfg).Open(ctx)
			if err != nil {
				t.Fatal(err)
			}
			all := letters(2)
			all[0].Data = append(all[0].Data, strings.Repeat("x", length-2)+"\r\n"...)
			delivered(ctx, t, live, all[0])
			if outcome, err := live.Send(ctx, all[1]); outcome != outgoing.TemporaryFailure || !errors.Is(err, reason) {
				t.Errorf("the next one: %v, %v", outcome, err)
			}
			live.Close()

			told, tell := context.WithCancelCause(t.Context())
			if live, err = sender(t, cfg).Open(told); err != nil {
				t.Fatal(err)
			}
			all[0].Last = func() error { tell(reason); return nil }
			if outcome, err := live.Send(told, all[0]); outcome != outgoing.TemporaryFailure || !errors.Is(err, reason) {
				t.Errorf("one that was told to end before: %v, %v", outcome, err)
			}
			live.Close()
			end()
			if !slices.Equal(e.taken, []string{"1"}) {
				t.Errorf("%v were taken", e.taken)
			}
		})
	}
}
