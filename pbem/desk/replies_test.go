package desk_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/orders"
	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/mime"
	"starpost/pbem/orderset"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// mails returns raw mails by name.
func mails(t *testing.T, pattern string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no mails %s: %v", pattern, err)
	}
	out := map[string][]byte{}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(f), ".eml")] = raw
	}
	return out
}

// handle decides a raw mail, does the steps and takes the answer.
func (o *office) handle(raw []byte) handled {
	o.t.Helper()
	raw = []byte(strings.ReplaceAll(strings.ReplaceAll(string(raw), "\r\n", "\n"), "\n", "\r\n"))
	l := identity.Incoming{SHA256: vault.Hash(raw), Received: began.Add(48 * time.Hour)}
	l.Mail, l.Err = mime.Read(raw)
	return o.settle(l)
}

// Replies of people to the first report: the folder says whether they must be stored or refused.
func TestReplies(t *testing.T) {
	o := newOffice(t)
	for _, want := range []string{"stored", "refused"} {
		for name, raw := range mails(t, "testdata/replies/"+want+"/*.eml") {
			t.Run(want+"/"+name, func(t *testing.T) {
				o.t = t
				h := o.handle(raw)
				set := o.inForce("Hood")
				if err := o.game.Orders.Drop(vault.At(1), "Hood"); err != nil {
					t.Fatal(err)
				}
				if want == "refused" {
					if set != "" || len(h.Steps) > 0 || h.Outcome != desk.Refused || h.answer == nil {
						t.Fatalf("%s (%s), in force:\n%s", h.Outcome, h.Reason, set)
					}
					wants(t, h.text(), refusal(name)...)
					return
				}
				order := "move 8"
				switch {
				case strings.HasSuffix(name, "unchanged"):
					order = "shields 1:16 2:16"
				case strings.Contains(name, "-in"):
					order = "shields 2:16"
				}
				if h.Outcome != desk.Done || !strings.Contains(set, order) {
					t.Errorf("%s (%s), in force:\n%s\n%s", h.Outcome, h.Reason, set, h.text())
				}
			})
		}
	}
}

// refusal returns what the answer to a refused reply must say.
func refusal(name string) []string {
	switch {
	case strings.HasSuffix(name, "two-differ"):
		return []string{"two different order sets for Hood", "neither was accepted"}
	case name == "gmail-plain-only-quoted", name == "thunderbird-only-quoted":
		return []string{"unchanged and quoted (>)", "nothing was stored", "to send it on purpose"}
	case strings.HasSuffix(name, "only-quoted"), name == "mutt-forwarded", name == "thunderbird-author-only":
		return []string{"unchanged and below a quotation", "nothing was stored", "to send it on purpose"}
	}
	switch name {
	case "gmail-web-acknowledgement-bars-top", "mutt-acknowledgement-inside", "outlook-desktop-acknowledgement-inside":
		return []string{"have bars (|) in front of them and are not read", "remove the | or > in front of every line"}
	case "phone-markdown-top":
		return []string{"does not begin a block", "#orders"}
	}
	return []string{"have quote marks (>) in front of them and are not read", "remove the > in front of every line", "write the whole set above the quotation"}
}

