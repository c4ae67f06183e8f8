package desk_test

import (
	"fmt"
	"strings"
	"testing"

	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/mime"
)

// thread returns the header lines by which a mail program refers to the answered mail.
func (h handled) thread(t *testing.T) []string {
	t.Helper()
	m, err := mime.Read([]byte(h.raw))
	if err != nil {
		t.Fatal(err)
	}
	refs := append(m.References, m.MessageID)
	return []string{"In-Reply-To: <" + m.MessageID + ">", "References: <" + strings.Join(refs, ">\r\n <") + ">"}
}

// A program that replies to From proves the key through its references, to whichever of our answers, even if it
// quotes nothing.
func TestAnswersToFromBringTheKey(t *testing.T) {
	robot, keyless := "starpost@example.org", "#orders wolf turn 1 ship Hood\npower\n  move 8\nphase 1\n  move F\n#end\n"
	for name, first := range map[string]string{
		"a set with a mistake":    "#orders wolf turn 1 ship Hood key %s\npower\n  move 8\nphase 1\n  pursue Bain to 6\n#end\n",
		"a set that was accepted": "#orders wolf turn 1 ship Hood key %s\npower\n  move 8\nphase 2\n  move F\n#end\n",
		"words":                   "Which shield is ahead?",
		"loose orders":            "power\n  move 8\nphase 1\n  move F\n",
		"a command":               "status",
	} {
		o := newOffice(t)
		if strings.Contains(first, "%s") {
			first = fmt.Sprintf(first, o.key("Kirk"))
		}
		answer := o.receive("kirk@example.org", robot, first)
		if h := o.receive("kirk@example.org", robot, keyless, answer.thread(t)...); h.Outcome != desk.Done || o.inForce("Hood") == "" {
			t.Errorf("an answer to the answer to %s: %s\n%s", name, h.Reason, h.text())
		}
		if h := o.receive("kor@example.org", robot, strings.Replace(keyless, "Hood", "Riskadh", 1), answer.thread(t)...); h.Outcome == desk.Done {
			t.Errorf("the answer to %s proves another captain: %s", name, h.Reason)
		}
		if h := o.receive("khan@example.com", robot, keyless, answer.thread(t)...); h.Outcome == desk.Done {
			t.Errorf("the answer to %s proves a stranger: %s", name, h.Reason)
		}
		o.resolve()
		next := strings.Replace(keyless, "turn 1", "turn 2", 1)
		if h := o.receive("kirk@example.org", robot, next, answer.thread(t)...); h.Outcome == desk.Done || !hasCode(h, codes.WrongKey) {
			t.Errorf("the answer to %s proves something a turn later: %s", name, h.Reason)
		}
	}
}

// A captain who sends a set without a key is told how to add it, and the answer does not reveal the key.
func TestKeylessSetHasAWayOut(t *testing.T) {
	o := newOffice(t)
	h := o.receive("kirk@example.org", "starpost@example.org", "#orders wolf turn 1 ship Hood\npower\n  move 8\n#end\n")
	if !hasCode(h, codes.NoKey) || !strings.Contains(h.text(), "as a reply to your last report") {
		t.Errorf("no way out: %s\n%s", h.Reason, h.text())
	}
	if bare := strings.ReplaceAll(o.key("Kirk"), "-", ""); strings.Contains(h.raw, bare) {
		t.Errorf("the answer gives the key away:\n%s", h.raw)
	}
}

// If a set comes twice, and the turn was resolved after the first, the captain is told that no action is needed.
func TestSetThatCameTwice(t *testing.T) {
	o := newOffice(t)
	text := o.template("Kirk")
	o.receive(kirk, robot, text)
	o.resolve()
	h := o.receive(kirk, robot, text)
	if m := h.answer.Message; m.Subject != "[wolf] Turn 1: orders for Hood played already" || !strings.Contains(h.text(), "you need not do anything") {
		t.Errorf("%s\n%s", m.Subject, m.Text)
	}
	other := o.receive(kirk, robot, strings.Replace(text, "move F", "move H", 1))
	if m := other.answer.Message; !strings.Contains(m.Subject, "not accepted, 1 error") || !strings.Contains(other.text(), "or take the orders at the end of your last report") {
		t.Errorf("%s\n%s", m.Subject, m.Text)
	}
}

// The subject and a longer form of it in the text are one command.
func TestSubjectThatTheTextSaysMoreOf(t *testing.T) {
	o := newOffice(t).withLobby()
	for text, want := range map[string]string{"help move\n": "help move", "help\n": "help", "status\n": "help, status"} {
		o.mail++
		h := o.handle(fmt.Appendf(nil, "From: %s\r\nTo: %s\r\nSubject: help\r\nMessage-ID: <%d@example.org>\r\n\r\n%s", kirk, o.keyed("Kirk"), o.mail, text))
		if h.Reason != want {
			t.Errorf("subject help, text %q: %q, want %q\n%s", text, h.Reason, want, h.text())
		}
	}
}

// A captain with a key in the recipient address gets an answer to each different text, but not to a repeated
// one, which may come from a machine.
func TestOtherWordsAreAnswered(t *testing.T) {
	o := newOffice(t)
	var ids []string
	for _, text := range []string{"Hello?", "When do we start, please?", "Hello?"} {
		h := o.says(text)
		if h.answer == nil || h.answer.Kind != desk.KindHelp {
			t.Fatalf("%q: %s", text, h.text())
		}
		ids = append(ids, h.answer.Message.MessageID)
	}
	if ids[0] == ids[1] || ids[0] != ids[2] {
		t.Errorf("answers %q", ids)
	}
}

// A set sent back with the bars of an answer is not a message to the referee, and the answer says what to
// remove.
func TestSetBehindTheBarsOfAnAnswer(t *testing.T) {
	o := newOffice(t)
	o.desk.Referee = operator
	shown := o.says("power\n  move 8\nphase 1\n  move F\n").answer.Message.Text
	_, set, _ := strings.Cut(shown, "  | #orders")
	set, _, _ = strings.Cut("  | #orders"+set, "#end")
	for name, text := range map[string]string{"his own": set + "#end\n", "the template": "| " + strings.ReplaceAll(strings.TrimSpace(o.template("Kirk")), "\n", "\n| ")} {
		h := o.says(text)
		wants(t, h.text(), "have bars (|) in front of them and are not read", "from the first to the last of the set")
		if len(h.Mails) > 0 || strings.Contains(h.text(), "referee") || strings.Contains(h.text(), "quote marks") {
			t.Errorf("%s: %d mails\n%s", name, len(h.Mails), h.text())
		}
		if h = o.says(strings.NewReplacer("  | ", "", "| ", "").Replace(text)); h.Outcome != desk.Done {
			t.Errorf("%s without bars: %s\n%s", name, h.Reason, h.text())
		}
		o.says("#cancel")
	}
}
