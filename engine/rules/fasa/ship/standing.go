package ship

import (
	"cmp"
	"encoding/json"
	"slices"
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

// entries are those of the standing orders, parts' among them, in the order of files.
func (s *Standing) entries() []entry {
	all := entries(s)
	last := all[len(all)-1]
	all = all[:len(all)-1]
	for i := range s.more {
		all = append(all, entry{key: s.more[i].key, at: &s.more[i]})
	}
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(rank(oldStanding, a.key), rank(oldStanding, b.key)) })
	return append(all, last)
}

// read reads standing orders, and what is known to stand beside them; of parts' orders
// those that are theirs.
func (s *Standing) read(data []byte, theirs func(key string) bool, known ...entry) error {
	var theirOwn []*standingOrder
	err := readEntries(data, append(known, entries(s)...), func(key string) (any, error) {
		if !theirs(key) {
			return new(any), nil
		}
		o := &standingOrder{key: key}
		theirOwn = append(theirOwn, o)
		return o, nil
	})
	for _, o := range theirOwn {
		s.set(*o, false)
	}
	return err
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
func (o *standingOrder) MarshalJSON() ([]byte, error) {
	if o.word != "" {
		return json.Marshal(o.word)
	}
	return json.Marshal(o.list)
}

// MarshalJSON implements json.Marshaler.
func (s *Standing) MarshalJSON() ([]byte, error) { return writeEntries(s.entries()) }

// UnmarshalJSON implements json.Unmarshaler.
func (s *Standing) UnmarshalJSON(data []byte) error {
	return s.read(data, func(string) bool { return true })
}

// MarshalJSON implements json.Marshaler.
func (b *StandingSet) MarshalJSON() ([]byte, error) {
	return writeEntries(append(entries(b), b.entries()...))
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *StandingSet) UnmarshalJSON(data []byte) error {
	keys := b.keys
	b.keys = nil
	return b.read(data, func(key string) bool { return slices.Contains(keys, key) }, entries(b)...)
}

// oldStanding is that of standing orders. The last order set comes after all others.
var oldStanding = []string{"choose", "beams", "missiles", "shed", "engines", "missing", "sensors", "questions", "scan", "evade", "follow", "repair", "bonus"}
