package desk_test

import (
	"strings"
	"testing"

	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/effect"
)

// Orders without the line that begins a set do not count, but the captain is told each time, with
// the missing line.
func TestOrdersWithoutTheirFirstLine(t *testing.T) {
	o := newOffice(t)
	template := o.template("Kirk")
	_, body, _ := strings.Cut(strings.TrimRight(template, "\n"), "\n")
	for name, text := range map[string]string{
		"alone":                      body,
		"above marks":                body + below(template, "> "),
		"above a quotation":          "Here they are:\n\n" + body + below(template, ""),
		"without the last line":      "power\n  move 8\nphase 1\n  move F\n",
		"the last line only":         "I changed nothing.\n\n#end\n" + below(template, "> "),
		"with a first line misspelt": "#order wolf turn 1 ship Hood\n" + body,
	} {
		h := o.receive(kirk, o.keyed("Kirk"), text)
		if len(h.Steps) > 0 {
			continue // read with a warning
		}
		if h.Outcome != desk.Refused || !hasCode(h, codes.NoHead) || h.answer.Kind != desk.KindAck {
			t.Errorf("%s: %s (%s)\n%s", name, h.Outcome, h.Reason, h.text())
			continue
		}
		says := []string{"Nothing was stored: your orders lack the line that begins a set", "| #orders wolf turn 1 ship Hood |", "Turn 1 is due by"}
		if name == "the last line only" {
			says = []string{"No new orders were found", `write "#orders wolf turn 1 ship Hood" as the first line of your orders`}
		}
		wants(t, h.text(), says...)
		lacks(t, h.text(), "YOUR-KEY", o.key("Kirk"))
	}
	for _, text := range []string{"Hello, how do I play this?\nMove forward and fire." + below(template, "> "), "I will be\naway for long\nand so\nwait for me" + below(template, "")} {
		if h := o.receive(kirk, robot, text); hasCode(h, codes.NoHead) {
			t.Errorf("prose is taken for orders: %s", h.text())
		}
	}
}

// Plain words in reply to a message of another captain are not delivered. The captain is told each
// time, with the lines that would send them.
func TestPlainWordsToAnotherCaptain(t *testing.T) {
	o := newOffice(t)
	const kor = "kor@example.org"
	l := o.says("#message to Riskadh\nYield!\n#end").mail(t, effect.KindMessage, kor).Message
	text := "Never! We shall fight to the last.\n-- \nKor\n" + below(l.Text, "> ")
	raw := "From: " + kor + "\nTo: " + l.ReplyTo.Addr + "\nMessage-ID: <1@example.com>\n"
	for name, header := range map[string]string{
		"by its thread":    "Subject: no\nIn-Reply-To: " + l.MessageID,
		"by an older mail": "Subject: no\nReferences: <1@example.com> " + l.MessageID,
		"by its subject":   "Subject: Re: " + l.Subject,
		"by its head":      "Subject: no",
	} {
		h := o.handle([]byte(raw + header + "\n\n" + text))
		if h.answer == nil || h.answer.Kind != desk.KindAck || len(h.Mails) > 0 || len(h.Steps) > 0 || !hasCode(h, codes.NotSentOn) {
			t.Errorf("%s: %s (%s), %d mails", name, h.Outcome, h.Reason, len(h.Mails))
			continue
		}
		wants(t, h.text(), "not sent to Hood", "| #message to Hood | Never! We shall fight to the last. | #end")
		if want := "[wolf] Message not sent, 1 error"; h.answer.Message.Subject != want {
			t.Errorf("%s: subject %q", name, h.answer.Message.Subject)
		}
	}
	h := o.receive(kor, l.ReplyTo.Addr, "#message to Hood\nNever!\n#end\n"+below(l.Text, "> "), "In-Reply-To: "+l.MessageID)
	if h.mail(t, effect.KindMessage, kirk).Message.To.Addr != kirk || hasCode(h, codes.NotSentOn) {
		t.Errorf("a message as it should be: %s", h.text())
	}
	// Another captain's thread has no such effect.
	h = o.receive(kirk, robot, "Well?\n", "In-Reply-To: "+l.MessageID)
	if hasCode(h, codes.NotSentOn) {
		t.Errorf("the message was not to him: %s", h.text())
	}
}

// An incomplete first line is reported once, with the right line as the hint, and no remark about a
// turn that it does not name.
func TestFirstLineWithoutItsParts(t *testing.T) {
	o := newOffice(t)
	for head, want := range map[string]string{
		"#orders":                            "error E010: the game, the turn and the ship are missing",
		"#orders wolf":                       "error E011: the turn and the ship are missing",
		"#orders wolf ship Hood":             "error E011: the turn is missing",
		"#orders wolf turn 1 Hood":           "Hint: write ship Hood",
		"#orders wolf turn 1 ship HMS Hood":  "Hint: did you mean ship Hood? A name is one word",
		"#orders game=wolf turn=1 ship=Hood": "Hint: write: #orders wolf turn 1 ship Hood",
		"#orders wolf turn: 1 ship: Hood":    "Hint: write: #orders wolf turn 1 ship Hood",
	} {
		h := o.receive(kirk, o.keyed("Kirk"), head+"\npower\n  move 8\n#end\n")
		text := strings.Join(strings.Fields(h.answer.Message.Text), " ")
		wants(t, text, want, "were not accepted: 1 error.")
		if strings.Contains(want, "missing") {
			wants(t, text, "Hint: write: #orders wolf turn 1 ship Hood")
		}
		lacks(t, text, "turn 0", "NAME")
	}
}
