package engine

import "reflect"

// Verbatim is what a captain wrote that names no ship, though it may be what a ship is called.
type Verbatim string

var verbatim = reflect.TypeFor[Verbatim]()

// words are all strings in a body, however deep, but for those that name no ship.
func words(body Body) []string {
	var out []string
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			if v.Len() > 0 && v.Type() != verbatim {
				out = append(out, v.String())
			}
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Map:
			for it := v.MapRange(); it.Next(); {
				walk(it.Key())
				walk(it.Value())
			}
		default:
		}
	}
	walk(reflect.ValueOf(body))
	return out
}
