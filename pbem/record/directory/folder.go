package directory

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"starpost/pbem/disk"
	"starpost/pbem/fault"
	"starpost/pbem/record"
)

// putFolder builds a folder, syncs it and renames it to its final name.
func (t *Tree) putFolder(f record.Fence, base *record.Version, c record.Change) (err error) {
	if err := t.ours(f); err != nil {
		return err
	}
	if fits, err := t.fits(base, c); err != nil || !fits {
		return cmp.Or(err, t.madeAlready(c))
	}
	to, parent := t.Place(c.Dir), t.Place(path.Dir(c.Dir))
	// Each holder of the lock builds in its own folder, because an earlier holder may not know yet that it lost the lock.
	tmp := filepath.Join(parent, fmt.Sprintf("%s.%d", building, f))
	defer func() {
		if err == nil || errors.Is(err, record.ErrStopped) {
			return
		}
		if rerr := os.RemoveAll(tmp); rerr != nil {
			err = fmt.Errorf("%w (and %s could not be removed: %w)", err, tmp, rerr)
		}
	}()
	if err := os.RemoveAll(tmp); err != nil {
		return system("clear a leftover", tmp, err)
	}
	files := make([]record.File, len(c.Put))
	for i, f := range c.Put {
		f.Name = strings.TrimPrefix(f.Name, c.Dir+"/")
		files[i] = f
	}
	if err := t.build(tmp, files); err != nil {
		return err
	}
	if err := t.before("rename"); err != nil {
		return err
	}
	// Check again, because building takes time.
	if err := t.may(f, c); err != nil {
		return err
	}
	if fits, err := t.fits(base, c); err != nil || !fits {
		return cmp.Or(err, t.madeAlready(c))
	}
	if c.Replace {
		if err := os.RemoveAll(to); err != nil {
			return system("clear a leftover", to, err)
		}
	}
	if err := os.Rename(tmp, to); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return record.ErrCommitted
		}
		return system(c.Doing, to, err)
	}
	if err := t.before("sync turns"); err != nil {
		return err
	}
	return system(c.Doing, parent, disk.SyncDir(parent))
}

// build writes and syncs a new directory.
func (t *Tree) build(dir string, files []record.File) error {
	if err := os.Mkdir(dir, dirMode); err != nil {
		return system("write the turn", dir, err)
	}
	made := map[string]bool{".": true}
	for _, f := range files {
		if err := t.before("file"); err != nil {
			return err
		}
		if sub := path.Dir(f.Name); !made[sub] {
			full := filepath.Join(dir, filepath.FromSlash(sub))
			if err := os.MkdirAll(full, dirMode); err != nil {
				return system("write the turn", full, err)
			}
			made[sub] = true
		}
		full := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := writeFile(full, f.Data); err != nil {
			return err
		}
		if !f.Modified.IsZero() {
			if err := os.Chtimes(full, f.Modified, f.Modified); err != nil {
				return system("write the turn", full, err)
			}
		}
	}
	if err := t.before("sync"); err != nil {
		return err
	}
	return system("sync", dir, disk.SyncTree(dir))
}

// writeFile writes a new file. It does not sync.
func writeFile(name string, data []byte) error {
	f, err := disk.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return system("write", name, err)
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(system("write", name, err), f.Close())
	}
	return system("write", name, f.Close())
}

// Create makes the directory of a game. The directory must be missing or empty. It counts as a game once the last
// file is there.
func (t *Tree) Create(files []record.File) (err error) {
	if err := (record.Change{Put: files}).Check(nil); err != nil {
		return err
	}
	_, was := os.Stat(t.dir)
	if err := t.makeEmpty(); err != nil {
		return err
	}
	tmp := t.Place(building)
	err = t.build(tmp, files)
	if err == nil {
		orders := filepath.Join(tmp, record.Orders) // also of a game without orders
		err = system("create the game", orders, os.MkdirAll(orders, dirMode))
	}
	if err != nil {
		err = errors.Join(err, os.RemoveAll(tmp))
		if errors.Is(was, fs.ErrNotExist) {
			err = errors.Join(err, os.Remove(t.dir)) // makeEmpty made it
		}
		return err
	}
	for _, name := range tops(files) {
		if err := os.Rename(filepath.Join(tmp, name), filepath.Join(t.dir, name)); err != nil {
			return system("create the game", filepath.Join(t.dir, name), err)
		}
	}
	if err := os.Remove(tmp); err != nil {
		return system("create the game", tmp, err)
	}
	for _, d := range []string{t.dir, filepath.Dir(t.dir)} {
		if err := disk.SyncDir(d); err != nil {
			return system("create the game", d, err)
		}
	}
	return nil
}

// tops returns the top-level names of a game with these files, with that of the last file last.
func tops(files []record.File) []string {
	names, seen := []string{record.Orders}, map[string]bool{record.Orders: true}
	last, _, _ := strings.Cut(files[len(files)-1].Name, "/")
	for _, f := range files {
		top, _, _ := strings.Cut(f.Name, "/")
		if top != last && !seen[top] {
			names, seen[top] = append(names, top), true
		}
	}
	return append(names, last)
}

// makeEmpty makes the directory, accessible to its owner only, or checks that it is empty. It removes what an
// interrupted Create left.
func (t *Tree) makeEmpty() error {
	if err := os.MkdirAll(t.dir, dirMode); err != nil {
		return system("create the game", t.dir, err)
	}
	entries, err := os.ReadDir(t.dir)
	if err != nil {
		return system("create the game", t.dir, err)
	}
	for _, e := range entries {
		if e.Name() == building && e.IsDir() {
			continue
		}
		way := "choose another directory"
		if e.Name() == "game.toml" {
			way = "it already contains a game: choose another directory"
		}
		return &fault.Fault{Path: t.dir, Problem: fmt.Sprintf("the directory is not empty (%s)", e.Name()), Way: way, Err: record.ErrExists}
	}
	return system("create the game", t.dir, os.RemoveAll(t.Place(building)))
}
