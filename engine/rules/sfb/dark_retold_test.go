package sfb

import (
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/testkit/enginetest"
)

// TestRetoldEventsHaveWhatIsPublicAlone: reports to a captain about unknown ships contain only the fields the captain
// may know. Hood has Near as a place, and nothing of Far.
func TestRetoldEventsHaveWhatIsPublicAlone(t *testing.T) {
	for _, r := range []*engine.Rules{houseRules(t), cadetRules(t)} {
		own, foe := "federation-ca", "klingon-d7"
		if r.Name != houseName {
			own, foe = "cadet-federation", "cadet-klingon"
		}
		rules, lights, told := *r, *dark.Of(r).Dark, 0
		tell := lights.Tell
		lights.Tell = func(b engine.Body, to *dark.Observer) (engine.Body, []string) {
			if to.Captain == "Hood" && told == 0 {
				for _, c := range []struct {
					body       engine.Body
					shown, cut string
				}{
					{&state.Fire{Ship: "hood", Target: "near"}, "Ship Target Weapon Kind Impulse Range Counts Scanner Roll More Need Hit Aimed Half Over Own", "Points Shield !Blind"},
					{&state.Fire{Ship: "hood", Target: "near", Blind: true}, "Ship Weapon Kind Impulse Roll Hit Over Own Blind", "Target Range Counts Scanner More Need Points Shield Aimed Half"},
					{&state.Fire{Ship: "far", Target: "hood", Hit: true}, "Target Hit Impulse Shield Points", "Ship Weapon Kind Range Counts Scanner Roll More Need Aimed Half Over Own Blind"},
					{&state.Strike{Ship: "hood", Target: "near"}, "Ship Target Points Flown", "Shield Roll"},
					{&state.Strike{Ship: "far", Target: "hood"}, "Target Shield Points Flown", "Ship Roll"},
				} {
					if err := enginetest.CheckRetold(func(b engine.Body) engine.Body { out, _ := tell(b, to); return out }, c.body, c.shown, c.cut); err != nil {
						t.Errorf("%s: %v", r.Name, err)
					}
					told++
				}
			}
			return tell(b, to)
		}
		rules.Extension = &dark.Extension{Dark: &lights, Labs: dark.Of(r).Labs}
		g := darkGame(t, r, darkShip("Hood", "red", own, "1020", "A", ""), darkShip("Near", "green", foe, "1035", "A", ""), darkShip("Far", "green", foe, "1090", "A", ""))
		if _, _, err := enginetest.Twin(&rules, g, dice.FromSeed(7), 1, "hood"); err != nil {
			t.Fatal(err)
		}
		if told == 0 {
			t.Errorf("%s: nothing was told", r.Name)
		}
	}
}
