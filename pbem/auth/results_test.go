package auth

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// head returns fields from lines such as "Name: value".
func head(lines ...string) []Field {
	var out []Field
	for _, l := range lines {
		name, value, _ := strings.Cut(l, ":")
		out = append(out, Field{Name: name, Value: strings.TrimSpace(value)})
	}
	return out
}

func TestResults(t *testing.T) {
	const (
		from     = "From: Ann <ann@example.org>"
		dkim     = "Authentication-Results: mx.home.example; dkim=pass header.d=example.org header.s=s1"
		dmarc    = "Authentication-Results: mx.home.example; dmarc=pass (p=none) header.from=example.org"
		received = "Received: from mail.example.org (mail.example.org [192.0.2.1]) by mx.home.example (Postfix) with ESMTPS id 1"
		local    = "Received: from mx.home.example by store.home.example with LMTP id 2 (envelope-from <x@y>)"
		inner    = "Received: from mx.home.example by relay.home.example with ESMTP id 3"
	)
	ar := func(rest string) string { return "Authentication-Results: mx.home.example; " + rest }
	for _, c := range []struct {
		name   string
		fields []Field
		hops   int
		method string // "" for no proof
		why    string // part of the reason; "" for none
	}{
		{"DKIM", head(dkim, received, from), 0, "DKIM", ""},
		{"DMARC", head(dmarc, received, from), 0, "DMARC", ""},
		{"both", head(dkim, dmarc, received, from), 0, "DMARC", ""},
		{"as a filter of Postfix writes them", head("Return-Path: <ann@example.org>", "Delivered-To: r@home.example", local, "DMARC-Filter: x", dmarc, received, from), 0, "DMARC", ""},
		{"without any Received", head(dkim, from), 0, "DKIM", ""},
		{"by local delivery", head(local, dkim, received, from), 0, "DKIM", ""},
		{"an upper-case name", head("AUTHENTICATION-RESULTS: MX.Home.Example 1; DKIM=PASS header.D=Example.ORG", received, from), 0, "DKIM", ""},
		{"comments", head(ar(`(our (own) word; dkim=fail) dkim=pass (2048-bit key; fine) header.d=example.org`), received, from), 0, "DKIM", ""},
		{"a domain above", head(ar("dkim=pass header.d=example.org"), received, "From: ann@mail.example.org"), 0, "DKIM", ""},
		{"the agent alone", head(ar("dkim=pass header.i=@example.org header.b=abc"), received, from), 0, "DKIM", ""},
		{"the agent in a domain below", head(ar("dkim=pass header.i=x@news.example.org header.d=example.org"), received, from), 0, "DKIM", ""},
		{"one of two signatures", head(ar("dkim=fail header.d=list.example; dkim=pass header.d=example.org; spf=fail smtp.mailfrom=x@y.example"), received, from), 0, "DKIM", ""},
		{"DMARC that nobody asks for", head(ar("dkim=pass header.d=example.org; dmarc=none header.from=example.org"), received, from), 0, "DKIM", ""},
		{"as a large provider writes them", head("Received: by 2002:a05:6a10 with SMTP id x", "Return-Path: <ann@example.org>", received, "Received-SPF: pass", dmarc, from), 2, "DMARC", ""},
		{"behind a relay of ours", head(inner, dkim, received, from), 1, "DKIM", ""},
		{"an international domain", head(ar("dkim=pass header.d=bücher.example"), received, "From: ann@xn--bcher-kva.example"), 0, "DKIM", ""},

		{"none", head(received, from), 0, "", ""},
		{"another server's", head("Authentication-Results: mx.evil.example; dkim=pass header.d=example.org", received, from), 0, "", ""},
		{"a name that begins alike", head("Authentication-Results: mx.home.example.evil.example; dkim=pass header.d=example.org", received, from), 0, "", ""},
		{"the name in a comment", head("Authentication-Results: (mx.home.example) evil.example; dkim=pass header.d=example.org", received, from), 0, "", ""},
		{"the name as a result", head("Authentication-Results: x=mx.home.example; dkim=pass header.d=example.org", received, from), 0, "", ""},
		{"no name at all", head("Authentication-Results: dkim=pass header.d=example.org", received, from), 0, "", ""},
		{"written by the sender", head(received, dkim, from), 0, "", "before the mail's last hop"},
		{"written by the sender, who forges our server too", head(received, dkim, received, from), 0, "", "before the mail's last hop"},
		{"written by the sender below local delivery", head(local, received, dkim, from), 0, "", "before the mail's last hop"},
		{"one hop too deep", head(inner, received, dkim, from), 1, "", "before the mail's last hop"},
		{"ours says no, the sender's says yes", head(ar("dkim=fail header.d=example.org"), received, dkim, from), 0, "", "neither DMARC nor DKIM"},
		{"ours says nothing, the sender's says yes, with a field between", head(ar("spf=pass smtp.mailfrom=example.org"), "X-Spam: no", dkim, from), 0, "", "neither DMARC nor DKIM"},
		{"ours says nothing, another's between", head(ar("none"), "Authentication-Results: mx.evil.example; none", dkim, from), 0, "", "neither"},
		{"DKIM of another domain", head(ar("dkim=pass header.d=evil.example"), received, from), 0, "", "neither"},
		{"DKIM of a domain below", head(ar("dkim=pass header.d=users.example.org"), received, from), 0, "", "neither"},
		{"DKIM of a top-level domain", head(ar("dkim=pass header.d=org"), received, from), 0, "", "neither"},
		{"DKIM of a domain that ends alike", head(ar("dkim=pass header.d=ample.org"), received, from), 0, "", "neither"},
		{"DKIM without a domain", head(ar("dkim=pass"), received, from), 0, "", "neither"},
		{"an agent that is not the signer's", head(ar("dkim=pass header.d=evil.example header.i=@example.org"), received, from), 0, "", "neither"},
		{"a domain in the wrong property", head(ar("dkim=pass header.s=example.org; spf=pass smtp.mailfrom=ann@example.org"), received, from), 0, "", "neither"},
		{"SPF alone", head(ar("spf=pass smtp.mailfrom=example.org"), received, from), 0, "", "neither"},
		{"DMARC fails though DKIM passes", head(ar("dkim=pass header.d=example.org; dmarc=fail header.from=example.org"), received, from), 0, "", "DMARC does not hold"},
		{"DMARC fails in the second header", head(dkim, ar("dmarc=fail header.from=example.org"), received, from), 0, "", "DMARC does not hold"},
		{"DMARC of another domain", head(ar("dmarc=pass header.from=evil.example; dkim=pass header.d=example.org"), received, from), 0, "", "another domain"},
		{"DMARC of the domain above", head(ar("dmarc=pass header.from=example.org"), received, "From: ann@mail.example.org"), 0, "", "another domain"},
		{"results inside an address", head(ar(`spf=pass smtp.mailfrom="x; dmarc=pass header.from=example.org"@evil.example`), received, from), 0, "", "neither"},
		{"results inside a comment", head(ar(`spf=pass (x; dmarc=pass header.from=example.org) smtp.mailfrom=evil.example`), received, from), 0, "", "neither"},
		{"a quotation that does not end", head(ar(`spf=pass smtp.mailfrom="x; dkim=pass header.d=example.org`), received, from), 0, "", ""},
		{"a comment that does not end", head(ar(`dkim=pass (x header.d=example.org`), received, from), 0, "", ""},
		{"a property twice", head(ar(`dkim=pass header.d=evil.example header.d=example.org`), received, from), 0, "", ""},
		{"not well formed", head(ar(`dkim pass header.d=example.org`), received, from), 0, "", "cannot be read"},
		{"a version of the future", head("Authentication-Results: mx.home.example 2; dkim=pass header.d=example.org", received, from), 0, "", "cannot be read"},
		{"two From fields", head(dkim, received, from, "From: eve@evil.example"), 0, "", "more than one sender"},
		{"two From fields alike", head(dkim, received, from, from), 0, "", "more than one sender"},
		{"a word that is no pass", head(ar("dkim=passed header.d=example.org"), received, from), 0, "", "neither"},
	} {
		var senders []string
		for _, f := range c.fields {
			if strings.EqualFold(f.Name, "From") && senders == nil {
				senders = []string{strings.Trim(f.Value[strings.LastIndexByte(f.Value, ' ')+1:], "<>")}
			}
		}
		b := TrustBoundary{IDs: []string{"other.example", "mx.home.example"}, Hops: c.hops}
		got := b.Results(c.fields, senders)
		if got.OK() != (c.method != "") || got.Method != c.method || !strings.Contains(got.Why, c.why) || got.OK() && got.Why != "" {
			t.Errorf("%s: %+v", c.name, got)
		}
		if (TrustBoundary{}).Results(c.fields, senders).OK() {
			t.Errorf("%s: believed without a configured name", c.name)
		}
		if got.OK() {
			if two := b.Results(c.fields, append(senders, "eve@evil.example")); two.OK() {
				t.Errorf("%s: believed of two senders", c.name)
			}
			if other := b.Results(c.fields, []string{"ann@evil.example"}); other.OK() {
				t.Errorf("%s: believed of another domain", c.name)
			}
		}
	}
}

