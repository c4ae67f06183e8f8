package dark

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dice"
	"starpost/engine/hex"
)

// Echoes are contacts with nothing behind them, which sensors show of themselves where a scenario has it so.
// They are as far off as a place is all that shows, stay there for a turn, and are gone where more would show.
const (
	echoNearest  = 10 // hexes, less than
	echoBearings = 100
	echoMark     = "~" // begins what stands for the ship of an echo in a list; no ship is called so
)

// EchoDice are the dice of echoes, for rule sets that can be played in the dark.
func EchoDice() []engine.NamedDie {
	return []engine.NamedDie{
		{Name: "echo.SHIP.N.range", Example: "t3.p1.echo.hood.1.range", Die: dice.D10, What: "in a game in the dark with echoes, how far from a ship the N-th of her captain's echoes of the turn is: 10 hexes and these"},
		{Name: "echo.SHIP.N.bearing", Example: "t3.p1.echo.hood.1.bearing", Die: dice.D100, What: "in which hundredth of the ring about her it is, clockwise from straight up"},
	}
}

// throwEchoes gives what a captain's sensors, by his place among captains, show of themselves in the turn, about his
// ships by turns. One that would be off the map, or where they would not show a place alone, is none.
func (t *Turn) throwEchoes(captain int) (out []blind.Fix) {
	about := slices.DeleteFunc(slices.Clone(t.own[captain]), func(s *engine.Ship) bool { return s.Status != engine.Active })
	for n := 1; n <= t.Game.Blind.Echoes && len(about) > 0; n++ {
		s := about[(n-1)%len(about)]
		name := engine.NameRoll("echo", s.ID).And(strconv.Itoa(n))
		ring := slices.Collect(hex.Ring(s.Hex, echoNearest+t.Roll(name.And("range"), dice.D10, engine.See{}, "house 9.71")))
		at := ring[(t.Roll(name.And("bearing"), dice.D100, engine.See{}, "house 9.71")-1)*len(ring)/echoBearings]
		if b := t.Game.Bounds; b != nil && !b.Contains(at) {
			continue
		}
		if level := wouldShow(t.Rules, t.Game, t.eyes[captain], at); level == blind.Presence {
			out = append(out, blind.Fix{Ship: engine.ShipID(fmt.Sprintf("%s%d-%s-%d", echoMark, t.Number(), s.ID, n)), Level: level, Hex: at, Echo: t.Number()})
		}
	}
	return out
}

// echo is the entry of what stands for the ship of an echo, in a captain's list; nil for others.
func (o *Observer) echo(id engine.ShipID) *blind.Contact {
	if log := o.game.Blind.Log(o.Captain); log != nil && strings.HasPrefix(string(id), echoMark) {
		return log.Held(id)
	}
	return nil
}

// isEcho tells whether an id stands for the ship of an echo in some captain's list.
func isEcho(g *engine.Game, id engine.ShipID) bool {
	return strings.HasPrefix(string(id), echoMark) && slices.ContainsFunc(g.Blind.Logs, func(l blind.Log) bool {
		return slices.ContainsFunc(l.Contacts, func(c blind.Contact) bool { return c.Ship == id && c.Echo > 0 })
	})
}

// Echoes are stand-ins for the ships that a ship's captain would think to be where he has echoes, for orders
// aimed at them. Nothing may come about with them.
func Echoes(r *engine.Rules, g *engine.Game, s *engine.Ship) (out []*engine.Ship) {
	if g.Blind == nil {
		return nil
	}
	log := g.Blind.Log(s.Captain)
	if log == nil {
		return nil
	}
	for i := range log.Contacts {
		if stands(r, g, s, &log.Contacts[i]) {
			out = append(out, standIn(s, &log.Contacts[i]))
		}
	}
	return out
}

// stands tells whether an entry of the list of a ship's captain is an echo where a place is all that would show.
func stands(r *engine.Rules, g *engine.Game, s *engine.Ship, c *blind.Contact) bool {
	if c.Lost || c.Echo == 0 {
		return false
	}
	level := wouldShow(r, g, eyesOf(g, s.Captain), c.Hex)
	return level == blind.Presence
}

// standIn is made after a ship whose captain has an echo, so that it has all that dice and charts ask for.
func standIn(s *engine.Ship, c *blind.Contact) *engine.Ship {
	o := *s
	o.ID, o.Name, o.Captain, o.Side, o.Kind, o.Crew, o.Hex = c.Ship, string(c.Name()), "", "", engine.KindShip, nil, c.Hex
	o.Heading, o.Status = hex.A, engine.Active
	return &o
}

// Echo is the stand-in for what a ship's captain means by the number of an echo, or for one by its id; nil for others.
func Echo(r *engine.Rules, g *engine.Game, s *engine.Ship, name string) *engine.Ship {
	if c := echoMeant(g, s, name); c != nil && stands(r, g, s, c) {
		return standIn(s, c)
	}
	return nil
}

// LastEcho is [Rules.Echo] for one that shows no longer, too: it is where it was last.
func LastEcho(r *engine.Rules, g *engine.Game, s *engine.Ship, name string) *engine.Ship {
	if c := echoMeant(g, s, name); c != nil && c.Kept(g.Turn, *g.Blind.Memory) {
		return standIn(s, c)
	}
	return nil
}

// echoMeant is the entry of an echo that a ship's captain means by its number, or that has an id; nil for others.
func echoMeant(g *engine.Game, s *engine.Ship, name string) *blind.Contact {
	if g.Blind == nil {
		return nil
	}
	log := g.Blind.Log(s.Captain)
	if log == nil {
		return nil
	}
	c := log.Last(engine.ShipID(name))
	if no, ok := blind.ParseNumber(name); ok {
		c = log.Called(no)
	}
	if c == nil || c.Echo == 0 {
		return nil
	}
	return c
}

// Echo tells whether this is a stand-in for an echo, with no ship behind it.
func IsEcho(s *engine.Ship) bool { return strings.HasPrefix(string(s.ID), echoMark) }
