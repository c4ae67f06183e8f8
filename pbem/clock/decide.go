package clock

import (
	"fmt"
	"slices"
	"time"
)

// Policy is what becomes of a turn when orders are missing after the grace
// period (ruling D12). The robot captain of D12 is no matter of time; the
// daemon treats it as orders that are always in.
type Policy string

// The policies. Standing is the default of a game that names none.
const (
	Hold     Policy = "hold"     // wait; the referee is told
	Standing Policy = "standing" // resolve with standing orders
	Forfeit  Policy = "forfeit"  // resolve; who is missing loses
)

// Policies lists the known policies, for messages and completion.
func Policies() []Policy { return []Policy{Hold, Standing, Forfeit} }

// Action is what is to be done about a turn now.
type Action int

// The actions.
const (
	Wait    Action = iota // nothing before Until, unless a mail comes
	Remind                // remind the captains who are missing; then ask again
	Grace                 // open the grace period, which ends at Until; then ask again
	Resolve               // run the turn
	Halt                  // missing orders under Hold: tell the referee once, then wait
)

// String names the action in lower case, for logs.
func (a Action) String() string {
	switch a {
	case Wait:
		return "wait"
	case Remind:
		return "remind"
	case Grace:
		return "grace"
	case Resolve:
		return "resolve"
	case Halt:
		return "halt"
	}
	return fmt.Sprintf("action %d", int(a))
}

// Status is all that Decide looks at for one turn of one game.
type Status struct {
	Now       time.Time
	Deadline  time.Time // the deadline as announced, without grace
	AllIn     bool      // every set that is due is in and valid
	AllFinal  bool      // ... and every one of them says final
	Wait      bool      // at least one captain asked to wait for the deadline
	LastSet   time.Time // when the set that came last was received; zero if none
	GraceUsed bool      // the grace period of this turn was opened
	Reminded  []Span    // reminders of this turn that went out
	Missing   Policy    // "" is Standing
}

// Decision is what to do, and when to ask again.
type Decision struct {
	Action   Action
	Until    time.Time // Wait, Remind, Grace: the next moment at which something changes by itself; zero for Halt and Resolve
	Reminder Span      // Remind: which one
	Missing  Policy    // Resolve with orders missing: what to do about them; else ""
	Reason   string    // one clause for logs and reports
}

// Ends is the moment after which missing orders meet the policy: the deadline,
// or the end of the grace period once that is open.
func (s Schedule) Ends(st Status) time.Time {
	if st.GraceUsed {
		return st.Deadline.Add(s.Grace.Duration())
	}
	return st.Deadline
}

// Decide says what a turn needs at st.Now.
//
//   - All in, all final, nobody waits: resolve at once.
//   - All in: resolve when the change window since the last set has passed, or
//     at the deadline if that comes first. If anyone waits, not before the
//     deadline.
//   - Missing before the deadline: reminders, then wait. Of several reminders
//     that are overdue only the one nearest the deadline goes out.
//   - Missing at the deadline: one grace period if the schedule has one, then
//     the policy.
func (s Schedule) Decide(st Status) Decision {
	if st.AllIn {
		return s.decideAllIn(st)
	}
	return s.decideMissing(st)
}

func (s Schedule) decideAllIn(st Status) Decision {
	end := s.Ends(st)
	at, why := st.LastSet.Add(s.ChangeWindow.Duration()), "all orders are in and the change window has passed"
	switch {
	case st.AllFinal:
		at, why = st.Now, "all orders are in and final"
	case st.LastSet.IsZero():
		at = st.Now
	}
	if at.After(end) {
		at, why = end, "all orders are in at the deadline"
	}
	if st.Wait && at.Before(st.Deadline) {
		at, why = st.Deadline, "all orders are in and the deadline that a captain asked to wait for has come"
	}
	if !st.Now.Before(at) {
		return Decision{Action: Resolve, Reason: why}
	}
	why = "all orders are in; the change window is open"
	if st.Wait {
		why = "all orders are in; a captain asked to wait for the deadline"
	}
	return Decision{Action: Wait, Until: at, Reason: why}
}

func (s Schedule) decideMissing(st Status) Decision {
	end := s.Ends(st)
	if st.Now.Before(end) {
		if st.GraceUsed {
			return Decision{Action: Wait, Until: end, Reason: "orders are missing; the grace period is open"}
		}
		return s.decideReminder(st, end)
	}
	if !st.GraceUsed && s.Grace > 0 {
		open := st
		open.GraceUsed = true
		return Decision{Action: Grace, Until: s.Ends(open), Reason: "orders are missing at the deadline"}
	}
	switch st.Missing {
	case Hold:
		return Decision{Action: Halt, Reason: "orders are missing and the game holds"}
	case Forfeit:
		return Decision{Action: Resolve, Missing: Forfeit, Reason: "orders are missing; who sent none forfeits"}
	default: // Standing, and what a game that names no policy gets
		return Decision{Action: Resolve, Missing: Standing, Reason: "orders are missing; standing orders serve"}
	}
}

// decideReminder looks from the deadline backwards: the first reminder whose
// time has come is the only one worth sending, and if it went out nothing
// earlier is owed any more.
func (s Schedule) decideReminder(st Status, end time.Time) Decision {
	until := end
	for _, r := range s.reminders() {
		at := end.Add(-r.Duration())
		if st.Now.Before(at) {
			until = at
			continue
		}
		if slices.Contains(st.Reminded, r) {
			break
		}
		return Decision{Action: Remind, Until: until, Reminder: r, Reason: fmt.Sprintf("orders are missing %s before the deadline", r)}
	}
	return Decision{Action: Wait, Until: until, Reason: "orders are missing"}
}
