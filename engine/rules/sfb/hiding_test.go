package sfb

import (
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/robots"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
)

// TestHiddenShipsTellNothing: what a cloaked ship does and suffers changes no byte of what other sides' captains get,
// as long as nothing seeks her.
func TestHiddenShipsTellNothing(t *testing.T) {
	text := strings.NewReplacer("trial-ca", "federation-ca", "trial-f5", "romulan-we", "speed = 24", "speed = 8, cloaked = 1").Replace(houseDuel)
	r := houseRules(t)
	sc, diags := scenario.Parse([]byte(text))
	if sc == nil {
		t.Fatal(diags)
	}
	hidden, seen := 0, 0
	for _, secret := range []uint64{1, 2} {
		if _, err := robots.Battle(r, sc, "duel", dice.FromSeed(secret), func(turn robots.Turn) error {
			if s, _ := turn.After.Ship("gurkan"); state.Of(s).Cloaked {
				hidden++
			} else {
				seen++
			}
			if err := enginetest.CheckTurn(r, turn.Before, turn.After, turn.Events); err != nil {
				return err
			}
			return enginetest.CheckSecrets(r, turn.After, turn.Events, func(s *engine.Ship) {
				if sys := state.Of(s); sys.Cloaked {
					s.Hex, s.Heading = s.Hex.Step(hex.B), s.Heading.Turn(1)
					sys.Speed, sys.Straight, sys.Sheet.Shields[1].Left = sys.Speed+1, sys.Straight+1, 3
				}
			})
		}); err != nil {
			t.Fatal(err)
		}
	}
	if hidden < 2 || seen < 2 {
		t.Errorf("hidden after %d turns and seen after %d", hidden, seen)
	}
}
