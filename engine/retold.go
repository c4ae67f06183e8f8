package engine

import (
	"encoding/json"
	"fmt"
)

// Retold is an event that came about as it was written before, as a captain is told it who
// does not know all ships in it. In his view its body stands by itself.
type Retold struct {
	What string `json:"what"` // its type
	As   Body   `json:"as"`   // nil only in a file that leaves it out: nothing is told

	rules *Rules // whose bodies it may be, to read it by
}

// Type implements Body.
func (*Retold) Type() string { return "retold" }

// UnmarshalJSON implements json.Unmarshaler.
func (b *Retold) UnmarshalJSON(data []byte) error {
	var in struct {
		What string          `json:"what"`
		As   json.RawMessage `json:"as"`
	}
	if err := json.Unmarshal(data, &in); err != nil || in.What == "" {
		return err
	}
	body, ok := b.rules.newBody(in.What)
	if _, again := body.(*Retold); !ok || again {
		return fmt.Errorf("retold: unknown type %q", in.What)
	}
	b.What, b.As = in.What, body
	return json.Unmarshal(in.As, body)
}

// InPlace is a [Body] that one is shown, in a game in the dark, in place of another that tells
// more. Once the battle is over captains see that other one alone.
type InPlace interface{ InPlace() }

// Listed is a [Body] about what one captain has found. Who sees everything sees what came about
// in its place.
type Listed interface{ Listed() }

// replaced tells of a body that who sees everything is not shown, where he is not one to whom it is told.
func replaced(b Body, told bool) bool {
	_, inPlace := b.(InPlace)
	_, listed := b.(Listed)
	return inPlace || listed && !told
}
