package family

import (
	"cmp"
	"slices"

	"starpost/engine"
	"starpost/orders"
)

// Remark is an order that an order set could also have; it is shown as a comment.
type Remark struct {
	Under string // the heading that it belongs to, "phase"; "" for the whole turn
	N     int    // the heading's number
	Order orders.Order
	Why   string
}

// remarksAtMost is how many remarks an order set gets, and remarkWidth is their maximum width: a mail program that
// broke a longer line would turn its second half into orders.
const (
	remarksAtMost = 3
	remarkWidth   = 64
)

// Teach adds remarks to an order set, at the start of the headings they belong to: the first three with different
// reasons that are valid orders once the semicolon before them is removed. It returns nil if the rule set has any
// diagnostic for the order set itself.
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

// Takes reports whether the rule set has no diagnostics for an order set.
func Takes(r *engine.Rules, v *engine.View, ship engine.ShipID, set orders.Set) bool {
	block, diags := set.Block(r.Language, cmp.Or(v.Viewer.Post, "ship"))
	if len(diags) > 0 {
		return false
	}
	block, _, faults := r.Navigate(v, ship, block)
	return len(faults) == 0 && len(r.Check(v, ship, block).Diagnostics) == 0
}
