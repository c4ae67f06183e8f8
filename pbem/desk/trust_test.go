package desk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/identity"
	"starpost/pbem/mime"
	"starpost/pbem/record/directory"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// seals stands in for OpenPGP: a signature is good if it names the holder of the key; a key file
// holds only that name.
type seals struct{}

func (seals) Signed(m mime.Mail, key []byte, _ time.Time) []auth.SignedText {
	var out []auth.SignedText
	for _, p := range m.Signed {
		_, rest, _ := strings.Cut(strings.ReplaceAll(string(p.Content), "\r\n", "\n"), "-----\nHash: SHA256\n\n")
		text, seal, _ := strings.Cut(rest, "\n-----BEGIN PGP SIGNATURE-----\n\n")
		var when, who string
		if _, err := fmt.Sscanf(seal, "%s by %s", &when, &who); err != nil || who != string(key) {
			out = append(out, auth.SignedText{Text: text, Signature: auth.Signature{Why: "The seal is another's."}})
			continue
		}
		made, err := time.Parse(time.RFC3339, when)
		if err != nil {
			panic(err)
		}
		out = append(out, auth.SignedText{Text: text, Signature: auth.Signature{Made: made}})
	}
	return out
}

// sealed returns a text signed at a given time.
func sealed(text, who string, made time.Time) string {
	return fmt.Sprintf("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n%s\n-----BEGIN PGP SIGNATURE-----\n\n%s by %s\n-----END PGP SIGNATURE-----\n",
		strings.TrimSuffix(text, "\n"), made.UTC().Format(time.RFC3339), who)
}

// withSeals registers Kirk's key.
func (o *office) withSeals() {
	o.t.Helper()
	o.desk.Signatures = seals{}
	dir := filepath.Join(o.game.Dir(), vault.KeysDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		o.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kirk.asc"), []byte("kirk"), 0o600); err != nil {
		o.t.Fatal(err)
	}
}

const border = "mx.example.net"

// vouched returns the header that our server adds to a mail from a domain.
func vouched(domain string) string {
	return "Authentication-Results: " + border + "; dkim=pass header.d=" + domain + "; dmarc=pass header.from=" + domain
}

const came = "Received: from mail.example.org by " + border + " with ESMTPS"

// keyless returns a set for the Hood without a key.
func keyless(shield int) string {
	return fmt.Sprintf("#orders wolf turn 1 ship Hood\npower\n  shields 2:%d\n#end\n", shield)
}

// dated returns a Date header, minutes after the game began.
func dated(minutes int) string {
	return "Date: " + began.Add(time.Duration(minutes)*time.Minute).Format(time.RFC1123Z)
}

// send is receive with the sender's own Date.
func (o *office) send(from, text string, headers ...string) handled {
	o.t.Helper()
	o.mail++
	raw := strings.Join(headers, "\r\n") + "\r\nFrom: " + from + "\r\nTo: " + robot + "\r\nSubject: Re: orders\r\nMessage-ID: <" +
		fmt.Sprint(o.mail) + "@example.org>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + strings.ReplaceAll(text, "\n", "\r\n")
	l := identity.Incoming{SHA256: vault.Hash([]byte(raw)), Received: began.Add(time.Duration(o.mail) * time.Hour)}
	l.Mail, l.Err = mime.Read([]byte(raw))
	return o.settle(l)
}

func TestResultsLetOrdersIn(t *testing.T) {
	o := newOffice(t)
	o.desk.Border = auth.TrustBoundary{IDs: []string{border}}
	h := o.send("Kirk <kirk@example.org>", keyless(4), vouched("example.org"), came, dated(1))
	if h.Outcome != desk.Done || !strings.Contains(o.inForce("Hood"), "2:4") {
		t.Fatalf("%s\n%s", h.Reason, h.text())
	}
	for _, test := range []struct {
		name    string
		from    string
		headers []string
		code    string
	}{
		{"no such header", "kirk@example.org", []string{came, dated(5)}, codes.NoKey},
		{"written by the sender", "kirk@example.org", []string{came, vouched("example.org"), dated(5)}, codes.NoKey},
		{"another domain of his", "jim@example.net", []string{vouched("example.org"), came, dated(5)}, codes.NoKey},
		{"another captain of that domain", "kor@example.org", []string{vouched("example.org"), came, dated(5)}, ""},
		{"a stranger of that domain", "khan@example.org", []string{vouched("example.org"), came, dated(5)}, ""},
		{"no date", "kirk@example.org", []string{vouched("example.org"), came}, codes.Stale},
		{"an old date", "kirk@example.org", []string{vouched("example.org"), came, dated(1)}, codes.Stale},
		{"a date before the game", "kirk@example.org", []string{vouched("example.org"), came, dated(-10)}, codes.Stale},
		{"a date to come", "kirk@example.org", []string{vouched("example.org"), came, dated(60 * 24 * 365)}, codes.Stale},
		{"two senders", "kirk@example.org, jim@example.net", []string{vouched("example.org"), came, dated(5)}, codes.NoKey},
	} {
		t.Run(test.name, func(t *testing.T) {
			o.t = t
			h := o.send(test.from, keyless(6), test.headers...)
			if len(h.Steps) > 0 || test.code != "" && !hasCode(h, test.code) || !strings.Contains(o.inForce("Hood"), "2:4") {
				t.Errorf("%s %v\n%s", h.Reason, h.Diagnostics(), o.inForce("Hood"))
			}
		})
	}
	o.t = t
	if h := o.send("kirk@example.org", keyless(6), vouched("example.org"), came, dated(5)); h.Outcome != desk.Done {
		t.Errorf("a newer mail: %s", h.text())
	}
	if h := o.send("jim@example.net", keyless(8), vouched("example.net"), came, dated(6)); h.Outcome != desk.Done {
		t.Errorf("the other address: %s", h.text())
	}
}

