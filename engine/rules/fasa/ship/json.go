package ship

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"starpost/engine"
)

// Decoder makes the function that reads the state of a ship: what all books have, and the
// shares and standing orders of a book's parts, of which it is handed empty shares and the
// orders' keys. Movement comes in so many phases. A field that is not the book's is an
// *engine.FieldError.
func Decoder(phases int, keeps []Share, orders []string) func(json.RawMessage) (engine.System, error) {
	type fields State // which has no method of its own
	others := []entry{{"standing", reflect.Zero(standingForm(orders)).Interface()}}
	for _, share := range keeps {
		others = append(others, entry{share.Key(), share})
	}
	form := formOf(reflect.TypeFor[fields](), others)
	return func(data json.RawMessage) (engine.System, error) {
		read := reflect.New(form).Elem()
		if err := engine.ReadJSON(data, read.Addr().Interface()); err != nil {
			return nil, fmt.Errorf("read ship systems: %w", err)
		}
		s := State(read.Field(0).Interface().(fields))
		s.Standing = standingOf(read.Field(1), orders)
		for i := range keeps {
			if share := read.Field(2 + i); !share.IsNil() {
				s.Put(share.Interface().(Share))
			}
		}
		s.fillUnseen()
		if len(s.Shields) != 6 || len(s.Alloc.Split) != phases {
			return nil, fmt.Errorf("read ship systems: %d shields and %d phases, expected 6 and %d", len(s.Shields), len(s.Alloc.Split), phases)
		}
		// What is read grows by doubling, and a game is kept as it was read for as long
		// as orders for it come in: the copy takes no more room than it needs.
		return s.Clone(), nil
	}
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

// fillUnseen gives what was left out of a view the figures of a ship that has met nothing yet.
func (s *State) fillUnseen() {
	for _, path := range s.Unseen {
		switch path {
		case UnseenPower:
			s.Power = s.Design.Power
		case UnseenStructure:
			s.Superstructure = s.Design.Superstructure
		case UnseenEngines:
			engines := s.Engines()
			for i := range engines {
				engines[i].Now = engines[i].Max
			}
		}
	}
}

// The fields of a State that a view for some of the posts aboard may leave out. What is reached
// through a list is left out of each of its elements; a list of objects keeps its length.
const (
	UnseenPower     = "power"
	UnseenEngines   = "engines.now"
	UnseenAvailable = "alloc.available"
	UnseenMovement  = "alloc.movement"
	UnseenWeapons   = "alloc.weapons"
	UnseenMounts    = "banks.mounts"
	UnseenSupply    = "alloc.shields" // power that shields got
	UnseenShields   = "shields"
	UnseenStructure = "superstructure"
)

// unseenWords names for people what is left out of a view.
func unseenWords(paths []string) string {
	var words []string
	for _, path := range paths {
		word := map[string]string{
			UnseenEngines: "engines", UnseenAvailable: "power to allot", UnseenMovement: "power for movement", UnseenWeapons: "power for weapons",
			UnseenMounts: "weapons", UnseenSupply: "power for shields",
		}[path]
		words = append(words, cmp.Or(word, path))
	}
	return strings.Join(words, ", ")
}

// leaveOut takes the fields of these paths out of a JSON object.
func leaveOut(data []byte, paths []string) ([]byte, error) {
	var object map[string]any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&object); err != nil {
		return nil, err
	}
	for _, path := range paths {
		drop(object, path)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // that is for the writer of the whole to say
	err := enc.Encode(object)
	return bytes.TrimSpace(b.Bytes()), err
}

func drop(v any, path string) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			drop(e, path)
		}
	case map[string]any:
		key, rest, deeper := strings.Cut(path, ".")
		list, isList := v[key].([]any)
		switch {
		case deeper:
			drop(v[key], rest)
		case isList:
			for i := range list {
				list[i] = struct{}{}
			}
		default:
			delete(v, key)
		}
	}
}
