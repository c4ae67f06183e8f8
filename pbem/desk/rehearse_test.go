package desk_test

import (
	"strings"
	"testing"

	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
)

// TestRehearseByMail checks that the sets of the mail are played and not stored, or else those in force; the same mail
// gives the same result.
func TestRehearseByMail(t *testing.T) {
	o := newOffice(t)
	h := o.receive(kirk, robot, "#rehearse\n")
	if text := h.answer.Message.Text; h.Outcome != desk.Done || !strings.Contains(text, "== Hood: no orders sent =") || !strings.Contains(text, "== Riskadh: a robot =") || !strings.Contains(text, "Riskadh: energy 40 of 40") {
		t.Fatalf("%s: %s\n%s", h.Outcome, h.Reason, h.text())
	}
	h.nothing(t)
	set := o.order("power", "  move 8", "phase 1", "  move F")
	h = o.receive(kirk, o.keyed("Kirk"), "#rehearse times 7 Riskadh=keep\n\n"+set)
	text := h.answer.Message.Text
	if h.Outcome != desk.Done || o.inForce("Hood") != "" || !strings.Contains(text, "== Hood: your orders =") || !strings.Contains(text, "course kept, nothing fired") || !strings.Contains(text, "Played 7 times") {
		t.Fatalf("%s: %s\n%s", h.Outcome, h.Reason, h.text())
	}
	h.nothing(t)
	if again := o.receive(kirk, o.keyed("Kirk"), "#rehearse times 7 Riskadh=keep\n\n"+set).answer.Message.Text; again != text {
		t.Errorf("the same mail brings\n%s\nand then\n%s", text, again)
	}
	o.receive(kirk, o.keyed("Kirk"), set)
	if h = o.receive(kirk, robot, "rehearse wolf\n"); !strings.Contains(h.answer.Message.Text, "== Hood: your orders =") || !strings.Contains(h.answer.Message.Text, "Played 100 times") {
		t.Errorf("by what is in force:\n%s", h.text())
	}
	if len(h.answer.Message.Text) > 5000 {
		t.Errorf("the answer has %d bytes", len(h.answer.Message.Text))
	}
}

// TestRehearseByMailBadly checks that an impossible rehearsal is refused with a hint, and that a repeated one costs
// nothing.
func TestRehearseByMailBadly(t *testing.T) {
	o := newOffice(t)
	for _, c := range []struct{ text, code, hint string }{
		{"#rehearse times", codes.BadCommand, "such as times 50"},
		{"#rehearse times many", codes.BadCommand, "such as times 50"},
		{"#rehearse times 1001", codes.BadCommand, "the default is 100"},
		{"#rehearse wolf Riskadh", codes.BadCommand, "such as riskadh=keep"},
		{"#rehearse Riskadh=flee", codes.BadCommand, "write robot or keep"},
		{"#rehearse Riskad=keep", codes.BadCommand, `did you mean "Riskadh"?`},
		{"#rehearse Hood=keep", codes.BadCommand, "put her orders with your own"},
		{"#rehearse wulf", codes.UnknownGame, "wolf"},
		{"#rehearse\n#rehearse times 3", codes.TooMuch, "ask for the others in another mail"},
		{"#rehearse\n" + o.order("power", "  move 99"), codes.BadCommand, "leave them out to play those in force"},
	} {
		h := o.receive(kirk, o.keyed("Kirk"), c.text)
		if h.answer == nil || !strings.Contains(h.text(), c.code) || !strings.Contains(words(h.text()), c.hint) {
			t.Errorf("%s: %s: %s\n%s", c.text, h.Outcome, h.Reason, h.text())
		}
		h.nothing(t)
	}
	if h := o.receive(khan, robot, "#rehearse"); h.answer == nil || h.answer.Message.To.Addr != khan || strings.Contains(h.text(), "Riskadh") {
		t.Errorf("a stranger: %+v", h.answer)
	}
}
