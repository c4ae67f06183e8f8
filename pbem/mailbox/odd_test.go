package mailbox_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"starpost/pbem/loopback"
	"starpost/pbem/mailbox"
	"starpost/pbem/transport"
)

// fake is a server that a library would not imitate. It greets, supports what every server does,
// and answers the commands named in answers with the given text; TAG stands for the tag of the
// command, @@ for a reference to it, and "" hangs up.
func fake(t *testing.T, greeting string, answers map[string]string) mailbox.Config {
	t.Helper()
	usual := map[string]string{
		"CAPABILITY": "* CAPABILITY IMAP4rev1 MOVE UIDPLUS\r\nTAG OK\r\n",
		"LOGIN":      "TAG OK\r\n",
		"SELECT":     "* 1 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 9] ok\r\nTAG OK [READ-WRITE] done\r\n",
		"LIST":       "* LIST () \"/\" \"\"\r\nTAG OK\r\n",
		"NOOP":       "TAG OK\r\n",
	}
	serve := func(conn net.Conn) {
		defer conn.Close()
		if _, err := conn.Write([]byte(greeting + "\r\n")); err != nil {
			return
		}
		lines := bufio.NewScanner(conn)
		for lines.Scan() {
			tag, rest, _ := strings.Cut(lines.Text(), " ")
			name, rest, _ := strings.Cut(rest, " ")
			if name == "UID" {
				name, _, _ = strings.Cut(rest, " ")
				if strings.Contains(rest, "BODY.PEEK") {
					name = "BODY"
				}
			}
			answer, ok := answers[name]
			if !ok {
				answer = usual[name]
			}
			if answer == "" {
				return
			}
			if _, err := conn.Write([]byte(strings.NewReplacer("@@", `TAG "`+tag+`"`, "TAG", tag).Replace(answer))); err != nil {
				return
			}
		}
	}
	return mailbox.Config{
		Server: transport.Server{
			Host:     "localhost",
			TLS:      transport.TLSNone,
			User:     "u",
			Password: "p",
			Dial: func(context.Context, string, string) (net.Conn, error) {
				here, there := net.Pipe()
				go serve(there)
				return here, nil
			},
		},
		Name:     "box",
		MaxBytes: 1000,
	}
}

const hello = "* OK [CAPABILITY IMAP4rev1] hello"

func TestOddGreetings(t *testing.T) {
	for name, c := range map[string]struct {
		greeting string
		answers  map[string]string
		want     mailbox.Kind
	}{
		"not IMAP":       {"220 mail.example.org ESMTP", nil, mailbox.KindLost},
		"bye":            {"* BYE too many connections", nil, mailbox.KindRefused},
		"unavailable":    {hello, map[string]string{"LOGIN": "TAG NO [UNAVAILABLE] later\r\n"}, mailbox.KindRefused},
		"login refused":  {hello, map[string]string{"LOGIN": "TAG NO \x1b[31mno\r\n"}, mailbox.KindLoginRefused},
		"login disabled": {"* OK [CAPABILITY IMAP4rev1 LOGINDISABLED] hello", nil, mailbox.KindUnsupported},
		"gone":           {hello, map[string]string{"LOGIN": ""}, mailbox.KindLost},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mailbox.Dial(t.Context(), fake(t, c.greeting, c.answers), nil)
			if kind(err) != c.want {
				t.Errorf("dial: %v (kind %d), want kind %d", err, kind(err), c.want)
			}
			if err != nil && strings.Contains(err.Error(), "\x1b") {
				t.Errorf("the error repeats what the server sent: %q", err)
			}
		})
	}
	c, _ := dial(t, fake(t, "* PREAUTH [CAPABILITY IMAP4rev1] hello", map[string]string{"LOGIN": ""}))
	selectBox(t, c)
}

func TestNoValidity(t *testing.T) {
	c, ctx := dial(t, fake(t, hello, map[string]string{"SELECT": "* 1 EXISTS\r\nTAG OK done\r\n"}))
	if _, _, err := c.Select(ctx); kind(err) != mailbox.KindUnsupported {
		t.Errorf("select: %v", err)
	}
}

// TestHugeList: a reply of a few bytes can name four billion mails.
func TestHugeList(t *testing.T) {
	c, _ := dial(t, fake(t, hello, map[string]string{"SEARCH": "* ESEARCH (@@) UID ALL 4000000000:4294967295,5:90,1:4294967294\r\nTAG OK done\r\n"}))
	selectBox(t, c)
	uids := list(t, c, 7)
	if len(uids) == 0 || len(uids) > 100_000 || uids[0] != 8 {
		t.Errorf("listed %d mails from %d", len(uids), uids[0])
	}
}

