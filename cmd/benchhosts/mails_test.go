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
	sinkDomain  = "void.test" // of all captains
	mailEnv     = "STARPOST_BENCH_MAIL_SERVERS"
)

// mailRequest is what the mail servers' process is told: who its users are, then mails to put into inboxes. One without To is
// answered by a delivery without To when all before it are in place.
type mailRequest struct {
	Users []string
	Whole bool // deliveries come with the mails
	To    string
	Raw   []byte
}

// delivery is a mail that the servers took. The first one has the servers' addresses.
type delivery struct {
	IMAP, SMTP string
	To         string
	At         time.Time
	Raw        []byte
}

// TestMain runs the mail servers if asked to, else the tests.
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

// mailServers are the servers in a process of their own.
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
				return // it has ended
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

// settle waits until all mails are in place, and lets what was delivered meanwhile pass.
func (s *mailServers) settle(ended <-chan error) {
	s.t.Helper()
	s.put("", nil)
	for d := s.next(ended); d.To != ""; d = s.next(ended) {
		continue
	}
}

// next is the next delivery; it fails if a host ends before.
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

// sections are the parts [imap] and [smtp] of a configuration.
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
