package fasa

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
)

// watch has the sensors follow the target, and ask what a fight turns on.
func (c *commander) watch() {
	c.st.SetWord("sensors", board.AimNearest)
	if c.foe != nil && c.foe.Sight == engine.Seen {
		c.st.SetWord("sensors", c.foe.Name)
	}
	c.st.SetList("questions", ship.AskStructure, ship.AskShields, ship.AskMines, ship.AskDamage)
}

// forget takes back a standing order to evade that was said before and does not hold now.
func (c *commander) forget() {
	if len(c.st.List("evade")) > 0 && !c.dodges {
		c.st.SetList("evade", "evade never")
	}
}

// follow goes after enemies who would get away, if the battle is about them.
func (c *commander) follow() {
	if c.sys.Outpost() {
		return
	}
	c.st.SetList("follow", followNone)
	if slices.ContainsFunc(c.v.GoalsOf(c.s.Side), func(g engine.Goal) bool {
		return g.When == engine.GoalDestroy || g.When == engine.GoalCripple || g.When == engine.GoalPoints
	}) {
		c.st.SetList("follow", followAll)
	}
}

// repairs is the order of repairs: what the ship cannot fight without, the shields by
// how much they are needed, then weapons.
func (c *commander) repairs() []string {
	var out []string
	add := func(f ship.Fault) {
		if c.sys.Down(f) && c.mendable(f) && !slices.Contains(out, f.Name) {
			out = append(out, f.Name)
		}
	}
	if c.sys.Sound() {
		return []string{ship.RepairAll}
	}
	all := c.sys.Faults()
	for _, f := range all {
		if f.Track == tables.TrackSensors || f.Track == tables.TrackEngineering {
			add(f)
		}
	}
	for _, n := range c.l.Ring.Nearest(max(1, c.show)) {
		add(ship.Generator(n))
	}
	for _, f := range all {
		add(f)
	}
	if len(out) == 0 {
		return []string{ship.RepairAll}
	}
	return out
}

// bonus lets the crew do what helps most: mend the ship, else strengthen the shield
// that is shown.
func (c *commander) bonus() {
	if !c.sys.Has("people") {
		return
	}
	c.st.SetList("bonus", bonusSuperstructure, bonusEngines)
	if standingBonus(c.sys, c.st.List("bonus")) == nil && c.show > 0 && c.set.Shields[c.show-1] > 0 && c.set.Shields[c.show-1] < c.sys.Design.MaxShield {
		c.more = append(c.more, fmt.Sprintf("bonus power to shield %d", c.show))
	}
}

// dodge evades missiles when a condition holds, to the side whose shield is stronger.
func (c *commander) dodge(shown int, when string) {
	if c.sys.Outpost() || c.stuck() || c.sys.Superstructure < 2 {
		return
	}
	side := c.l.Ring.Side(shown)
	hand := "port" // a turn to port brings the next shield clockwise round
	if c.set.Shields[c.l.Ring.Number((side+5)%6)-1] > c.set.Shields[c.l.Ring.Number((side+1)%6)-1] {
		hand = "starboard"
	}
	c.st.SetList("evade", fmt.Sprintf("evade %s when %s", hand, when))
	c.dodges = true
}
