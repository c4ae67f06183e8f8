package engine

import "strings"

// RollName is the name of a throw, in parts with dots between them: what it is for, the ships that it is about,
// and whatever else tells it from others. Which parts are ids of ships is kept, so that they never have to be
// told from other words again; names that were read from a file have none. No name has more than two.
type RollName struct {
	text string
	ids  [2]part
}

// part is where an id stands in the text of a name; empty for none.
type part struct{ from, to int }

// NameRoll is the name of a throw for something that is about some ships.
func NameRoll(what string, ships ...ShipID) RollName {
	n := RollName{text: what}
	for _, id := range ships {
		n = n.Of(id)
	}
	return n
}

// Of adds a ship to a name.
func (n RollName) Of(id ShipID) RollName {
	at := part{from: len(n.text) + 1}
	n.text += "." + string(id)
	at.to = len(n.text)
	for i := range n.ids {
		if n.ids[i] == (part{}) {
			n.ids[i] = at
			return n
		}
	}
	panic("engine: the name of a roll has more than two ships: " + n.text)
}

// And adds words to a name, each a part of its own.
func (n RollName) And(words ...string) RollName {
	n.text = strings.Join(append([]string{n.text}, words...), ".")
	return n
}

// within is a name with words before it.
func (n RollName) within(prefix string) RollName {
	n.text = prefix + n.text
	for i := range n.ids {
		if n.ids[i] != (part{}) {
			n.ids[i].from += len(prefix)
			n.ids[i].to += len(prefix)
		}
	}
	return n
}

// String is the name with its dots, as dice are thrown by and files have it.
func (n RollName) String() string { return n.text }

// Ships are those that it is about, in their order.
func (n RollName) Ships() (ids []ShipID) {
	for _, at := range n.ids {
		if at != (part{}) {
			ids = append(ids, ShipID(n.text[at.from:at.to]))
		}
	}
	return ids
}

// renamed is the name with other words for the ships in it.
func (n RollName) renamed(rename func(ShipID) ShipID) RollName {
	out, at := RollName{}, 0
	for i, id := range n.ids {
		if id == (part{}) {
			continue
		}
		out.text += n.text[at:id.from]
		out.ids[i].from = len(out.text)
		out.text += string(rename(ShipID(n.text[id.from:id.to])))
		out.ids[i].to = len(out.text)
		at = id.to
	}
	out.text += n.text[at:]
	return out
}

// MarshalText writes String.
func (n RollName) MarshalText() ([]byte, error) { return []byte(n.text), nil }

// UnmarshalText reads what MarshalText wrote.
func (n *RollName) UnmarshalText(text []byte) error {
	*n = RollName{text: string(text)}
	return nil
}
