package desk_test

import (
	"strings"
	"testing"

	"starpost/orders"
	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
)

// A line that was probably meant for the robot is reported each time, with its mistake.
func TestWhatIsNearlyOurs(t *testing.T) {
	o := newOffice(t)
	for _, below := range []string{"", o.quotedReport("> "), o.quotedReport("")} {
		for text, want := range map[string]struct{ code, says string }{
			"away from monday to friday":       {codes.BadCommand, "is not a date such as 2026-08-03"},
			"vote for a draw":                  {codes.BadCommand, "write: #vote [GAME] draw [turn N]"},
			"status please":                    {codes.BadCommand, `"please" is not understood here`},
			"Hello robot,\n\nstatus\n\nThanks": {codes.BadCommand, "write: #status"},
			"message to Riskadh\nSurrender!":   {codes.BadCommand, "put a line with only #end below"},
			"bank a 5 5":                       {orders.CodeUnknownOrder, "did you mean arm bank-a 5 5?"},
			"staus":                            {codes.UnknownCommand, "did you mean #status?"},
			"#order wolf turn 1 ship Hood":     {orders.CodeNearOrders, "does not begin a block"},
			"# orders":                         {orders.CodeNearOrders, "does not begin a block"},
			"orders":                           {orders.CodeNearOrders, "does not begin a block"},
			"fire all at Riskadh":              {codes.NoHead, "no order set begins here"},
		} {
			var ids []string
			for range 2 {
				h := o.receive("kirk@example.org", o.keyed("Kirk"), text+below)
				if h.Outcome != desk.Refused || h.answer == nil || h.answer.Kind != desk.KindAck || !hasCode(h, want.code) {
					t.Errorf("%q above %q: %s (%s), %v", text, below[:min(30, len(below))], h.Outcome, h.Reason, h.Diagnostics())
					break
				}
				wants(t, h.text(), want.says, "Turn 1 is due by")
				if strings.Contains(h.text(), "It also holds") {
					t.Errorf("%q: the quotation is spoken of:\n%s", text, h.answer.Message.Text)
				}
				ids = append(ids, h.answer.Message.MessageID)
			}
			if len(ids) == 2 && ids[0] == ids[1] {
				t.Errorf("%q: silence at the second time", text)
			}
		}
	}
	for _, text := range []string{"Hello!", "When do we start?", "Many thanks for the report, I shall send orders tomorrow.", "Move out of my way, Klingon!", "Orders will follow tonight.", "Orders missing from: Riskadh"} {
		if h := o.receive("kirk@example.org", robot, text); h.answer == nil || h.answer.Kind != desk.KindHelp {
			t.Errorf("%q: %s", text, h.Reason)
		}
	}
}

// The first line of a set with decoration around its mark, or without the mark, is reported each
// time and never read: others' quoted words look like that.
func TestDrawnFirstLines(t *testing.T) {
	o := newOffice(t)
	set := o.order("power", "  move 8", "phase 1", "  move F", "phase 3", "  move F")
	for head, code := range map[string]string{
		"# orders": orders.CodeNearOrders, "*#orders": orders.CodeNearOrders, "- #orders": orders.CodeNearOrders, "**#orders**": orders.CodeNearOrders,
		"\uff03orders": codes.NoHead, "orders": codes.NoHead, "Orders": codes.NoHead,
	} {
		text := strings.Replace(set, "#orders", head, 1)
		for _, below := range []string{"", o.quotedReport("> "), o.quotedReport("")} {
			h := o.receive("kirk@example.org", robot, "Hello!\n\n"+text+below)
			if h.Outcome != desk.Refused || h.answer == nil || o.inForce("Hood") != "" || !hasCode(h, code) {
				t.Errorf("%s: %s (%s) %v\n%s", head, h.Outcome, h.Reason, h.Diagnostics(), h.text())
			}
			wants(t, h.text(), "#orders")
		}
	}
}
