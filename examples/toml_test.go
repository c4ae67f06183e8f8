package examples_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// tomlKeys lists all keys of a file that decodes into v, including those of tables, sorted.
func tomlKeys(t *testing.T, v any) []string {
	t.Helper()
	return tagged(t, reflect.TypeOf(v), "toml")
}

// tagged lists the names in a tag of a type's fields, recursively.
func tagged(t *testing.T, typ reflect.Type, tag string) []string {
	t.Helper()
	var names []string
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			walk(typ.Elem())
			return
		case reflect.Struct:
		default:
			return
		}
		if seen[typ] {
			return
		}
		seen[typ] = true
		for f := range typ.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get(tag), ",")
			if name != "" && name != "-" {
				names = append(names, name)
			}
			if name != "" || f.Anonymous {
				walk(f.Type)
			}
		}
	}
	walk(typ)
	slices.Sort(names)
	if names = slices.Compact(names); len(names) == 0 {
		t.Fatalf("%s has no %s keys", typ, tag)
	}
	return names
}

// containsKey reports whether a TOML text sets a key or opens a table of that name, on its own line or in an inline
// table.
func containsKey(text, key string) bool {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if strings.Trim(line, "[]") == key && strings.HasPrefix(line, "[") {
			return true
		}
		for _, part := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("{},", r) }) {
			if left, _, ok := strings.Cut(part, "="); ok && strings.TrimSpace(left) == key {
				return true
			}
		}
	}
	return false
}
