package dark

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/hex"
	"starpost/engine/ruling"
)

// lister carries out one ruling on captains' lists.
type lister struct {
	*ruling.Ruler
	t *Turn
}

// Rule implements package ruling's interface for extensions.
func (t *Turn) Rule(b *ruling.Ruler, s *engine.Ship, verb string, args []string) {
	(&lister{b, t}).sensors(s, verb, args)
}

// ruledAt returns the moment at which a ruling takes effect.
func (t *Turn) ruledAt(before bool) blind.When {
	now := blind.When{Turn: t.Number()}
	if !before {
		for _, p := range t.Rules.Phases {
			now.Phase = max(now.Phase, p.No)
		}
	}
	return now
}

// Ruled implements package ruling's interface for extensions. It updates the lists of contacts after a referee has
// moved a ship: others detect her where she is now or not at all, and her own captain looks again from there.
// Entries about other ships stay as they are.
func (t *Turn) Ruled(s *engine.Ship, before bool, because engine.Ref) {
	for i, c := range t.captains {
		log := t.Game.Blind.Log(c.Name)
		if log == nil {
			continue
		}
		var w blind.Watch
		own := c.Name == s.Captain
		var found []blind.Fix
		for _, o := range t.Game.Ships {
			if f, ok := fixOf(t.Rules, t.Game, t.eyes[i], o); ok && commanderOf(t.Game, o) != c.Name && (own || o == s) {
				found = append(found, f)
			}
		}
		w.Look(found)
		w.Look(t.echoes(i, log))
		w.Measure(func(id engine.ShipID) (string, int) { return roughOf(t.Rules, t.Game, id) })
		w.Give(log, t.inOrder(i))
		for _, ch := range w.Changes(log, t.ruledAt(before), true) {
			if own || ch.Contact.Ship == s.ID {
				t.sense(c.Ships, ch, because)
			}
		}
		if own {
			t.survey(i, s)
			t.tellChart(i, because)
		}
	}
}

// sense records a change of an entry on the list of a captain with these ships.
func (t *Turn) sense(ships []engine.ShipID, ch blind.Change, because engine.Ref) {
	t.Because(because).Record(contactOf(ships[0], ch), engine.SeeAmong(ships...), []string{"referee"})
}

// sensors carries out a ruling on the list of a ship's captain. The ruling may name what the captain does not know,
// so the captain is told how the list changes, not the words of the ruling.
func (b *lister) sensors(s *engine.Ship, verb string, args []string) {
	t := b.t
	log := t.Game.Blind.Log(s.Captain)
	if log == nil {
		b.Refuse("name a ship that a captain commands", "%s has no list of contacts", s.Name)
	}
	ships := t.Game.Viewer(s).Ships
	record := func() engine.Ref { return b.Record(engine.See{}) }
	switch verb {
	case "contact":
		ch := b.contact(s, log, args[0], args[1])
		t.sense(ships, ch, record())
	case "forget":
		entry := b.entry(s, log, args[0])
		if entry == nil {
			b.Refuse(b.numbers(log), "%s has no contact %q", s.Captain, args[0])
		}
		c := *entry
		t.Because(record()).Record(&SensorContact{Ship: ships[0], No: c.No, At: c.Hex, Gone: true, Truth: &c},
			engine.SeeAmong(ships...), []string{"referee"})
	case "echo":
		ch := b.echo(s, log, args[0])
		t.sense(ships, ch, record())
	}
}

// numbers returns the numbers on a list, for messages.
func (b *lister) numbers(log *blind.Log) string {
	var all []string
	for _, c := range log.Contacts {
		if c.Kept(b.t.Number(), *b.t.Game.Blind.Memory) {
			all = append(all, string(c.Name()))
		}
	}
	if len(all) == 0 {
		return "the list is empty"
	}
	return "the list has " + strings.Join(all, ", ")
}

