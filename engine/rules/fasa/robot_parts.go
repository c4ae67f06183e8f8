package fasa

import (
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/crew"
	"starpost/engine/rules/fasa/robot"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/fasa/verbs"
)

// robotRules returns the book as its robots use it.
func robotRules(l *rulebook.Rules) *robot.Rules {
	r := &robot.Rules{
		Library: l.Library, Scheme: l.Scheme, Book: verbs.Offers{Rules: l}, Captain: l.Captain, Odds: l.Sure, Ground: l.Ground,
		Words: l.Book.Words, Steps: l.Steps, Hulks: l.Hulks,
	}
	for _, p := range l.Parts {
		r.Parts = append(r.Parts, p.Robot)
		for _, v := range p.Verbs {
			r.Verbs = append(r.Verbs, v.Name)
		}
	}
	return r
}

// watchWithSensors trains the sensors on the target, and asks what matters in a fight.
func watchWithSensors(c *robot.Commander) {
	c.Standing.SetWord("sensors", board.AimNearest)
	if c.Foe != nil && c.Foe.Sight == engine.Seen {
		c.Standing.SetWord("sensors", c.Foe.Name)
	}
	c.Standing.SetList("questions", ship.AskStructure, ship.AskShields, ship.AskMines, ship.AskDamage)
}

// forgetToEvade withdraws an earlier standing order to evade that does not apply now.
func forgetToEvade(c *robot.Commander) {
	if len(c.Standing.List("evade")) > 0 && !c.Dodges {
		c.Standing.SetList("evade", "evade never")
	}
}

// followLeavers follows enemies who would get away, if the goals of the battle need them.
func followLeavers(c *robot.Commander) {
	if c.State.Outpost() {
		return
	}
	c.Standing.SetList("follow", rulebook.FollowNone)
	if slices.ContainsFunc(c.View.GoalsOf(c.Ship.Side), func(g engine.Goal) bool {
		return g.When == engine.GoalDestroy || g.When == engine.GoalCripple || g.When == engine.GoalPoints
	}) {
		c.Standing.SetList("follow", rulebook.FollowAll)
	}
}

// wantedRepairs returns the order of repairs: what the ship cannot fight without, the shields
// by how much they are needed, then weapons.
func wantedRepairs(c *robot.Commander) []string {
	var out []string
	add := func(f ship.Fault) {
		if c.State.Down(f) && c.Mendable(f) && !slices.Contains(out, f.Name) {
			out = append(out, f.Name)
		}
	}
	if c.State.Sound() {
		return []string{ship.RepairAll}
	}
	for f := range c.State.Faults {
		if f.Track == tables.TrackSensors || f.Track == tables.TrackEngineering {
			add(f)
		}
	}
	for _, n := range c.Rules.Ring.Nearest(max(1, c.Shown)) {
		add(ship.Generator(n))
	}
	for f := range c.State.Faults {
		add(f)
	}
	if len(out) == 0 {
		return []string{ship.RepairAll}
	}
	return out
}

// useBonus has the crew do what helps most: repair the ship, or else strengthen the shield
// towards the enemy.
func useBonus(c *robot.Commander) {
	if !c.State.Has("people") {
		return
	}
	c.Standing.SetList("bonus", rulebook.BonusSuperstructure, rulebook.BonusEngines)
	if crew.StandingBonus(c.State, c.Standing.List("bonus")) == nil && c.Shown > 0 && c.Power.Shields[c.Shown-1] > 0 && c.Power.Shields[c.Shown-1] < c.State.Design.MaxShield {
		c.AddPower("bonus power to shield", c.Shown)
	}
}
