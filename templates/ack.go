package templates

// Verdict is the outcome of an order mail.
type Verdict string

// The verdicts.
const (
	Accepted Verdict = "accepted" // the set is in force now
	Refused  Verdict = "refused"  // errors, and no earlier set is in force
	Kept     Verdict = "kept"     // errors, so the earlier set stays in force
	Checked  Verdict = "checked"  // looked at only; nothing was stored
	Canceled Verdict = "canceled" // the set in force was dropped
	// Untrusted is for a set from an unknown sender: the answer says nothing about the
	// set in force.
	Untrusted Verdict = "untrusted"
)

// Ack is the body of an acknowledgement: what was understood of an order mail
// and what is in force now.
type Ack struct {
	Game, Title     string
	Turn            int
	Phase           int // the phase, when orders are due phase by phase; else 0
	Ship, ShipTitle string
	Captain         string
	Verdict         Verdict
	Headline        string // the verdict in one line
	Notices         []string
	Lines           []AckLine // the set as it was read, line by line
	Diagnostics     []Diagnostic
	InForce         string   // which set is in force: "the set of 12:04, ..."
	Set             string   // that set in canonical form, verbatim; may be empty
	Sums            []string // totals of the set, such as the split of power, a line each
	Panels          []Panel  // such as power and weapons as ordered
	Forecast        Map      // the plotted path; empty: not drawn
	Deadline, Left  string
	Missing         []string // who has not sent orders; empty: not shown
	// Answer says what you can send next and where to, one sentence each.
	Answer []string
}

// AckLine is one line of an order set and what it will do.
type AckLine struct {
	No     int // line number in the block, from 1; 0 prints none
	Text   string
	Effect string // empty for lines without one
}

// Severity ranks a Diagnostic.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Diagnostic is an error or warning about a captain's text. Line and Col count from 1,
// Col in runes; Width is the number of runes to underline.
type Diagnostic struct {
	Severity         Severity
	Line, Col, Width int
	Code             string // such as E042
	Text             string
	Hint             string // how to fix it
	Source           string // the offending line; empty: not shown
}

// Counts returns the numbers of errors and warnings, for subjects.
func (a Ack) Counts() (errors, warnings int) {
	for _, d := range a.Diagnostics {
		if d.Severity == Warning {
			warnings++
		} else {
			errors++
		}
	}
	return errors, warnings
}
