package auth

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/emersion/go-msgauth/authres"
)

// Field is one header field of a mail: its value is unfolded, but otherwise unchanged.
type Field struct{ Name, Value string }

// TrustBoundary says which Authentication-Results headers are trusted (RFC 8601).
//
// Anybody can write such a header, under any name. Those of our own server are
// recognised by their place: servers put their fields on top of those they receive,
// so nothing from outside is above the Received field of the
// server that accepted the mail. Only the topmost header with one of the names is
// trusted, with others of its kind that follow directly,
// and only if it is above that Received field: above
// all of them, except as many as our own servers are known to add later.
type TrustBoundary struct {
	// IDs are the names (authserv-id) of our servers; none: no such header is trusted.
	IDs []string
	// Hops is the number of our own Received fields above the header. Those of local delivery by LMTP do not count.
	Hops int
}

// Results is what our own server found out about a mail's sender.
type Results struct {
	// Domain is the proven domain of the mail, that of its only From address; "" if nothing is proven.
	Domain string
	// Method is "DMARC" or "DKIM", ID the server that says so.
	Method, ID string
	// SPF means that the sending machine may send for the domain of the From address. It proves nothing about that
	// address, and is no proof that a mail is a captain's.
	SPF bool
	// Why says what is wrong with a header of our servers that proves nothing; "" if there is none.
	Why string
}

// OK reports whether the sender's domain is proven.
func (r Results) OK() bool { return r.Domain != "" }

// Vouched reports whether the sender's domain is proven, or at least likely by SPF.
func (r Results) Vouched() bool { return r.OK() || r.SPF }

// Limits of what is read.
const (
	maxResultFields = 10
	maxResultBytes  = 8 << 10
	maxResults      = 100 // in one header
)

// Results reads the trusted headers. fields are all fields of the mail, from the top; from is the addresses of its From
// field. DMARC counts if its header.from is the domain of From, DKIM if the signing domain (header.d, or that of
// header.i) is that domain or a parent: its owner controls both anyway. A mail with several From fields or addresses
// has no valid sender. If our server found that DMARC fails, DKIM does not help.
func (b TrustBoundary) Results(fields []Field, from []string) Results {
	values, id, why := b.own(fields)
	if id == "" || why != "" {
		return Results{Why: why}
	}
	count := 0
	for _, f := range fields {
		if strings.EqualFold(f.Name, "From") {
			count++
		}
	}
	if count != 1 || len(from) != 1 {
		return Results{Why: "the mail has more than one sender"}
	}
	_, domain, ok := split(from[0])
	if !ok {
		return Results{Why: "the sender is not an address"}
	}
	var dmarc []*authres.DMARCResult
	var dkim []*authres.DKIMResult
	spf := false
	for _, v := range values {
		clean, ok := plainResults(v)
		if !ok {
			return Results{Why: fmt.Sprintf("the Authentication-Results of %s cannot be read", id)}
		}
		_, results, err := authres.Parse(clean)
		if err != nil {
			return Results{Why: fmt.Sprintf("the Authentication-Results of %s cannot be read", id)}
		}
		for _, r := range results {
			switch r := r.(type) {
			case *authres.DMARCResult:
				dmarc = append(dmarc, r)
			case *authres.DKIMResult:
				dkim = append(dkim, r)
			case *authres.SPFResult:
				at := strings.LastIndexByte(r.From, '@')
				spf = spf || string(r.Value) == authres.ResultPass && within(domain, r.From[at+1:])
			}
		}
	}
	passed := false
	for _, r := range dmarc {
		switch value := string(r.Value); {
		case value == authres.ResultPass && sameDomain(r.From, domain):
			passed = true
		case value == authres.ResultPass:
			return Results{Why: fmt.Sprintf("%s found DMARC to hold for another domain than %s", id, shown(domain))}
		case value != string(authres.ResultNone) && value != authres.ResultTempError && value != authres.ResultPermError:
			return Results{Why: fmt.Sprintf("%s found that DMARC does not hold for %s", id, shown(domain))}
		}
	}
	if passed {
		return Results{Domain: domain, Method: "DMARC", ID: id}
	}
	for _, r := range dkim {
		if string(r.Value) == authres.ResultPass && signs(r, domain) {
			return Results{Domain: domain, Method: "DKIM", ID: id}
		}
	}
	return Results{SPF: spf, Why: fmt.Sprintf("%s found neither DMARC nor DKIM to hold for %s", id, shown(domain))}
}

// ToldVerdict is a receiver's verdict on an authentication method: method is "spf", "dkim" or "dmarc", value "pass",
// "fail" and so on (RFC 8601, 2.7).
type ToldVerdict struct{ Method, Value string }

