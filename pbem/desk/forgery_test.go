package desk_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/pbem/auth"
	"starpost/pbem/desk"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/mime"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// Every trick by which someone else might impersonate Kirk. None may store anything, reveal
// anything about the game, or cause an answer to another address. A stranger's own address gets at
// most the one answer for strangers.
func TestForgeries(t *testing.T) {
	o := newOffice(t)
	o.withSeals()
	o.desk.Border = auth.TrustBoundary{IDs: []string{border}}
	set := func(key string) string {
		if key != "" {
			key = " key " + key
		}
		return "#orders wolf turn 1 ship Hood" + key + "\npower\n  shields 2:6\n#end\n"
	}
	kirks, kors := o.key("Kirk"), o.key("Kor")
	const eve = "From: Eve <eve@evil.example>"
	genuine := sealed(keyless(6), "kirk", began.Add(-time.Hour)) // of an earlier game of this name
	for _, f := range []struct {
		name    string
		headers []string
		text    string
	}{
		{"From forged", []string{"From: kirk@example.org"}, set("")},
		{"From forged, key guessed", []string{"From: kirk@example.org"}, set("AAAA-AAAA")},
		{"From forged, another captain's key", []string{"From: kirk@example.org"}, set(kors)},
		{"five keys guessed, the last one right", []string{"From: kirk@example.org", "To: " + strings.Join([]string{
			auth.WithKey(robot, "AAAA-AAA1"), auth.WithKey(robot, "AAAA-AAA2"), auth.WithKey(robot, "AAAA-AAA3"), auth.WithKey(robot, kirks),
		}, ", ")}, set("AAAA-AAA0")},
		{"the key in the tag of another address", []string{"From: kirk@example.org", "To: kirk+" + kirks + "@example.org, " + robot}, set("")},
		{"the key in the tag of a robot elsewhere", []string{"From: kirk@example.org", "To: " + robot + ", starpost+" + strings.ReplaceAll(kirks, "-", "") + "@evil.example"}, set("")},
		{"the key in the name of the robot", []string{"From: kirk@example.org", "To: \"starpost+" + strings.ReplaceAll(kirks, "-", "") + "@example.org\" <" + robot + ">"}, set("")},
		{"the key in the subject", []string{"From: kirk@example.org", "Subject: key " + kirks}, set("")},
		{"the key in prose", []string{"From: kirk@example.org"}, "My key is " + kirks + "\n" + set("")},
		{"the key as a comment", []string{"From: kirk@example.org"}, strings.Replace(set(""), "power", "; key "+kirks+"\npower", 1)},
		{"the right key, a stranger", []string{eve}, set(kirks)},
		{"the right key, another captain", []string{"From: kor@example.org"}, set(kirks)},
		{"Reply-To of the captain", []string{eve, "Reply-To: kirk@example.org"}, set(kirks)},
		{"Reply-To of the stranger", []string{"From: kirk@example.org", "Reply-To: eve@evil.example"}, set("")},
		{"Sender of the captain", []string{eve, "Sender: kirk@example.org"}, set(kirks)},
		{"Return-Path of the captain", []string{eve, "Return-Path: <kirk@example.org>"}, set(kirks)},
		{"Resent-From of the captain", []string{eve, "Resent-From: kirk@example.org", "Resent-Sender: kirk@example.org"}, set(kirks)},
		{"a second From field", []string{eve, "From: kirk@example.org"}, set(kirks)},
		{"a second From field, the captain's first", []string{"From: kirk@example.org", eve}, set(kirks)},
		{"a second author", []string{"From: kirk@example.org, eve@evil.example"}, set(kirks)},
		{"a group", []string{"From: captains: kirk@example.org, eve@evil.example;"}, set(kirks)},
		{"the captain as a name", []string{`From: "kirk@example.org" <eve@evil.example>`}, set(kirks)},
		{"the captain as a comment", []string{"From: eve@evil.example (kirk@example.org)"}, set(kirks)},
		{"the captain in brackets before", []string{"From: <kirk@example.org> eve@evil.example"}, set(kirks)},
		{"the captain as an encoded word", []string{"From: =?utf-8?q?kirk=40example=2Eorg?= <eve@evil.example>"}, set(kirks)},
		{"the captain with a bracket in an encoded word", []string{"From: =?utf-8?q?=3Ckirk=40example=2Eorg=3E?= <eve@evil.example>"}, set(kirks)},
		{"the captain's name in the domain of another", []string{"From: kirk@example.org.evil.example"}, set(kirks)},
		{"the captain's address as a name at another host", []string{`From: "kirk@example.org"@evil.example`}, set(kirks)},
		{"a route", []string{"From: <@evil.example:kirk@example.org>"}, set("")},
		{"percent", []string{"From: kirk%example.org@evil.example"}, set(kirks)},
		{"a Cyrillic i", []string{"From: k\u0456rk@example.org"}, set(kirks)},
		{"a Kelvin sign", []string{"From: \u212airk@example.org"}, set(kirks)},
		{"a dotless i", []string{"From: k\u0131rk@example.org"}, set(kirks)},
		{"wide letters", []string{"From: \uff4birk@example.org"}, set(kirks)},
		{"a domain of other letters", []string{"From: kirk@ex\u0430mple.org"}, set(kirks)},
		{"an accent", []string{"From: k\u00edrk@example.org"}, set(kirks)},
		{"a zero width space", []string{"From: ki\u200brk@example.org"}, set("")},
		{"a folded field", []string{"From: kirk@example.org,\r\n eve@evil.example"}, set(kirks)},
		{"a line end in an encoded word", []string{"From: =?utf-8?q?x=0D=0AFrom:_kirk@example.org?= <eve@evil.example>"}, set(kirks)},
		{"a plus tag before the name", []string{"From: eve+kirk@example.org"}, set(kirks)},
		{"results forged", []string{came, vouched("example.org"), "From: kirk@example.org", dated(5)}, set("")},
		{"results forged below ours", []string{"Authentication-Results: " + border + "; dkim=none", came, vouched("example.org"), "From: kirk@example.org", dated(5)}, set("")},
		{"results forged with our way in front", []string{came, vouched("example.org"), came, "From: kirk@example.org", dated(5)}, set("")},
		{"results of the stranger's own server", []string{"Authentication-Results: mx.evil.example; dmarc=pass header.from=example.org", came, "From: kirk@example.org", dated(5)}, set("")},
		{"results of the stranger's own domain", []string{vouched("evil.example"), came, "From: kirk@example.org", dated(5)}, set("")},
		{"results of the stranger's own domain, his own address", []string{vouched("evil.example"), came, eve, dated(5)}, set("")},
		{"results of ARC", []string{"ARC-Authentication-Results: i=1; " + border + "; dmarc=pass header.from=example.org", came, "From: kirk@example.org", dated(5)}, set("")},
		{"results with two From fields", []string{vouched("example.org"), came, "From: kirk@example.org", "From: kirk@example.org", dated(5)}, set("")},
		{"a signature from an earlier game", []string{"From: kirk@example.org", dated(5)}, genuine},
		{"a signature of the stranger", []string{"From: kirk@example.org", dated(5)}, sealed(keyless(6), "eve", began.Add(5*time.Minute))},
		{"a signed greeting, orders beside it", []string{"From: kirk@example.org", dated(5)}, sealed("Hello", "kirk", began.Add(5*time.Minute)) + keyless(6)},
		{"another's address with his signature", []string{"From: kor@example.org", dated(5)}, sealed(keyless(6), "kirk", began.Add(5*time.Minute))},
		{"the signature of another set", []string{"From: kirk@example.org", dated(5)}, strings.Replace(sealed(keyless(6), "eve", began.Add(5*time.Minute)), "2:6", "2:8", 1)},
	} {
		t.Run(f.name, func(t *testing.T) {
			o.t = t
			o.mail++
			head := strings.Join(f.headers, "\r\n")
			if !strings.Contains(head, "To: ") || strings.HasPrefix(head, "From") && !strings.Contains(head, "\r\nTo: ") {
				head += "\r\nTo: " + robot
			}
			raw := head + "\r\nMessage-ID: <" + fmt.Sprint(o.mail) + "@evil.example>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + strings.ReplaceAll(f.text, "\n", "\r\n")
			l := identity.Incoming{SHA256: vault.Hash([]byte(raw)), Received: began.Add(time.Hour)}
			l.Mail, l.Err = mime.Read([]byte(raw))
			h := o.settle(l)
			if len(h.Steps) > 0 || h.Outcome == desk.Done || o.inForce("Hood") != "" {
				t.Fatalf("stored: %s", h.Reason)
			}
			if h.answer == nil {
				return
			}
			m := h.answer.Message
			switch to := m.To.Addr; {
			case to == "kirk@example.org", to == "kor@example.org":
				if h.answer.Kind != desk.KindAck {
					t.Errorf("answer of kind %s", h.answer.Kind)
				}
			case h.answer.Kind != desk.KindStranger:
				t.Errorf("%s is answered: %s", to, m.Text)
			}
			// Eve's own words may come back; nothing else.
			for _, secret := range []string{"Constitution", "1133", "Riskadh", "Forecast", "In force", "in force", "Deadline", "missing from", kirks, kors, strings.ReplaceAll(kirks, "-", "")} {
				if strings.Contains(m.Text, secret) || strings.Contains(m.HTML, secret) || strings.Contains(m.Subject, secret) || strings.Contains(m.ReplyTo.Addr, secret) {
					t.Errorf("the answer tells %q:\n%s", secret, m.Text)
				}
			}
			if m.ReplyTo.Addr != "" {
				t.Errorf("the answer is to be answered to %s", m.ReplyTo.Addr)
			}
		})
	}
}

