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

// Account is one mailbox as all parts know it: its desk, and the agenda of its games.
type Account struct {
	Box  config.Mailbox
	Log  *slog.Logger // the daemon's, with the mailbox
	Desk *desk.Desk
	// Community is the games that mails to the mailbox may know of.
	Community *identity.Community
	Presence  *watch.Presence
	Handed    *incoming.Box // the folder of mails handed over by the mail server; nil for none

	// Guarded by Keeper.Mu:
	Agenda Agenda // of its games
	// SilentSince is when the mailbox had last been read before the latest read, if that gap was longer than usual
	// but no outage; otherwise zero.
	SilentSince time.Time

	Wake    chan struct{} // cap 1: read the mailbox now
	Queued  chan struct{} // cap 1: a mail was queued
	Asked   chan struct{} // cap 1: a check whether the mailbox is ours has ended
	SendNow chan struct{} // cap 1: so many mails are queued that Once sends them at once
}

// GameSet holds the games that the configuration names.
type GameSet struct {
	d        *Keeper
	finder   *config.GameFinder
	Games    []*Game          // ordered by ID
	onDisk   []*Game          // those in directories
	byID     map[string]*Game // by lower-case ID
	byDir    map[string]*Game
	closed   []string                  // directories that were found but cannot be opened
	untried  []string                  // ... that have not been opened yet
	noted    map[string]store.IdleGame // the store's records of idle games that are not open yet
	Trouble  map[string]error          // of directories that cannot be opened, as last logged
	looked   time.Time                 // when games were last searched for
	polls    int                       // number of searches
	suspects []*Game                   // may have changed unnoticed, see suspect
	awake    atomic.Int32              // see game.wake
	listen   listening

	// Written by several goroutines while games are looked at; guarded by Mu.
	Mu     sync.Mutex
	listed []*vault.Settings // see settings
	stale  bool              // listed is out of date
	// Caused has the games whose journals name a mail as the cause of an entry.
	Caused map[string][]*Game
}

// Game is an open game and what the daemon remembers of it between looks. All of that can be lost.
type Game struct {
	ID, Key  string                         // see gameKey
	settings atomic.Pointer[vault.Settings] // in effect
	Listing  atomic.Pointer[lobby.Listing]  // its entry in the list of games as of the last look; nil for a game that is not listed

	// Guarded by Keeper.Mu:
	Set    *GameSet
	shared bool     // its record is in the database shared by hosts
	Worker *Account // the account with its robot's address
	// next is when the game must be looked at without a cause; place is its place on the agenda from 1, or 0.
	next  time.Time
	place int

	mark, rest vault.Mark // state of its files at the last look
	settled    bool       // no change can have gone unnoticed
	atRest     bool       // it was looked at, without trouble, since it was last scheduled by Now
	noted      bool       // the store has its idle state
	watched
	Waiting []*Account // accounts that have mails for it, and found it locked

	// Awaited says that a mail waits for the game, which another process has locked: it may contain orders for the
	// due turn.
	Awaited atomic.Bool

	// Mu is held while the game is looked at or a mail about it is judged. Its holder may hold Keeper.Mu, but must
	// not wait for it. Nor may Mu be waited for inside a store transaction (see intake.take).
	Mu       process.Mutex
	Vault    *vault.Game
	Leased   time.Time       // until when the daemon may change it, see lease
	Within   context.Context //nolint:containedctx // of the group of steps that it is taken for; nil for none
	awake    bool            // see wake
	Problem  error           // the trouble last logged
	pause    pausing
	brokenAt string // the state of its files when its rules failed; "" if it runs

	status GameStatus // its state for Status
	Queued int        // turns with reports in the store's outbox
	Round  string     // the newest round of a turn in progress with reports there
	// Revised is the end of the journal up to which corrected reports are there.
	Revised string
}

// watched is how changes of a game are noticed.
type watched struct {
	folders []int32 // watched, see listening
	heard   hearing
	suspect bool // it is in Set.suspects
}

// hearing is how far notifications about changes of a game can be trusted.
type hearing uint8

const (
	unheard   hearing = iota // its files must be checked
	listened                 // it is watched, but must be checked once more: it may have changed before
	quiet                    // unchanged since, unless a notification comes
	inaudible                // not every change would cause a notification
)

