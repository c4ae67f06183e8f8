package daemon

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Status is how it stands with a running daemon, for who watches it.
type Status struct {
	Waiting   int // mails to be sent
	Mailboxes []MailboxStatus
	Games     GameCounts
}

// GameCounts is how many games stand how. Each is counted once, by the first that holds.
type GameCounts struct {
	Trouble int // it cannot go on by itself, or cannot be opened
	Over    int
	Paused  int
	Running int
	Missing int // ships whose orders are missing, in all games
}

// add counts a game in, or out with -1.
func (c *GameCounts) add(g GameStatus, n int) {
	switch {
	case g.Trouble:
		c.Trouble += n
	case g.Turn == 0:
		c.Over += n
	case g.Paused:
		c.Paused += n
	default:
		c.Running += n
	}
	c.Missing += n * g.Missing
}

// board is how it stands with the games, for who watches.
type board struct {
	mu     sync.Mutex
	games  map[*game]GameStatus // as they were looked at last
	counts GameCounts
	closed int // directories of games that cannot be opened
}

// show replaces what is shown of a game.
func (b *board) show(g *game, s GameStatus) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if old, known := b.games[g]; known {
		b.counts.add(old, -1)
	}
	if b.games == nil {
		b.games = map[*game]GameStatus{}
	}
	b.games[g] = s
	b.counts.add(s, 1)
}

// close shows how many directories of games cannot be opened.
func (b *board) close(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = n
}

// clear shows no game any more.
func (b *board) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.games, b.counts = nil, GameCounts{}
}

// remove shows a game no more.
func (b *board) remove(g *game) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if old, known := b.games[g]; known {
		b.counts.add(old, -1)
		delete(b.games, g)
	}
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
	d.keeper.board.mu.Lock()
	s.Games = d.keeper.board.counts
	s.Games.Trouble += d.keeper.board.closed
	d.keeper.board.mu.Unlock()
	d.guard.mu.Lock()
	for _, at := range d.workers {
		s.Mailboxes = append(s.Mailboxes, MailboxStatus{Address: at.box.Address, Looked: d.guard.now.Mailboxes[at.box.Address].Looked})
	}
	d.guard.mu.Unlock()
	return s
}

// countWaiting has Status see how many mails wait.
func (d *Daemon) countWaiting(ctx context.Context) error {
	n, err := d.store.Waiting(ctx)
	if err == nil {
		d.waitingMails.Store(int64(n))
	}
	return err
}

// nudgeSender has mails sent that another process put there: see Resend.
func (s *worker) nudgeSender(ctx context.Context) error {
	next, waits, err := s.store.NextDue(ctx, s.box.Address)
	if err == nil && waits && !next.After(s.clock.Now()) {
		nudge(s.queued)
	}
	return err
}

// Games tells how it stood with each game, in order of id. Like Status it may be
// called from any goroutine, and waits for nothing.
func (d *Daemon) Games() []GameStatus {
	d.keeper.board.mu.Lock()
	all := slices.Collect(maps.Values(d.keeper.board.games))
	d.keeper.board.mu.Unlock()
	slices.SortFunc(all, func(a, b GameStatus) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// publish has Status see a game as it is.
func (d *keeper) publish(g *game) {
	s := g.status
	s.ID, s.Mailbox, s.Trouble = g.vault.ID(), g.worker.box.Address, g.problem != nil || g.brokenAt != ""
	d.board.show(g, s)
}

// brief is what is shown of a game.
func (st *turnStatus) brief() GameStatus {
	deadline := st.status.Deadline
	if st.status.GraceEnds.After(deadline) {
		deadline = st.status.GraceEnds
	}
	return GameStatus{Turn: st.ready.Due, Deadline: deadline, Missing: len(st.missing), Paused: st.status.Paused}
}
