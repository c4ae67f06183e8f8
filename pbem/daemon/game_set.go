package daemon

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/fault"
	"starpost/pbem/lobby"
	"starpost/pbem/record/directory"
	"starpost/pbem/store"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// gameSet holds the games that the configuration names.
type gameSet struct {
	d       *keeper
	finder  *config.GameFinder
	games   []*game          // in order of id
	byID    map[string]*game // by id in lower case
	byDir   map[string]*game
	closed  []string         // directories that are found and not open
	trouble map[string]error // of directories that cannot be opened, as it was last logged
	looked  time.Time        // when games were looked for last
	polls   int              // how often that was
	awake   atomic.Int32     // see game.wake

	// What games tell of while they are looked at, by several goroutines at once.
	mu     sync.Mutex
	listed []*vault.Settings // see settings
	stale  bool              // they are other ones by now
	// caused are the games whose journals name a mail as the cause of an entry.
	caused map[string][]*game
}

// game is an open game and what the daemon remembers of it from one look to
// the next. All of it can be lost.
type game struct {
	id, key  string                         // see gameKey
	settings atomic.Pointer[vault.Settings] // in effect
	listing  atomic.Pointer[lobby.Listing]  // for the list of games, as it was looked at last; nil for a game that is not listed

	// With Daemon.mu held:
	set    *gameSet
	worker *account // whose address its robot has
	// next is when it must be looked at again by itself, if it stands on the agenda, at that
	// place from 1.
	next  time.Time
	place int

	mark, rest vault.Mark       // its files, as they were when they were looked at last
	settled    bool             // no change can have gone unseen
	atRest     bool             // it was looked at since it was last on the agenda for now, without trouble
	noted      bool             // the store has how it stands at rest
	waiting    []*account // have mails for it, and found it taken

	// mu is held by who has to do with the game itself: who looks at it, or judges a mail
	// about it. He may hold Daemon.mu, but must not wait for it, nor for mu while he has
	// the store (see intake.take).
	mu      sync.Mutex
	vault   *vault.Game
	leased  time.Time       // up to when the daemon may change it, see lease
	within  context.Context //nolint:containedctx // of the group of steps that it is taken for; nil for none
	awake   bool            // see wake
	problem error           // the trouble last logged
	// interruption is the stop that could not be noted in the journal yet; "" for none.
	interruption string
	brokenAt     string // the files' state at which its rules broke; "" when it runs

	status GameStatus // what Status shows of it
	queued int        // turns whose outbox is in the store
	round  string     // the newest round of a turn in progress whose outbox is in it
	// revised is the journal's end up to which corrected reports are in it.
	revised string
}

// gameKey names a game in the store: two games of one id are not one game.
func gameKey(v *vault.Game) string {
	s := v.SharedSettings()
	return s.ID + "." + s.SecretSHA256[:8]
}

func newGameSet(d *keeper) *gameSet {
	return &gameSet{
		d: d, finder: config.NewGameFinder(d.cfg), byID: map[string]*game{}, byDir: map[string]*game{}, trouble: map[string]error{},
		caused: map[string][]*game{},
	}
}

// refreshGames has the game set look for games, and for files that changed, always or
// unless that was done within a poll. It gives how long ago that is.
func (d *keeper) refreshGames(always bool) (ago time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.clock.Now()
	if ago = now.Sub(d.games.looked); !always && 0 <= ago && ago < d.cfg.Poll.Duration() {
		return ago
	}
	d.games.looked = now
	d.games.refresh()
	return 0
}

