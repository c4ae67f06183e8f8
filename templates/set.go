package templates

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"sync"
)

//go:embed files
var embedded embed.FS

// Set is the templates that mails and pages are drawn with. A nil Set is the one that
// is built in. It may be used by several goroutines.
type Set struct {
	// Warn is told when a template of the host fails on what it is given; what is built
	// in is drawn then. With nil the drawing fails.
	Warn func(error)

	drawers map[string]func() (drawer, error)
}

// Lazy is a value that is made when it is first asked for. What makes it is no part of the variable, as it is with
// [sync.OnceValue]: a program that never asks for it, such as the one that browsers run, has nothing of it.
type Lazy[T any] struct {
	once  sync.Once
	value T
	err   error
}

// Get gives the value, made by the first call.
func (k *Lazy[T]) Get(made func() (T, error)) (T, error) {
	k.once.Do(func() { k.value, k.err = made() })
	return k.value, k.err
}

var builtIn Lazy[*Set]

// builtInSet is the Set without a host's files, each parsed when first drawn.
func builtInSet() *Set {
	s, _ := builtIn.Get(func() (*Set, error) { return newSet("", nil), nil }) // which has no errors
	return s
}

// Files are the names of all template files in order.
func Files() []string {
	list, err := fs.ReadDir(embedded, "files")
	if err != nil {
		panic(err) // they are part of the program
	}
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = f.Name()
	}
	return names
}

// File is the template file of that name as it is built in; nil if there is none.
func File(name string) []byte {
	text, err := embedded.ReadFile("files/" + path.Base(name))
	if err != nil {
		return nil
	}
	return text
}

// newSet lays a host's files, by name, over those built in. Each page sees the parts of
// its kind and itself, ours first, so that a host's definition replaces ours.
func newSet(dir string, host map[string]string) *Set {
	s := &Set{drawers: map[string]func() (drawer, error){}}
	for _, name := range Files() {
		kind := path.Ext(name)
		if name == "parts"+kind {
			continue
		}
		s.drawers[name] = sync.OnceValues(func() (drawer, error) {
			var all []source
			for _, part := range []string{"parts" + kind, name} {
				all = append(all, source{part, string(File(part))})
			}
			for _, part := range []string{"parts" + kind, name} {
				if text, ok := host[part]; ok {
					all = append(all, source{path.Join(dir, part), text})
				}
			}
			if kind == ".html" {
				return parseHTML(all)
			}
			return parseText(all)
		})
	}
	return s
}

var buffers = sync.Pool{New: func() any { return new(bounded) }}

// draw executes a template file on a view and finishes what it gives.
func (s *Set) draw(name string, view any, finish func([]byte) []byte) ([]byte, error) {
	if s == nil {
		s = builtInSet()
	}
	parsed, ok := s.drawers[name]
	if !ok {
		return nil, fmt.Errorf("draw a mail: there is no template file %q", name)
	}
	b := buffers.Get().(*bounded)
	b.Reset()
	b.pieces = 0
	defer buffers.Put(b)
	t, err := parsed()
	if err == nil {
		err = t.Execute(b, view)
	}
	if err != nil {
		err = fmt.Errorf("draw a mail: %w", mistakeOf(name, err))
		if s.Warn == nil {
			return nil, err
		}
		s.Warn(err)
		return builtInSet().draw(name, view, finish)
	}
	return finish(b.Bytes()), nil
}
