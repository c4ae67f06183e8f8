package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"starpost/pbem/fault"
	"starpost/pbem/ledger"
	"starpost/pbem/vault"
)

// gameSet holds the games that the configuration names.
type gameSet struct {
	d       *Daemon
	games   []*game          // in order of id
	places  map[string]int   // of games in it, by id in lower case; nil while it changes
	trouble map[string]error // of directories that cannot be opened, as it was last logged

	listed []vault.Settings // see settings
	stale  bool             // they are other ones by now
	// caused are the games whose journals name a mail as the cause of an entry.
	caused map[string][]*game
}

// game is an open game and what the daemon remembers of it from one look to
// the next. All of it can be lost.
type game struct {
	vault   *vault.Game
	worker  *mailboxWorker // whose address its robot has
	next    time.Time      // when to look at it again by itself; zero: only when touched
	dirty   bool           // a mail changed something
	problem error          // the trouble last logged
	// interruption is the stop that could not be noted in the journal yet; "" for none.
	interruption string
	brokenAt     string // the files' state at which its rules broke; "" when it runs

	status GameStatus // what Status shows of it
	queued int        // turns whose outbox is in the ledger
	round  string     // the newest round of a turn in progress whose outbox is in it
	// revised is the journal's end up to which corrected reports are in it.
	revised string
}

// key names the game in the ledger: two games of one id are not one game.
func (g *game) key() string {
	s := g.vault.Settings()
	return s.ID + "." + s.SecretSHA256[:8]
}

func newGameSet(d *Daemon) *gameSet {
	return &gameSet{d: d, trouble: map[string]error{}, caused: map[string][]*game{}}
}

// refreshGames has the game set look for games.
func (d *Daemon) refreshGames() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.games.refresh()
}

// refresh opens the games that there are now and drops those that are gone.
func (s *gameSet) refresh() {
	dirs, err := s.d.cfg.GameDirs()
	if err != nil {
		s.logTrouble("games", err)
	} else {
		delete(s.trouble, "games")
	}
	known := len(s.games)
	s.places = nil
	s.games = slices.DeleteFunc(s.games, func(g *game) bool { return !slices.Contains(dirs, g.vault.Dir()) })
	if len(s.games) < known {
		s.stale = true
		maps.DeleteFunc(s.caused, func(_ string, of []*game) bool {
			return !slices.ContainsFunc(of, func(g *game) bool { return slices.Contains(s.games, g) })
		})
	}
	for _, dir := range dirs {
		if slices.ContainsFunc(s.games, func(g *game) bool { return g.vault.Dir() == dir }) {
			continue
		}
		if err := s.open(dir); err != nil {
			s.logTrouble(dir, err)
			continue
		}
		delete(s.trouble, dir)
	}
	slices.SortFunc(s.games, func(a, b *game) int { return strings.Compare(a.vault.ID(), b.vault.ID()) })
	places := make(map[string]int, len(s.games))
	for i, g := range s.games {
		places[strings.ToLower(g.vault.ID())] = i
	}
	s.places = places
	s.d.listPaths()
}

