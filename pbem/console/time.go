package console

import (
	"fmt"
	"time"

	"starpost/engine/blind"
	"starpost/pbem/clock"
	"starpost/pbem/report"
	"starpost/pbem/vault"
)

// Timing is the state of the clock for the due turn, as shown by status.
type Timing struct {
	Due       int       `json:"due,omitempty"`
	DuePhase  int       `json:"due_phase,omitempty"` // if orders are due by phase
	Deadline  time.Time `json:"deadline,omitzero"`   // the effective one
	Announced time.Time `json:"announced,omitzero"`  // that of the reports, if it differs
	GraceEnds time.Time `json:"grace_ends,omitzero"` // once the grace period is open
	Paused    *Stop     `json:"paused,omitempty"`
	Waits     string    `json:"waits,omitempty"`       // for the referee's switch to another version of the rules
	Opening   string    `json:"opening,omitempty"`     // what the game waits for before it begins
	Ready     time.Time `json:"with_referee,omitzero"` // since when the orders wait for the referee
	Closed    *Closing  `json:"closed,omitempty"`      // the orders are closed, and the turn waits for its dice
}

// Closing is the public part of closed orders.
type Closing struct {
	Since time.Time `json:"since"`
	Sets  string    `json:"sets"`  // the hash of the stage's input
	Chain string    `json:"chain"` // of the dice's beacon
	Round uint64    `json:"round"` // of the beacon
}

// Stop is a stopped clock.
type Stop struct {
	By    string     `json:"by"`
	Why   string     `json:"why,omitempty"`
	Since time.Time  `json:"since"`
	Until time.Time  `json:"until,omitzero"` // when it resumes by itself
	Left  clock.Span `json:"left,omitempty"` // time left for the turn, if the deadline is set at the resume
}

// timingOf converts the state of the clock for status.
func timingOf(t vault.Timing) Timing {
	out := Timing{Due: t.Turn, DuePhase: t.Round, Deadline: t.Deadline, Ready: t.Ready}
	if t.Moved() {
		out.Announced = t.Announced
	}
	if t.GraceEnds.After(t.Deadline) {
		out.GraceEnds = t.GraceEnds
	}
	if t.Waits != nil {
		out.Waits = fmt.Sprintf("the game uses version %s of rule set %s, and this program has version %s; to go on: %s", t.Waits.Was, t.Waits.Rules, t.Waits.Is, t.Waits.Switch)
	}
	if o := t.Opening; o != nil {
		out.Opening = openingWords(o)
	}
	if c := t.Closed; c != nil {
		out.Closed = &Closing{Since: c.At, Sets: c.Sets, Chain: c.Chain, Round: c.Round}
	}
	if p := t.Paused; p != nil && t.Turn > 0 {
		out.Paused = &Stop{By: p.By, Why: p.Why, Since: p.Since, Until: p.Until}
		if p.Until.IsZero() && !p.Moved {
			out.Paused.Left = p.Left
		}
	}
	return out
}

func openingWords(o *vault.Opening) string {
	switch {
	case !o.Cancelled.IsZero():
		return "the game was called off before it began"
	case o.Full:
		return "the game begins when all seats are taken; free: " + blind.JoinNames(o.Free, ", ")
	}
	s := "the game begins at " + o.At.Format("2006-01-02 15:04 MST")
	if len(o.Free) > 0 {
		s += "; free: " + blind.JoinNames(o.Free, ", ")
	}
	return s
}

// Words describes it for people.
func (t Timing) Words(now time.Time, zone *time.Location) string {
	by := func(when time.Time) string {
		left := "past"
		if now.Before(when) {
			left = report.TimeLeft(now, when) + " left"
		}
		return fmt.Sprintf("by %s (%s)", report.FormatTime(when, zone), left)
	}
	s := vault.Stage{Turn: t.Due, Round: t.DuePhase}.String() + " is due"
	if t.Waits != "" {
		return s + "; no turn is played: " + t.Waits
	}
	if t.Opening != "" {
		s += "; " + t.Opening
	}
	if c := t.Closed; c != nil && t.Paused == nil {
		return fmt.Sprintf("%s; its orders are closed since %s (%s), and it waits for its dice: round %d of the beacon %.8s", s, report.FormatTime(c.Since, zone), c.Sets, c.Round, c.Chain)
	}
	p := t.Paused
	switch {
	case t.Deadline.IsZero():
	case p != nil && p.Until.IsZero() && p.Left > 0:
		s += fmt.Sprintf("; when the game resumes, %s of it will be left", report.TimeLeft(now, now.Add(p.Left.Duration())))
	case p != nil && p.Until.IsZero() && now.After(t.Deadline):
	case !t.GraceEnds.IsZero():
		s += " " + by(t.GraceEnds) + "; the deadline has passed, the grace period is open"
	default:
		s += " " + by(t.Deadline)
	}
	if !t.Announced.IsZero() && p == nil {
		s += "; the reports said " + report.FormatTime(t.Announced, zone)
	}
	if p == nil {
		return s
	}
	s += fmt.Sprintf("\npaused by %s since %s", vault.Who(p.By), report.FormatTime(p.Since, zone))
	if !p.Until.IsZero() {
		s += ", until " + report.FormatTime(p.Until, zone)
	}
	if p.Why != "" {
		s += ": " + p.Why
	}
	return s
}
