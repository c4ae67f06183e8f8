package vault

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"starpost/engine"
)

// building is the directory below turns in which a turn is built.
const building = ".new"

// Commit makes a turn part of the game: files and their manifest are written
// aside, synced and renamed into place. Format, Game, Turn, Previous, Base and
// Files of the manifest are filled in here. After that the order sets of the
// turn, which must be among the files, are taken out of orders/. On an error
// before the rename nothing is changed. Turn m.Turn must be the next one;
// an earlier one is ErrCommitted. State, if not nil, is what state.json holds.
func (g *Game) Commit(m Manifest, files []File, state *engine.Game) error {
	return g.locked(func() error {
		if m.Turn < g.turns {
			return &Error{
				Path: g.turnPath(m.Turn), Problem: fmt.Sprintf("turn %d is already committed", m.Turn),
				Way: fmt.Sprintf("turn %d is due", g.turns), Err: ErrCommitted,
			}
		}
		if m.Turn > g.turns {
			return fmt.Errorf("commit turn %d of %s: turn %d is due: %w", m.Turn, g.ID(), g.turns, ErrNoTurn)
		}
		prev, err := os.ReadFile(g.turnPath(m.Turn-1, ManifestFile))
		if err != nil {
			return missing(g.turnPath(m.Turn-1, ManifestFile), err)
		}
		m.Previous = Hash(prev)
		if err := g.commit(m, files); err != nil {
			return err
		}
		g.turns++
		if state != nil {
			g.keep(m.Turn, state)
		}
		return g.clean()
	})
}

// errCrash is returned as it is: nothing is tidied up.
var errCrash = errors.New("stopped as by a crash")

func (g *Game) before(name string) error {
	if g.step == nil {
		return nil
	}
	return g.step(name)
}

func (g *Game) commit(m Manifest, files []File) error {
	tmp := g.path("turns", building)
	err := g.build(tmp, m, files)
	if err == nil {
		err = g.before("rename")
	}
	if errors.Is(err, errCrash) {
		return err
	}
	if err == nil {
		if err = os.Rename(tmp, g.turnPath(m.Turn)); err != nil {
			err = system("commit the turn", g.turnPath(m.Turn), err)
		}
	}
	if err != nil {
		if rerr := os.RemoveAll(tmp); rerr != nil {
			return fmt.Errorf("%w (and %s could not be removed: %w)", err, tmp, rerr)
		}
		return err
	}
	if err := g.before("sync turns"); err != nil {
		return err
	}
	if err := syncDir(g.path("turns")); err != nil {
		return system("commit the turn", g.path("turns"), err)
	}
	return nil
}

// build writes and syncs a turn's directory.
func (g *Game) build(tmp string, m Manifest, files []File) error {
	if err := g.before("build"); err != nil {
		return err
	}
	if err := os.RemoveAll(tmp); err != nil {
		return system("clear a leftover", tmp, err)
	}
	return writeTurn(tmp, g.settings.ID, m, files, g.before)
}

// writeTurn writes files and manifest into a new directory and syncs them.
func writeTurn(dir, id string, m Manifest, files []File, before func(string) error) error {
	m.Format, m.Game = Format, id
	m.Files = make(map[string]string, len(files))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return system("write the turn", dir, err)
	}
	made := map[string]bool{".": true}
	for i, f := range files {
		if !fs.ValidPath(f.Name) || m.Files[f.Name] != "" || f.Name == ManifestFile {
			return fmt.Errorf("write turn %d of %s: %q cannot be the name of a file, or stands twice", m.Turn, id, f.Name)
		}
		m.Files[f.Name] = Fingerprint(f.Name, f.Data)
		if sub := path.Dir(f.Name); !made[sub] {
			if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(sub)), 0o755); err != nil {
				return system("write the turn", filepath.Join(dir, sub), err)
			}
			for ; !made[sub]; sub = path.Dir(sub) {
				made[sub] = true
			}
		}
		if i == len(files)/2 {
			if err := before("half written"); err != nil {
				return err
			}
		}
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data, 0o644); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return fmt.Errorf("write manifest of turn %d: %w", m.Turn, err)
	}
	if err := writeFile(filepath.Join(dir, ManifestFile), append(text, '\n'), 0o644); err != nil {
		return err
	}
	if err := before("sync"); err != nil {
		return err
	}
	return syncTree(dir)
}

// writeFile writes a new file. It does not sync.
func writeFile(name string, data []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return system("write", name, err)
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(system("write", name, err), f.Close())
	}
	if err := f.Close(); err != nil {
		return system("write", name, err)
	}
	return nil
}

// clean does what a crash may have left undone: it removes a turn that was
// being built, and the order sets of the last committed turn.
func (g *Game) clean() error {
	if err := g.before("clean"); err != nil {
		return err
	}
	tmp := g.path("turns", building)
	if err := os.RemoveAll(tmp); err != nil {
		return system("clear a leftover", tmp, err)
	}
	return g.sweepOrders()
}

// sweepOrders removes from orders/ what belongs to turns that are committed. A
// set in force belongs to the last turn if it is, byte for byte, what the turn
// took, as the manifest tells; one that came in since stays.
func (g *Game) sweepOrders() error {
	m, err := g.Manifest(g.Turn())
	if err != nil {
		return err
	}
	files, err := readOrders(g.path("orders"))
	if err != nil {
		return err
	}
	done := false
	for _, f := range files {
		if want, ok := m.Taken[filepath.Base(f.Path)]; !ok || Hash(f.Text) != want {
			continue
		}
		if err := g.before("sweep"); err != nil {
			return err
		}
		if err := os.Remove(f.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return system("take the resolved orders out", f.Path, err)
		}
		done = true
	}
	if err := g.sweepLater(); err != nil {
		return err
	}
	if !done {
		return nil
	}
	if err := syncDir(g.path("orders")); err != nil {
		return system("take the resolved orders out", g.path("orders"), err)
	}
	return nil
}

// sweepLater removes what was sent ahead for turns that are committed.
func (g *Game) sweepLater() error {
	dir := g.path("orders", "later")
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return system("read orders", dir, err)
	}
	for _, e := range entries {
		n, ok := turnNumber(e.Name())
		if !ok || n > g.Turn() {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return system("take the resolved orders out", filepath.Join(dir, e.Name()), err)
		}
	}
	return nil
}