// The corpus of the mail reader has replies of many programs; the end of a name says what the
// writer did.
func TestRepliesOfTheCorpus(t *testing.T) {
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	seed, dir := uint64(1), filepath.Join(t.TempDir(), "wolf")
	mail := vault.DefaultMail()
	mail.Robot = "battles@example.org"
	_, err = turn.Create(dir, catalogue(), turn.Setup{
		Scenario: all["big-bad-wolf"], ID: "wolf", Mail: mail,
		Captains: []vault.Captain{
			{Name: "Hood", Address: "ann@example.org", Ships: []string{"Hood"}},
			{Name: "Riskadh", Address: "bo@example.net", Ships: []string{"Riskadh"}},
		},
		Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: began},
	})
	if err != nil {
		t.Fatal(err)
	}
	o := &office{t: t}
	if o.game, err = vault.Open(directory.At(dir), catalogue()); err != nil {
		t.Fatal(err)
	}
	o.desk = &desk.Desk{Robot: effect.Robot{Address: mail.Robot, Name: "Starpost"}, Registry: identity.Registry{Games: o}, Services: command.Services{Listings: o}, Strangers: true}
	// The mails with another result than their name says.
	odd := map[string]string{
		"reply-gmail-plain-wrapped-top": orders.CodeUnknownOrder, // a line was wrapped and the text has no other form
		"reply-k9-inline":               orders.CodeQuoted,       // the writer saw the marks
		"reply-thebat-inline":           orders.CodeQuoted,
		"reply-mailutils-inline":        "", // the raw mail was quoted, which leaves no block
	}
	seen := 0
	for name, raw := range mails(t, "../mime/testdata/corpus/reply-*.eml") {
		t.Run(name, func(t *testing.T) {
			o.t = t
			h := o.handle(raw)
			set := o.inForce("Hood")
			if err := o.game.Orders.Drop(vault.At(1), "Hood"); err != nil {
				t.Fatal(err)
			}
			if h.answer == nil && h.Silent == "" {
				t.Fatal("no answer, and nobody will be told")
			}
			how := name[strings.LastIndexByte(name, '-')+1:]
			if code, ok := odd[name]; ok {
				if set != "" || code != "" && !hasCode(h, code) {
					t.Errorf("%s, %v, in force %q", h.Outcome, h.Diagnostics(), set)
				}
				return
			}
			switch how {
			case "top", "inline", "bottom", "only", "split":
				if h.Outcome != desk.Done || !strings.Contains(set, "move 24") {
					t.Errorf("%s (%s), in force:\n%s", h.Outcome, h.Reason, set)
				}
			case "same":
				if h.Outcome != desk.Done || !strings.Contains(set, "shields 1:16 2:16") {
					t.Errorf("%s (%s), in force:\n%s", h.Outcome, h.Reason, set)
				}
			case "ok":
				if set != "" || !hasCode(h, codes.OnlyQuoted) && !hasCode(h, orders.CodeQuoted) || !strings.Contains(h.text(), "to send it on purpose") {
					t.Errorf("%s (%s), in force:\n%s", h.Outcome, h.Reason, set)
				}
			case "marked", "some":
				if set != "" || !hasCode(h, orders.CodeQuoted) || !strings.Contains(h.text(), "remove the >") {
					t.Errorf("%s (%s), in force:\n%s", h.Outcome, h.Reason, set)
				}
			case "differ":
				if set != "" || !hasCode(h, orderset.CodeTwoSets) {
					t.Errorf("%s (%s), in force:\n%s", h.Outcome, h.Reason, set)
				}
			default:
				return
			}
			seen++
		})
	}
	if seen < 80 {
		t.Errorf("only %d replies have a name that says what they are", seen)
	}
}

// Whatever a mail program does to the lines of a report, its orders must stay the same.
func TestTemplateSurvivesMailPrograms(t *testing.T) {
	o := newOffice(t)
	template := strings.TrimSpace(o.template("Kirk"))
	line := func(f func(string) string) func(string) string {
		return func(s string) string {
			lines := strings.Split(s, "\n")
			for i := range lines {
				lines[i] = f(lines[i])
			}
			return strings.Join(lines, "\n")
		}
	}
	want := ""
	for _, c := range []struct {
		name string
		does func(string) string
	}{
		{"nothing", func(s string) string { return s }},
		{"empty lines between", func(s string) string { return strings.ReplaceAll(s, "\n", "\n\n") }},
		{"indents lost", line(strings.TrimSpace)},
		{"indents deeper", line(func(l string) string { return "\t    " + l })},
		{"hard spaces", func(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }},
		{"spaces at the ends", line(func(l string) string { return l + "   " })},
		{"capitals", line(func(l string) string {
			at := strings.IndexFunc(l, func(r rune) bool { return r >= 'a' && r <= 'z' })
			if at < 0 {
				return l
			}
			return l[:at] + strings.ToUpper(l[at:at+1]) + l[at+1:]
		})},
	} {
		t.Run(c.name, func(t *testing.T) {
			o.t = t
			h := o.receive("kirk@example.org", robot, c.does(template)+"\n")
			got := o.inForce("Hood")
			if want == "" {
				want = got
			}
			if got != want || got == "" {
				t.Errorf("stored\n%s\nwant\n%s\n%s", got, want, h.text())
			}
			if err := o.game.Orders.Drop(vault.At(1), "Hood"); err != nil {
				t.Fatal(err)
			}
			// It is still recognised as the template.
			if h := o.receive("kirk@example.org", robot, "Hm.\n-----Original Message-----\n"+c.does(template)+"\n"); !hasCode(h, codes.OnlyQuoted) {
				t.Errorf("quoted, it is taken for orders: %s", h.Reason)
			}
		})
	}
}

