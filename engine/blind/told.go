package blind

import (
	"cmp"
	"slices"
)

// Teller is a ship whose captain reported an entry, and that captain's name for it.
type Teller struct {
	ID    ShipID `json:"id"`   // of the sender's entry, unique among all reported ones
	Ship  ShipID `json:"ship"` // the sender's ship
	As    string `json:"as"`
	Named bool   `json:"named,omitempty"` // the sender knows who it is
}

// Reported is an entry of a captain's list as reported to another.
type Reported struct {
	Contact // Ship is its true id, to be used only by readers who also know it by name
	By      Teller
}

// Tellers returns those who reported an entry, first those who know its name; none for an entry of own sensors.
func (c Contact) Tellers() []Teller {
	if c.Told != "" && c.By == nil { // the form from when each teller had a separate entry
		return []Teller{{ID: c.Ship, Ship: c.Told, As: c.As}}
	}
	return c.By
}

// before reports whether a moment is before another.
func (w When) before(o When) bool {
	return cmp.Or(cmp.Compare(w.Turn, o.Turn), cmp.Compare(w.Phase, o.Phase)) < 0
}

// Hear returns the entries that follow from a mate's report, and numbers the new ones. What several mates report
// for one hex and moment is merged: there are as many entries as the one of them with most reports. So is what they
// know by one name. Reports of what own sensors detected there, or under that name, at that moment or later are
// left out, and so are reports with nothing newer.
func (l *Log) Hear(reports []Reported) (out []Contact) {
	next := l.Next
	var taken []ContactNo // numbers of entries that this mate has reported
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

// knows reports whether own sensors detected what is reported, there or under that name, at that moment or later.
func (l *Log) knows(r Reported) bool {
	return slices.ContainsFunc(l.Contacts, func(own Contact) bool {
		same := own.Hex == r.Hex || own.Named && r.By.Named && own.Ship == r.Ship
		return own.Told == "" && same && (!own.Lost || !own.Since.before(r.Since))
	})
}

// told returns the reported entry, not in taken, that a report is about: one for its hex and moment, or with its
// name, or else the last that the same mate reported under that number; nil if there is none.
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
		case names && tellers[0].As != r.By.As: // a different ship
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

// hear updates an entry from a report; false if the report has nothing newer.
func (c *Contact) hear(r Reported) bool {
	tellers := c.Tellers()
	switch at := slices.IndexFunc(tellers, func(t Teller) bool { return t.ID == r.By.ID }); {
	case tellers != nil && r.Since.before(c.Since):
		return false
	case tellers == nil || c.Since.before(r.Since) || c.Hex != r.Hex: // where others detected it earlier is dropped
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
