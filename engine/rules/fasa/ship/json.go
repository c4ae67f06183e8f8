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

// Decoder returns a function that decodes the state of a ship: the fields of all books, and the
// shares and standing orders of a book's parts, given as empty shares and keys of orders.
// phases is the number of phases of movement. A field that the book does not have is an
// *engine.FieldError.
func Decoder(phases int, keeps []Share, orders []string) func(json.RawMessage) (engine.System, error) {
	type fields State // without the methods of State
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
		// Decoding grows slices by doubling, and a game stays in memory as it was read while its
		// orders come in: the copy takes no more room than it needs.
		return s.Clone(), nil
	}
}

// MarshalJSON writes the shares of parts after the fields of all courses, on one line.
func (s *State) MarshalJSON() ([]byte, error) {
	type fields State // without the methods of State, so that its fields are encoded as they are
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the outer encoder decides that
	// encoding/json scans the result of a MarshalJSON once more, and standing orders are a third
	// of a ship: they, and the field after them, are left out here and appended by hand.
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

// fillUnseen gives the fields that a view left out their values in an undamaged ship.
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

// The fields of a State that a view for some of the posts aboard may leave out. A field inside
// a list is left out of each of its elements; a list of objects keeps its length.
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

// unseenWords names the left-out fields of a view in words.
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

// leaveOut removes the fields of these paths from a JSON object.
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
	enc.SetEscapeHTML(false) // the outer encoder decides that
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
