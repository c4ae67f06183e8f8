package games

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/daemon/process"
	"starpost/pbem/fault"
	"starpost/pbem/record/postgres"
	"starpost/pbem/store"
	"starpost/pbem/vault"
)

// newGameSet returns an empty set; refresh finds its games.
func newGameSet(d *Keeper) *GameSet {
	return &GameSet{
		d: d, finder: config.NewGameFinder(d.Config), byID: map[string]*Game{}, byDir: map[string]*Game{}, Trouble: map[string]error{},
		Caused: map[string][]*Game{}, listen: listening{log: d.Log},
	}
}

// openTogether is how many games a start opens first, before it sends what is due for them. After that it opens as
// many again as are open.
const openTogether = 50

// refresh opens new games, drops those that are gone, and schedules those whose files changed. It opens only some at
// a time: if more is true, call it again.
func (s *GameSet) refresh() (more bool) {
	now := s.d.Clock.Now()
	dirs, changed, err := s.find(now)
	if err != nil {
		s.logTrouble("games", err)
	} else {
		delete(s.Trouble, "games")
	}
	known := len(s.Games)
	if changed {
		found := make(map[string]bool, len(dirs))
		for _, dir := range dirs {
			found[dir] = true
		}
		s.drop(func(g *Game) bool { return !found[g.Vault.Dir()] })
		maps.DeleteFunc(s.Trouble, func(dir string, _ error) bool { return !found[dir] && dir != "games" })
		s.closed, s.untried = nil, slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return s.byDir[dir] != nil })
	}
	if len(s.untried) == 0 {
		s.closed, s.untried = nil, s.closed
	}
	more = s.open()
	if !more {
		s.lookForChanges(now)
	}
	if changed || len(s.Games) != known {
		slices.SortFunc(s.Games, func(a, b *Game) int { return strings.Compare(a.ID, b.ID) })
		s.d.listPaths()
	}
	s.d.Board.close(len(s.Trouble))
	if !more {
		s.polls++
	}
	return more
}

// find reports whether the places that may hold games have changed, and returns them if they have: directories, and those in the
// database.
func (s *GameSet) find(now time.Time) (places []string, changed bool, err error) {
	places, changed, err = s.finder.Find(now)
	if s.d.shared == nil {
		return places, changed, err
	}
	stored, other, serr := s.d.shared.Find(context.Background(), s.d.Addresses()...) // its statement has a time limit
	for _, place := range s.d.shared.Changed() {
		if g := s.byDir[place]; g != nil {
			g.heard = unheard
			s.suspect(g)
		}
	}
	if changed = changed || other; !changed {
		return nil, false, errors.Join(err, serr)
	}
	return slices.Concat(places, stored), true, errors.Join(err, serr)
}

// drop removes games from the set.
func (s *GameSet) drop(gone func(*Game) bool) {
	known := len(s.Games)
	s.Games = slices.DeleteFunc(slices.Clone(s.Games), func(g *Game) bool {
		if !gone(g) {
			return false
		}
		delete(s.byID, strings.ToLower(g.ID))
		delete(s.byDir, g.Vault.Dir())
		g.Mu.Lock()
		g.sleep()
		g.Mu.Unlock()
		g.Worker.Agenda.drop(g)
		s.d.Board.remove(g)
		s.listen.forget(g)
		return true
	})
	if len(s.Games) == known {
		return
	}
	lost := func(g *Game) bool { return s.byDir[g.Vault.Dir()] != g }
	s.onDisk, s.suspects = slices.DeleteFunc(s.onDisk, lost), slices.DeleteFunc(s.suspects, lost)
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.stale = true
	maps.DeleteFunc(s.Caused, func(_ string, of []*Game) bool {
		return !slices.ContainsFunc(of, func(g *Game) bool { return !lost(g) })
	})
}

// thoroughEvery is the number of polls in which each game in a directory is checked once for changes that no one should make by
// hand. Those in the database are not even walked through: it tells of each change.
const thoroughEvery = 60

