package fasa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
)

// cutsOfEngineer are the systems that power is cut from: as the engineer says, or by dice
// while he is shaken (stcs 21.4, 21.5).
func cutsOfEngineer(l *rulebook, t *engine.Turn, s *engine.Ship) []powerCut {
	out := inOrder(ship.Of(s).Standing.Shed)
	if ship.Of(s).Bridge().Shaky(ship.PostEngineer) {
		rolled := map[string]int{}
		for _, cut := range out {
			rolled[cut.system] = t.Roll(l.hazard(t, engine.NameRoll("cuts", s.ID).And(cut.system)), dice.D10, engine.SeeOnly(s.ID), l.cite(cites.EngineRoomHits)...)
		}
		slices.SortStableFunc(out, func(a, b powerCut) int { return rolled[b.system] - rolled[a.system] })
		return out
	}
	for i, words := range shedWords(ship.Of(s).Standing) {
		if _, amount, ok := strings.Cut(words, " "); ok {
			out[i].most, _ = strconv.Atoi(amount) // it was read when it was given
		}
	}
	return out
}

// tellCuts tells each officer what of his was cut, and the engineer how much of what.
func tellCuts(l *rulebook, t *engine.Turn, s *engine.Ship, shed engine.Ref, c *powerShedder) {
	of := map[string]string{"weapons": ship.PostWeapons, "movement": ship.PostHelm, "shields": ship.PostScience, ship.NameCloak: ship.PostHelm, verbLabs: ship.PostScience}
	was := map[string]int{"weapons": c.was.Weapons, "movement": c.was.Movement, "shields": c.was.Shields, ship.NameCloak: c.was.Cloak, verbLabs: c.was.Labs}
	is := map[string]int{"weapons": c.alloc.Weapons, "movement": c.alloc.Movement, "shields": c.alloc.Shields, ship.NameCloak: c.alloc.Cloak, verbLabs: c.alloc.Labs}
	what := map[string][]string{}
	for _, system := range append(c.sys.Shedable(), verbLabs) {
		if lost := was[system] - is[system]; lost > 0 {
			what[ship.PostEngineer] = append(what[ship.PostEngineer], fmt.Sprintf("%s %d", system, lost))
		}
	}
	for i, system := range c.from {
		what[of[system]] = append(what[of[system]], c.detail[i])
	}
	for _, post := range posts() {
		if len(what[post]) > 0 {
			t.Because(shed).Emit(&ship.Cut{Ship: s.ID, Post: post, What: what[post]}, engine.SeeOnly(s.ID), l.cite(cites.PostCuts)...)
		}
	}
}
