package memory

import (
	"bytes"
	"io/fs"
	"strings"

	"starpost/pbem/record"
)

// Stat describes a file or folder. A folder exists while it contains a file.
func (r *Record) Stat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "look at", Path: name, Err: fs.ErrInvalid}
	}
	if f, ok := r.files[name]; ok {
		return f.entry(name), nil
	}
	e := record.Entry{Path: name, Folder: true}
	there := name == "."
	for n, f := range r.files {
		if name == "." || strings.HasPrefix(n, name+"/") {
			there = true
			if f.modified.After(e.Modified) {
				e.Modified = f.modified
			}
		}
	}
	if !there {
		return nil, &fs.PathError{Op: "look at", Path: name, Err: fs.ErrNotExist}
	}
	return e, nil
}

func (f file) entry(name string) record.Entry {
	return record.Entry{Path: name, Bytes: int64(len(f.data)), Modified: f.modified}
}

// ReadFile returns the contents of a file.
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
	files := make([]record.Entry, 0, len(r.files))
	for n, f := range r.files {
		files = append(files, f.entry(n))
	}
	return record.Below(name, files), nil
}

// Open opens a file or folder.
func (r *Record) Open(name string) (fs.File, error) { return record.Open(r, name) }