func (s *gameSet) open(dir string) (err error) {
	defer recovered("game "+dir, &err)
	v, err := vault.Open(dir, s.d.o.Catalogue)
	if err != nil {
		return err
	}
	if i := s.index(v.ID()); i >= 0 {
		return fmt.Errorf("open %s: its id %s is that of %s too; give one another id", dir, v.ID(), s.games[i].vault.Dir())
	}
	v.UseWindow(s.d.cfg.ChangeWindow)
	if s.d.o.Before != nil {
		v.OnStep(func(step string) error { return s.d.before(vaultStep + step) })
	}
	// A robot that no mailbox has the address of is complained of with each look.
	at := s.d.workerOf(v.Settings().Mail.Robot)
	g := &game{vault: v, worker: at, dirty: true}
	s.games = append(s.games, g)
	s.stale = true
	v.OnSettings(func() { s.stale = true })
	v.OnCause(func(mail string) {
		if !slices.Contains(s.caused[mail], g) {
			s.caused[mail] = append(s.caused[mail], g)
		}
	})
	s.d.log.Info("game opened", "game", v.ID(), "mailbox", at.box.Address, "dir", dir, "turn", v.Turn())
	return nil
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

// sameRobot wants a game whose captains have addresses to name one of the
// daemon's own: answers go where the game says.
func sameRobot(v *vault.Game, addresses ...string) error {
	s := v.Settings()
	ours := func(a string) bool { return strings.EqualFold(s.Mail.Robot, a) }
	if slices.ContainsFunc(addresses, ours) || !slices.ContainsFunc(s.Captains, func(c vault.Captain) bool { return c.Address != "" }) {
		return nil
	}
	return fault.New(fmt.Sprintf("if nothing was played yet, remove %s and make the game again with --robot %s; else set robot = %q in %s",
		v.Dir(), addresses[0], addresses[0], filepath.Join(v.Dir(), "game.toml")),
		"the robot address of game %s is %s, the daemon's is %s; no mail of the game is sent", s.ID, s.Mail.Robot, strings.Join(addresses, " or "))
}

// index is where a game stands in games; -1 for one that is not there.
func (s *gameSet) index(id string) int {
	if i, ok := s.places[strings.ToLower(id)]; ok {
		return i
	}
	return slices.IndexFunc(s.games, func(g *game) bool { return strings.EqualFold(g.vault.ID(), id) })
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
	at    *mailboxWorker  // where the mail came in
	mail  string          // see judging
	held  []*game
	// replayed are the games that stand as if the mail had brought nothing about.
	replayed []*game
}

// startReplay has all games stand as if the mail with that name had brought nothing
// about yet, until release. A mail that is judged a second time, after a crash in
// the middle, is judged as it was the first time.
func (b *mailGames) startReplay(mail string) {
	b.mail = mail
	for _, g := range b.games.caused[mail] {
		b.disregard(g)
	}
}

// disregard has a game stand so, whatever the mail is yet to bring about.
func (b *mailGames) disregard(g *game) {
	if b.mail == "" || slices.Contains(b.replayed, g) {
		return
	}
	g.vault.Disregard(b.mail)
	b.replayed = append(b.replayed, g)
}

// Settings are those of all open games.
func (b *mailGames) Settings() []vault.Settings { return b.games.settings() }

// settings are those of all games; the list is replaced when one changes, and
// else the same one.
func (s *gameSet) settings() []vault.Settings {
	if !s.stale {
		return s.listed
	}
	s.listed = make([]vault.Settings, len(s.games))
	for i, g := range s.games {
		s.listed[i] = g.vault.Settings()
	}
	s.stale = false
	return s.listed
}

// Look gives a game without locking it.
func (b *mailGames) Look(id string) (*vault.Game, error) {
	i := b.games.index(id)
	if i < 0 {
		return nil, fmt.Errorf("game %s: %w", id, vault.ErrNotAGame)
	}
	b.disregard(b.games.games[i])
	return b.games.games[i].vault, nil
}

// Game locks a game for the mail.
func (b *mailGames) Game(id string) (*vault.Game, error) {
	i := b.games.index(id)
	if i < 0 {
		return nil, fmt.Errorf("game %s: %w", id, vault.ErrNotAGame)
	}
	g := b.games.games[i]
	if slices.Contains(b.held, g) {
		return g.vault, nil
	}
	// A later mail must not go before one that waits for the game: the set that
	// came last counts.
	if err := b.at.blocked[g]; err != nil {
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
	g.dirty = true
	if g.worker != b.at {
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
	if b.at.grouping {
		return nil // see letGo
	}
	var all []error
	for _, g := range held {
		all = append(all, g.vault.Unlock())
	}
	return errors.Join(all...)
}

// lockGame locks a game: until release, or until unlockGames where what
// is done is committed together, so that mails for one game share its lock.
func (s *mailboxWorker) lockGame(g *game) error {
	if slices.Contains(s.locked, g) {
		return nil
	}
	if err := g.vault.Refresh(); err != nil {
		return err
	}
	if err := g.vault.Lock(); err != nil {
		return err
	}
	if s.grouping {
		g.vault.Defer(&s.unsynced)
		s.locked = append(s.locked, g)
	}
	return nil
}

// unlockGames ends the locks of the games that mails which are acted on together have
// touched.
func (s *mailboxWorker) unlockGames() error {
	var all []error
	for _, g := range s.locked {
		g.vault.Defer(nil)
		all = append(all, g.vault.Unlock())
	}
	s.locked = nil
	return errors.Join(all...)
}

// fingerprint tells whether someone touched the game: names, sizes and times
// of its settings, tables and orders, and which turns there are.
func (g *game) fingerprint() (string, error) {
	var list []byte
	dir := g.vault.Dir()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if filepath.Dir(path) == filepath.Join(dir, "turns") {
			list = fmt.Appendln(list, path)
			return fs.SkipDir
		}
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		list = fmt.Appendln(list, path, info.Size(), info.ModTime().UnixNano())
		return nil
	})
	return vault.Hash(list), err
}

// Names of events in the ledger.
const (
	eventRules   = "rules"   // the game waits for its referee's word on a version of the rules; subject is that
	eventHalt    = "halt"    // the game waits for missing orders
	eventCouncil = "council" // who is due before the others was reminded
	eventBroken  = "broken"  // the turn cannot be resolved
	eventBad     = "bad"     // an order file cannot be read; subject is its name
)

// recordEvent notes an event and reports whether it is new.
func (d *Daemon) recordEvent(ctx context.Context, g *game, turn int, name, subject, detail string) (bool, error) {
	return d.ledger.RecordEvent(ctx, ledger.Event{
		Game: g.key(), Turn: turn, Name: name, Subject: subject, At: d.clock.Now(), Detail: detail,
	})
}

// once does something about a turn of a game, such as to tell of it, unless the ledger
// has noted that, and notes it then.
func (d *Daemon) once(ctx context.Context, g *game, turn int, name, subject, detail string, do func() error) error {
	if _, known, err := d.ledger.Event(ctx, g.key(), turn, name, subject); err != nil || known {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	_, err := d.recordEvent(ctx, g, turn, name, subject, detail)
	return err
}

// behind tells whether there may be reports that are not in the ledger yet.
func (g *game) behind() bool {
	round := g.vault.InProgress()
	if g.queued <= g.vault.Turn() || round != "" && g.round != round {
		return true
	}
	head, err := g.vault.JournalHead()
	return err != nil || head != g.revised // it may tell of revisions
}
