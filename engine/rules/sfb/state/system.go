package state

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/family"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/ruling"
)

// System is the state of a ship or, with a Flight, of a small craft.
type System struct {
	Dealings

	Sheet     sheet.Sheet `json:"sheet,omitzero"`
	Speed     int         `json:"speed"`             // this turn
	Straight  int         `json:"straight"`          // hexes moved straight since the last turn
	Batteries int         `json:"batteries"`         // energy in them
	Capacitor int         `json:"capacitor"`         // energy in the capacitors of phasers
	Half      bool        `json:"half,omitempty"`    // and half an energy more
	Weapons   []Weapon    `json:"weapons,omitempty"` // in the order of the sheet
	Reinforce [6]int      `json:"reinforce"`         // points on each shield this turn
	AllRound  int         `json:"all_round"`         // points on whichever shield is hit first
	Near      []Near      `json:"near,omitempty"`    // ships in her hex, by id
	Standing  Standing    `json:"standing,omitzero"`
	// Figures are the scenario's figures for her lasers and particle beams.
	Figures  map[sheet.Kind][]HitRow `json:"figures,omitempty"`
	Flight   *Flight                 `json:"flight,omitempty"`   // of a small craft
	Hit      bool                    `json:"hit,omitempty"`      // damage got inside this turn
	Cloaked  bool                    `json:"cloaked,omitempty"`  // this turn
	Down     bool                    `json:"down,omitempty"`     // her shields are down this turn
	NoFire   bool                    `json:"no_fire,omitempty"`  // her fire control is off this turn
	Draws    bool                    `json:"draws,omitempty"`    // her phasers draw on the reserve and the batteries this turn
	Brakes   bool                    `json:"brakes,omitempty"`   // she may slow down in an emergency
	Aims     bool                    `json:"aims,omitempty"`     // she may aim at rows of the damage allocation chart while moving
	Steady   bool                    `json:"steady,omitempty"`   // her high energy turns need no roll
	Boosts   bool                    `json:"boosts,omitempty"`   // her warp engines may be overloaded
	Braking  int                     `json:"braking,omitempty"`  // impulses with movement until she stops; -1: she has stopped for the turn
	Pool     int                     `json:"pool,omitempty"`     // movement energy left this turn, in 60ths
	Reserve  int                     `json:"reserve,omitempty"`  // unallotted energy, in rule sets that keep it
	Freed    int                     `json:"freed,omitempty"`    // part of the reserve, returned by braking: for any task
	Last     string                  `json:"last,omitempty"`     // the captain's last orders, for the next template
	Allotted bool                    `json:"allotted,omitempty"` // energy has been allotted at least once
	Kept     family.Shares           `json:"parts,omitempty"`    // what parts keep of her
}

// A captain's choice between two shields, other than a shield number.
const (
	Strongest = "strongest"
	Weakest   = "weakest"
)

// Purposes of energy set aside that events pay out: the verbs of their orders.
const (
	ForLabs    = "labs"
	ForPhasers = "phasers"
)

// Weapon is the state of a weapon apart from its box.
type Weapon struct {
	Bank   int  `json:"bank"`             // index in the sheet
	Armed  int  `json:"armed,omitempty"`  // turns of arming so far
	Over   int  `json:"over,omitempty"`   // energy with which it is overloaded
	Fired  Shot `json:"fired,omitzero"`   // when it last fired or launched
	Drones int  `json:"drones,omitempty"` // left in a rack
}

// Shot is when a weapon fired; the zero Shot means never.
type Shot struct {
	Turn    int `json:"turn"`
	Impulse int `json:"impulse"`
}

// Near is a ship in the same hex, with the side that faced her before.
type Near struct {
	Ship engine.ShipID `json:"ship"`
	Side int           `json:"side"` // 0 to 5, clockwise from the bow
}

// Flight is the state of a drone, which its ship guides, or, with a Kind, of a plasma torpedo, which guides itself.
type Flight struct {
	Kind     sheet.Kind    `json:"kind,omitempty"`
	Target   engine.ShipID `json:"target"`
	Launched Shot          `json:"launched"`
	Points   int           `json:"points"` // damage that destroys it
	Damage   int           `json:"damage"` // damage it does; for plasma, at launch
}

