//go:build !js

package templates

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"
)

// Load returns the built-in templates with a host's folder laid over them; dir is the
// folder's name in messages. It draws each page with sample views, so that mistakes show
// at once, and returns all that it finds, at most one for each file.
func Load(folder fs.FS, dir string) (*Set, []*Mistake) {
	host, found := readFolder(folder, dir)
	s := newSet(dir, host)
	for _, name := range pageFiles() {
		if m := s.try(name); m != nil && !slices.ContainsFunc(found, func(o *Mistake) bool { return *o == *m }) {
			found = append(found, m)
		}
	}
	return s, found
}

// readFolder reads a host's template files, by name.
func readFolder(folder fs.FS, dir string) (map[string]string, []*Mistake) {
	list, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, []*Mistake{{File: dir, Message: "cannot be read: " + cmp.Or(errors.Unwrap(err), err).Error()}}
	}
	files, known := map[string]string{}, Files()
	var found []*Mistake
	for _, f := range list {
		name := f.Name()
		if strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") {
			continue // files of editors and version control
		}
		text, err := readFile(folder, name)
		switch {
		case !slices.Contains(known, name):
			err = errors.New("there is no template of that name; the templates are " + strings.Join(known, ", "))
		case err == nil:
			files[name] = text
			continue
		}
		found = append(found, &Mistake{File: path.Join(dir, name), Message: err.Error()})
	}
	return files, found
}

func readFile(folder fs.FS, name string) (string, error) {
	f, err := folder.Open(name)
	if err != nil {
		return "", fmt.Errorf("cannot be read: %w", cmp.Or(errors.Unwrap(err), err))
	}
	text, err := io.ReadAll(io.LimitReader(f, mostFileBytes+1))
	if err = errors.Join(err, f.Close()); err == nil && len(text) > mostFileBytes {
		err = fmt.Errorf("the file is too long (more than %d bytes)", mostFileBytes)
	}
	return string(text), err
}

// mostFileBytes is the largest size of a host's file.
const mostFileBytes = 256 << 10

// try draws a page with all its sample views and returns the first mistake, or nil.
func (s *Set) try(name string) *Mistake {
	for _, view := range samples(name) {
		if err := s.draw(name, view, new(page)); err != nil {
			var m *Mistake
			errors.As(err, &m)
			return m
		}
	}
	return nil
}

// samples returns the views that a template file is tested with: an empty one, and one
// or more with every field set, which together have each value that a template may
// branch on.
func samples(name string) []any {
	switch name {
	case "ack.txt", "ack.html":
		views := []any{Ack{}}
		for _, v := range []Verdict{Accepted, Refused, Kept, Checked, Canceled, Untrusted} {
			a := full[Ack]()
			a.Verdict, a.Diagnostics[0].Severity, a.Diagnostics[1].Severity = v, Error, Warning
			views = append(views, a)
		}
		return views
	case "report.txt", "report.html":
		return []any{Report{}, full[Report]()}
	case "reply.txt":
		return []any{Reply{}, full[Reply]()}
	case "message.txt":
		return []any{RelayedMessage{}, full[RelayedMessage]()}
	}
	toReferee := full[Notice]()
	toCaptain := toReferee
	toCaptain.Referee, toCaptain.Gone = false, false
	return []any{Notice{}, toReferee, toCaptain}
}

// full returns a view with every field set.
func full[T any]() (view T) {
	fill(reflect.ValueOf(&view).Elem())
	return view
}

func fill(v reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // views have no others
	case reflect.String:
		v.SetString("Sample <&>")
	case reflect.Int:
		v.SetInt(2)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Struct:
		for _, f := range v.Fields() {
			fill(f)
		}
	}
}
