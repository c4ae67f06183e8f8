package clock

import (
	"fmt"
	"slices"
	"time"
)

// Policy is what happens to a turn if orders are missing after the grace period (ruling D12). The
// robot captain of D12 does not depend on time; the daemon treats its orders as always in.
type Policy string

// The policies. Standing is the default of a game that names none.
const (
	Hold     Policy = "hold"     // wait; the referee is told
	Standing Policy = "standing" // resolve with standing orders
	Forfeit  Policy = "forfeit"  // resolve; captains without orders lose
)

// Action is what to do about a turn now.
type Action int

// The actions.
const (
	Wait    Action = iota // nothing before Until, unless a mail comes
	Remind                // remind the captains who are missing; then ask again
	Grace                 // open the grace period, which ends at Until; then ask again
	Resolve               // run the turn
	Halt                  // missing orders under Hold: tell the referee once, then wait
	Resume                // the pause is over: let the game go on; then ask again
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
	case Resume:
		return "resume"
	}
	return fmt.Sprintf("action %d", int(a))
}

// Status is everything that Decide considers for one turn of one game.
type Status struct {
	Now       time.Time
	Deadline  time.Time // the effective deadline, without grace
	GraceEnds time.Time // when the grace period of this turn ends; zero: it has not started
	AllIn     bool      // every due set is in and valid
	AllFinal  bool      // ... and every one of them is final
	Wait      bool      // at least one captain asked to wait for the deadline
	LastSet   time.Time // when the newest set was received; zero if none
	Reminded  []Span    // reminders of this turn that were sent
	Missing   Policy    // "" is Standing
	Paused    bool      // the game is paused
	PauseEnds time.Time // ... until then; zero: until a referee resumes it
}

// Decision is what to do, and when to call Decide again.
type Decision struct {
	Action   Action
	Until    time.Time // Wait, Remind, Grace: the next time at which something changes by itself; zero for never, and for the other actions
	Reminder Span      // Remind: which one
	Missing  Policy    // Resolve with orders missing: how to replace them; otherwise ""
	Reason   string    // one clause for logs and reports
}

// Ends returns when the policy applies to missing orders: the deadline, or the end of the grace
// period if that is later.
func (st Status) Ends() time.Time {
	if st.GraceEnds.After(st.Deadline) {
		return st.GraceEnds
	}
	return st.Deadline
}

// promptly is how late a grace period may start and still be counted from the deadline. After that,
// captains could not have been told of it in time.
const promptly = 10 * time.Minute

// grace returns when a grace period that starts now ends. Like a deadline, it does not end on a day
// off.
func (s Schedule) grace(st Status) time.Time {
	from := st.Deadline
	if st.Now.Sub(from) > min(promptly, s.Grace.Duration()/4) {
		from = st.Now
	}
	end := from.Add(s.Grace.Duration()).In(s.zone())
	day := dateOf(end)
	if open, err := s.Calendar.open(day); err == nil && open != day {
		return moment(open, sinceMidnight(end), s.zone())
	}
	return end
}

// Decide returns what a turn needs at st.Now.
//
//   - All in, all final, no captain waits: resolve at once.
//   - All in: resolve when the change window since the last set has passed, or
//     at the deadline if that comes first. If a captain waits, not before the
//     deadline.
//   - Missing before the deadline: reminders, then wait. Of several overdue
//     reminders only the one nearest the deadline is sent.
//   - Missing at the deadline: one grace period if the schedule has one, then
//     the policy. If it starts late, the period is counted from then.
//   - Paused: nothing, until the pause is over.
func (s Schedule) Decide(st Status) Decision {
	switch {
	case st.Paused && !st.PauseEnds.IsZero() && !st.Now.Before(st.PauseEnds):
		return Decision{Action: Resume, Reason: "the pause is over"}
	case st.Paused:
		return Decision{Action: Wait, Until: st.PauseEnds, Reason: "the game is paused"}
	case st.AllIn:
		return s.decideAllIn(st)
	}
	return s.decideMissing(st)
}

func (s Schedule) decideAllIn(st Status) Decision {
	end := st.Ends()
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
		at, why = st.Deadline, "all orders are in and the deadline that a captain asked to wait for has passed"
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
	end, used := st.Ends(), !st.GraceEnds.IsZero()
	if st.Now.Before(end) {
		if used && end.After(st.Deadline) {
			return Decision{Action: Wait, Until: end, Reason: "orders are missing; the grace period is open"}
		}
		return s.decideReminder(st, end)
	}
	if !used && s.Grace > 0 {
		return Decision{Action: Grace, Until: s.grace(st), Reason: "orders are missing at the deadline"}
	}
	switch st.Missing {
	case Hold:
		return Decision{Action: Halt, Reason: "orders are missing and the game holds"}
	case Forfeit:
		return Decision{Action: Resolve, Missing: Forfeit, Reason: "orders are missing; whoever sent none forfeits"}
	default: // Standing, and the default
		return Decision{Action: Resolve, Missing: Standing, Reason: "orders are missing; standing orders apply"}
	}
}

// Reminding reports whether the time for a reminder has come, so that it matters which of them were sent.
func (s Schedule) Reminding(st Status) bool {
	return slices.ContainsFunc(s.Remind, func(r Span) bool { return !st.Now.Before(st.Ends().Add(-r.Duration())) })
}

// decideReminder searches backwards from the deadline. Only the first reminder that is due is worth
// sending, and once it was sent no earlier one is.
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