// spelled draws one of the spellings of a key.
func spelled(t *rapid.T, key string) string {
	var b strings.Builder
	for i, c := range strings.ReplaceAll(key, "-", "") {
		if i > 0 {
			b.WriteString(rapid.SampledFrom([]string{"", "", "", "-", " ", "\u2013", "\u00a0"}).Draw(t, "between"))
		}
		s := string(c)
		if rapid.Bool().Draw(t, "small") {
			s = strings.ToLower(s)
		}
		switch c {
		case '0':
			s = rapid.SampledFrom([]string{"0", "o", "O"}).Draw(t, "zero")
		case '1':
			s = rapid.SampledFrom([]string{"1", "l", "I"}).Draw(t, "one")
		}
		b.WriteString(s)
	}
	return b.String()
}

// holds reports whether a text contains a key in any spelling: read like a key, without anything
// that may be between its symbols, but within one paragraph.
func holds(text, key string) bool {
	flat := func(s string) string {
		return strings.Map(func(r rune) rune {
			switch {
			case r == 'o' || r == 'O':
				return '0'
			case strings.ContainsRune("iIlL", r):
				return '1'
			case r >= 'a' && r <= 'z':
				return r - 'a' + 'A'
			case strings.ContainsRune(" \t\r\n-\u00a0\u2010\u2011\u2012\u2013\u2014\u2212", r):
				return -1
			}
			return r
		}, strings.ReplaceAll(s, "\n\n", "|"))
	}
	return strings.Contains(flat(text), flat(key))
}

