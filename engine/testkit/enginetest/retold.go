package enginetest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
)

// CheckRetold fills all zero fields of a body, and checks what a captain in a game in the dark is told about it: the
// fields in shown, and none of those in cut. Every field must be in one of the lists, so that new ones are considered.
// A field listed in cut as "!Name" stays zero.
func CheckRetold(tell func(engine.Body) engine.Body, body engine.Body, shown, cut string) error {
	v := reflect.ValueOf(body).Elem()
	known, secret := strings.Fields(shown), strings.Fields(cut)
	for f := range v.Type().Fields() {
		if slices.Contains(secret, "!"+f.Name) {
			continue
		}
		if slices.Contains(known, f.Name) == slices.Contains(secret, f.Name) {
			return fmt.Errorf("%T: say whether a captain in the dark is told its field %s", body, f.Name)
		}
		fill(v.FieldByIndex(f.Index))
	}
	told := tell(body)
	if later, waits := told.(*dark.Later); waits {
		told = later.Body
	}
	if told == nil {
		return fmt.Errorf("%T: nothing is told", body)
	}
	is := reflect.ValueOf(told).Elem()
	for f := range is.Type().Fields() {
		switch has := !is.FieldByIndex(f.Index).IsZero(); {
		case has && !slices.Contains(known, f.Name):
			return fmt.Errorf("%T: %s is told as %v", told, f.Name, is.FieldByIndex(f.Index))
		case !has && slices.Contains(known, f.Name):
			return fmt.Errorf("%T: %s is not told", told, f.Name)
		}
	}
	return nil
}

// fill replaces a zero value by another one.
func fill(v reflect.Value) {
	if !v.IsZero() {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(7)
	case reflect.String:
		v.SetString("secret")
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		for _, field := range v.Fields() {
			fill(field)
		}
	default:
		panic("enginetest: no value for " + v.Type().String())
	}
}