// Mail programs wrap lines of 72 columns and more, and add two columns for a quote mark.
func TestTemplatesAreNarrow(t *testing.T) {
	all, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	for name, scenario := range all {
		dir := filepath.Join(t.TempDir(), name)
		seed := uint64(1)
		made, err := turn.Create(dir, catalogue(), turn.Setup{
			Scenario: scenario, ID: "a-game-with-a-long-name", Mail: vault.DefaultMail(), Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: began},
		})
		if err != nil {
			t.Logf("%s: %v", name, err) // needs another rule set
			continue
		}
		game, err := vault.Open(directory.At(dir), catalogue())
		if err != nil {
			t.Fatal(err)
		}
		pos, err := turn.Load(game)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range made.State.Captains() {
			text, err := pos.Template(c.Name, true)
			if err != nil {
				t.Fatal(err)
			}
			for l := range strings.Lines(text) {
				if n := len([]rune(strings.TrimRight(l, "\n"))); n >= 72 {
					t.Errorf("%s, %s: a line of %d columns: %s", name, c.Name, n, l)
				}
			}
		}
	}
}

// Most programs quote the HTML of a report: it must contain the same template as the text.
func TestHTMLOfAReportHoldsTheTemplate(t *testing.T) {
	o := newOffice(t)
	d, err := turn.Draw(o.game, vault.Stage{})
	if err != nil {
		t.Fatal(err)
	}
	raw, _, err := d.Mail("kirk.eml")
	if err != nil {
		t.Fatal(err)
	}
	m, err := mime.Read(raw)
	if err != nil {
		t.Fatal(err)
	}
	html := strings.Split(strings.TrimSpace(m.HTMLText()), "\n")
	want := strings.Split(strings.TrimSpace(o.template("Kirk")), "\n")
	at := slices.Index(html, want[0])
	if at < 0 || at+len(want) > len(html) || !slices.Equal(html[at:at+len(want)], want) {
		t.Errorf("the HTML as text:\n%s\nlacks\n%s", strings.Join(html, "\n"), strings.Join(want, "\n"))
	}
	// Nothing else in it may look like orders, wherever a program wraps lines.
	for i, l := range html {
		if i < at && strings.Contains(l, "#orders") || strings.Contains(strings.ToLower(strings.Join(html[:at], " ")), " #end") {
			t.Errorf("a sentence speaks of orders so that a broken line would begin some: %s", l)
		}
	}
}

// The owner of an address confirms by replying, with any program: some reply to the plain address,
// and quote with tabs, above the reply or not at all. The question is identified by In-Reply-To, or
// by the token in the quotation; either counts once, and only from the address that was asked. Any
// other reply gets a reminder of the question.
func TestConfirmingReplies(t *testing.T) {
	for _, want := range []string{"confirmed", "reminded"} {
		for name, raw := range mails(t, "testdata/replies/"+want+"/*.eml") {
			t.Run(want+"/"+name, func(t *testing.T) {
				o := newOffice(t)
				o.set("open = false", "open = true")
				o.says("#resign")
				q := o.receive(khan, robot, "#join wolf as Hood").mail(t, effect.KindConfirm, khan).Message
				filled := strings.NewReplacer("@ID@", q.MessageID, "@TOKEN@", tokenShape.FindString(q.Text)).Replace(string(raw))
				for _, from := range []string{"eve@example.com", kor} { // someone who has the mail, or guesses its content
					h := o.handle([]byte(strings.Replace(filled, "Khan <"+khan+">", from, 1)))
					h.nothing(t)
					if strings.Contains(h.raw, "open since") {
						t.Errorf("%s is reminded of what another was asked:\n%s", from, h.text())
					}
				}
				h := o.handle([]byte(filled))
				holder := o.game.Settings().Captains[0].Address
				if want == "reminded" {
					if holder != "" || len(h.Steps) > 0 || h.answer == nil || h.answer.Message.To.Addr != khan || h.answer.Message.ReplyTo.Addr != q.ReplyTo.Addr {
						t.Fatalf("%s (%s), %q: %s", h.Outcome, h.Reason, holder, h.text())
					}
					wants(t, h.text(), "A question to you has been open since 1 Mar 2026", "Do you want the seat of captain Kirk in The Big Bad Wolf?", "confirm "+tokenShape.FindString(q.Text))
					return
				}
				if holder != khan || h.Outcome != desk.Done {
					t.Fatalf("%s (%s), %q: %s", h.Outcome, h.Reason, holder, h.text())
				}
				// Sent again, or replayed by someone else, it has no further effect.
				o.handle([]byte(strings.Replace(filled, "Message-ID: <", "Message-ID: <again.", 1))).nothing(t)
				o.receive(khan, robot, "#resign key "+o.key("Kirk"))
				o.handle([]byte(strings.Replace(filled, "Message-ID: <", "Message-ID: <later.", 1))).nothing(t)
			})
		}
	}
}

