package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/dkim"
	"starpost/pbem/dnscheck/fakedns"
	"starpost/pbem/fault"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlite"
)

// signingKey returns a new key and its record.
func signingKey(t *testing.T) (text []byte, record string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "dkim")
	key, _, err := dkim.KeyIn(file)
	if err != nil {
		t.Fatal(err)
	}
	if text, err = os.ReadFile(file); err != nil {
		t.Fatal(err)
	}
	if record, err = key.Record(); err != nil {
		t.Fatal(err)
	}
	return text, record
}

// settings returns the configuration of a host at example.org that sends through a server.
func settings(t *testing.T, smtp, more string) *config.Config {
	t.Helper()
	c, err := config.Parse("starpost.toml", fmt.Appendf(nil, `
address = "battles@example.org"
state = "state"
games = ["games/*"]
[imap]
host = "127.0.0.1"
tls = "none"
user = "battles"
password_env = "PASSWORD"
[smtp]
host = %q
%s`, smtp, more), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// looks returns the checks by what they are about.
func looks(t *testing.T, c *config.Config, server string) map[string]watch.Check {
	t.Helper()
	out := map[string]watch.Check{}
	Sending(t.Context(), c, server, func(check watch.Check) { out[check.What] = check })
	return out
}

func zone(t *testing.T, text string) string {
	t.Helper()
	s, err := fakedns.Start(text)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s.Addr
}

// TestSending: a host with correct records is told so, and one without is told what to publish.
func TestSending(t *testing.T) {
	text, record := signingKey(t)
	c := settings(t, "mail.example.org", "[dkim]\nselector = \"sp\"\nkey_file = \"dkim\"\n")
	c.DKIM.Key = config.NewSecret(string(text))
	good := zone(t, `
example.org. MX 10 mail.example.org.
example.org. TXT "v=spf1 a:mail.example.org -all"
_dmarc.example.org. TXT "v=DMARC1; p=reject"
mail.example.org. A 192.0.2.1
1.2.0.192.in-addr.arpa. PTR mail.example.org.
sp._domainkey.example.org. TXT "`+record[:200]+`" "`+record[200:]+`"
`)
	all := looks(t, c, good)
	for what, want := range map[string]string{
		"MX of example.org": "mail.example.org", "SPF of example.org": "passes for mail.example.org", "DMARC of example.org": "p=reject",
		"DKIM of example.org": "is the one that signs", "reverse name of mail.example.org": "192.0.2.1 is mail.example.org", "mails sent": "none yet",
	} {
		if check := all[what]; !check.OK() || !strings.Contains(check.Found, want) {
			t.Errorf("%s: %+v, want %q", what, check, want)
		}
	}
	empty := zone(t, "mail.example.org. A 192.0.2.1\n")
	for what, check := range looks(t, c, empty) {
		if bad := what != "mails sent" && what != "DMARC of example.org"; check.OK() == bad || bad && check.Hint == "" {
			t.Errorf("of a domain without records %+v", check)
		}
	}
}

// TestSendingAsksNobodyAboutReservedNames: names for tests are not looked up on the net, and an invalid server is
// reported.
func TestSendingAsksNobodyAboutReservedNames(t *testing.T) {
	c := settings(t, "localhost", "tls = \"none\"\n")
	if check := looks(t, c, "")["records of example.org"]; !check.OK() || !strings.Contains(check.Found, "not checked") {
		t.Errorf("%+v", check)
	}
	if check := looks(t, c, "mail.example.org")["records of example.org"]; check.OK() || check.Hint == "" {
		t.Errorf("%+v", check)
	}
	own := zone(t, "example.org. MX 10 example.org.\nexample.org. A 192.0.2.1\n")
	all := looks(t, c, own)
	if check := all["reverse name of localhost"]; !check.OK() || !strings.Contains(check.Found, "on this machine") {
		t.Errorf("%+v", check)
	}
	if check := all["DKIM of example.org"]; !check.OK() || !strings.Contains(check.Found, "not signed here") {
		t.Errorf("%+v", check)
	}
}

// TestRates: mails of the last month are counted, bounces are reported as a share, with the provider's limit.
func TestRates(t *testing.T) {
	c := settings(t, "smtp.mail.yahoo.com", "")
	if err := os.Mkdir(c.State, 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := sqlite.Open(filepath.Join(c.State, "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	send := func(name string, n int, at time.Time) {
		t.Helper()
		for i := range n {
			id := fmt.Sprintf("%s.%d@example.org", name, i)
			_, err := l.Queue(t.Context(), store.OutboxMessage{Kind: "report", MessageID: id, From: c.Address, To: "ann@example.net", Bytes: []byte("mail"), QueuedAt: at})
			if err != nil {
				t.Fatal(err)
			}
			queued, _, err := l.Message(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			if err := l.MarkSent(t.Context(), queued.ID, 1, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	says := func(ok bool, want string) {
		t.Helper()
		if check := looks(t, c, "127.0.0.1:1")["mails sent"]; check.OK() != ok || !strings.Contains(check.Found+check.Problem, want) || !ok && check.Hint == "" {
			t.Errorf("got %+v, want %q", check, want)
		}
	}
	send("old", 3, now.Add(-40*24*time.Hour))
	send("month", 60, now.Add(-3*24*time.Hour))
	send("day", 20, now.Add(-time.Hour))
	says(true, "20 in the last day, 80 in 30 days, of which 0 came back; Yahoo takes 500 recipients a day (")
	for i := range 5 {
		if _, err := l.RecordBounce(t.Context(), store.Bounce{Cause: fmt.Sprint(i), MessageID: fmt.Sprintf("day.%d@example.org", i), Address: "ann@example.net", At: now, Permanent: true}); err != nil {
			t.Fatal(err)
		}
	}
	says(false, "of which 5 came back; Yahoo takes 500 recipients a day (help.yahoo.com, SLN17518, as of November 2026): 6 per cent")
	send("many", 400, now.Add(-time.Hour))
	says(false, "near the limit")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestTrialTellsWhatTheReceiverFound: failures are reported with a remedy.
func TestTrialTellsWhatTheReceiverFound(t *testing.T) {
	const head, rest = "Authentication-Results: mx.example.org; ", "\r\nFrom: battles@example.org\r\nSubject: a\r\n\r\nText\r\n"
	for results, want := range map[string]string{
		"spf=pass smtp.mailfrom=example.org; dkim=none; dmarc=pass header.from=example.org": "",
		"spf=pass smtp.mailfrom=example.org; dkim=fail; dmarc=pass header.from=example.org": "starpost dkim",
		"spf=softfail smtp.mailfrom=example.org":                                            "the domain's SPF record",
		"dmarc=fail header.from=example.org":                                                "as DMARC requires",
	} {
		found, err := tryTrial([]byte(head + results + rest))
		switch {
		case want == "" && (err != nil || found != "mx.example.org found spf=pass, dkim=none, dmarc=pass"):
			t.Errorf("%s: %q, %v", results, found, err)
		case want != "" && (err == nil || !strings.Contains(fault.Hint(err), want)):
			t.Errorf("%s: %q, %v, want a way out with %q", results, found, err, want)
		}
	}
	if found, err := tryTrial([]byte(strings.TrimPrefix(rest, "\r\n"))); err != nil || !strings.Contains(found, "wrote no Authentication-Results") {
		t.Errorf("%q, %v", found, err)
	}
}
