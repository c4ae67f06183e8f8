package play

import (
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
)

// Rehearsal carries out the movement of an own ship's plan in a game made of what her captain knows: nothing happens
// by chance, and all others stay where they are. Conditional orders to move apply; other conditional orders do not.
type Rehearsal struct {
	l    *rulebook.Rules
	turn *engine.Turn
	Ship *engine.Ship
	Plan *rulebook.Plan // as it is carried out: a copy
}

// Rehearse begins a rehearsal in the round that is due.
func Rehearse(l *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *state.System, p *rulebook.Plan, watch Watch) *Rehearsal {
	own := sys.Clone().(*state.System) //nolint:forcetypeassert // a clone is of the same type
	own.Steady = true
	r := &Rehearsal{l: l, Plan: certain(p)}
	r.turn, r.Ship = engine.Rehearse(l.Self, v, s, func(o *engine.ShipView) engine.System {
		if o == s {
			return own
		}
		return &state.System{Flight: new(state.Flight)}
	})
	n := memo(r.turn)
	n.watch, n.order, n.plans[s.ID] = watch, []engine.ShipID{s.ID}, r.Plan
	if v.DueRound() <= 1 {
		own.Held = "" // a beam must be renewed
		allotTo(l, r.turn, r.Ship, r.Plan)
	} else {
		n.helm(r.Ship).moved = hexesIn(s.Trail)
	}
	return r
}

// hexesIn returns how many hexes a trail is long.
func hexesIn(trail []engine.Step) (hexes int) {
	for i := range trail[min(1, len(trail)):] {
		hexes += hex.Distance(trail[i].At.Hex, trail[i+1].At.Hex)
	}
	return hexes
}

// Impulse carries out the movement of an impulse.
func (r *Rehearsal) Impulse(n int) {
	r.turn.Phase = engine.Phase{Step: "movement", No: n}
	moveShips(r.l, r.turn)
}

// System returns the state of the ship.
func (r *Rehearsal) System() *state.System { return state.Of(r.Ship) }

// certain returns a copy of a plan in which conditions of orders to move are true, and those of others false.
func certain(p *rulebook.Plan) *rulebook.Plan {
	c := *p
	c.Phases = slices.Clone(p.Phases)
	for i := range c.Phases {
		phase := &c.Phases[i]
		phase.Moves, phase.Speeds, phase.Acts = slices.Clone(phase.Moves), slices.Clone(phase.Speeds), nil
		for k := range phase.Moves {
			m := &phase.Moves[k]
			m.Done = m.Verb == rulebook.VerbHard && m.When != nil
			m.When = nil
		}
		for k := range phase.Speeds {
			phase.Speeds[k].Done = phase.Speeds[k].When != nil
		}
		phase.Brakes = slices.DeleteFunc(slices.Clone(phase.Brakes), func(o rulebook.LeaveOrder) bool { return o.When != nil })
	}
	return &c
}
