package family

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"starpost/engine"
)

// Share is what a part of a rule set keeps of one ship. A part finds its share by its type, and files hold it under
// its key, so that no struct lists the parts.
type Share interface {
	Key() string
	Clone() Share
}

// Shares are a ship's shares, in the order of files.
type Shares []Share

// sharing is a ship's state that has shares.
type sharing interface{ Shares() *Shares }

// Find returns the first of some values that has type T.
func Find[T, S any](all []S) (own T, ok bool) {
	for _, v := range all {
		if own, ok = any(v).(T); ok {
			return own, true
		}
	}
	return own, false
}

// ShareOf returns a part's share, which the caller may change; if there is none, an empty share whose changes are lost.
func ShareOf[T any](all Shares) *T {
	if own, ok := Find[*T](all); ok {
		return own
	}
	return new(T)
}

// ShareIn is [ShareOf] for a ship's state of any family, such as the System of an [engine.Ship].
func ShareIn[T any](system any) *T {
	if s, ok := system.(sharing); ok {
		return ShareOf[T](*s.Shares())
	}
	return new(T)
}

// Clone returns deep copies.
func (s Shares) Clone() Shares {
	if s == nil {
		return nil
	}
	c := make(Shares, len(s))
	for i, p := range s {
		c[i] = p.Clone()
	}
	return c
}

// Has reports whether there is a share with a key.
func (s Shares) Has(key string) bool {
	return slices.ContainsFunc(s, func(p Share) bool { return p.Key() == key })
}

// Put adds shares, replacing those with the same keys.
func (s *Shares) Put(shares ...Share) {
	for _, p := range shares {
		s.Drop(p.Key())
		*s = append(*s, p)
	}
}

// Drop removes the share with a key. It leaves the underlying array alone, which copies may use.
func (s *Shares) Drop(key string) {
	*s = slices.DeleteFunc(slices.Clone(*s), func(p Share) bool { return p.Key() == key })
}

// MarshalJSON writes an object with a field for each share.
func (s Shares) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	for i, p := range s {
		text, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, "%q:%s", p.Key(), text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// DistinctShares returns an error if two parts of the named rule set keep shares under one key.
func DistinctShares(set string, keeps []Share) error {
	for i, p := range keeps {
		if Shares(keeps[:i]).Has(p.Key()) {
			return fmt.Errorf("%s: two parts keep shares of a ship under the key %q", set, p.Key())
		}
	}
	return nil
}

// ReadShares reads what [Shares.MarshalJSON] wrote, given the empty shares that the rule set's parts keep.
func ReadShares(fields map[string]json.RawMessage, keeps []Share) (Shares, error) {
	var all Shares
	for _, empty := range keeps {
		data, there := fields[empty.Key()]
		if !there {
			continue
		}
		share := empty.Clone()
		if err := engine.ReadJSON(data, share); err != nil {
			return nil, fmt.Errorf("%s: %w", share.Key(), err)
		}
		all = append(all, share)
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if !all.Has(key) {
			return nil, &engine.FieldError{Field: key}
		}
	}
	return all, nil
}