// Told parses the topmost valid Authentication-Results (RFC 8601) and returns its server and its verdicts. The header
// may be forged: it informs a host about receivers' opinions of its mails, and proves nothing.
func Told(fields []Field) (server string, verdicts []ToldVerdict) {
	for _, f := range fields {
		if !strings.EqualFold(f.Name, "Authentication-Results") {
			continue
		}
		clean, ok := plainResults(f.Value)
		if !ok {
			continue
		}
		name, results, err := authres.Parse(clean)
		if err != nil {
			continue
		}
		for _, r := range results {
			switch r := r.(type) {
			case *authres.SPFResult:
				verdicts = append(verdicts, ToldVerdict{"spf", string(r.Value)})
			case *authres.DKIMResult:
				verdicts = append(verdicts, ToldVerdict{"dkim", string(r.Value)})
			case *authres.DMARCResult:
				verdicts = append(verdicts, ToldVerdict{"dmarc", string(r.Value)})
			}
		}
		return name, verdicts
	}
	return "", nil
}

// own returns the values of the headers that our own servers added, and the name of the first. why is set if there is
// one in the wrong place.
func (b TrustBoundary) own(fields []Field) (values []string, id, why string) {
	hops := 0
	for _, f := range fields {
		switch {
		case strings.EqualFold(f.Name, "Authentication-Results"):
			name := serverID(f.Value)
			if !slices.ContainsFunc(b.IDs, func(known string) bool { return name != "" && strings.EqualFold(known, name) }) {
				if id != "" {
					return values, id, ""
				}
				continue
			}
			if hops > b.Hops {
				return nil, "", fmt.Sprintf("the Authentication-Results of %s comes before the mail's last hop to us, where anyone can write it", shown(name))
			}
			id = cmp.Or(id, name)
			if values = append(values, f.Value); len(values) == maxResultFields {
				return values, id, ""
			}
		case id != "":
			return values, id, ""
		case strings.EqualFold(f.Name, "Received") && !localDelivery(f.Value):
			hops++
		}
	}
	return values, id, ""
}

// localDelivery reports whether a Received field is that of a delivery agent that got the mail from the local server
// (RFC 3848 registers the word).
func localDelivery(received string) bool {
	clean, ok := plainResults(received)
	if !ok {
		return false
	}
	words := strings.Fields(clean)
	for i, w := range words[:max(0, len(words)-1)] {
		if strings.EqualFold(w, "with") {
			protocol := strings.TrimSuffix(strings.ToUpper(words[i+1]), ";")
			return protocol == "LMTP" || protocol == "LMTPS" || protocol == "LMTPA" || protocol == "LMTPSA"
		}
	}
	return false
}

// serverID returns the name of the server that wrote a header, "" if it cannot be parsed.
func serverID(value string) string {
	clean, ok := plainResults(value)
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(clean, ";")
	words := strings.Fields(name)
	if len(words) == 0 || len(words) > 2 || strings.Contains(words[0], "=") {
		return ""
	}
	return words[0]
}

// plainResults removes comments and quotation marks from a header's value, so that their content cannot look like a
// result: the library splits at every semicolon and space. It returns false for a malformed value, and for one that
// says something twice.
func plainResults(value string) (string, bool) {
	if len(value) > maxResultBytes {
		return "", false
	}
	var b strings.Builder
	depth, quoted := 0, false
	for i := 0; i < len(value); i++ {
		c := value[i]
		if c == '\\' && (depth > 0 || quoted) {
			if i++; i == len(value) {
				return "", false
			}
			if quoted {
				b.WriteByte('_')
			}
			continue
		}
		switch {
		case c < ' ' && c != '\t' || c == 0x7f:
			return "", false
		case depth > 0:
			switch c {
			case '(':
				depth++
			case ')':
				if depth--; depth == 0 {
					b.WriteByte(' ')
				}
			}
		case c == '"':
			quoted = !quoted
		case quoted:
			if strings.IndexByte(" \t;=()", c) >= 0 {
				c = '_'
			}
			b.WriteByte(c)
		case c == '(':
			depth++
		case c == ')':
			return "", false
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), depth == 0 && !quoted && unambiguous(b.String())
}

// unambiguous reports whether no result has a property twice.
func unambiguous(clean string) bool {
	parts := strings.Split(clean, ";")
	if len(parts) > maxResults {
		return false
	}
	for _, part := range parts {
		seen := map[string]bool{}
		for word := range strings.FieldsSeq(part) {
			key, _, ok := strings.Cut(strings.ToLower(word), "=")
			if !ok || !strings.Contains(key, ".") {
				continue
			}
			if seen[key] {
				return false
			}
			seen[key] = true
		}
	}
	return true
}

// signs reports whether a DKIM signature vouches for a domain.
func signs(r *authres.DKIMResult, domain string) bool {
	signer := r.Domain
	if at := strings.LastIndexByte(r.Identifier, '@'); r.Identifier != "" {
		agent := r.Identifier[at+1:]
		switch {
		case at < 0:
			return false
		case signer == "":
			signer = agent
		case !within(agent, signer): // RFC 6376 section 3.5
			return false
		}
	}
	return within(domain, signer)
}

// within reports whether a domain is another one or below it. A top-level domain has nothing below it here.
func within(domain, above string) bool {
	_, d, ok := split("x@" + domain)
	_, a, aok := split("x@" + above)
	return ok && aok && (d == a || strings.Contains(a, ".") && strings.HasSuffix(d, "."+a))
}

func sameDomain(a, b string) bool { return within(a, b) && within(b, a) }
