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

// lookFor is a turn of a ship that has nothing to fight in the dark: she goes where something
// was found last, or where she has not been, or to whom her task is with, with her shields up ahead.
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

// standing is the standing orders of a robot: its last orders again if it is away, and in the dark no fire
// at what may be a friend.
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

// contacts are what a captain has on his list that is not of his side, and not known to be out of
// the fight.
func contacts(v *engine.View, s *engine.ShipView) (out []*engine.ShipView) {
	for _, o := range v.Ships {
		if o.Side != s.Side && o.Hex != nil && o.Status == engine.Active && !seenThrough(s, o) {
			out = append(out, o)
		}
	}
	return out
}

// whereToLook is the nearest place at which something is that is no friend, or was and may not have
// come far; with none the middle of the map, or of space, and then one side of it after the other.
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

// A lost contact's place is looked at no more from so near, in hexes, or after so many turns.
const (
	searched = 5
	stale    = 3
)

// lurking is for how many turns a ship at most lies still that has found nothing.
const lurking = 3

// lurks tells whether a ship lies still in the dark, so that no warp field shows: one whose sensors
// reach farther than plain ones finds what moves before that finds her.
func lurks(v *engine.View, s *engine.ShipView, sys *ship.State) bool {
	plain := blind.Suite{Boxes: sys.Alloc.Labs} // others may light theirs as well
	return v.Dark && v.Due <= lurking && s.Reach != nil && s.Reach.Field > plain.Reach(blind.Field, false) && len(contacts(v, s)) == 0
}

// lit is how many laboratories a ship lights that has found nothing to fight in the dark: of those that
// her task leaves.
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

// light lights laboratories, and keeps their power back.
func (c *Commander) light() {
	if n := lit(c.View, c.State, c.task); n > 0 {
		c.State.Power -= n
		c.AddPower(ship.NameLabs, n)
	}
}

// attend keeps the ship beside one of her side, for the file that goes from one to the other, ready for whatever appears.
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
	litShare   = 10 // the part of a ship's power, one in so many, that goes to lit laboratories at most
	thiefRange = 4  // hexes that a ship keeps under her cloak from one whose file she may steal
)
