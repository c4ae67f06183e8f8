package ship

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
)

// Fleet returns all ships of a ship's captain.
func Fleet(g *engine.Game, s *engine.Ship) []*engine.Ship {
	return ShipsOf(g, g.Viewer(s).Ships)
}

// ShipsOf returns the ships with these ids.
func ShipsOf(g *engine.Game, ids []engine.ShipID) []*engine.Ship {
	var out []*engine.Ship
	for _, id := range ids {
		if s, ok := g.Ship(id); ok {
			out = append(out, s)
		}
	}
	return out
}

// Locking is an attempt at a sensor lock (stcs 7.1). Held is set if it succeeded, and Auto
// holds what a lock reveals by itself.
type Locking struct {
	Ship    engine.ShipID `json:"ship" see:"crew"`
	Target  engine.ShipID `json:"target" see:"crew"`
	Need    int           `json:"need" see:"crew"`
	Roll    int           `json:"roll" see:"crew"`
	Held    bool          `json:"held" see:"crew"`
	Cloaked bool          `json:"cloaked,omitempty" see:"crew"` // the target cannot be seen without a lock
	Kept    bool          `json:"kept,omitempty" see:"crew"`    // the lock was held before
	Since   engine.Moment `json:"since" see:"crew"`
	Auto    *Automatic    `json:"auto,omitempty" see:"crew"`
}

// Apply implements engine.Body.
func (b *Locking) Apply(g *engine.Game) error {
	k, err := sensors(g, b.Ship)
	if err != nil {
		return err
	}
	k.Target = b.Target
	k.Locks = slices.DeleteFunc(k.Locks, func(o Lock) bool { return o.Target == b.Target })
	if b.Held {
		k.Locks = append(k.Locks, Lock{Target: b.Target, Since: b.Since, Cloaked: b.Cloaked})
	}
	if b.Auto != nil {
		auto := *b.Auto
		k.Learn(Answer{Target: b.Target, Question: AtLock, When: b.Since, Auto: &auto})
	}
	return nil
}

// Unlock is a lock lost or given up (stcs 7.4).
type Unlock struct {
	Ship   engine.ShipID `json:"ship" see:"crew"`
	Target engine.ShipID `json:"target" see:"crew"`
	Why    string        `json:"why" see:"crew"`
}

// Apply implements engine.Body.
func (b *Unlock) Apply(g *engine.Game) error {
	k, err := sensors(g, b.Ship)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(k.Locks, func(k Lock) bool { return k.Target == b.Target })
	if i < 0 {
		return fmt.Errorf("%s has no lock on %s", b.Ship, b.Target)
	}
	if k.Locks = slices.Delete(k.Locks, i, i+1); k.Target == b.Target {
		k.Target = ""
	}
	return nil
}

// LostSight is a ship going out of sight. She is shown where she was last seen until she is
// seen again (stcs 7.6).
type LostSight struct {
	Ship   engine.ShipID `json:"ship" see:"crew"`
	Target engine.ShipID `json:"target" see:"crew"`
	At     engine.Place  `json:"at" see:"crew"`
	Since  engine.Moment `json:"since" see:"crew"`
}

// Apply implements engine.Body.
func (b *LostSight) Apply(g *engine.Game) error {
	k, err := sensors(g, b.Ship)
	if err != nil {
		return err
	}
	if k.Contacts == nil {
		k.Contacts = map[engine.ShipID]Sighting{}
	}
	k.Contacts[b.Target] = Sighting{At: b.At, Since: b.Since}
	return nil
}

// Sighted is a ship coming into a captain's sight.
type Sighted struct {
	Ship   engine.ShipID `json:"ship" see:"crew"`
	Target engine.ShipID `json:"target" see:"crew"`
	At     engine.Place  `json:"at" see:"crew"`
}

// Apply implements engine.Body. All ships of the captain drop the old sighting.
func (b *Sighted) Apply(g *engine.Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok {
		return fmt.Errorf("no ship %q", b.Ship)
	}
	for _, o := range Fleet(g, s) {
		delete(Of(o).Sensors().Contacts, b.Target)
	}
	return nil
}

// Departed is a ship that has left, and who saw it.
type Departed struct {
	Ship engine.ShipID   `json:"ship"`
	By   []engine.ShipID `json:"by"` // ids of the ships whose captains saw it
}