// Standing is the orders that last until they are changed.
type Standing struct {
	Lose      []sheet.Wish  `json:"lose,omitempty"`
	Guard     []Guard       `json:"guard,omitempty"`
	Reinforce []Reinforcing `json:"reinforce,omitempty"`
	Choose    string        `json:"choose,omitempty"`  // shield when a line lies between two: strongest, weakest or a number
	Missing   string        `json:"missing,omitempty"` // course or repeat
	Hold      int           `json:"hold,omitempty"`    // in the dark, hold fire at contacts below this level
	// Orders are lines of movement, fire and launches, as in orders.
	Orders []string `json:"orders,omitempty"`
}

// Guard makes weapons fire at drones that seek the ship.
type Guard struct {
	Weapons []string `json:"weapons"`
	Within  int      `json:"within"`
}

// Clone implements engine.System.
func (s *System) Clone() engine.System {
	c := *s
	c.Sheet = s.Sheet.Clone()
	c.Weapons, c.Near = slices.Clone(s.Weapons), slices.Clone(s.Near)
	c.Standing = s.Standing.Clone()
	c.Figures = maps.Clone(s.Figures)
	c.Dealings, c.Kept = s.Dealings.clone(), s.Kept.Clone()
	if s.Flight != nil {
		f := *s.Flight
		c.Flight = &f
	}
	return &c
}

// Same reports whether two sets of standing orders are equal.
func (s Standing) Same(o Standing) bool {
	return slices.Equal(s.Reinforce, o.Reinforce) && slices.Equal(s.Orders, o.Orders) && s.Choose == o.Choose && s.Missing == o.Missing && s.Hold == o.Hold && slices.Equal(s.Lose, o.Lose) &&
		slices.EqualFunc(s.Guard, o.Guard, func(a, b Guard) bool { return a.Within == b.Within && slices.Equal(a.Weapons, b.Weapons) })
}

// Clone returns a deep copy.
func (s Standing) Clone() Standing {
	s.Lose, s.Guard, s.Reinforce, s.Orders = slices.Clone(s.Lose), slices.Clone(s.Guard), slices.Clone(s.Reinforce), slices.Clone(s.Orders)
	for i := range s.Guard {
		s.Guard[i].Weapons = slices.Clone(s.Guard[i].Weapons)
	}
	return s
}

// Sent implements engine.Sent.
func (s *System) Sent() (*dark.Mission, engine.Moment) {
	when := s.Flight.Launched
	return &s.Mission, engine.Moment{Turn: when.Turn, Phase: when.Impulse}
}

// Of returns the state of a ship or craft of this family.
func Of(s *engine.Ship) *System { return s.System.(*System) }

// Hull counts the hull boxes of a ship.
func Hull(s *engine.Ship) (left, all int) {
	sys, ok := s.System.(*System)
	if !ok {
		return 0, 0
	}
	for _, b := range sys.Sheet.Banks {
		if b.Kind == sheet.Hull {
			left, all = left+b.Left, all+b.All
		}
	}
	return left, all
}

// Bank returns the bank of a weapon.
func (s *System) Bank(w int) *sheet.Bank { return &s.Sheet.Banks[s.Weapons[w].Bank] }

// Weapon returns the index of a weapon by its name, or -1.
func (s *System) Weapon(name string) int {
	return slices.IndexFunc(s.Weapons, func(w Weapon) bool { return strings.EqualFold(s.Sheet.Banks[w.Bank].Name, name) })
}

// Phasers returns how much energy the capacitors can hold: a shot for each remaining phaser.
func (s *System) Phasers() int {
	halves := 0
	for i := range s.Sheet.Banks {
		halves += s.Sheet.Banks[i].Kind.Shot() * s.Sheet.Banks[i].Left
	}
	return (halves + 1) / 2
}

// Charge returns the energy in the capacitors, in halves.
func (s *System) Charge() int {
	if s.Half {
		return 2*s.Capacitor + 1
	}
	return 2 * s.Capacitor
}

func (s *System) setCharge(halves int) { s.Capacitor, s.Half = halves/2, halves%2 == 1 }

// ChargeWords returns halves of energy for phasers in words: as shots, if all phasers take the same.
func (s *System) ChargeWords(halves int) string {
	for i := range s.Sheet.Banks {
		if cost := s.Sheet.Banks[i].Kind.Shot(); cost > 0 && cost != 2 {
			return sheet.Fraction(halves*sheet.MoveParts/2) + " energy for phasers"
		}
	}
	return strconv.Itoa(halves/2) + " phaser shots"
}

