package desk_test

import (
	"strings"
	"testing"

	"starpost/engine"
	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/vault"
)

// one returns a text with every run of white space replaced by a blank.
func one(text string) string { return strings.Join(strings.Fields(text), " ") }

// wants checks that a text contains words, ignoring line breaks.
func wants(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(one(text), w) {
			t.Errorf("the answer lacks %q:\n%s", w, text)
		}
	}
}

// lacks is the opposite of wants.
func lacks(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if strings.Contains(one(text), w) {
			t.Errorf("the answer says %q:\n%s", w, text)
		}
	}
}

func TestWordsOfAnAcceptedSet(t *testing.T) {
	o := newOffice(t)
	h := o.receive("kirk@example.org", robot, o.order("power ; all ahead", "  move 12", "  shields 1:13 2:13 3:13 4:13", "; a line of nothing else", "phase 1", "  move F", "phase 2", "  move F", "phase 3", "  move F"))
	text := h.answer.Message.Text
	wants(t, text, "Your orders for Hood, turn 1, are accepted", "- Power 44: movement 12,",
		"H Hood 1130 A Federation own", "r Riskadh 1101 D 29 000 Klingon", "ranges and bearings are from its end")
	lacks(t, text, "Power left over", "all ahead", "nothing else", "1133 A Fed")
}

// Without proof, a sender learns nothing about the sets in force, not even whether there are any.
func TestUntrustedLearnNothingOfWhatIsInForce(t *testing.T) {
	o := newOffice(t)
	wrong := "#orders wolf turn 1 ship Hood key AAAA-AAAA\npower\n  move 4\n#end\n"
	for _, text := range []string{wrong, strings.Replace(wrong, " key AAAA-AAAA", "", 1)} {
		before := o.receive("kirk@example.org", robot, text).answer.Message
		o.receive("kirk@example.org", robot, o.order("power", "  move 8"))
		after := o.receive("kirk@example.org", robot, text).answer.Message
		if err := o.game.Orders.Drop(vault.At(1), "Hood"); err != nil {
			t.Fatal(err)
		}
		wants(t, after.Text, "Your orders for Hood, turn 1, were not accepted: 1 error. Nothing was changed.")
		lacks(t, after.Text, "in force", "In force")
		if before.Text != after.Text || before.HTML != after.HTML {
			t.Errorf("the answer tells whether a set is in force:\n%s\n%s", before.Text, after.Text)
		}
	}
	other := o.receive("kirk@example.org", robot, strings.Replace(wrong, "wolf", "wulf", 1)).answer.Message
	lacks(t, other.Text, "in force", "In force")
}

// The instructions depend on whether a set is in force.
func TestWhatMayBeSent(t *testing.T) {
	o := newOffice(t)
	bad := o.order("power", "  mvoe 12")
	text := o.receive("kirk@example.org", robot, bad).answer.Message.Text
	wants(t, text, "1 error", "- A complete set, with its first and last lines", "needs no turn key")
	lacks(t, text, "E129", "replaces", "cancel")
	o.receive("kirk@example.org", robot, o.order("power", "  move 8"))
	wants(t, o.receive("kirk@example.org", robot, bad).answer.Message.Text, "replaces the one in force", "line cancel")
	lacks(t, o.receive("kirk@example.org", robot, o.order("cancel")).answer.Message.Text, "replaces", "line cancel")
	o.desk.NoPlus = true
	text = o.receive("kirk@example.org", robot, bad).answer.Message.Text
	wants(t, text, "needs the word key and the turn key")
	lacks(t, text, "needs no turn key")
}

func TestEmptySetIsOneError(t *testing.T) {
	o := newOffice(t)
	for _, lines := range [][]string{nil, {"; nothing"}, {"power"}} {
		h := o.receive("kirk@example.org", robot, o.order(lines...))
		if h.Outcome != desk.Refused || !hasCode(h, "E129") || hasCode(h, "W004") {
			t.Errorf("%q: %s\n%s", lines, h.Outcome, h.answer.Message.Text)
		}
		if !strings.HasSuffix(h.answer.Message.Subject, "not accepted, 1 error") {
			t.Errorf("%q: subject %q", lines, h.answer.Message.Subject)
		}
	}
}

