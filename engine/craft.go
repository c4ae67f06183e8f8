package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Kind is what sort of thing a [Ship] is. All but ships and decoys are small craft: they move and
// are seen like ships, but have no captain. So they owe no orders and get no report,
// and nothing is gained by defeating them.
type Kind string

// Kinds of things on the map. A decoy is a ship in all but what she counts for (ruling F20).
const (
	KindShip    Kind = ""
	KindDrone   Kind = "drone"
	KindPlasma  Kind = "plasma"
	KindProbe   Kind = "probe"
	KindShuttle Kind = "shuttle"
	KindDecoy   Kind = "decoy"
	KindShot    Kind = "shot"
)

// Kinds lists the kinds of small craft.
func Kinds() []Kind {
	return []Kind{KindDrone, KindPlasma, KindProbe, KindShuttle, KindShot}
}

// Small tells whether things of this kind are small craft.
func (k Kind) Small() bool { return k != KindShip && k != KindDecoy }

// Small tells whether this is a small craft.
func (s *Ship) Small() bool { return s.Kind.Small() }

// Decoy tells of a ship that only looks like one (ruling F20). She is no loss and no gain to any side:
// goals and the end of a battle pass over her.
func (s *Ship) Decoy() bool { return s.Kind == KindDecoy }

// ClassDecoy stands for the class of a decoy, whose own class is none.
const ClassDecoy = "decoy"

// Scouts tells of a small craft by which he who had it launched sees: a probe or a shuttle (F20).
func (s *Ship) Scouts() bool { return s.Kind == KindProbe || s.Kind == KindShuttle }

// Captained are the ships among these that have a captain, in their order.
func Captained(ships []*Ship) []*Ship { return slices.DeleteFunc(slices.Clone(ships), (*Ship).Small) }

// OnMap reports whether a ship has a counter on the map. A small craft that is gone
// leaves no wreck.
func (s *Ship) OnMap() bool { return s.Status.OnMap() && (s.Status == Active || !s.Small()) }

// Gone tells of a small craft that was gone before the turn: no view shows it
// any more.
func (s *Ship) Gone(g *Game) bool { return s.Small() && s.Status != Active && s.OutTurn < g.Turn }

// Launch puts a small craft into the game. The body of a rule set's event does that in
// its Apply: nothing but an event changes a game. Its parent may be gone later on; what
// it launched stays.
func (g *Game) Launch(s *Ship) error {
	at, taken := slices.BinarySearchFunc(g.Ships, s.ID, func(o *Ship, id ShipID) int { return cmp.Compare(o.ID, id) })
	parent, ok := g.Ship(s.Parent)
	_, side := g.Side(s.Side)
	switch {
	case s.ID == "" || s.ID != ShipID(strings.ToLower(s.Name)):
		return fmt.Errorf("launch %q: its id must be its name %q in small letters", s.ID, s.Name)
	case taken:
		return fmt.Errorf("launch %s: there is a ship of that id", s.ID)
	case !slices.Contains(Kinds(), s.Kind):
		return fmt.Errorf("launch %s: %q is no small craft", s.ID, s.Kind)
	case s.Captain != "" || s.Value != 0:
		return fmt.Errorf("launch %s: a small craft has no captain and no value", s.ID)
	case !ok || parent.Small():
		return fmt.Errorf("launch %s: there is no ship %q to launch it", s.ID, s.Parent)
	case !side:
		return fmt.Errorf("launch %s: there is no side %q", s.ID, s.Side)
	}
	g.Ships = slices.Insert(g.Ships, at, s)
	return nil
}
