package daemon_test

import (
	"testing"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// TestResultsOfOurServerAreTrusted: results of the configured mail server are trusted, and results
// that a sender forges under its name are not.
func TestResultsOfOurServerAreTrusted(t *testing.T) {
	const (
		results  = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org"
		received = "Received: from mail.example.org by mx.example.org with ESMTP"
	)
	for _, c := range []struct {
		name    string
		trust   config.Trust
		headers []string
		stored  bool
	}{
		{"believed", config.Trust{AuthservIDs: []string{"mx.example.org"}}, []string{results, received}, true},
		{"not configured", config.Trust{}, []string{results, received}, false},
		{"written by the sender", config.Trust{AuthservIDs: []string{"mx.example.org"}}, []string{received, results}, false},
		{"within the hops", config.Trust{AuthservIDs: []string{"mx.example.org"}, Hops: 1}, []string{received, results}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.cfg.Trust = c.trust
			g := w.game("wolf", schedule())
			w.clock.Advance(time.Hour)
			date := "Date: " + w.clock.Now().Format(time.RFC1123Z)
			w.box.put(w.mail(kirk, "#orders wolf turn 1 ship Hood\npower\n  shields 2:4\n#end\n", append(c.headers, date)...))
			sent := w.run()
			orders, err := g.Orders.For(vault.At(1))
			if err != nil {
				t.Fatal(err)
			}
			if got := len(orders) == 1; got != c.stored {
				t.Errorf("stored: %v; sent %+v", got, sent)
			}
			if !c.stored {
				return
			}
			entries, err := w.load("wolf").Journal.Entries()
			if err != nil || len(entries) != 1 || entries[0].Kind != journal.Proof || !entries[0].Captain.Is("Kirk") {
				t.Errorf("journal %+v, %v", entries, err)
			}
		})
	}
}