func TestSignaturesLetOrdersIn(t *testing.T) {
	o := newOffice(t)
	o.withSeals()
	at := began.Add(time.Minute)
	h := o.send("kirk@example.org", "Greetings.\n"+sealed("Here:\n\n"+keyless(4), "kirk", at)+"\nKirk", dated(1))
	if h.Outcome != desk.Done || !strings.Contains(o.inForce("Hood"), "2:4") {
		t.Fatalf("%s\n%s", h.Reason, h.text())
	}
	later := began.Add(30 * time.Minute)
	for _, test := range []struct {
		name, from, text, code string
	}{
		{"another's signature", "kirk@example.org", sealed(keyless(6), "kor", later), codes.BadSignature},
		{"orders above the signed text", "kirk@example.org", keyless(6) + sealed("Hello", "kirk", later), codes.BadSignature},
		{"orders below the signed text", "kirk@example.org", sealed("Hello", "kirk", later) + keyless(6), codes.BadSignature},
		{"other orders beside the signed ones", "kirk@example.org", sealed(keyless(6), "kirk", later) + keyless(8), codes.BadSignature},
		{"a stranger", "khan@example.com", sealed(keyless(6), "kirk", later), ""},
		{"a captain without a key", "kor@example.org", sealed(strings.Replace(keyless(6), "Hood", "Riskadh", 1), "kor", later), codes.BadSignature},
		{"for another captain's ship", "kor@example.org", sealed(keyless(6), "kirk", later), codes.BadSignature},
		{"sent again", "kirk@example.org", sealed("Here:\n\n"+keyless(4), "kirk", at), codes.Stale},
		{"older", "kirk@example.org", sealed(keyless(6), "kirk", at.Add(-time.Second)), codes.Stale},
		{"of an earlier game", "kirk@example.org", sealed(keyless(6), "kirk", began.Add(-time.Hour)), codes.Stale},
		{"of the future", "kirk@example.org", sealed(keyless(6), "kirk", began.AddDate(1, 0, 0)), codes.Stale},
	} {
		t.Run(test.name, func(t *testing.T) {
			o.t = t
			h := o.send(test.from, test.text, dated(5))
			if len(h.Steps) > 0 && test.name != "other orders beside the signed ones" || test.code != "" && !hasCode(h, test.code) || !strings.Contains(o.inForce("Hood"), "2:4") {
				t.Errorf("%s %v\n%s", h.Reason, h.Diagnostics(), o.inForce("Hood"))
			}
		})
	}
	o.t = t
	if h := o.send("kirk@example.org", sealed(keyless(6), "kirk", later), dated(5)); h.Outcome != desk.Done {
		t.Errorf("a newer one: %s", h.text())
	}
	o.desk.Signatures = nil
	if h := o.send("kirk@example.org", sealed(keyless(8), "kirk", later.Add(time.Minute)), dated(5)); !hasCode(h, codes.NoKey) {
		t.Errorf("signatures count for nothing here: %s", h.text())
	}
}