// Nothing that a sender writes below our own Received field proves anything.
func TestResultsBelowTheBorderDoNotCount(t *testing.T) {
	parts := []string{
		"mx.home.example", ";", "dkim=pass", "dmarc=pass", "spf=pass", "smtp.mailfrom=example.org", " ", "header.d=example.org", "header.from=example.org", "(", ")", `"`, `\`, "1", "=", "\t", "example.org", "none",
	}
	rapid.Check(t, func(t *rapid.T) {
		value := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 14).Draw(t, "value"), "")
		ours := rapid.SampledFrom([]string{"", "Authentication-Results: mx.home.example; dkim=fail header.d=example.org", "Authentication-Results: mx.home.example; none"}).Draw(t, "ours")
		fields := head("Received: from evil.example by mx.home.example with ESMTP")
		if ours != "" {
			fields = append(head(ours), fields...)
		}
		fields = append(fields, Field{"Authentication-Results", value}, Field{"Authentication-Results", "mx.home.example; dkim=pass header.d=example.org"}, Field{"From", "ann@example.org"})
		b := TrustBoundary{IDs: []string{"mx.home.example"}}
		if r := b.Results(fields, []string{"ann@example.org"}); r.Vouched() {
			t.Fatalf("believed: %+v of %q", r, fields)
		}
		// Nor does it inside a quoted address or a comment of our own header.
		inside := strings.NewReplacer(`\`, "", `"`, "", "(", "", ")", "").Replace(value)
		for _, v := range []string{
			`mx.home.example; spf=pass smtp.mailfrom="` + inside + `"@evil.example`,
			"mx.home.example; spf=pass (" + inside + ") smtp.mailfrom=evil.example",
		} {
			if r := b.Results(append(head("Authentication-Results: "+v), Field{"From", "ann@example.org"}), []string{"ann@example.org"}); r.OK() {
				t.Fatalf("believed: %+v of %q", r, v)
			}
		}
	})
}

