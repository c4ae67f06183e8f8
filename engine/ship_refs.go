package engine

import (
	"reflect"
	"sync"
)

// Which ships a body refers to follows from the types of its fields: every [ShipID] and the ships in the [RollName]
// of a roll, at any depth. No other field, such as a weapon, an order or words of a captain, ever refers to a ship.

var (
	shipIDType   = reflect.TypeFor[ShipID]()
	rollNameType = reflect.TypeFor[RollName]()
	naming       sync.Map // by reflect.Type: whether its values can refer to ships
)

// names reports whether values of a type can refer to ships. An interface can, depending on its value.
func names(t reflect.Type) bool {
	known, ok := naming.Load(t)
	if !ok {
		known, _ = naming.LoadOrStore(t, holdsRefs(t, map[reflect.Type]bool{}))
	}
	can, _ := known.(bool)
	return can
}

func holdsRefs(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] { // a recursive type
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return holdsRefs(t.Elem(), seen)
	case reflect.Map:
		return holdsRefs(t.Key(), seen) || holdsRefs(t.Elem(), seen)
	case reflect.Struct:
		for f := range t.Fields() {
			if told(f) && holdsRefs(f.Type, seen) {
				return true
			}
		}
		return t == rollNameType
	default:
		return t == shipIDType
	}
}

// told reports whether a field is part of what a body says.
func told(f reflect.StructField) bool { return f.IsExported() || f.Anonymous }

// ShipRefs appends the ship ids in a value to out, in the order of its fields.
func ShipRefs(v reflect.Value, out []ShipID) []ShipID {
	switch {
	case !v.IsValid() || !names(v.Type()):
		return out
	case v.Type() == shipIDType:
		return append(out, ShipID(v.String()))
	case v.Type() == rollNameType:
		name, _ := reflect.TypeAssert[RollName](v)
		return append(out, name.Ships()...)
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return ShipRefs(v.Elem(), out)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			out = ShipRefs(v.Index(i), out)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			out = ShipRefs(it.Value(), ShipRefs(it.Key(), out))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if told(v.Type().Field(i)) {
				out = ShipRefs(v.Field(i), out)
			}
		}
	default:
	}
	return out
}

// Renamed returns a deep copy of a value with each ship id replaced by rename. Parts without ship ids are shared.
func Renamed(v reflect.Value, rename func(ShipID) ShipID) reflect.Value {
	switch {
	case !v.IsValid() || !names(v.Type()):
		return v
	case v.Type() == shipIDType:
		return reflect.ValueOf(rename(ShipID(v.String())))
	case v.Type() == rollNameType:
		name, _ := reflect.TypeAssert[RollName](v)
		return reflect.ValueOf(name.renamed(rename))
	}
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out.Set(reflect.New(v.Type().Elem()))
		out.Elem().Set(Renamed(v.Elem(), rename))
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		out.Set(Renamed(v.Elem(), rename))
	case reflect.Struct:
		out.Set(v)
		for i := range v.NumField() {
			if f := out.Field(i); f.CanSet() {
				f.Set(Renamed(v.Field(i), rename))
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			out.Index(i).Set(Renamed(v.Index(i), rename))
		}
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for it := v.MapRange(); it.Next(); {
			out.SetMapIndex(Renamed(it.Key(), rename), Renamed(it.Value(), rename))
		}
	default:
		return v
	}
	return out
}
