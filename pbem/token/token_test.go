package token_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"starpost/pbem/token"
	"starpost/pbem/transport"
)

// TestMain lets the test program itself act as a token_command.
func TestMain(m *testing.M) {
	switch os.Getenv("PLAY") {
	case "":
		os.Exit(m.Run())
	case "good":
		fmt.Printf("tok-%s\nsecond line\n", strings.Join(os.Args[1:], "-"))
	case "fails":
		fmt.Println("s3cr3t")
		fmt.Fprintln(os.Stderr, "s3cr3t")
		os.Exit(3)
	case "quiet":
	case "floods":
		for range 100_000 {
			fmt.Print(strings.Repeat("x", 1000))
		}
	case "hangs":
		time.Sleep(time.Hour)
	}
}

var _ = []transport.Tokens{token.Fixed(""), token.File(""), token.Command{}, (*token.Refresher)(nil)}

func TestCommand(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for play, c := range map[string]struct{ want, say string }{
		"good":   {want: "tok-$HOME-;-a b"}, // there is no shell to expand them
		"fails":  {say: "exit status 3"},
		"quiet":  {say: "printed nothing"},
		"floods": {want: strings.Repeat("x", 16<<10)},
		"hangs":  {say: "did not end in time"},
	} {
		t.Run(play, func(t *testing.T) {
			t.Setenv("PLAY", play)
			limit := time.Minute
			if play == "hangs" {
				limit = 50 * time.Millisecond
			}
			got, err := token.Command{Args: []string{self, "$HOME", ";", "a b"}, Limit: limit}.Token(t.Context())
			if got != c.want {
				t.Errorf("token %.50q, want %.50q", got, c.want)
			}
			if (c.say == "") != (err == nil) || err != nil && (!strings.Contains(err.Error(), c.say) || strings.Contains(err.Error(), "s3cr3t")) {
				t.Errorf("error %v", err)
			}
			var e *token.Error
			if err != nil && (!errors.As(err, &e) || e.Hint() == "") {
				t.Errorf("no way out of %v", err)
			}
		})
	}
	if _, err := (token.Command{Args: []string{filepath.Join(t.TempDir(), "nothing")}}).Token(t.Context()); err == nil {
		t.Error("a program that is not there gives a token")
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	if _, err := token.File(path).Token(t.Context()); err == nil {
		t.Error("a file that is not there gives a token")
	}
	for text, want := range map[string]string{"tok\n": "tok", "tok\r\n": "tok", "tok": "tok", "": "", "a\nb\n": "", strings.Repeat("x", 20_000): ""} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := token.File(path).Token(t.Context()); got != want || (err == nil) != (want != "") {
			t.Errorf("%.20q: %q %v", text, got, err)
		}
	}
}

// provider is a token provider.
type provider struct {
	*httptest.Server
	mu     sync.Mutex
	asked  []url.Values
	answer func(n int, form url.Values) (code int, body string)
}

func provide(t *testing.T, answer func(n int, form url.Values) (int, string)) *provider {
	t.Helper()
	p := &provider{answer: answer}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		p.mu.Lock()
		p.asked = append(p.asked, r.PostForm)
		n := len(p.asked)
		p.mu.Unlock()
		code, body := p.answer(n, r.PostForm)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		if _, err := w.Write([]byte(body)); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *provider) forms() []url.Values {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked
}

// watch is a clock that is set by hand.
type watch struct{ now time.Time }

func (w *watch) Now() time.Time { return w.now }

func ask(t *testing.T, r *token.Refresher, want string) {
	t.Helper()
	if got, err := r.Token(t.Context()); got != want || err != nil {
		t.Fatalf("token %q, %v; want %q", got, err, want)
	}
}

