package mailbox_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"starpost/pbem/mailbox"
	"starpost/pbem/transport"
)

// fault is what a server does in place of answering. The table below tries every fault at every
// stage of a connection.
type fault struct {
	name   string
	do     func(conn *net.TCPConn, tag string)
	want   map[mailbox.Kind]bool
	silent bool   // only our own timeout ends it
	within bool   // it can occur in the middle of a mail
	words  string // the server's text, which the error repeats
	refuse bool   // the command is refused, and the session continues
}

func kinds(all ...mailbox.Kind) map[mailbox.Kind]bool {
	m := map[mailbox.Kind]bool{}
	for _, k := range all {
		m[k] = true
	}
	return m
}

var faults = []fault{
	{name: "silence", want: kinds(mailbox.KindSilentServer), silent: true, within: true, do: func(conn *net.TCPConn, _ string) {
		_, _ = bufio.NewReader(conn).ReadString(0) // until the client hangs up
	}},
	{name: "half a line", want: kinds(mailbox.KindSilentServer), silent: true, do: func(conn *net.TCPConn, _ string) {
		_, _ = conn.Write([]byte("* OK [CAPA"))
		_, _ = bufio.NewReader(conn).ReadString(0)
	}},
	{name: "end", within: true, want: kinds(mailbox.KindLost), do: func(*net.TCPConn, string) {}},
	{name: "reset", within: true, want: kinds(mailbox.KindLost), do: func(conn *net.TCPConn, _ string) { _ = conn.SetLinger(0) }},
	{name: "BYE", want: kinds(mailbox.KindLost, mailbox.KindRefused), words: "closing for the night", do: func(conn *net.TCPConn, _ string) {
		_, _ = conn.Write([]byte("* BYE closing for the night\r\n"))
	}},
	{name: "nonsense", want: kinds(mailbox.KindLost), do: func(conn *net.TCPConn, _ string) {
		_, _ = conn.Write([]byte("\x00\x01 what?\r\n"))
		_, _ = bufio.NewReader(conn).ReadString(0)
	}},
	{name: "flood", want: kinds(mailbox.KindLost), do: func(conn *net.TCPConn, _ string) {
		line := []byte("* OK " + strings.Repeat("x", 8000) + "\r\n")
		for {
			if _, err := conn.Write(line); err != nil {
				return
			}
		}
	}},
	{name: "not now", want: kinds(mailbox.KindRefused), words: "come back later", refuse: true, do: func(conn *net.TCPConn, tag string) {
		_, _ = fmt.Fprintf(conn, "%s NO [UNAVAILABLE] come back later\r\n", tag)
	}},
}

// stages of a whole connection.
var stages = []struct {
	name      string
	harmless  bool // there is an alternative if the command is refused
	unasked   bool // there is no command to refuse
	announced bool // nothing is expected of the server
}{
	{name: "greeting", unasked: true},
	{name: "CAPABILITY", harmless: true},
	{name: "LOGIN"},
	{name: "SELECT"},
	{name: "SEARCH"},
	{name: "FETCH"},
	{name: "BODY"},
	{name: "literal", unasked: true},
	{name: "LIST"},
	{name: "MOVE"},
	{name: "CREATE"},
	{name: "IDLE", harmless: true},
	{name: "idling", unasked: true, announced: true},
	{name: "DONE", unasked: true},
}

// life plays a server until a stage is reached, and then does fault. It reports when.
func life(t *testing.T, stage string, f fault) (cfg mailbox.Config, reached *atomic.Bool) {
	t.Helper()
	reached = new(atomic.Bool)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Cleanup(func() {
		l.Close()
		<-ended
	})
	go func() {
		defer close(ended)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		live(conn.(*net.TCPConn), stage, f, reached)
	}()
	cfg = config(t, l.Addr().String())
	cfg.User, cfg.Password = "u", "p"
	return cfg, reached
}

func live(conn *net.TCPConn, stage string, f fault, reached *atomic.Bool) {
	moves, tag := 0, ""
	// due reports whether the stage has been reached. The fault then happens once.
	due := func(name string) bool {
		if name != stage {
			return false
		}
		reached.Store(true)
		f.do(conn, tag)
		return true
	}
	say := func(lines ...string) bool {
		for _, line := range lines {
			if _, err := conn.Write([]byte(strings.ReplaceAll(line, "TAG", tag) + "\r\n")); err != nil {
				return false
			}
		}
		return true
	}
	if due("greeting") || !say("* OK [CAPABILITY IMAP4rev1] hello") {
		return
	}
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		first, rest, isCommand := strings.Cut(lines.Text(), " ")
		name := "DONE"
		if isCommand {
			tag = first
			name, rest, _ = strings.Cut(strings.TrimPrefix(rest, "UID "), " ")
			if strings.Contains(rest, "BODY.PEEK") {
				name = "BODY"
			}
		}
		if due(name) {
			if f.refuse {
				continue
			}
			return
		}
		var ok bool
		switch name {
		case "CAPABILITY":
			ok = say("* CAPABILITY IMAP4rev1 MOVE UIDPLUS IDLE", "TAG OK")
		case "SELECT":
			ok = say("* 1 EXISTS", "* OK [UIDVALIDITY 7] ok", "* OK [UIDNEXT 9] ok", "TAG OK [READ-WRITE] done")
		case "SEARCH":
			ok = say("* SEARCH 5", "TAG OK")
		case "FETCH":
			ok = say("* 1 FETCH (UID 5 RFC822.SIZE 3000)", "TAG OK")
		case "BODY":
			if stage == "literal" {
				if say("* 1 FETCH (UID 5 BODY[] {3000}", strings.Repeat("x", 1000)) {
					due("literal")
				}
				return
			}
			ok = say("* 1 FETCH (UID 5 BODY[] {3000}", strings.Repeat("x", 3000)+")", "TAG OK")
		case "LIST":
			ok = say(`* LIST () "/" ""`, "TAG OK")
		case "MOVE":
			if moves++; moves == 1 {
				ok = say("TAG NO [TRYCREATE] no such folder")
				break
			}
			ok = say("TAG OK")
		case "IDLE":
			if ok = say("+ idling"); ok && stage == "idling" {
				due("idling")
				return
			}
			ok = ok && say("* 2 EXISTS")
		default:
			ok = say("TAG OK")
		}
		if !ok {
			return
		}
	}
}

