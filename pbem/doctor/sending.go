package doctor

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/dnscheck"
	"starpost/pbem/fault"
	"starpost/pbem/store/hosted"
	"starpost/pbem/store/sqlstore"
	"starpost/pbem/transport"
)

// Sending checks what decides whether receivers accept our mails: DNS, asked at a name server ("host" or
// "host:port"; "" for the system's), the limits of the sending provider, and how many mails bounced. Names reserved
// for tests and examples are only looked up at an explicit name server.
func Sending(ctx context.Context, c *config.Config, server string, tell func(watch.Check)) {
	look := func(what string, f func() (string, error)) {
		found, err := f()
		tell(watch.Checked(what, found, err))
	}
	asked, err := nameServer(server)
	for _, box := range c.Mailboxes() {
		_, domain, _ := strings.Cut(box.Address, "@")
		host := box.SMTP.Host
		switch {
		case server == "" && reserved(domain):
			look("records of "+domain, func() (string, error) {
				return "not checked: the name is reserved for private use, tests or examples", nil
			})
			continue
		case err != nil:
			look("records of "+domain, func() (string, error) { return "", err })
			continue
		}
		sender := host
		if transport.IsLoopback(host) {
			sender = "" // its sending address is unknown
		}
		look("MX of "+domain, func() (string, error) { return asked.MX(ctx, domain) })
		look("SPF of "+domain, func() (string, error) { return asked.SPF(ctx, domain, sender) })
		look("DMARC of "+domain, func() (string, error) { return asked.DMARC(ctx, domain) })
		look("DKIM of "+domain, func() (string, error) { return tryKey(ctx, asked, box.DKIM) })
		look("reverse name of "+host, func() (string, error) {
			if sender == "" {
				return "not checked: the mail server is on this machine, and its public address is unknown", nil
			}
			return asked.Reverse(ctx, host)
		})
	}
	look("mails sent", func() (string, error) { return tryRates(ctx, c, time.Now()) })
}

// nameServer returns the resolver to ask.
func nameServer(server string) (dnscheck.Resolver, error) {
	if server == "" {
		return dnscheck.System()
	}
	if _, err := netip.ParseAddrPort(server); err == nil {
		return dnscheck.Resolver{Server: server}, nil
	}
	a, err := netip.ParseAddr(server)
	if err != nil {
		return dnscheck.Resolver{}, fault.New("give an address such as 9.9.9.9, or 127.0.0.1:5353", "%q is not the address of a name server", server)
	}
	return dnscheck.Resolver{Server: netip.AddrPortFrom(a, 53).String()}, nil
}

// reserved reports whether no public name server can know a domain (RFC 2606, RFC 6761, RFC 6762, RFC 9476).
func reserved(domain string) bool {
	labels := strings.Split(strings.ToLower(strings.TrimSuffix(domain, ".")), ".")
	last := labels[len(labels)-1]
	if len(labels) < 2 || slices.Contains([]string{"test", "example", "invalid", "localhost", "local", "alt", "internal"}, last) {
		return true
	}
	return labels[len(labels)-2] == "example" && slices.Contains([]string{"com", "net", "org"}, last)
}

// tryKey compares the published key with the signing key.
func tryKey(ctx context.Context, r dnscheck.Resolver, d *config.DKIM) (string, error) {
	signer, err := d.Signer()
	if err != nil {
		return "", err
	}
	if d == nil {
		return "mails are not signed here; for the mail server's signature see what the receiver found", nil
	}
	record, err := signer.Key.Record()
	if err != nil {
		return "", err
	}
	return r.DKIM(ctx, d.Domain, d.Selector, record)
}

// The share of bounced mails, from a minimum number on, at which providers begin to distrust a sender. Amazon SES
// reviews accounts from 5% on: its developer guide, "Bounce and complaint rates".
const (
	leastBounces  = 5
	bouncePercent = 5
)

// tryRates reports how many mails were sent and bounced, and the provider's limits.
func tryRates(ctx context.Context, c *config.Config, now time.Time) (string, error) {
	var day, month sqlstore.Rates
	known := false
	err := hosted.View(ctx, c, func(l *sqlstore.Store) (err error) {
		known = true
		if day, err = l.RatesSince(ctx, now.Add(-24*time.Hour)); err == nil {
			month, err = l.RatesSince(ctx, now.Add(-30*24*time.Hour))
		}
		return err
	})
	if err != nil {
		return "", err
	}
	if !known {
		return "none yet" + limitWords(c), nil
	}
	words := fmt.Sprintf("%d in the last day, %d in 30 days, of which %d came back%s", day.Sent, month.Sent, month.Bounced, limitWords(c))
	if month.Bounced >= leastBounces && month.Bounced*100 >= month.Sent*bouncePercent {
		return "", fault.New("fix the failing addresses above, since providers distrust senders with many bounces; give no seat to an address that has never sent a mail", "%s: %d per cent", words, month.Bounced*100/max(1, month.Sent))
	}
	for _, box := range c.Mailboxes() {
		// With several mailboxes this counts all their mails: better too early than too late.
		if p, ok := providerOf(box.SMTP.Host); ok && day.Sent*10 >= p.perDay*8 {
			return "", fault.New("play more slowly, or use another provider; mails above the limit wait and go out later", "%s: near the limit", words)
		}
	}
	return words, nil
}

// limitWords describes the limits of the sending providers.
func limitWords(c *config.Config) string {
	var b strings.Builder
	for _, box := range c.Mailboxes() {
		if p, ok := providerOf(box.SMTP.Host); ok {
			fmt.Fprintf(&b, "; %s takes %s (%s, as of %s)", p.name, p.limit, p.source, p.read)
		}
	}
	return b.String()
}

// provider is a provider that many hosts use, and its limit for one account.
type provider struct {
	hosts  []string // suffixes of its servers' names
	name   string
	perDay int    // maximum number of recipients in 24 hours
	limit  string // in words
	source string // the provider's own page
	read   string // when it was read: limits change without notice
}

// providers are those that publish their limits. Limits of trial accounts are lower.
var providers = []provider{
	{
		hosts: []string{"smtp.gmail.com", "smtp-relay.gmail.com"}, name: "Gmail", perDay: 2000,
		limit:  "2,000 mails a day of Google Workspace, 500 of other and trial accounts",
		source: "support.google.com/a/answer/166852", read: "November 2026",
	},
	{
		hosts: []string{"smtp.office365.com", "mail.protection.outlook.com"}, name: "Microsoft 365", perDay: 10000,
		limit:  "10,000 recipients a day and 30 mails a minute",
		source: "learn.microsoft.com/office365/servicedescriptions/exchange-online-service-description/exchange-online-limits", read: "November 2026",
	},
	{
		hosts: []string{"smtp.mail.yahoo.com", "smtp.bizmail.yahoo.com"}, name: "Yahoo", perDay: 500,
		limit:  "500 recipients a day",
		source: "help.yahoo.com, SLN17518", read: "November 2026",
	},
}

// providerOf returns the provider of a server.
func providerOf(host string) (provider, bool) {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	for _, p := range providers {
		for _, h := range p.hosts {
			if host == h || strings.HasSuffix(host, "."+h) {
				return p, true
			}
		}
	}
	return provider{}, false
}
