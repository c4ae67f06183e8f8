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

// gameFile makes a directory a game.
const gameFile = "game.toml"

// GameDirs returns the current game directories, sorted and without duplicates. A pattern may match
// nothing, and matches that are not games (see [Config.HoldsGame]) are skipped; a directory named
// explicitly must be a game. The error joins all that are not; the other directories are returned
// with it.
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

// Candidates is GameDirs without a look into the matches of patterns: they may be no games.
func (c *Config) Candidates() ([]string, error) {
	dirs, _, err := NewGameFinder(c).Find(time.Time{})
	all := []error{err}
	dirs = slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool {
		if !slices.Contains(c.Games, dir) {
			return filepath.Base(dir) == lostAndFound
		}
		game, err := c.HoldsGame(dir)
		all = append(all, err)
		return !game
	})
	return dirs, errors.Join(all...)
}

// NewGames returns the folder for games created by mail: that of the first pattern that matches
// everything in one folder.
func (c *Config) NewGames() (folder string, ok bool) {
	for _, p := range c.Games {
		if folder = filepath.Dir(p); filepath.Base(p) == "*" && !globMeta().MatchString(folder) {
			return folder, true
		}
	}
	return "", false
}

// lostAndFound is created by file systems for their own repair and readable only by root.
const lostAndFound = "lost+found"

// HoldsGame reports whether a directory found by a [GameFinder] is a game. An unreadable one counts
// as a game, so that opening it reports why. The error says why an explicitly named directory is no
// game.
func (c *Config) HoldsGame(dir string) (bool, error) {
	err := isGame(dir)
	if err != nil && slices.Contains(c.Games, dir) && !globMeta().MatchString(dir) {
		return false, fmt.Errorf("%s is not a game directory: %w", dir, err)
	}
	_, closed := errors.AsType[*fs.PathError](err)
	return err == nil || closed && !errors.Is(err, syscall.ENOTDIR) && filepath.Base(dir) != lostAndFound, nil
}

// GameFinder finds directories that may be games, repeatedly. A folder without changes is not
// listed again.
type GameFinder struct {
	c      *Config
	listed map[string]folder // by pattern
	found  []string
}

// folder is a listed folder.
type folder struct {
	modified time.Time // zero: it may have changed
	dirs     []string
}

// NewGameFinder returns a finder for the games of a configuration.
func NewGameFinder(c *Config) *GameFinder { return &GameFinder{c: c, listed: map[string]folder{}} }

// settling is longer than the time resolution of any file system: a file changed within it may
// change again without a trace.
const settling = 3 * time.Second

// Find returns the directories that are named or match patterns, sorted and without duplicates,
// whether or not they are games. It reports whether they have changed since the last call. The list
// must not be modified. The error joins the invalid patterns.
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
