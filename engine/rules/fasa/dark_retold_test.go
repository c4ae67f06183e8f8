package fasa

import (
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/testkit/enginetest"
)

// TestRetoldEventsHaveWhatIsPublicAlone: an event about a ship that a captain does not know is retold with only the
// fields that they may know. Hood detects Near's presence, and nothing of Far.
func TestRetoldEventsHaveWhatIsPublicAlone(t *testing.T) {
	shot := "Ship Target Weapon Model Family Mount Range Arc Chart Number Modifiers Need Named Roll Hit Base Bonus Damage Graze Evaded Rules Slim Second"
	inside := "Ship Weapon Table Roll Location Points Note Superstructure Power Engines Shield Lost Sensors Tracks Second Down Casualties Spared ShieldNumber LostBank LostMount"
	for _, r := range darkBooks(t) {
		rules, lights, told := *r, *dark.Of(r).Dark, 0
		tell := lights.Tell
		lights.Tell = func(b engine.Body, to *dark.Observer) (engine.Body, []string) {
			if to.Captain == "Hood" && told == 0 {
				for _, c := range []struct {
					body       engine.Body
					shown, cut string
				}{
					{&ship.Fire{Ship: "hood", Target: "near"}, shot, "Shield"},
					{&ship.Fire{Ship: "near", Target: "hood"}, "Ship Target Hit Shield", "Weapon Model Family Mount Range Arc Chart Number Modifiers Need Named Roll Base Bonus Damage Graze Evaded Rules Slim Second"},
					{&ship.Fire{Ship: "far", Target: "near"}, "Target Hit", "Ship Shield Weapon Model Family Mount Range Arc Chart Number Modifiers Need Named Roll Base Bonus Damage Graze Evaded Rules Slim Second"},
					{&ship.ShieldHit{Ship: "hood", From: "far"}, "Ship Shield Before Absorbed After Through", "From Weapon Mount"},
					{&ship.Damage{Ship: "hood", From: "near"}, inside + " From", "Mount Named"},
					{&ship.Damage{Ship: "hood", From: "far"}, inside, "From Mount Named"},
					{&ship.Blasted{Ship: "hood", From: "near"}, "Ship From Range Shield Damage", ""},
					{&ship.Blasted{Ship: "hood", From: "far"}, "Ship Shield Damage", "From Range"},
					{&ship.WarpSet{Ship: "hood", Follows: "near", FollowedBy: []engine.ShipID{"far"}}, "Ship From To Follows Followed", "FollowedBy"},
					{&ship.WarpSet{Ship: "hood", Follows: "far", FollowedBy: []engine.ShipID{"near"}}, "Ship From To Followed FollowedBy", "Follows"},
				} {
					if r.TypeOf(c.body) == nil { // the course has no such event
						continue
					}
					if err := enginetest.CheckRetold(func(b engine.Body) engine.Body { out, _ := tell(b, to); return out }, c.body, c.shown, c.cut); err != nil {
						t.Errorf("%s: %v", r.Name, err)
					}
					told++
				}
			}
			return tell(b, to)
		}
		rules.Extension = &dark.Extension{Dark: &lights, Labs: dark.Of(r).Labs}
		text := darkScenario(r, darkShip("Hood", "red", "constitution-hood", "1020", "A", ""), darkShip("Near", "green", "d-10-wolf", "1035", "A", ""), darkShip("Far", "green", "d-10-wolf", "1090", "A", ""))
		playDark(t, &rules, text, []map[engine.ShipID]string{{"hood": "power\n move 0\n", "near": "power\n move 3\nphase 1\n move F\n"}}, func(int, *engine.Game, []engine.Event) {})
		if told == 0 {
			t.Errorf("%s: nothing was told", r.Name)
		}
	}
}
