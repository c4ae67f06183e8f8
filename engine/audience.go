package engine

import (
	"reflect"
	"strings"
)

// Who may know what of an event stands in its type: each field of a body that is open to more than those who see the
// whole event says to whom, in tags. A field without tags is secret (D60).
//
//	see:"all"            everyone who is shown the event
//	see:"others"         the rest of [See], but none of the posts
//	see:"crew"           all posts that are shown it (see [Mates.Aboard])
//	see:"helm,science"   those posts; "conn" is for the one who steers
//	also:"dice"          the rest of [See], where its Also has this word
const (
	openToAll    = "all"
	openToOthers = "others"
	openToCrew   = "crew"

	// OpenToConn is what [Mates.Aboard] gives for who steers a ship.
	OpenToConn = "conn"
)

// fieldSet is fields of a type, a bit each by its index.
type fieldSet uint64

// audience is who sees which fields of a type of body.
type audience struct {
	whole fieldSet            // those that anyone may see at all
	see   map[string]fieldSet // by word
	also  map[string]fieldSet // by word
}

// audienceOf reads the tags of a type of bodies, a struct.
func audienceOf(body reflect.Type) *audience {
	a := &audience{see: map[string]fieldSet{}, also: map[string]fieldSet{}}
	for _, f := range openFields(body) {
		bit := fieldSet(1) << f.index
		a.whole |= bit
		for _, word := range f.See {
			a.see[word] |= bit
		}
		if f.Also != "" {
			a.also[f.Also] |= bit
		}
	}
	return a
}

// rest are the fields that the rest of a [See] is shown, with what that has open by its Also.
func (a *audience) rest(also []string) fieldSet {
	out := a.see[openToAll] | a.see[openToOthers]
	for _, word := range also {
		out |= a.also[word]
	}
	return out
}

// posts are the fields that some posts of a ship are shown of an event that she sees whole.
func (a *audience) posts(words []string) fieldSet {
	out := a.see[openToAll] | a.see[openToCrew]
	for _, word := range words {
		out |= a.see[word]
	}
	return out
}

// only is a body with no other fields than these: the body itself where the others are blank.
func (a *audience) only(b any, fields fieldSet) any {
	v := reflect.ValueOf(b).Elem()
	var c reflect.Value
	for i, hidden := 0, a.whole&^fields; hidden != 0; i, hidden = i+1, hidden&^(1<<i) {
		if hidden&(1<<i) == 0 || v.Field(i).IsZero() {
			continue
		}
		if !c.IsValid() {
			c = reflect.New(v.Type())
			c.Elem().Set(v)
		}
		c.Elem().Field(i).SetZero()
	}
	if !c.IsValid() {
		return b
	}
	return c.Interface()
}

// OpenField tells to whom a field of a type of event is open, beside those who see the whole of one: the words of its tags.
type OpenField struct {
	Name string // in JSON
	See  []string
	Also string

	index int // in the type
}

// openFields are those of a type of bodies, each of them, in their order.
func openFields(body reflect.Type) (out []OpenField) {
	for f := range body.Fields() {
		if f.IsExported() {
			out = append(out, OpenField{jsonName(f), strings.FieldsFunc(f.Tag.Get("see"), func(r rune) bool { return r == ',' }), f.Tag.Get("also"), f.Index[0]})
		}
	}
	return out
}

// jsonName is what a field is called in JSON.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