// Wherever a captain puts a key, in whatever spelling, it does not appear in an answer, a reason,
// an explanation, a mail to others, or anything stored.
func TestNoKeyIsEverShown(t *testing.T) {
	l := newLeak(t)
	places := []string{
		"#orders wolf turn 2 ship Hood key KEY\nfinal\n#end\n", "#orders wolf turn 2 ship Hood KEY\nfinal\n#end\n", "#orders KEY turn 1 ship Hood\nfinal\n#end\n",
		"#orders wolf turn 2 ship KEY\nfinal\n#end\n", "#orders wolf turn KEY ship Hood\nKEY\n#end\n", "#orders wolf turn 2 KEY Hood key KEY key KEY\nfinal KEY\n#end KEY\n",
		"#orders wolf turn 2 ship Hood\npower\n  move KEY\n  KEY\n  arm KEY 4\nmessage KEY\n#text\nKEY\n#endtext\n#end\n", "#KEY\n", "#ordersKEY\n", "key KEY\n", "KEY\n",
		"> #orders wolf turn 2 ship Hood key KEY\n> KEY\n> #end\n", "On Sunday <a@b.example> wrote:\n#orders wolf turn 2 ship Hood key KEY\ncancel\n#end\n",
		"#message to Riskadh\nHello\nKEY\nI am key KEY\n#end\n", "#message to all\nbattles+KEY@example.org\n#end\n", "#protest 1.1 the key is KEY, or KEY\n",
		"#orders wolf turn 2 ship Hood key KEY\nmessage Riskadh\n#text\nYield. KEY\n#endtext\n#end\n", "#vote draw key KEY\n",
		"#orders bear turn 1 ship KEY key KEY\nKEY\n#end\n", "#orders wolf turn 1 captain KEY\nwait\n#end\n", "#orders\n& KEY\n#end\n", "#orders wolf turn 9 ship Hood key KEY\nfinal\n#end\n",
	}
	headers := []string{
		"Subject: KEY", "Subject: key KEY", "Content-Type: text/plain; charset=KEY", "Content-Transfer-Encoding: KEY", "X-Other: KEY", "Message-ID: <KEY@example.org>",
		"Auto-Submitted: KEY", "Precedence: bulk KEY", "Date: KEY",
	}
	// Each place, in a mail from the captain with a valid key, so that the mail has an effect.
	for _, place := range places {
		for _, spelling := range []func(string) string{
			func(key string) string { return key },
			func(key string) string { return strings.ToLower(strings.ReplaceAll(key, "-", "")) },
		} {
			key := l.key("Kirk")
			l.try(t, kirk, auth.WithKey(robot, key), key, strings.ReplaceAll(place, "KEY", spelling(key)), "X-Other: none")
		}
	}
	if l.stored == 0 || l.passed == 0 || l.noted == 0 {
		t.Errorf("%d sets were stored, %d mails passed on, %d entries made", l.stored, l.passed, l.noted)
	}
	rapid.Check(t, func(rt *rapid.T) {
		key := l.key(rapid.SampledFrom([]engine.CaptainName{"Kirk", "Kirk", "Kor"}).Draw(rt, "whose"))
		fill := func(s string) string {
			for strings.Contains(s, "KEY") {
				s = strings.Replace(s, "KEY", spelled(rt, key), 1)
			}
			return s
		}
		from := rapid.SampledFrom([]string{"kirk@example.org", "kor@example.org", "eve@evil.example"}).Draw(rt, "from")
		text := fill(strings.Join(rapid.SliceOfN(rapid.SampledFrom(places), 0, 3).Draw(rt, "text"), ""))
		head := fill(strings.Join(rapid.SliceOfNDistinct(rapid.SampledFrom(headers), 0, 3, func(h string) string { return h[:4] }).Draw(rt, "headers"), "\r\n"))
		to := rapid.SampledFrom([]string{robot, auth.WithKey(robot, key)}).Draw(rt, "to")
		l.try(rt, from, to, key, text, head)
	})
}