// refresh opens the games that there are now, drops those that are gone, and has those
// looked at whose files changed.
func (s *gameSet) refresh() {
	now := s.d.clock.Now()
	dirs, changed, err := s.finder.Find(now)
	if err != nil {
		s.logTrouble("games", err)
	} else {
		delete(s.trouble, "games")
	}
	known := len(s.games)
	if changed {
		found := make(map[string]bool, len(dirs))
		for _, dir := range dirs {
			found[dir] = true
		}
		s.drop(func(g *game) bool { return !found[g.vault.Dir()] })
		maps.DeleteFunc(s.trouble, func(dir string, _ error) bool { return !found[dir] && dir != "games" })
		s.closed = slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return s.byDir[dir] != nil })
	}
	if s.openClosed() {
		changed = true
		if s.polls == 0 {
			s.recallIdle()
		}
	}
	s.lookForChanges(now)
	if changed || len(s.games) != known {
		slices.SortFunc(s.games, func(a, b *game) int { return strings.Compare(a.id, b.id) })
		s.d.listPaths()
	}
	s.d.board.close(len(s.trouble))
	s.polls++
}

// drop forgets games.
func (s *gameSet) drop(gone func(*game) bool) {
	known := len(s.games)
	s.games = slices.DeleteFunc(slices.Clone(s.games), func(g *game) bool {
		if !gone(g) {
			return false
		}
		delete(s.byID, strings.ToLower(g.id))
		delete(s.byDir, g.vault.Dir())
		g.mu.Lock()
		g.sleep()
		g.mu.Unlock()
		g.worker.agenda.drop(g)
		s.d.board.remove(g)
		return true
	})
	if len(s.games) == known {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stale = true
	maps.DeleteFunc(s.caused, func(_ string, of []*game) bool {
		return !slices.ContainsFunc(of, func(g *game) bool { return s.byDir[g.vault.Dir()] == g })
	})
}

// thoroughEvery is in how many polls each game is looked at once for what no one
// should have changed by hand.
const thoroughEvery = 60

// lookForChanges has the games looked at whose files changed since they were looked at.
func (s *gameSet) lookForChanges(now time.Time) {
	var w vault.Watcher
	defer s.unwatch(&w)
	gone := map[*game]bool{}
	var idle []store.IdleGame
	for i, g := range s.games {
		if !g.mu.TryLock() {
			continue // it is being looked at; what changes meanwhile is seen the next time
		}
		changed, err := g.changed(&w, now, (i+s.polls)%thoroughEvery == 0)
		switch {
		case err != nil:
			gone[g] = true
			s.closed = append(s.closed, g.vault.Dir())
		case changed:
			g.worker.agenda.now(g)
		default:
			if n, ok := s.d.idleNote(g, now); ok {
				idle = append(idle, n)
			}
			g.sleep()
		}
		g.mu.Unlock()
	}
	s.d.recordIdle(idle)
	if len(gone) > 0 {
		s.drop(func(g *game) bool { return gone[g] })
	}
}

// unwatch ends a look for changes.
func (s *gameSet) unwatch(w *vault.Watcher) {
	if err := w.Close(); err != nil {
		s.d.log.Debug("looking for changed files failed", "err", err)
	}
}

// changed tells whether the game's files may have changed since this was asked last. The
// error is fs.ErrNotExist when the game is gone.
func (g *game) changed(w *vault.Watcher, now time.Time, thorough bool) (bool, error) {
	mark, err := w.Look(g.vault)
	if err != nil {
		return false, err
	}
	rest := g.rest
	if thorough || !g.settled || mark != g.mark {
		rest = w.Thorough(g.vault)
	}
	if g.settled && mark == g.mark && rest == g.rest && g.brokenAt == "" {
		return false, nil
	}
	g.mark, g.rest, g.settled = mark, rest, mark.Settled(now)
	return true, nil
}

// openClosed opens the games in directories that are not open, and tells whether there
// are any.
func (s *gameSet) openClosed() bool {
	found, errs := make([]*vault.Game, len(s.closed)), make([]error, len(s.closed))
	s.d.sideBySide(len(s.closed), func(i int) { found[i], errs[i] = s.read(s.closed[i]) })
	var still []string
	for i, dir := range s.closed {
		if found[i] != nil && errs[i] == nil {
			errs[i] = s.add(found[i])
		}
		if errs[i] != nil {
			s.logTrouble(dir, errs[i])
		} else {
			delete(s.trouble, dir)
		}
		if errs[i] != nil || found[i] == nil {
			still = append(still, dir)
		}
	}
	opened := len(still) < len(s.closed)
	s.closed = still
	return opened
}

// read opens the game in a directory; nil without an error if there is none.
func (s *gameSet) read(dir string) (v *vault.Game, err error) {
	defer recovered("game "+dir, &err)
	game, err := s.d.cfg.HoldsGame(dir)
	if err != nil || !game {
		return nil, err
	}
	return vault.Open(directory.At(dir), s.d.o.Catalogue)
}

// add takes an open game in.
func (s *gameSet) add(v *vault.Game) error {
	dir := v.Dir()
	if other := s.byID[strings.ToLower(v.ID())]; other != nil {
		return fmt.Errorf("open %s: its id %s is that of %s too; give one another id", dir, v.ID(), other.vault.Dir())
	}
	v.UseWindow(s.d.cfg.ChangeWindow)
	v.Quiet() // a mail or a tick that changes it also has it looked at
	if s.d.o.Before != nil {
		v.OnStep(func(step string) error { return s.d.before(vaultStep + step) })
	}
	// A robot that no mailbox has the address of is complained of with each look.
	at := s.d.workerOf(v.SharedSettings().Mail.Robot)
	g := &game{vault: v, id: v.ID(), key: gameKey(v), set: s, worker: at}
	g.settings.Store(v.SharedSettings())
	s.games = append(s.games, g)
	s.byID[strings.ToLower(v.ID())], s.byDir[v.Dir()] = g, g
	at.agenda.now(g)
	g.used()
	v.OnChange(func() error { return s.d.mayChange(g) })
	v.OnSettings(func() {
		g.settings.Store(v.SharedSettings())
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stale = true
	})
	v.OnCause(func(mail string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !slices.Contains(s.caused[mail], g) {
			s.caused[mail] = append(s.caused[mail], g)
		}
	})
	s.mu.Lock()
	s.stale = true
	s.mu.Unlock()
	s.d.log.Info("game opened", "game", v.ID(), "mailbox", at.box.Address, "dir", dir, "turn", v.Turn())
	return nil
}

// mostAwake is how many games are kept as they were read, for the next mail or turn. Of
// the others is known how they stand, and of each the rest is read when it is needed.
const mostAwake = 500

// wake counts a game among those that are kept as they were read.
func (g *game) wake() {
	if !g.awake {
		g.awake = true
		g.set.awake.Add(1)
	}
}

// used has a game that was read kept so, unless there are too many by now.
func (g *game) used() {
	if g.wake(); g.set.awake.Load() > mostAwake {
		g.sleep()
	}
}

// sleep forgets what can be read again of a game.
func (g *game) sleep() {
	if g.awake {
		g.vault.Rest()
		g.awake = false
		g.set.awake.Add(-1)
	}
}

// logTrouble logs trouble with a directory when it is new.
func (s *gameSet) logTrouble(what string, err error) {
	known := s.trouble[what]
	s.trouble[what] = err
	if known != nil && known.Error() == err.Error() {
		return
	}
	s.d.log.Error("opening the game failed", "dir", what, "err", err, "hint", fault.Hint(err))
}

// withID is the game with an id, upper and lower case alike; nil if there is none.
func (s *gameSet) withID(id string) *game { return s.byID[strings.ToLower(id)] }

// withKey is the game with a name in the store; nil if there is none.
func (s *gameSet) withKey(key string) *game {
	id, _, _ := strings.Cut(key, ".")
	if g := s.withID(id); g != nil && g.key == key {
		return g
	}
	return nil
}

// SameRobot wants a game whose captains have addresses to name one of the
// daemon's own: answers go where the game says.
func SameRobot(v *vault.Game, addresses ...string) error {
	s := v.Settings()
	ours := func(a string) bool { return strings.EqualFold(s.Mail.Robot, a) }
	if slices.ContainsFunc(addresses, ours) || !slices.ContainsFunc(s.Captains, func(c vault.Captain) bool { return c.Address != "" }) {
		return nil
	}
	return fault.New(fmt.Sprintf("if nothing was played yet, remove %s and make the game again with --robot %s; else set robot = %q in %s",
		v.Dir(), addresses[0], addresses[0], v.Place("game.toml")),
		"the robot address of game %s is %s, the daemon's is %s; no mail of the game is sent", s.ID, s.Mail.Robot, strings.Join(addresses, " or "))
}

// recovered turns a panic into an error: a broken invariant of one game or mail
// must not stop the others.
func recovered(what string, err *error) {
	if p := recover(); p != nil {
		*err = errors.Join(*err, fmt.Errorf("%s: %w: %v\n%s", what, errPanic, p, debug.Stack()))
	}
}

var errPanic = errors.New("the program broke one of its own rules")

// mailGames is the game set as the desk sees it while one mail is judged: games that
// are asked for stay locked until the mail is dealt with, or all that are acted on
// together with it.
type mailGames struct {
	games *gameSet
	ctx   context.Context //nolint:containedctx // a book lives as long as one call of handle
	at    *intake  // where the mail came in
	mail  string          // see judging
	held  []*game
	// replayed are the games that stand as if the mail had brought nothing about.
	replayed []*game
}

// startReplay has all games stand as if the mail with that name had brought nothing
// about yet, until release. A mail that is judged a second time, after a crash in
// the middle, is judged as it was the first time.
func (b *mailGames) startReplay(mail string) error {
	b.mail = mail
	b.games.mu.Lock()
	of := slices.Clone(b.games.caused[mail])
	b.games.mu.Unlock()
	for _, g := range of {
		if err := b.at.take(g); err != nil {
			return err
		}
		b.disregard(g)
	}
	return nil
}

// disregard has a game stand so, whatever the mail is yet to bring about.
func (b *mailGames) disregard(g *game) {
	g.wake()
	if b.mail == "" || slices.Contains(b.replayed, g) {
		return
	}
	g.vault.Disregard(b.mail)
	b.replayed = append(b.replayed, g)
}

// Settings are those of all open games.
func (b *mailGames) Settings() []*vault.Settings { return b.games.settings() }

// settings are those of all games; the list is replaced when one changes, and
// else the same one.
func (s *gameSet) settings() []*vault.Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.stale {
		return s.listed
	}
	s.listed = make([]*vault.Settings, len(s.games))
	for i, g := range s.games {
		s.listed[i] = g.settings.Load()
	}
	s.stale = false
	return s.listed
}

