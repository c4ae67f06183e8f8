package blind

import (
	"cmp"
	"slices"
)

// Teller is a ship whose captain told of an entry, and what he calls it.
type Teller struct {
	ID    ShipID `json:"id"`   // of his entry, among all that are told
	Ship  ShipID `json:"ship"` // hers
	As    string `json:"as"`
	Named bool   `json:"named,omitempty"` // he knows who it is
}

// Reported is an entry of a captain's list as he tells it to another.
type Reported struct {
	Contact // Ship is its true id, which only who has it by name too may go by
	By      Teller
}

// Tellers are those who told of an entry, who knows its name first; none for what own sensors had.
func (c Contact) Tellers() []Teller {
	if c.Told != "" && c.By == nil { // as it was written when each teller had an entry of his own
		return []Teller{{ID: c.Ship, Ship: c.Told, As: c.As}}
	}
	return c.By
}

// before tells whether a moment is before another.
func (w When) before(o When) bool {
	return cmp.Or(cmp.Compare(w.Turn, o.Turn), cmp.Compare(w.Phase, o.Phase)) < 0
}

// Hear gives the entries that come of what a mate reports, with those who are told of for the first time
// numbered. What several mates report of one hex and one moment is one entry, and as many as the one of them
// who has most there; so is what they know by one name. What own sensors had there, or by that name, at that
// moment or later is left out, and so is what brings nothing newer.
func (l *Log) Hear(reports []Reported) (out []Contact) {
	next := l.Next
	var taken []ContactNo // numbers of entries that this mate has told of
	heard := l.Clone()
	for _, r := range reports {
		if heard.knows(r) {
			continue
		}
		c := Contact{No: next + 1, Ship: r.By.ID, Lost: true}
		old := heard.told(r, taken)
		if old != nil {
			c = *old
		}
		if !c.hear(r) {
			taken = append(taken, c.No)
			continue
		}
		next = max(next, c.No)
		taken = append(taken, c.No)
		heard.Set(c)
		out = append(out, c)
	}
	return out
}

// knows tells whether own sensors had what is reported, there or by that name, no earlier.
func (l *Log) knows(r Reported) bool {
	return slices.ContainsFunc(l.Contacts, func(own Contact) bool {
		same := own.Hex == r.Hex || own.Named && r.By.Named && own.Ship == r.Ship
		return own.Told == "" && same && (!own.Lost || !own.Since.before(r.Since))
	})
}

// told is the entry that was told of and that a report is about, of those that are not taken: that of its hex and its
// moment, or of its name, or else what the same mate told of last under that number; nil for none.
func (l *Log) told(r Reported, taken []ContactNo) (best *Contact) {
	const number, name, place, own = 1, 2, 3, 4
	rank := 0
	for i := range l.Contacts {
		c := &l.Contacts[i]
		if c.Told == "" || slices.Contains(taken, c.No) {
			continue
		}
		tellers := c.Tellers()
		same := slices.ContainsFunc(tellers, func(t Teller) bool { return t.ID == r.By.ID })
		names := tellers[0].Named && r.By.Named
		is := 0
		switch {
		case names && tellers[0].As != r.By.As: // another one
		case c.Hex == r.Hex && c.Since == r.Since && (c.Learnt != r.Learnt || c.Size == r.Size && c.Heading == r.Heading && c.Speed == r.Speed):
			if is = place; same {
				is = own
			}
		case names:
			is = name
		case same:
			is = number
		}
		if is > rank || is > 0 && is == rank && is < place && best.Since.before(c.Since) {
			best, rank = c, is
		}
	}
	return best
}

// hear takes a report into an entry; false if it brings nothing newer.
func (c *Contact) hear(r Reported) bool {
	tellers := c.Tellers()
	switch at := slices.IndexFunc(tellers, func(t Teller) bool { return t.ID == r.By.ID }); {
	case tellers != nil && r.Since.before(c.Since):
		return false
	case tellers == nil || c.Since.before(r.Since) || c.Hex != r.Hex: // where the others had it then is told no more
		tellers = nil
	case at >= 0 && tellers[at] == r.By && (r.Size == "" || c.Size != "" && !c.Learnt.before(r.Learnt)):
		return false
	case at >= 0:
		tellers = slices.Delete(slices.Clone(tellers), at, at+1)
	}
	c.By = append(slices.Clone(tellers), r.By)
	if r.By.Named {
		slices.SortStableFunc(c.By, func(a, b Teller) int { return b.rank() - a.rank() })
	}
	c.Told, c.As, c.Hex, c.Since = c.By[0].Ship, c.By[0].As, r.Hex, r.Since
	if r.Size != "" && (c.Size == "" || c.Learnt.before(r.Learnt)) {
		c.Size, c.Speed, c.Heading, c.Learnt = r.Size, r.Speed, r.Heading, r.Learnt
	}
	return true
}

func (t Teller) rank() int {
	if t.Named {
		return 1
	}
	return 0
}
