package ship

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/hex"
)

// Fleet are the ships of a ship's captain.
func Fleet(g *engine.Game, s *engine.Ship) []*engine.Ship {
	return ShipsOf(g, g.Viewer(s).Ships)
}

// ShipsOf gives the ships of these ids.
func ShipsOf(g *engine.Game, ids []engine.ShipID) []*engine.Ship {
	var out []*engine.Ship
	for _, id := range ids {
		if s, ok := g.Ship(id); ok {
			out = append(out, s)
		}
	}
	return out
}

// Locking is a try for a sensor lock (stcs 7.1). Held tells whether it was got, and
// Auto what that tells by itself.
type Locking struct {
	Ship    engine.ShipID `json:"ship" see:"crew"`
	Target  engine.ShipID `json:"target" see:"crew"`
	Need    int           `json:"need" see:"crew"`
	Roll    int           `json:"roll" see:"crew"`
	Held    bool          `json:"held" see:"crew"`
	Cloaked bool          `json:"cloaked,omitempty" see:"crew"` // on a ship that cannot be seen without it
	Kept    bool          `json:"kept,omitempty" see:"crew"`    // ... and was held before
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

// Unlock is a lock that is lost or let go (stcs 7.4).
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

// LostSight is a ship that was seen and is not now. It stands where it was seen
// last until it is seen again (stcs 7.6).
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

// Sighted is a ship that comes into a captain's sight.
type Sighted struct {
	Ship   engine.ShipID `json:"ship" see:"crew"`
	Target engine.ShipID `json:"target" see:"crew"`
	At     engine.Place  `json:"at" see:"crew"`
}

// Apply implements engine.Body: all ships of the captain know it.
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

// sensors are those of a ship of a game.
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

// Surveyed is a try for a lock on something that is no ship, and what it told: mass,
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

// Apply implements engine.Body: the sensors are trained on no ship then.
func (b *Surveyed) Apply(g *engine.Game) error {
	k, err := sensors(g, b.Ship)
	if err != nil {
		return err
	}
	k.Target = ""
	return nil
}

// Scan is a look for cloaked ships through the arc of a shield (stcs 10.6), and which
// it finds; more of them is told by the locks that follow.
type Scan struct {
	Ship   engine.ShipID   `json:"ship" see:"crew"`
	Shield int             `json:"shield" see:"crew"`
	Roll   int             `json:"roll" see:"crew"`
	Found  []engine.ShipID `json:"found,omitempty" see:"crew"`
}

// Exposed is what the captain of a cloaked ship learns of a scan: that it was found,
// that it was found again, or, without Found, that the lock on it is lost.
type Exposed struct {
	Ship  engine.ShipID `json:"ship" see:"crew"`
	By    engine.ShipID `json:"by,omitempty" see:"crew"` // who scanned, if that is seen
	Found bool          `json:"found,omitempty" see:"crew"`
	Kept  bool          `json:"kept,omitempty" see:"crew"`
}

// Tipped is what a captain is told of a cloaked ship that another ship of his side
// has found: the shield behind which it is, and, when it is found again, its place.
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
