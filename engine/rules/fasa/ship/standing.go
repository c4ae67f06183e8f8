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

// Standing is what lasts until changed (ruling D11).
type Standing struct {
	Choose  string   `json:"choose"`          // shield on a line: strongest, weakest or a number
	Beams   []string `json:"beams,omitempty"` // banks in the order in which they are lost
	Missile []string `json:"missiles,omitempty"`
	Shed    []string `json:"shed"`    // systems in the order in which power is cut
	Missing string   `json:"missing"` // what to do without orders: course, hold, repeat

	Last string `json:"last,omitempty"` // the order set before

	more []standingOrder // of the course's parts, sorted by key
}

// Clone is a copy; of parts' orders it shares the lists, which are never changed.
func (s Standing) Clone() Standing {
	s.Beams, s.Missile, s.Shed, s.more = slices.Clone(s.Beams), slices.Clone(s.Missile), slices.Clone(s.Shed), slices.Clone(s.more)
	return s
}

// DefaultStanding is the standing orders of a captain who has given none.
func DefaultStanding() Standing {
	return Standing{Choose: "strongest", Shed: []string{"weapons", "movement", "shields"}, Missing: "course"}
}

// SameStanding compares orders that may hold empty lists or none.
func SameStanding(a, b Standing) bool {
	return a.Choose == b.Choose && a.Missing == b.Missing && a.Last == b.Last &&
		slices.Equal(a.Beams, b.Beams) && slices.Equal(a.Missile, b.Missile) && slices.Equal(a.Shed, b.Shed) &&
		slices.EqualFunc(a.more, b.more, func(x, y standingOrder) bool {
			return x.key == y.key && x.word == y.word && slices.Equal(x.list, y.list)
		})
}

// Word is a standing order of a part that is one word; blank if it was never given.
func (s *Standing) Word(key string) string {
	if at, found := s.find(key); found {
		return s.more[at].word
	}
	return ""
}

// List is a standing order of a part that is a list of words.
func (s *Standing) List(key string) []string {
	if at, found := s.find(key); found {
		return s.more[at].list
	}
	return nil
}

// SetWord gives a standing order of a part; blank takes it back.
func (s *Standing) SetWord(key, word string) { s.set(standingOrder{key: key, word: word}, word == "") }

// Hold is the key of the standing order that keeps fire back, of which the word is a level.
const Hold = "hold"

// SetList gives a standing order of a part; an empty list takes it back.
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

// standingFields are those that all books have; a type without methods.
type standingFields Standing

// standingForm is the type of standing orders in files, those of a book's parts among them,
// with a last value of another key.
func standingForm(orders []string, last ...entry) reflect.Type {
	var others []entry
	for _, key := range orders {
		others = append(others, entry{key, standingOrder{}})
	}
	return formOf(reflect.TypeFor[standingFields](), append(others, last...))
}

// standingOf are the orders that were read into their form.
func standingOf(form reflect.Value, orders []string) Standing {
	s := Standing(form.Field(0).Interface().(standingFields))
	for i, key := range orders {
		o := form.Field(1 + i).Interface().(standingOrder)
		o.key = key
		s.set(o, o.word == "" && len(o.list) == 0)
	}
	return s
}

// standingOrder is one of a part's: a word, or a list of words. Lists are never changed:
// copies of the orders share them.
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

// append ends a JSON object with standing orders, by hand as every ship of every file has them.
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

// append adds an order of a part to a JSON object.
func (o *standingOrder) append(b []byte) []byte {
	b = append(appendWord(append(b, ','), o.key), ':')
	if o.word != "" {
		return appendWord(b, o.word)
	}
	return appendWords(b, o.list)
}

// appendWord adds a string as encoding/json does, but leaves < > & to the writer of the whole.
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

// appendWords adds a list of strings.
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

// oldStanding is that of standing orders. The last order set comes after all others.
var oldStanding = []string{"choose", "beams", "missiles", "shed", "engines", "missing", "sensors", "questions", "scan", "evade", "follow", "repair", "bonus"}

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

func rank(order []string, key string) int {
	if i := slices.Index(order, key); i >= 0 {
		return i
	}
	return len(order)
}
