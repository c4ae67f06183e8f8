package site

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"starpost/pbem/fault"
	"starpost/templates/composer"
)

// markerName is the file that marks a folder as ours and lists its content.
const markerName = ".starpost-site.json"

// foreign returns the error for a folder that is not ours.
func foreign(dir, why string) error {
	return fault.New("choose an empty or new folder: the site needs one of its own", "the site is not written to %s: %s", dir, why)
}

// marker is the content of that file, all of it public.
type marker struct {
	About  string            `json:"about"`
	Format int               `json:"format"`
	Name   string            `json:"name"`  // of this folder: another folder at the same path has another name
	Files  map[string]string `json:"files"` // SHA-256 by slash-separated name
}

const (
	markerAbout  = "Pages written by starpost site. The folder is for them alone: files listed here are replaced and removed."
	markerFormat = 1
	maxMarker    = 64 << 20
)

// folder is one of our folders, open for a run. It is safe for concurrent use.
type folder struct {
	root  *os.Root
	name  string
	there map[string]bool // regular files that were there when it was opened, in the directories of had

	mu      sync.Mutex
	had     map[string]string // previous files and their hashes
	has     map[string]string // ... and the new ones
	written int               // pages about games
	changed bool              // some file has changed
}

// openFolder opens one of our folders, or makes one from an empty or missing folder.
func openFolder(dir string) (f *folder, err error) {
	entries, err := os.ReadDir(dir)
	fresh := false
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fresh = true
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("make the folder of the site: %w", err)
		}
	case err != nil:
		if info, serr := os.Stat(dir); serr == nil && !info.IsDir() {
			return nil, foreign(dir, "it is a file, not a folder")
		}
		return nil, fmt.Errorf("open the folder of the site: %w", err)
	case len(entries) == 0:
		fresh = true
	case !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == markerName && e.Type().IsRegular() }):
		return nil, foreign(dir, "it holds other files and no "+markerName)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder of the site: %w", err)
	}
	f = &folder{root: root, had: map[string]string{}, has: map[string]string{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, root.Close())
		}
	}()
	if fresh {
		f.name = newName()
		return f, f.mark()
	}
	file, err := root.Open(markerName)
	if err != nil {
		return nil, fmt.Errorf("open the folder of the site: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	var text strings.Builder
	if err == nil {
		text.Grow(int(min(info.Size(), maxMarker)))
		_, err = io.Copy(&text, io.LimitReader(file, maxMarker))
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(dir, markerName), err)
	}
	m, err := readMarker(text.String())
	switch {
	case err != nil || m.About != markerAbout:
		return nil, foreign(dir, "its "+markerName+" is damaged or from another program")
	case m.Format != markerFormat:
		return nil, foreign(dir, fmt.Sprintf("another version of starpost wrote it (format %d)", m.Format))
	}
	for name := range m.Files {
		if !ourFile(name) {
			return nil, foreign(dir, fmt.Sprintf("its %s lists %q, which is not a page of a site", markerName, name))
		}
	}
	f.name = m.Name
	if m.Files != nil {
		f.had = m.Files
	}
	return f, f.find()
}