func FuzzResults(f *testing.F) {
	f.Add("mx.home.example; dkim=pass header.d=example.org", "from a by b with LMTP id x")
	f.Add(`mx.home.example 1; spf=pass (a (b) c) smtp.mailfrom="x\";y"@z`, "")
	f.Fuzz(func(t *testing.T, value, received string) {
		b := TrustBoundary{IDs: []string{"mx.home.example"}, Hops: 1}
		fields := []Field{{"Received", received}, {"Authentication-Results", value}, {"From", "ann@example.org"}}
		r := b.Results(fields, []string{"ann@example.org"})
		if r.OK() && !strings.Contains(strings.ToLower(value), "pass") {
			t.Errorf("%q proves %+v", value, r)
		}
		if len(r.Why) > 500 {
			t.Errorf("a reason of %d bytes", len(r.Why))
		}
	})
}

// Told returns the first Authentication-Results that parses, even if it is not trusted.
func TestTold(t *testing.T) {
	fields := []Field{
		{Name: "Received", Value: "from a by b"},
		{Name: "Authentication-Results", Value: "mx.example.org; spf=pass (unclosed"},
		{Name: "authentication-results", Value: "mx.example.net; spf=softfail (not (really)) smtp.mailfrom=example.org; dkim=none; dmarc=fail header.from=example.org; arc=none"},
		{Name: "Authentication-Results", Value: "other.example.net; spf=pass"},
	}
	server, verdicts := Told(fields)
	want := []ToldVerdict{{Method: "spf", Value: "softfail"}, {Method: "dkim", Value: "none"}, {Method: "dmarc", Value: "fail"}}
	if server != "mx.example.net" || !slices.Equal(verdicts, want) {
		t.Errorf("got %s %v, want %v", server, verdicts, want)
	}
	if server, verdicts := Told(fields[:2]); server != "" || verdicts != nil {
		t.Errorf("of what cannot be read: %s %v", server, verdicts)
	}
}
