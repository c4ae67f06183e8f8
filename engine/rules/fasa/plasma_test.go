package fasa

import (
	"testing"

	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// TestHalfOfEveryBolt: at every range of every launcher a bolt of half power does half
// the damage of one of full power, full or grazing, and the table divides evenly
// (stcs 14.4).
func TestHalfOfEveryBolt(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	deal, launchers := play.Plasma(true).Deal, 0
	for _, name := range lib.WeaponNames() {
		w := lib.Weapons[name]
		if w.Kind != tables.Plasma {
			continue
		}
		launchers++
		b := &ship.Bank{Kind: tables.Plasma, Arm: w.Arm, Plasma: w.Plasma, Mounts: []ship.Mount{{Armed: w.Arm}, {Armed: play.HalfPower(&ship.Bank{Arm: w.Arm})}}}
		for rng := 1; lib.ToHit(w.Chart, rng) > 0; rng++ {
			full, graze := w.Bolt(rng)
			if full == 0 || full%2 != 0 || graze != full/2 || graze%2 != 0 {
				t.Errorf("%s at range %d: %d/%d", name, rng, full, graze)
			}
			for mount, part := range []int{1, 2} {
				for want, s := range map[int]rulebook.ShotRoll{full / part: {Hit: true, Need: 5, Roll: 4}, graze / part: {Hit: true, Need: 5, Roll: 5}} {
					if got, bonus := deal(b, &rulebook.Volley{Rng: rng}, mount, s); got != want || bonus != 0 {
						t.Errorf("%s at range %d, a %dth of it, rolled %d of %d: %d, not %d", name, rng, part, s.Roll, s.Need, got, want)
					}
				}
			}
		}
	}
	if launchers != 3 {
		t.Errorf("%d launchers", launchers)
	}
}