// TestWordsOfRefusals checks that a captain's mistakes are described in terms of what the captain
// wrote.
func TestWordsOfRefusals(t *testing.T) {
	o := newOffice(t)
	for text, want := range map[string][]string{
		"#away 2026-04-01 2027-04-05": {"the absence lasts 370 days; this game allows at most 14 days"},
		"#away monday friday":         {"This was not done: away monday friday", `"monday" is not a date such as 2026-08-03`},
		"#away from monday":           {"This was not done: away from monday", `"monday" is not a date`},
		"#protest 0":                  {"no turn was resolved yet", "when you have the report of turn 1"},
		"#protest 1.2 why":            {"no turn was resolved yet"},
		"#cancel":                     {"No order set for any of your ships is in force for"},
	} {
		h := o.says(text)
		for _, w := range want {
			if !strings.Contains(words(h.text()), w) {
				t.Errorf("%s: no %q in\n%s", text, w, h.text())
			}
		}
		if strings.Contains(h.text(), "336h") || strings.Contains(h.text(), "is turn 0") {
			t.Errorf("%s:\n%s", text, h.text())
		}
	}
	h := o.receive(kirk, robot, "#final")
	if text := words(h.text()); !hasCode2(h, codes.NoKey) || strings.Contains(text, "line of the set") || !strings.Contains(text, "this command needs the turn key") || !strings.Contains(text, "final key ...") {
		t.Error(h.text())
	}
	o.resolve()
	for text, want := range map[string]string{"#protest 0": "turn 0 is the set-up", "#protest 2.1 why": "turn 2 was not resolved yet"} {
		if h := o.says(text); !strings.Contains(words(h.text()), want) {
			t.Errorf("%s:\n%s", text, h.text())
		}
	}
}

// With an old first line and the key of the due turn, the key is right, and the answer says what is
// wrong.
func TestOldTurnWithTheNewKey(t *testing.T) {
	o := newOffice(t)
	o.resolve()
	old := strings.Replace(o.order("power", "  move 8"), "turn 2", "turn 1", 1)
	keyless := strings.Replace(old, " key "+o.key("Kirk"), "", 1)
	for _, h := range []handled{o.receive(kirk, robot, old), o.receive(kirk, o.keyed("Kirk"), keyless)} {
		if h.Outcome != desk.Refused || len(h.Steps) > 0 || !hasCode(h, "E502") || hasCode(h, codes.WrongKey) {
			t.Errorf("%s, %d steps\n%s", h.Outcome, len(h.Steps), h.answer.Message.Text)
		}
		wants(t, h.answer.Message.Text, "turn 1 is already resolved; turn 2 is due", "Hint: write turn 2")
	}
	h := o.receive("kor@example.org", robot, old)
	if hasCode(h, "E502") || len(h.Steps) > 0 {
		t.Errorf("another captain's key counts: %s", h.text())
	}
	if h := o.receive("khan@example.com", robot, old); len(h.Steps) > 0 || strings.Contains(h.text(), "turn 2") {
		t.Errorf("a stranger with a key is told: %s", h.text())
	}
}

// below quotes a report's template like a mail program, with marks or without.
func below(template, mark string) string {
	return "\n\nOn Sun, 1 Mar 2026 at 12:00, Starpost <starpost@example.org> wrote:\n" + mark +
		strings.ReplaceAll(strings.TrimRight(template, "\n"), "\n", "\n"+mark) + "\n"
}

// A mail without orders is not treated as a refused order set: the answer has the game's tag, the
// mistakes in what is there, and the status.
func TestMailsWithoutOrders(t *testing.T) {
	o := newOffice(t)
	o.receive(kirk, robot, o.order("power", "  move 8"))
	before := o.inForce("Hood")
	template := o.template("Kirk")
	for name, c := range map[string]struct {
		text, subject string
		wants         []string
	}{
		"a smile above marks":         {"\U0001F44D" + below(template, "> "), "[wolf] No orders in your mail", []string{"That is fine", "to send it on purpose"}},
		"thanks above a quotation":    {"Thanks!" + below(template, ""), "[wolf] No orders in your mail", []string{"unchanged and below a quotation"}},
		"a command, misspelt":         {"#statsu\n#fnal", "[wolf] Command not understood, 2 errors", []string{"did you mean #status?", "did you mean #final?"}},
		"a misspelt one above quotes": {"#statsu\n" + below(template, "> "), "[wolf] Command not understood, 1 error", []string{"did you mean #status?"}},
		"a command with wrong words":  {"vote for a draw", "[wolf] Command not understood, 1 error", []string{"could be read as a command"}},
		"nothing":                     {"", "[wolf] Your mail could not be read, 1 error", []string{"nothing was changed", "send the orders as plain text"}},
	} {
		h := o.receive(kirk, robot, c.text)
		if h.answer == nil || h.answer.Kind != desk.KindAck || h.answer.Message.Subject != c.subject || h.answer.Message.ListID == "" {
			t.Errorf("%s: %+v", name, h.answer)
			continue
		}
		wants(t, h.answer.Message.Text, append(c.wants, "Turn 1 is due by Wed 4 Mar 2026", "Hood (Kirk): orders are in, received Sun 1 Mar 2026, 12:01 UTC")...)
		lacks(t, h.answer.Message.Text, "turn 0", "not accepted", o.key("Kirk"))
		if o.inForce("Hood") != before {
			t.Errorf("%s: the set in force is another", name)
		}
	}
	text := o.receive(kirk, robot, "ok!").answer.Message.Text
	wants(t, text, "no order set", "Turn 1 is due by", "orders are in, received")
	h := o.receive(kirk, robot, "#order wolf turn 1")
	wants(t, h.text(), "No new orders were found", `"#order" does not begin a block`, "The situation")
}

