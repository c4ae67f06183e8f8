package desk_test

import (
	"slices"
	"strings"
	"testing"

	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/vault/journal"
)

// askedOf returns the mail that went to a referee.
func askedOf(t *testing.T, h handled, to string) effect.Outgoing {
	t.Helper()
	at := slices.IndexFunc(h.Mails, func(m effect.Outgoing) bool { return m.Kind == command.KindAsk && m.Message.To.Addr == to })
	if at < 0 {
		t.Fatalf("nothing went to %s: %d mails, %s", to, len(h.Mails), h.text())
	}
	return h.Mails[at]
}

// told returns the referees' words to captains in the journal.
func (o *office) told() (out []string) {
	o.t.Helper()
	all, err := o.game.Journal.Entries()
	if err != nil {
		o.t.Fatal(err)
	}
	for _, e := range all {
		if e.Kind == journal.Tell {
			out = append(out, e.By+" to "+string(e.Captain)+": "+journal.DataOf[journal.TellData](e).Text)
		}
	}
	return out
}

// A captain asks the referee, who answers with a plain reply; neither gets the other's address.
func TestAskingTheReferee(t *testing.T) {
	const ann = "ann@example.org"
	o := newOffice(t)
	if h := o.says("#message to referee\nMay I?\n#end"); len(h.Mails) > 0 || !hasCode2(h, codes.NoAddressee) {
		t.Errorf("without a referee: %s", h.text())
	}
	o.desk.Referee = operator
	o.set("[[captain]]", "[[referee]]\nname = \"Ann\"\naddress = \""+ann+"\"\n\n[[captain]]")
	o.set(`messages = "open"`, `messages = "none"`)
	if h := o.receive(kirk, robot, "#message to referee\nMay I?\n#end"); len(h.Mails) > 0 {
		t.Errorf("without a key: %s", h.text())
	}
	h := o.says("#message to the Referee\nMay I ram her?\nMy key is " + o.key("Kirk") + ".\n#end")
	wants(t, h.text(), "goes to the referee", "answer comes to you by mail")
	for _, to := range []string{ann, operator} {
		m := askedOf(t, h, to).Message
		wants(t, words(m.Text), "Kirk (Hood) writes to you", "May I ram her?", "reply to this mail with your own words")
		for _, secret := range []string{kirk, "jim@example.net", kor, o.key("Kirk")} {
			if strings.Contains(m.Text+m.Subject+m.ReplyTo.Addr+m.MessageID, secret) {
				t.Errorf("%s is told %q", to, secret)
			}
		}
		if m.ReplyTo.Addr == robot || m.ReplyTo.Addr == "" {
			t.Errorf("an answer goes to %q", m.ReplyTo.Addr)
		}
	}
	first := h
	quote := "\n\nOn Sun, Mar 1, 2026 Starpost wrote:\n> Kirk (Hood) writes to you\n"
	asked := askedOf(t, h, operator).Message
	for _, c := range []struct{ from, to, ref string }{
		{khan, asked.ReplyTo.Addr, asked.MessageID}, {kor, asked.ReplyTo.Addr, asked.MessageID}, {ann, asked.ReplyTo.Addr, asked.MessageID}, {operator, robot, "<ask.2026-03-01.0000000000000000.wolf.0-1@example.org>"}, {operator, robot, ""},
	} {
		if o.receive(c.from, c.to, "No, you may not ram."+quote, "In-Reply-To: "+c.ref); len(o.told()) > 0 {
			t.Fatalf("%s answers by %s, %s: %q", c.from, c.to, c.ref, o.told())
		}
	}
	h = o.receive(operator, asked.ReplyTo.Addr, "No, it is no rule\nof this course.\n\nThe host"+quote)
	if h.Outcome != desk.Done || h.answer.Message.To.Addr != operator || h.answer.Message.ReplyTo.Addr != "" || strings.Contains(h.raw, kirk) {
		t.Errorf("%s: %s\n%s", h.Outcome, h.Reason, h.raw)
	}
	// A program that ignores Reply-To still refers to the mail.
	again := askedOf(t, o.says("#message to referee\nReally?\n#end"), ann).Message
	if again.InReplyTo != askedOf(t, first, ann).Message.MessageID || again.Subject != "Re: "+askedOf(t, first, ann).Message.Subject || again.MessageID == again.InReplyTo {
		t.Errorf("%s, %s answers %s: no thread with what he asked before", again.Subject, again.MessageID, again.InReplyTo)
	}
	h = o.receive(ann, robot, "Yes."+quote, "In-Reply-To: "+again.MessageID)
	if want := []string{"referee to Kirk: No, it is no rule\nof this course.\n\nThe host", "Ann to Kirk: Yes."}; !slices.Equal(o.told(), want) {
		t.Errorf("told %q, want %q\n%s", o.told(), want, h.text())
	}
	// Commands stay commands, and a mail without own words gets an answer that says so.
	if h := o.receive(ann, asked.ReplyTo.Addr, "#show", "In-Reply-To: "+asked.MessageID); len(o.told()) != 2 || !strings.Contains(h.text(), "show") {
		t.Errorf("%s", h.text())
	}
	if h := o.receive(operator, asked.ReplyTo.Addr, strings.TrimSpace(quote)); len(o.told()) != 2 || !strings.Contains(h.text(), "no words of your own") {
		t.Errorf("%s", h.text())
	}
	// The answer goes to the captain who asked, not to a successor.
	o.says("#resign")
	if o.receive(operator, asked.ReplyTo.Addr, "And one more thing."+quote); len(o.told()) != 2 {
		t.Errorf("told %q", o.told())
	}
}

