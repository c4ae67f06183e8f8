package ship

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Share is what a part of a course keeps of one ship. A part finds its own by its
// type, and files have it under its key, so that no struct lists the parts.
type Share interface {
	Key() string
	Clone() Share
}

// Find finds a part's own by its type among what all parts have left.
func Find[T, S any](all []S) (own T, ok bool) {
	for _, v := range all {
		if own, ok = any(v).(T); ok {
			return own, true
		}
	}
	return own, false
}

// Edit finds what is a part's own, to be written to, and makes it where there is none yet.
func Edit[T any](all *[]any) *T {
	v, ok := Find[*T](*all)
	if !ok {
		v = new(T)
		*all = append(*all, v)
	}
	return v
}

// Read gives what is a part's own; nothing if there is none.
func Read[T any](all []any) (v T) {
	if own, ok := Find[*T](all); ok {
		v = *own
	}
	return v
}

// ShareOf is a part's share of a ship; of one that has none an empty one, which tells of
// nothing and keeps nothing.
func ShareOf[T any](s *State) *T {
	if own, ok := Find[*T](s.parts); ok {
		return own
	}
	return new(T)
}

// Has tells whether a ship has a part's share, by its key.
func (s *State) Has(key string) bool {
	return slices.ContainsFunc(s.parts, func(p Share) bool { return p.Key() == key })
}

// Put gives a ship shares of parts, each in place of one of its key.
func (s *State) Put(shares ...Share) {
	for _, p := range shares {
		s.Drop(p.Key())
		s.parts = append(s.parts, p)
	}
	slices.SortStableFunc(s.parts, func(a, b Share) int { return cmp.Compare(rank(oldShares, a.Key()), rank(oldShares, b.Key())) })
}

// Drop takes a part's share from a ship.
func (s *State) Drop(key string) {
	s.parts = slices.DeleteFunc(slices.Clone(s.parts), func(p Share) bool { return p.Key() == key })
}

// oldShares is the order in which files have the shares that there were first; any
// other comes after them.
var oldShares = []string{"engines", "people", "sensors", "repair", "hull", "crew", "helm", "blast", "cloak", "free"}

func rank(order []string, key string) int {
	if i := slices.Index(order, key); i >= 0 {
		return i
	}
	return len(order)
}

// find is where the order of a key is, or where it would be.
func (s *Standing) find(key string) (at int, found bool) {
	return slices.BinarySearchFunc(s.more, key, func(o standingOrder, key string) int { return strings.Compare(o.key, key) })
}

// entry is a key of a JSON object, and a value of its type.
type entry struct {
	key  string
	like any
}

// formOf is the type of the JSON objects in which files have a struct's fields and other
// values beside them. Its field 0 is the struct; those of the other values follow.
func formOf(of reflect.Type, others []entry) reflect.Type {
	fields := []reflect.StructField{{Name: "Fields", Type: of, Anonymous: true}}
	for i, e := range others {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("Other%d", i), Type: reflect.TypeOf(e.like), Tag: reflect.StructTag(fmt.Sprintf("json:%q", e.key)),
		})
	}
	return reflect.StructOf(fields)
}

// MarshalJSON writes the shares of parts behind what all courses have, on one line.
func (s *State) MarshalJSON() ([]byte, error) {
	type fields State // which has no method of its own, so that its fields are written as they come
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // that is for the writer of the whole to say
	// What encoding/json gets from a MarshalJSON it reads through once more, and standing orders
	// are a third of a ship: they, and the field behind them, are left out here.
	if err := enc.Encode(struct {
		*fields
		Standing any  `json:"standing,omitempty"`
		Hurt     bool `json:"hurt,omitempty"`
	}{fields: (*fields)(s)}); err != nil {
		return nil, err
	}
	open := func() { b.Truncate(bytes.LastIndexByte(b.Bytes(), '}')) }
	open()
	out := s.Standing.append(append(b.AvailableBuffer(), `,"standing":{`...))
	if s.Hurt {
		out = append(out, `,"hurt":true`...)
	}
	b.Write(append(out, '}'))
	for _, p := range s.parts {
		open()
		fmt.Fprintf(&b, ",%q:", p.Key())
		if err := enc.Encode(p); err != nil {
			return nil, err
		}
		b.Truncate(b.Len() - 1) // the end of the line
		b.WriteByte('}')
	}
	if len(s.Unseen) > 0 {
		return leaveOut(b.Bytes(), s.Unseen)
	}
	return b.Bytes(), nil
}
