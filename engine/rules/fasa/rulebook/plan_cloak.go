package rulebook

import (
	"slices"

	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// CloakSwitches are the orders to switch the cloak when a phase's movement is over: those
// of the power first.
func (p *Plan) CloakSwitches(n int) []CloakSwitch {
	var out []CloakSwitch
	for _, o := range ship.Read[CloakPlan](p.Parts).Later {
		if o.N == n {
			out = append(out, o)
		}
	}
	return append(out, ship.Read[[]CloakSwitch](p.In(n).Parts)...)
}

// cloakedIn tells whether the cloak will surely be on in the fire of a phase, as far
// as orders without conditions go.
func (c *Compiler) cloakedIn(n int) bool {
	k := c.Sys.Cloak()
	if c.P.Power.Cloak == 0 {
		return false
	}
	start := ship.Read[CloakPlan](c.P.Parts).Start
	on := start == ship.CloakOn || k.On && start != ship.CloakOff
	for i := range n + 1 {
		for _, o := range c.P.CloakSwitches(i) {
			if o.When == nil {
				on = o.On
				break
			}
			if on && !o.On {
				return false // it may be off from then on
			}
		}
	}
	return on
}

// SurelyCloaked tells whether the cloak will be on through all of the turn.
func (c *Compiler) SurelyCloaked() bool {
	k := c.Sys.Cloak()
	start := ship.Read[CloakPlan](c.P.Parts).Start
	if start != ship.CloakOn && !k.On || start == ship.CloakOff || c.P.Power.Cloak == 0 {
		return false
	}
	for n := range c.L.Split.Phases() {
		if slices.ContainsFunc(c.P.CloakSwitches(n), func(o CloakSwitch) bool { return !o.On }) {
			return false
		}
	}
	return true
}

// CloakSwitch is an order to switch the cloak when a phase's movement is over.
type CloakSwitch struct {
	Line int
	Text string
	N    int // the phase's index
	On   bool
	When *orders.Cond
}

// CloakPlan is the part of a plan that is about the cloak.
type CloakPlan struct {
	Line  int
	Text  string
	Start string        // on, off or ready in the power phase; blank for as it was
	Later []CloakSwitch // that were ordered with the power
}