// Look gives a game without locking it.
func (b *mailGames) Look(id string) (*vault.Game, error) {
	g := b.games.withID(id)
	if g == nil {
		return nil, fmt.Errorf("game %s: %w", id, vault.ErrNotAGame)
	}
	if err := b.at.take(g); err != nil {
		return nil, err
	}
	b.disregard(g)
	return g.vault, nil
}

// Known implements desk.Games.
func (b *mailGames) Known(id string) *lobby.Listing {
	if g := b.games.withID(id); g != nil {
		return g.listing.Load()
	}
	return nil
}

// Keep implements desk.Games. The game is taken.
func (b *mailGames) Keep(id string, l *lobby.Listing) {
	if g := b.games.withID(id); g != nil && slices.Contains(b.at.taken, g) {
		g.listing.Store(l)
	}
}

// list keeps how the game stands for the list of games.
func (g *game) list(pos *turn.Position) error {
	if !lobby.Listed(g.vault.SharedSettings()) {
		g.listing.Store(nil)
		return nil
	}
	l, err := lobby.List(g.vault, pos)
	if err == nil {
		g.listing.Store(l)
	}
	return err
}

// Game locks a game for the mail.
func (b *mailGames) Game(id string) (*vault.Game, error) {
	g := b.games.withID(id)
	if g == nil {
		return nil, fmt.Errorf("game %s: %w", id, vault.ErrNotAGame)
	}
	if slices.Contains(b.held, g) {
		return g.vault, nil
	}
	// A later mail must not go before one that waits for the game: the set that
	// came last counts.
	if err := b.at.blocked[g]; err != nil {
		return nil, err
	}
	if err := b.at.take(g); err != nil {
		return nil, err
	}
	b.disregard(g)
	if err := b.at.lockGame(g); err != nil {
		if errors.Is(err, vault.ErrLocked) {
			b.at.blocked[g] = err
		}
		return nil, err
	}
	b.held = append(b.held, g)
	g.worker.agenda.now(g)
	if g.worker != b.at.account {
		nudge(g.worker.wake) // it looks when the mail is dealt with
	}
	return g.vault, nil
}

