package engine

import (
	"reflect"
	"slices"
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

// audienceOf reads the tags of a type of body.
func audienceOf(body Body) *audience {
	a := &audience{see: map[string]fieldSet{}, also: map[string]fieldSet{}}
	for _, f := range OpenFields(body) {
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

// rest are the fields that the rest of a See is shown.
func (a *audience) rest(s *See) fieldSet {
	out := a.see[openToAll] | a.see[openToOthers]
	for _, word := range s.Also {
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
func (a *audience) only(b Body, fields fieldSet) Body {
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
	return c.Interface().(Body) //nolint:forcetypeassert // it has the type of b
}

// OpenField tells to whom a field of a type of event is open, beside those who see the whole of one: the words of its tags.
type OpenField struct {
	Name string // in JSON
	See  []string
	Also string

	index int // in the type
}

// OpenFields are those of a body's type, each of them, in their order.
func OpenFields(body Body) (out []OpenField) {
	for f := range reflect.TypeOf(body).Elem().Fields() {
		if f.IsExported() {
			out = append(out, OpenField{jsonName(f), strings.FieldsFunc(f.Tag.Get("see"), func(r rune) bool { return r == ',' }), f.Tag.Get("also"), f.Index[0]})
		}
	}
	return out
}

// Hidden are the fields of an event, as JSON has them, that those do not see who do not see the whole.
func Hidden(e *Event) (names []string) {
	a, v := audienceOf(e.Body), reflect.ValueOf(e.Body).Elem()
	for i := range v.NumField() {
		if (a.whole&^a.rest(&e.See))&(1<<i) != 0 && !v.Field(i).IsZero() {
			names = append(names, jsonName(v.Type().Field(i)))
		}
	}
	return names
}

// jsonName is what a field is called in JSON.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// seen is who may see an event as files have it. Cut and "*" are of earlier versions, which had what the rest does not
// see, and everybody among the ships.
type seen struct {
	Whole []Seat   `json:"whole,omitempty"`
	Rest  bool     `json:"rest,omitempty"`
	Also  []string `json:"also,omitempty"`
	Among []ShipID `json:"among,omitempty"`
	Cut   []string `json:"cut,omitempty"`
}

// of reads it for an event with a body. What a field is now that no one but those who see all of the event may
// know stays so, whatever an earlier version gave away.
func (s *seen) of(body Body) See {
	see := See{Whole: s.Whole, Rest: s.Rest, Also: s.Also, Among: s.Among}
	all := Seat{Ship: "*"}
	everybody := slices.Contains(s.Whole, all)
	if everybody {
		see.Rest, see.Whole = true, slices.DeleteFunc(slices.Clone(s.Whole), func(seat Seat) bool { return seat == all })
	}
	if !everybody && len(s.Cut) == 0 {
		return see
	}
	t, a := reflect.TypeOf(body).Elem(), audienceOf(body)
	for word, fields := range a.also {
		hidden := false
		for i := range t.NumField() {
			hidden = hidden || fields&(1<<i) != 0 && slices.Contains(s.Cut, jsonName(t.Field(i)))
		}
		if !hidden {
			see.Also = append(see.Also, word)
		}
	}
	slices.Sort(see.Also)
	return see
}
