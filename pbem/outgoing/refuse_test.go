package outgoing_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"starpost/pbem/outgoing"
	"starpost/pbem/transport"
)

// TestRefusedWhilePipelining: a server that refuses the sender or recipient but would still accept
// the mail gets none. A correct server keeps its session.
func TestRefusedWhilePipelining(t *testing.T) {
	for name, c := range map[string]struct {
		replies []string // to MAIL, RCPT and DATA
		stage   outgoing.Stage
		outcome outgoing.Outcome
		hangsUp bool
	}{
		"sender refused":                        {[]string{"550 no", "503 no sender", "503 no sender"}, outgoing.StageMail, outgoing.TemporaryFailure, false},
		"sender refused, mail wanted":           {[]string{"550 no", "250 fine", "354 go on"}, outgoing.StageMail, outgoing.TemporaryFailure, true},
		"recipient refused":                     {[]string{"250 fine", "550 no", "554 no recipients"}, outgoing.StageRcpt, outgoing.PermanentFailure, false},
		"recipient refused, mail wanted":        {[]string{"250 fine", "550 no", "354 go on"}, outgoing.StageRcpt, outgoing.PermanentFailure, true},
		"recipient refused, odd words for DATA": {[]string{"250 fine", "550 no", "250 what?"}, outgoing.StageRcpt, outgoing.PermanentFailure, true},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			heard := make(chan string, 1)
			go func() {
				conn, err := l.Accept()
				if err != nil {
					heard <- err.Error()
					return
				}
				defer conn.Close()
				heard <- refusing(conn, c.replies)
			}()
			addr, ok := l.Addr().(*net.TCPAddr)
			if !ok {
				t.Fatal("no TCP address")
			}
			cfg := outgoing.Config{Server: transport.Server{Host: "127.0.0.1", Port: addr.Port, TLS: transport.TLSNone}}
			s, ctx := session(t, cfg)
			_, err = s.Send(ctx, outgoing.Envelope{From: host, To: captain, Data: []byte("Subject: x\r\n\r\nx\r\n")})
			var e *outgoing.Error
			if !errors.As(err, &e) || e.Stage != c.stage || e.Outcome != c.outcome || e.Code != 550 {
				t.Errorf("error %v", err)
			}
			s.Close()
			if said := <-heard; strings.Contains(said, "Subject") || strings.Contains(said, "QUIT") == c.hangsUp {
				t.Errorf("the server heard\n%s", said)
			}
		})
	}
}

// refusing is a server that replies to the commands of a mail with the given replies. It returns
// everything that it receives afterwards.
func refusing(conn net.Conn, replies []string) string {
	lines := bufio.NewReader(conn)
	var broken error
	say := func(words string) {
		_, err := fmt.Fprint(conn, words+"\r\n")
		broken = errors.Join(broken, err)
	}
	say("220 here")
	for {
		line, err := lines.ReadString('\n')
		if err = errors.Join(broken, err); err != nil {
			return err.Error()
		}
		verb, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch verb {
		case "EHLO":
			say("250-here\r\n250-PIPELINING\r\n250 8BITMIME")
		case "MAIL", "RCPT":
			say(replies[0])
			replies = replies[1:]
		case "DATA":
			say(replies[0])
			var after strings.Builder
			for {
				line, err := lines.ReadString('\n')
				after.WriteString(line)
				if strings.HasPrefix(line, "RSET") {
					say("250 forgotten")
				}
				if errors.Is(err, io.EOF) || strings.HasPrefix(line, "QUIT") || err != nil {
					return after.String()
				}
			}
		}
	}
}
