//go:build !js

package templates

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"sync"
)

// generated is the name of a built-in template. It is drawn with the code generated from the template.
type generated string

func (name generated) draw(to *page, view any) error {
	fn := compiled(string(name))
	raw := to // HTML needs no layout
	if path.Ext(string(name)) == ".txt" {
		raw = pages.Get().(*page)
		defer pages.Put(raw)
		raw.b = raw.b[:0]
	}
	if !fn(raw, view) {
		return fmt.Errorf("%s cannot draw a %T", string(name), view)
	}
	if len(raw.b) > mostDrawnBytes {
		return errTooMuch
	}
	if raw != to {
		to.b = slices.Grow(to.b, len(raw.b)+512)
		to.lay(raw.b)
	}
	return nil
}

// newSet lays a host's files, by name, over the built-in ones. Each page is parsed with the
// parts of its kind, built-in files first, so that a host's definitions replace ours.
func newSet(dir string, host map[string]string) *Set {
	s := &Set{drawers: map[string]func() (drawer, error){}}
	for _, name := range pageFiles() {
		files := []string{"parts" + path.Ext(name), name}
		if slices.ContainsFunc(files, func(file string) bool { _, ok := host[file]; return ok }) {
			s.drawers[name] = sync.OnceValues(func() (drawer, error) { return parsePage(dir, files, host) })
		}
	}
	return s
}

// parsePage parses the files of a page: the built-in ones, then the host's versions of them.
func parsePage(dir string, files []string, host map[string]string) (drawer, error) {
	var all []source
	for _, name := range files {
		all = append(all, source{name, string(File(name))})
	}
	for _, name := range files {
		if text, ok := host[name]; ok {
			all = append(all, source{path.Join(dir, name), text})
		}
	}
	if path.Ext(files[0]) == ".html" {
		return parseHTML(all)
	}
	return parseText(all)
}

// draw draws a view with a template file, on an empty page.
func (s *Set) draw(name string, view any, to *page) error {
	t, err := s.drawer(name)
	if err == nil {
		err = t.draw(to, view)
	}
	if err == nil {
		return nil
	}
	err = fmt.Errorf("draw a mail: %w", mistakeOf(name, err))
	if s == nil || s.Warn == nil {
		return err
	}
	s.Warn(err)
	return (*Set)(nil).draw(name, view, to)
}

// drawer returns what draws a template file: the host's version, or the built-in one.
func (s *Set) drawer(name string) (drawer, error) {
	if s != nil && s.drawers[name] != nil {
		return s.drawers[name]()
	}
	if compiled(name) == nil {
		return nil, errors.New("there is no such template file")
	}
	return generated(name), nil
}