func TestUnusualAnswersAreHandled(t *testing.T) {
	sizes := func(n int) string { return fmt.Sprintf("* 1 FETCH (UID 5 RFC822.SIZE %d)\r\nTAG OK done\r\n", n) }
	for name, c := range map[string]struct {
		sizes, body string
		mails       int
		raw         string
	}{
		"literal":                  {sizes(3), "* 1 FETCH (UID 5 BODY[] {3}\r\nabc)\r\nTAG OK done\r\n", 1, "abc"},
		"quoted":                   {sizes(3), "* 1 FETCH (UID 5 BODY[] \"abc\")\r\nTAG OK done\r\n", 1, "abc"},
		"nil":                      {sizes(3), "* 1 FETCH (UID 5 BODY[] NIL)\r\nTAG OK done\r\n", 0, ""},
		"size told too low":        {sizes(3), "* 1 FETCH (UID 5 BODY[] {2000}\r\n" + strings.Repeat("x", 2000) + ")\r\nTAG OK done\r\n", 1, ""},
		"vanished between":         {sizes(3), "TAG OK done\r\n", 0, ""},
		"vanished before":          {"TAG OK done\r\n", "", 0, ""},
		"another mail":             {"* 2 FETCH (UID 6 RFC822.SIZE 3)\r\n" + sizes(3), "* 2 FETCH (UID 6 BODY[] {1}\r\nx)\r\n* 1 FETCH (UID 5 BODY[] {3}\r\nabc)\r\nTAG OK done\r\n", 1, "abc"},
		"twice":                    {sizes(3), "* 1 FETCH (UID 5 BODY[] {3}\r\nabc)\r\n* 1 FETCH (UID 5 BODY[] {3}\r\nabc)\r\nTAG OK done\r\n", 1, "abc"},
		"flags in between":         {sizes(3), "* 1 FETCH (FLAGS (\\Seen))\r\n* 1 FETCH (UID 5 BODY[] {3}\r\nabc)\r\nTAG OK done\r\n", 1, "abc"},
		"empty":                    {sizes(0), "* 1 FETCH (UID 5 BODY[] {0}\r\n)\r\nTAG OK done\r\n", 1, ""},
		"too large, by size":       {sizes(2000), "* 1 FETCH (UID 5 BODY[HEADER]<0> {8}\r\nA: b\r\n\r\n)\r\nTAG OK done\r\n", 1, ""},
		"too large, and no header": {sizes(2000), "TAG NO not now\r\n", 1, ""},
		"too large, and vanished":  {sizes(2000), "TAG OK done\r\n", 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := dial(t, fake(t, hello, map[string]string{"FETCH": c.sizes, "BODY": c.body}))
			selectBox(t, client)
			got := fetch(t, client, []uint32{5})
			if len(got) != c.mails {
				t.Fatalf("fetched %v, want %d mails", got, c.mails)
			}
			if c.mails == 1 && (string(got[0].Raw) != c.raw || got[0].Ref.UID != 5 || got[0].Ref.UIDValidity != 7) {
				t.Errorf("fetched %v", got[0])
			}
		})
	}
}

// TestHostileMails: invalid data ends the connection, not the program.
func TestHostileMails(t *testing.T) {
	for name, body := range map[string]string{
		"hung up":       "",
		"half a mail":   "* 1 FETCH (UID 5 BODY[] {300}\r\nabc",
		"nonsense":      "* what?\r\n",
		"negative size": "* 1 FETCH (UID 5 BODY[] {-3}\r\nabc)\r\nTAG OK\r\n",
		"endless mail":  "* 1 FETCH (UID 5 BODY[] {4000000000}\r\n" + strings.Repeat("x", 6<<20),
		"endless line":  "* 1 FETCH (UID 5 BODY[] \"" + strings.Repeat("x", 6<<20),
	} {
		t.Run(name, func(t *testing.T) {
			answers := map[string]string{"FETCH": "* 1 FETCH (UID 5 RFC822.SIZE 3)\r\nTAG OK done\r\n", "BODY": body}
			fetch := func(patience time.Duration) (bool, error) {
				cfg := fake(t, hello, answers)
				cfg.Timeout = patience
				c, err := mailbox.Dial(t.Context(), cfg, nil)
				if err != nil {
					return false, err
				}
				defer c.Close()
				if _, _, err := c.Select(t.Context()); err != nil {
					return false, err
				}
				return true, c.Fetch(t.Context(), []uint32{5}, func(m mailbox.Mail) error {
					t.Errorf("took %d bytes", len(m.Raw))
					return nil
				})
			}
			patience := time.Hour
			if name == "half a mail" {
				patience = 100 * time.Millisecond // the others need none
			}
			begun, err := fetch(patience)
			for ; !begun && patience < time.Hour; begun, err = fetch(patience) {
				patience *= 2 // on a busy machine it did not even begin
			}
			if !temporary(err) || kind(err) != mailbox.KindLost && kind(err) != mailbox.KindSilentServer {
				t.Errorf("fetch: %v", err)
			}
		})
	}
}

