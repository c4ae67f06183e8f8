package ship

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
)

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
			UnseenEngines: "engines", UnseenAvailable: "power to give", UnseenMovement: "power for movement", UnseenWeapons: "power for weapons",
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
