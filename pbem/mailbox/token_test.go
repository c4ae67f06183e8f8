package mailbox_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"

	"starpost/pbem/loopback"
	"starpost/pbem/mailbox"
	"starpost/pbem/transport"
)

// tokens provides a token, and records which ones were refused.
type tokens struct {
	mu      sync.Mutex
	token   string
	err     error
	refused []string
}

func (k *tokens) Token(context.Context) (string, error) { return k.token, k.err }

func (k *tokens) Refused(token string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.refused = append(k.refused, token)
}

// goodToken is as long as a large provider's.
var goodToken = "ya29." + strings.Repeat("s3cr3t-", 300)

func byToken(o loopback.Options) loopback.Options {
	o.CheckToken = func(user, token string) bool { return user == address && token == goodToken }
	return o
}

func TestLoginByToken(t *testing.T) {
	for _, auth := range []string{transport.XOAuth2, transport.OAuthBearer} {
		for name, opts := range map[string]loopback.Options{"plain": {}, "tls": {TLS: loopback.ImplicitTLS}, "starttls": {TLS: loopback.StartTLS}} {
			t.Run(auth+", "+name, func(t *testing.T) {
				s, cfg := serve(t, byToken(opts))
				cfg.Auth, cfg.Password, cfg.Tokens = auth, "", &tokens{token: goodToken}
				if err := s.Put(address, letter(0)); err != nil {
					t.Fatal(err)
				}
				c, _ := dial(t, cfg)
				selectBox(t, c)
				if got := list(t, c, 0); len(got) != 1 {
					t.Errorf("listed %v", got)
				}
			})
		}
	}
}

func TestTokenTrouble(t *testing.T) {
	for _, auth := range []string{transport.XOAuth2, transport.OAuthBearer} {
		for name, c := range map[string]struct {
			opts   loopback.Options
			tokens *tokens
			user   string
			want   mailbox.Kind
			say    string
			hint   string
			later  bool
			drawn  bool
		}{
			"refused":      {opts: byToken(loopback.Options{}), tokens: &tokens{token: "stale-s3cr3t"}, want: mailbox.KindLoginRefused, say: "scope https://mail.example.org/", hint: "cover the scope https://mail.example.org/", drawn: true},
			"another user": {opts: byToken(loopback.Options{}), tokens: &tokens{token: goodToken}, user: "kirk@example.org", want: mailbox.KindLoginRefused, say: "status", hint: "for this very user", drawn: true},
			"not offered":  {tokens: &tokens{token: goodToken}, want: mailbox.KindUnsupported, say: "does not offer " + strings.ToUpper(auth), hint: "another account"},
			"none":         {opts: byToken(loopback.Options{}), tokens: &tokens{err: errors.New("the well is dry")}, want: mailbox.KindNoToken, say: "the well is dry", hint: "token_command"},
			"none in time": {opts: byToken(loopback.Options{}), tokens: &tokens{err: context.DeadlineExceeded}, want: mailbox.KindNoToken, say: "no access token", hint: "token_command", later: true},
			"no token":     {opts: byToken(loopback.Options{}), tokens: &tokens{token: "s3cr3t with\x01auth=more"}, want: mailbox.KindNoToken, say: "token is malformed", hint: "token_command"},
		} {
			t.Run(auth+", "+name, func(t *testing.T) {
				_, cfg := serve(t, c.opts)
				cfg.Auth, cfg.Password, cfg.Tokens = auth, "", c.tokens
				if c.user != "" {
					cfg.User = c.user
				}
				_, err := mailbox.Dial(t.Context(), cfg, nil)
				if kind(err) != c.want || temporary(err) != c.later {
					t.Fatalf("dial: %v (kind %d, temporary %v), want kind %d", err, kind(err), temporary(err), c.want)
				}
				if !strings.Contains(err.Error(), c.say) || strings.Contains(err.Error(), "s3cr3t") {
					t.Errorf("error %v", err)
				}
				var e *mailbox.Error
				if !errors.As(err, &e) || !strings.Contains(e.Hint(), c.hint) {
					t.Errorf("hint %q", e.Hint())
				}
				if c.drawn != (len(c.tokens.refused) == 1) {
					t.Errorf("drawn back: %d", len(c.tokens.refused))
				}
			})
		}
	}
}

