package desk_test

import (
	"strings"
	"testing"

	"starpost/pbem/desk"
)

// A captain's reply, proven by the key in its address, quotes another captain's words. Behind the
// bars and guards with which they were shown they are never taken as the replying captain's, and do
// not stop that captain's own orders from counting.
func TestOthersWordsAreNoOrders(t *testing.T) {
	set := "#orders wolf turn 1 ship Hood\npower\n  move 4\n#end\n"
	drawn := func(head, end string) string {
		return strings.Replace(strings.Replace(set, "#orders", head, 1), "#end", end, 1)
	}
	lines := func(mark, text string) string {
		return mark + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+mark) + "\n"
	}
	for name, words := range map[string]string{
		"behind bars":            lines("  | ", set),
		"behind two bars":        lines("  | | ", set),
		"bars within":            lines("  | ", lines("> | ", set)),
		"a head without an end":  lines("  | ", "#orders wolf turn 1 ship Hood\npower\n"),
		"guarded":                drawn("'#orders", "'#end"),
		"guarded, the end not":   drawn("'#orders", "#end"),
		"drawn":                  drawn("**#orders**", "**#end**"),
		"with a space":           drawn("# orders", "# end"),
		"a bullet":               drawn("- #orders", "- #end"),
		"wide":                   drawn("\uff03orders", "\uff03end"),
		"without a mark":         drawn("orders", "end"),
		"behind bars, unmarked":  lines("  | ", drawn("orders", "end")),
		"behind bars, a command": lines("  | ", "#resign\n#cancel\n#final\n"),
	} {
		for _, mark := range []string{"", "> ", "html"} {
			o := newOffice(t)
			below := "\n\n________________________________\nFrom: Starpost <starpost@example.org>\nSent: Sunday, March 1, 2026 12:00\nTo: Kirk\nSubject: Turn 0\n\nMessages\n\nFrom Kor of Riskadh:\n\n" + words
			headers := []string{}
			switch mark {
			case "> ":
				below = "\n\nOn Sun, 1 Mar 2026 at 12:00, Starpost <starpost@example.org> wrote:\n" + lines("> ", words)
			case "html":
				headers = []string{"Content-Type: text/html; charset=utf-8"}
			}
			send := func(own string) handled {
				body := own + below
				if mark == "html" {
					escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\n", "<br>\n")
					body = "<html><body>" + escape.Replace(own) + "<blockquote>" + escape.Replace(words) + "</blockquote></body></html>"
				}
				return o.receive(kirk, o.keyed("Kirk"), body, headers...)
			}
			if h := send("Never!\n"); o.inForce("Hood") != "" || len(h.Steps) > 0 || h.Outcome == desk.Done {
				t.Errorf("%s, %q: %s (%s), in force:\n%s", name, mark, h.Outcome, h.Reason, o.inForce("Hood"))
			}
			mine := o.order("power", "  move 8")
			if h := send(mine); h.Outcome != desk.Done || !strings.Contains(o.inForce("Hood"), "move 8") || hasErrors(h) {
				t.Errorf("%s, %q, below orders: %s (%s), in force:\n%s\n%v", name, mark, h.Outcome, h.Reason, o.inForce("Hood"), h.Diagnostics())
			}
		}
	}
}