// lookForChanges schedules the games whose files have changed since they were looked at. With very many games it checks
// few.
func (s *GameSet) lookForChanges(now time.Time) {
	var w vault.Watcher
	defer s.unwatch(&w)
	s.listen.hear(s.Games)
	gone := map[*Game]bool{}
	var idle []store.IdleGame
	look := func(g *Game, thorough bool) {
		if gone[g] || !g.Mu.TryLock() {
			return // it is being looked at; changes made meanwhile are found the next time
		}
		changed, err := false, error(nil)
		if s.polls > 0 || !g.noted { // otherwise it was checked just now
			changed, err = g.changed(&w, now, thorough)
		}
		switch {
		case err != nil:
			gone[g] = true
			s.closed = append(s.closed, g.Vault.Dir())
		case changed:
			g.Worker.Agenda.Now(g)
		default:
			if n, ok := s.d.idleNote(g, now); ok {
				idle = append(idle, n)
			}
			if s.polls > 0 { // a start has enough to do
				s.listen.to(g)
			}
			if s.awake.Load() > mostAwake {
				g.sleep()
			}
		}
		g.Mu.Unlock()
	}
	for i := (thoroughEvery - s.polls%thoroughEvery) % thoroughEvery; i < len(s.onDisk); i += thoroughEvery {
		look(s.onDisk[i], true)
	}
	if s.awake.Load() > mostAwake {
		s.suspect(s.Games...)
	}
	for _, g := range s.suspects {
		look(g, false)
	}
	s.suspects = slices.DeleteFunc(s.suspects, func(g *Game) bool {
		g.suspect = g.heard != quiet || !g.noted
		return !g.suspect
	})
	s.d.recordIdle(idle)
	if len(gone) > 0 {
		s.drop(func(g *Game) bool { return gone[g] })
	}
}

// open opens some of the untried games, and reports whether there are more.
func (s *GameSet) open() (more bool) {
	before := len(s.Games)
	dirs := s.untried[:min(len(s.untried), max(openTogether, before))]
	s.untried = s.untried[len(dirs):]
	found, errs := make([]*vault.Game, len(dirs)), make([]error, len(dirs))
	robots := make([]string, len(dirs))
	s.d.SideBySide(len(dirs), func(i int) { found[i], robots[i], errs[i] = s.read(dirs[i]) })
	s.noteMailboxes(dirs, robots)
	for i, dir := range dirs {
		if found[i] != nil && errs[i] == nil {
			errs[i] = s.add(found[i])
		}
		if errs[i] != nil {
			s.logTrouble(dir, errs[i])
		} else {
			delete(s.Trouble, dir)
		}
		if errs[i] != nil || found[i] == nil {
			s.closed = append(s.closed, dir)
		}
	}
	if s.polls == 0 {
		s.recallIdle(s.Games[before:])
	}
	return len(s.untried) > 0
}

// noteMailboxes notes in the database which mailbox each game belongs to that was opened, so hosts of other mailboxes need not read it.
func (s *GameSet) noteMailboxes(places, robots []string) {
	if s.d.shared == nil {
		return
	}
	of := map[string]string{}
	for i, place := range places {
		if robots[i] != "" {
			of[place] = robots[i]
		}
	}
	if err := s.d.shared.NoteMailboxes(context.Background(), of); err != nil {
		s.d.Log.Debug("recording the mailboxes of games failed", "err", err)
	}
}

// read opens the game at a place; nil without an error if there is none, or if it is not ours. For a game in the database it also returns its
// mailbox.
func (s *GameSet) read(dir string) (v *vault.Game, robot string, err error) {
	defer process.Recovered("game "+dir, &err)
	if postgres.Is(dir) {
		return s.readShared(dir)
	}
	v, err = s.readDirectory(dir)
	return v, "", err
}

func (s *GameSet) readDirectory(dir string) (*vault.Game, error) {
	tree := s.d.treeAt(dir)
	v, err := vault.Open(tree, s.d.Options.Catalogue)
	if err == nil {
		_, err = tree.Stat(vault.CheckedOutFile)
		switch {
		case err == nil:
			return nil, fault.New("check it in: starpost checkin "+dir, "%s: the game is checked out of a database, and is not served from here", dir)
		case errors.Is(err, fs.ErrNotExist):
			return v, nil
		}
		return nil, err
	}
	if game, herr := s.d.Config.HoldsGame(dir); herr != nil || !game {
		return nil, herr
	}
	return nil, err
}