// A captain's mail of plain words goes to the referee once a day, or after the referee has answered, and
// the captain is told.
func TestProseGoesToTheReferee(t *testing.T) {
	o := newOffice(t)
	const text = "Hello,\n\nI do not understand what shields 1:16 means.\n\nJim"
	quote := "\n\nOn Sun, Mar 1, 2026 Starpost wrote:\n> " + strings.ReplaceAll(o.template("Kirk"), "\n", "\n> ")
	if h := o.says(text); len(h.Mails) > 0 || strings.Contains(h.text(), "went to the referee") {
		t.Errorf("without a referee: %s", h.text())
	}
	o.desk.Referee = operator
	h := o.receive(kirk, o.keyed("Kirk"), text+quote)
	m := askedOf(t, h, operator).Message
	wants(t, words(m.Text), "Kirk (Hood) wrote to the robot", "I do not understand what shields 1:16 means.")
	if h.Outcome != desk.Done || !strings.Contains(h.answer.Message.Subject, "Your words went to the referee") || strings.Contains(m.Text, "anyone may have written it") || strings.Contains(m.Text, o.key("Kirk")) {
		t.Errorf("%s, %s\n%s", h.Outcome, h.answer.Message.Subject, m.Text)
	}
	wants(t, h.text(), "Your words went to the referee, who answers you by mail.", "#message to referee")
	for _, again := range []string{text, text + quote} {
		h = o.says(again)
		if len(h.Mails) > 0 || len(h.Steps) > 0 {
			t.Errorf("%d mails: %s", len(h.Mails), h.text())
		}
		wants(t, h.text(), "so these did not", "#message to referee")
	}
	// A mail without proof goes too, with a warning, and does not use up the captain's limit.
	h = o.receive(kor, robot, "My reports do not come any more!")
	wants(t, words(askedOf(t, h, operator).Message.Text), "had no turn key or other proof")
	askedOf(t, o.receive(kor, o.keyed("Kor"), "My reports do not come any more!"), operator)
	// After an answer the captain may write again, and on the next day in any case.
	o.receive(operator, m.ReplyTo.Addr, "Points on shield 1.")
	askedOf(t, o.says("Ah, thank you very much!"), operator)
	o.mail += 25 * 60
	askedOf(t, o.says(text), operator)
	// Thanks do not go to the referee, nor mails with a command, orders or a mistake, nor mails for
	// another captain.
	o.mail += 25 * 60
	for _, other := range []string{"Thank you!", "status\n\nWhat do I do now?", o.order(still...) + "\nWhat do I do now?", "staus\nWhat do I do now?", "#mesage to referee\nWhat do I do now?\n#end"} {
		if h := o.says(other); slices.ContainsFunc(h.Mails, func(m effect.Outgoing) bool { return m.Kind == command.KindAsk }) || strings.Contains(h.text(), "went to the referee") {
			t.Errorf("%q: %s", other, h.text())
		}
	}
	message := o.receive(kor, o.keyed("Kor"), "#message to Hood\nDo you surrender?\n#end").mail(t, effect.KindMessage, kirk).Message
	if h := o.receive(kirk, o.keyed("Kirk"), "No, I never will.", "In-Reply-To: "+message.MessageID); slices.ContainsFunc(h.Mails, func(m effect.Outgoing) bool { return m.Kind == command.KindAsk }) {
		t.Errorf("what was for Kor went to the referee: %s", h.text())
	}
}
