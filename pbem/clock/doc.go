// Package clock says when a turn runs: deadlines by a calendar with weekends,
// holidays and absences, change windows, grace, reminders and pauses, as pure
// functions of a schedule and of times that are handed in; and the small Clock
// through which the daemon sees time at all.
//
// It is not a scheduler: it starts nothing, stores nothing and sends nothing.
// The daemon asks Decide, does what the Decision says, records it, and asks
// again at Decision.Until or when a mail arrives.
//
// Invariants: Decide depends on its arguments only; a turn never resolves
// before its deadline while anyone asked to wait or orders are missing; one
// turn is given at most one grace period; no deadline of a Schedule falls on a
// day off of its Calendar; nothing is searched without an end. An hour that the
// clocks leave out is the moment at which they are put forward, and of an hour
// that comes twice it is the second one.
package clock
