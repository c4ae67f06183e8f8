package memory

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// entry is a file or a folder, as package fs tells of them.
type entry struct {
	name string
	dir  bool
	file
}

func (e entry) Name() string               { return path.Base(e.name) }
func (e entry) Size() int64                { return int64(len(e.data)) }
func (e entry) ModTime() time.Time         { return e.modified }
func (e entry) IsDir() bool                { return e.dir }
func (e entry) Sys() any                   { return nil }
func (e entry) Type() fs.FileMode          { return e.Mode().Type() }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }
func (e entry) Mode() fs.FileMode {
	if e.dir {
		return fs.ModeDir | 0o700
	}
	return 0o600
}

// Stat looks at a file, or at a folder, which is there while something is in it.
func (r *Record) Stat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "look at", Path: name, Err: fs.ErrInvalid}
	}
	if f, ok := r.files[name]; ok {
		return entry{name: name, file: f}, nil
	}
	e := entry{name: name, dir: true}
	there := name == "."
	for n, f := range r.files {
		if name == "." || strings.HasPrefix(n, name+"/") {
			there = true
			if f.modified.After(e.modified) {
				e.modified = f.modified
			}
		}
	}
	if !there {
		return nil, &fs.PathError{Op: "look at", Path: name, Err: fs.ErrNotExist}
	}
	return e, nil
}

// ReadFile gives the bytes of a file.
func (r *Record) ReadFile(name string) ([]byte, error) {
	info, err := r.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	return bytes.Clone(r.files[name].data), nil
}

// ReadDir lists a folder.
func (r *Record) ReadDir(name string) ([]fs.DirEntry, error) {
	if info, err := r.Stat(name); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	found := map[string]bool{}
	var out []fs.DirEntry
	for n := range r.files {
		rest, ok := strings.CutPrefix(n, name+"/")
		if name == "." {
			rest, ok = n, true
		}
		first, _, _ := strings.Cut(rest, "/")
		if !ok || found[first] {
			continue
		}
		found[first] = true
		info, err := r.Stat(path.Join(name, first))
		if err != nil {
			return nil, err
		}
		out = append(out, fs.FileInfoToDirEntry(info))
	}
	slices.SortFunc(out, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return out, nil
}

// Open opens a file or folder.
func (r *Record) Open(name string) (fs.File, error) {
	info, err := r.Stat(name)
	if err != nil {
		return nil, err
	}
	o := &opened{info: info}
	if !info.IsDir() {
		o.Reader = bytes.NewReader(r.files[name].data)
		return o, nil
	}
	entries, err := r.ReadDir(name)
	return &folder{opened: opened{info: info}, entries: entries}, err
}

// opened is a file that is being read.
type opened struct {
	*bytes.Reader
	info fs.FileInfo
}

func (o *opened) Stat() (fs.FileInfo, error) { return o.info, nil }
func (o *opened) Close() error               { return nil }

// folder is a folder that is being listed.
type folder struct {
	opened
	entries []fs.DirEntry
}

func (d *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.Name(), Err: fs.ErrInvalid}
}

// ReadDir gives the next entries.
func (d *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 || n > len(d.entries) {
		if n > 0 && len(d.entries) == 0 {
			return nil, io.EOF
		}
		n = len(d.entries)
	}
	out := d.entries[:n]
	d.entries = d.entries[n:]
	return out, nil
}
