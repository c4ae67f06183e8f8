// Package spare finds and removes what a host no longer needs: games that are over, handled mails, archives
// next to the games.
package spare

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"starpost/pbem/config"
	"starpost/pbem/record/directory"
	"starpost/pbem/store/hosted"
	"starpost/pbem/store/sqlstore"
	"starpost/pbem/vault"
)

// Item is one kind of what a host no longer needs: its amount, and the directories or files.
type Item struct {
	What  string   `json:"what"` // one of Kinds
	Count int      `json:"count"`
	Bytes int64    `json:"bytes"`
	Paths []string `json:"paths,omitempty"`
}

// The kinds of items.
const (
	Games    = "games"    // that are over; their pages and ratings go with them
	Mails    = "mails"    // raw copies of handled mails
	Archives = "archives" // next to the games
)

// Kinds returns the kinds.
func Kinds() []string { return []string{Games, Mails, Archives} }

// Age is the default minimum age.
const Age = 90 * 24 * time.Hour

// clearedName is the name of the settings file of a game that is being removed: then it is no game any more,
// and the next run finds the rest after a kill.
const clearedName = "cleared.toml"

// Find counts what is older than a given time: games that were over by then, mails that arrived, archives that
// were written. It changes nothing.
func Find(ctx context.Context, c *config.Config, cat vault.Catalogue, before time.Time) ([]Item, error) {
	games, mails, archives := Item{What: Games}, Item{What: Mails}, Item{What: Archives}
	dirs, err := c.GameDirs()
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		if over, err := overBefore(dir, cat, before); err != nil || !over {
			continue // other commands report unreadable games
		}
		if err := games.add(dir); err != nil {
			return nil, err
		}
	}
	for _, pattern := range c.Games {
		half, err := filepath.Glob(filepath.Join(pattern, clearedName))
		if err != nil {
			return nil, fmt.Errorf("look for what may go: %w", err)
		}
		for _, file := range half {
			if err := games.add(filepath.Dir(file)); err != nil {
				return nil, err
			}
		}
		files, err := filepath.Glob(filepath.Join(filepath.Dir(pattern), "*.zip"))
		if err != nil {
			return nil, fmt.Errorf("look for what may go: %w", err)
		}
		for _, file := range files {
			if info, err := os.Stat(file); err != nil || !info.ModTime().Before(before) || slices.Contains(archives.Paths, file) || !isArchive(file) {
				continue
			}
			if err := archives.add(file); err != nil {
				return nil, err
			}
		}
	}
	err = hosted.View(ctx, c, func(s *sqlstore.Store) (err error) {
		mails.Count, mails.Bytes, err = s.SpareRaws(ctx, before)
		return err
	})
	if err != nil {
		return nil, err
	}
	return []Item{games, mails, archives}, nil
}

// Clear permanently removes some kinds, and returns what it removed. A daemon may be running.
func Clear(ctx context.Context, c *config.Config, cat vault.Catalogue, before time.Time, kinds []string) (gone []Item, err error) {
	found, err := Find(ctx, c, cat, before)
	if err != nil {
		return nil, err
	}
	for _, s := range found {
		if !slices.Contains(kinds, s.What) {
			continue
		}
		switch s.What {
		case Games:
			for _, dir := range s.Paths {
				if err := removeGame(dir, cat, before); err != nil {
					return gone, err
				}
			}
		case Archives:
			for _, file := range s.Paths {
				if err := os.Remove(file); err != nil {
					return gone, fmt.Errorf("remove an archive: %w", err)
				}
			}
		case Mails:
			if s.Count > 0 {
				if err := hosted.Change(ctx, c, func(st *sqlstore.Store) error {
					_, err := st.DeleteRaws(ctx, before)
					return err
				}); err != nil {
					return gone, err
				}
			}
		}
		gone = append(gone, s)
	}
	return gone, nil
}

// add counts a file, or a directory with all its content.
func (s *Item) add(path string) error {
	err := filepath.WalkDir(path, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			s.Bytes += info.Size()
		}
		return err
	})
	s.Count++
	s.Paths = append(s.Paths, path)
	return err
}

// overBefore reports whether a game was over by a given time.
func overBefore(dir string, cat vault.Catalogue, before time.Time) (bool, error) {
	g, err := vault.Open(directory.At(dir), cat)
	if err != nil {
		return false, err
	}
	state, err := g.Stages.State(vault.At(g.Turn()))
	if err != nil || state.Result == nil {
		return false, err
	}
	m, err := g.Stages.Manifest(vault.At(g.Turn()))
	return err == nil && m.Resolved.Before(before), err
}

// removeGame removes a game, if it is still over.
func removeGame(dir string, cat vault.Catalogue, before time.Time) (err error) {
	settings := filepath.Join(dir, "game.toml")
	if _, err := os.Lstat(filepath.Join(dir, clearedName)); err != nil {
		g, err := vault.Open(directory.At(dir), cat)
		if err != nil {
			return err
		}
		if err := g.Lock(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, ignoreGone(g.Unlock())) }()
		if over, err := overBefore(dir, cat, before); err != nil || !over {
			return err
		}
		if err := os.Rename(settings, filepath.Join(dir, clearedName)); err != nil {
			return fmt.Errorf("remove game %s: %w", dir, err)
		}
	}
	// The file that marks the removal goes last.
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("remove game %s: %w", dir, err)
	}
	for _, e := range entries {
		if e.Name() != clearedName {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return fmt.Errorf("remove game %s: %w", dir, err)
			}
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove game %s: %w", dir, err)
	}
	return nil
}

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// isArchive reports whether a ZIP file is an archive of a game.
func isArchive(file string) bool {
	z, err := zip.OpenReader(file)
	if err != nil {
		return false
	}
	ours := slices.ContainsFunc(z.File, func(f *zip.File) bool { return f.Name == "game/game.toml" })
	return z.Close() == nil && ours
}

// Words summarises the items in one line.
func Words(all []Item, file string) string {
	var words []string
	for _, s := range all {
		if s.Count > 0 {
			words = append(words, fmt.Sprintf("%d %s (%d bytes)", s.Count, s.What, s.Bytes))
		}
	}
	if len(words) == 0 {
		return "nothing that is older than 90 days"
	}
	return strings.Join(words, ", ") + ", older than 90 days: starpost clear --config " + file
}
