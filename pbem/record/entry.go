package record

import (
	"bytes"
	"cmp"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Entry is a file or a folder of a record that no file system keeps, as package fs tells of them.
type Entry struct {
	Path     string // its name in the record
	Folder   bool
	Bytes    int64
	Modified time.Time // of a folder that of the youngest file in it
}

// Name is the last element of the path.
func (e Entry) Name() string { return path.Base(e.Path) }

// Size is in bytes; 0 of a folder.
func (e Entry) Size() int64 { return e.Bytes }

// ModTime is when it changed last.
func (e Entry) ModTime() time.Time { return e.Modified }

// IsDir tells a folder from a file.
func (e Entry) IsDir() bool { return e.Folder }

// Sys is nil: nothing lies below.
func (e Entry) Sys() any { return nil }

// Type is that of the mode.
func (e Entry) Type() fs.FileMode { return e.Mode().Type() }

// Info is the entry itself, for fs.DirEntry.
func (e Entry) Info() (fs.FileInfo, error) { return e, nil }

// Mode lets its owner alone read it.
func (e Entry) Mode() fs.FileMode {
	if e.Folder {
		return fs.ModeDir | 0o700
	}
	return 0o600
}

// Below lists a folder, given all files below it: each that lies in it, and each folder that holds any.
func Below(folder string, files []Entry) []fs.DirEntry {
	in := map[string]Entry{}
	for _, f := range files {
		rest, ok := strings.CutPrefix(f.Path, folder+"/")
		if folder == "." {
			rest, ok = f.Path, true
		}
		if !ok {
			continue
		}
		first, _, deeper := strings.Cut(rest, "/")
		if !deeper {
			in[first] = f
			continue
		}
		e := in[first]
		e.Path, e.Folder = path.Join(folder, first), true
		if f.Modified.After(e.Modified) {
			e.Modified = f.Modified
		}
		in[first] = e
	}
	out := make([]fs.DirEntry, 0, len(in))
	for _, e := range in {
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return out
}

// Open opens an entry that r has.
func Open(r Reader, name string) (fs.File, error) {
	info, err := r.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		entries, err := r.ReadDir(name)
		return &folder{info, entries}, err
	}
	data, err := r.ReadFile(name)
	return &opened{bytes.NewReader(data), info}, err
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
	info    fs.FileInfo
	entries []fs.DirEntry
}

func (d *folder) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *folder) Close() error               { return nil }
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
