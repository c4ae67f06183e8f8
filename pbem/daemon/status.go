package daemon

import (
	"context"
	"slices"
	"time"
)

// Status is how it stands with a running daemon, for who watches it.
type Status struct {
	Waiting   int // mails to be sent
	Mailboxes []MailboxStatus
	Games     []GameStatus // in order of id
}

// MailboxStatus is how it stands with one mailbox.
type MailboxStatus struct {
	Address string
	Looked  time.Time // when it was last read; zero: never
}

// GameStatus is how it stood with a game when it was last looked at.
type GameStatus struct {
	ID       string
	Mailbox  string    // its address
	Turn     int       // that is due; 0 when the game is over, or could not be looked at
	Deadline time.Time // of that turn; zero for none
	Missing  int       // ships whose orders are missing
	Paused   bool
	Trouble  bool // it cannot go on by itself
}

// Status tells how it stood a moment ago. It may be called from any goroutine,
// and waits for nothing.
func (d *Daemon) Status() Status {
	s := Status{Waiting: int(d.waitingMails.Load())}
	if games := d.gameStatuses.Load(); games != nil {
		s.Games = slices.Clone(*games)
	}
	d.guard.mu.Lock()
	for _, at := range d.workers {
		s.Mailboxes = append(s.Mailboxes, MailboxStatus{Address: at.box.Address, Looked: d.guard.now.Mailboxes[at.box.Address].Looked})
	}
	d.guard.mu.Unlock()
	return s
}

// countWaiting has Status see how many mails wait.
func (d *Daemon) countWaiting(ctx context.Context) error {
	n, err := d.ledger.Waiting(ctx)
	if err == nil {
		d.waitingMails.Store(int64(n))
	}
	return err
}

// nudgeSender has mails sent that another process put there: see Resend.
func (s *mailboxWorker) nudgeSender(ctx context.Context) error {
	next, waits, err := s.ledger.NextDue(ctx, s.box.Address)
	if err == nil && waits && !next.After(s.clock.Now()) {
		nudge(s.queued)
	}
	return err
}

// publishStatus has Status see the games as they are. Called with d.mu held.
func (d *Daemon) publishStatus() {
	games := make([]GameStatus, 0, len(d.games.games))
	for _, g := range d.games.games {
		s := g.status
		s.ID, s.Mailbox, s.Trouble = g.vault.ID(), g.worker.box.Address, g.problem != nil || g.brokenAt != ""
		games = append(games, s)
	}
	d.gameStatuses.Store(&games)
}

// brief is what is shown of a game.
func (st *turnStatus) brief() GameStatus {
	deadline := st.status.Deadline
	if st.status.GraceEnds.After(deadline) {
		deadline = st.status.GraceEnds
	}
	return GameStatus{Turn: st.ready.Due, Deadline: deadline, Missing: len(st.missing), Paused: st.status.Paused}
}
