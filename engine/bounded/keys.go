package bounded

import (
	"reflect"
	"slices"
	"strings"
)

// Keys lists what may stand in the table at a path of a file that is read into a struct,
// in the struct's order. It is free where the names are the file's own, or the path leads
// nowhere.
func Keys(of any, path ...string) (names []string, free bool) {
	t := reflect.TypeOf(of)
	for _, key := range path {
		switch t = table(t); {
		case t.Kind() == reflect.Map:
			t = t.Elem()
		case t.Kind() == reflect.Struct:
			fields := fieldsOf(t)
			at := slices.IndexFunc(fields, func(f field) bool { return f.key == key })
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
	for _, f := range fieldsOf(t) {
		names = append(names, f.key)
	}
	return names, false
}

// AllKeys lists what may stand in any table of such a file, each once.
func AllKeys(of any) []string {
	return slices.Compact(slices.Sorted(slices.Values(deep(reflect.TypeOf(of)))))
}

func deep(t reflect.Type) (names []string) {
	if t = table(t); t.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range fieldsOf(t) {
		names = append(append(names, f.key), deep(f.kind)...)
	}
	return names
}

// table is the type of a table, or of the tables of a list.
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

func fieldsOf(t reflect.Type) (all []field) {
	for f := range t.Fields() {
		switch key, _, _ := strings.Cut(f.Tag.Get("toml"), ","); {
		case key != "" && key != "-":
			all = append(all, field{key, f.Type})
		case key == "" && f.Anonymous:
			all = append(all, fieldsOf(f.Type)...)
		}
	}
	return all
}
