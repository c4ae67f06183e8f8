// Package clock decides when a turn runs: deadlines by a calendar with weekends, holidays and
// absences, change windows, grace, reminders and pauses, as pure functions of a schedule and given
// times. It also has the small Clock interface, through which the daemon reads all time.
//
// It is not a scheduler: it starts nothing, stores nothing and sends nothing. The daemon calls
// Decide, carries out the Decision, records it, and calls Decide again at Decision.Until or when a
// mail arrives.
//
// Invariants: Decide depends only on its arguments. A turn never resolves before its deadline while
// a captain has asked to wait or orders are missing. A turn gets at most one grace period. No
// deadline of a Schedule falls on a day off of its Calendar. All searches are bounded. A time in a
// skipped hour means the moment at which clocks are put forward, and a time that occurs twice means
// the second one.
package clock
