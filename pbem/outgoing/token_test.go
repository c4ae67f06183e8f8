package outgoing_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"starpost/pbem/loopback"
	"starpost/pbem/outgoing"
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
	o.RequireLogin = true
	o.CheckToken = func(user, token string) bool { return user == host && token == goodToken }
	return o
}

func TestLoginByToken(t *testing.T) {
	for _, auth := range []string{transport.XOAuth2, transport.OAuthBearer} {
		for name, opts := range map[string]loopback.Options{"plain": {}, "tls": {TLS: loopback.ImplicitTLS}, "starttls": {TLS: loopback.StartTLS}} {
			t.Run(auth+", "+name, func(t *testing.T) {
				_, box, cfg := serve(t, byToken(opts))
				cfg.Auth, cfg.Password, cfg.Tokens = auth, "", &tokens{token: goodToken}
				live, ctx := session(t, cfg)
				delivered(ctx, t, live, outgoing.Envelope{From: host, To: captain, Data: render(t, report())})
				if len(box.all()) != 1 {
					t.Error("the mail did not arrive")
				}
			})
		}
	}
}

func TestTokenTrouble(t *testing.T) {
	for _, auth := range []string{transport.XOAuth2, transport.OAuthBearer} {
		for name, c := range map[string]struct {
			opts      loopback.Options
			tokens    *tokens
			code      int
			say, hint string
			later     bool
			drawn     bool
		}{
			"refused":     {opts: byToken(loopback.Options{}), tokens: &tokens{token: "stale-s3cr3t"}, code: 535, say: "scope https://mail.example.org/", hint: "cover the scope https://mail.example.org/", drawn: true},
			"not offered": {tokens: &tokens{token: goodToken}, say: strings.ToUpper(auth) + " is not among PLAIN", hint: "does not offer this login"},
			"none":        {opts: byToken(loopback.Options{}), tokens: &tokens{err: errors.New("the well is dry")}, say: "the well is dry", hint: "token_command"},
			"none yet":    {opts: byToken(loopback.Options{}), tokens: &tokens{err: context.DeadlineExceeded}, say: "no access token", hint: "token_command", later: true},
			"no token":    {opts: byToken(loopback.Options{}), tokens: &tokens{token: "s3cr3t with more"}, say: "token is malformed", hint: "token_command"},
		} {
			t.Run(auth+", "+name, func(t *testing.T) {
				_, _, cfg := serve(t, c.opts)
				cfg.Auth, cfg.Password, cfg.Tokens = auth, "", c.tokens
				e := refused(t, cfg)
				if e.Stage != outgoing.StageAuth || e.Code != c.code || e.Temporary() != c.later {
					t.Errorf("%v: stage %q, code %d, temporary %v", e, e.Stage, e.Code, e.Temporary())
				}
				if !strings.Contains(e.Error(), c.say) || strings.Contains(e.Error(), "s3cr3t") || !strings.Contains(e.Hint(), c.hint) {
					t.Errorf("error %v, hint %q", e, e.Hint())
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
		lines []string
		code  int
		later bool
	}{
		"taken":             {[]string{"235 welcome"}, 0, false},
		"refused at once":   {[]string{"535 5.7.8 no", "501 what", "221 bye"}, 535, false},
		"not now":           {[]string{"454 4.7.0 later", "501 what", "221 bye"}, 454, true},
		"gone":              {[]string{hangUp}, 0, true},
		"reason no base64":  {[]string{"334 ???", "501 what", "221 bye"}, 0, true},
		"reason no JSON":    {[]string{"334 bm8gd2F5", "535 no", "501 what", "221 bye"}, 535, false},
		"hostile reason":    {[]string{"334 eyJzdGF0dXMiOiJcdTAwMWJbMzFtIn0=", "535 \x1b[31mno", "501 what", "221 bye"}, 535, false},
		"asks for more":     {[]string{"334 e30=", "334 e30=", "501 what", "221 bye"}, 0, true},
		"endless reason":    {[]string{"334 " + strings.Repeat("e", 1<<20)}, 0, true},
		"nonsense":          {[]string{"what?", "501 what", "221 bye"}, 0, true},
		"success too early": {[]string{"250 ok", "501 what", "221 bye"}, 250, true},
	} {
		t.Run(name, func(t *testing.T) {
			lines := append([]string{"220 hi", "250-hi\r\n250 AUTH XOAUTH2"}, c.lines...)
			cfg := outgoing.Config{Server: transport.Server{
				Host: "localhost", TLS: transport.TLSNone, User: host, Auth: transport.XOAuth2, Tokens: &tokens{token: goodToken}, Dial: script(lines),
			}}
			s, err := sender(t, cfg).Open(t.Context())
			if name == "taken" {
				if err != nil {
					t.Fatal(err)
				}
				s.Close()
				return
			}
			e := asError(t, err, outgoing.TemporaryFailure)
			if e.Stage != outgoing.StageAuth || e.Code != c.code || e.Temporary() != c.later {
				t.Errorf("%v: stage %q, code %d, temporary %v", e, e.Stage, e.Code, e.Temporary())
			}
			if strings.ContainsAny(err.Error(), "\x1b\x01") || len(err.Error()) > 1000 || strings.Contains(err.Error(), "s3cr3t") {
				t.Errorf("the error repeats too much: %q", err)
			}
		})
	}
}

func TestNothingSecretIsLogged(t *testing.T) {
	_, _, cfg := serve(t, byToken(loopback.Options{}))
	var logged bytes.Buffer
	log := slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	try := func(auth, password, token string) {
		c := cfg
		c.Auth, c.Password, c.Tokens = auth, password, &tokens{token: token}
		sender, err := outgoing.NewSender(c, log)
		if err != nil {
			t.Fatal(err)
		}
		live, err := sender.Open(t.Context())
		if err != nil {
			log.Error("open", "err", err)
			return
		}
		defer live.Close()
		_, err = live.Send(t.Context(), outgoing.Envelope{From: host, To: captain, Data: render(t, report())})
		log.Info("sent", "err", err)
	}
	for _, token := range []string{goodToken, "stale-s3cr3t"} {
		try(transport.XOAuth2, "", token)
		try(transport.OAuthBearer, "", token)
	}
	try(transport.Password, password, "")
	try(transport.Password, password+"x", "")
	if logged.Len() == 0 || strings.Contains(logged.String(), "s3cr3t") || strings.Contains(logged.String(), "hunter2") {
		t.Errorf("logged:\n%s", logged.String())
	}
}
