package fasa

import (
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"starpost/engine"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// flak is an invented kind of weapon: it takes 3 power, loses a point of damage for each hex, and cannot be evaded.
func flak() rulebook.Gunnery {
	return rulebook.Gunnery{
		Name: "flak",
		Arm: func(c *rulebook.Compiler, b *ship.Bank, m, want int, pos orders.Pos) (int, bool) {
			return play.Missiles().Arm(c, b, m, want, pos)
		},
		Deal: func(b *ship.Bank, v *rulebook.Volley, _ int, _ rulebook.ShotRoll) (int, int) { return b.Damage, -v.Rng },
	}
}

// TestKindOfWeapon: a kind that only this file defines is armed, damaged, repaired, fired and reported.
func TestKindOfWeapon(t *testing.T) {
	r := rulesOf(t, func(lib *tables.Library) (*engine.Rules, error) {
		own := *lib
		own.Weapons, own.Designs = maps.Clone(lib.Weapons), maps.Clone(lib.Designs)
		own.Weapons["FLK-1"] = tables.WeaponType{Name: "FLK-1", Kind: "flak", Title: "flak gun", Chart: lib.Weapons["KP-1"].Chart, Arm: 3, Damage: 14}
		wolf := own.Designs["d-10-wolf"]
		wolf.Banks = slices.Clone(wolf.Banks)
		at := slices.IndexFunc(wolf.Banks, func(b tables.BankDesign) bool { return b.ID == "torpedo-1" })
		wolf.Banks[at].Weapon = "FLK-1"
		own.Designs["d-10-wolf"] = wolf
		book := graduateCourse()
		book.Kinds = append(slices.Clone(book.Kinds), flak())
		return book.rules(&own)
	})
	enginetest.Run(t, averagePeople(r), fstest.MapFS{"flak.txt": &fstest.MapFile{Data: []byte(`title  A kind of weapon from nothing
cite   none
given
  option ratings fixed
  ship   Hood one constitution-hood 0510 A state.skill=70
  ship   Wolf two d-10-wolf 0505 D state.skill=40
turn
orders Hood
  power
    arm bank-b-1 5
    move 20
  phase 1
    fire bank-b-1 at Wolf
  standing
    evade port when missile
orders Wolf
  power
    move 20
    shields 3:15
    arm torpedo-1
  phase 1
    move H H
  phase 2
    move H
    repair torpedo-1
  phase 3
    move H H
    fire missiles at Hood
check Wolf
  says torpedo-1 armed with 3 power
dice
  t1.p1.fire.hood.bank-b.hit 1
  t1.p1.fire.hood.bank-b.location 3
  t1.p2.repair.wolf.torpedo-1 1
  t1.p3.fire.wolf.torpedo-1.hit 1
  t1.p3.fire.wolf.torpedo-1.location 8
  t1.p3.fire.wolf.torpedo-1.location.engine 1
then
  damage ship=wolf lost.name=torpedo-1 lost.after=damaged
  repair ship=wolf system=torpedo-1 done=true
  fire ship=wolf weapon=torpedo-1 hit=true base=14 bonus=-5
  ! evade ship=hood
report Wolf
  FLK-1 flak gun
`)}})
}