// Words for groups of weapons.
const (
	AllWeapons   = "all"
	PhaserGroup  = "phasers"
	HeavyWeapons = "heavy"
)

// Called returns the weapons that a word in an order means: a name, the part of several names before a hyphen, a
// kind, or a group word.
func (s *System) Called(word string) (weapons []int, group bool) {
	word = strings.ToLower(word)
	for w := range s.Weapons {
		b := s.Bank(w)
		is := false
		switch word {
		case AllWeapons:
			is, group = !b.Kind.Launches() && !b.Kind.Cannon(), true
		case PhaserGroup:
			is, group = b.Kind.Phaser(), true
		case HeavyWeapons:
			is, group = !b.Kind.Phaser() && !b.Kind.Launches() && !b.Kind.Cannon(), true
		default:
			is = b.Called(word)
		}
		if is {
			weapons = append(weapons, w)
		}
	}
	return weapons, group || len(weapons) > 1
}

// Names returns the names of weapons for which of is true.
func (s *System) Names(of func(*sheet.Bank) bool) []string {
	var out []string
	for w := range s.Weapons {
		if b := s.Bank(w); of == nil || of(b) {
			out = append(out, b.Name)
		}
	}
	return out
}

// Settle limits stored energy and charges to the remaining boxes (ruling C5).
func (s *System) Settle() {
	s.Batteries = min(s.Batteries, s.Sheet.Count(sheet.Battery).Left)
	s.setCharge(min(s.Charge(), 2*s.Phasers()))
	for w := range s.Weapons {
		if s.Bank(w).Left == 0 {
			s.Weapons[w].Armed, s.Weapons[w].Over, s.Weapons[w].Drones = 0, 0, 0
		}
	}
}

// Names of the fields other than banks.
const (
	fieldSpeed     = "speed"
	fieldPool      = "pool" // movement energy, in whole units
	fieldReserve   = "reserve"
	fieldParties   = "boarding-parties"
	fieldStraight  = "straight"
	fieldBatteries = "battery-energy"
	fieldCapacitor = "capacitors"
	FieldCloaked   = "cloaked"
	fieldPoints    = "points"
	fieldTarget    = "target"
)

// Fields returns all that a referee may set: boxes of shields and banks, stored energy, arming, drones in racks; for
// a drone, its points and target.
func (s *System) Fields() []ruling.Field {
	num := func(name string, now, high int, whole string) ruling.Field {
		return ruling.Field{Name: name, Now: strconv.Itoa(now), High: high, Ceiling: max(high, now), Whole: whole}
	}
	if s.Flight != nil && s.Flight.Target == "" { // a shot: its points are its damage
		return []ruling.Field{{Name: fieldPoints, Now: strconv.Itoa(s.Flight.Damage), Low: 1, Floor: 1, High: 99, Ceiling: 99, Open: true}}
	}
	if s.Flight != nil {
		return []ruling.Field{
			{Name: fieldPoints, Now: strconv.Itoa(s.Flight.Points), Low: 1, Floor: 1, High: 99, Ceiling: 99, Open: true},
			{Name: fieldTarget, Now: string(s.Flight.Target), Ship: true, Open: true},
		}
	}
	open := func(name string, now, high int, whole string) ruling.Field {
		f := num(name, now, high, whole)
		f.Open = true
		return f
	}
	var out []ruling.Field
	for i, sh := range s.Sheet.Shields {
		out = append(out, open("shield-"+strconv.Itoa(i+1), sh.Left, sh.All, strconv.Itoa(sh.All)))
	}
	for _, b := range s.Sheet.Banks {
		out = append(out, open(b.Name, b.Left, b.All, strconv.Itoa(b.All)))
	}
	out = append(out, num(fieldBatteries, s.Batteries, s.Sheet.Count(sheet.Battery).Left, ""), num(fieldCapacitor, s.Capacitor, s.Phasers(), ""),
		open(fieldSpeed, s.Speed, 32, ""), open(fieldStraight, s.Straight, 99, ""))
	if s.Sheet.Letter != "" { // under the house rules
		out = append(out, num(fieldPool, s.Pool/sheet.MoveParts, 99, ""), num(fieldReserve, s.Reserve, 99, ""), open(fieldParties, s.Parties, s.Sheet.Boarding, ""))
	}
	if s.Sheet.Cloak > 0 {
		now := 0
		if s.Cloaked {
			now = 1
		}
		out = append(out, open(FieldCloaked, now, 1, ""))
	}
	for w := range s.Weapons {
		switch b := s.Bank(w); {
		case b.Kind.Rack():
			out = append(out, num(b.Name+".drones", s.Weapons[w].Drones, 12, ""))
		case b.Kind.Shot() == 0 && !b.Kind.Cannon():
			out = append(out, num(b.Name+".armed", s.Weapons[w].Armed, 3, ""))
		}
	}
	return out
}

