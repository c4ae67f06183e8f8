package desk_test

import (
	"strings"
	"testing"

	"starpost/pbem/desk"
	"starpost/pbem/orderset"
)

// An attached order file counts even if the text has orders, or quotes some.
func TestOrdersInAnAttachedFile(t *testing.T) {
	for name, c := range map[string]struct {
		text, file func(o *office) string
		inForce    string // "" for none
		says       string
	}{
		"below a quotation without marks": {(*office).unmarkedReport, (*office).eight, "move 8", "in the file attached"},
		"below a quotation with marks":    {(*office).markedReport, (*office).eight, "move 8", "are accepted"},
		"another set":                     {(*office).four, (*office).eight, "", "two different order sets for Hood; the other is in the attached file"},
		"the same set":                    {(*office).eight, (*office).eight, "move 8", "are accepted"},
		"the template beside a set":       {(*office).eight, (*office).kirks, "move 8", "are accepted"},
		"a set beside the template":       {(*office).kirks, (*office).eight, "move 8", "are accepted"},
		"the template, on purpose":        {(*office).unmarkedReport, (*office).kirks, "shields 1:16 2:16", "are accepted"},
		"a set without its mark":          {(*office).unmarkedReport, func(o *office) string { return strings.Replace(o.eight(), "#orders", "orders", 1) }, "", "nothing was stored"},
		"notes":                           {(*office).eight, func(*office) string { return "Dear diary,\n" }, "move 8", "are accepted"},
		"a mistake":                       {(*office).unmarkedReport, func(o *office) string { return o.order("power", "  mvoe 8") }, "", "line 3, column 3: error E020"},
	} {
		o := newOffice(t)
		body := "--XX\nContent-Type: text/plain; charset=utf-8\n\n" + c.text(o) +
			"\n--XX\nContent-Type: text/plain; charset=utf-8; name=orders.txt\nContent-Disposition: attachment; filename=orders.txt\n\n" + c.file(o) + "\n--XX--\n"
		h := o.receive(kirk, robot, body, "MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=XX")
		got := o.inForce("Hood")
		if c.inForce == "" && (got != "" || h.Outcome != desk.Refused) || !strings.Contains(got, c.inForce) || !strings.Contains(h.text(), c.says) {
			t.Errorf("%s: %s (%s), in force:\n%s\n%s", name, h.Outcome, h.Reason, got, h.answer.Message.Text)
		}
		if name == "another set" && !hasCode(h, orderset.CodeTwoSets) {
			t.Errorf("%s: %v", name, h.Diagnostics())
		}
	}
}

func (o *office) unmarkedReport() string { return "My orders are attached." + o.quotedReport("") }
func (o *office) markedReport() string   { return "My orders are attached." + o.quotedReport("> ") }
func (o *office) kirks() string          { return o.template("Kirk") }

func (o *office) four() string { return o.order("power", "  move 4", "phase 2", "  move F") }
func (o *office) eight() string {
	return o.order("power", "  move 8", "phase 1", "  move F", "phase 3", "  move F")
}
