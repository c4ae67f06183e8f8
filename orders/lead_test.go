package orders_test

import (
	"strings"
	"testing"

	"starpost/orders"
)

// TestALeadIsTheWordOnBehindAnOrder: a lead before an order says when it is carried out, and canonical text has it
// after the order.
func TestALeadIsTheWordOnBehindAnOrder(t *testing.T) {
	lang := &orders.Language{
		Rules: "lead", Lead: "impulse", Params: map[string]orders.Param{"N": {Class: orders.Number, Doc: "an impulse"}},
		Sections: []orders.Section{{Name: "phase", Numbered: true, Max: 4, Verbs: []orders.Verb{
			{Name: "cloak", Forms: []orders.Form{"cloak [at N]"}},
			{Name: "brake", Forms: []orders.Form{"brake [on N]"}, When: true},
			{Name: "drift", Forms: []orders.Form{"drift"}, When: true},
		}}, {Verbs: []orders.Verb{{Name: "final", Forms: []orders.Form{"final"}}}}},
		Subjects: []orders.Subject{{Form: "hurt", Kind: orders.FlagSubject}},
	}
	for text, want := range map[string]string{
		"impulse 3: brake":           "brake on 3",
		"Impulse 3 brake":            "brake on 3",
		"impulse 3: brake when hurt": "brake on 3 when hurt",
		"impulse 3: drift":           "drift is not for one impulse",
		"impulse 3: cloak":           "cloak at 3",
		"impulse 3:":                 "no order after impulse 3",
		"impulse":                    "needs a number",
		"impulse x: brake":           "needs a number",
		"impulse 3: brake on 4":      "one word too many",
		"impulse 3: breke":           "did you mean brake?",
		"impulse 3: impulse 4: x":    `"impulse" is not an order`,
	} {
		blocks, diags := orders.Parse([]byte("#orders g turn 1 ship Hood\nphase 1\n  "+text+"\n#end\n"), lang)
		got := ""
		for _, d := range diags {
			got += d.String() + " " + d.Hint + "\n"
		}
		if len(diags) == 0 && len(blocks) == 1 {
			got = blocks[0].Body()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
