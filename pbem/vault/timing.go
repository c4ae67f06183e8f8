package vault

import (
	"time"

	"starpost/engine"
	"starpost/pbem/clock"
)

// Timing is the state of the clock for the due turn: as announced by the manifest of the last turn,
// with the journal applied.
type Timing struct {
	Turn      int           // the due turn; 0: the game is over, and the rest is empty
	Round     int           // the due round; 0 in games without rounds
	Announced time.Time     // the deadline in the last reports
	Deadline  time.Time     // the effective deadline
	GraceEnds time.Time     // end of the grace period; zero: not opened
	Paused    *Pause        // nil while the clock runs
	Opening   *Opening      // what the game waits for before it begins; nil once it has begun
	Waits     *VersionError // the clock stands still until the referee switches to the program's version of the rules; nil if it need not
	Ready     time.Time     // when the orders went to the referee, who resolves the turn; zero: they did not
	Closed    *Closed       // the orders are closed and the turn waits for its beacon; nil if not
}

// Ends returns when the wait for orders ends: at the deadline, or at the end of the grace period if
// that is later.
func (t Timing) Ends() time.Time {
	return clock.Status{Deadline: t.Deadline, GraceEnds: t.GraceEnds}.Ends()
}

// Stands reports whether the clock stands still.
func (t Timing) Stands() bool { return t.Paused != nil || t.Waits != nil || t.Opening != nil }

// Moved reports whether the deadline differs from the announced one.
func (t Timing) Moved() bool { return !t.Deadline.Equal(t.Announced) }

// Timing returns the state of the clock.
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

// Opening is what a game waits for before it begins.
type Opening struct {
	Full bool                 // all seats must be taken first
	At   time.Time            // ... or this time must come; zero for none
	Free []engine.CaptainName // captains of the free seats
	// Cancelled is when the game was called off; zero if it was not.
	Cancelled time.Time
}

// opening returns what the game waits for before its clock starts; nil once it runs.
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

// Opening returns what the game waits for before its clock starts; nil once it runs.
func (g *Game) Opening() (*Opening, error) {
	st, err := g.AdminState()
	if err != nil {
		return nil, err
	}
	return opening(g, st)
}
