package dnscheck_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"starpost/pbem/dnscheck"
	"starpost/pbem/dnscheck/fakedns"
	"starpost/pbem/fault"
)

// zone has a good domain (example.org), and many bad ones.
const zone = `
example.org.                     MX   10 mail.example.org.
example.org.                     TXT  "site-verification=1"
example.org.                     TXT  "v=spf1 mx ip6:2001:db8::/32 include:relay.example.net -all"
_dmarc.example.org.              TXT  "v=DMARC1; p=quarantine; rua=mailto:host@example.org"
mail.example.org.                A    192.0.2.1
mail.example.org.                AAAA 2001:db8::1
1.2.0.192.in-addr.arpa.          PTR  mail.example.org.
1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa. PTR mail.example.org.
sp._domainkey.example.org.       TXT  "v=DKIM1; k=rsa; p=AAAA" "BBBB"
old._domainkey.example.org.      TXT  "v=DKIM1; k=rsa; p=CCCC"
relay.example.net.               TXT  "v=spf1 ip4:198.51.100.0/24 ~all"
relay.example.net.               A    198.51.100.7
7.100.51.198.in-addr.arpa.       PTR  other.example.net.
other.example.net.               A    198.51.100.8
nameless.example.net.            A    203.0.113.9

two.example.                     TXT  "v=spf1 -all"
two.example.                     TXT  "v=spf1 mx -all"
_dmarc.two.example.              TXT  "v=DMARC1; p=none"
_dmarc.two.example.              TXT  "v=DMARC1; p=reject"
open.example.                    TXT  "v=spf1 +all"
_dmarc.open.example.             TXT  "v=DMARC1; sp=none"
typo.example.                    TXT  "v=spf1 ipv4:192.0.2.1 -all"
bits.example.                    TXT  "v=spf1 ip4:192.0.2.300 -all"
loop.example.                    TXT  "v=spf1 include:loop.example -all"
moved.example.                   TXT  "v=spf1 redirect=example.org"
near.example.                    TXT  "v=spf1 a:other.example.net/30 exists:%{i}.x.example ?all"
lost.example.                    TXT  "v=spf1 include:nowhere.example -all"
null.example.                    MX   0 .
stray.example.                   MX   10 nowhere.example.
plain.example.                   A    192.0.2.2
`

func resolver(t *testing.T, zone string) dnscheck.Resolver {
	t.Helper()
	s, err := fakedns.Start(zone)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return dnscheck.Resolver{Server: s.Addr, Timeout: time.Minute}
}

