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

// Standing holds the standing orders, which last until changed (ruling D11).
type Standing struct {
	Choose  string   `json:"choose"`          // shield hit on a line: strongest, weakest or a number
	Beams   []string `json:"beams,omitempty"` // banks in the order in which they are lost
	Missile []string `json:"missiles,omitempty"`
	Shed    []string `json:"shed"`    // systems in the order in which power is cut
	Missing string   `json:"missing"` // what to do without orders: course, hold, repeat

	Last string `json:"last,omitempty"` // the previous order set

	more []standingOrder // those of the course's parts, sorted by key
}

// Clone returns a copy. It shares the lists of parts' orders, which are never changed.
func (s Standing) Clone() Standing {
	s.Beams, s.Missile, s.Shed, s.more = slices.Clone(s.Beams), slices.Clone(s.Missile), slices.Clone(s.Shed), slices.Clone(s.more)
	return s
}

// DefaultStanding returns the standing orders of a captain who has given none.
func DefaultStanding() Standing {
	return Standing{Choose: "strongest", Shed: []string{"weapons", "movement", "shields"}, Missing: "course"}
}

// SameStanding reports whether orders are the same; nil and empty lists are equal.
func SameStanding(a, b Standing) bool {
	return a.Choose == b.Choose && a.Missing == b.Missing && a.Last == b.Last &&
		slices.Equal(a.Beams, b.Beams) && slices.Equal(a.Missile, b.Missile) && slices.Equal(a.Shed, b.Shed) &&
		slices.EqualFunc(a.more, b.more, func(x, y standingOrder) bool {
			return x.key == y.key && x.word == y.word && slices.Equal(x.list, y.list)
		})
}

// Word returns a part's standing order that is one word; "" if it was never given.
func (s *Standing) Word(key string) string {
	if at, found := s.find(key); found {
		return s.more[at].word
	}
	return ""
}

// List returns a part's standing order that is a list of words.
func (s *Standing) List(key string) []string {
	if at, found := s.find(key); found {
		return s.more[at].list
	}
	return nil
}

// SetWord sets a part's standing order; "" removes it.
func (s *Standing) SetWord(key, word string) { s.set(standingOrder{key: key, word: word}, word == "") }

// Hold is the key of the standing order to hold fire below a level, its word.
const Hold = "hold"

// SetList sets a part's standing order; an empty list removes it.
func (s *Standing) SetList(key string, list ...string) {
	s.set(standingOrder{key: key, list: list}, len(list) == 0)
}

func (s *Standing) set(o standingOrder, none bool) {
	at, found := s.find(o.key)
	switch {
	case found && none:
		s.more = slices.Delete(s.more, at, at+1)
	case found:
		s.more[at] = o
	case !none:
		s.more = slices.Insert(s.more, at, o)
	}
}

// standingFields is Standing without its methods.
type standingFields Standing

// standingForm returns the type of standing orders in files, including those of a book's parts,
// with the entries of last after them.
func standingForm(orders []string, last ...entry) reflect.Type {
	var others []entry
	for _, key := range orders {
		others = append(others, entry{key, standingOrder{}})
	}
	return formOf(reflect.TypeFor[standingFields](), append(others, last...))
}

// standingOf returns the orders decoded into a value of standingForm.
func standingOf(form reflect.Value, orders []string) Standing {
	s := Standing(form.Field(0).Interface().(standingFields))
	for i, key := range orders {
		o := form.Field(1 + i).Interface().(standingOrder)
		o.key = key
		s.set(o, o.word == "" && len(o.list) == 0)
	}
	return s
}

// standingOrder is one order of a part: a word, or a list of words. Lists are never changed,
// since copies of the orders share them.
type standingOrder struct {
	key, word string
	list      []string
}

// UnmarshalJSON implements json.Unmarshaler.
func (o *standingOrder) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &o.word) == nil {
		return nil
	}
	return json.Unmarshal(data, &o.list)
}

// MarshalJSON implements json.Marshaler.
func (s *Standing) MarshalJSON() ([]byte, error) { return s.append([]byte{'{'}), nil }

// append appends the fields and the closing brace of a JSON object, by hand for speed, as each ship of a file has them.
func (s *Standing) append(b []byte) []byte {
	parts := slices.Clone(s.more)
	slices.SortStableFunc(parts, func(a, b standingOrder) int { return cmp.Compare(rank(oldStanding, a.key), rank(oldStanding, b.key)) })
	b = appendWord(append(b, `"choose":`...), s.Choose)
	if len(s.Beams) > 0 {
		b = appendWords(append(b, `,"beams":`...), s.Beams)
	}
	if len(s.Missile) > 0 {
		b = appendWords(append(b, `,"missiles":`...), s.Missile)
	}
	b = appendWords(append(b, `,"shed":`...), s.Shed)
	for len(parts) > 0 && rank(oldStanding, parts[0].key) < rank(oldStanding, "missing") {
		b, parts = parts[0].append(b), parts[1:]
	}
	b = appendWord(append(b, `,"missing":`...), s.Missing)
	for i := range parts {
		b = parts[i].append(b)
	}
	if s.Last != "" {
		b = appendWord(append(b, `,"last":`...), s.Last)
	}
	return append(b, '}')
}

// append appends a part's order to a JSON object.
func (o *standingOrder) append(b []byte) []byte {
	b = append(appendWord(append(b, ','), o.key), ':')
	if o.word != "" {
		return appendWord(b, o.word)
	}
	return appendWords(b, o.list)
}

// appendWord appends a string as encoding/json does, but leaves < > & to the outer encoder.
func appendWord(b []byte, word string) []byte {
	for i := range len(word) {
		if c := word[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			var out bytes.Buffer
			enc := json.NewEncoder(&out)
			enc.SetEscapeHTML(false)
			if err := enc.Encode(word); err != nil { // no string fails
				panic("ship: a string is no JSON: " + err.Error())
			}
			return append(b, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...)
		}
	}
	return append(append(append(b, '"'), word...), '"')
}

// appendWords appends a list of strings.
func appendWords(b []byte, list []string) []byte {
	if list == nil {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for i, word := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendWord(b, word)
	}
	return append(b, ']')
}

// oldStanding is the order of the first keys of standing orders in files. Others follow, and the last order set ends.
var oldStanding = []string{"choose", "beams", "missiles", "shed", "engines", "missing", "sensors", "questions", "scan", "evade", "follow", "repair", "bonus"}

// find returns the index of the order with a key, or where to insert it.
func (s *Standing) find(key string) (at int, found bool) {
	return slices.BinarySearchFunc(s.more, key, func(o standingOrder, key string) int { return strings.Compare(o.key, key) })
}

// entry is a key of a JSON object, and an example of its value.
type entry struct {
	key  string
	like any
}

// formOf returns a struct type for JSON objects that hold a struct's fields and other values.
// Its field 0 is the struct; fields for the other values follow.
func formOf(of reflect.Type, others []entry) reflect.Type {
	fields := []reflect.StructField{{Name: "Fields", Type: of, Anonymous: true}}
	for i, e := range others {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("Other%d", i), Type: reflect.TypeOf(e.like), Tag: reflect.StructTag(fmt.Sprintf("json:%q", e.key)),
		})
	}
	return reflect.StructOf(fields)
}

func rank(order []string, key string) int {
	if i := slices.Index(order, key); i >= 0 {
		return i
	}
	return len(order)
}
