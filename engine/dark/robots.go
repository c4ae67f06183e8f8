package dark

import (
	"slices"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/hex"
	"starpost/orders"
)

// SureOfFriends returns the level, as orders count it, below which a robot holds the fire of a ship in a game in
// the dark in which unidentified ships may be friends. While a friend is about it does not fire at anything
// unidentified until the ship is hit. 0: it fires.
func SureOfFriends(v *engine.View, s *engine.ShipView) int {
	mates := slices.ContainsFunc(v.Ships, func(o *engine.ShipView) bool {
		return o.ID != s.ID && o.Side == s.Side && !o.Kind.Small() && o.Status == engine.Active
	})
	if !v.Unnamed || !mates || slices.ContainsFunc(v.Events, func(e engine.Entry) bool {
		hit, ok := e.Body.(engine.Striking)
		return ok && hit.Strikes() == s.ID
	}) {
		return 0
	}
	return blind.Full.Number()
}

// LabTask is what a robot orders the laboratories of a ship to do in a turn, using only her captain's view.
type LabTask struct {
	Near   *engine.ShipView // a ship of her side to send a file to or receive it from, which she stays near; nil for none
	Steals bool             // she wants a file that enemies send, and does not have it yet
	Orders []orders.Order   // for the whole turn
	Boxes  int              // number of boxes that the orders use; the rest may be lit
}

const (
	// TaskRange is the range at which robots stay from the sender or receiver of a file.
	TaskRange = 1
	// labHope is the range from which a ship may still come within reach of laboratories in the turn.
	labHope = labReach + 4
)

// TaskOf returns what a robot orders some laboratory boxes of a ship to do. A goal of its side about a file comes
// first (house 12.14). Otherwise, in the dark, they break a code that was heard (house 12.13) or else study a
// contact until that makes a sheet (house 12.22).
func TaskOf(v *engine.View, s *engine.ShipView, boxes int) LabTask {
	t := fileTask(v, s, boxes)
	if t.Boxes == 0 && boxes > 0 && v.Dark {
		if what := toWorkOn(v, s); what != "" {
			t.Orders, t.Boxes = append(t.Orders, orders.Say(what, "with", boxes)), boxes
		}
	}
	return t
}

// fileTask returns what a goal about a file requires of a ship. A ship that has the file sends it to the ship that
// is to take it away, which receives or steals it with all laboratories; in the dark only if someone is near enough
// for it.
func fileTask(v *engine.View, s *engine.ShipView, boxes int) (t LabTask) {
	mate := func(id engine.ShipID) *engine.ShipView {
		o, ok := v.Ship(id)
		if !ok || o.Status != engine.Active || o.Hex == nil || o.ID == s.ID {
			return nil
		}
		return o
	}
	for _, goal := range v.GoalsOf(s.Side) {
		if goal.When != engine.GoalFile {
			continue
		}
		i := slices.IndexFunc(v.Files, func(f engine.FileView) bool { return f.Name == goal.File })
		from, ours := (*engine.ShipView)(nil), false
		if i >= 0 {
			if o, ok := v.Ship(v.Files[i].From); ok {
				from, ours = mate(o.ID), o.Side == s.Side
			}
		}
		takes := len(goal.Ships) == 0 || slices.Contains(goal.Ships, s.ID)
		switch has := slices.Contains(s.Files, goal.File); {
		case has && !takes:
			for _, id := range goal.Ships {
				if t.Near = mate(id); t.Near == nil {
					continue
				}
				if hopes(v, s, t.Near) {
					t.Orders = []orders.Order{orders.Say(engine.VerbSend, "file", goal.File, "to", t.Near.Name)}
				}
				return t
			}
		case !has && takes && boxes > 0 && (from != nil || v.Dark):
			job, near := engine.JobReceive, from != nil && hopes(v, s, from)
			if t.Near = from; !ours {
				job, t.Steals = engine.JobSteal, true
				near = near || slices.ContainsFunc(strangers(v, s), func(o *engine.ShipView) bool { return hopes(v, s, o) })
			}
			if near {
				t.Orders, t.Boxes = []orders.Order{orders.Say(job, goal.File, "with", boxes)}, boxes
			}
			return t
		}
	}
	return t
}

// hopes reports whether laboratories of a ship may reach another in the turn. In the open robots do not check that.
func hopes(v *engine.View, s, o *engine.ShipView) bool {
	return !v.Dark || o.Sight == engine.Seen && hex.Distance(*s.Hex, *o.Hex) <= labHope
}