// TestRecords: each kind of record, and each mistake that makes receivers refuse mails or lose
// replies.
func TestRecords(t *testing.T) {
	r := resolver(t, zone)
	const key = "v=DKIM1; k=rsa; p=AAAABBBB"
	spf := func(domain, host string) func(context.Context) (string, error) {
		return func(ctx context.Context) (string, error) { return r.SPF(ctx, domain, host) }
	}
	of := func(look func(context.Context, string) (string, error), domain string) func(context.Context) (string, error) {
		return func(ctx context.Context) (string, error) { return look(ctx, domain) }
	}
	dkim := func(domain, selector string) func(context.Context) (string, error) {
		return func(ctx context.Context) (string, error) { return r.DKIM(ctx, domain, selector, key) }
	}
	for name, test := range map[string]struct {
		look       func(context.Context) (string, error)
		found, bad string // one of them
	}{
		"spf by mx":              {spf("example.org", "mail.example.org"), "(2 of 10 look-ups); passes for mail.example.org", ""},
		"spf by include":         {spf("example.org", "relay.example.net"), "passes for relay.example.net", ""},
		"spf by address":         {spf("example.org", "2001:db8::7"), "passes for 2001:db8::7", ""},
		"spf of another":         {spf("example.org", "nameless.example.net"), "says fail for nameless.example.net", ""},
		"spf of nobody":          {spf("example.org", ""), "v=spf1 mx", ""},
		"spf by redirect":        {spf("moved.example", "mail.example.org"), "(3 of 10 look-ups); passes", ""},
		"spf beside a host":      {spf("near.example", "198.51.100.9"), "(2 of 10 look-ups); passes", ""},
		"spf far from it":        {spf("near.example", "198.51.100.200"), "says neutral for", ""},
		"no spf":                 {spf("plain.example", ""), "", "plain.example does not say which machines"},
		"two spf":                {spf("two.example", ""), "", "two.example has 2 SPF records"},
		"spf for everybody":      {spf("open.example", ""), "", "open.example lets every machine send"},
		"spf with a mistake":     {spf("typo.example", ""), "", "an invalid term: ipv4:192.0.2.1"},
		"spf without an address": {spf("bits.example", ""), "", "an invalid term: ip4:192.0.2.300"},
		"spf in a circle":        {spf("loop.example", ""), "", "more than 10 look-ups"},
		"spf of one not there":   {spf("lost.example", ""), "", "nowhere.example has 0 SPF records"},
		"dmarc":                  {of(r.DMARC, "example.org"), "p=quarantine", ""},
		"dmarc above":            {of(r.DMARC, "battles.club.example.org"), "at _dmarc.example.org", ""},
		"no dmarc":               {of(r.DMARC, "plain.example"), "none; publish _dmarc.plain.example", ""},
		"two dmarc":              {of(r.DMARC, "two.example"), "", "has 2 records"},
		"dmarc without policy":   {of(r.DMARC, "open.example"), "", "which has no policy"},
		"dkim":                   {dkim("example.org", "sp"), "is the one that signs", ""},
		"dkim of another key":    {dkim("example.org", "old"), "", "is not the one that signs"},
		"no dkim":                {dkim("example.org", "new"), "", "has 0 TXT records"},
		"mx":                     {of(r.MX, "example.org"), "mail.example.org", ""},
		"mx of a host":           {of(r.MX, "plain.example"), "mail goes to plain.example itself", ""},
		"null mx":                {of(r.MX, "null.example"), "", "it accepts no mail"},
		"mx to nowhere":          {of(r.MX, "stray.example"), "", "goes to nowhere.example, which has no address"},
		"no mx":                  {of(r.MX, "nowhere.example"), "", "no server accepts mail"},
		"reverse":                {of(r.Reverse, "mail.example.org"), "192.0.2.1 is mail.example.org, 2001:db8::1 is mail.example.org", ""},
		"reverse of another":     {of(r.Reverse, "relay.example.net"), "", "the reverse name of 198.51.100.7, other.example.net, does not lead back"},
		"no reverse":             {of(r.Reverse, "nameless.example.net"), "", "203.0.113.9 has no reverse name"},
		"no host":                {of(r.Reverse, "nowhere.example"), "", "nowhere.example has no address"},
		"a server in trouble":    {of(r.MX, "broken.example"), "", "says SERVFAIL about broken.example"},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := test.look(t.Context())
			if test.bad == "" {
				if err != nil || !strings.Contains(found, test.found) {
					t.Errorf("got %q, %v, want %q", found, err, test.found)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.bad) {
				t.Errorf("got %q, %v, want an error %q", found, err, test.bad)
			} else if fault.Hint(err) == "" {
				t.Errorf("%v: no way out", err)
			}
		})
	}
}

// An answer that is too long for a datagram is requested again.
func TestLongRecords(t *testing.T) {
	long := "v=spf1 " + strings.Repeat("ip4:192.0.2.0/24 ", 60) + "-all"
	var parts strings.Builder
	for rest := long; rest != ""; {
		n := min(len(rest), 200)
		parts.WriteString(` "` + rest[:n] + `"`)
		rest = rest[n:]
	}
	r := resolver(t, "long.example. TXT"+parts.String()+"\n")
	if found, err := r.SPF(t.Context(), "long.example", "192.0.2.77"); err != nil || !strings.Contains(found, "passes for 192.0.2.77") {
		t.Errorf("got %q, %v", found, err)
	}
}

// A missing server is reported as such.
func TestNoServer(t *testing.T) {
	s, err := fakedns.Start("")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = dnscheck.Resolver{Server: s.Addr}.MX(t.Context(), "example.org")
	if err == nil || !strings.Contains(err.Error(), "does not answer about example.org") || fault.Hint(err) == "" {
		t.Errorf("got %v", err)
	}
}
