package vault

import (
	"path/filepath"
	"slices"
	"strings"
)

// Path returns the location of the set of a ship or captain for the due turn.
func (o *Orders) Path(name string) string { return o.tree.path(ordersDir, name+".txt") }

// For returns the order sets for a due or later stage, sorted by name: the files *.txt of orders/
// and, for ships without one there, sets that were sent ahead for it. The texts must not be
// changed.
func (o *Orders) For(at Stage) ([]OrderFile, error) {
	dir, err := o.folder(at)
	if err != nil {
		return nil, err
	}
	found, err := o.read(dir)
	if err != nil {
		return nil, err
	}
	if dir == ordersDir {
		ahead, err := o.read(o.ahead(at))
		if err != nil {
			return nil, err
		}
		o.watch(slices.Concat(found, ahead))
		if found, err = o.unswept(found); err != nil {
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

// File makes an OrderFile from a text, if it was read from a path where [Orders.For] looks for sets
// of the due turn.
func (o *Orders) File(path string, text []byte) (OrderFile, bool) {
	name, ok := strings.CutSuffix(filepath.Base(path), ".txt")
	if !ok || strings.HasPrefix(name, ".") {
		return OrderFile{}, false
	}
	here, err := filepath.Abs(filepath.Dir(path))
	there, terr := filepath.Abs(o.tree.path(ordersDir))
	if err != nil || terr != nil || here != there {
		return OrderFile{}, false
	}
	f := OrderFile{Name: name, File: ordersDir + "/" + filepath.Base(path), Path: path, Text: text}
	if f.TooLarge = len(text) > MaxOrders; f.TooLarge {
		f.Text = nil
	}
	return f, true
}
