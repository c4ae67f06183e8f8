package ship

import (
	"testing"

	"pgregory.net/rapid"

	"starpost/engine/rules/fasa/tables"
)

// phases is the number of phases in a turn of books that have lasers.
const phases = 3

// TestLaserDividesItsPower checks a mount's shots, whatever power it loses between them: no more
// shots than it was armed for, each of at least one unit and none above the one before, and no
// more power in all than it got (stcs 14.2).
func TestLaserDividesItsPower(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shots := rapid.IntRange(2, phases).Draw(t, "shots")
		m := Mount{Shots: shots, Armed: rapid.IntRange(shots, 40).Draw(t, "armed")}
		armed, last, fired, total := m.Armed, m.Armed/shots, 0, 0
		cut := false
		for range phases {
			if !cut && m.Left() > 0 && m.Charge() != armed/shots {
				t.Fatalf("%+v fires with %d, not with %d", m, m.Charge(), armed/shots)
			}
			if m.Left() > 0 {
				now := m.Charge()
				if now < 1 || now > last {
					t.Fatalf("%+v fires with %d after %d", m, now, last)
				}
				m.discharge()
				last, fired, total = now, fired+1, total+now
			}
			if lost := rapid.IntRange(0, m.Armed-m.Spent).Draw(t, "lost"); lost > 0 {
				m.Armed -= lost
				cut = true
			}
		}
		if fired > shots || total > armed || m.Spent > armed || m.Left() > 0 && m.Fired {
			t.Fatalf("%+v fired %d times with %d in all, armed with %d for %d", m, fired, total, armed, shots)
		}
	})
}

// TestVolleys: a robot's lasers fire several times only where their range adds to each
// shot, and no more often than they have power for.
func TestVolleys(t *testing.T) {
	laser := Bank{ID: "bank-a", Kind: tables.Beam, Max: 3, Shots: phases, Bands: []tables.Band{{Bonus: 2, From: 1, To: 4}, {Bonus: 1, From: 5, To: 7}}, Mounts: make([]Mount, 2)}
	phaser := Bank{ID: "bank-b", Kind: tables.Beam, Max: 5, Bands: []tables.Band{{Bonus: 3, From: 1, To: 10}}, Mounts: make([]Mount, 1)}
	sys := &State{Banks: []Bank{laser, phaser}}
	set := Settings{Armed: map[int][]int{0: {3, 2}, 1: {5}}}
	for rng, want := range map[int]string{
		5: "power\n  arm bank-a-1 3 shots 3\n  arm bank-a-2 2 shots 2\n  arm bank-b 5\n", 9: "power\n  arm bank-a 3 2\n  arm bank-b 5\n",
	} {
		if got := PowerOrders(sys, set.Volleys(sys, rng)).String(); got != want {
			t.Errorf("at range %d:\n%s", rng, got)
		}
	}
}
