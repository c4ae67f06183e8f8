package postgres

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"starpost/pbem/record"
)

// memo caches what was read of a record since its lock was taken. No other process changes the record meanwhile, and if the lock is lost,
// the next change of the former holder is refused. A nil memo, used without the lock, caches nothing.
type memo struct {
	entries map[string]*record.Entry  // files and folders; nil if known to be missing
	below   map[string][]record.Entry // by folder, all files below it
	data    map[string][]byte         // contents of files
}

// newMemo returns an empty memo.
func newMemo() *memo {
	return &memo{map[string]*record.Entry{}, map[string][]record.Entry{}, map[string][]byte{}}
}

// mostRemembered is the size of the largest file with cached contents.
const mostRemembered = 1 << 18

func (m *memo) entry(name string) (e *record.Entry, known bool) {
	if m == nil {
		return nil, false
	}
	e, known = m.entries[name]
	return e, known
}

func (m *memo) putEntry(name string, e *record.Entry) {
	if m != nil {
		m.entries[name] = e
	}
}

func (m *memo) files(folder string) (files []record.Entry, known bool) {
	if m == nil {
		return nil, false
	}
	files, known = m.below[folder]
	return slices.Clone(files), known
}

func (m *memo) putFiles(folder string, files []record.Entry) {
	if m != nil {
		m.below[folder] = slices.Clone(files)
	}
}

func (m *memo) bytes(name string) (data []byte, known bool) {
	if m == nil {
		return nil, false
	}
	data, known = m.data[name]
	return bytes.Clone(data), known
}

func (m *memo) putBytes(name string, data []byte) {
	if m != nil && len(data) <= mostRemembered {
		m.data[name] = bytes.Clone(data)
	}
}

// forget drops everything that a change may affect.
func (m *memo) forget(c record.Change) {
	if m == nil {
		return
	}
	names := slices.Concat(c.Remove, c.Prune)
	for _, f := range slices.Concat(c.Add, c.Put) {
		names = append(names, f.Name)
	}
	if c.Dir != "" {
		names = append(names, c.Dir)
	}
	touched := func(name string) bool {
		return name == "." || slices.ContainsFunc(names, func(n string) bool {
			return n == name || strings.HasPrefix(n, name+"/") || strings.HasPrefix(name, n+"/")
		})
	}
	maps.DeleteFunc(m.entries, func(name string, _ *record.Entry) bool { return touched(name) })
	maps.DeleteFunc(m.below, func(name string, _ []record.Entry) bool { return touched(name) })
	maps.DeleteFunc(m.data, func(name string, _ []byte) bool { return touched(name) })
}
