package engine

import (
	"reflect"
	"strings"
)

// The type of an event says who may know its fields. Each field of a body that is open to more viewers than those
// who see the whole event says so in its tags. A field without tags is secret (D60).
//
//	see:"all"            everyone who is shown the event
//	see:"others"         the rest of [See], but none of the posts
//	see:"crew"           all posts that are shown it (see [Mates.Aboard])
//	see:"helm,science"   those posts; "conn" is the post that steers
//	also:"dice"          the rest of [See], where its Also has this word
const (
	openToAll    = "all"
	openToOthers = "others"
	openToCrew   = "crew"

	// OpenToConn is the word that [Mates.Aboard] returns for the officer who steers a ship.
	OpenToConn = "conn"
)

// fieldSet is a set of fields of a struct type, one bit for each field index.
type fieldSet uint64

// audience records who sees which fields of a type of body.
type audience struct {
	whole fieldSet            // all that any viewer may see
	see   map[string]fieldSet // by word
	also  map[string]fieldSet // by word
}

// audienceOf reads the tags of a type of body, which must be a struct.
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

// rest returns the fields that the rest of a [See] is shown, including those that its Also words open.
func (a *audience) rest(also []string) fieldSet {
	out := a.see[openToAll] | a.see[openToOthers]
	for _, word := range also {
		out |= a.also[word]
	}
	return out
}

// posts returns the fields of an event seen whole aboard a ship that are open to posts with these words.
func (a *audience) posts(words []string) fieldSet {
	out := a.see[openToAll] | a.see[openToCrew]
	for _, word := range words {
		out |= a.see[word]
	}
	return out
}

// only returns a body with all fields but these blanked; it is the body itself if the others are blank already.
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

// OpenField describes who may see a field of an event, apart from those who see the whole event, in the words of
// its tags.
type OpenField struct {
	Name string // in JSON
	See  []string
	Also string

	index int // in the type
}

// openFields returns the exported fields of a type of body, in their order.
func openFields(body reflect.Type) (out []OpenField) {
	for f := range body.Fields() {
		if f.IsExported() {
			out = append(out, OpenField{jsonName(f), strings.FieldsFunc(f.Tag.Get("see"), func(r rune) bool { return r == ',' }), f.Tag.Get("also"), f.Index[0]})
		}
	}
	return out
}

// jsonName returns the name of a field in JSON.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
