//go:build integration

package realmail_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestRealTokens has a daemon log in by OAuth tokens to real mail servers, which check
// them with the provider. XOAUTH2 and OAUTHBEARER are each used for a mailbox and for
// outgoing mail.
func TestRealTokens(t *testing.T) {
	s := realServers(t).world(t, "login")
	p := newProvider(t, s)
	bin, dir := build(t), t.TempDir()
	newGame(t, s, bin, filepath.Join(dir, "games", "wolf"), "starpost", "big-bad-wolf", "Hood=ann")
	newGame(t, s, bin, filepath.Join(dir, "games", "cub"), "club", "big-bad-wolf", "Hood=bob")
	ways := map[string]string{"imap starpost": "xoauth2", "smtp starpost": "oauthbearer", "imap club": "oauthbearer", "smtp club": "xoauth2"}
	byGrant := func(server, user string) string {
		secret := filepath.Join(dir, user+"."+server)
		write(t, secret, "refresh-"+user+"\n")
		return fmt.Sprintf("auth = %q\noauth = { token_url = \"http://%s/token\", client_id = \"starpost\", refresh_token_file = %q }\n", ways[server+" "+user], p.addr, secret)
	}
	file := configureBy(t, s, dir, byGrant)
	addMailbox(t, s, file, "club", byGrant)
	if out, err := run(t.Context(), dir, nil, "", bin, "doctor", "--config", file); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	d := newDaemon(t, bin, file)
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := lasting(t)
	defer cancel()
	ann, bob := person(t, s, "ann"), person(t, s, "bob")
	for _, c := range []*captain{ann, bob} {
		first := c.await(ctx, t, "begins")
		c.reply(ctx, t, first, first.orders(t, ""))
	}
	for _, c := range []*captain{ann, bob} {
		c.await(ctx, t, "accepted")
	}
	if err := d.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if given, asked := p.counts(); given < 4 || asked < 4 {
		t.Errorf("%d tokens were given, and servers asked about %d", given, asked)
	}
	log, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil || strings.Contains(string(log), "access-") || strings.Contains(string(log), "refresh-") {
		t.Errorf("the log holds a token: %v", err)
	}

	// A forged token, and one that belongs to another user.
	for _, token := range []string{"access-forged", p.give("ann")} {
		stale := filepath.Join(dir, "stale")
		write(t, stale, token+"\n")
		byToken := func(server, user string) string {
			return fmt.Sprintf("auth = %q\ntoken_file = %q\n", ways[server+" "+user], stale)
		}
		bad := configureBy(t, s, dir, byToken)
		addMailbox(t, s, bad, "club", byToken)
		_, err := run(ctx, dir, nil, "", bin, "doctor", "--config", bad)
		if err == nil || strings.Contains(err.Error(), token) || strings.Count(err.Error(), "BAD ") != 4 || strings.Count(err.Error(), "The token must be new, for this very user") != 4 {
			t.Errorf("doctor with the token %s: %v", token, err)
		}
	}
}

// provider issues access tokens, and tells servers the owner of each.
type provider struct {
	addr         string
	s            *servers
	mu           sync.Mutex
	owners       map[string]string // addresses by access token
	given, asked int
}

// newProvider starts a provider at the address where servers check tokens.
func newProvider(t *testing.T, s *servers) *provider {
	t.Helper()
	p := &provider{addr: os.Getenv("STARPOST_TEST_TOKENS"), s: s, owners: map[string]string{}}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", p.addr)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		user, ok := strings.CutPrefix(r.FormValue("refresh_token"), "refresh-")
		if !ok {
			http.Error(w, `{"error":"invalid_grant"}`, http.StatusBadRequest)
			return
		}
		tell(t, w, map[string]any{"access_token": p.give(user), "token_type": "Bearer", "expires_in": 3600})
	})
	mux.HandleFunc("POST /introspect", func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.asked++
		owner, ok := p.owners[r.FormValue("token")]
		p.mu.Unlock()
		tell(t, w, map[string]any{"active": ok, "username": owner})
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	t.Cleanup(func() {
		shut(server)
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return p
}

// give issues a token for a user.
func (p *provider) give(user string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.given++
	token := fmt.Sprintf("access-%s-%d", user, p.given)
	p.owners[token] = p.s.address(user)
	return token
}

// counts returns how many tokens were issued, and how often servers asked.
func (p *provider) counts() (given, asked int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.given, p.asked
}

func tell(t *testing.T, w http.ResponseWriter, answer any) {
	t.Helper()
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		t.Error(err)
	}
}
