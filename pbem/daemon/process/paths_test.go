package process_test

import (
	"testing"

	"starpost/pbem/config"
	"starpost/pbem/daemon/process"
	"starpost/pbem/outgoing"
)

// A mail reveals neither a game's directory nor the place of its database, except to the host.
func TestMailsTellNoPlaces(t *testing.T) {
	const url = "postgres://starpost@db1:5432,db2/club?sslmode=verify-full&sslrootcert=/etc/starpost/ca.pem"
	cfg := &config.Config{State: "/var/lib/starpost/state", File: "/etc/starpost/starpost.toml", Referee: "host@example.org", Store: &config.Store{URL: url}}
	s := process.NewShortener(cfg, []string{"/srv/games/wolf", "postgres:starpost@db1:5432,db2/club/lynx", "postgres:starpost@db1:5432,db2/club/bear"})
	const resume = "starpost referee lynx resume --store '" + url + "'"
	for said, want := range map[string]string{
		"open /srv/games/wolf/game.toml: no space":                                        "open wolf/game.toml: no space",
		"write a line in postgres:starpost@db1:5432,db2/club/lynx/journal.jsonl: cut off": "write a line in lynx/journal.jsonl: cut off",
		"postgres:starpost@db1:5432,db2/club/bear":                                        "bear",
		"read /var/lib/starpost/state/ledger.db":                                          "read state/ledger.db",
		"a club, and 1/2 of it":                                                           "a club, and 1/2 of it",
		resume:                                                                            "starpost referee lynx resume",
	} {
		if got := s.Mail(outgoing.Message{Text: said}).Text; got != want {
			t.Errorf("%q: got %q, want %q", said, got, want)
		}
	}
	if got := s.Mail(outgoing.Message{To: outgoing.Address{Addr: "host@example.org"}, Text: resume + ", see /srv/games/wolf/x"}).Text; got != resume+", see wolf/x" {
		t.Errorf("the host got %q", got)
	}
}
