package dnscheck

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/miekg/dns"

	"starpost/pbem/fault"
)

// mostLookups is how many terms of a policy may cause DNS queries, including those of included policies (RFC 7208,
// 4.6.4).
const mostLookups = 10

// SPF checks a domain's policy, and reports its result for the sending host; "" if that is unknown. A policy that
// does not name the host is no error: a large provider sends from other machines.
func (r Resolver) SPF(ctx context.Context, domain, host string) (string, error) {
	p := policy{Resolver: r}
	if host != "" {
		var err error
		if p.from, err = r.addresses(ctx, host); err != nil {
			return "", err
		}
	}
	records, err := r.texts(ctx, domain, "v=spf1")
	if err != nil {
		return "", err
	}
	if len(records) == 0 {
		return "", fault.New(fmt.Sprintf("publish for example: %s. IN TXT \"v=spf1 mx -all\", with the machines that send for you", domain), "%s does not say which machines may send its mail (SPF)", domain)
	}
	result, err := p.judge(ctx, domain)
	if err != nil {
		return "", err
	}
	words := fmt.Sprintf("%s (%d of %d look-ups)", shown(records[0]), p.lookups, mostLookups)
	switch {
	case p.open:
		return "", fault.New("end it with -all or ~all", "%s lets every machine send its mail: %s", domain, shown(records[0]))
	case len(p.from) == 0:
		return words, nil
	case result == "pass":
		return words + "; passes for " + host, nil
	}
	return words + fmt.Sprintf("; says %s for %s, which matters if mails leave from that machine", result, host), nil
}

// policy is the evaluation of a policy.
type policy struct {
	Resolver
	from    []netip.Addr // addresses of the sender; the policy passes if it does for any
	lookups int
	open    bool // everyone may send
}

// results are by the sign before a term (RFC 7208, 4.6.2).
var results = map[byte]string{'+': "pass", '-': "fail", '~': "softfail", '?': "neutral"}

// judge evaluates the policy of a domain. It checks all terms, also those after the deciding one.
func (p *policy) judge(ctx context.Context, domain string) (string, error) {
	records, err := p.texts(ctx, domain, "v=spf1")
	if err != nil {
		return "", err
	}
	if len(records) != 1 {
		return "", fault.New("combine them into one record", "%s has %d SPF records, so receivers ignore them all", shown(domain), len(records))
	}
	result, redirect := "", ""
	for _, term := range strings.Fields(records[0])[1:] {
		if key, value, ok := strings.Cut(term, "="); ok && !strings.ContainsAny(key, ":/") {
			if strings.EqualFold(key, "redirect") {
				redirect = value
			}
			continue
		}
		sign := byte('+')
		if results[term[0]] != "" {
			sign, term = term[0], term[1:]
		}
		match, err := p.match(ctx, domain, term, sign)
		if err != nil {
			return "", err
		}
		if match && result == "" {
			result = results[sign]
		}
	}
	if result == "" && redirect != "" {
		if err := p.count(domain); err != nil {
			return "", err
		}
		return p.judge(ctx, redirect)
	}
	if result == "" {
		result = "neutral"
	}
	return result, nil
}

// count counts a lookup.
func (p *policy) count(domain string) error {
	if p.lookups++; p.lookups > mostLookups {
		return fault.New("include fewer; addresses (ip4, ip6) cost none", "the SPF record of %s needs more than %d look-ups, so receivers ignore it", shown(domain), mostLookups)
	}
	return nil
}

// match reports whether a term matches the sender.
func (p *policy) match(ctx context.Context, domain, term string, sign byte) (bool, error) {
	name, value, _ := strings.Cut(term, ":")
	name, bits, _ := strings.Cut(name, "/")
	switch strings.ToLower(name) {
	case "all":
		p.open = p.open || sign == '+'
		return true, nil
	case "ip4", "ip6":
		prefix, err := prefixOf(value)
		if err != nil {
			return false, p.wrong(domain, term)
		}
		return p.within(prefix), nil
	case "exists", "ptr":
		return false, p.count(domain) // their queries depend on the mail
	case "a", "mx", "include":
	default:
		return false, p.wrong(domain, term)
	}
	if err := p.count(domain); err != nil {
		return false, err
	}
	if value, bits, _ = cutBits(value, bits); value == "" {
		value = domain
	}
	if strings.Contains(value, "%") {
		return false, nil // as above
	}
	if strings.EqualFold(name, "include") {
		result, err := p.judge(ctx, value)
		return result == "pass", err
	}
	hosts := []string{value}
	if strings.EqualFold(name, "mx") {
		found, err := p.ask(ctx, value, dns.TypeMX)
		if err != nil {
			return false, err
		}
		hosts = nil
		for _, rr := range found {
			hosts = append(hosts, rr.(*dns.MX).Mx)
		}
	}
	return p.anyOf(ctx, hosts, bits)
}

// cutBits cuts the prefix length off a value; a length cut off before is kept otherwise.
func cutBits(value, bits string) (string, string, bool) {
	if v, b, ok := strings.Cut(value, "/"); ok {
		return v, b, true
	}
	return value, bits, false
}

// anyOf reports whether the sender is one of the hosts, or in a network of theirs with the given prefix lengths,
// "24" or "24//64".
func (p *policy) anyOf(ctx context.Context, hosts []string, bits string) (bool, error) {
	four, six, _ := strings.Cut(bits, "//")
	for _, host := range hosts[:min(len(hosts), mostLookups)] {
		addresses, err := p.addresses(ctx, host)
		if err != nil {
			return false, err
		}
		for _, a := range addresses {
			length := four
			if a.Is6() {
				length = six
			}
			n, err := strconv.Atoi(length)
			if err != nil || n < 0 || n > a.BitLen() {
				n = a.BitLen()
			}
			if p.within(netip.PrefixFrom(a, n)) {
				return true, nil
			}
		}
	}
	return false, nil
}

func (p *policy) within(prefix netip.Prefix) bool {
	return slices.ContainsFunc(p.from, prefix.Contains)
}

func (p *policy) wrong(domain, term string) error {
	return fault.New("fix or remove that term: receivers ignore a record with a mistake in it", "the SPF record of %s has an invalid term: %s", shown(domain), shown(term))
}

// prefixOf parses an address with or without a prefix length.
func prefixOf(s string) (netip.Prefix, error) {
	if strings.Contains(s, "/") {
		p, err := netip.ParsePrefix(s)
		return p.Masked(), err
	}
	a, err := netip.ParseAddr(s)
	if err != nil {
		return netip.Prefix{}, err
	}
	return netip.PrefixFrom(a, a.BitLen()), nil
}
