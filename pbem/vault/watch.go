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
)

// Watcher looks whether others changed games, as cheaply as the file system can be
// asked: who looks after very many games does so all the time, and opens those alone that
// changed. It is for one goroutine. The zero value is ready; Close it.
//
// It sees what a person writes by hand: game.toml, and what lies in orders/. What a
// process of ours does to a game, it does with the lock held, and the end of that shows
// in orders/ too (see [Game.Unlock]). Anything else, as a turn that was put back from a
// backup, Thorough sees.
type Watcher struct{ disk disk.Looker }

// Close gives back what looking has opened.
func (w *Watcher) Close() error { return w.disk.Close() }

// Mark is how files were: another one means that something changed. They may be
// compared.
type Mark struct {
	sum    uint64
	newest int64 // when one of the files changed last, in nanoseconds
}

// Settled tells that the files had not changed for a while when the mark was taken,
// at that moment: two changes at one tick of the file system's clock leave one mark.
func (m Mark) Settled(taken time.Time) bool { return m.newest < taken.Add(-settling).UnixNano() }

// settling is longer than any tick of a file system.
const settling = 3 * time.Second

// add has a mark hang on more figures, all of which decide.
func (m *Mark) add(figures ...uint64) {
	for _, n := range figures {
		// The finalizer of MurmurHash3: each bit of the figure changes half of those of the sum.
		n ^= m.sum + 0x9e3779b97f4a7c15
		n = (n ^ n>>33) * 0xff51afd7ed558ccd
		n = (n ^ n>>33) * 0xc4ceb9fe1a85ec53
		m.sum = n ^ n>>33
	}
}

// addFile adds a file of a game, by its slash-separated name; the error is that of
// looking at it, and counts as a fact too.
func (w *Watcher) addFile(m *Mark, g *Game, name string) error {
	f, err := w.look(g.tree, name)
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

// look asks for a file of a record that is kept on a disk; others keep watch by themselves.
func (w *Watcher) look(tree files, name string) (disk.Facts, error) {
	t, ok := tree.Tree.(interface {
		Look(l *disk.Looker, name string) (disk.Facts, error)
	})
	if !ok {
		return disk.Facts{}, errors.ErrUnsupported
	}
	return t.Look(&w.disk, name)
}

// String is the mark's sum, for one who keeps it.
func (m Mark) String() string { return strconv.FormatUint(m.sum, 16) }

// Look takes the mark of a game. The error is fs.ErrNotExist when the game is gone.
func (w *Watcher) Look(g *Game) (m Mark, err error) {
	if err := w.addFile(&m, g, "game.toml"); errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	_ = w.addFile(&m, g, "orders") // what is wrong with a file is in the mark
	for _, name := range g.Orders.watched {
		_ = w.addFile(&m, g, name)
	}
	return m, nil
}

// Listen has all heard that Look sees of a game, and gives the numbers of the folders: first that of the game. The error is that of
// [disk.Listener]; it is disk.ErrUnheard of a record that is not kept on a disk.
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
			continue // that it comes to be is heard in the folder around it
		}
		if err != nil {
			return folders, err
		}
		folders = append(folders, id)
	}
	return folders, nil
}

// ByHand tells whether what is so named in a game's folder is what Look looks at; "" is the folder.
func ByHand(name string) bool { return name == "" || name == settingsFile || name == ordersDir }

// Thorough takes the mark of what Look leaves out.
func (w *Watcher) Thorough(g *Game) (m Mark) {
	for _, name := range []string{JournalFile, "turns", "secret"} {
		_ = w.addFile(&m, g, name)
	}
	return m
}

// Touched sums up names, sizes and times of a game's settings, tables and orders, and which turns there are: another
// sum tells that someone touched the game.
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

// Watched are the files of order sets that a mark is taken of, by their names in the game's
// directory.
func (o *Orders) Watched() []string { return o.watched }

// Watch has marks taken of these, until order sets are read.
func (o *Orders) Watch(sets []string) { o.watched = sets }

// watch has the files of order sets watched, each by itself: a file that is
// written in its place leaves its directory as it was.
func (o *Orders) watch(found []OrderFile) {
	o.watched = nil
	for _, f := range found {
		o.watched = append(o.watched, f.File)
	}
}
