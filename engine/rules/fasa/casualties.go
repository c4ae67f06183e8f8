package fasa

import (
	"strconv"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
)

// outpostRate is what an outpost's crew loses for each point of superstructure, in per
// cent, whatever the outpost's size (stcs 17.2, ruling D41).
const outpostRate = 1

// muster notes what crews can do in a phase of movement or fire, as it begins: what they
// lose in it counts from the next on, for all that happens in it (stcs 15.14, ruling D41).
func muster(t *engine.Turn) {
	crews := phaseNotes[quickness](t)
	for _, s := range t.Game.Ships {
		crews[s.ID] = quickness(ship.Efficiency(ship.Of(s)))
	}
}

// quickness is the efficiency of a crew as the phase began.
type quickness int

// understaffed lowers to-hit numbers by a crew's casualties (stcs 15.14).
func understaffed(_ *rulebook, _ *engine.Turn, v *volley) (string, int, []cites.Topic) {
	if short := ship.ShortHanded(ship.Of(v.ship)); short != 0 {
		return "casualties", -short, []cites.Topic{cites.CasualtyModifier, cites.CasualtyRuling}
	}
	return "", 0, nil
}

// crew takes casualties for points of superstructure, as many times as the chart
// says; a crew that is quick halves them, rounded down (stcs 15.13, ruling D41). Where
// crews have no ratings nothing is halved.
func (in *damageResolver) crew(points int) {
	if in.cell.Casualties == 0 {
		return
	}
	rate := in.l.CasualtyRate(in.sys.Design.Superstructure)
	if in.sys.Outpost() {
		rate = outpostRate
	}
	if in.part == 1 {
		points += in.spared // men are hurt all the same
	}
	lost := points * in.cell.Casualties * rate
	if lost <= 0 {
		return
	}
	in.cite(cites.Casualties)
	if in.sys.Has("people") {
		need, _ := noted[quickness](in.t, in.target.ID)
		name := in.named.And(strconv.Itoa(in.mount), "crew")
		if in.t.Roll(name, dice.D100, engine.SeeOnly(in.target.ID), in.l.cite(cites.Casualties)...) <= int(need) {
			lost /= 2
			in.d.Spared = true
		}
	}
	before := in.sys.Crew().Lost
	in.d.Casualties = &ship.Change{Before: before, After: min(ship.MaxLost, before+10*lost)}
}
