package vault

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"starpost/pbem/record"
	"starpost/pbem/vault/journal"
)

// park copies the sets in orders/ to the folder for sets sent ahead, and stores there the sets that
// will be in force when an earlier turn is due. Until the journal says so, neither has an effect,
// and both may be swept away. It returns the hashes of the sets in orders/.
func (o *Orders) park(due int, keep []OrderFile) (map[string]string, error) {
	for _, f := range keep {
		if _, err := journal.SetFile(f.Name); err != nil {
			return nil, err
		}
	}
	o.swept = sweepState{}
	o.forgetListings()
	files, err := o.in(ordersDir)
	if err != nil {
		return nil, err
	}
	var parked map[string]string
	put := func(at Stage, base string, f OrderFile) error {
		if err := o.game.before("park"); err != nil {
			return err
		}
		name := path.Join(laterDir, laterBase(at), base)
		delete(o.texts, name)
		return o.game.write(record.Change{Doing: "store orders", Put: []record.File{{Name: name, Data: f.Text, Modified: f.Modified}}})
	}
	for _, f := range files {
		if f.TooLarge {
			continue // too large for orders; it stays, and is reported
		}
		if parked == nil {
			parked = map[string]string{}
		}
		parked[path.Base(f.File)] = Hash(f.Text)
		if err := put(o.stages.DueStage(), path.Base(f.File), f); err != nil {
			return nil, err
		}
	}
	for _, f := range keep {
		if err := put(At(due), f.Name+".txt", f); err != nil {
			return nil, err
		}
	}
	return parked, nil
}

// amended ends the name of the file next to orders/NAME.txt in which an amended set waits for its
// journal entry.
const amended = ".amended"

// finishAmend moves an amended set into place if the last journal entry says that it is in force,
// and removes it otherwise.
func (o *Orders) finishAmend() error {
	entries, err := o.tree.ReadDir(ordersDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return system("read orders", o.tree.path(ordersDir), err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") || !strings.HasSuffix(e.Name(), amended) {
			continue
		}
		o.forgetListings()
		waiting, file := path.Join(ordersDir, e.Name()), e.Name()[1:len(e.Name())-len(amended)]
		info, err := e.Info()
		if err != nil {
			return system("read orders", o.tree.path(waiting), err)
		}
		text, err := o.tree.ReadFile(waiting)
		if err != nil {
			return system("read orders", o.tree.path(waiting), err)
		}
		if !o.amendedTo(file, Hash(text)) {
			if err := o.game.commitTo(nil, record.Change{Doing: "clear a leftover", Remove: []string{waiting}}); err != nil {
				return err
			}
			continue
		}
		if err := o.game.before("put"); err != nil {
			return err
		}
		to := path.Join(ordersDir, file)
		delete(o.texts, to)
		c := record.Change{Doing: "store orders", Put: []record.File{{Name: to, Data: text, Modified: info.ModTime()}}, Remove: []string{waiting}}
		for _, other := range entries {
			if name, ok := orderFileName(other); ok && other.Name() != file && strings.EqualFold(name+".txt", file) {
				c.Remove = append(c.Remove, path.Join(ordersDir, other.Name()))
			}
		}
		if err := o.game.commitTo(nil, c); err != nil {
			return err
		}
		o.game.moved()
	}
	return nil
}

// amendedTo reports whether the last journal entry puts a set with this hash into this file of
// orders/.
func (o *Orders) amendedTo(file, sum string) bool {
	n := len(o.journal.known.entries)
	if n == 0 || o.journal.known.entries[n-1].Kind != journal.Amend || o.journal.known.entries[n-1].Turn != o.stages.turns {
		return false
	}
	d := journal.DataOf[journal.AmendData](o.journal.known.entries[n-1])
	return d.Name+".txt" == file && d.Set == sum
}