// strangers returns the ships that a captain's sensors detect and that are not known to be of the own side.
func strangers(v *engine.View, s *engine.ShipView) (out []*engine.ShipView) {
	for _, o := range v.Ships {
		if o.Side != s.Side && o.Kind == engine.KindShip && o.Hex != nil && o.Status == engine.Active && o.Sight == engine.Seen {
			out = append(out, o)
		}
	}
	return out
}

// toWorkOn returns the order, without its boxes, for laboratories without work on a file; blank if there is nothing
// to do.
func toWorkOn(v *engine.View, s *engine.ShipView) string {
	for _, e := range slices.Backward(v.Events) { // the last thing heard
		if heard, ok := e.Body.(*Overheard); ok && heard.Coded {
			if heard.Text == nil && (heard.At == nil || hex.Distance(*s.Hex, *heard.At) <= labHope) {
				return JobDecode + " " + AnyCode
			}
			break
		}
	}
	var best *engine.ShipView
	for _, o := range strangers(v, s) {
		known := slices.ContainsFunc(s.Gathered, func(k engine.LabView) bool {
			return k.Job == engine.JobStudy && engine.ShipID(k.What) == o.ID && k.Points >= SheetPoints
		})
		if !known && hopes(v, s, o) && (best == nil || hex.Distance(*s.Hex, *o.Hex) < hex.Distance(*s.Hex, *best.Hex)) {
			best = o
		}
	}
	if best == nil {
		return ""
	}
	return engine.JobStudy + " " + best.Name
}

// sameFind is the distance in hexes within which a robot takes a find for one that a mate reported a turn ago.
const sameFind = 8

// ReportOrder returns the order by which a robot reports its finds to its side in code in a game in the dark, or
// none. Because talk is overheard, only one ship of a captain reports, as a turn begins, when it has found an
// enemy, or more of one, that another captain of its side may not know of, and never in two turns in a row.
func ReportOrder(v *engine.View, s *engine.ShipView) []orders.Order {
	own := func(o *engine.ShipView) bool { return o.Own && !o.Kind.Small() && o.Status == engine.Active }
	if i := slices.IndexFunc(v.Ships, own); !v.Dark || v.Mute || v.DueRound() > 1 || i < 0 || v.Ships[i].ID != s.ID {
		return nil
	}
	fresh := map[blind.ContactNo]bool{}
	for _, e := range v.Events {
		switch b := e.Body.(type) {
		case *engine.Talk:
			if from, ok := v.Ship(b.Ship); ok && from.Own {
				return nil
			}
		case *SensorContact:
			fresh[b.No] = fresh[b.No] || b.New || b.More
		}
	}
	if !slices.ContainsFunc(v.Ships, func(o *engine.ShipView) bool {
		return o.Sensed != nil && (v.Turn == 0 || fresh[o.Sensed.No]) && o.Sensed.Told == "" && o.Sight != engine.Lost && o.Kind == engine.KindShip && o.Side != s.Side && newToMates(v, s, *o.Hex)
	}) {
		return nil
	}
	return []orders.Order{orders.Say(engine.VerbReport, "contacts")}
}

// newToMates reports whether another captain of a ship's side may not know of an enemy at a place: none of them has
// reported it, and one is, or may be, out of range for plain sensors.
func newToMates(v *engine.View, s *engine.ShipView, at hex.Hex) bool {
	reach := blind.Suite{}.Reach(blind.Presence, false)
	out := false
	for _, o := range v.Ships {
		switch {
		case o.Sensed != nil && o.Sensed.Told != "" && o.Since != nil && o.Since.Turn >= v.Turn-1 && hex.Distance(*o.Hex, at) <= sameFind:
			return false
		case !o.Own && o.Side == s.Side && !o.Kind.Small() && o.Status == engine.Active:
			out = out || o.Hex == nil || o.Sight != engine.Seen || hex.Distance(*o.Hex, at) > reach
		}
	}
	return out
}

// Sweep returns where a robot searches when it knows of nothing to go to: the middle of the map or, without a map,
// of space, and then one direction after the other.
func Sweep(v *engine.View, s *engine.ShipView, middle hex.Hex) hex.Hex {
	out := 12
	if b := v.Bounds; b != nil {
		middle, out = hex.At((b.Cols+1)/2, (b.Rows+1)/2), min(b.Cols, b.Rows)/3
	}
	to := middle
	if turn := v.Due / 3; turn > 0 {
		to = middle.StepN(hex.Heading(turn%6), out)
	}
	if b := v.Bounds; b != nil && !b.Contains(to) || to == *s.Hex {
		return middle.StepN(hex.Heading(v.Due%6), 1)
	}
	return to
}