// pausing are the IDs of interruptions that a game is paused for; "" for none.
type pausing struct {
	pending string // not recorded in the journal yet
	done    string // the last one that this process recorded
}

// listening watches the games of a set for changes.
type listening struct {
	log  *slog.Logger
	ears *disk.Listener
	of   map[int32]*Game // by watched folder
	full bool            // no more games can be watched; tried again at each poll
	told map[string]bool // what was logged
}

// gameKey returns the name of a game in the store. Two games with the same ID have different keys.
func gameKey(v *vault.Game) string {
	s := v.SharedSettings()
	return s.ID + "." + s.SecretSHA256[:8]
}

// changed reports whether the game's files may have changed since the last call. The error is fs.ErrNotExist if the
// game is gone.
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

// mostAwake is how many games keep in memory what was read of them, for the next mail or turn. Of the others only the
// state is kept, and the rest is read when needed.
const mostAwake = 500

// Wake counts a game among those that are kept in memory.
func (g *Game) Wake() {
	if !g.awake {
		g.awake = true
		g.Set.awake.Add(1)
	}
}

// Used keeps a game in memory after it was read, unless there are too many.
func (g *Game) Used() {
	if g.Wake(); g.Set.awake.Load() > mostAwake {
		g.sleep()
	}
}

// sleep drops everything that can be read again.
func (g *Game) sleep() {
	if g.awake {
		g.Vault.Rest()
		g.awake = false
		g.Set.awake.Add(-1)
	}
}

// list updates the game's entry for the list of games.
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

// ErrTaken says that the daemon itself is working on a game, such as resolving a turn.
var ErrTaken = errors.New("the game is being looked at")

// Behind reports whether there may be reports that are not in the store yet.
func (g *Game) Behind() bool {
	round := g.Vault.Stages.InProgress()
	if g.Queued <= g.Vault.Turn() || round != "" && g.Round != round {
		return true
	}
	head, err := g.Vault.Journal.Head()
	return err != nil || head != g.Revised // the journal may have new revisions
}

// messageID returns the Message-ID of a mail about the game, made from word.
func (g *Game) messageID(word string) string {
	_, domain, _ := strings.Cut(g.Worker.Box.Address, "@")
	return fmt.Sprintf("<%s.%s@%s>", strings.ToLower(g.Key), word, domain)
}

// Agenda is a queue of the games of a mailbox by when they must be looked at. A game that can wait until something
// touches it is not in it. Guarded by d.Mu.
type Agenda struct{ games byTime }

// byTime is a heap of games.
type byTime []*Game

// GameCounts counts games by state. Each game counts once, in the first state that applies.
type GameCounts struct {
	Trouble int // it cannot go on without help, or cannot be opened
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

// board is the state of the games for monitoring.
type board struct {
	Mu     sync.Mutex
	Games  map[*Game]GameStatus // as of the last look
	Counts GameCounts
	Closed int // directories of games that cannot be opened
}

// GameStatus is the state of a game when it was last looked at.
type GameStatus struct {
	ID       string
	Mailbox  string    // its address
	Turn     int       // the due turn; 0 if the game is over, or could not be looked at
	Deadline time.Time // of that turn; zero for none
	Missing  int       // ships whose orders are missing
	Paused   bool
	Trouble  bool // it cannot go on without help
}

// teller queues the mails that tell captains and referees what happened in a game.
type teller struct{ *process.Process }

// stepper makes one decision after the other about a game.
type stepper struct {
	*teller
	Relays *relay.Asker // for public dice
	waking func(*Game)  // schedules a game for the next tick; no lock of a game may be held
}

// Keeper keeps the games: which ones exist, when each must be looked at, and who may change it.
type Keeper struct {
	*process.Process
	Steps    *stepper
	guard    *watch.Guard
	Accounts []*Account

	Mu    process.Mutex // held while a mail is acted on, and while games are scheduled
	Games *GameSet

	shared *postgres.Games // shared by several hosts; nil for none
	holder string          // see lease
	leased atomic.Bool     // this process has taken a lease

	conditionsSum string // see conditions; "": not computed yet

	Board board // for Status
}

// RetryLocked is how long to wait for another process that has locked a game.
const RetryLocked = 5 * time.Second
