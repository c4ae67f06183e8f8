package games

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"starpost/pbem/beacon/relay"
	"starpost/pbem/config"
	"starpost/pbem/daemon/process"
	"starpost/pbem/daemon/watch"
	"starpost/pbem/desk"
	"starpost/pbem/desk/identity"
	"starpost/pbem/disk"
	"starpost/pbem/incoming"
	"starpost/pbem/lobby"
	"starpost/pbem/record/postgres"
	"starpost/pbem/store"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Account is one mailbox as all parts know it: what its mails mean, and when its games must be looked at.
type Account struct {
	Box  config.Mailbox
	Log  *slog.Logger // the daemon's, with the mailbox
	Desk *desk.Desk
	// Community are the games of which mails to the mailbox may know.
	Community *identity.Community
	Presence  *watch.Presence
	Handed    *incoming.Box // the folder of mails that the mail server hands over; nil for none

	// With keeper.mu held:
	Agenda Agenda // of its games
	// SilentSince is since when nothing was heard from the mailbox before the last
	// look, if that was longer than usual but no outage; else zero.
	SilentSince time.Time

	Wake    chan struct{} // cap 1: look at the mailbox now
	Queued  chan struct{} // cap 1: something was queued
	Asked   chan struct{} // cap 1: the mailbox was asked whether it is ours
	SendNow chan struct{} // cap 1: so much was queued that Once sends it right away
}

// GameSet holds the games that the configuration names.
type GameSet struct {
	d       *Keeper
	finder  *config.GameFinder
	Games   []*Game          // in order of id
	byID    map[string]*Game // by id in lower case
	byDir   map[string]*Game
	closed  []string                  // directories that are found and cannot be opened
	untried []string                  // ... that are yet to be opened
	noted   map[string]store.IdleGame // what the store has of games at rest that are not open yet
	Trouble map[string]error          // of directories that cannot be opened, as it was last logged
	looked  time.Time                 // when games were looked for last
	polls   int                       // how often that was
	awake   atomic.Int32              // see game.wake
	listen  listening

	// What games tell of while they are looked at, by several goroutines at once.
	Mu     sync.Mutex
	listed []*vault.Settings // see settings
	stale  bool              // they are other ones by now
	// Caused are the games whose journals name a mail as the cause of an entry.
	Caused map[string][]*Game
}

// Game is an open game and what the daemon remembers of it from one look to
// the next. All of it can be lost.
type Game struct {
	ID, Key  string                         // see gameKey
	settings atomic.Pointer[vault.Settings] // in effect
	Listing  atomic.Pointer[lobby.Listing]  // for the list of games, as it was looked at last; nil for a game that is not listed

	// With Daemon.mu held:
	Set    *GameSet
	shared bool     // its record is in the database that hosts share
	Worker *Account // whose address its robot has
	// next is when it must be looked at again by itself, if it stands on the agenda, at that
	// place from 1.
	next  time.Time
	place int

	mark, rest vault.Mark // its files, as they were when they were looked at last
	settled    bool       // no change can have gone unseen
	atRest     bool       // it was looked at since it was last on the agenda for now, without trouble
	noted      bool       // the store has how it stands at rest
	folders    []int32    // that are listened to, see listening
	heard      hearing
	Waiting    []*Account // have mails for it, and found it taken

	// Awaited tells that a mail waits for the game, which another process has: it may hold orders for the turn that is due.
	Awaited atomic.Bool

	// Mu is held by who has to do with the game itself: who looks at it, or judges a mail
	// about it. He may hold Daemon.mu, but must not wait for it, nor for mu while he has
	// the store (see intake.take).
	Mu      process.Mutex
	Vault   *vault.Game
	Leased  time.Time       // up to when the daemon may change it, see lease
	Within  context.Context //nolint:containedctx // of the group of steps that it is taken for; nil for none
	awake   bool            // see wake
	Problem error           // the trouble last logged
	// interruption is the stop that could not be noted in the journal yet; "" for none.
	interruption string
	brokenAt     string // the files' state at which its rules broke; "" when it runs

	status GameStatus // what Status shows of it
	Queued int        // turns whose outbox is in the store
	Round  string     // the newest round of a turn in progress whose outbox is in it
	// Revised is the journal's end up to which corrected reports are in it.
	Revised string
}

// hearing is how far one may go by what is heard of a game.
type hearing uint8

const (
	unheard   hearing = iota // it must be asked for
	listened                 // it is listened to, and must be asked for once more: it may have changed before
	quiet                    // it has not changed since, but for what is heard
	inaudible                // not every change of it would be heard
)

