package desk_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"starpost/orders"
	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/mime"
	"starpost/pbem/vault"
)

// still is a set of orders that causes no remarks.
var still = []string{"power", "  move 8", "  shields 1:13 2:13 3:13 4:13", "phase 1", "  move F", "phase 3", "  move F"}

// forms returns a mail with a plain and an HTML form.
func forms(to, plain, html string) []byte {
	return []byte("From: " + kirk + "\nTo: " + to + "\nSubject: orders\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n" +
		"--b\nContent-Type: text/plain; charset=utf-8\n\n" + plain + "\n--b\nContent-Type: text/html; charset=utf-8\n\n" +
		"<div>" + strings.ReplaceAll(html, "\n", "</div>\n<div>") + "</div>\n--b--\n")
}

// If the HTML form has different orders than the plain text, the answer says so.
func TestStalePlainText(t *testing.T) {
	const told = "The HTML form of your mail has different orders for Hood"
	o := newOffice(t)
	set := o.order("power", "  move 8 ; slowly")
	edited := strings.Replace(set, "move 8", "move 16", 1)
	h := o.handle(forms(robot, set, edited))
	if h.Outcome != desk.Done || !strings.Contains(o.inForce("Hood"), "move 8") || !strings.Contains(h.text(), told) {
		t.Errorf("%s, in force %q\n%s", h.Outcome, o.inForce("Hood"), h.text())
	}
	h = o.handle(forms(robot, set, strings.Replace(set, "  move 8", "<s>  move 8</s>", 1)))
	if h.Outcome != desk.Done || !strings.Contains(h.text(), told) {
		t.Errorf("struck out: %s\n%s", h.Outcome, h.text())
	}
	quoted := "Hm.\n-----Original Message-----\n" + o.template("Kirk")
	h = o.handle(forms(robot, quoted, strings.Replace(quoted, "move 12", "move 16", 1)))
	if h.Outcome != desk.Refused || !hasCode(h, codes.OnlyQuoted) || !strings.Contains(h.text(), told) {
		t.Errorf("edited in the quotation: %s\n%s", h.Outcome, h.text())
	}
	for name, html := range map[string]string{
		"the same":            set,
		"without its comment": strings.Replace(set, " ; slowly", "", 1),
		"in capitals":         strings.Replace(set, "move 8", "Move&nbsp;8", 1),
		"and the template":    set + "\n<blockquote>" + o.template("Kirk") + "</blockquote>",
		"another's":           set + "\n" + strings.Replace(set, "ship Hood", "ship Riskadh", 1),
		"no orders":           "View this mail elsewhere.",
	} {
		if h := o.handle(forms(robot, set, html)); h.Outcome != desk.Done || strings.Contains(h.text(), told) {
			t.Errorf("%s: %s\n%s", name, h.Outcome, h.text())
		}
	}
}

