package lmtp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"starpost/pbem/incoming"
)

// door is a server with two boxes.
type door struct {
	server *Server
	state  string
	boxes  map[string]*incoming.Box
	bell   chan *incoming.Box
}

func newDoor(t *testing.T, listen string) *door {
	t.Helper()
	d := &door{state: t.TempDir(), boxes: map[string]*incoming.Box{}, bell: make(chan *incoming.Box, 1000)}
	for _, a := range []string{"battles@example.org", "club@example.org"} {
		b, err := incoming.Open(d.state, a)
		if err != nil {
			t.Fatal(err)
		}
		d.boxes[a] = b
	}
	var err error
	d.server, err = Listen(Config{
		Listen: listen, Log: slog.New(slog.DiscardHandler),
		Box:     func(a string) *incoming.Box { return d.boxes[strings.ToLower(a)] },
		Arrived: func(b *incoming.Box) { d.bell <- b },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- d.server.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return d
}

// count returns the number of mails in a box.
func (d *door) count(t *testing.T, address string) int {
	t.Helper()
	_, uids, err := d.boxes[address].Look(t.Context(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return len(uids)
}

// client speaks LMTP line by line.
type client struct {
	t *testing.T
	net.Conn
	in *bufio.Reader
}

func (d *door) dial(t *testing.T) *client {
	t.Helper()
	a := d.server.Address()
	conn, err := net.Dial(a.Network(), a.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	c := &client{t, conn, bufio.NewReader(conn)}
	c.answer("220")
	c.say("LHLO mail.example.org", "250")
	return c
}

// answer reads one answer, of one or more lines, that begins with a code.
func (c *client) answer(code string) string {
	c.t.Helper()
	for {
		line, err := c.in.ReadString('\n')
		if err != nil {
			c.t.Fatalf("waiting for %s: %v", code, err)
		}
		if len(line) > 3 && line[3] == '-' {
			continue
		}
		if !strings.HasPrefix(line, code) {
			c.t.Errorf("answer %q, want %s", line, code)
		}
		return line
	}
}

func (c *client) say(line, code string) {
	c.t.Helper()
	c.send(line + "\r\n")
	c.answer(code)
}

func (c *client) send(text string) {
	c.t.Helper()
	if _, err := c.Write([]byte(text)); err != nil {
		c.t.Fatal(err)
	}
}

const errNoSpace = syscall.ENOSPC

const mail = "Subject: orders\r\n\r\nwords\r\n.\r\n"

func TestMailsAreTakenOver(t *testing.T) {
	for _, listen := range []string{"127.0.0.1:0", "unix:" + filepath.Join(t.TempDir(), "lmtp")} {
		d := newDoor(t, listen)
		c := d.dial(t)
		for range 2 { // a second mail on one connection
			c.say("MAIL FROM:<ann@example.net>", "250")
			c.say("RCPT TO:<Battles+7K4Q92FM@Example.org>", "250")
			c.say("RCPT TO:<nobody@example.org>", "550 5.1.1")
			c.say("RCPT TO:<battles@example.org>", "250")
			c.say("RCPT TO:<club@example.org>", "250")
			c.say("DATA", "354")
			c.send(mail)
			for range 3 {
				c.answer("250") // one for each recipient
			}
		}
		c.say("QUIT", "221")
		if b, o := d.count(t, "battles@example.org"), d.count(t, "club@example.org"); b != 2 || o != 2 || len(d.bell) != 4 {
			t.Errorf("%s: %d and %d mails, told of %d", listen, b, o, len(d.bell))
		}
		raw, err := os.ReadFile(filepath.Join(incoming.Dir(d.state, "battles@example.org"), "new", "0000000002.eml"))
		if want := "Return-Path: <ann@example.net>\r\nDelivered-To: Battles+7K4Q92FM@Example.org\r\nDelivered-To: battles@example.org\r\n" + mail[:len(mail)-3]; err != nil || string(raw) != want {
			t.Errorf("%s: %q, %v", listen, raw, err)
		}
	}
}

// TestClientsThatMisbehave: misbehaving clients leave no mail, and others are served meanwhile and
// afterwards.
func TestClientsThatMisbehave(t *testing.T) {
	d := newDoor(t, "127.0.0.1:0")
	begin := func(c *client) {
		c.say("MAIL FROM:<>", "250")
		c.say("RCPT TO:<battles@example.org>", "250")
		c.say("DATA", "354")
	}
	c := d.dial(t) // no end of data
	begin(c)
	c.send("Subject: half\r\n\r\nof it")
	c.Close()
	c = d.dial(t) // too large
	begin(c)
	for range 11 << 5 {
		c.send(strings.Repeat(strings.Repeat("x", 1022)+"\r\n", 32))
	}
	c.send(".\r\n")
	c.answer("552")
	c = d.dial(t) // announced as too large
	c.say("MAIL FROM:<> SIZE=200000000", "552")
	c = d.dial(t) // too many recipients
	c.say("MAIL FROM:<>", "250")
	for range 100 {
		c.say("RCPT TO:<battles@example.org>", "250")
	}
	c.say("RCPT TO:<battles@example.org>", "452")
	c = d.dial(t) // out of order
	c.say("DATA", "502")
	c.say("HELO mail", "500")
	c.say("RCPT TO:<battles@example.org>", "502")
	c.send(strings.Repeat("x", 5000) + "\r\n")
	c.answer("500")
	if n := d.count(t, "battles@example.org"); n != 0 {
		t.Errorf("%d mails", n)
	}
	c = d.dial(t) // gone after the last dot: the mail is taken in, and sent again
	begin(c)
	c.send(mail)
	c.Close()
	<-d.bell
	c = d.dial(t)
	begin(c)
	c.send(mail)
	c.answer("250")
	if n := d.count(t, "battles@example.org"); n != 2 {
		t.Errorf("%d mails", n)
	}
}

// TestTroubleIsForLater: the mail server keeps a mail that cannot be stored.
func TestTroubleIsForLater(t *testing.T) {
	d := newDoor(t, "127.0.0.1:0")
	if err := os.RemoveAll(incoming.Dir(d.state, "battles@example.org")); err != nil {
		t.Fatal(err)
	}
	c := d.dial(t)
	c.say("MAIL FROM:<>", "250")
	c.say("RCPT TO:<battles@example.org>", "250")
	c.say("RCPT TO:<club@example.org>", "250")
	c.say("DATA", "354")
	c.send(mail)
	c.answer("451 4.3.0")
	c.answer("250")
}

func TestSockets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lmtp")
	first := newDoor(t, "unix:"+path)
	cfg := first.server.cfg
	if _, err := Listen(cfg); err == nil || !strings.Contains(err.Error(), "another process listens") {
		t.Errorf("a second server: %v", err)
	}
	stale := filepath.Join(t.TempDir(), "lmtp")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	newDoor(t, "unix:"+stale).dial(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for listen, want := range map[string]string{
		"unix:" + file: "is no socket", "unix:relative": "begins with /", "unix:/" + strings.Repeat("x", 200): "at most 100 characters",
		"0.0.0.0:24": "only this machine", ":24": "only this machine", "mail.example.org:24": "only this machine", "lmtp": "want unix:/PATH",
		"unix:" + filepath.Join(t.TempDir(), "none", "lmtp"): "no such file",
	} {
		cfg.Listen = listen
		if s, err := Listen(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", listen, s, err)
		}
	}
}

func TestAFullDiskIsSaid(t *testing.T) {
	for err, want := range map[error]string{
		&os.PathError{Op: "write", Path: "x", Err: errNoSpace}: "452", errors.New("x"): "451", fmt.Errorf("x: %w", incoming.ErrTooLarge): "552",
	} {
		if got := refusal(err); !strings.Contains(fmt.Sprintf("%+v", got), want) {
			t.Errorf("%v: %+v, want %s", err, got, want)
		}
	}
}
