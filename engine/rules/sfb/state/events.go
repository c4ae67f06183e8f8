package state

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/sfb/sheet"
)

// Energy is the allotment of a ship's energy for a turn, known only to her captain.
type Energy struct {
	Ship      engine.ShipID  `json:"ship"`
	Available int            `json:"available"` // from engines and reactors
	Batteries int            `json:"batteries"` // drawn from the batteries
	Speed     int            `json:"speed"`
	Phasers   int            `json:"phasers"`         // into the capacitors
	Draws     bool           `json:"draws,omitempty"` // phasers take what is missing from the reserve and the batteries
	Arm       map[string]int `json:"arm,omitempty"`
	Over      map[string]int `json:"overload,omitempty"` // energy beyond what arming, or a shot, takes
	Hold      []string       `json:"hold,omitempty"`
	Boost     []string       `json:"boost,omitempty"` // overloaded warp engines
	Reinforce [6]int         `json:"reinforce"`       // points on each shield
	AllRound  int            `json:"all_round"`       // points on all shields
	Repair    [6]int         `json:"repair"`          // boxes of each shield, repaired at the end
	Recharge  int            `json:"recharge"`        // into the batteries, at the end
	Cloak     int            `json:"cloak,omitempty"`
	Scotty    []string       `json:"scotty,omitempty"`  // banks in which a box is to be repaired
	Purse     map[string]int `json:"purse,omitempty"`   // set aside, by verb of the order
	Needs     int            `json:"needs,omitempty"`   // life support, fire control and shields
	NoFire    bool           `json:"no_fire,omitempty"` // fire control is off
	Down      bool           `json:"down,omitempty"`    // shields are down
	Unused    int            `json:"unused"`
	Before    int            `json:"before"` // energy in the batteries before the turn
}

// Apply implements engine.Body. Arm has each weapon's turns of arming including this one; weapons neither armed nor
// held lose their charge.
func (b *Energy) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err != nil {
		return err
	}
	if sys.Batteries < b.Batteries {
		return fmt.Errorf("%s lets %d out of batteries with %d", b.Ship, b.Batteries, sys.Batteries)
	}
	sys.Batteries -= b.Batteries
	sys.Capacitor += b.Phasers
	sys.Reinforce, sys.AllRound, sys.Hit, sys.Allotted = b.Reinforce, b.AllRound, false, true
	sys.NoFire, sys.Draws, sys.Braking = b.NoFire, b.Draws, 0
	sys.beginTurn(b.Purse)
	for w := range sys.Weapons {
		name := sys.Bank(w).Name
		if turns, ok := b.Arm[name]; ok {
			sys.Weapons[w].Armed, sys.Weapons[w].Over = turns, b.Over[name]
		} else if !slices.Contains(b.Hold, name) {
			sys.Weapons[w].Armed, sys.Weapons[w].Over = 0, b.Over[name]
		}
	}
	return nil
}

// Speed is a ship's speed in a turn. It is public.
type Speed struct {
	Ship  engine.ShipID `json:"ship" see:"all"`
	Speed int           `json:"speed" see:"all"`
	Mode  int           `json:"mode" see:"all"` // hexes straight before each turn
	// Cloaked for the whole turn (ruling C14).
	Cloaked bool `json:"cloaked,omitempty" see:"all"`
	Down    bool `json:"down,omitempty" see:"all"` // shields are down for the whole turn
}

// Apply implements engine.Body.
func (b *Speed) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err == nil {
		sys.Speed, sys.Cloaked, sys.Down = b.Speed, b.Cloaked, b.Down
	}
	return err
}

// Order is the order in which the ships move in each impulse of a turn.
type Order struct {
	Order []engine.ShipID `json:"order" see:"all"`
}

// Helm is how far a ship has moved straight. It is issued at the end of a movement step, if that has changed.
type Helm struct {
	Ship     engine.ShipID `json:"ship" see:"all"`
	Straight int           `json:"straight" see:"all"`
}