// Only the recipient of a question knows its Message-ID, which is valid as long as the token.
func TestReferencesToQuestionsAreProofs(t *testing.T) {
	o := newOffice(t)
	o.set("open = false", "open = true")
	o.says("#resign")
	q := o.receive(khan, robot, "#join wolf as Hood").mail(t, effect.KindConfirm, khan).Message
	word := strings.Split(q.MessageID, ".")[2]
	game, _, _ := strings.Cut(strings.Split(q.MessageID, ".")[3], "@")
	for _, id := range []string{
		strings.Replace(q.MessageID, word, strings.Repeat("0", len(word)), 1), strings.Replace(q.MessageID, "2026-03-01", "2026-03-02", 1), strings.Replace(q.MessageID, game, "wolf", 1),
		strings.Replace(q.MessageID, "example.org", "example.com", 1), "<confirm.2026-03-01..wolf@example.org>", "<confirm@example.org>",
	} {
		o.receive(khan, robot, "confirm", "In-Reply-To: "+id, "References: "+id).nothing(t)
	}
	if token := strings.ToLower(strings.ReplaceAll(tokenShape.FindString(q.Text), "-", "")); strings.Contains(q.MessageID, token) {
		t.Error("the token is readable in the headers")
	}
	now := o.mail
	o.mail += 9 * 24 * 60
	o.receive(khan, robot, "confirm", "In-Reply-To: "+q.MessageID).nothing(t)
	o.mail = now
	if h := o.receive(khan, robot, "confirm", "References: <a@b.example> "+q.MessageID+" <c@d.example>"); h.Outcome != desk.Done {
		t.Error(h.text())
	}
}

// A set without a key counts if the key is in the report quoted below or above it, as in the mails
// of programs that reply to the plain address; so does a command.
func TestKeyInTheQuotation(t *testing.T) {
	o := newOffice(t)
	for name, raw := range mails(t, "testdata/replies/keyless/*.eml") {
		t.Run(name, func(t *testing.T) {
			o.t = t
			h := o.handle(raw)
			set := o.inForce("Hood")
			if h.Outcome != desk.Done || !strings.Contains(set, "move 8") {
				t.Errorf("%s (%s), in force:\n%s\n%s", h.Outcome, h.Reason, set, h.text())
			}
			if err := o.game.Orders.Drop(vault.At(1), "Hood"); err != nil {
				t.Fatal(err)
			}
			// From another sender, or with another's report, it does not count.
			for _, bad := range []string{
				strings.ReplaceAll(string(raw), "Kirk <"+kirk+">", "Eve <eve@example.com>"), strings.ReplaceAll(string(raw), o.key("Kirk"), o.key("Kor")),
				strings.ReplaceAll(string(raw), " key "+o.key("Kirk"), ""),
			} {
				if h := o.handle([]byte(bad)); len(h.Steps) > 0 || o.inForce("Hood") != "" {
					t.Errorf("%s: %s", h.Outcome, h.Reason)
				}
			}
		})
	}
	o.t = t
	quoted := "\n\nOn Sun, Mar 1, 2026 Starpost wrote:\n> " + strings.ReplaceAll(o.template("Kirk"), "\n", "\n> ")
	if h := o.receive(kirk, robot, "#vote draw turn 1"+quoted); h.Outcome != desk.Done || o.standing().Votes[1]["Kirk"] == "" {
		t.Errorf("a command: %s", h.text())
	}
	if h := o.receive(kirk, robot, "#vote continue turn 1"+strings.ReplaceAll(quoted, o.key("Kirk"), o.key("Kor"))); h.Outcome == desk.Done {
		t.Errorf("by another's key: %s", h.text())
	}
}
