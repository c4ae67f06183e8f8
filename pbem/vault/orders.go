package vault

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"starpost/pbem/record"
	"starpost/pbem/vault/journal"
)

// MaxOrders is the largest order file, in bytes. A larger one is reported, not
// read.
const MaxOrders = 1 << 20

// OrderFile is one order set as it lies on disk.
type OrderFile struct {
	Name     string    // "Hood" for a ship, "@Kirk" for a captain
	File     string    // its name in the game: "orders/Hood.txt"
	Path     string    // where that is kept
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
		note, err := g.noteReplaced(at, name, text)
		if err != nil {
			return err
		}
		return g.putOrders(dir, name, path.Join(dir, file), record.Change{Add: note, Put: []record.File{{Data: text, Modified: received}}})
	})
}

// OrdersPath is where the set of a ship or captain for the turn that is
// due is kept.
func (g *Game) OrdersPath(name string) string { return g.path(ordersDir, name+".txt") }

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
		c := record.Change{Doing: "drop orders"}
		for _, dir := range dirs {
			files, err := g.readOrders(dir)
			if err != nil {
				return err
			}
			c.Remove = append(c.Remove, setsOf(files, name, "")...)
		}
		dropped = len(c.Remove) > 0
		if c.Add, err = g.noteReplaced(at, name, nil); err != nil {
			return err
		}
		for _, dir := range dirs {
			delete(g.listings, dir)
		}
		return g.write(c)
	})
	return dropped && err == nil, err
}

// setsOf are the files with sets of a name, in whatever case a person wrote the
// name of the file, but for the file keep.
func setsOf(files []OrderFile, name, keep string) (names []string) {
	for _, f := range files {
		if strings.EqualFold(f.Name, name) && f.File != keep {
			names = append(names, f.File)
		}
	}
	return names
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
	if dir == ordersDir {
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
	there, terr := filepath.Abs(g.path(ordersDir))
	if err != nil || terr != nil || here != there {
		return OrderFile{}, false
	}
	f := OrderFile{Name: name, File: ordersDir + "/" + filepath.Base(path), Path: path, Text: text}
	if f.TooLarge = len(text) > MaxOrders; f.TooLarge {
		f.Text = nil
	}
	return f, true
}

// ordersIn reads the order files of a folder.
func (g *Game) ordersIn(dir string) ([]OrderFile, error) {
	return g.listOrders(dir, func(name string, _ fs.FileInfo) ([]byte, error) { return g.tree.ReadFile(name) })
}

// listOrders lists the order files of a folder.
func (g *Game) listOrders(dir string, read func(name string, info fs.FileInfo) ([]byte, error)) ([]OrderFile, error) {
	entries, err := g.tree.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, system("read orders", g.path(dir), err)
	}
	var found []OrderFile
	for _, e := range entries {
		name, ok := orderFileName(e)
		if !ok {
			continue
		}
		f := OrderFile{Name: name, File: dir + "/" + e.Name(), Path: g.path(dir, e.Name())}
		info, err := e.Info()
		if err == nil {
			err = readSteadily(g.tree, &f, info, read)
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was removed meanwhile
		}
		if err != nil {
			return nil, system("read orders", f.Path, err)
		}
		found = append(found, f)
	}
	return found, nil
}

// tries is how often a file is read that changes while it is.
const tries = 5

// readSteadily reads an order file, which a person may be writing: what was read while it changed may be half
// of it, and is read again.
func readSteadily(tree record.Reader, f *OrderFile, info fs.FileInfo, read func(name string, info fs.FileInfo) ([]byte, error)) error {
	for range tries {
		f.Modified, f.Text = info.ModTime(), nil
		if f.TooLarge = info.Size() > MaxOrders; f.TooLarge {
			return nil
		}
		var err error
		if f.Text, err = read(f.File, info); err != nil || int64(len(f.Text)) == info.Size() {
			return err
		}
		if info, err = tree.Stat(f.File); err != nil {
			return err
		}
	}
	return &Error{Path: f.Path, Problem: "the file changes while it is read", Way: "wait until it is written; then it is read again", Err: fs.ErrInvalid}
}
