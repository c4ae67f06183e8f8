package vault

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"starpost/pbem/record"
)

// FileWriter makes the files of a turn: it passes each to add, from any number of goroutines and in
// any order, and completes the manifest. The turn owns the data passed to add; it must not be
// changed afterwards.
type FileWriter func(m *Manifest, add func(File) error) error

// Files returns a FileWriter for existing files.
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

// draft is a turn that is being made.
type draft struct {
	dir  string
	what string // for errors

	mu    sync.Mutex
	files []record.File
	marks map[string]string // fingerprints
}

// drawUp makes the files of a turn for a folder, and their manifest, which it also returns.
func drawUp(dir, id string, m Manifest, fill FileWriter) (Manifest, []record.File, error) {
	d := &draft{dir: dir, what: fmt.Sprintf("turn %d of %s", m.Turn, id), marks: map[string]string{}}
	if err := fill(&m, d.add); err != nil {
		return m, nil, err
	}
	m.Format, m.Game, m.Files = Format, id, d.marks
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return m, nil, fmt.Errorf("write manifest of turn %d: %w", m.Turn, err)
	}
	slices.SortFunc(d.files, func(a, b record.File) int { return strings.Compare(a.Name, b.Name) })
	return m, append(d.files, record.File{Name: path.Join(dir, ManifestFile), Data: append(text, '\n')}), nil
}

// add adds a file and records its fingerprint.
func (d *draft) add(f File) error {
	if err := d.begin(f.Name); err != nil {
		return err
	}
	mark := Fingerprint(f.Name, f.Data)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.marks[f.Name] = mark
	d.files = append(d.files, record.File{Name: path.Join(d.dir, f.Name), Data: f.Data})
	return nil
}

// begin reserves a file name.
func (d *draft) begin(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, twice := d.marks[name]; twice || !fs.ValidPath(name) || name == "." || name == ManifestFile {
		return fmt.Errorf("write %s: %q cannot be a file name, or occurs twice", d.what, name)
	}
	d.marks[name] = ""
	return nil
}