// Apply implements engine.Body.
func (b *Helm) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err == nil {
		sys.Straight = b.Straight
	}
	return err
}

// Meeting is two ships entering the same hex, with the side of each that faced the other.
type Meeting struct {
	Ship     engine.ShipID `json:"ship" see:"all"`
	Side     int           `json:"side" see:"all"`
	With     engine.ShipID `json:"with" see:"all"`
	WithSide int           `json:"with_side" see:"all"`
}

// Apply implements engine.Body.
func (b *Meeting) Apply(g *engine.Game) error {
	for _, n := range []struct {
		ship engine.ShipID
		near Near
	}{{b.Ship, Near{b.With, b.Side}}, {b.With, Near{b.Ship, b.WithSide}}} {
		sys, err := systemOf(g, n.ship)
		if err != nil {
			return err
		}
		kept := sys.Near[:0]
		for _, o := range sys.Near {
			if other, ok := g.Ship(o.Ship); ok && o.Ship != n.near.Ship && (g.Blind != nil || other.OnMap()) {
				kept = append(kept, o)
			}
		}
		sys.Near = append(kept, n.near)
	}
	return nil
}

// Launch is the launch of a drone or a plasma torpedo.
type Launch struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Weapon string        `json:"weapon" see:"all"`
	Drone  string        `json:"drone" see:"all"` // the name of the drone or torpedo
	Short  string        `json:"short" see:"all"`
	Target engine.ShipID `json:"target" see:"all"`
	At     engine.Place  `json:"at" see:"all"`
	Flight Flight        `json:"flight" see:"all"`
}

// Apply implements engine.Body.
func (b *Launch) Apply(g *engine.Game) error {
	s, ok := g.Ship(b.Ship)
	if !ok {
		return fmt.Errorf("no ship %q", b.Ship)
	}
	sys := Of(s)
	w := sys.Weapon(b.Weapon)
	if w < 0 || b.Flight.Kind == "" && sys.Weapons[w].Drones < 1 {
		return fmt.Errorf("%s has nothing to launch in %q", b.Ship, b.Weapon)
	}
	sys.Weapons[w].Fired = b.Flight.Launched
	kind, class := engine.KindDrone, "drone"
	if b.Flight.Kind == "" {
		sys.Weapons[w].Drones--
	} else {
		rest := sys.Charge() - b.Flight.Kind.Shot()
		if rest < 0 {
			return fmt.Errorf("%s launches from %s with empty capacitors", b.Ship, b.Weapon)
		}
		sys.setCharge(rest)
		sys.Weapons[w].Armed, kind, class = 0, engine.KindPlasma, "plasma torpedo"
	}
	flight := b.Flight
	return g.Launch(&engine.Ship{
		ID: engine.ShipID(strings.ToLower(b.Drone)), Name: b.Drone, Title: class + " of " + s.Name, Short: b.Short, Side: s.Side, Class: class, Kind: kind,
		Parent: s.ID, Hex: b.At.Hex, Heading: b.At.Heading, Status: engine.Active, System: &System{Flight: &flight},
	})
}

// Strike is a drone or torpedo reaching its target. Roll is the die rolled if the target is cloaked; Points are then
// half its damage, or 0.
type Strike struct {
	Ship   engine.ShipID `json:"ship" see:"all"` // the drone or torpedo
	Target engine.ShipID `json:"target" see:"all"`
	Shield int           `json:"shield" see:"all"`
	Points int           `json:"points" see:"all"`
	Roll   int           `json:"roll,omitempty" see:"all"`
	Flown  int           `json:"flown,omitempty" see:"all"` // hexes; 0: one for each impulse of its flight
}

// Apply implements engine.Body: the drone is gone.
func (b *Strike) Apply(g *engine.Game) error { return gone(g, b.Ship) }