// leak looks for keys in all effects of a mail.
type leak struct {
	*office
	stored, passed, noted int // sets, mails to others, entries
}

func newLeak(t *testing.T) *leak {
	t.Helper()
	l := &leak{office: newOffice(t)}
	l.desk.Referee = operator
	l.resolve() // so that there is an event to protest against
	return l
}

func (k *leak) try(t rapid.TB, from, to, key, text, head string) {
	t.Helper()
	k.mail += 61 // one hour, so that the limit on messages is not reached
	raw := "From: " + from + "\r\nTo: " + to + "\r\n" + head + "\r\n\r\n" + strings.ReplaceAll(text, "\n", "\r\n")
	raw = strings.Replace(raw, "\r\n\r\n\r\n", "\r\n\r\n", 1)
	l := identity.Incoming{SHA256: vault.Hash(fmt.Append([]byte(raw), k.mail)), Received: began.Add(time.Duration(k.mail) * time.Minute)}
	l.Mail, l.Err = mime.Read([]byte(raw))
	h := k.settle(l)
	for _, step := range h.Steps {
		s, ok := step.(effect.OrderStep)
		if !ok {
			continue
		}
		if err := k.game.Orders.Drop(vault.At(s.Turn), s.Name); err != nil {
			t.Fatal(err)
		}
		if k.stored++; holds(s.Text, key) {
			t.Fatalf("the key is stored:\n%s", s.Text)
		}
	}
	e, err := k.desk.Explain(l, nil)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{"reason": h.Reason, "explanation": fmt.Sprintf("%+v", e)}
	if h.answer != nil {
		m := h.answer.Message
		shown["subject"], shown["text"], shown["HTML"] = m.Subject, m.Text, m.HTML
	}
	for _, m := range h.Mails {
		if m.Message.To.Addr != from { // the captain's own report may hold the captain's key
			k.passed++
			shown["mail to "+m.Message.To.Addr] = m.Message.Subject + "\n" + m.Message.Text + "\n" + m.Message.HTML + "\n" + m.Message.ReplyTo.Addr
		}
	}
	for _, e := range k.entries(k.noted) {
		k.noted++
		shown[fmt.Sprintf("entry %d of the journal", k.noted)] = string(e.Data) + " " + e.Why
	}
	// A stranger's key is unknown, and Kor's is only recognised in a mail from Kirk by its form.
	mine := from == "kirk@example.org" && key == k.key("Kirk") || from == "kor@example.org" && key == k.key("Kor")
	for where, s := range shown {
		if mine && holds(s, key) {
			t.Fatalf("the %s shows the key %s:\n%s\nof\n%s", where, key, s, raw)
		}
	}
}

// entries returns the journal entries from index n on.
func (o *office) entries(n int) []journal.Entry {
	o.t.Helper()
	all, err := o.game.Journal.Entries()
	if err != nil {
		o.t.Fatal(err)
	}
	return all[n:]
}

// All keys of a game differ, by turn and by captain, and are 40 bits.
func TestKeysDiffer(t *testing.T) {
	o := newOffice(t)
	seen := map[string]bool{}
	for n := 1; n < 500; n++ {
		for _, c := range []engine.CaptainName{"Kirk", "Kor"} {
			k := turn.Key(o.game, n, c)
			if again, ok := auth.Normalise(k); !ok || again != k || seen[k] {
				t.Fatalf("key %q of turn %d", k, n)
			}
			seen[k] = true
		}
	}
}