// Closing lines that several sets of a mail share appear once.
func TestWhatSetsHaveInCommonIsSaidOnce(t *testing.T) {
	o := newOffice(t)
	ship := o.order("power", "  move 8")
	text := o.receive(kirk, robot, ship+strings.Replace(o.order("wait"), "ship Hood", "captain Kirk", 1)).answer.Message.Text
	wants(t, text, "Your orders for Hood, turn 1, are accepted", "Your orders for Kirk, turn 1, are accepted")
	for _, words := range []string{"== Time", "== What you can send", "Orders missing from: Riskadh"} {
		if strings.Count(text, words) != 1 || strings.Index(text, words) < strings.Index(text, "Your orders for Kirk") {
			t.Errorf("%q does not stand once, below the last set:\n%s", words, text)
		}
	}
	text = o.receive(kirk, robot, ship+strings.Replace(o.order("wiat"), "ship Hood", "captain Kirk", 1)).answer.Message.Text
	if strings.Count(text, "== What you can send") != 2 {
		t.Errorf("what may be sent differs, and is not told of each set:\n%s", text)
	}
}

// A page goes only to senders with programs that may write pages. A plain reply to our mails, which
// have pages, comes from a program that writes none.
func TestAPlainReplyGetsAPlainAnswer(t *testing.T) {
	o := newOffice(t)
	both := []string{"MIME-Version: 1.0", "Content-Type: multipart/alternative; boundary=x"}
	set := o.order("power", "  move 8")
	for name, c := range map[string]struct {
		text    string
		headers []string
		page    bool
	}{
		"a new mail":        {text: set, page: true},
		"a plain reply":     {text: set, headers: []string{"In-Reply-To: <wolf.0.kirk.1234@example.org>"}},
		"a reply elsewhere": {text: set, headers: []string{"In-Reply-To: <1234@example.net>"}, page: true},
		"a reply with a page": {
			text:    "--x\nContent-Type: text/plain\n\n" + set + "\n--x\nContent-Type: text/html\n\n<p>" + strings.ReplaceAll(set, "\n", "<br>") + "</p>\n--x--\n",
			headers: append(both, "In-Reply-To: <wolf.0.kirk.1234@example.org>"), page: true,
		},
	} {
		m := o.receive(kirk, robot, c.text, c.headers...).answer.Message
		if (m.HTML != "") != c.page || !strings.Contains(m.Text, "are accepted") {
			t.Errorf("%s: a page of %d bytes, want one %t\n%s", name, len(m.HTML), c.page, m.Text)
		}
	}
}

// One map shows the courses of all of a captain's ships, and no range is lost.
func TestOneMapForAllShips(t *testing.T) {
	captain := func(name string, ships ...string) vault.Captain {
		return vault.Captain{Name: engine.CaptainName(name), Address: strings.ToLower(name) + "@example.org", Ships: ships}
	}
	o := officeOf(t, "three-on-three", vault.DefaultMail(), captain("Kirk", "Kongo", "Loknar"), captain("Bob", "Chilkoot"), captain("Kor", "Devisor", "Talon", "Saber"))
	set := func(ship, way string) string {
		return strings.Replace(o.order("power", "  move 12", "phase 1", "  move "+way), "ship Hood", "ship "+ship, 1)
	}
	text := o.receive(kirk, robot, set("Kongo", "F")+set("Loknar", "F")).answer.Message.Text
	kongo, loknar, _ := strings.Cut(text, "Your orders for Loknar")
	wants(t, kongo, "From there, by range and bearing: Chilkoot 3 090-120, Devisor 19 000, Loknar 3 270-300, Saber 21 000-030, Talon 21 330-360. The course is on the map below.")
	wants(t, loknar, "your own courses, if nothing interferes; ranges and bearings are from Loknar",
		"K Kongo 1029 A 3 090-120 Federation own", "L Loknar 0729 A Federation own", "s Saber 1310 D 22 000-030 Klingon")
	if strings.Contains(kongo, "== Forecast") || strings.Count(loknar, ".K") != 1 || strings.Count(loknar, ".L") != 1 {
		t.Errorf("not one map with both ways:\n%s", text)
	}
	wants(t, o.receive(kirk, robot, set("Loknar", "F")).answer.Message.Text, "your own course, if nothing interferes; ranges and bearings are from its end")
}