// Fire is one shot of a weapon. Shield is the target's, 0 for a drone.
type Fire struct {
	Ship    engine.ShipID `json:"ship" see:"all"`
	Target  engine.ShipID `json:"target" also:"target"`
	Weapon  string        `json:"weapon" see:"all"`
	Kind    sheet.Kind    `json:"kind" see:"all"`
	Impulse int           `json:"impulse" see:"all"`
	Range   int           `json:"range" also:"target"`
	Counts  int           `json:"counts,omitempty" also:"target"`  // the range that counts, for a cloaked target or a damaged scanner
	Scanner int           `json:"scanner,omitempty" also:"target"` // what her scanner adds to the range
	Roll    int           `json:"roll" see:"all"`
	More    int           `json:"more,omitempty" see:"all"`     // added to the die
	Need    int           `json:"need,omitempty" also:"target"` // hit if the die is at most this
	Hit     bool          `json:"hit" see:"all"`
	Points  int           `json:"points" also:"target"`
	Shield  int           `json:"shield,omitempty" also:"target"`
	Aimed   int           `json:"aimed,omitempty" see:"all"`    // the row of the chart aimed at; 0: none
	Half    bool          `json:"half,omitempty" see:"all"`     // half of what gets inside counts
	Over    int           `json:"overload,omitempty" see:"all"` // extra energy
	Own     int           `json:"own,omitempty" see:"all"`      // the weapon's own die, which may destroy it
	Blind   bool          `json:"blind,omitempty" see:"all"`    // fired at no visible ship; Target is the hidden ship in its way
}

// FireTarget marks the fields of a shot that reveal its target. Only viewers who see the target see them.
const FireTarget = "target"

// Apply implements engine.Body.
func (b *Fire) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err != nil {
		return err
	}
	w := sys.Weapon(b.Weapon)
	if w < 0 {
		return fmt.Errorf("%s has no weapon %q", b.Ship, b.Weapon)
	}
	weapon := &sys.Weapons[w]
	weapon.Fired, weapon.Over = Shot{g.Turn, b.Impulse}, 0
	if !b.Kind.Phaser() {
		weapon.Armed = 0
		return nil
	}
	rest := sys.Charge() - b.Kind.Shot()
	if rest < 0 {
		return fmt.Errorf("%s fires %s with empty capacitors", b.Ship, b.Weapon)
	}
	sys.setCharge(rest)
	return nil
}

// Hurt is damage to a drone or torpedo.
type Hurt struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Before int           `json:"before" see:"all"`
	After  int           `json:"after" see:"all"`
}

// Apply implements engine.Body. A drone with no points left is destroyed.
func (b *Hurt) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err != nil {
		return err
	}
	if sys.Flight == nil {
		return fmt.Errorf("%s is no drone", b.Ship)
	}
	sys.Flight.Points = b.After
	if b.After > 0 {
		return nil
	}
	return gone(g, b.Ship)
}

// Struck is a volley: all points against one shield in one impulse, and what stopped them, in this order:
// reinforcement on all shields, reinforcement of the shield, its boxes.
type Struck struct {
	Ship      engine.ShipID `json:"ship" see:"all"`
	Shield    int           `json:"shield" see:"all"`
	Points    int           `json:"points" see:"all"`
	AllRound  int           `json:"all_round" see:"all"`
	Reinforce int           `json:"reinforce" see:"all"`
	Before    int           `json:"before" see:"all"`
	After     int           `json:"after" see:"all"`
	Inside    int           `json:"inside" see:"all"`
	Down      bool          `json:"down,omitempty" see:"all"` // her shields are down, and stop nothing
}

// Strikes implements engine.Striking.
func (b *Struck) Strikes() engine.ShipID { return b.Ship }

// Apply implements engine.Body.
func (b *Struck) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err != nil {
		return err
	}
	shield := &sys.Sheet.Shields[b.Shield-1]
	if shield.Left != b.Before {
		return fmt.Errorf("shield %d of %s has %d boxes, not %d", b.Shield, b.Ship, shield.Left, b.Before)
	}
	shield.Left = b.After
	sys.AllRound -= b.AllRound
	sys.Reinforce[b.Shield-1] -= b.Reinforce
	sys.Hit = sys.Hit || b.Inside > 0
	return nil
}

