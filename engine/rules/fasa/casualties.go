package fasa

import (
	"fmt"
	"strconv"

	"starpost/engine"
	"starpost/engine/dice"
)

// Crew is what a ship's crew has lost, in tenths of a per cent (stcs 15.13).
type Crew struct {
	Lost int `json:"lost,omitempty"`
}

// Crew is a ship's.
func (s *System) Crew() *Crew { return shareOf[Crew](s) }

func (*Crew) key() string { return "crew" }

func (c *Crew) clone() Share {
	k := *c
	return &k
}

// maxLost is the whole crew.
const maxLost = 1000

// outpostRate is what an outpost's crew loses for each point of superstructure, in per
// cent, whatever the outpost's size (stcs 17.2, ruling D41).
const outpostRate = 1

// shortHanded is what casualties take from to-hit and repair numbers: 1 for each
// full 10 per cent of the crew (stcs 15.14, ruling D41).
func shortHanded(sys *System) int { return sys.Crew().Lost / 100 }

// efficiency is a crew's rating, lowered by 10 for each full 10 per cent that is
// lost (stcs 15.14).
func efficiency(sys *System) int { return max(0, sys.People().Efficiency-10*shortHanded(sys)) }

// muster notes what crews can do in a phase of movement or fire, as it begins: what they
// lose in it counts from the next on, for all that happens in it (stcs 15.14, ruling D41).
func muster(t *engine.Turn) {
	crews := phaseNotes[quickness](t)
	for _, s := range t.Game.Ships {
		crews[s.ID] = quickness(efficiency(of(s)))
	}
}

// quickness is the efficiency of a crew as the phase began.
type quickness int

// understaffed lowers to-hit numbers by a crew's casualties (stcs 15.14).
func understaffed(_ *rulebook, _ *engine.Turn, v *volley) (string, int, []Topic) {
	return "casualties", -shortHanded(of(v.ship)), []Topic{CasualtyModifier, CasualtyRuling}
}

// crew takes casualties for points of superstructure, as many times as the chart
// says; a crew that is quick halves them, rounded down (stcs 15.13, ruling D41). Where
// crews have no ratings nothing is halved.
func (in *damageResolver) crew(points int) {
	if in.cell.Casualties == 0 {
		return
	}
	rate := in.l.CasualtyRate(in.sys.Design.Superstructure)
	if in.sys.outpost() {
		rate = outpostRate
	}
	lost := points * in.cell.Casualties * rate
	if lost <= 0 {
		return
	}
	in.cite(Casualties)
	if in.sys.Has("people") {
		need := int(phaseNotes[quickness](in.t)[in.target.ID])
		name := in.named + "." + strconv.Itoa(in.mount) + ".crew"
		if in.t.Roll(name, dice.D100, engine.SeeOnly(in.target.ID), in.l.cite(Casualties)...) <= need {
			lost /= 2
			in.d.Spared = true
		}
	}
	before := in.sys.Crew().Lost
	in.d.Casualties = &Change{Before: before, After: min(maxLost, before+10*lost)}
}

// perCent is a figure of tenths of a per cent in words.
func perCent(tenths int) string {
	if tenths%10 == 0 {
		return strconv.Itoa(tenths/10) + "%"
	}
	return fmt.Sprintf("%d.%d%%", tenths/10, tenths%10)
}

// crewPanels tell a captain what his crew has lost.
func crewPanels(_ *rulebook, _ *engine.View, s *engine.ShipView, sys *System) []engine.Panel {
	note := "casualties " + perCent(sys.Crew().Lost) + " of the crew"
	if n := shortHanded(sys); n > 0 {
		note += fmt.Sprintf(": -%d on to-hit and repair numbers", n)
		if sys.Has("people") {
			note += fmt.Sprintf(", efficiency %d", efficiency(sys))
		}
	}
	return []engine.Panel{{Key: "crew-" + s.ID, Title: s.Name + ": losses", Notes: []string{note, "damage chart " + sys.Hull().Chart + sys.Design.doubt("damage_chart")}}}
}
