package robot

import (
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// lookFor returns a turn for a ship without an enemy in the dark: she goes where something was last
// found, or where she has not been, or to the ship of her task, with her shields ahead up.
func (l *Rules) lookFor(v *engine.View, s *engine.ShipView, sys *ship.State, task dark.LabTask) orders.Set {
	points := l.MovementPoints(sys, sys.Power/2)
	if lurks(v, s, sys) {
		points = 0
	}
	lit := lit(v, sys, task)
	power := sys.Pin(ship.Settings{Points: points, Shields: make([]int, 6)})
	ship.Raise(sys, &power, l.Ring.Nearest(l.Ahead()), sys.Power-lit)
	set := ship.PowerOrders(sys, power)
	if lit > 0 {
		set.Say("power", 0, ship.NameLabs, lit)
	}
	way := orders.Say("course", whereToLook(v, s).Label())
	if task.Near != nil {
		way = orders.Say("pursue", task.Near.Name, "to", dark.TaskRange)
	}
	for n, points := range l.Split.Points(power.Points) {
		if points > 0 {
			set.Add("phase", n+1, way)
		}
	}
	return slices.Concat(set, l.Book.OfferStanding(v, s, sys, standing(v, s, sys)))
}

// standing returns a robot's standing orders: to repeat its last orders if none come, and in the
// dark to hold fire at what may be a friend.
func standing(v *engine.View, s *engine.ShipView, sys *ship.State) ship.Standing {
	st := sys.Standing.Clone()
	st.Missing = "repeat"
	below := ""
	if n := dark.SureOfFriends(v, s); n > 0 {
		below = strconv.Itoa(n)
	}
	st.SetWord(ship.Hold, below)
	return st
}

// contacts returns the captain's contacts that are not of the same side, and not known to be out of
// the fight or decoys.
func contacts(v *engine.View, s *engine.ShipView) (out []*engine.ShipView) {
	for _, o := range v.Ships {
		if o.Side != s.Side && o.Hex != nil && o.Status == engine.Active && !seenThrough(s, o) {
			out = append(out, o)
		}
	}
	return out
}

// whereToLook returns the nearest place of a contact, or of a lost one that may not have gone far;
// without any, the middle of the map or of space, and then one side of it after another.
func whereToLook(v *engine.View, s *engine.ShipView) hex.Hex {
	var best *engine.ShipView
	for _, o := range contacts(v, s) {
		if *o.Hex == *s.Hex || o.Sight == engine.Lost && (board.Distance(s, o) <= searched || o.Since != nil && v.Due-o.Since.Turn > stale) {
			continue
		}
		if best == nil || board.Distance(s, o) < board.Distance(s, best) {
			best = o
		}
	}
	if best != nil {
		return *best.Hex
	}
	return dark.Sweep(v, s, hex.At(11, 17)) // the middle of the map of most scenarios
}

// A lost contact's place is not searched from within this many hexes, nor after this many turns.
const (
	searched = 5
	stale    = 3
)

// lurking is the most turns for which a ship without contacts lies still.
const lurking = 3

// lurks reports whether a ship lies still in the dark, so that no warp field shows: a ship with
// sensors that reach farther than plain ones finds what moves before it finds her.
func lurks(v *engine.View, s *engine.ShipView, sys *ship.State) bool {
	plain := blind.Suite{Boxes: sys.Alloc.Labs} // other ships may light theirs as well
	return v.Dark && v.Due <= lurking && s.Reach != nil && s.Reach.Field > plain.Reach(blind.Field, false) && len(contacts(v, s)) == 0
}

// lit returns how many laboratories, of those that her task leaves, a ship without an enemy in the
// dark lights.
func lit(v *engine.View, sys *ship.State, task dark.LabTask) int {
	if !v.Dark {
		return 0
	}
	n := min(sys.Labs().Boxes-task.Boxes, sys.Power/litShare)
	if moves, pinned := sys.Pinned(); pinned {
		n = min(n, sys.Power-moves)
	}
	return max(0, n)
}

// light lights laboratories, and subtracts their power.
func (c *Commander) light() {
	if n := lit(c.View, c.State, c.task); n > 0 {
		c.State.Power -= n
		c.AddPower(ship.NameLabs, n)
	}
}

// attend keeps the ship beside one of her side, so that a file can pass between them, ready for whatever appears.
func (c *Commander) attend() {
	points := c.State.Design.Move.Points(c.State.Power / 2)
	if board.Distance(c.Ship, c.task.Near) <= 2*dark.TaskRange {
		points = min(points, max(c.Rules.Split.Phases(), c.State.Design.Move.Points(c.State.Power/4)))
	}
	if c.face(); c.Foe == nil || c.Foe.Sight != engine.Seen {
		c.light()
	}
	c.allRound(points)
	c.hunt()
	c.approach(c.task.Near, dark.TaskRange)
	c.fireAtAny()
}

const (
	litShare   = 10 // at most one part in so many of a ship's power goes to lit laboratories
	thiefRange = 4  // hexes that a cloaked ship keeps from one with a file to steal
)