// Damage is one point inside a ship (cadet D4.22): the die, the skipped columns, and the destroyed box. Without a
// Bank, the point destroys the ship.
type Damage struct {
	Ship     engine.ShipID    `json:"ship" see:"all"`
	Roll     int              `json:"roll" see:"all"`
	Passed   []sheet.Category `json:"passed,omitempty" see:"all"`
	Aimed    bool             `json:"aimed,omitempty" see:"all"` // at the row in Roll
	Half     bool             `json:"half,omitempty" see:"all"`  // half of what got inside counts
	Category sheet.Category   `json:"category" see:"all"`
	Bank     string           `json:"bank,omitempty" see:"all"`
	Before   int              `json:"before" see:"all"`
	After    int              `json:"after" see:"all"`
}

// Apply implements engine.Body.
func (b *Damage) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err != nil || b.Bank == "" {
		return err
	}
	i := sys.Sheet.Bank(b.Bank)
	if i < 0 || sys.Sheet.Banks[i].Left != b.Before {
		return fmt.Errorf("%s has no bank %q with %d boxes", b.Ship, b.Bank, b.Before)
	}
	sys.lose(i, b.After)
	return nil
}

// Mend is the repair of a shield at the end of a turn.
type Mend struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Shield int           `json:"shield" see:"all"`
	Before int           `json:"before" see:"all"`
	After  int           `json:"after" see:"all"`
}

// Apply implements engine.Body.
func (b *Mend) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err == nil {
		sys.Sheet.Shields[b.Shield-1].Left = b.After
	}
	return err
}

// Lapse ends the energy that does not outlast a turn, and recharges the batteries.
type Lapse struct {
	Ship     engine.ShipID `json:"ship"`
	Recharge int           `json:"recharge,omitempty"`
	Weapons  []string      `json:"weapons,omitempty"` // weapons that lose their charge
}

// Apply implements engine.Body.
func (b *Lapse) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err != nil {
		return err
	}
	sys.Reinforce, sys.AllRound, sys.Pool, sys.Reserve, sys.Freed, sys.Purse = [6]int{}, 0, 0, 0, 0, nil
	sys.Batteries += b.Recharge
	for _, name := range b.Weapons {
		if w := sys.Weapon(name); w >= 0 {
			sys.Weapons[w].Armed, sys.Weapons[w].Over = 0, 0
		}
	}
	return nil
}

// StandingSet replaces a captain's standing orders, and the last order set.
type StandingSet struct {
	Ship     engine.ShipID `json:"ship"`
	Standing Standing      `json:"standing"`
	Last     string        `json:"last,omitempty"`
}

// Apply implements engine.Body.
func (b *StandingSet) Apply(g *engine.Game) error {
	sys, err := systemOf(g, b.Ship)
	if err == nil {
		sys.Standing, sys.Last = b.Standing.Clone(), b.Last
	}
	return err
}

func systemOf(g *engine.Game, id engine.ShipID) (*System, error) {
	s, ok := g.Ship(id)
	if !ok {
		return nil, fmt.Errorf("no ship %q", id)
	}
	return Of(s), nil
}

// systemsOf returns the systems of a ship and of the ship that she acts on.
func systemsOf(g *engine.Game, ship, target engine.ShipID) (by, of *System, err error) {
	if by, err = systemOf(g, ship); err != nil {
		return nil, nil, err
	}
	of, err = systemOf(g, target)
	return by, of, err
}

// gone removes a small craft from the map.
func gone(g *engine.Game, id engine.ShipID) error {
	s, ok := g.Ship(id)
	if !ok || !s.Small() {
		return fmt.Errorf("no small craft %q", id)
	}
	s.Status, s.OutTurn = engine.Destroyed, g.Turn
	return nil
}

// Set sets energy aside for a purpose.
func (b *Energy) Set(what string, energy int) {
	if b.Purse == nil {
		b.Purse = map[string]int{}
	}
	b.Purse[what] = energy
}
