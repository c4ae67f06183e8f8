package vault

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"starpost/pbem/disk"
	"starpost/pbem/record"
)

// MaxOrders is the maximum size of an order file, in bytes. A larger one is reported, not read.
const MaxOrders = 1 << 20

// OrderFile is one order set on disk.
type OrderFile struct {
	Name     string    // "Hood" for a ship, "@Kirk" for a captain
	File     string    // its name in the game: "orders/Hood.txt"
	Path     string    // location of the file
	Text     []byte    // nil when TooLarge
	TooLarge bool      // over MaxOrders
	Modified time.Time // of the file
	Ahead    bool      // sent before its turn was due
}

// Orders are the order sets of a game for the due stage and later ones.
type Orders struct {
	tree    files
	stages  *Stages
	journal *Journal
	game    writer

	texts    map[string]cachedText
	listings map[string][]OrderFile // content of folders, see read; nil unless writes are deferred
	watched  []string               // files for the due stage, as last listed
	swept    sweepState             // state of the last sweep of orders/
}

// writer is the part of the game that changes the record.
type writer interface {
	held() bool                                           // reports whether the lock is held
	locked(f func() error) error                          // runs f with the lock held
	write(c record.Change) error                          // if the record is still as read
	commitTo(base *record.Version, c record.Change) error // if the record is at version base
	before(step string) error                             // before a step of a commit
	moved()                                               // the due stage, or its order sets, have changed
}

// sweepState is the state of the game at the last sweep of orders/.
type sweepState struct {
	turns int // number of turns
	round int // of the turn in progress
	entry int // after which an earlier turn was due; 0 for none
}

// cachedText is the text of an order file as last read.
type cachedText struct {
	info fs.FileInfo
	text []byte
}

// Limits of the texts in memory.
const (
	maxText  = 8 << 10 // bytes
	maxTexts = 200
)

// remember caches the text of an order file.
func (o *Orders) remember(name string, info fs.FileInfo, text []byte) {
	if len(text) > maxText || int64(len(text)) != info.Size() {
		delete(o.texts, name)
		return
	}
	if o.texts == nil || len(o.texts) >= maxTexts {
		o.texts = map[string]cachedText{}
	}
	o.texts[name] = cachedText{info, text}
}

// read lists a folder like list, but does not read an unchanged file again, nor a folder while the lock is
// held and order sets wait for Settle: a caller that stores many sets asks again and again for what it has
// just written.
func (o *Orders) read(dir string) ([]OrderFile, error) {
	if files, ok := o.listings[dir]; ok {
		return slices.Clone(files), nil
	}
	files, err := o.list(dir, func(name string, info fs.FileInfo) ([]byte, error) {
		if known := o.texts[name]; disk.Same(known.info, info) {
			return known.text, nil
		}
		text, err := o.tree.ReadFile(name)
		if err == nil {
			o.remember(name, info, text)
		}
		return text, err
	})
	if err == nil && o.listings != nil && o.game.held() {
		o.listings[dir] = slices.Clone(files)
	}
	return files, err
}

// Defer makes order sets that are stored or dropped from now on reach stable storage only with Settle of b;
// with nil each does so at once again. Until then a power failure may restore the earlier set, or leave half
// of a set: the caller must be able to repeat everything. If the caller holds the lock throughout, changes
// that others make to orders/ without it may be noticed only afterwards.
func (o *Orders) Defer(b *disk.Batch) {
	o.listings = nil
	t, ok := o.tree.Tree.(interface{ Defer(b *disk.Batch) })
	if !ok {
		return // such a record stores each set at once
	}
	if t.Defer(b); b != nil {
		o.listings = map[string][]OrderFile{}
	}
}

// forgetListings forgets the content of orders/ after a file was moved there.
func (o *Orders) forgetListings() { clear(o.listings) }

// forget drops everything that was read of orders/.
func (o *Orders) forget() {
	o.texts, o.swept = nil, sweepState{}
	o.forgetListings()
}

