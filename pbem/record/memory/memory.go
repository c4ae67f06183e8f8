// Package memory keeps the record of a game in memory, for tests and for looking into a game that is
// packed in a file.
package memory

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"starpost/pbem/record"
)

// Record is a record.Tree in memory, for use by one goroutine at a time.
type Record struct {
	name  string
	now   func() time.Time
	files map[string]file
	fence record.Fence
	held  bool
}

// New returns an empty record; name is for messages.
func New(name string, now func() time.Time) *Record {
	return &Record{name: name, now: now, files: map[string]file{}}
}

// file is a file of a record.
type file struct {
	data     []byte
	modified time.Time
}

// Place returns the name of the record joined with that of the file.
func (r *Record) Place(name string) string { return path.Join(r.name, name) }

// Create fills the record.
func (r *Record) Create(files []record.File) error {
	if err := (record.Change{Put: files}).Check(nil); err != nil {
		return err
	}
	if len(r.files) > 0 {
		return fmt.Errorf("create %s: %w", r.name, record.ErrExists)
	}
	r.put(files)
	return nil
}

// Lock takes the lock.
func (r *Record) Lock() (record.Fence, error) {
	if r.held {
		return 0, fmt.Errorf("lock %s: %w", r.name, record.ErrLocked)
	}
	r.held = true
	r.fence++
	return r.fence, nil
}

// Unlock releases the lock.
func (r *Record) Unlock(f record.Fence, _ bool) error {
	if f == r.fence {
		r.held = false
	}
	return nil
}

// Commit makes a change.
func (r *Record) Commit(f record.Fence, base *record.Version, c record.Change) error {
	if err := c.Check(base); err != nil {
		return err
	}
	if err := c.Allowed(); err != nil {
		return err
	}
	switch {
	case !r.held || f != r.fence:
		return fmt.Errorf("change %s: %w", r.name, record.ErrFenced)
	case c.Dir != "" && !c.Replace && r.has(c.Dir):
		if r.made(base, c) {
			return nil
		}
		return fmt.Errorf("change %s: %w", r.name, record.ErrCommitted)
	case base != nil && !r.is(*base, c):
		if r.made(base, c) {
			return nil
		}
		return fmt.Errorf("change %s: %w", r.name, record.ErrStale)
	}
	if line := c.Line(); line != nil {
		r.put([]record.File{{Name: record.Journal, Data: slices.Concat(r.files[record.Journal].data[:base.Good], line)}})
		return nil
	}
	for _, a := range c.Add {
		if was := r.files[a.Name].data; !bytes.HasSuffix(was, a.Data) {
			r.put([]record.File{{Name: a.Name, Data: slices.Concat(was, a.Data)}})
		}
	}
	if c.Dir != "" {
		r.remove(c.Dir)
	}
	r.put(c.Put)
	for _, name := range c.Remove {
		r.remove(name)
	}
	return nil
}

func (r *Record) put(files []record.File) {
	for _, f := range files {
		if f.Modified.IsZero() {
			f.Modified = r.now()
		}
		r.files[f.Name] = file{bytes.Clone(f.Data), f.Modified}
	}
}

func (r *Record) remove(name string) {
	maps.DeleteFunc(r.files, func(n string, _ file) bool { return n == name || strings.HasPrefix(n, name+"/") })
}

func (r *Record) has(name string) bool {
	_, err := r.Stat(name)
	return err == nil
}

// is reports whether the record is in the state that a change is based on.
func (r *Record) is(v record.Version, c record.Change) bool {
	journal := r.files[record.Journal].data
	return int64(len(journal)) == v.Size && endsIn(journal, v) &&
		(c.Line() != nil || (v.There == "" || r.has(v.There)) && !slices.ContainsFunc(v.Absent, r.has))
}

func endsIn(journal []byte, v record.Version) bool {
	if v.Good == 0 {
		return true
	}
	sum := sha256.Sum256(journal[v.Last : v.Good-1])
	return hex.EncodeToString(sum[:]) == v.Head
}

// made reports whether the record is as the change would leave it.
func (r *Record) made(base *record.Version, c record.Change) bool {
	if line := c.Line(); line != nil {
		journal := r.files[record.Journal].data
		return int64(len(journal)) == base.Good+int64(len(line)) && endsIn(journal, *base) && bytes.HasSuffix(journal, line)
	}
	return !slices.ContainsFunc(c.Put, func(f record.File) bool { was, ok := r.files[f.Name]; return !ok || !bytes.Equal(was.data, f.Data) }) &&
		!slices.ContainsFunc(c.Add, func(f record.File) bool { return !bytes.HasSuffix(r.files[f.Name].data, f.Data) }) &&
		!slices.ContainsFunc(c.Remove, r.has)
}
