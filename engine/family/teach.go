package family

import (
	"cmp"
	"slices"

	"starpost/engine"
	"starpost/orders"
)

// Remark is an order that an order set could hold too; it is told in a comment.
type Remark struct {
	Under string // the heading that it belongs to, "phase"; "" for the whole turn
	N     int    // the heading's number
	Order orders.Order
	Why   string
}

// remarksAtMost is how many an order set holds, and remarkWidth how wide their lines are at
// most: a mail program that breaks a longer one would make orders of its second half.
const (
	remarksAtMost = 3
	remarkWidth   = 64
)

// Teach puts remarks into an order set, each before the orders of its
// heading, where it would go first: the first three, of one reason one, that are orders which the
// rule set takes without a word, once the semicolon before them is taken away. It is empty if the rule
// set has anything to say of the order set itself.
func Teach(r *engine.Rules, v *engine.View, ship engine.ShipID, set orders.Set, remarks []Remark) orders.Set {
	if len(set) == 0 || !Takes(r, v, ship, set) {
		return nil
	}
	if v.Dark && r.Conn != nil {
		const why = "without a map: help conn"
		remarks = append([]Remark{{Order: orders.Say("conn ahead half"), Why: why}, {Order: orders.Say("conn shields ahead"), Why: why}}, remarks...)
	}
	var told []string
	for _, m := range remarks {
		remark := m.Order
		remark.Off, remark.Note = true, m.Why
		with, ok := set.First(m.Under, m.N, m.Order)
		if !ok || remark.Width(m.Under) > remarkWidth || slices.Contains(told, m.Why) || !Takes(r, v, ship, with) {
			continue
		}
		set, _ = set.First(m.Under, m.N, remark)
		if told = append(told, m.Why); len(told) == remarksAtMost {
			break
		}
	}
	if len(told) > 0 {
		head := orders.Order{Note: "comments: remove the semicolon to make one an order"}
		set = append(orders.Set{{Orders: []orders.Order{head}}}, set...)
	}
	return set
}

// Takes tells whether the rule set has nothing to say of an order set.
func Takes(r *engine.Rules, v *engine.View, ship engine.ShipID, set orders.Set) bool {
	block, diags := set.Block(r.Language, cmp.Or(v.Viewer.Post, "ship"))
	if len(diags) > 0 {
		return false
	}
	block, _, faults := r.Navigate(v, ship, block)
	return len(faults) == 0 && len(r.Check(v, ship, block).Diagnostics) == 0
}