// A text once signed or vouched for must not count again after the captain changed their mind, by
// whatever proof, not even in another wrapping.
func TestNothingComesBack(t *testing.T) {
	first := func(o *office) string { return sealed(keyless(4), "kirk", began.Add(time.Minute)) }
	for name, change := range map[string]func(o *office){
		"signed": func(o *office) {
			o.send("kirk@example.org", sealed(keyless(8), "kirk", began.Add(10*time.Minute)), dated(10))
		},
		"by key": func(o *office) { o.receive("kirk@example.org", robot, o.order("power", "  shields 2:8")) },
		"dropped": func(o *office) {
			o.receive("kirk@example.org", robot, o.order("cancel"))
		},
		"dropped and signed": func(o *office) {
			o.send("kirk@example.org", sealed("#orders wolf turn 1 ship Hood\ncancel\n#end", "kirk", began.Add(10*time.Minute)), dated(10))
		},
		"vouched for": func(o *office) {
			o.send("kirk@example.org", keyless(8), vouched("example.org"), came, dated(20))
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.withSeals()
			o.desk.Border = auth.TrustBoundary{IDs: []string{border}}
			if h := o.send("kirk@example.org", first(o), dated(1)); h.Outcome != desk.Done {
				t.Fatal(h.text())
			}
			change(o)
			after := o.inForce("Hood")
			if strings.Contains(after, "2:4") {
				t.Fatalf("the set did not change:\n%s", after)
			}
			for _, again := range []string{first(o), "Something more.\n" + first(o)} {
				h := o.send("kirk@example.org", again, dated(1))
				if len(h.Steps) > 0 || !hasCode(h, codes.Stale) || o.inForce("Hood") != after {
					t.Errorf("%s, in force:\n%s\n%s", h.Reason, o.inForce("Hood"), h.text())
				}
			}
			// A newly opened game knows it too.
			again, err := vault.Open(directory.At(o.game.Dir()), catalogue())
			if err != nil {
				t.Fatal(err)
			}
			o.game = again
			if h := o.send("kirk@example.org", first(o), dated(1)); len(h.Steps) > 0 {
				t.Errorf("after opening anew: %s", h.Reason)
			}
			// With the key everything can be sent.
			if h := o.receive("kirk@example.org", robot, o.order("power", "  shields 2:4")); h.Outcome != desk.Done {
				t.Errorf("the key: %s", h.text())
			}
		})
	}
}

// The same mail decided again, after a crash in the middle, gives the same result.
func TestProofsAreNoHindranceToTheSameMail(t *testing.T) {
	o := newOffice(t)
	o.withSeals()
	raw := "From: kirk@example.org\r\nTo: " + robot + "\r\nMessage-ID: <1@example.org>\r\n" + dated(1) + "\r\n\r\n" +
		strings.ReplaceAll(sealed(keyless(4), "kirk", began.Add(time.Minute)), "\n", "\r\n")
	l := identity.Incoming{SHA256: vault.Hash([]byte(raw)), Received: began.Add(time.Hour)}
	l.Mail, l.Err = mime.Read([]byte(raw))
	var ids []string
	for range 3 {
		h := o.settle(l)
		if h.Outcome != desk.Done || len(h.Steps) != 1 {
			t.Fatalf("%s\n%s", h.Reason, h.text())
		}
		ids = append(ids, h.answer.Message.MessageID)
	}
	if ids[0] != ids[1] || ids[1] != ids[2] {
		t.Errorf("answers %v", ids)
	}
	entries, err := o.game.Journal.Entries()
	if err != nil || len(entries) != 1 || entries[0].Kind != journal.Proof {
		t.Errorf("journal %+v, %v", entries, err)
	}
}

// Without signatures and server results, no proof is recorded.
func TestKeysAreNotNoted(t *testing.T) {
	o := newOffice(t)
	o.receive("kirk@example.org", robot, o.order("power", "  shields 2:4"))
	o.receive("kirk@example.org", robot, o.order("cancel"))
	if entries, err := o.game.Journal.Entries(); err != nil || len(entries) > 0 {
		t.Errorf("journal %+v, %v", entries, err)
	}
}

func TestExplainTellsOfProofs(t *testing.T) {
	o := newOffice(t)
	o.desk.Border = auth.TrustBoundary{IDs: []string{border}}
	explain := func(headers ...string) desk.Explanation {
		raw := strings.Join(headers, "\r\n") + "\r\nFrom: kirk@example.org\r\nTo: " + robot + "\r\n\r\n" + strings.ReplaceAll(keyless(4), "\n", "\r\n")
		l := identity.Incoming{SHA256: vault.Hash([]byte(raw)), Received: began.Add(time.Hour)}
		l.Mail, l.Err = mime.Read([]byte(raw))
		e, err := o.desk.Explain(l, nil)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	if e := explain(vouched("example.org"), came, dated(1)); e.Trust != "trusted" || !strings.Contains(e.Proof, border+" found by DMARC") || e.Results != border+": DMARC holds for example.org" {
		t.Errorf("%+v", e)
	}
	if e := explain(came, vouched("example.org"), dated(1)); e.Trust != "not trusted" || !strings.Contains(e.Results, "not believed: ") {
		t.Errorf("%+v", e)
	}
}
