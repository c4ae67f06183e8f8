// Package dnscheck checks what DNS tells the receivers of our mails: whether a domain's mail may come from our
// machines (SPF, RFC 7208), what to do with unauthenticated mail (DMARC, RFC 7489), the keys of signatures (DKIM,
// RFC 6376), where bounces go (MX), and whether a sending machine has a name (PTR).
//
// It judges records as receivers do, and reads no mail. Queries and answers are bounded. An error describes a
// problem for the host, with a remedy if there is one.
package dnscheck

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/miekg/dns"

	"starpost/pbem/fault"
	"starpost/pbem/transport"
)

// Resolver queries a recursive name server.
type Resolver struct {
	Server  string        // address and port
	Timeout time.Duration // for one query; 0 is five seconds
}

const (
	usualTimeout = 5 * time.Second
	mostWords    = 300 // of a record in a message
	mostAnswers  = 50  // of one query that are examined
)

// System returns the system's name server.
func System() (Resolver, error) {
	c, err := dns.ClientConfigFromFile("/etc/resolv.conf")
	if err != nil || len(c.Servers) == 0 {
		return Resolver{}, fault.New("name one: --dns ADDRESS", "this system does not name a name server")
	}
	return Resolver{Server: net.JoinHostPort(c.Servers[0], c.Port)}, nil
}

// ask sends a query, and returns the answers of the requested type. A missing name or record is no error: there is
// no answer.
func (r Resolver) ask(ctx context.Context, name string, kind uint16) ([]dns.RR, error) {
	timeout := r.Timeout
	if timeout == 0 {
		timeout = usualTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	q := new(dns.Msg)
	q.SetQuestion(dns.Fqdn(name), kind)
	q.SetEdns0(1232, false)
	client := &dns.Client{Timeout: timeout}
	answer, _, err := client.ExchangeContext(ctx, q, r.Server)
	if err == nil && answer.Truncated {
		client.Net = "tcp"
		answer, _, err = client.ExchangeContext(ctx, q, r.Server)
	}
	if err != nil {
		return nil, fault.New("check that this machine reaches a name server, or name another: --dns ADDRESS", "the name server %s does not answer about %s: %v", r.Server, name, err)
	}
	if answer.Rcode != dns.RcodeSuccess && answer.Rcode != dns.RcodeNameError {
		return nil, fault.New("try again later; if that does not help, ask whoever runs the domain's name servers", "the name server %s says %s about %s", r.Server, dns.RcodeToString[answer.Rcode], name)
	}
	var out []dns.RR
	for _, rr := range answer.Answer {
		if rr.Header().Rrtype == kind && len(out) < mostAnswers {
			out = append(out, rr)
		}
	}
	return out, nil
}

// texts returns the TXT records of a name that begin with a version, each joined.
func (r Resolver) texts(ctx context.Context, name, version string) (out []string, err error) {
	found, err := r.ask(ctx, name, dns.TypeTXT)
	for _, rr := range found {
		text := strings.Join(rr.(*dns.TXT).Txt, "")
		if rest, ok := strings.CutPrefix(strings.ToLower(text), version); ok && (rest == "" || rest[0] == ' ' || rest[0] == ';' || rest[0] == '\t') {
			out = append(out, text)
		}
	}
	return out, err
}

// addresses returns those of a host; an IP address is returned itself.
func (r Resolver) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a.Unmap()}, nil
	}
	var out []netip.Addr
	for _, kind := range []uint16{dns.TypeA, dns.TypeAAAA} {
		found, err := r.ask(ctx, host, kind)
		if err != nil {
			return nil, err
		}
		for _, rr := range found {
			ip := net.IP(nil)
			switch rr := rr.(type) {
			case *dns.A:
				ip = rr.A
			case *dns.AAAA:
				ip = rr.AAAA
			}
			if a, ok := netip.AddrFromSlice(ip); ok {
				out = append(out, a.Unmap())
			}
		}
	}
	return out, nil
}

// DMARC reports what receivers do with unauthenticated mail of a domain. The record may be at a parent domain.
func (r Resolver) DMARC(ctx context.Context, domain string) (string, error) {
	for at := domain; strings.Contains(at, "."); _, at, _ = strings.Cut(at, ".") {
		records, err := r.texts(ctx, "_dmarc."+at, "v=dmarc1")
		if err != nil {
			return "", err
		}
		if len(records) == 0 {
			continue
		}
		if len(records) > 1 {
			return "", fault.New("keep one", "_dmarc.%s has %d records, so receivers ignore them all", at, len(records))
		}
		switch policy := strings.ToLower(tag(records[0], "p")); policy {
		case "none", "quarantine", "reject":
			return fmt.Sprintf("%s at _dmarc.%s", shown(records[0]), at), nil
		default:
			return "", fault.New("write for example \"v=DMARC1; p=none\"", "_dmarc.%s says %s, which has no policy", at, shown(records[0]))
		}
	}
	return fmt.Sprintf("none; publish _dmarc.%s IN TXT \"v=DMARC1; p=none\": some receivers ask for one", domain), nil
}