func TestRefreshing(t *testing.T) {
	p := provide(t, func(n int, _ url.Values) (int, string) {
		return 200, fmt.Sprintf(`{"access_token":"tok%d","token_type":"Bearer","expires_in":3600}`, n)
	})
	clock := &watch{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	r := token.NewRefresher(token.OAuth{
		TokenURL: p.URL, ClientID: "id", ClientSecret: "secret", RefreshToken: "refresh", Scopes: []string{"mail", "offline"}, Now: clock.Now,
	})
	ask(t, r, "tok1")
	clock.now = clock.now.Add(54 * time.Minute)
	ask(t, r, "tok1")
	clock.now = clock.now.Add(2 * time.Minute) // it would end in four
	ask(t, r, "tok2")
	r.Refused("tok1") // an outdated report
	ask(t, r, "tok2")
	r.Refused("tok2")
	ask(t, r, "tok3")
	forms := p.forms()
	if len(forms) != 3 {
		t.Fatalf("asked %d times", len(forms))
	}
	for _, f := range forms {
		if f.Get("grant_type") != "refresh_token" || f.Get("refresh_token") != "refresh" || f.Get("client_id") != "id" || f.Get("client_secret") != "secret" || f.Get("scope") != "mail offline" {
			t.Errorf("asked with %v", f)
		}
	}
}

// A token that lasts only minutes is not fetched again for each login.
func TestBriefTokens(t *testing.T) {
	p := provide(t, func(n int, _ url.Values) (int, string) {
		return 200, fmt.Sprintf(`{"access_token":"tok%d","expires_in":"120"}`, n)
	})
	clock := &watch{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	r := token.NewRefresher(token.OAuth{TokenURL: p.URL, ClientID: "id", RefreshToken: "refresh", Now: clock.Now})
	ask(t, r, "tok1")
	clock.now = clock.now.Add(59 * time.Second)
	ask(t, r, "tok1")
	clock.now = clock.now.Add(2 * time.Second)
	ask(t, r, "tok2")
}

func TestClientCredentials(t *testing.T) {
	p := provide(t, func(int, url.Values) (int, string) { return 200, `{"access_token":"tok","expires_in":3600}` })
	r := token.NewRefresher(token.OAuth{TokenURL: p.URL, ClientID: "id", ClientSecret: "secret", Scopes: []string{"https://outlook.example/.default"}})
	ask(t, r, "tok")
	ask(t, r, "tok")
	forms := p.forms()
	if len(forms) != 1 || forms[0].Get("grant_type") != "client_credentials" || forms[0].Get("scope") != "https://outlook.example/.default" {
		t.Errorf("asked with %v", forms)
	}
}

// Some providers replace the refresh token at each use and invalidate the old one.
func TestRefreshTokenIsKept(t *testing.T) {
	p := provide(t, func(n int, f url.Values) (int, string) {
		if f.Get("refresh_token") != fmt.Sprintf("r%d", n-1) {
			return 400, `{"error":"invalid_grant"}`
		}
		return 200, fmt.Sprintf(`{"access_token":"tok%d","expires_in":3600,"refresh_token":"r%d"}`, n, n)
	})
	path := filepath.Join(t.TempDir(), "refresh")
	if err := os.WriteFile(path, []byte("r0\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	log := slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	o := token.OAuth{TokenURL: p.URL, ClientID: "id", RefreshTokenFile: path, Log: log}
	first := token.NewRefresher(o)
	ask(t, first, "tok1")
	first.Refused("tok1")
	ask(t, first, "tok2")
	ask(t, token.NewRefresher(o), "tok3") // after a restart
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "r3\n" {
		t.Errorf("kept %q, %v", text, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	// Without a file it is remembered, and a warning says if it cannot be stored.
	p2 := provide(t, p.answer)
	r := token.NewRefresher(token.OAuth{TokenURL: p2.URL, ClientID: "id", RefreshToken: "r0"})
	ask(t, r, "tok1")
	r.Refused("tok1")
	ask(t, r, "tok2")
	for _, secret := range []string{"tok1", "tok2", "r1", "r2", "r3"} {
		if strings.Contains(logged.String(), "="+secret) {
			t.Errorf("logged:\n%s", logged.String())
		}
	}
}

func TestRefreshTrouble(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	for name, c := range map[string]struct {
		code  int
		body  string
		url   string
		say   string
		hint  string
		later bool
	}{
		"ended":       {code: 400, body: `{"error":"invalid_grant","error_description":"Token refr3sh has been expired.\u001b"}`, say: "invalid_grant Token (hidden) has been expired.", hint: "log in at the provider once more"},
		"client":      {code: 401, body: `{"error":"invalid_client"}`, say: "status 401", hint: "client_id"},
		"scope":       {code: 400, body: `{"error":"invalid_scope"}`, say: "invalid_scope", hint: "scopes"},
		"busy":        {code: 503, body: `s3cr3t`, say: "status 503", later: true},
		"slower":      {code: 429, body: `{}`, say: "status 429", later: true},
		"no token":    {code: 200, body: `{"token_type":"x"}`, say: "cannot be read", hint: "token_url"},
		"no JSON":     {code: 200, body: `<html>s3cr3t`, say: "cannot be read", hint: "token_url"},
		"elsewhere":   {code: 302, body: ``, say: "status 302"},
		"unreachable": {url: gone.URL, say: "connection refused", hint: "token_url", later: true},
	} {
		t.Run(name, func(t *testing.T) {
			if c.url == "" {
				c.url = provide(t, func(int, url.Values) (int, string) { return c.code, c.body }).URL
			}
			_, err := token.NewRefresher(token.OAuth{TokenURL: c.url, ClientID: "id", ClientSecret: "s3cr3t", RefreshToken: "refr3sh"}).Token(t.Context())
			var e *token.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.say) || !strings.Contains(e.Hint(), c.hint) || e.Temporary() != c.later {
				t.Fatalf("error %v, hint %q, temporary %v", err, e.Hint(), e.Temporary())
			}
			if strings.Contains(err.Error(), "s3cr3t") || strings.Contains(err.Error(), "refr3sh") || strings.Contains(err.Error(), "\x1b") {
				t.Errorf("the error says too much: %q", err)
			}
		})
	}
}

// A silent provider blocks no caller.
func TestSilentProvider(t *testing.T) {
	free := make(chan struct{})
	p := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-free }))
	defer p.Close()
	defer close(free)
	r := token.NewRefresher(token.OAuth{TokenURL: p.URL, ClientID: "id", RefreshToken: "refresh", Limit: 20 * time.Millisecond})
	_, err := r.Token(t.Context())
	var e *token.Error
	if !errors.As(err, &e) || !e.Temporary() {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Token(ctx); err == nil {
		t.Error("a token after the end")
	}
}
