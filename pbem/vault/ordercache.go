package vault

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"starpost/pbem/disk"
)

// cachedText is the text of an order file as it was last read.
type cachedText struct {
	info os.FileInfo
	text []byte
}

// is tells whether a file is still the one that was read.
func (o cachedText) is(info os.FileInfo) bool {
	return o.info != nil && os.SameFile(o.info, info) && o.info.Size() == info.Size() && o.info.ModTime().Equal(info.ModTime())
}

// Bounds of the texts that a game remembers.
const (
	maxText  = 8 << 10 // bytes
	maxTexts = 200
)

// remember keeps the text of an order file.
func (g *Game) remember(path string, info os.FileInfo, text []byte) {
	if len(text) > maxText || int64(len(text)) != info.Size() {
		delete(g.texts, path)
		return
	}
	if g.texts == nil || len(g.texts) >= maxTexts {
		g.texts = map[string]cachedText{}
	}
	g.texts[path] = cachedText{info, text}
}

// readOrders is the function, but a file that is still the same is not read again,
// nor a directory while the lock is held and order sets wait for Settle: who takes in
// many sets asks again and again for what he has just written.
func (g *Game) readOrders(dir string) ([]OrderFile, error) {
	if files, ok := g.listings[dir]; ok {
		return slices.Clone(files), nil
	}
	files, err := ordersIn(dir, func(path string, info os.FileInfo) ([]byte, error) {
		if known := g.texts[path]; known.is(info) {
			return known.text, nil
		}
		text, err := os.ReadFile(path)
		if err == nil {
			g.remember(path, info, text)
		}
		return text, err
	})
	if err == nil && g.listings != nil && g.holds > 0 {
		g.listings[dir] = slices.Clone(files)
	}
	return files, err
}

// Defer has order sets that are stored or dropped from now on wait for Settle of
// b to be on stable storage; with nil each is there at once again. Until then a
// loss of power may bring the earlier set back, or leave half of a set: who
// defers must be able to do it all again. If he holds the lock all the while, what
// others do to orders/ without it may be seen only afterwards.
func (g *Game) Defer(b *disk.Batch) {
	g.unsettled, g.listings = b, nil
	if b != nil {
		g.listings = map[string][]OrderFile{}
	}
}

// forgetListings forgets what lay in orders/: something was moved there.
func (g *Game) forgetListings() { clear(g.listings) }

// putDeferred stores an order set without waiting for the disk.
func (g *Game) putDeferred(dir, path string, text []byte, received time.Time) error {
	files, err := g.readOrders(dir)
	if err != nil {
		return err
	}
	// Until it is known what came of it, nothing is.
	delete(g.listings, dir)
	if !g.touchDeferred(path, text, received) {
		delete(g.texts, path)
		err := g.unsettled.Write(path, dir, text, fileMode, received)
		if errors.Is(err, fs.ErrNotExist) { // the first set of its turn
			if err := g.makeDirDeferred(dir); err != nil {
				return system("store orders", dir, err)
			}
			err = g.unsettled.Write(path, dir, text, fileMode, received)
		}
		if err != nil {
			return system("store orders", path, err)
		}
	}
	info, err := os.Lstat(path)
	if err != nil {
		return system("store orders", path, err)
	}
	text = bytes.Clone(text)
	g.remember(path, info, text)
	file := filepath.Base(path)
	name := strings.TrimSuffix(file, ".txt")
	others := slices.DeleteFunc(slices.Clone(files), func(f OrderFile) bool { return strings.EqualFold(f.Name, name) })
	if slices.ContainsFunc(files, func(f OrderFile) bool { return strings.EqualFold(f.Name, name) && f.Name != name }) {
		if _, err := removeOrders(dir, name, file); err != nil {
			return err
		}
		g.unsettled.DirChanged(dir)
	}
	f := OrderFile{Name: name, Path: path, Modified: info.ModTime(), TooLarge: len(text) > MaxOrders}
	if !f.TooLarge {
		f.Text = text
	}
	g.listings[dir] = append(others, f)
	return nil
}

// makeDirDeferred makes a directory of order sets without waiting for the disk.
func (g *Game) makeDirDeferred(dir string) error {
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return err
	}
	for ; dir != g.dir; dir = filepath.Dir(dir) {
		g.unsettled.DirChanged(filepath.Dir(dir))
	}
	return nil
}

// touchDeferred gives a file that holds that text already the time of the set that
// says it once more, and tells whether that is all there is to do.
func (g *Game) touchDeferred(path string, text []byte, received time.Time) bool {
	known, ok := g.texts[path]
	if !ok || received.IsZero() || string(known.text) != string(text) {
		return false
	}
	info, err := os.Lstat(path)
	if err != nil || !known.is(info) || info.Mode() != fileMode {
		return false
	}
	if err := os.Chtimes(path, received, received); err != nil {
		return false // it is written again
	}
	g.unsettled.FileWritten(path)
	return true
}
