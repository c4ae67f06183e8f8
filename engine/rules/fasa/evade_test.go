package fasa

import (
	"testing"
	"testing/fstest"

	"starpost/engine"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/testkit/enginetest"
)

// TestEvadingOneOfABank: of two missiles of one bank, which share a roll, one is evaded; the other
// strikes the side that was shown before. No built-in ship has such a bank.
func TestEvadingOneOfABank(t *testing.T) {
	r := averagePeople(rulesOf(t, advanced))
	commission := r.Commission
	r.Commission = func(e engine.ShipEntry) (engine.Commissioned, []engine.Problem) {
		made, problems := commission(e)
		if sys, ok := made.System.(*ship.State); ok {
			if b, has := sys.Bank("torpedo-1"); has {
				b.Mounts = append(b.Mounts, b.Mounts[0])
			}
		}
		return made, problems
	}
	enginetest.Run(t, r, fstest.MapFS{"bank.txt": &fstest.MapFile{Data: []byte(`title  One of a bank
cite   D30, stcs 4.4
given
  ship   Hood one constitution-hood 0515 A state.skill=70
  ship   Wolf two d-10-wolf 0511 D state.skill=40
turn
orders Hood
  power
    arm torpedo-1-1
    arm torpedo-1-2
  phase 1
    fire torpedo-1 at Wolf
orders Wolf
  power
    shields 2:12 3:6
  phase 1
    evade port against torpedo-1-2 of Hood
dice
  t1.p1.evade.wolf.hood 3
  t1.p1.fire.hood.torpedo-1.hit 1
then
  evade weapon=torpedo-1 mount=2 from=D heading=C success=true
  fire mount=1 shield=2 damage=10 evaded=none
  shield shield=2 before=12 after=2
  fire mount=2 shield=3 damage=5 evaded=true
  shield shield=3 before=6 after=1
report Wolf
  Wolf evades torpedo-1-2 of Hood to port
  hit on shield 2 and 3
`)}})
}
