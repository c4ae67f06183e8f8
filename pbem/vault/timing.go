package vault

import (
	"time"

	"starpost/engine"
	"starpost/pbem/clock"
)

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
	m, err := g.Stages.Manifest(g.Newest())
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
	opening, err := opening(g, st)
	if err != nil {
		return Timing{}, err
	}
	at := g.DueStage()
	t := Timing{Waits: waits, Turn: due, Round: at.Round, Announced: m.Deadline, Deadline: m.Deadline, GraceEnds: st.Grace[at.first()], Paused: st.Paused, Opening: opening, Ready: st.Ready[due]}
	if closed, ok := st.Closed[at.first()]; ok {
		chain, err := g.conf.file.Beacon.BeaconChain()
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

// Opening is what a game waits for that has not begun.
type Opening struct {
	Full bool                 // all seats must be held first
	At   time.Time            // ... or this moment is to come; zero for none
	Free []engine.CaptainName // the captains whose seats no one holds
	// Cancelled is when the game was called off; zero: it was not.
	Cancelled time.Time
}

// opening is what the game waits for before its clock runs; nil once it runs.
func opening(g *Game, st AdminState) (*Opening, error) {
	s := g.SharedSettings()
	if s.Mail.Start == "" || s.Mail.Start == StartNow || !st.Begun.IsZero() || g.Newest() != (Stage{}) {
		return nil, nil
	}
	full, at, err := s.Mail.StartRule()
	if err != nil {
		return nil, err
	}
	o := &Opening{Full: full, At: at, Cancelled: st.Cancelled}
	for _, c := range s.Captains {
		if c.Address == "" && !st.HasVacant(c.Name) {
			o.Free = append(o.Free, c.Name)
		}
	}
	return o, nil
}

// Opening is what the game waits for before its clock runs; nil once it runs.
func (g *Game) Opening() (*Opening, error) {
	st, err := g.AdminState()
	if err != nil {
		return nil, err
	}
	return opening(g, st)
}
