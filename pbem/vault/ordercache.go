package vault

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"

	"starpost/pbem/disk"
	"starpost/pbem/record"
)

// cachedText is the text of an order file as it was last read.
type cachedText struct {
	info fs.FileInfo
	text []byte
}

// Bounds of the texts that a game remembers.
const (
	maxText  = 8 << 10 // bytes
	maxTexts = 200
)

// remember keeps the text of an order file.
func (g *Game) remember(name string, info fs.FileInfo, text []byte) {
	if len(text) > maxText || int64(len(text)) != info.Size() {
		delete(g.texts, name)
		return
	}
	if g.texts == nil || len(g.texts) >= maxTexts {
		g.texts = map[string]cachedText{}
	}
	g.texts[name] = cachedText{info, text}
}

// readOrders is the function, but a file that is still the same is not read again,
// nor a directory while the lock is held and order sets wait for Settle: who takes in
// many sets asks again and again for what he has just written.
func (g *Game) readOrders(dir string) ([]OrderFile, error) {
	if files, ok := g.listings[dir]; ok {
		return slices.Clone(files), nil
	}
	files, err := g.listOrders(dir, func(name string, info fs.FileInfo) ([]byte, error) {
		if known := g.texts[name]; disk.Same(known.info, info) {
			return known.text, nil
		}
		text, err := g.tree.ReadFile(name)
		if err == nil {
			g.remember(name, info, text)
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
	g.listings = nil
	t, ok := g.tree.(interface{ Defer(b *disk.Batch) })
	if !ok {
		return // of such a record each is there at once
	}
	if t.Defer(b); b != nil {
		g.listings = map[string][]OrderFile{}
	}
}

// forgetListings forgets what lay in orders/: something was moved there.
func (g *Game) forgetListings() { clear(g.listings) }

// putOrders stores a set, which c puts, as a file of a folder, and removes others of its name.
func (g *Game) putOrders(dir, name, file string, c record.Change) error {
	files, err := g.readOrders(dir)
	if err != nil {
		return err
	}
	// Until it is known what came of it, nothing is.
	delete(g.listings, dir)
	known, text := g.texts[file], c.Put[0].Data
	delete(g.texts, file)
	c.Doing, c.Put[0].Name, c.Remove = "store orders", file, setsOf(files, name, file)
	if string(known.text) == string(text) {
		c.Put[0].Was = known.info
	}
	if err := g.write(c); err != nil || g.listings == nil {
		return err
	}
	info, err := g.tree.Stat(file)
	if err != nil {
		return system("store orders", g.path(file), err)
	}
	text = bytes.Clone(text)
	g.remember(file, info, text)
	f := OrderFile{Name: name, File: file, Path: g.path(file), Modified: info.ModTime(), TooLarge: len(text) > MaxOrders}
	if !f.TooLarge {
		f.Text = text
	}
	g.listings[dir] = append(slices.DeleteFunc(files, func(f OrderFile) bool { return strings.EqualFold(f.Name, name) }), f)
	return nil
}
