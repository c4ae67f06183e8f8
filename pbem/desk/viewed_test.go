package desk_test

import (
	"strings"
	"testing"

	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
)

// both returns a mail in two forms, plain and HTML.
func both(plain, html string) (text, header string) {
	return "--b\nContent-Type: text/plain; charset=utf-8\n\n" + plain + "\n--b\nContent-Type: text/html; charset=utf-8\n\n" + html + "\n--b--\n",
		"Content-Type: multipart/alternative; boundary=b"
}

func asHTML(text string) string {
	return "<html><body><div>" + strings.ReplaceAll(strings.ReplaceAll(text, "  ", "&nbsp; "), "\n", "<br>\n") + "</div></body></html>"
}

// If the plain text of a mail has nothing for the robot, the HTML form counts, as in a mail without
// plain text.
func TestPlainTextThatOnlyPointsElsewhere(t *testing.T) {
	o := newOffice(t)
	const stub = "Your mail program cannot show HTML. Please view this in a browser."
	quote := "<div>On Sun, 1 Mar 2026 at 12:00, Starpost &lt;starpost@example.org&gt; wrote:</div><blockquote>" + asHTML(o.template("Kirk")) + "</blockquote>"
	send := func(plain, html string) handled {
		text, header := both(plain, html)
		return o.receive(kirk, o.keyed("Kirk"), text, header)
	}
	h := send(stub, asHTML(o.order("power", "  move 8")))
	if h.Outcome != desk.Done || !strings.Contains(o.inForce("Hood"), "move 8") {
		t.Fatalf("%s (%s)\n%s", h.Outcome, h.Reason, h.text())
	}
	wants(t, h.text(), "its HTML form", "Your orders for Hood, turn 1, are accepted")
	wants(t, send(stub, "<p>#status</p>").text(), "its HTML form", "== status ==")
	if h := send(stub, "<p>Hello!</p>"+quote); len(h.Steps) > 0 || !hasCode(h, codes.OnlyQuoted) {
		t.Errorf("a template that is quoted in the HTML form alone: %s (%s)", h.Outcome, h.Reason)
	}
	before := o.inForce("Hood")
	h = send("#status", asHTML(o.order("power", "  move 4")))
	lacks(t, h.text(), "HTML form")
	if o.inForce("Hood") != before {
		t.Error("the HTML form counts although the plain text holds a command")
	}
	if h := send("Hello!", "<p>Hello!</p>"); h.answer.Kind != desk.KindHelp || strings.Contains(h.text(), "HTML form") {
		t.Errorf("a mail without orders in either form: %s", h.text())
	}
	text, header := both(stub, strings.ReplaceAll(asHTML(o.order("power", "  move 4")), " key "+o.key("Kirk"), ""))
	if h := o.receive(kirk, robot, text, header); len(h.Steps) > 0 || !hasCode(h, codes.NoKey) {
		t.Errorf("without a key: %s (%s)", h.Outcome, h.Reason)
	}
}
