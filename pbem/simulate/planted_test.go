package simulate_test

import (
	"testing"

	"starpost/engine/testkit/enginetest"
)

// planted is a deliberate fault of the daemons, at their interfaces, for testing whether worlds find it.
type planted string

// The faults.
const (
	noFault       planted = ""
	noFence       planted = "no fence: each daemon takes the mailbox and the games for its own"
	dueUnclaimed  planted = "due without a claim: no one makes sure that a mail is still his to send"
	syncLeftOut   planted = "sync left out: orders are acknowledged that are not on the disk"
	markedTooSoon planted = "mark before send: a mail counts as sent before it is"
)

// foundWithin is the number of worlds within which each planted fault must be found.
const foundWithin = 1000

// Worlds find faults of a daemon. Searching from the first world on, the faults were found at the noted seeds, which
// a change of the daemon may move.
func TestPlantedFaultsAreFound(t *testing.T) {
	enginetest.Sequential(t)
	for fault, at := range map[planted]uint64{noFence: 1, dueUnclaimed: 5, syncLeftOut: 16, markedTooSoon: 1} {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			seed, found := at, false
			for ; seed < at+foundWithin && !found; seed++ {
				p := planOf(seed)
				p.planted = fault
				_, err := play(t, seed, p)
				if found = err != nil; found {
					t.Logf("found at seed %d: %v", seed, err)
				}
			}
			if !found {
				t.Errorf("not found from seed %d to %d", at, seed-1)
			}
		})
	}
}