// entry returns the list entry for a number or the name of a ship; nil for a ship that is not on the list.
func (b *lister) entry(s *engine.Ship, log *blind.Log, name string) *blind.Contact {
	if no, ok := blind.ParseNumber(name); ok {
		c := log.Called(no)
		if c == nil || !c.Kept(b.t.Number(), *b.t.Game.Blind.Memory) {
			b.Refuse(b.numbers(log), "%s has no contact %s", s.Captain, name)
		}
		return c
	}
	return log.Held(b.other(s, name).ID)
}

// other returns a ship that the captain of another does not command.
func (b *lister) other(s *engine.Ship, name string) *engine.Ship {
	o, near, ok := engine.FindShip(b.t.Game.Ships, name)
	switch {
	case !ok:
		hint := "the number of a contact, or the name of a ship"
		if near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		b.Refuse(hint, "%q is neither a contact nor a ship", name)
	case commanderOf(b.t.Game, o) == s.Captain:
		b.Refuse("name another ship", "%s is also commanded by %s", o.Name, s.Captain)
	case !o.OnMap():
		b.Refuse("", "%s is not on the map", o.Name)
	}
	return o
}

// contact puts a ship on a list at a level, where she is.
func (b *lister) contact(s *engine.Ship, log *blind.Log, name, level string) blind.Change {
	l, ok := blind.ParseLevel(level)
	if !ok {
		b.Refuse("field (F), presence (1), rough (2) or full (3)", "%q is not a level", level)
	}
	ch := blind.Change{Contact: blind.Contact{No: log.Next + 1}, New: true, More: true}
	if entry := b.entry(s, log, name); entry != nil {
		ch = blind.Change{Contact: *entry, More: l > entry.Level, Less: l < entry.Level}
		held := log.Held(entry.Ship)
		switch {
		case entry.Echo > 0:
			b.Refuse("forget "+s.Name+" "+name+" takes it off the list", "%s is an echo: no ship is there", entry.Name())
		case held != nil && held.No != entry.No:
			b.Refuse("rule on "+string(held.Name()), "%s was lost, and found again as %s", entry.Name(), held.Name())
		case held != nil && held.Level == l:
			b.Refuse("", "%s shows %s of %s already", s.Captain, l, entry.Name())
		}
		name = string(entry.Ship)
	}
	o := b.other(s, name)
	f := blind.Fix{Ship: o.ID, Level: l, Hex: o.Hex, Heading: o.Heading}
	f.Size, f.Speed = roughOf(b.t.Rules, b.t.Game, o.ID)
	f.Known = l >= blind.Full || l >= blind.Presence && friendly(b.t.Game, commandedBy(b.t.Game, s.Captain), o)
	ch.Contact.Lost = false
	ch.Contact.Take(f, b.t.ruledAt(b.Ruling.Before))
	return ch
}

// echo puts an entry without a ship on a list.
func (b *lister) echo(s *engine.Ship, log *blind.Log, at string) blind.Change {
	h, err := hex.ParseLabel(at)
	if err != nil {
		b.Refuse("column and row, such as 0405", "%q is not a hex", at)
	}
	if bounds := b.t.Game.Bounds; bounds != nil && !bounds.Contains(h) {
		b.Refuse("choose a hex on the map", "hex %s is off the map", h.Label())
	}
	if level := wouldShow(b.t.Rules, b.t.Game, eyesOf(b.t.Game, s.Captain), h); level != blind.Presence {
		b.Refuse("choose a hex where a ship would show as a presence only, some 11 to 20 hexes away", "the sensors of %s would show more than a presence at %s, or nothing", s.Captain, h.Label())
	}
	c := blind.Contact{No: log.Next + 1, Ship: echoID(s.ID, log.Next+1), Echo: b.t.Number() + 1}
	if b.Ruling.Before && b.t.Number() > 0 {
		c.Echo = b.t.Number()
	}
	c.Level, c.Hex, c.Since = blind.Presence, h, b.t.ruledAt(b.Ruling.Before)
	return blind.Change{Contact: c, New: true, More: true}
}