// TestOddTokenServers: whatever a server does in the middle of the login, the attempt ends.
func TestOddTokenServers(t *testing.T) {
	for name, c := range map[string]struct {
		answers []string // to AUTHENTICATE and each line after it; "" hangs up
		want    mailbox.Kind
	}{
		"refused at once":     {[]string{"TAG NO [AUTHENTICATIONFAILED] no"}, mailbox.KindLoginRefused},
		"not now":             {[]string{"TAG NO [UNAVAILABLE] later"}, mailbox.KindRefused},
		"gone":                {[]string{""}, mailbox.KindLost},
		"gone after that":     {[]string{"+ ", ""}, mailbox.KindLost},
		"reason is no base64": {[]string{"+ ", "+ ???"}, mailbox.KindLost},
		"reason is no JSON":   {[]string{"+ ", "+ bm8gd2F5", "TAG NO no"}, mailbox.KindLoginRefused},
		"hostile reason":      {[]string{"+ ", "+ eyJzdGF0dXMiOiJcdTAwMWJbMzFtIn0=", "TAG NO no"}, mailbox.KindLoginRefused},
		"asks for ever":       {[]string{"+ ", "+ e30=", "+ e30=", "+ e30="}, mailbox.KindLost},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := fake(t, hello, nil)
			cfg.Auth, cfg.Tokens = transport.XOAuth2, &tokens{token: goodToken}
			cfg.Dial = func(context.Context, string, string) (net.Conn, error) {
				here, there := net.Pipe()
				go asked(there, c.answers)
				return here, nil
			}
			_, err := mailbox.Dial(t.Context(), cfg, nil)
			if kind(err) != c.want {
				t.Errorf("dial: %v (kind %d), want kind %d", err, kind(err), c.want)
			}
			if err != nil && (strings.ContainsAny(err.Error(), "\x1b\x01") || strings.Contains(err.Error(), "s3cr3t")) {
				t.Errorf("the error repeats too much: %q", err)
			}
		})
	}
}

// asked is a server that greets and then sends one answer per line.
func asked(conn net.Conn, answers []string) {
	defer conn.Close()
	tag, say := "", "* OK [CAPABILITY IMAP4rev1 AUTH=XOAUTH2] hello"
	for lines := bufio.NewScanner(conn); ; {
		if _, err := conn.Write([]byte(strings.ReplaceAll(say, "TAG", tag) + "\r\n")); err != nil || len(answers) == 0 || !lines.Scan() {
			return
		}
		first, command, isCommand := strings.Cut(lines.Text(), " ")
		if isCommand {
			tag = first
		}
		if command == "CAPABILITY" {
			say = "* CAPABILITY IMAP4rev1 AUTH=XOAUTH2\r\nTAG OK"
			continue
		}
		if say, answers = answers[0], answers[1:]; say == "" {
			return
		}
	}
}

func TestNoTokenIsLogged(t *testing.T) {
	_, cfg := serve(t, byToken(loopback.Options{}))
	var logged bytes.Buffer
	log := slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	for _, token := range []string{goodToken, "stale-s3cr3t"} {
		for _, auth := range []string{transport.XOAuth2, transport.OAuthBearer} {
			cfg.Auth, cfg.Tokens = auth, &tokens{token: token}
			if c, err := mailbox.Dial(t.Context(), cfg, log); err == nil {
				c.Close()
			} else {
				log.Error("dial", "err", err)
			}
		}
	}
	if logged.Len() == 0 || strings.Contains(logged.String(), "s3cr3t") || strings.Contains(logged.String(), "hunter2") {
		t.Errorf("logged:\n%s", logged.String())
	}
}
