package bounded

import (
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Keys lists the keys allowed in the table at a path of a file that is read into a struct, in the struct's order.
// Free reports that any names are allowed there, or that there is no such path.
func Keys(of any, path ...string) (names []string, free bool) {
	fields, free := shape{}.at(reflect.TypeOf(of), path)
	return keys(fields), free
}

// Unknown yields the keys of a file that is read into a struct without a field of exactly that name, each with the
// names allowed in its place. The library itself ignores case.
func Unknown(md *toml.MetaData, of any) iter.Seq2[toml.Key, []string] {
	return func(yield func(toml.Key, []string) bool) {
		known := shape{}
		for _, key := range md.Keys() {
			last := len(key) - 1
			fields, free := known.at(reflect.TypeOf(of), key[:last])
			if !free && find(fields, key[last]) < 0 && !yield(key, keys(fields)) {
				return
			}
		}
	}
}

// AllKeys lists the keys allowed in any table of such a file, each once.
func AllKeys(of any) []string {
	return slices.Compact(slices.Sorted(slices.Values(deep(reflect.TypeOf(of)))))
}

func deep(t reflect.Type) (names []string) {
	if t = table(t); t.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range (shape{}).fields(t) {
		names = append(append(names, f.key), deep(f.kind)...)
	}
	return names
}

// table returns the type of a table, or of the tables in a list.
func table(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t
}

type field struct {
	key  string
	kind reflect.Type
}

func keys(fields []field) (names []string) {
	for _, f := range fields {
		names = append(names, f.key)
	}
	return names
}

func find(fields []field, key string) int {
	return slices.IndexFunc(fields, func(f field) bool { return f.key == key })
}

// shape caches the fields of structs.
type shape map[reflect.Type][]field

// at returns the fields of the table at a path; free is as for [Keys].
func (s shape) at(t reflect.Type, path []string) (fields []field, free bool) {
	for _, key := range path {
		switch t = table(t); t.Kind() {
		case reflect.Map:
			t = t.Elem()
		case reflect.Struct:
			fields := s.fields(t)
			at := find(fields, key)
			if at < 0 {
				return nil, true
			}
			t = fields[at].kind
		default:
			return nil, true
		}
	}
	if t = table(t); t.Kind() != reflect.Struct {
		return nil, true
	}
	return s.fields(t), false
}

func (s shape) fields(t reflect.Type) []field {
	if all, seen := s[t]; seen {
		return all
	}
	var all []field
	for f := range t.Fields() {
		switch key, _, _ := strings.Cut(f.Tag.Get("toml"), ","); {
		case key != "" && key != "-":
			all = append(all, field{key, f.Type})
		case key == "" && f.Anonymous:
			all = append(all, s.fields(f.Type)...)
		}
	}
	s[t] = all
	return all
}
