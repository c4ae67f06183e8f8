package desk_test

import (
	"strings"
	"testing"
)

// quotedReport quotes the first report like a mail program, with marks or without.
func (o *office) quotedReport(mark string) string {
	o.t.Helper()
	text := "The Big Bad Wolf\n\n" + o.template("Kirk")
	if mark != "" {
		text = mark + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+mark)
		return "\n\nOn Sun, 1 Mar 2026 at 12:00, Starpost <starpost@example.org> wrote:\n" + text + "\n"
	}
	return "\n\n________________________________\nFrom: Starpost <starpost@example.org>\nSent: Sunday, March 1, 2026 12:00\nTo: Kirk\nSubject: Turn 0\n\n" + text + "\n"
}

// A report quoted below a command is not mentioned.
func TestCommandsAboveAQuotedReport(t *testing.T) {
	for _, mark := range []string{"> ", ""} {
		for command, subject := range map[string]string{
			"status":                              "[wolf] Status before turn 1",
			"#final":                              "[wolf] final not done, 1 error", // no set is in force
			"#message to Riskadh\nHello\n#end":    "[wolf] Message sent",
			"#message to Riskadh\nHello, no end.": "message not done, 1 error",
		} {
			o := newOffice(t)
			h := o.receive("kirk@example.org", o.keyed("Kirk"), command+o.quotedReport(mark))
			if h.answer == nil || !strings.HasPrefix(h.answer.Message.Subject, subject) {
				t.Errorf("%q above %q: %s\n%s", command, mark, h.Reason, h.answer.Message.Subject)
			}
			if text := h.text(); strings.Contains(text, "template") || strings.Contains(text, "quote marks") || strings.Contains(text, "E006") {
				t.Errorf("%q above %q speaks of the quotation:\n%s", command, mark, h.answer.Message.Text)
			}
			// Changed orders in the quotation are mentioned.
			if h := o.receive("kirk@example.org", o.keyed("Kirk"), command+strings.Replace(o.quotedReport("> "), "> #end", "> final\n> #end", 1)); command == "status" && !strings.Contains(h.text(), "quote marks") {
				t.Errorf("changed in the quotation, nothing is said:\n%s", h.answer.Message.Text)
			}
		}
	}
}
