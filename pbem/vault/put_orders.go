package vault

import (
	"path"
	"time"

	"starpost/pbem/record"
	"starpost/pbem/vault/journal"
)

// CanHold reports whether an order set for this ship or, after "@", captain can exist: not every
// name can be a file name.
func CanHold(name string) bool { _, err := journal.SetFile(name); return err == nil }

// Put replaces the whole order set of a ship ("Hood") or captain ("@Kirk") for a due or later
// stage. received becomes the file's time and thus [OrderFile.Modified]; zero means now by the file
// system's clock. When it returns nil the set is on stable storage, but see [Orders.Defer]; after
// an error the earlier set is still there.
func (o *Orders) Put(at Stage, name string, text []byte, received time.Time) error {
	file, err := journal.SetFile(name)
	if err != nil {
		return err
	}
	return o.game.locked(func() error {
		dir, err := o.folder(at)
		if err != nil {
			return err
		}
		note, err := o.noteReplaced(at, name, text)
		if err != nil {
			return err
		}
		return o.put(dir, name, path.Join(dir, file), record.Change{Add: note, Put: []record.File{{Data: text, Modified: received}}})
	})
}

// Drop removes the order set of a ship or captain, if there is one, for a due or later stage,
// including one sent ahead.
func (o *Orders) Drop(at Stage, name string) error {
	if _, err := journal.SetFile(name); err != nil {
		return err
	}
	return o.game.locked(func() error {
		dir, err := o.folder(at)
		if err != nil {
			return err
		}
		dirs := []string{dir}
		if ahead := o.ahead(at); ahead != dir {
			dirs = append(dirs, ahead)
		}
		c := record.Change{Doing: "drop orders"}
		for _, dir := range dirs {
			files, err := o.read(dir)
			if err != nil {
				return err
			}
			c.Remove = append(c.Remove, setsOf(files, name, "")...)
		}
		if c.Add, err = o.noteReplaced(at, name, nil); err != nil {
			return err
		}
		for _, dir := range dirs {
			delete(o.listings, dir)
		}
		return o.game.write(c)
	})
}
