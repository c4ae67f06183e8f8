package desk_test

import (
	"strings"
	"testing"

	"starpost/engine"
)

// Captains who do not hear a message get no mail, and the answer to the sender does not reveal who
// they are.
func TestRelayReachesWhoHearsByTheRuleSet(t *testing.T) {
	for name, test := range map[string]struct {
		see   engine.See
		mails int
	}{
		"all hear":                      {engine.SeeAll().And("sender").And("words"), 1},
		"the addressee hears":           {engine.SeeOnly("hood", "riskadh"), 1},
		"the sender alone":              {engine.SeeOnly("hood"), 0},
		"the other hears it in code":    {engine.SeeAll("hood").And("sender"), 0},
		"he hears who is not addressed": {engine.SeeOnly("riskadh"), 1},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			heard := ""
			rules := o.game.Rules()
			defer func(was engine.Rules) { *rules = was }(*rules) // other tests share the rules
			rules.Hears = func(_ *engine.Game, from *engine.Ship, to string, coded bool) engine.See {
				if coded || from.ID != "hood" {
					t.Errorf("got words of %s, in code: %t, want those of Hood in the open", from.ID, coded)
				}
				heard = to
				return test.see
			}
			h := o.says("#message to Kor\nYield!\n#end\n")
			if len(h.Mails) != test.mails || !strings.Contains(h.text(), "Your message goes to Kor.") {
				t.Errorf("got %d mails, want %d: %s", len(h.Mails), test.mails, h.text())
			}
			if heard != "Riskadh" {
				t.Errorf("the rule set is asked about words to %q, want the captain's ship", heard)
			}
		})
	}
}
