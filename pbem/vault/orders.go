package vault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"starpost/pbem/disk"
	"starpost/pbem/vault/journal"

	"github.com/google/renameio/v2"
)

// MaxOrders is the largest order file, in bytes. A larger one is reported, not
// read.
const MaxOrders = 1 << 20

// OrderFile is one order set as it lies on disk.
type OrderFile struct {
	Name     string    // "Hood" for a ship, "@Kirk" for a captain
	Path     string    // the file
	Text     []byte    // nil when TooLarge
	TooLarge bool      // over MaxOrders
	Modified time.Time // of the file
	Ahead    bool      // it was sent before its turn was due
}

// CanHold tells whether there may be an order set of a ship's or, after "@", a
// captain's name: not every name can be one of a file.
func CanHold(name string) bool { _, err := journal.SetFile(name); return err == nil }

// PutOrders replaces the whole order set of a ship ("Hood") or captain
// ("@Kirk") for a turn, the one that is due or a later one. When it returns nil
// the set is on stable storage, but see [Game.Defer]; after an error the earlier
// set is still there.
func (g *Game) PutOrders(turn int, name string, text []byte) error {
	return g.PutStageOrders(Stage{Turn: turn}, name, text, time.Time{})
}

// PutStageOrders is PutOrders for any stage that is due or to come, and for a set that
// was received at a moment, which becomes the file's time and so [OrderFile.Modified];
// zero is now by the file system's clock.
func (g *Game) PutStageOrders(at Stage, name string, text []byte, received time.Time) error {
	file, err := journal.SetFile(name)
	if err != nil {
		return err
	}
	return g.locked(func() error {
		dir, err := g.stageOrders(at)
		if err != nil {
			return err
		}
		if err := g.stillOurs(); err != nil {
			return err
		}
		return g.notingReplaced(at, name, text, func() error { return g.putOrders(dir, name, file, text, received) })
	})
}

// putOrders stores a set in the directory for its stage.
func (g *Game) putOrders(dir, name, file string, text []byte, received time.Time) error {
	path := filepath.Join(dir, file)
	if g.unsettled != nil {
		return g.putDeferred(dir, path, text, received)
	}
	delete(g.texts, path)
	err := replaceFile(path, text, received)
	if errors.Is(err, fs.ErrNotExist) { // the first set of its turn
		if err := disk.MakeDir(dir, dirMode); err != nil {
			return system("store orders", dir, err)
		}
		err = replaceFile(path, text, received)
	}
	if err != nil {
		return system("store orders", path, err)
	}
	if _, err := removeOrders(dir, name, file); err != nil {
		return err
	}
	return g.settleDir("store orders", dir)
}

// settleDir puts the entries of a directory on stable storage, now or later.
func (g *Game) settleDir(doing, dir string) error {
	if g.unsettled != nil {
		g.unsettled.DirChanged(dir)
		return nil
	}
	return system(doing, dir, disk.SyncDir(dir))
}

// OrdersPath is the file for the set of a ship or captain for the turn that is
// due.
func (g *Game) OrdersPath(name string) string { return g.path("orders", name+".txt") }

// replaceFile writes text to path, whole or not at all, with that time unless
// it is zero.
func replaceFile(path string, text []byte, modified time.Time) (err error) {
	// The temporary file stands beside its target: another directory may be
	// another file system.
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(fileMode), renameio.WithTempDir(filepath.Dir(path)))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Cleanup()) }()
	if _, err := f.Write(text); err != nil {
		return err
	}
	if !modified.IsZero() {
		if err := os.Chtimes(f.Name(), modified, modified); err != nil {
			return err
		}
	}
	return f.CloseAtomicallyReplace()
}

// DropOrders removes the order set of a ship or captain for a turn, also one
// that was sent ahead, and reports whether there was one.
func (g *Game) DropOrders(turn int, name string) (bool, error) {
	return g.DropStageOrders(Stage{Turn: turn}, name)
}