// readMarker reads a marker. The list of files, one a line as mark writes it, is cut into strings: encoding/json took a third
// of a run in which nothing had changed. It reads a list that looks otherwise.
func readMarker(text string) (m marker, err error) {
	head, list, ok := strings.Cut(text, "\n \"files\": {\n")
	list, ends := strings.CutSuffix(list, "\n }\n}\n")
	lines := strings.Count(list, "\n") + 1
	plain := !strings.Contains(list, `\`) && strings.Count(list, `"`) == 4*lines
	if !ok || !ends || !plain || json.Unmarshal([]byte(head+"\n \"files\": {}\n}"), &m) != nil {
		return m, json.Unmarshal([]byte(text), &m)
	}
	m.Files = make(map[string]string, lines)
	for line := range strings.SplitSeq(list, "\n") {
		line, begins := strings.CutPrefix(line, `  "`)
		name, sum, two := strings.Cut(line, `": "`)
		sum, ends := strings.CutSuffix(strings.TrimSuffix(sum, ","), `"`)
		if !begins || !two || !ends {
			m = marker{}
			return m, json.Unmarshal([]byte(text), &m)
		}
		m.Files[name] = sum
	}
	return m, nil
}

// find notes which files are there. It reads each directory once: asking for each file took a fifth of a run in which
// nothing had changed.
func (f *folder) find() error {
	f.there = map[string]bool{}
	read := map[string]bool{}
	for name := range f.had {
		dir, _ := path.Split(name)
		if read[dir] {
			continue
		}
		read[dir] = true
		entries, err := os.ReadDir(filepath.Join(f.root.Name(), dir)) // through the root, each entry would be a system call
		if err = ignoreAbsent(err); err != nil {
			return fmt.Errorf("open the folder of the site: %w", err)
		}
		for _, e := range entries {
			if e.Type().IsRegular() {
				f.there[dir+e.Name()] = true
			}
		}
	}
	return nil
}

// ourFile reports whether a site may have a file of that name.
func ourFile(name string) bool {
	if !fs.ValidPath(name) {
		return false
	}
	dir, _ := path.Split(name)
	switch ext := path.Ext(name); dir {
	case "":
		return ext == ".html" || ext == ".xml"
	case "games/", "replays/", "cups/", "scenarios/":
		return ext == ".html"
	}
	return name == feedsIndex || ofComposer(name)
}

// ofComposer reports whether a file belongs to the page on which captains compose orders, in the folder of a version
// of the program.
func ofComposer(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(name, "compose/") && path.Dir(path.Dir(name)) == "compose" && (base == "index.html" || base == composer.DesignFile || base == composer.WasmFile)
}

func (f *folder) close() error { return f.root.Close() }

// put writes a file unless it exists with the same text.
func (f *folder) put(name string, text []byte) error {
	sum := fmt.Sprintf("%x", sha256.Sum256(text))
	f.mu.Lock()
	f.has[name] = sum
	same := f.had[name] == sum
	f.mu.Unlock()
	if same && f.there[name] {
		return nil
	}
	if err := f.replace(name, text); err != nil {
		return fmt.Errorf("write the page %s: %w", name, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changed = true
	if !ofComposer(name) {
		f.written++
	}
	return nil
}

// replace replaces a file atomically.
func (f *folder) replace(name string, text []byte) error {
	dir, base := path.Split(name)
	if dir != "" {
		if err := f.root.MkdirAll(path.Clean(dir), 0o755); err != nil {
			return err
		}
	}
	aside := dir + "." + base + ".new"
	if err := f.root.WriteFile(aside, text, 0o644); err != nil {
		return errors.Join(err, ignoreAbsent(f.root.Remove(aside)))
	}
	return f.root.Rename(aside, name)
}

// kept keeps files as they are; false if one of them is missing.
func (f *folder) kept(names []string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range names {
		if f.had[name] == "" || !f.there[name] {
			return false
		}
	}
	for _, name := range names {
		f.has[name] = f.had[name]
	}
	return true
}

// finish records the current files and removes obsolete ones.
func (f *folder) finish() (removed int, err error) {
	gone := []string{}
	for name := range f.had {
		if f.has[name] == "" {
			gone = append(gone, name)
		}
	}
	if !f.changed && len(gone) == 0 {
		return 0, nil
	}
	for _, name := range gone {
		if !ofComposer(name) {
			removed++
		}
		if err := ignoreAbsent(f.root.Remove(name)); err != nil {
			return 0, fmt.Errorf("remove the page %s: %w", name, err)
		}
	}
	return removed, f.mark()
}

func (f *folder) mark() error {
	text, err := json.MarshalIndent(marker{markerAbout, markerFormat, f.name, f.has}, "", " ")
	if err == nil {
		err = f.replace(markerName, append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("mark the folder of the site: %w", err)
	}
	return nil
}

func ignoreAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
