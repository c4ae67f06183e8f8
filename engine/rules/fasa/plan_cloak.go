package fasa

import (
	"slices"

	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// cloakSwitches are the orders to switch the cloak when a phase's movement is over: those
// of the power first.
func (p *plan) cloakSwitches(n int) []cloakSwitch {
	var out []cloakSwitch
	for _, o := range ship.Read[cloakPlan](p.parts).later {
		if o.n == n {
			out = append(out, o)
		}
	}
	return append(out, ship.Read[[]cloakSwitch](p.in(n).parts)...)
}

// cloakedIn tells whether the cloak will surely be on in the fire of a phase, as far
// as orders without conditions go.
func (c *compiler) cloakedIn(n int) bool {
	k := c.sys.Cloak()
	if c.p.power.Cloak == 0 {
		return false
	}
	start := ship.Read[cloakPlan](c.p.parts).start
	on := start == ship.CloakOn || k.On && start != ship.CloakOff
	for i := range n + 1 {
		for _, o := range c.p.cloakSwitches(i) {
			if o.when == nil {
				on = o.on
				break
			}
			if on && !o.on {
				return false // it may be off from then on
			}
		}
	}
	return on
}

// surelyCloaked tells whether the cloak will be on through all of the turn.
func (c *compiler) surelyCloaked() bool {
	k := c.sys.Cloak()
	start := ship.Read[cloakPlan](c.p.parts).start
	if start != ship.CloakOn && !k.On || start == ship.CloakOff || c.p.power.Cloak == 0 {
		return false
	}
	for n := range c.l.Split.Phases() {
		if slices.ContainsFunc(c.p.cloakSwitches(n), func(o cloakSwitch) bool { return !o.on }) {
			return false
		}
	}
	return true
}

// cloakSwitch is an order to switch the cloak when a phase's movement is over.
type cloakSwitch struct {
	line int
	text string
	n    int // the phase's index
	on   bool
	when *orders.Cond
}

// cloakPlan is the part of a plan that is about the cloak.
type cloakPlan struct {
	line  int
	text  string
	start string        // on, off or ready in the power phase; blank for as it was
	later []cloakSwitch // that were ordered with the power
}
