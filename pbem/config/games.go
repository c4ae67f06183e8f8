package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// gameFile is what makes a directory a game.
const gameFile = "game.toml"

// GameDirs gives the game directories that there are now, sorted, each once. A
// pattern may match nothing, and what it matches without being a game is
// passed over; a directory that is named outright must be one. The error joins
// all that are not; the other directories are returned with it.
func (c *Config) GameDirs() ([]string, error) {
	var dirs []string
	var all []error
	for _, p := range c.Games {
		if !globMeta().MatchString(p) {
			if err := isGame(p); err != nil {
				all = append(all, fmt.Errorf("%s is no game directory: %w", p, err))
				continue
			}
			dirs = append(dirs, p)
			continue
		}
		matches, err := filepath.Glob(p)
		if err != nil {
			all = append(all, fmt.Errorf("games %q: %w", p, err))
			continue
		}
		for _, m := range matches {
			if isGame(m) == nil {
				dirs = append(dirs, m)
			}
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs), errors.Join(all...)
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
