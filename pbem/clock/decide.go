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

// Status is all that Decide looks at for one turn of one game.
type Status struct {
	Now       time.Time
	Deadline  time.Time // the deadline that holds, without grace
	GraceEnds time.Time // when the grace period of this turn is over; zero: it was not opened
	AllIn     bool      // every set that is due is in and valid
	AllFinal  bool      // ... and every one of them says final
	Wait      bool      // at least one captain asked to wait for the deadline
	LastSet   time.Time // when the set that came last was received; zero if none
	Reminded  []Span    // reminders of this turn that went out
	Missing   Policy    // "" is Standing
	Paused    bool      // the game stands still
	PauseEnds time.Time // ... until then; zero: until a referee resumes it
}

// Decision is what to do, and when to ask again.
type Decision struct {
	Action   Action
	Until    time.Time // Wait, Remind, Grace: the next moment at which something changes by itself; zero for never, and for the other actions
	Reminder Span      // Remind: which one
	Missing  Policy    // Resolve with orders missing: what to do about them; else ""
	Reason   string    // one clause for logs and reports
}

// Ends is the moment after which missing orders meet the policy: the deadline,
// or the end of the grace period if that is later.
func (st Status) Ends() time.Time {
	if st.GraceEnds.After(st.Deadline) {
		return st.GraceEnds
	}
	return st.Deadline
}

// promptly is how late a grace period may be opened and yet be counted from the
// deadline. It must not be cut short for captains who could not be told of it.
const promptly = 10 * time.Minute

// grace is when a grace period ends that is opened now. Like a deadline, it does
// not end on a day off.
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

// Decide says what a turn needs at st.Now.
//
//   - All in, all final, no captain waits: resolve at once.
//   - All in: resolve when the change window since the last set has passed, or
//     at the deadline if that comes first. If anyone waits, not before the
//     deadline.
//   - Missing before the deadline: reminders, then wait. Of several reminders
//     that are overdue only the one nearest the deadline goes out.
//   - Missing at the deadline: one grace period if the schedule has one, then
//     the policy. Opened late, the period is counted from then.
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
	default: // Standing, and what a game that names no policy gets
		return Decision{Action: Resolve, Missing: Standing, Reason: "orders are missing; standing orders apply"}
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
