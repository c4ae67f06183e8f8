// Package clock says when a turn runs: deadlines, change windows, grace and
// reminders as pure functions of a schedule and of times that are handed in,
// and the small Clock through which the daemon sees time at all.
//
// It is not a scheduler: it starts nothing, stores nothing and sends nothing.
// The daemon asks Decide, does what the Decision says, records it, and asks
// again at Decision.Until or when a mail arrives.
//
// Invariants: Decide depends on its arguments only; a turn never resolves
// before its deadline while anyone asked to wait or orders are missing; one
// turn is given at most one grace period.
package clock