// Apply implements engine.Body.
func (b *Departed) Apply(g *engine.Game) error {
	for _, id := range b.By {
		k, err := sensors(g, id)
		if err != nil {
			return err
		}
		if !slices.Contains(k.Gone, b.Ship) {
			k.Gone = append(k.Gone, b.Ship)
		}
	}
	return nil
}

// sensors returns the sensors of a ship of a game.
func sensors(g *engine.Game, id engine.ShipID) (*Sensors, error) {
	s, err := Lookup(g, id)
	if err != nil {
		return nil, err
	}
	if !s.Has(NameSensors) {
		return nil, fmt.Errorf("%s has no sensors", id)
	}
	return s.Sensors(), nil
}

// Answered is an answer to a question (stcs 7.3).
type Answered struct {
	Ship     engine.ShipID `json:"ship" see:"crew"`
	Answer   `see:"crew"`
	Standing bool `json:"standing,omitempty" see:"crew"` // the standing orders asked
}

// Apply implements engine.Body.
func (b *Answered) Apply(g *engine.Game) error {
	k, err := sensors(g, b.Ship)
	if err != nil {
		return err
	}
	k.Learn(b.Answer.Clone())
	if b.Standing {
		k.Asked++
	}
	return nil
}

// Surveyed is an attempt at a lock on something other than a ship, and what it revealed: mass,
// composition, state and life (stcs 7.2).
type Surveyed struct {
	Ship  engine.ShipID     `json:"ship" see:"crew"`
	Kind  string            `json:"kind" see:"crew"`
	Name  string            `json:"name,omitempty" see:"crew"`
	Hex   hex.Hex           `json:"hex" see:"crew"`
	Need  int               `json:"need" see:"crew"`
	Roll  int               `json:"roll" see:"crew"`
	Held  bool              `json:"held" see:"crew"`
	Facts map[string]string `json:"facts,omitempty" see:"crew"`
}

// Apply implements engine.Body. The sensors are then trained on no ship.
func (b *Surveyed) Apply(g *engine.Game) error {
	k, err := sensors(g, b.Ship)
	if err != nil {
		return err
	}
	k.Target = ""
	return nil
}

// Scan is a scan for cloaked ships through the arc of a shield (stcs 10.6), and those found;
// the locks that follow tell more of them.
type Scan struct {
	Ship   engine.ShipID   `json:"ship" see:"crew"`
	Shield int             `json:"shield" see:"crew"`
	Roll   int             `json:"roll" see:"crew"`
	Found  []engine.ShipID `json:"found,omitempty" see:"crew"`
}

// Exposed tells the captain of a cloaked ship about a scan: she was found, or found again
// (Kept), or, without Found, the lock on her is lost.
type Exposed struct {
	Ship  engine.ShipID `json:"ship" see:"crew"`
	By    engine.ShipID `json:"by,omitempty" see:"crew"` // the scanning ship, if it is seen
	Found bool          `json:"found,omitempty" see:"crew"`
	Kept  bool          `json:"kept,omitempty" see:"crew"`
}

// Tipped tells a captain of a cloaked ship that another ship of the same side has found: the
// shield behind which she is, and, when she is found again, her place.
type Tipped struct {
	Ship   engine.ShipID `json:"ship" see:"crew"`
	By     engine.ShipID `json:"by" see:"crew"`
	Shield int           `json:"shield,omitempty" see:"crew"`
	Target engine.ShipID `json:"target,omitempty" see:"crew"`
	At     *engine.Place `json:"at,omitempty" see:"crew"`
	Since  engine.Moment `json:"since,omitzero" see:"crew"`
}

// Apply implements engine.Body.
func (b *Tipped) Apply(g *engine.Game) error {
	k, err := sensors(g, b.Ship)
	if err != nil {
		return err
	}
	if b.At == nil {
		return nil
	}
	if _, ok := g.Ship(b.Target); !ok {
		return fmt.Errorf("%s is told of an unknown ship %q", b.Ship, b.Target)
	}
	if k.Contacts == nil {
		k.Contacts = map[engine.ShipID]Sighting{}
	}
	k.Contacts[b.Target] = Sighting{At: *b.At, Since: b.Since}
	return nil
}