// listening is what a game set hears of changes.
type listening struct {
	log  *slog.Logger
	ears *disk.Listener
	of   map[int32]*Game // by folder
	full bool            // no more games can be listened to; tried again with each poll
	told map[string]bool // what was logged
}

// gameKey names a game in the store: two games of one id are not one game.
func gameKey(v *vault.Game) string {
	s := v.SharedSettings()
	return s.ID + "." + s.SecretSHA256[:8]
}

// changed tells whether the game's files may have changed since this was asked last. The
// error is fs.ErrNotExist when the game is gone.
func (g *Game) changed(w *vault.Watcher, now time.Time, thorough bool) (bool, error) {
	if g.heard == quiet && !thorough && g.brokenAt == "" {
		return false, nil
	}
	mark, err := w.Look(g.Vault)
	if err != nil {
		return false, err
	}
	rest := g.rest
	if thorough || !g.settled || mark != g.mark {
		rest = w.Thorough(g.Vault)
	}
	if g.settled && mark == g.mark && rest == g.rest && g.brokenAt == "" {
		return false, nil
	}
	g.mark, g.rest, g.settled = mark, rest, mark.Settled(now)
	return true, nil
}

// mostAwake is how many games are kept as they were read, for the next mail or turn. Of
// the others is known how they stand, and of each the rest is read when it is needed.
const mostAwake = 500

// Wake counts a game among those that are kept as they were read.
func (g *Game) Wake() {
	if !g.awake {
		g.awake = true
		g.Set.awake.Add(1)
	}
}

// Used has a game that was read kept so, unless there are too many by now.
func (g *Game) Used() {
	if g.Wake(); g.Set.awake.Load() > mostAwake {
		g.sleep()
	}
}

// sleep forgets what can be read again of a game.
func (g *Game) sleep() {
	if g.awake {
		g.Vault.Rest()
		g.awake = false
		g.Set.awake.Add(-1)
	}
}

// list keeps how the game stands for the list of games.
func (g *Game) list(pos *turn.Position) error {
	if !lobby.Listed(g.Vault.SharedSettings()) {
		g.Listing.Store(nil)
		return nil
	}
	l, err := lobby.List(g.Vault, pos)
	if err == nil {
		g.Listing.Store(l)
	}
	return err
}

// ErrTaken tells that the daemon itself is at a game, such as resolving a turn.
var ErrTaken = errors.New("the game is being looked at")

// Behind tells whether there may be reports that are not in the store yet.
func (g *Game) Behind() bool {
	round := g.Vault.Stages.InProgress()
	if g.Queued <= g.Vault.Turn() || round != "" && g.Round != round {
		return true
	}
	head, err := g.Vault.Journal.Head()
	return err != nil || head != g.Revised // it may tell of revisions
}

// messageID is the Message-ID of a mail about the game that is known by a word.
func (g *Game) messageID(word string) string {
	_, domain, _ := strings.Cut(g.Worker.Box.Address, "@")
	return fmt.Sprintf("<%s.%s@%s>", strings.ToLower(g.Key), word, domain)
}

// Agenda is which games of a mailbox must be looked at, and when: the next one first. A
// game that need not be before something touches it is not on it. Used with d.mu held.
type Agenda struct{ games byTime }

// byTime is a heap of games.
type byTime []*Game

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
	Mu     sync.Mutex
	Games  map[*Game]GameStatus // as they were looked at last
	Counts GameCounts
	Closed int // directories of games that cannot be opened
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

// teller queues the mails by which captains and referees learn what happened in a game.
type teller struct{ *process.Process }

// stepper takes one decision after the other about a game.
type stepper struct {
	*teller
	Relays *relay.Asker // for public dice
	waking func(*Game)  // has a game looked at soon; no lock of a game may be held
}

// Keeper keeps the games: which there are, when each must be looked at, and who may change it.
type Keeper struct {
	*process.Process
	Steps    *stepper
	guard    *watch.Guard
	Accounts []*Account

	Mu    process.Mutex // held while a mail is acted on, and while games are looked at
	Games *GameSet

	shared *postgres.Games // that several hosts share; nil for none
	holder string          // see lease
	leased atomic.Bool     // this process has taken one

	conditionsSum string // see conditions; "": not made yet

	Board board // for Status
}

// RetryLocked is how long to wait for another process that has a game.
const RetryLocked = 5 * time.Second
