package vault

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"starpost/pbem/record"
)

// Audit is a turn as found on disk, faults included.
type Audit struct {
	Problem      string // what is wrong with the manifest itself; if set, the rest is empty
	Manifest     Manifest
	ManifestHash string            // of the file as found; "" if it is missing
	Files        map[string][]byte // the listed files as found, without reports and mails
	Base         map[string][]byte // for turn 0, the game's fixed files
	Damaged      []Damage          // sorted by name
}

// Damage is a file that differs from the manifest.
type Damage struct {
	Name    string // below the turn's directory, or with Base below the game's
	Base    bool
	Missing bool
	Extra   bool // not in the manifest
}

// Problem describes the damage.
func (d Damage) Problem() string {
	switch {
	case d.Missing:
		return "the file is missing"
	case d.Extra:
		return "the file does not belong to the turn: it was added later"
	}
	return "the file was altered or truncated after the turn was committed"
}

// Audit reads all files of a stage and compares them with its manifest. The error is for failures
// to read other than damage.
func (s *Stages) Audit(at Stage) (Audit, error) {
	if at.Round == 0 || at.Revision == 0 { // otherwise the manifest of the whole turn may be damaged
		var err error
		if at, err = s.find(at); err != nil {
			return Audit{}, err
		}
	}
	dir := s.Name(at)
	a := Audit{Files: map[string][]byte{}, Base: map[string][]byte{}}
	raw, err := s.tree.ReadFile(path.Join(dir, ManifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		a.Problem = "the file is missing"
		return a, nil
	}
	if err != nil {
		return a, system("read", s.tree.path(dir, ManifestFile), err)
	}
	a.ManifestHash = Hash(raw)
	if err := json.Unmarshal(raw, &a.Manifest); err != nil {
		a.Problem = fmt.Sprintf("the file is truncated or altered: %v", err)
		return a, nil
	}
	if a.Problem = s.foreign(at, a.Manifest, raw); a.Problem != "" {
		return a, nil
	}
	for _, name := range slices.Sorted(maps.Keys(a.Manifest.Files)) {
		if !fs.ValidPath(name) {
			a.Problem = fmt.Sprintf("the file was altered: %q is not a file name", name)
			return a, nil
		}
		data, err := a.look(s.tree, path.Join(dir, name), name, false, func(data []byte) bool {
			return Fingerprint(name, data) == a.Manifest.Files[name]
		})
		if err != nil {
			return a, err
		}
		if data != nil && !Drawn(name) {
			a.Files[name] = data
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.Manifest.Base)) {
		data, err := a.look(s.tree, name, name, true, func(data []byte) bool {
			return Hash(data) == a.Manifest.Base[name]
		})
		if err != nil {
			return a, err
		}
		if data != nil {
			a.Base[name] = data
		}
	}
	return a, a.extras(s.tree, dir)
}

// look reads one file and records what is wrong with it; data is nil if the file is missing.
func (a *Audit) look(tree record.Tree, file, name string, base bool, sound func([]byte) bool) ([]byte, error) {
	data, err := tree.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		a.Damaged = append(a.Damaged, Damage{Name: name, Base: base, Missing: true})
		return nil, nil
	}
	if err != nil {
		return nil, system("read", tree.Place(file), err)
	}
	if !sound(data) {
		a.Damaged = append(a.Damaged, Damage{Name: name, Base: base})
	}
	if data == nil {
		data = []byte{}
	}
	return data, nil
}

// extras records files that are not in the manifest.
func (a *Audit) extras(tree record.Tree, dir string) error {
	return fs.WalkDir(tree, dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return system("read", tree.Place(file), err)
		}
		name := strings.TrimPrefix(file, dir+"/")
		if _, ok := a.Manifest.Files[name]; !e.IsDir() && !ok && name != ManifestFile {
			a.Damaged = append(a.Damaged, Damage{Name: name, Extra: true})
		}
		return nil
	})
}