// put stores a set, which is in c.Put, as a file of a folder, and removes other files for the same name.
func (o *Orders) put(dir, name, file string, c record.Change) error {
	files, err := o.read(dir)
	if err != nil {
		return err
	}
	// Cache nothing until the result is known.
	delete(o.listings, dir)
	known, text := o.texts[file], c.Put[0].Data
	delete(o.texts, file)
	c.Doing, c.Put[0].Name, c.Remove = "store orders", file, setsOf(files, name, file)
	if string(known.text) == string(text) {
		c.Put[0].Was = known.info
	}
	if err := o.game.write(c); err != nil || o.listings == nil {
		return err
	}
	info, err := o.tree.Stat(file)
	if err != nil {
		return system("store orders", o.tree.path(file), err)
	}
	text = bytes.Clone(text)
	o.remember(file, info, text)
	f := OrderFile{Name: name, File: file, Path: o.tree.path(file), Modified: info.ModTime(), TooLarge: len(text) > MaxOrders}
	if !f.TooLarge {
		f.Text = text
	}
	o.listings[dir] = append(slices.DeleteFunc(files, func(f OrderFile) bool { return strings.EqualFold(f.Name, name) }), f)
	return nil
}

// ahead returns the folder for sets sent ahead for a stage.
func (o *Orders) ahead(at Stage) string {
	if due := o.stages.DueStage(); at.Turn == due.Turn && at.Round == 0 {
		at = due
	}
	return path.Join(laterDir, laterBase(at))
}

// folder returns the folder for the sets of a stage. Round 0 means the due round for the due turn, and the
// first round for a later one.
func (o *Orders) folder(at Stage) (string, error) {
	due := o.stages.DueStage()
	if at.Turn == due.Turn && at.Round == 0 {
		at = due
	}
	switch {
	case at.before(due):
		return "", &Error{Path: o.tree.Place(""), Problem: fmt.Sprintf("%s is already resolved", at), Way: fmt.Sprintf("%s is due", due), Err: ErrCommitted}
	case !due.before(at):
		return ordersDir, nil
	}
	return path.Join(laterDir, laterBase(at)), nil
}

// setsOf returns the files with sets for a name, ignoring case because people write files by hand, except the
// file keep.
func setsOf(files []OrderFile, name, keep string) (names []string) {
	for _, f := range files {
		if strings.EqualFold(f.Name, name) && f.File != keep {
			names = append(names, f.File)
		}
	}
	return names
}

// orderFileName returns the ship or captain of a directory entry.
func orderFileName(e fs.DirEntry) (string, bool) {
	name, ok := strings.CutSuffix(e.Name(), ".txt")
	return name, ok && !strings.HasPrefix(name, ".") && e.Type().IsRegular()
}

// in reads the order files of a folder.
func (o *Orders) in(dir string) ([]OrderFile, error) {
	return o.list(dir, func(name string, _ fs.FileInfo) ([]byte, error) { return o.tree.ReadFile(name) })
}

// list lists the order files of a folder.
func (o *Orders) list(dir string, read func(name string, info fs.FileInfo) ([]byte, error)) ([]OrderFile, error) {
	entries, err := o.tree.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, system("read orders", o.tree.path(dir), err)
	}
	var found []OrderFile
	for _, e := range entries {
		name, ok := orderFileName(e)
		if !ok {
			continue
		}
		f := OrderFile{Name: name, File: dir + "/" + e.Name(), Path: o.tree.path(dir, e.Name())}
		info, err := e.Info()
		if err == nil {
			err = readSteadily(o.tree, &f, info, read)
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed in the meantime
		}
		if err != nil {
			return nil, system("read orders", f.Path, err)
		}
		found = append(found, f)
	}
	return found, nil
}

// tries limits how often a file that changes is read again.
const tries = 5

// readSteadily reads an order file that a person may be writing: text that changed during the read may be
// incomplete, and is read again.
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
	return &Error{Path: f.Path, Problem: "the file is changing", Way: "wait until it is complete; then it is read again", Err: fs.ErrInvalid}
}
