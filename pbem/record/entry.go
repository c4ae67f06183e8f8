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

// Entry is a file or folder of a record that is not in a file system. It implements fs.FileInfo and fs.DirEntry.
type Entry struct {
	Path     string // its name in the record
	Folder   bool
	Bytes    int64
	Modified time.Time // for a folder, the time of the newest file below it
}

// Name returns the last element of the path.
func (e Entry) Name() string { return path.Base(e.Path) }

// Size returns the size in bytes; 0 for a folder.
func (e Entry) Size() int64 { return e.Bytes }

// ModTime returns the time of the last change.
func (e Entry) ModTime() time.Time { return e.Modified }

// IsDir reports whether the entry is a folder.
func (e Entry) IsDir() bool { return e.Folder }

// Sys returns nil: there is no underlying data source.
func (e Entry) Sys() any { return nil }

// Type returns the type bits of Mode.
func (e Entry) Type() fs.FileMode { return e.Mode().Type() }

// Info returns the entry itself, for fs.DirEntry.
func (e Entry) Info() (fs.FileInfo, error) { return e, nil }

// Mode returns a mode that gives access to the owner only.
func (e Entry) Mode() fs.FileMode {
	if e.Folder {
		return fs.ModeDir | 0o700
	}
	return 0o600
}

// Below lists a folder: its files, and its subfolders that contain any. files must include all files below the folder.
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

// Open opens a file or folder of r, for implementations of Reader without a file system.
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

// opened is an open file.
type opened struct {
	*bytes.Reader
	info fs.FileInfo
}

func (o *opened) Stat() (fs.FileInfo, error) { return o.info, nil }
func (o *opened) Close() error               { return nil }

// folder is an open folder.
type folder struct {
	info    fs.FileInfo
	entries []fs.DirEntry
}

func (d *folder) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *folder) Close() error               { return nil }
func (d *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.Name(), Err: fs.ErrInvalid}
}

// ReadDir returns the next entries: see fs.ReadDirFile.
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