// DKIM compares the published record of a key with record, that of the signing key.
func (r Resolver) DKIM(ctx context.Context, domain, selector, record string) (string, error) {
	name := selector + "._domainkey." + domain
	way := "publish what starpost dkim prints for the key, and wait until old records expire (their TTL)"
	found, err := r.ask(ctx, name, dns.TypeTXT)
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", fault.New(way, "%s has %d TXT records, not one: the signatures cannot be checked", name, len(found))
	}
	text := strings.Join(found[0].(*dns.TXT).Txt, "")
	if strings.ReplaceAll(tag(text, "p"), " ", "") != tag(record, "p") {
		return "", fault.New(way, "the key at %s is not the one that signs: receivers treat the signatures as forged", name)
	}
	return "the key at " + name + " is the one that signs", nil
}

// tag returns the value of a tag in "a=1; b=2", "" if there is none.
func tag(record, name string) string {
	for part := range strings.SplitSeq(record, ";") {
		if key, value, ok := strings.Cut(part, "="); ok && strings.EqualFold(strings.TrimSpace(key), name) {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// MX reports where mail to a domain goes: captains' replies, and bounces.
func (r Resolver) MX(ctx context.Context, domain string) (string, error) {
	found, err := r.ask(ctx, domain, dns.TypeMX)
	if err != nil {
		return "", err
	}
	const way = "publish an MX record: replies and bounces go there, and many receivers refuse mail from a domain without one"
	var hosts []string
	for _, rr := range found {
		if host := strings.TrimSuffix(rr.(*dns.MX).Mx, "."); host != "" {
			hosts = append(hosts, host)
		}
	}
	switch {
	case len(hosts) == 0 && len(found) > 0:
		return "", fault.New(way, "%s says that it accepts no mail (a null MX)", domain)
	case len(hosts) == 0:
		addresses, err := r.addresses(ctx, domain)
		if err != nil {
			return "", err
		}
		if len(addresses) == 0 {
			return "", fault.New(way, "no server accepts mail for %s", domain)
		}
		return "none; mail goes to " + domain + " itself", nil
	}
	for _, host := range hosts {
		addresses, err := r.addresses(ctx, host)
		if err != nil {
			return "", err
		}
		if len(addresses) == 0 {
			return "", fault.New("fix the MX record, or give that host an address", "mail to %s goes to %s, which has no address", domain, shown(host))
		}
	}
	return shown(strings.Join(hosts, ", ")), nil
}

// Reverse reports whether the addresses of a sending host have a name that leads back to them (RFC 1912, 2.1).
func (r Resolver) Reverse(ctx context.Context, host string) (string, error) {
	addresses, err := r.addresses(ctx, host)
	if err != nil {
		return "", err
	}
	if len(addresses) == 0 {
		return "", fault.New("fix the name in [smtp]", "%s has no address", host)
	}
	var told []string
	for _, a := range addresses {
		name, err := r.nameOf(ctx, a)
		if err != nil {
			return "", err
		}
		told = append(told, fmt.Sprintf("%s is %s", a, name))
	}
	return strings.Join(told, ", "), nil
}

// nameOf returns a name of an address that resolves to the address.
func (r Resolver) nameOf(ctx context.Context, a netip.Addr) (string, error) {
	const way = "ask your network provider for a reverse name (PTR) that leads back to the address: large receivers refuse mail from an address without one"
	back, err := dns.ReverseAddr(a.String())
	if err != nil {
		return "", errors.Join(fmt.Errorf("address %s", a), err)
	}
	found, err := r.ask(ctx, back, dns.TypePTR)
	if err != nil {
		return "", err
	}
	for _, rr := range found {
		name := strings.TrimSuffix(rr.(*dns.PTR).Ptr, ".")
		forth, err := r.addresses(ctx, name)
		if err != nil {
			return "", err
		}
		if slices.Contains(forth, a) {
			return shown(name), nil
		}
	}
	if len(found) > 0 {
		return "", fault.New(way, "the reverse name of %s, %s, does not lead back to it", a, shown(strings.TrimSuffix(found[0].(*dns.PTR).Ptr, ".")))
	}
	return "", fault.New(way, "%s has no reverse name", a)
}

// shown makes external text safe to print.
func shown(s string) string { return transport.Sanitise(s, mostWords) }
