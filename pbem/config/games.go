package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// gameFile is what makes a directory a game.
const gameFile = "game.toml"

// GameDirs gives the game directories that there are now, sorted, each once. A
// pattern may match nothing, and what it matches without being a game (see [Config.HoldsGame]) is
// passed over; a directory that is named outright must be one. The error joins
// all that are not; the other directories are returned with it.
func (c *Config) GameDirs() ([]string, error) {
	dirs, _, err := NewGameFinder(c).Find(time.Time{})
	all := []error{err}
	games := slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool {
		game, err := c.HoldsGame(dir)
		all = append(all, err)
		return !game
	})
	return games, errors.Join(all...)
}

// NewGames is the folder that games which are made by mail go to: that of the first pattern
// that takes whatever lies in one folder.
func (c *Config) NewGames() (folder string, ok bool) {
	for _, p := range c.Games {
		if folder = filepath.Dir(p); filepath.Base(p) == "*" && !globMeta().MatchString(folder) {
			return folder, true
		}
	}
	return "", false
}

// lostAndFound is what file systems bring along for their own repair, closed to all but root.
const lostAndFound = "lost+found"

// HoldsGame tells whether a directory that a [GameFinder] found is that of a game. One that
// cannot be looked into counts as one: who opens it is told why it cannot be. The error says why
// one that is named outright is none.
func (c *Config) HoldsGame(dir string) (bool, error) {
	err := isGame(dir)
	if err != nil && slices.Contains(c.Games, dir) && !globMeta().MatchString(dir) {
		return false, fmt.Errorf("%s is not a game directory: %w", dir, err)
	}
	_, closed := errors.AsType[*fs.PathError](err)
	return err == nil || closed && !errors.Is(err, syscall.ENOTDIR) && filepath.Base(dir) != lostAndFound, nil
}

// GameFinder finds what may be game directories, again and again. A folder in which
// nothing came or went is not listed again.
type GameFinder struct {
	c      *Config
	listed map[string]folder // by pattern
	found  []string
}

// folder is a folder as it was listed.
type folder struct {
	modified time.Time // zero: it may have changed
	dirs     []string
}

// NewGameFinder makes one for the games of a configuration.
func NewGameFinder(c *Config) *GameFinder { return &GameFinder{c: c, listed: map[string]folder{}} }

// settling is longer than any tick of a file system: what changed within it may change
// once more without a trace.
const settling = 3 * time.Second

// Find gives the directories that are named and those that patterns match, sorted, each
// once, be they games or not, and tells whether they are other ones than the last time. The
// list must not be changed. The error joins the patterns that cannot be matched.
func (f *GameFinder) Find(now time.Time) (dirs []string, changed bool, err error) {
	var all []error
	changed = f.found == nil
	for _, p := range f.c.Games {
		if !globMeta().MatchString(p) {
			continue
		}
		known, ok := f.listed[p]
		above := filepath.Dir(p)
		var modified time.Time
		if info, err := os.Stat(above); err == nil && !globMeta().MatchString(above) {
			modified = info.ModTime()
		}
		if ok && !modified.IsZero() && modified.Equal(known.modified) {
			continue
		}
		matches, err := filepath.Glob(p)
		if err != nil {
			all = append(all, fmt.Errorf("games %q: %w", p, err))
		}
		if !modified.Before(now.Add(-settling)) {
			modified = time.Time{}
		}
		changed = changed || !slices.Equal(matches, known.dirs)
		f.listed[p] = folder{modified, matches}
	}
	if !changed {
		return f.found, false, errors.Join(all...)
	}
	f.found = []string{}
	for _, p := range f.c.Games {
		if globMeta().MatchString(p) {
			f.found = append(f.found, f.listed[p].dirs...)
		} else {
			f.found = append(f.found, p)
		}
	}
	slices.Sort(f.found)
	f.found = slices.Compact(f.found)
	return f.found, true, errors.Join(all...)
}

func isGame(dir string) error {
	info, err := os.Stat(filepath.Join(dir, gameFile))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("it has no %s: %w", gameFile, fs.ErrNotExist)
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		return errors.New(gameFile + " is a directory")
	}
	return nil
}