// Set implements ruling.Editable.
func (s *System) Set(name, value string) error {
	if s.Flight != nil && name == fieldTarget {
		s.Flight.Target = engine.ShipID(value)
		return nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 {
		return fmt.Errorf("%s cannot be %q", name, value)
	}
	if s.Flight != nil {
		if name != fieldPoints {
			return fmt.Errorf("a drone has no field %q", name)
		}
		if s.Flight.Target == "" {
			s.Flight.Damage = n
		} else {
			s.Flight.Points = n
		}
		return nil
	}
	switch name {
	case fieldBatteries:
		s.Batteries = n
		return nil
	case fieldCapacitor:
		s.Capacitor = n
		return nil
	case fieldSpeed:
		s.Speed = n
		return nil
	case fieldStraight:
		s.Straight = n
		return nil
	case FieldCloaked:
		s.Cloaked = n > 0
		return nil
	case fieldPool:
		s.Pool = n * sheet.MoveParts
		return nil
	case fieldReserve:
		s.Reserve = n
		return nil
	case fieldParties:
		s.Parties = n
		return nil
	}
	if k, ok := strings.CutPrefix(name, "shield-"); ok {
		if i, err := strconv.Atoi(k); err == nil && i >= 1 && i <= 6 {
			s.Sheet.Shields[i-1].Left = n
			return nil
		}
	}
	if i := s.Sheet.Bank(name); i >= 0 {
		s.Sheet.Banks[i].Left = n
		if s.Rigged[name] > n {
			s.Rigged[name] = n
		}
		s.Settle()
		return nil
	}
	if base, what, ok := strings.Cut(name, "."); ok {
		if w := s.Weapon(base); w >= 0 && what == "drones" {
			s.Weapons[w].Drones = n
			return nil
		} else if w >= 0 && what == "armed" {
			s.Weapons[w].Armed = n
			return nil
		}
	}
	return fmt.Errorf("no field %q", name)
}

// Cloaked reports whether a ship is cloaked.
func Cloaked(s *engine.Ship) bool {
	return s.Status == engine.Active && !dark.IsEcho(s) && Of(s).Cloaked
}

// ShuttleOf returns the ship that launched a shuttle; "" for other kinds.
func ShuttleOf(kind engine.Kind, parent engine.ShipID) engine.ShipID {
	if kind != engine.KindShuttle {
		return ""
	}
	return parent
}

// IsCraft reports whether a small craft is a probe or a shuttle.
func IsCraft(d *engine.Ship) bool { return d.Kind == engine.KindProbe || d.Kind == engine.KindShuttle }

// Crafts returns the probes and shuttles on the map.
func Crafts(g *engine.Game) (out []*engine.Ship) {
	for _, s := range g.Ships {
		if IsCraft(s) && s.Status == engine.Active {
			out = append(out, s)
		}
	}
	return out
}

// Fighting returns the active ships, without small craft.
func Fighting(g *engine.Game) []*engine.Ship {
	out := make([]*engine.Ship, 0, len(g.Ships))
	for _, s := range g.Ships {
		if !s.Small() && s.Status == engine.Active {
			out = append(out, s)
		}
	}
	return out
}

// Drones returns the drones and plasma torpedoes in flight.
func Drones(g *engine.Game) (out []*engine.Ship) {
	for _, s := range g.Ships {
		if (s.Kind == engine.KindDrone || s.Kind == engine.KindPlasma) && s.Status == engine.Active {
			out = append(out, s)
		}
	}
	return out
}

// Up reports whether a shield can stop anything.
func (s *System) Up(side int) bool {
	return s.Sheet.Shields[side].Left > 0 && !s.Down && !s.Lowered[side]
}

// HitRow says that up to a range, a laser or particle beam hits with a die of at most Need.
type HitRow struct {
	Upto int `json:"upto"`
	Need int `json:"need"`
}
