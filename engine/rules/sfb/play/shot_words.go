package play

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/tactical"
)

// EnergyWords describes a turn's energy in a sentence.
func EnergyWords(l *rulebook.Rules, e *state.Energy) string {
	parts := []string{"speed " + SpeedWord(&l.Book, e.Speed)}
	add := func(n int, format string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(format, n))
		}
	}
	add(e.Needs, "%d to life support, fire control and shields")
	if e.NoFire {
		parts = append(parts, "fire control off")
	}
	if e.Down {
		parts = append(parts, "shields down")
	}
	add(e.Phasers, "%d to the phasers")
	if n := len(e.Arm); n > 0 {
		parts = append(parts, phrase.Counted(n, "weapon", "weapons")+" armed")
	}
	add(len(e.Hold), "%d held")
	add(e.Cloak, "%d to the cloak")
	for i, n := range e.Reinforce {
		add(n, fmt.Sprintf("%%d on shield %d", i+1))
	}
	add(e.AllRound, "%d points of general reinforcement")
	add(tactical.Sum(e.Repair[:]), "%d shield boxes to repair")
	add(e.Recharge, "%d to the batteries")
	if len(e.Scotty) > 0 {
		parts = append(parts, phrase.Counted(len(e.Scotty), "try", "tries")+" to repair lost boxes")
	}
	parts = append(parts, phrase.Purse(e.Purse)...)
	from := fmt.Sprintf("%d energy", e.Available)
	if e.Batteries > 0 {
		from += fmt.Sprintf(" and %d from the batteries", e.Batteries)
	}
	return fmt.Sprintf("%s: %s, %d unused", from, strings.Join(parts, ", "), e.Unused)
}

// ShotWords describes what a weapon does at a range and bearing: the mean points, or why it can do nothing.
func ShotWords(l *rulebook.Rules, sys *state.System, w, armed, over int, at engine.Place, foe *engine.ShipView, rng int) (why, text string) {
	b := sys.Bank(w)
	if _, ok := l.Charts[b.Kind]; !ok {
		return "has no chart", ""
	}
	chart := Chart(&l.Book, sys, b.Kind)
	known, is := state.OpenOf(foe)
	hidden := is && known.CloakSeen(foe)
	counts, _ := counted(l, &sys.Sheet, rng, hidden)
	flies := len(chart.Warheads) > 0
	r, why := rulebook.Row{}, ""
	switch {
	case !flies:
		r, why = line(&chart, b, over, rng, counts, hidden)
		if _, near := AtOver(&chart, over, rng); why != "" && near && hidden {
			why = fmt.Sprintf("cannot fire at range %d (as %d, she is cloaked)", rng, counts)
		}
	case rng == 0 || chart.Warhead(rng) == 0 || foe.Kind != engine.KindShip:
		why = fmt.Sprintf("cannot fire at range %d", rng)
	}
	bearing, apart := hex.Bearing(at.Hex, *foe.Hex)
	switch {
	case b.Left == 0:
		return "is destroyed", ""
	case why != "":
		return why, ""
	case apart && !b.Arcs.Bear(bearing.Relative(at.Heading)):
		return "does not bear", ""
	case armed < chart.Turns:
		return fmt.Sprintf("is not armed (%d of %d turns)", armed, chart.Turns), ""
	case flies:
		return "", fmt.Sprintf("does %d after %s", chart.Warhead(rng), phrase.Hexes(rng))
	case r.Need > 0:
		need := r.Need
		if foe.Kind != engine.KindShip {
			need -= chart.Small
		}
		switch {
		case need < 1:
			return fmt.Sprintf("cannot hit so small a thing at range %d", rng), ""
		case need == 1:
			return "", fmt.Sprintf("hits on 1 for %d", r.Points)
		}
		return "", fmt.Sprintf("hits on 1 to %d for %d", need, r.Points)
	}
	return "", r.Digits()
}