// DropStageOrders is DropOrders for any stage that is due or to come.
func (g *Game) DropStageOrders(at Stage, name string) (bool, error) {
	if _, err := journal.SetFile(name); err != nil {
		return false, err
	}
	dropped := false
	err := g.locked(func() error {
		dir, err := g.stageOrders(at)
		if err != nil {
			return err
		}
		dirs := []string{dir}
		if ahead := g.ahead(at); ahead != dir {
			dirs = append(dirs, ahead)
		}
		if err := g.stillOurs(); err != nil {
			return err
		}
		return g.notingReplaced(at, name, nil, func() error {
			for _, dir := range dirs {
				removed, err := removeOrders(dir, name, "")
				if err != nil {
					return err
				}
				if !removed {
					continue
				}
				dropped = true
				delete(g.listings, dir)
				if err := g.settleDir("drop orders", dir); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return dropped, err
}

// removeOrders removes the sets of a name, in whatever case a person wrote the
// name of the file, but for the file keep.
func removeOrders(dir, name, keep string) (bool, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, system("read orders", dir, err)
	}
	removed := false
	for _, e := range entries {
		found, ok := orderFileName(e)
		if !ok || !strings.EqualFold(found, name) || e.Name() == keep {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return removed, system("drop orders", path, err)
		}
		removed = true
	}
	return removed, nil
}

// orderFileName is whose orders an entry of a directory holds.
func orderFileName(e fs.DirEntry) (string, bool) {
	name, ok := strings.CutSuffix(e.Name(), ".txt")
	return name, ok && !strings.HasPrefix(name, ".") && e.Type().IsRegular()
}

// Orders lists the order sets for a turn, the one that is due or a later one,
// sorted by name: the files *.txt of orders/ and, for ships without one there,
// what was sent ahead for this turn. The texts must not be changed.
func (g *Game) Orders(turn int) ([]OrderFile, error) { return g.StageOrders(Stage{Turn: turn}) }

// StageOrders is Orders for any stage that is due or to come.
func (g *Game) StageOrders(at Stage) ([]OrderFile, error) {
	dir, err := g.stageOrders(at)
	if err != nil {
		return nil, err
	}
	found, err := g.readOrders(dir)
	if err != nil {
		return nil, err
	}
	if dir == g.path("orders") {
		ahead, err := g.readOrders(g.ahead(at))
		if err != nil {
			return nil, err
		}
		g.watchSets(slices.Concat(found, ahead))
		if found, err = g.unswept(found); err != nil {
			return nil, err
		}
		for _, a := range ahead {
			if !slices.ContainsFunc(found, func(f OrderFile) bool { return strings.EqualFold(f.Name, a.Name) }) {
				a.Ahead = true
				found = append(found, a)
			}
		}
	}
	slices.SortFunc(found, func(a, b OrderFile) int { return strings.Compare(a.Name, b.Name) })
	return found, nil
}

// OrderFile makes an order file of a text, if the path it was read from is one
// where [Game.Orders] looks for sets of the turn that is due.
func (g *Game) OrderFile(path string, text []byte) (OrderFile, bool) {
	name, ok := strings.CutSuffix(filepath.Base(path), ".txt")
	if !ok || strings.HasPrefix(name, ".") {
		return OrderFile{}, false
	}
	here, err := filepath.Abs(filepath.Dir(path))
	there, terr := filepath.Abs(g.path("orders"))
	if err != nil || terr != nil || here != there {
		return OrderFile{}, false
	}
	f := OrderFile{Name: name, Path: path, Text: text}
	if f.TooLarge = len(text) > MaxOrders; f.TooLarge {
		f.Text = nil
	}
	return f, true
}

func readOrders(dir string) ([]OrderFile, error) {
	return ordersIn(dir, func(path string, _ os.FileInfo) ([]byte, error) { return os.ReadFile(path) })
}

// ordersIn lists the order files of a directory.
func ordersIn(dir string, read func(path string, info os.FileInfo) ([]byte, error)) ([]OrderFile, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, system("read orders", dir, err)
	}
	var found []OrderFile
	for _, e := range entries {
		name, ok := orderFileName(e)
		if !ok {
			continue
		}
		f := OrderFile{Name: name, Path: filepath.Join(dir, e.Name())}
		info, err := e.Info()
		if err != nil {
			return nil, system("read orders", f.Path, err)
		}
		f.Modified = info.ModTime()
		if f.TooLarge = info.Size() > MaxOrders; !f.TooLarge {
			if f.Text, err = read(f.Path, info); err != nil {
				return nil, system("read orders", f.Path, err)
			}
		}
		found = append(found, f)
	}
	return found, nil
}