// A quoted set of another captain is ignored.
func TestQuotedSetOfAnotherCaptain(t *testing.T) {
	o := newOffice(t)
	set := o.order(still...)
	his := "#orders wolf turn 1 ship Riskadh key AAAA-BBBB\npower\n  move 4\n#end\n"
	captains := strings.Replace(his, "ship Riskadh", "captain Kor", 1)
	marked := func(s string) string { return "> " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n> ") + "\n" }
	for name, below := range map[string]string{
		"marked":          "\nKor wrote:\n" + marked(his),
		"below a line":    "\n-----Original Message-----\n" + his,
		"without its end": "\n-----Original Message-----\n" + strings.Replace(his, "#end\n", "", 1),
		"as a captain":    "\nKor wrote:\n" + marked(captains),
		"his words":       "\n-----Original Message-----\n" + captains,
	} {
		h := o.receive(kirk, robot, set+below)
		if h.Outcome != desk.Done || len(h.Diagnostics()) > 0 || strings.Contains(h.text(), "Riskadh") && strings.Contains(h.text(), "not yours") {
			t.Errorf("%s: %s %v\n%s", name, h.Outcome, h.Diagnostics(), h.text())
		}
		if h = o.receive(kirk, o.keyed("Kirk"), "#status\n"+below); len(h.Diagnostics()) > 0 {
			t.Errorf("%s, below a command: %v", name, h.Diagnostics())
		}
		if h = o.receive(kirk, robot, "Look at this!\n"+below); h.Outcome == desk.Done || h.answer == nil {
			t.Errorf("%s, alone: %s", name, h.Outcome)
		}
	}
	// Outside a quotation, it is reported as a mistake.
	if h := o.receive(kirk, robot, set+"\n"+his); len(h.Diagnostics()) == 0 {
		t.Errorf("a set for a ship of another captain passed in silence\n%s", h.text())
	}
}

// A template without its #end does not swallow what follows.
func TestQuotedTemplateWithoutEnd(t *testing.T) {
	o := newOffice(t)
	set := o.order(still...)
	cut := strings.Replace(o.template("Kirk"), "#end\n", "", 1)
	short := cut[:strings.Index(cut, "phase 2")]
	const line = "\n-----Original Message-----\n"
	for name, text := range map[string]string{
		"below a line":             set + line + cut + "\nUnsubscribe here.\n",
		"below":                    set + "\n" + cut + "\nUnsubscribe here.\n",
		"cut short":                set + "\n" + short + "\n[truncated]\n",
		"above, below a line":      line + cut + "\n\n" + set,
		"above":                    cut + "\n\n" + set,
		"cut short, above":         short + "\n\n" + set,
		"between two copies of it": set + "\n" + cut + "\n" + set,
	} {
		o := newOffice(t)
		h := o.receive(kirk, robot, text)
		if h.Outcome != desk.Done || len(h.Diagnostics()) > 0 || !strings.Contains(o.inForce("Hood"), "move 8") {
			t.Errorf("%s: %s %v", name, h.Outcome, h.Diagnostics())
		}
	}
	// A set without its end that may be the captain's is still a mistake.
	for name, text := range map[string]string{
		"alone":              cut,
		"changed":            set + "\n" + strings.Replace(cut, "move 12", "move 16", 1),
		"changed at its end": set + "\n" + cut + "fire all at Riskadh\n",
		"a set without #end": strings.Replace(set, "#end\n", "", 1),
	} {
		if h := o.receive(kirk, robot, text); h.Outcome == desk.Done || o.inForce("Hood") != "" {
			t.Errorf("%s: %s, in force %q", name, h.Outcome, o.inForce("Hood"))
		}
	}
}

// A wrong key in the head is reported even if another proof is valid.
func TestWrongKeyBesideAGoodOne(t *testing.T) {
	o := newOffice(t)
	old := o.key("Kirk")
	set := o.order(still...)
	if h := o.receive(kirk, o.keyed("Kirk"), set); h.Outcome != desk.Done || len(h.Diagnostics()) > 0 {
		t.Errorf("both are right: %s %v", h.Outcome, h.Diagnostics())
	}
	h := o.receive(kirk, o.keyed("Kirk"), strings.Replace(set, old, o.key("Kor"), 1))
	if h.Outcome != desk.Done || !hasCode(h, codes.OtherKey) || !strings.Contains(h.text(), "the key in the first line is not yours") || strings.Contains(h.text(), o.key("Kor")) {
		t.Errorf("another's: %s %v\n%s", h.Outcome, h.Diagnostics(), h.text())
	}
	o.resolve()
	set = o.order(still...)
	h = o.receive(kirk, o.keyed("Kirk"), strings.Replace(set, o.key("Kirk"), old, 1))
	if h.Outcome != desk.Done || !strings.Contains(h.text(), "is that of turn 1") || !strings.Contains(h.text(), "the address that you wrote to has the right one") {
		t.Errorf("an old one: %s %v\n%s", h.Outcome, h.Diagnostics(), h.text())
	}
	for _, d := range h.Diagnostics() {
		if d.Severity != orders.Warning || d.Pos.Line != 1 || d.Pos.Col < 20 {
			t.Errorf("%v at %v", d, d.Pos)
		}
	}
}

// Explain names the part of each set: a set changed behind marks is in the HTML form.
func TestExplainNamesTheParts(t *testing.T) {
	o := newOffice(t)
	set := o.order(still...)
	raw := forms(robot, "Kor wrote:\n> "+strings.ReplaceAll(strings.TrimSpace(set), "\n", "\n> "), "Kor wrote:\n<blockquote>"+set+"</blockquote>")
	l := identity.Incoming{SHA256: "x", Received: began.Add(time.Hour)}
	l.Mail, l.Err = mime.Read(raw)
	e, err := o.desk.Explain(l, nil)
	if err != nil || e.Part != "text/plain in part 1" || len(e.Blocks) != 1 || e.Blocks[0].Part != "text/html in part 2" || !e.Blocks[0].Taken {
		t.Errorf("%q, %+v, %v", e.Part, e.Blocks, err)
	}
}

// An old mail from a stranger is not answered, whatever the sender's clock says, but a request in
// it still counts.
func TestOldMailsOfStrangers(t *testing.T) {
	const fresh = "new@example.com"
	o := newOffice(t)
	n := 0
	send := func(from, text string, age time.Duration, date string) handled {
		t.Helper()
		n++
		raw := fmt.Sprintf("From: %s\nTo: %s\nMessage-ID: <old.%d@example.com>\n%s\n%s", from, robot, n, date, text)
		l := identity.Incoming{SHA256: vault.Hash([]byte(raw)), Received: began.Add(30 * 24 * time.Hour)}
		if age >= 0 {
			l.Arrived = l.Received.Add(-age)
		}
		l.Mail, l.Err = mime.Read([]byte(raw))
		return o.settle(l)
	}
	const day = 24 * time.Hour
	for _, date := range []string{"", "Date: Thu, 1 Jan 1970 00:00:00 +0000\n", "Date: Thu, 1 Jan 2099 00:00:00 +0000\n"} {
		for age, answered := range map[time.Duration]bool{-1: true, 0: true, 2 * day: true, 4 * day: false, 400 * day: false} {
			if h := send(khan, "hello\n", age, date); (h.answer != nil) != answered || h.Outcome != desk.Ignored {
				t.Errorf("%v after %s, %q: %s", h.answer != nil, age, date, h.Reason)
			}
			if h := send(kirk, "hello\n", age, date); h.answer == nil {
				t.Errorf("a captain gets no answer after %s", age)
			}
		}
	}
	o.set("open = false", "open = true")
	if h := o.says("#resign"); h.Outcome != desk.Done {
		t.Fatal(h.Reason)
	}
	if h := send(fresh, "#join wolf as Hood\n", 4*day, ""); len(h.Mails) > 0 || h.answer != nil {
		t.Errorf("joining, %d mails", len(h.Mails))
	}
	q := send(fresh, "#join wolf as Hood\n", day, "").mail(t, effect.KindConfirm, fresh)
	token := tokenShape.FindString(q.Message.Text)
	if h := send(fresh, "confirm "+token+"\n", 5*day, ""); h.Outcome != desk.Done || o.game.Settings().Captains[0].Address != fresh {
		t.Errorf("confirmed late: %s (%s)", h.Outcome, h.Reason)
	}
}
