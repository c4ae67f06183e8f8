package vault

import (
	"time"

	"starpost/pbem/clock"
)

// onto puts the calendar into a schedule. The error is a *clock.CalendarError.
func (c Calendar) onto(s *clock.Schedule) (err error) {
	if s.Calendar, err = clock.NewCalendar(c.Weekends, c.Holidays, c.Dates); err != nil {
		return err
	}
	if s.At, err = clock.ParseTimeOfDay(c.DeadlineAt); err != nil {
		return &clock.CalendarError{Key: "deadline_at", Problem: err.Error(), Way: `leave it out, or write for example deadline_at = "20:00"`}
	}
	if s.Weekly, err = clock.ParseWeekly(c.Schedule); err != nil {
		return err
	}
	if !s.Weekly.IsZero() {
		if !s.At.IsZero() {
			return &clock.CalendarError{Key: "schedule", Problem: "schedule and deadline_at cannot both be", Way: "leave deadline_at out: schedule has its hours"}
		}
		s.Every = s.Weekly.Gap()
	}
	if c.AwayMax < 0 {
		return &clock.CalendarError{Key: "away_max", Problem: "away_max is negative", Way: `such as "14d", or "0s" for none`}
	}
	s.AwayMax = c.AwayMax
	return nil
}

// Timing is how the time stands for the turn that is due: what the manifest of
// the last turn announced, with the journal laid over it.
type Timing struct {
	Turn      int           // that is due; 0: the game is over, and the rest is empty
	Round     int           // of it; 0 in games whose turns are not cut into rounds
	Announced time.Time     // the deadline that the last reports gave
	Deadline  time.Time     // the deadline that holds
	GraceEnds time.Time     // when the grace period is over; zero: it was not opened
	Paused    *Pause        // nil when the clock runs
	Opening   *Opening      // what the game waits for that has not begun; nil when it has
	Waits     *VersionError // the referee has not had the game go on by the program's version of the rules; the clock stands; nil when it need not
	Ready     time.Time     // since when the orders are with the referee, who plays the turn; zero: they are not
	Closed    *Closed       // the orders are closed and the turn waits for its beacon; nil when they are not
}

// Ends is until when orders are waited for: the deadline, or the end of the
// grace period if that is later.
func (t Timing) Ends() time.Time {
	return clock.Status{Deadline: t.Deadline, GraceEnds: t.GraceEnds}.Ends()
}

// Stands tells whether the clock stands still.
func (t Timing) Stands() bool { return t.Paused != nil || t.Waits != nil || t.Opening != nil }

// Moved tells whether the deadline is another one than was announced.
func (t Timing) Moved() bool { return !t.Deadline.Equal(t.Announced) }

// Timing reads how the time stands.
func (g *Game) Timing() (Timing, error) {
	due, err := g.Due()
	if err != nil || due == 0 {
		return Timing{}, err
	}
	m, err := g.StageManifest(g.Newest())
	if err != nil {
		return Timing{}, err
	}
	st, err := g.AdminState()
	if err != nil {
		return Timing{}, err
	}
	waits, err := g.VersionMismatch()
	if err != nil {
		return Timing{}, err
	}
	opening, err := g.opening(st)
	if err != nil {
		return Timing{}, err
	}
	at := g.DueStage()
	t := Timing{Waits: waits, Turn: due, Round: at.Round, Announced: m.Deadline, Deadline: m.Deadline, GraceEnds: st.Grace[at.first()], Paused: st.Paused, Opening: opening, Ready: st.Ready[due]}
	if closed, ok := st.Closed[at.first()]; ok {
		chain, err := g.settings.Beacon.BeaconChain()
		if err != nil {
			return Timing{}, err
		}
		closed.Comes = chain.TimeOf(closed.CloseData.Round)
		t.Closed = &closed
	}
	if moved, ok := st.Deadline[at.first()]; ok {
		t.Deadline = moved
	}
	return t, nil
}
