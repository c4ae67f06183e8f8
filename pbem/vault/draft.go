package vault

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"

	"starpost/pbem/disk"
)

// FileWriter makes the files of a turn: it hands each to add, from any number of
// goroutines and in any order, and completes the manifest. What add was given
// is on its way to the disk when it returns, and its memory may be used again.
type FileWriter func(m *Manifest, add func(File) error) error

// Files is the FileWriter of files that are made already.
func Files(files ...File) FileWriter {
	return func(_ *Manifest, add func(File) error) error {
		for _, f := range files {
			if err := add(f); err != nil {
				return err
			}
		}
		return nil
	}
}

// draft is a turn's directory in the making.
type draft struct {
	dir    string
	what   string // for errors
	before func(string) error

	mu    sync.Mutex
	files map[string]string // fingerprints
	made  map[string]bool   // directories
}

// writeTurn has the files of a turn written into a new directory, adds their
// manifest, which it returns, and syncs them.
func writeTurn(dir, id string, m Manifest, fill FileWriter, before func(string) error) (Manifest, error) {
	if err := os.Mkdir(dir, dirMode); err != nil {
		return m, system("write the turn", dir, err)
	}
	d := &draft{dir: dir, what: fmt.Sprintf("turn %d of %s", m.Turn, id), before: before, files: map[string]string{}, made: map[string]bool{".": true}}
	if err := fill(&m, d.add); err != nil {
		return m, err
	}
	m.Format, m.Game, m.Files = Format, id, d.files
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return m, fmt.Errorf("write manifest of turn %d: %w", m.Turn, err)
	}
	if err := writeFile(filepath.Join(dir, ManifestFile), append(text, '\n')); err != nil {
		return m, err
	}
	if err := before("sync"); err != nil {
		return m, err
	}
	return m, syncTree(dir)
}

// add writes a file and notes its fingerprint.
func (d *draft) add(f File) error {
	if err := d.begin(f.Name); err != nil {
		return err
	}
	mark := Fingerprint(f.Name, f.Data)
	if err := writeFile(filepath.Join(d.dir, filepath.FromSlash(f.Name)), f.Data); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files[f.Name] = mark
	return nil
}

// begin takes a name and makes its directory.
func (d *draft) begin(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, twice := d.files[name]; twice || !fs.ValidPath(name) || name == "." || name == ManifestFile {
		return fmt.Errorf("write %s: %q cannot be the name of a file, or stands twice", d.what, name)
	}
	d.files[name] = ""
	if err := d.before("file"); err != nil {
		return err
	}
	sub := path.Dir(name)
	if d.made[sub] {
		return nil
	}
	full := filepath.Join(d.dir, filepath.FromSlash(sub))
	if err := os.MkdirAll(full, dirMode); err != nil {
		return system("write the turn", full, err)
	}
	for ; !d.made[sub]; sub = path.Dir(sub) {
		d.made[sub] = true
	}
	return nil
}

// writeFile writes a new file. It does not sync.
func writeFile(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return system("write", name, err)
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(system("write", name, err), f.Close())
	}
	return system("write", name, f.Close())
}

// syncTree puts all below dir on stable storage.
func syncTree(dir string) error { return system("sync", dir, disk.SyncTree(dir)) }