// release ends the judging of the mail.
func (b *mailGames) release() error {
	for _, g := range b.replayed {
		g.vault.Disregard("")
	}
	b.replayed = nil
	held := b.held
	b.held = nil
	if b.at.group != nil {
		return nil // see letGo
	}
	var all []error
	for _, g := range held {
		all = append(all, g.vault.Unlock())
	}
	b.at.giveBack()
	return errors.Join(all...)
}

// take has a game to oneself until giveBack. Who commits mails together has the store
// meanwhile, for which one who looks at the game may wait: he does not wait for the game
// in turn, and its mails come later. s.mu is held.
func (s *intake) take(g *game) error {
	switch {
	case slices.Contains(s.taken, g):
		return nil
	case s.group == nil:
		g.mu.Lock()
	case !g.mu.TryLock():
		if !slices.Contains(g.waiting, s.account) {
			g.waiting = append(g.waiting, s.account)
		}
		s.blocked[g] = fmt.Errorf("game %s: %w", g.id, errTaken)
		return s.blocked[g]
	}
	s.taken = append(s.taken, g)
	g.within = s.group
	return nil
}

// errTaken tells that the daemon itself is at a game, such as resolving a turn.
var errTaken = errors.New("the game is being looked at")

// giveBack lets others have the games that were taken. s.keeper.mu is held.
func (s *intake) giveBack() {
	for _, g := range s.taken {
		g.within = nil
		g.mu.Unlock()
	}
	s.taken = nil
}

