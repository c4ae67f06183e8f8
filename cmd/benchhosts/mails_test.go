//go:build linux

package benchhosts_test

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"starpost/pbem/loopback"
)

const (
	password    = "secret"
	passwordEnv = "STARPOST_BENCH_PASSWORD"
	robotDomain = "fleet.test"
	sinkDomain  = "void.test" // domain of all captains
	mailEnv     = "STARPOST_BENCH_MAIL_SERVERS"
)

// mailRequest is a request to the mail servers' process. The first lists its users; each later one is a mail to put into an
// inbox. A request without To is answered by a delivery without To once all requests before it are done.
type mailRequest struct {
	Users []string
	Whole bool // deliveries include the mail's text
	To    string
	Raw   []byte
}

// delivery is a mail that the servers accepted. The first delivery has the servers' addresses instead.
type delivery struct {
	IMAP, SMTP string
	To         string
	At         time.Time
	Raw        []byte
}

// TestMain runs the mail servers if mailEnv is set, otherwise the tests.
func TestMain(m *testing.M) {
	if os.Getenv(mailEnv) == "" {
		os.Exit(m.Run())
	}
	if err := serveMails(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serveMails runs the mail servers until in ends.
func serveMails(in io.Reader, out io.Writer) (err error) {
	requests, answers := gob.NewDecoder(in), gob.NewEncoder(out)
	var mu sync.Mutex
	tell := func(d delivery) error {
		mu.Lock()
		defer mu.Unlock()
		return answers.Encode(d)
	}
	var first mailRequest
	if err := requests.Decode(&first); err != nil {
		return err
	}
	var users []loopback.User
	for _, u := range first.Users {
		users = append(users, loopback.User{Address: u, Password: password})
	}
	s, err := loopback.Start(users, loopback.Options{Sink: sinkDomain, OnDelivery: func(_, to string, raw []byte) {
		if !first.Whole {
			raw = nil
		}
		if err := tell(delivery{To: to, At: time.Now(), Raw: raw}); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := tell(delivery{IMAP: s.IMAPAddr(), SMTP: s.SMTPAddr()}); err != nil {
		return err
	}
	for {
		var r mailRequest
		err := requests.Decode(&r)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
		case r.To == "":
			err = tell(delivery{At: time.Now()})
		default:
			err = s.Put(r.To, r.Raw)
		}
		if err != nil {
			return err
		}
	}
}

// mailServers are the mail servers, which run in a separate process.
type mailServers struct {
	t          *testing.T
	imap, smtp string
	requests   *gob.Encoder
	deliveries chan delivery
}

func startMailServers(t *testing.T, whole bool, users ...string) *mailServers {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), mailEnv+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &mailServers{t: t, requests: gob.NewEncoder(in), deliveries: make(chan delivery, 1<<17)}
	t.Cleanup(func() {
		if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
			t.Error(err)
		}
	})
	if err := s.requests.Encode(mailRequest{Users: users, Whole: whole}); err != nil {
		t.Fatal(err)
	}
	answers := gob.NewDecoder(out)
	var first delivery
	if err := answers.Decode(&first); err != nil {
		t.Fatal(err)
	}
	s.imap, s.smtp = first.IMAP, first.SMTP
	go func() {
		defer close(s.deliveries)
		for {
			var d delivery
			if answers.Decode(&d) != nil {
				return // the process has ended
			}
			s.deliveries <- d
		}
	}()
	return s
}

// put puts a mail into an inbox.
func (s *mailServers) put(to string, raw []byte) {
	s.t.Helper()
	if err := s.requests.Encode(mailRequest{To: to, Raw: raw}); err != nil {
		s.t.Fatal(err)
	}
}

// settle waits until all mails are in their inboxes, and discards deliveries until then.
func (s *mailServers) settle(ended <-chan error) {
	s.t.Helper()
	s.put("", nil)
	for d := s.next(ended); d.To != ""; d = s.next(ended) {
		continue
	}
}

// next returns the next delivery. It fails if a host ends first.
func (s *mailServers) next(ended <-chan error) delivery {
	s.t.Helper()
	select {
	case d, ok := <-s.deliveries:
		if !ok {
			s.t.Fatal("the mail servers have ended")
		}
		return d
	case err := <-ended:
		s.t.Fatalf("a host has ended: %v", err)
	}
	return delivery{}
}

// sections returns the sections [imap] and [smtp] of a configuration.
func (s *mailServers) sections(user string) string {
	s.t.Helper()
	var b strings.Builder
	for _, part := range []struct{ name, at string }{{"imap", s.imap}, {"smtp", s.smtp}} {
		host, port, err := net.SplitHostPort(part.at)
		if err != nil {
			s.t.Fatal(err)
		}
		fmt.Fprintf(&b, "[%s]\nhost = %q\nport = %s\ntls = \"none\"\nuser = %q\npassword_env = %q\n", part.name, host, port, user, passwordEnv)
	}
	return b.String()
}