// TestPrefix: folders are created where the server keeps folders.
func TestPrefix(t *testing.T) {
	var moved string
	cfg := fake(t, "* OK [CAPABILITY IMAP4rev1 NAMESPACE MOVE] hello", map[string]string{
		"CAPABILITY": "* CAPABILITY IMAP4rev1 NAMESPACE MOVE\r\nTAG OK\r\n",
		"NAMESPACE":  "* NAMESPACE ((\"INBOX.\" \".\")) NIL NIL\r\nTAG OK\r\n",
		"MOVE":       "TAG OK\r\n",
	})
	inner := cfg.Dial
	cfg.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := inner(ctx, network, addr)
		return &spy{Conn: conn, heard: func(line string) {
			if strings.Contains(line, "MOVE") {
				moved = line
			}
		}}, err
	}
	c, _ := dial(t, cfg)
	selectBox(t, c)
	move(t, c, []uint32{5}, "Starpost/Done")
	if !strings.Contains(moved, "INBOX.Starpost.Done") {
		t.Errorf("said %q", moved)
	}
}

// spy reports what is sent on a connection.
type spy struct {
	net.Conn
	heard func(string)
}

func (s *spy) Write(p []byte) (int, error) {
	s.heard(string(p))
	return s.Conn.Write(p)
}

// TestWaitWithoutIdle: without announcements the wait ends with its timeout, and the mail is found
// by listing.
func TestWaitWithoutIdle(t *testing.T) {
	c, ctx := dial(t, fake(t, hello, map[string]string{"IDLE": ""}))
	selectBox(t, c)
	if err := c.Wait(ctx, time.Millisecond); err != nil {
		t.Errorf("no IDLE: %v", err)
	}

	withIdle := "* CAPABILITY IMAP4rev1 IDLE\r\nTAG OK\r\n"
	c, ctx = dial(t, fake(t, hello, map[string]string{"CAPABILITY": withIdle, "IDLE": "TAG NO not now\r\n"}))
	selectBox(t, c)
	if err := c.Wait(ctx, time.Millisecond); err != nil {
		t.Errorf("IDLE refused: %v", err)
	}

	c, ctx = dial(t, fake(t, hello, map[string]string{"CAPABILITY": withIdle, "IDLE": ""}))
	selectBox(t, c)
	if err := c.Wait(ctx, time.Hour); kind(err) != mailbox.KindLost {
		t.Errorf("gone while idle: %v", err)
	}

	s, cfg := serve(t, loopback.Options{QuietIdle: true})
	c, ctx = dial(t, cfg)
	selectBox(t, c)
	if err := s.Put(address, letter(0)); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(ctx, time.Millisecond); err != nil {
		t.Errorf("quiet IDLE: %v", err)
	}
	if got := list(t, c, 0); len(got) != 1 {
		t.Errorf("listed %v, want the mail", got)
	}
}

// TestConnectionLostWhileWaiting: a wait ends with the connection.
func TestConnectionLostWhileWaiting(t *testing.T) {
	s, cfg := serve(t, loopback.Options{})
	c, ctx := dial(t, cfg)
	selectBox(t, c)
	done := make(chan error, 1)
	go func() { done <- c.Wait(ctx, time.Hour) }()
	s.DropConnections()
	if err := <-done; kind(err) != mailbox.KindLost || !temporary(err) {
		t.Errorf("wait: %v", err)
	}
}

// TestOtherMails: a server that sends unrequested mails is logged, one that sends flags is not.
func TestOtherMails(t *testing.T) {
	for name, c := range map[string]struct {
		sizes, body string
		told        int
	}{
		"another mail": {"* 1 FETCH (UID 5 RFC822.SIZE 3)\r\nTAG OK done\r\n", "* 2 FETCH (UID 6 BODY[] {1}\r\nx)\r\n* 1 FETCH (UID 5 BODY[] {3}\r\nabc)\r\nTAG OK done\r\n", 1},
		"another size": {"* 2 FETCH (UID 6 RFC822.SIZE 3)\r\n* 1 FETCH (UID 5 RFC822.SIZE 3)\r\nTAG OK done\r\n", "* 1 FETCH (UID 5 BODY[] {3}\r\nabc)\r\nTAG OK done\r\n", 1},
		"flags":        {"* 2 FETCH (UID 6 FLAGS (\\Seen))\r\n* 1 FETCH (UID 5 RFC822.SIZE 3)\r\nTAG OK done\r\n", "* 2 FETCH (UID 6 FLAGS ())\r\n* 1 FETCH (UID 5 BODY[] {3}\r\nabc)\r\nTAG OK done\r\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			log := make(logged, 10)
			ctx := t.Context()
			client, err := mailbox.Dial(ctx, fake(t, hello, map[string]string{"FETCH": c.sizes, "BODY": c.body}), slog.New(slog.NewTextHandler(log, nil)))
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			selectBox(t, client)
			if got := fetch(t, client, []uint32{5}); len(got) != 1 {
				t.Errorf("fetched %v", got)
			}
			for range c.told {
				select {
				case line := <-log:
					if !strings.Contains(line, "not requested") || !strings.Contains(line, "uid=6") {
						t.Errorf("logged %s", line)
					}
				case <-ctx.Done():
					t.Fatal("nothing is logged")
				}
			}
			client.Close()
			select {
			case line := <-log:
				t.Errorf("logged besides: %s", line)
			default:
			}
		})
	}
}

// logged receives the lines of a log.
type logged chan string

func (l logged) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}