// lockGame locks a game: until release, or until unlockGames where what
// is done is committed together, so that mails for one game share its lock.
func (s *intake) lockGame(g *game) error {
	if slices.Contains(s.locked, g) {
		return nil
	}
	if err := g.vault.Refresh(); err != nil {
		return err
	}
	if err := g.vault.Lock(); err != nil {
		return err
	}
	if s.group != nil {
		g.vault.Defer(&s.unsynced)
		s.locked = append(s.locked, g)
	}
	return nil
}

// unlockGames ends the locks of the games that mails which are acted on together have
// touched.
func (s *intake) unlockGames() error {
	var all []error
	for _, g := range s.locked {
		g.vault.Defer(nil)
		all = append(all, g.vault.Unlock())
	}
	s.locked = nil
	s.giveBack()
	return errors.Join(all...)
}

// Names of events in the store.
const (
	eventRules   = "rules"   // the game waits for its referee's word on a version of the rules; subject is that
	eventHalt    = "halt"    // the game waits for missing orders
	eventCouncil = "council" // who is due before the others was reminded
	eventBroken  = "broken"  // the turn cannot be resolved
	eventBad     = "bad"     // an order file cannot be read; subject is its name
)

// recordEvent notes an event and reports whether it is new.
func (d *teller) recordEvent(ctx context.Context, g *game, turn int, name, subject, detail string) (bool, error) {
	return d.store.RecordEvent(ctx, store.Event{
		Game: g.key, Turn: turn, Name: name, Subject: subject, At: d.clock.Now(), Detail: detail,
	})
}

// once does something about a turn of a game, such as to tell of it, unless the store
// has noted that, and notes it then.
func (d *teller) once(ctx context.Context, g *game, turn int, name, subject, detail string, do func() error) error {
	if _, known, err := d.store.Event(ctx, g.key, turn, name, subject); err != nil || known {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	_, err := d.recordEvent(ctx, g, turn, name, subject, detail)
	return err
}

// behind tells whether there may be reports that are not in the store yet.
func (g *game) behind() bool {
	round := g.vault.InProgress()
	if g.queued <= g.vault.Turn() || round != "" && g.round != round {
		return true
	}
	head, err := g.vault.JournalHead()
	return err != nil || head != g.revised // it may tell of revisions
}
