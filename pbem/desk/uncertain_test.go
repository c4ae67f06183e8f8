package desk_test

import (
	"strings"
	"testing"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/desk"
)

// A captain's provider may add the marks of a mailing list. Proven sets in such a mail count, but
// it is not answered, and nothing else in it has an effect.
func TestMailsWithTheMarksOfAList(t *testing.T) {
	o := newOffice(t)
	marks := []string{"Precedence: list", "List-Id: <club.example.org>", "Mailing-List: contact x@example.org", "List-Post: <mailto:x@example.org>"}
	for i, mark := range marks {
		h := o.receive(kirk, robot, o.order("power", "  move "+[]string{"4", "8", "12", "16"}[i]), mark)
		if h.Outcome != desk.Done || h.answer != nil || len(h.Mails) > 0 || h.Silent != kirk || !strings.Contains(o.inForce("Hood"), "move "+[]string{"4", "8", "12", "16"}[i]) {
			t.Errorf("%s: %s (%s), answer %v", mark, h.Outcome, h.Reason, h.answer)
		}
		if !strings.Contains(h.Reason, "not answered: "+strings.Split(mark, ":")[0]) {
			t.Errorf("%s: the log says %q", mark, h.Reason)
		}
	}
	before := o.inForce("Hood")
	quiet := func(name string, h handled) {
		t.Helper()
		if h.Outcome != desk.Ignored || h.answer != nil || len(h.Mails) > 0 || len(h.Steps) > 0 || h.Silent != "" || o.inForce("Hood") != before {
			t.Errorf("%s: %s (%s), %d steps, answer %v", name, h.Outcome, h.Reason, len(h.Steps), h.answer)
		}
	}
	set := o.order("power", "  move 20")
	keyless := strings.Replace(set, " key "+o.key("Kirk"), "", 1)
	quiet("without a key", o.receive(kirk, robot, keyless, marks[1]))
	quiet("another's address", o.receive("kor@example.org", robot, set, marks[1]))
	quiet("a stranger's", o.receive("khan@example.com", robot, set, marks[1]))
	quiet("to be checked only", o.receive(kirk, robot, "#check\n"+set, marks[1]))
	quiet("a template that comes back", o.receive(kirk, robot, o.template("Kirk"), marks[1]))
	quiet("a quoted set", o.receive(kirk, robot, "> "+strings.ReplaceAll(set, "\n", "\n> "), marks[1]))
	quiet("a command without a key", o.receive(kirk, robot, "#final", marks[1]))
	quiet("a command with the key of another", o.receive(kirk, o.keyed("Kor"), "#final", marks[1]))
	// These are proven to be the captain's, so the next answer mentions them.
	for name, h := range map[string]handled{
		"with mistakes": o.receive(kirk, robot, o.order("power", "  mvoe 20"), marks[1]),
		"a command":     o.receive(kirk, o.keyed("Kirk"), "#final", marks[1]),
		"a bare word":   o.receive(kirk, o.keyed("Kirk"), "final", marks[1]),
		"a message":     o.receive(kirk, o.keyed("Kirk"), "#message to Riskadh\nYield!\n#end", marks[1]),
	} {
		if h.Silent != kirk {
			t.Errorf("%s: nobody will be told", name)
		}
		h.Silent = ""
		quiet(name, h)
	}
	for _, more := range []string{
		"Auto-Submitted: auto-generated", "Return-Path: <>", "X-Loop: starpost", "X-Autoreply: yes", "Precedence: bulk",
		"Content-Type: multipart/report; report-type=delivery-status; boundary=x",
	} {
		quiet(more, o.receive(kirk, robot, set, marks[1], more))
	}
	quiet("an absence notice", o.handle([]byte("From: "+kirk+"\nTo: "+robot+"\nSubject: Automatic reply: orders\nList-Id: <x.example.org>\n\n"+set)))
	if h := o.receive(kirk, o.keyed("Kirk"), keyless, marks[0]); h.Outcome != desk.Done || !strings.Contains(o.inForce("Hood"), "move 20") {
		t.Errorf("the key in the address: %s (%s)", h.Outcome, h.Reason)
	}
}

// A signature proves that the captain wrote such a mail; a server result does not, because the
// server vouches for the captain's machines too.
func TestProofsOfMailsWithTheMarksOfAList(t *testing.T) {
	o := newOffice(t)
	o.withSeals()
	o.desk.Border = auth.TrustBoundary{IDs: []string{border}}
	const list = "List-Id: <club.example.org>"
	for i, mark := range []string{list, "Comments: none"} {
		if h := o.send(kirk, keyless(2), vouched("example.org"), came, dated(30), mark); (h.Outcome == desk.Done) != (i == 1) || (len(h.Steps) > 0) != (i == 1) {
			t.Errorf("%s: %s (%s)", mark, h.Outcome, h.Reason)
		}
	}
	if h := o.send(kirk, sealed(keyless(4), "kirk", began.Add(time.Hour)), dated(60), list); h.Outcome != desk.Done || !strings.Contains(o.inForce("Hood"), "2:4") {
		t.Errorf("signed: %s (%s)", h.Outcome, h.Reason)
	}
	if h := o.send(kirk, sealed(keyless(6), "somebody", began.Add(2*time.Hour)), dated(120), list); h.Outcome != desk.Ignored || len(h.Steps) > 0 {
		t.Errorf("signed by somebody: %s (%s)", h.Outcome, h.Reason)
	}
}
