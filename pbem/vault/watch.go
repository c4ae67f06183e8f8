package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"starpost/pbem/disk"
	"starpost/pbem/record"
)

// Watcher detects changes to games by others, as cheaply as the file system allows: a process with very many games
// polls them all and opens only those that changed. It is for one goroutine. The zero value is ready; Close it.
//
// It detects what people edit by hand: game.toml and orders/. Our own processes change a game while they hold the lock,
// and releasing it shows in orders/ too (see [Game.Unlock]). Thorough detects anything else, such as a turn restored
// from a backup.
type Watcher struct{ disk disk.Looker }

// Close releases what was opened for watching.
func (w *Watcher) Close() error { return w.disk.Close() }

// Mark identifies a state of files: a different mark means that something changed. Marks may be compared.
type Mark struct {
	sum    uint64
	newest int64 // time of the last change to a file, in nanoseconds
}

// Settled reports whether the files had been unchanged for a while when the mark was taken, at the given time: two
// changes within one tick of the file system's clock give the same mark.
func (m Mark) Settled(taken time.Time) bool { return m.newest < taken.Add(-settling).UnixNano() }

// settling is longer than any tick of a file system.
const settling = 3 * time.Second

// add mixes more figures into a mark.
func (m *Mark) add(figures ...uint64) {
	for _, n := range figures {
		// The finalizer of MurmurHash3: each bit of the figure changes half of those of the sum.
		n ^= m.sum + 0x9e3779b97f4a7c15
		n = (n ^ n>>33) * 0xff51afd7ed558ccd
		n = (n ^ n>>33) * 0xc4ceb9fe1a85ec53
		m.sum = n ^ n>>33
	}
}

// addFile adds a file of a game, by its slash-separated name. The error is that of looking at it, which is part of the
// mark too.
func (w *Watcher) addFile(m *Mark, tree record.Tree, name string) error {
	f, err := w.look(tree, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		m.add(0)
	case err != nil:
		m.add(1)
	default:
		m.add(2, f.Inode, uint64(f.Size), uint64(f.Modified), uint64(f.Changed))
		m.newest = max(m.newest, f.Modified, f.Changed)
	}
	return err
}

// look returns the facts of a file in a record on disk; other records detect changes themselves.
func (w *Watcher) look(tree record.Tree, name string) (disk.Facts, error) {
	t, ok := tree.(interface {
		Look(l *disk.Looker, name string) (disk.Facts, error)
	})
	if !ok {
		return disk.Facts{}, errors.ErrUnsupported
	}
	return t.Look(&w.disk, name)
}

// String returns the mark's sum, for storage.
func (m Mark) String() string { return strconv.FormatUint(m.sum, 16) }

// Look returns the mark of a game. The error is fs.ErrNotExist if the game is gone.
func (w *Watcher) Look(g *Game) (m Mark, err error) {
	if err := w.addFile(&m, g.tree.Tree, settingsFile); errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	_ = w.addFile(&m, g.tree.Tree, ordersDir) // an error about a file is part of the mark
	for _, name := range g.Orders.watched {
		_ = w.addFile(&m, g.tree.Tree, name)
	}
	return m, nil
}

// Listen listens to everything that Look checks of a game, and returns the IDs of the folders: that of the game first.
// The error is that of [disk.Listener]; it is disk.ErrUnheard for a record that is not on a disk.
func Listen(l *disk.Listener, g *Game) (folders []int32, err error) {
	t, ok := g.tree.Tree.(interface {
		Listen(l *disk.Listener, name string) (int32, error)
	})
	if !ok {
		return nil, disk.ErrUnheard
	}
	names := []string{".", ordersDir}
	for _, file := range g.Orders.watched {
		if dir := path.Dir(file); !slices.Contains(names, dir) {
			names = append(names, dir)
		}
	}
	for _, name := range names {
		id, err := t.Listen(l, name)
		if errors.Is(err, fs.ErrNotExist) && name != "." {
			continue // its creation is heard in its parent folder
		}
		if err != nil {
			return folders, err
		}
		folders = append(folders, id)
	}
	return folders, nil
}

// ByHand reports whether Look checks a file of that name in a game's folder; "" is the folder.
func ByHand(name string) bool { return name == "" || name == settingsFile || name == ordersDir }

// Thorough returns the mark of what Look leaves out.
func (w *Watcher) Thorough(g *Game) (m Mark) {
	for _, name := range []string{JournalFile, "turns", "secret"} {
		_ = w.addFile(&m, g.tree.Tree, name)
	}
	return m
}

// Record returns the mark of a game that need not be open: of its settings, journal, turns and orders. The error is about its
// settings: fs.ErrNotExist if there is no game, errors.ErrUnsupported if the record cannot be watched.
func (w *Watcher) Record(tree record.Tree) (m Mark, err error) {
	if err := w.addFile(&m, tree, settingsFile); err != nil {
		return m, err
	}
	for _, name := range []string{JournalFile, turnsDir, ordersDir} {
		_ = w.addFile(&m, tree, name) // an error about a file is part of the mark
	}
	return m, nil
}

// Touched returns a hash of names, sizes and times of a game's settings, tables and orders, and of which turns there
// are: another hash means that someone changed the game.
func Touched(g *Game) (string, error) {
	var list []byte
	err := fs.WalkDir(g.tree, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path.Dir(name) == turnsDir {
			list = fmt.Appendln(list, name)
			return fs.SkipDir
		}
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		list = fmt.Appendln(list, name, info.Size(), info.ModTime().UnixNano())
		return nil
	})
	return Hash(list), system("look at the game", g.Dir(), err)
}

// Watched returns the files of order sets that are part of a mark, by their names in the game's directory.
func (o *Orders) Watched() []string { return o.watched }

// Watch sets these files, until order sets are read.
func (o *Orders) Watch(sets []string) { o.watched = sets }

// watch sets the files of order sets to watch one by one: a file overwritten in place does not change its directory.
func (o *Orders) watch(found []OrderFile) {
	o.watched = nil
	for _, f := range found {
		o.watched = append(o.watched, f.File)
	}
}