// use does what a daemon does with a connection.
func use(ctx context.Context, cfg mailbox.Config, wait time.Duration) error {
	c, err := mailbox.Dial(ctx, cfg, nil)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, _, err := c.Select(ctx); err != nil {
		return err
	}
	uids, err := c.List(ctx, 0)
	if err != nil {
		return err
	}
	taken := 0
	if err := c.Fetch(ctx, uids, func(mailbox.Mail) error { taken++; return nil }); err != nil {
		if taken > 0 {
			return errors.New("half a mail was handed over")
		}
		return err
	}
	if err := c.Move(ctx, uids, "Starpost/Done"); err != nil {
		return err
	}
	return c.Wait(ctx, wait)
}

// TestFaultAtEveryStage: whatever a server does in place of answering, the waiting call ends by
// itself, says what happened, and that another try may help.
func TestFaultAtEveryStage(t *testing.T) {
	for _, at := range stages {
		for _, f := range faults {
			if f.refuse && at.unasked || at.announced && f.silent || at.name == "literal" && !f.within {
				continue
			}
			t.Run(at.name+"/"+f.name, func(t *testing.T) {
				t.Parallel() // they mostly wait
				var err error
				for silence := 100 * time.Millisecond; ; silence *= 4 {
					cfg, reached := life(t, at.name, f)
					cfg.Timeout = time.Minute
					if f.silent {
						cfg.Timeout = silence
					}
					wait := time.Hour
					if f.refuse {
						wait = time.Millisecond
					}
					err = use(t.Context(), cfg, wait)
					if reached.Load() {
						break
					}
					if !f.silent {
						t.Fatalf("the stage was not reached: %v", err)
					}
				}
				if at.harmless && f.refuse {
					if err != nil {
						t.Errorf("got %v", err)
					}
					return
				}
				if at.name == "greeting" && kind(err) == mailbox.KindNoServer {
					return // cut before it was established
				}
				if !f.want[kind(err)] || !temporary(err) {
					t.Errorf("got %v (kind %d, temporary %v)", err, kind(err), temporary(err))
				}
				var e *mailbox.Error
				if !errors.As(err, &e) || e.Hint() == "" {
					t.Errorf("no hint for %v", err)
				}
				if f.words != "" && !strings.Contains(err.Error(), f.words) {
					t.Errorf("the server's words are lost: %v", err)
				}
			})
		}
	}
}

// TestDrip: a server that sends a byte now and then is not silent, but cannot hold the connection
// for ever either.
func TestDrip(t *testing.T) {
	drip := fault{name: "drip", do: func(conn *net.TCPConn, _ string) {
		for _, err := conn.Write([]byte("x")); err == nil; _, err = conn.Write([]byte("x")) {
			time.Sleep(5 * time.Millisecond) // more often than the allowed silence
		}
	}}
	for _, stage := range []string{"SEARCH", "literal"} {
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			var err error
			var reached *atomic.Bool
			for silence := 50 * time.Millisecond; reached == nil || !reached.Load(); silence *= 2 {
				var cfg mailbox.Config
				cfg, reached = life(t, stage, drip)
				cfg.Timeout = silence
				err = use(t.Context(), cfg, time.Hour)
			}
			if kind(err) != mailbox.KindSilentServer || !temporary(err) {
				t.Errorf("got %v, stage reached: %v", err, reached.Load())
			}
		})
	}
}

// TestSilentHandshake: a server accepts the connection and then says nothing, as happens if port
// and tls do not match.
func TestSilentHandshake(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, way := range []string{transport.TLSImplicit, transport.TLSStart} {
		cfg := config(t, l.Addr().String())
		cfg.TLS, cfg.Timeout = way, 50*time.Millisecond
		_, err := mailbox.Dial(t.Context(), cfg, nil)
		for kind(err) == mailbox.KindNoServer { // on a busy machine it has not even connected
			cfg.Timeout *= 2
			_, err = mailbox.Dial(t.Context(), cfg, nil)
		}
		var e *mailbox.Error
		if !errors.As(err, &e) || e.Kind != mailbox.KindSilentServer || !e.Temporary() || !strings.Contains(e.Hint(), "993 with tls") {
			t.Errorf("%s: %v", way, err)
		}
	}
}
