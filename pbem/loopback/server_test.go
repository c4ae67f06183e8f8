package loopback_test

import (
	"bytes"
	"net"
	"net/smtp"
	"strings"
	"testing"
	"time"

	"starpost/pbem/loopback"
	"starpost/pbem/mailbox"
	"starpost/pbem/transport"
)

func start(t *testing.T, opts loopback.Options) *loopback.Server {
	t.Helper()
	s, err := loopback.Start([]loopback.User{
		{Address: "Host@Example.org", Password: "h"},
		{Address: "kirk@example.org", Password: "k"},
	}, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 2 {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	return s
}

// read returns all mails of a user.
func read(t *testing.T, s *loopback.Server, user, password string) []string {
	t.Helper()
	addr, err := net.ResolveTCPAddr("tcp", s.IMAPAddr())
	if err != nil {
		t.Fatal(err)
	}
	c, err := mailbox.Dial(t.Context(), mailbox.Config{
		Server: transport.Server{
			Host: addr.IP.String(), Port: addr.Port, TLS: transport.TLSNone, User: user, Password: password, Timeout: time.Hour,
		},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, _, err := c.Select(t.Context()); err != nil {
		t.Fatal(err)
	}
	uids, err := c.List(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	err = c.Fetch(t.Context(), uids, func(m mailbox.Mail) error {
		out = append(out, string(m.Raw))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const letter = "Subject: orders\r\n\r\nspeed 4\r\n"

// TestRoundTrip: mail sent to a user by SMTP appears in the INBOX, in any case and with any plus
// tag.
func TestRoundTrip(t *testing.T) {
	var heard []string
	s := start(t, loopback.Options{OnDelivery: func(from, to string, raw []byte) {
		heard = append(heard, from+" "+to+" "+string(raw))
	}})
	err := smtp.SendMail(s.SMTPAddr(), nil, "kirk@example.org", []string{"host+k7fq@EXAMPLE.org", "HOST@example.org"}, []byte(letter))
	if err != nil {
		t.Fatal(err)
	}
	got := read(t, s, "host@example.org", "h")
	head := "Return-Path: <kirk@example.org>\r\nDelivered-To: "
	want := []string{head + "host+k7fq@EXAMPLE.org\r\n" + letter, head + "HOST@example.org\r\n" + letter}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("the mailbox holds %q", got)
	}
	if len(heard) != 2 || heard[0] != "kirk@example.org host+k7fq@EXAMPLE.org "+letter {
		t.Errorf("told %q", heard)
	}
	if others := read(t, s, "kirk@example.org", "k"); len(others) != 0 {
		t.Errorf("another mailbox holds %q", others)
	}
}

func TestUnknownRecipient(t *testing.T) {
	s := start(t, loopback.Options{})
	for _, to := range []string{"nobody@example.org", "host@example.com", "host@example.org.example.com", "+@example.org"} {
		err := smtp.SendMail(s.SMTPAddr(), nil, "kirk@example.org", []string{to}, []byte(letter))
		if err == nil || !strings.HasPrefix(err.Error(), "550") {
			t.Errorf("mail for %s: %v", to, err)
		}
		if s.Deliver("", to, []byte(letter)) == nil || s.Put(to, nil) == nil || s.Renumber(to) == nil {
			t.Errorf("%s is known", to)
		}
	}
}

// TestSink: mail for the sink is accepted, reported, and dropped.
func TestSink(t *testing.T) {
	told := 0
	s := start(t, loopback.Options{Sink: "void.example", OnDelivery: func(_, to string, _ []byte) {
		if to == "anybody@VOID.example" {
			told++
		}
	}})
	if err := smtp.SendMail(s.SMTPAddr(), nil, "kirk@example.org", []string{"anybody@VOID.example"}, []byte(letter)); err != nil {
		t.Fatal(err)
	}
	if told != 1 {
		t.Errorf("told of %d mails, want 1", told)
	}
	if err := smtp.SendMail(s.SMTPAddr(), nil, "kirk@example.org", []string{"anybody@void.example.org"}, []byte(letter)); err == nil {
		t.Error("mail for another domain was taken")
	}
}

func TestUsers(t *testing.T) {
	for _, address := range []string{"", "x", "kirk", "@example.org", "kirk@", "KIRK@example.org"} {
		s, err := loopback.Start([]loopback.User{{Address: "kirk@example.org"}, {Address: address}}, loopback.Options{})
		if err == nil {
			t.Errorf("started with the user %q: %v", address, s.Close())
		}
	}
}

// TestCloseAtOnce is for the race detector.
func TestCloseAtOnce(t *testing.T) {
	for range 300 {
		s, err := loopback.Start(nil, loopback.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCloseWhileHanging: Close ends whatever hangs.
func TestCloseWhileHanging(t *testing.T) {
	for _, stage := range []loopback.Stage{loopback.StageSMTPConnect, loopback.StageSMTPMail, loopback.StageSMTPEnd} {
		t.Run(string(stage), func(t *testing.T) {
			s := start(t, loopback.Options{})
			hit := make(chan struct{})
			s.Inject(loopback.Fault{Stage: stage, Hang: true, Times: 1, Hit: func() { close(hit) }})
			done := make(chan error, 1)
			go func() {
				done <- smtp.SendMail(s.SMTPAddr(), nil, "", []string{"host@example.org"}, []byte(letter))
			}()
			<-hit
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if err := <-done; err == nil {
				t.Error("the mail was sent all the same")
			}
		})
	}
}

// TestHalfMail: an incomplete mail is not delivered.
func TestHalfMail(t *testing.T) {
	told := make(chan struct{}, 1)
	s := start(t, loopback.Options{OnDelivery: func(string, string, []byte) { told <- struct{}{} }})
	conn, err := net.Dial("tcp", s.SMTPAddr())
	if err != nil {
		t.Fatal(err)
	}
	c, err := smtp.NewClient(conn, "localhost")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Mail("kirk@example.org"); err != nil {
		t.Fatal(err)
	}
	if err := c.Rcpt("host@example.org"); err != nil {
		t.Fatal(err)
	}
	w, err := c.Data()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(bytes.Repeat([]byte(letter), 1000)); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-told:
		t.Error("half a mail was delivered")
	default:
	}
}