// readShared returns no game if its mails go to a mailbox of other hosts, or if it has just been moved away.
func (s *GameSet) readShared(place string) (v *vault.Game, robot string, err error) {
	v, err = vault.Open(s.d.treeAt(place), s.d.Options.Catalogue)
	if errors.Is(err, vault.ErrNotAGame) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	robot = v.SharedSettings().Mail.Robot
	if !slices.ContainsFunc(s.d.Addresses(), func(a string) bool { return strings.EqualFold(a, robot) }) {
		v = nil
	}
	return v, robot, nil
}

// add adds an open game.
func (s *GameSet) add(v *vault.Game) error {
	dir := v.Dir()
	if other := s.byID[strings.ToLower(v.ID())]; other != nil {
		return fmt.Errorf("open %s: its id %s is also that of %s; give one another id", dir, v.ID(), other.Vault.Dir())
	}
	v.UseWindow(s.d.Config.ChangeWindow)
	v.Quiet() // a mail or a tick that changes it also schedules it
	if s.d.Options.Before != nil {
		v.OnStep(func(step string) error { return s.d.Before(process.VaultStep + step) })
	}
	// Each look reports a robot address that no mailbox has.
	at := s.d.WorkerOf(v.SharedSettings().Mail.Robot)
	g := &Game{Vault: v, ID: v.ID(), Key: gameKey(v), Set: s, Worker: at, shared: postgres.Is(dir)}
	g.settings.Store(v.SharedSettings())
	s.Games = append(s.Games, g)
	if !g.shared {
		s.onDisk = append(s.onDisk, g)
	}
	s.byID[strings.ToLower(v.ID())], s.byDir[v.Dir()] = g, g
	at.Agenda.Now(g)
	g.Used()
	s.suspect(g)
	v.OnChange(func() error { return s.d.mayChange(g) })
	v.OnSettings(func() {
		g.settings.Store(v.SharedSettings())
		s.Mu.Lock()
		defer s.Mu.Unlock()
		s.stale = true
	})
	v.Journal.OnCause(func(mail string) {
		s.Mu.Lock()
		defer s.Mu.Unlock()
		if !slices.Contains(s.Caused[mail], g) {
			s.Caused[mail] = append(s.Caused[mail], g)
		}
	})
	s.Mu.Lock()
	s.stale = true
	s.Mu.Unlock()
	s.d.Log.Info("game opened", "game", v.ID(), "mailbox", at.Box.Address, "dir", dir, "turn", v.Turn())
	return nil
}

// logTrouble logs trouble with a directory if it is new.
func (s *GameSet) logTrouble(what string, err error) {
	known := s.Trouble[what]
	s.Trouble[what] = err
	if known != nil && known.Error() == err.Error() {
		return
	}
	if what == "games" {
		s.d.Log.Error("looking for games failed", "err", err, "hint", fault.Hint(err))
		return
	}
	s.d.Log.Error("opening the game failed", "dir", what, "err", err, "hint", fault.Hint(err))
}

// WithID returns the game with an ID, ignoring case; nil if there is none.
func (s *GameSet) WithID(id string) *Game { return s.byID[strings.ToLower(id)] }

// WithKey returns the game with a key in the store; nil if there is none.
func (s *GameSet) WithKey(key string) *Game {
	id, _, _ := strings.Cut(key, ".")
	if g := s.WithID(id); g != nil && g.Key == key {
		return g
	}
	return nil
}

// Settings returns those of all games. It returns the same list until one changes.
func (s *GameSet) Settings() []*vault.Settings {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if !s.stale {
		return s.listed
	}
	s.listed = make([]*vault.Settings, len(s.Games))
	for i, g := range s.Games {
		s.listed[i] = g.settings.Load()
	}
	s.stale = false
	return s.listed
}

// Admit opens a newly created game. d.Mu is held.
func (s *GameSet) Admit(dir string) (*Game, error) {
	v, _, err := s.read(dir)
	if err != nil {
		return nil, err
	}
	if v == nil {
		return nil, fmt.Errorf("%s: %w", dir, vault.ErrNotAGame)
	}
	if err := s.add(v); err != nil {
		return nil, err
	}
	s.closed = slices.DeleteFunc(s.closed, func(c string) bool { return c == dir })
	slices.SortFunc(s.Games, func(a, b *Game) int { return strings.Compare(a.ID, b.ID) })
	s.d.listPaths()
	return s.byDir[dir], nil
}
