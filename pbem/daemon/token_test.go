package daemon_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"starpost/pbem/config"
	"starpost/pbem/fault"
	"starpost/pbem/loopback"
	"starpost/pbem/transport"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// The daemon logs in by OAuth 2.0 on both sides with one grant. A rejected token is replaced, and
// nothing secret is logged at any level.
func TestDaemonByToken(t *testing.T) {
	for _, auth := range []string{transport.XOAuth2, transport.OAuthBearer} {
		t.Run(auth, func(t *testing.T) {
			var asked atomic.Int32
			provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.FormValue("refresh_token") != "s3cr3t-refresh" || r.FormValue("client_secret") != "s3cr3t-client" {
					t.Errorf("asked with %v", r.PostForm)
				}
				w.Header().Set("Content-Type", "application/json")
				if _, err := fmt.Fprintf(w, `{"access_token":"s3cr3t-token-%d","expires_in":3600}`, asked.Add(1)); err != nil {
					t.Error(err)
				}
			}))
			defer provider.Close()
			w := newWorld(t)
			var logged bytes.Buffer
			w.log = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
			s := w.onServers(loopback.Options{RequireLogin: true, CheckToken: func(user, token string) bool {
				return user == robot && token == "s3cr3t-token-2" // the first one is revoked at once
			}})
			for _, server := range []*config.Server{&w.cfg.IMAP.Server, &w.cfg.SMTP} {
				server.Auth, server.Password = auth, config.Secret{}
				server.OAuth = &config.OAuth{
					TokenURL: provider.URL, ClientID: "id", ClientSecret: config.NewSecret("s3cr3t-client"),
					RefreshToken: config.NewSecret("s3cr3t-refresh"), Scopes: []string{"mail"},
				}
			}
			g := w.game("wolf", schedule())
			if err := s.Deliver(kirk, robot, []byte(w.order(g, "Kirk", "final"))); err != nil {
				t.Fatal(err)
			}
			d := w.openReal()
			_, err := d.Once(t.Context())
			if err == nil || !strings.Contains(err.Error(), "scope https://mail.example.org/") || !strings.Contains(fault.Hint(err), "cover the scope") {
				t.Errorf("with the first token: %v, hint %q", err, fault.Hint(err))
			}
			w.log.Error("run", "err", err)
			_, err = d.Once(t.Context())
			if err := errors.Join(err, d.Close()); err != nil {
				t.Fatal(err)
			}
			if files, err := g.Orders.For(vault.At(1)); err != nil || len(files) != 1 {
				t.Errorf("orders %v %v", files, err)
			}
			if n := asked.Load(); n != 2 {
				t.Errorf("the provider was asked %d times", n)
			}
			for _, secret := range []string{"s3cr3t", turn.Key(g, 1, "Kirk"), turn.Key(g, 1, "Kor")} {
				if i := strings.Index(logged.String(), secret); i >= 0 {
					t.Errorf("logged: %.200s", logged.String()[max(0, i-100):])
				}
			}
		})
	}
}

// A configuration printed in full shows no secret either.
func TestConfigurationShowsNoSecret(t *testing.T) {
	w := newWorld(t)
	w.cfg.SMTP = config.Server{
		Password: config.NewSecret("s3cr3t"), Token: config.NewSecret("s3cr3t"),
		OAuth: &config.OAuth{ClientSecret: config.NewSecret("s3cr3t"), RefreshToken: config.NewSecret("s3cr3t")},
	}
	var logged bytes.Buffer
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("configuration", "config", w.cfg, "oauth", *w.cfg.SMTP.OAuth)
	fmt.Fprintf(&logged, "%v %+v %#v %x", w.cfg, w.cfg, *w.cfg.SMTP.OAuth, w.cfg.SMTP.Token)
	if strings.Contains(logged.String(), "s3cr3t") || strings.Contains(logged.String(), fmt.Sprintf("%x", "s3cr3t")) {
		t.Errorf("shown:\n%s", logged.String())
	}
}
