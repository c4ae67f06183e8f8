package ship

import (
	"encoding/json"
	"fmt"
	"reflect"

	"starpost/engine"
	"starpost/engine/family"
)

// PowerSet is the power allocation of a ship for a turn.
type PowerSet struct {
	Ship         engine.ShipID    `json:"ship" see:"all"`
	Available    int              `json:"available,omitempty" see:"engineer"`
	Movement     int              `json:"movement,omitempty" see:"engineer,helm"`
	Shields      int              `json:"shields,omitempty" see:"science"`
	Weapons      int              `json:"weapons,omitempty" see:"weapons"`
	Cloak        int              `json:"cloak,omitempty" see:"engineer"`
	Labs         int              `json:"labs,omitempty" see:"crew"` // lit laboratories, one unit each (house 12.3)
	Unused       int              `json:"unused,omitempty"`
	Extra        int              `json:"extra,omitempty" see:"engineer"` // the part of it that is the crew's bonus (stcs 12.3)
	Points       int              `json:"points" see:"all"`
	Split        []int            `json:"split" see:"all"`
	ShieldPoints []int            `json:"shield_points,omitempty" see:"science"` // by number 1..6
	Armed        map[string][]int `json:"armed,omitempty" see:"weapons"`         // by bank: power in each mount
	Shots        map[string][]int `json:"shots,omitempty" see:"weapons"`         // by bank: shots of mounts armed for several (stcs 14.2)
}

// Apply implements engine.Body. It ends everything of last turn (stcs 2.1).
func (b *PowerSet) Apply(g *engine.Game) error {
	s, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	if len(b.ShieldPoints) != 6 || len(b.Split) != len(s.Alloc.Split) {
		return fmt.Errorf("%s: %d shields and %d phases", b.Ship, len(b.ShieldPoints), len(b.Split))
	}
	s.Alloc = Alloc{
		Available: b.Available, Movement: b.Movement, Shields: b.Shields, Weapons: b.Weapons, Cloak: b.Cloak, Labs: b.Labs,
		Points: b.Points, Split: append([]int(nil), b.Split...), Extra: b.Extra,
	}
	s.Hurt = false
	s.Cloak().Late = false
	for i := range s.Shields {
		s.Shields[i].Set = b.ShieldPoints[i]
		s.Shields[i].Now = s.Raised(i)
	}
	for i := range s.Banks {
		armed := b.Armed[s.Banks[i].ID]
		for m := range s.Banks[i].Mounts {
			mt := &s.Banks[i].Mounts[m]
			mt.Armed, mt.Fired, mt.Shots, mt.Shot, mt.Spent = 0, false, 0, 0, 0
			if m < len(armed) {
				mt.Armed = armed[m]
			}
			if n := b.ShotsOf(s.Banks[i].ID, m); n > 1 && mt.Armed > 0 {
				mt.Shots = n
			}
		}
	}
	return nil
}

// StandingSet sets a ship's standing orders from now on (ruling D11).
type StandingSet struct {
	Ship engine.ShipID `json:"ship"`
	Standing

	form   reflect.Type // the type of its JSON form, with the parts' orders
	orders []string
}

// StandingSets returns a function that makes empty events to be decoded, for a book whose parts
// have standing orders with these keys.
func StandingSets(orders []string) func() engine.Body {
	form := standingForm(orders, entry{"ship", ""})
	return func() engine.Body { return &StandingSet{form: form, orders: orders} }
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *StandingSet) UnmarshalJSON(data []byte) error {
	read := reflect.New(b.form)
	if err := json.Unmarshal(data, read.Interface()); err != nil {
		return err
	}
	*b = StandingSet{Ship: engine.ShipID(read.Elem().Field(1 + len(b.orders)).String()), Standing: standingOf(read.Elem(), b.orders)}
	return nil
}

// Apply implements engine.Body.
func (b *StandingSet) Apply(g *engine.Game) error {
	s, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	s.Standing = b.Standing.Clone()
	return nil
}

// Advantage is the order of tactical advantage, best last (ruling D14).
type Advantage struct {
	Order []engine.ShipID `json:"order" see:"all"`
	How   string          `json:"how" see:"all"`
}

// Declare is fire declared at a target (stcs 4.1).
type Declare struct {
	Ship   engine.ShipID `json:"ship" see:"all"`
	Target engine.ShipID `json:"target" see:"all"`
	Weapon string        `json:"weapon" see:"all"`
	Mounts []int         `json:"mounts" see:"all"` // from 1
}

// Apply implements engine.Body. Declared mounts count as fired (stcs 4.1).
func (b *Declare) Apply(g *engine.Game) error {
	s, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	bank, ok := s.Bank(b.Weapon)
	if !ok {
		return fmt.Errorf("%s has no %s", b.Ship, b.Weapon)
	}
	for _, m := range b.Mounts {
		if m < 1 || m > len(bank.Mounts) {
			return fmt.Errorf("%s: %s has no mount %d", b.Ship, b.Weapon, m)
		}
		bank.Mounts[m-1].discharge()
	}
	return nil
}

// Fire is one mount's shot (stcs 4.3). Only firer and target see base, bonus and damage, which
// show how the weapon was armed. In the Graduate Course only the firer sees them, and also
// what else the shot took: modifiers, need, roll and slim chance.
type Fire struct {
	Ship      engine.ShipID `json:"ship" see:"all"`
	Target    engine.ShipID `json:"target" see:"all"`
	Weapon    string        `json:"weapon" see:"all"`
	Model     string        `json:"model" see:"all"`
	Family    string        `json:"family" see:"all"`
	Mount     int           `json:"mount" see:"all"`
	Range     int           `json:"range" see:"all"`
	Arc       string        `json:"arc" see:"all"`
	Chart     string        `json:"chart" see:"all"`
	Number    int           `json:"number" see:"all"`
	Modifiers []Modifier    `json:"modifiers" see:"weapons" also:"dice"`
	Need      int           `json:"need" see:"weapons" also:"dice"`
	Named     string        `json:"named" see:"all"` // the roll
	Roll      int           `json:"roll" see:"weapons" also:"dice"`
	Hit       bool          `json:"hit" see:"all"`
	Base      int           `json:"base,omitempty" see:"weapons"`
	Bonus     int           `json:"bonus,omitempty" see:"weapons"`
	Damage    int           `json:"damage,omitempty" see:"weapons"`
	Shield    int           `json:"shield,omitempty" see:"all"`
	Graze     bool          `json:"graze,omitempty" see:"all"`                  // it is a bolt that only grazes
	Evaded    bool          `json:"evaded,omitempty" see:"all"`                 // base and bonus are halved, rounded up
	Rules     []string      `json:"rules,omitempty" see:"weapons" also:"dice"`  // further citations that only the firer may see
	Slim      int           `json:"slim,omitempty" see:"weapons" also:"dice"`   // highest second die that hits, for a need of 0 or less
	Second    int           `json:"second,omitempty" see:"weapons" also:"dice"` // the second die, once a 1 was rolled
}

// FireDice is the view in which others also see the dice and modifiers of a shot, where dice are thrown in the open.
const FireDice = "dice"

// ShieldHit is damage to a shield (stcs 4.6).
type ShieldHit struct {
	Ship     engine.ShipID `json:"ship" see:"all"`
	From     engine.ShipID `json:"from" see:"all"`
	Weapon   string        `json:"weapon" see:"all"`
	Mount    int           `json:"mount" see:"all"`
	Shield   int           `json:"shield" see:"all"`
	Before   int           `json:"before" see:"science"`
	Absorbed int           `json:"absorbed" see:"all"`
	After    int           `json:"after" see:"science"`
	Through  int           `json:"through" see:"all"`
}

// Strikes implements engine.Striking.
func (b *ShieldHit) Strikes() engine.ShipID { return b.Ship }

// Apply implements engine.Body.
func (b *ShieldHit) Apply(g *engine.Game) error {
	s, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	if b.Shield < 1 || b.Shield > 6 || s.Shields[b.Shield-1].Now != b.Before {
		return fmt.Errorf("%s: shield %d does not stand at %d", b.Ship, b.Shield, b.Before)
	}
	s.Shields[b.Shield-1].Now = b.After
	return nil
}

// Loss is a thing that was lost.
type Loss struct {
	Name   string `json:"name"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Damage is the effect of a hit that got through (stcs 4.7 to 4.13).
type Damage struct {
	Ship           engine.ShipID `json:"ship" see:"all"`
	From           engine.ShipID `json:"from" see:"all"`
	Weapon         string        `json:"weapon" see:"all"`
	Mount          int           `json:"mount" see:"all"`
	Table          string        `json:"table" see:"all"`
	Named          string        `json:"named" see:"all"`
	Roll           int           `json:"roll" see:"all"`
	Location       string        `json:"location" see:"all"`
	Points         int           `json:"points" see:"all"`
	Note           string        `json:"note,omitempty" see:"all"` // why the location does not take it all
	Superstructure *Change       `json:"superstructure,omitempty" see:"science"`
	Power          *Change       `json:"power,omitempty" see:"engineer"`

	Engines []EngineChange `json:"engines,omitempty" see:"engineer"` // how Power changed, where engines are tracked one by one

	Shield  *Loss   `json:"shield,omitempty" see:"others,science"`
	Lost    *Loss   `json:"lost,omitempty" see:"others,weapons,science"` // a weapon mount
	Sensors *Change `json:"sensors,omitempty" see:"all"`

	Tracks []Marked `json:"tracks,omitempty" see:"weapons,science"` // boxes of repair tracks; the systems are out of order

	Second     int      `json:"second,omitempty" see:"all"`          // the die of an engineering hit
	Down       []string `json:"down,omitempty" see:"others,science"` // engineering functions that it puts out of order
	Casualties *Change  `json:"casualties,omitempty" see:"science"`  // tenths of a per cent of the crew
	Spared     bool     `json:"spared,omitempty" see:"science"`      // the crew halved them

	ShieldNumber int    `json:"shield_number,omitempty" see:"others,science"`
	LostBank     string `json:"lost_bank,omitempty" see:"others,weapons,science"`
	LostMount    int    `json:"lost_mount,omitempty" see:"others,weapons,science"`
}

// Strikes implements engine.Striking.
func (b *Damage) Strikes() engine.ShipID { return b.Ship }

// Apply implements engine.Body.
func (b *Damage) Apply(g *engine.Game) error {
	s, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	s.Hurt = true
	if b.Superstructure != nil {
		s.Superstructure = b.Superstructure.After
	}
	switch {
	case len(b.Engines) > 0:
		if err := s.setEngines(b.Engines); err != nil {
			return fmt.Errorf("%s: %w", b.Ship, err)
		}
	case b.Power != nil:
		s.Power = b.Power.After
	}
	if b.Sensors != nil {
		s.NoFire = b.Sensors.After
	}
	for _, m := range b.Tracks {
		if err := s.Mark(m); err != nil {
			return fmt.Errorf("%s: %w", b.Ship, err)
		}
	}
	if err := s.setCasualties(b.Casualties); err != nil {
		return fmt.Errorf("%s: %w", b.Ship, err)
	}
	if b.Shield != nil {
		if b.ShieldNumber < 1 || b.ShieldNumber > 6 {
			return fmt.Errorf("%s has no shield %d", b.Ship, b.ShieldNumber)
		}
		if len(b.Tracks) == 0 { // lost for good
			s.Shields[b.ShieldNumber-1] = Shield{Down: true}
		}
	}
	if s.Has(NameRepair) {
		for i := range s.Shields { // allotted points come up again with a repair
			s.Shields[i].Now = min(s.Shields[i].Now, s.Raised(i))
		}
	}
	if b.Lost != nil {
		bank, ok := s.Bank(b.LostBank)
		if !ok || b.LostMount < 1 || b.LostMount > len(bank.Mounts) {
			return fmt.Errorf("%s has no %s mount %d", b.Ship, b.LostBank, b.LostMount)
		}
		bank.Mounts[b.LostMount-1].Destroyed = true
	}
	return nil
}

// Shed is power cut in mid-turn because the engines no longer give it (ruling D23).
type Shed struct {
	Ship   engine.ShipID    `json:"ship"`
	Power  Change           `json:"power"`           // power allotted before and after
	Alloc  Alloc            `json:"alloc"`           // what is left of the allocation
	Set    []int            `json:"set"`             // shield points by number 1..6
	Armed  map[string][]int `json:"armed,omitempty"` // power left in the mounts of each bank
	Detail []string         `json:"detail"`          // what was cut, in words
}

// Apply implements engine.Body.
func (b *Shed) Apply(g *engine.Game) error {
	s, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	if len(b.Set) != 6 || len(b.Alloc.Split) != len(s.Alloc.Split) {
		return fmt.Errorf("%s: %d shields and %d phases", b.Ship, len(b.Set), len(b.Alloc.Split))
	}
	s.Alloc = b.Alloc
	s.Alloc.Split = append([]int(nil), b.Alloc.Split...)
	for i := range s.Shields {
		s.Shields[i].Set = b.Set[i]
		s.Shields[i].Now = min(s.Shields[i].Now, b.Set[i])
	}
	for i := range s.Banks {
		if armed, ok := b.Armed[s.Banks[i].ID]; ok && len(armed) == len(s.Banks[i].Mounts) {
			for m := range armed {
				s.Banks[i].Mounts[m].Armed = armed[m]
			}
		}
	}
	return nil
}

// Repower restores shields to what they were set to (stcs 4.14).
type Repower struct {
	Ship    engine.ShipID `json:"ship" see:"crew"`
	Shields []Change      `json:"shields" see:"crew"` // by number 1..6
}

// Apply implements engine.Body.
func (b *Repower) Apply(g *engine.Game) error {
	s, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	if len(b.Shields) != 6 {
		return fmt.Errorf("%s: %d shields", b.Ship, len(b.Shields))
	}
	for i := range s.Shields {
		s.Shields[i].Now = b.Shields[i].After
	}
	return nil
}

// MarshalJSON implements json.Marshaler.
func (b *StandingSet) MarshalJSON() ([]byte, error) {
	return b.append(append(appendWord([]byte(`{"ship":`), string(b.Ship)), ',')), nil
}

// ShotsOf returns the number of shots that a mount is armed for; 1 for a weapon that fires once.
func (b *PowerSet) ShotsOf(bank string, mount int) int {
	if shots := b.Shots[bank]; mount < len(shots) {
		return max(1, shots[mount])
	}
	return 1
}

// ArmFor records the number of shots that a mount is armed for.
func (b *PowerSet) ArmFor(bank *Bank, mount, shots int) {
	if b.Shots == nil {
		b.Shots = map[string][]int{}
	}
	if b.Shots[bank.ID] == nil {
		b.Shots[bank.ID] = make([]int, len(bank.Mounts))
	}
	b.Shots[bank.ID][mount] = shots
}

// Cloaking switches a cloak on or off (stcs 10.4).
type Cloaking struct {
	Ship engine.ShipID `json:"ship" see:"all"`
	On   bool          `json:"on" see:"all"`
	Why  string        `json:"why,omitempty" see:"crew"` // a few words
	At   engine.Place  `json:"at" see:"all"`             // where the ship is
	Late bool          `json:"late,omitempty" see:"crew"`
}

// Apply implements engine.Body. With the cloak on no shield is up; when it goes off, powered
// shields come up (stcs 10.5).
func (b *Cloaking) Apply(g *engine.Game) error {
	s, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	c, fitted := family.Find[*Cloak](s.parts)
	if !fitted || c.On == b.On {
		return fmt.Errorf("%s's cloak does not go to %v", b.Ship, b.On)
	}
	c.On, c.Late = b.On, b.Late
	for i := range s.Shields {
		s.Shields[i].Now = s.Raised(i)
	}
	return nil
}

// Announced tells captains who do not see a ship that her cloak is on or off (stcs 6.1,
// ruling D36). Name and Side are set for a ship that begins cloaked.
type Announced struct {
	Ship engine.ShipID `json:"ship" see:"crew"`
	Name string        `json:"name,omitempty" see:"crew"`
	Side string        `json:"side,omitempty" see:"crew"`
	On   bool          `json:"on" see:"crew"`
}

// Apply implements engine.Body.
func (b *Announced) Apply(g *engine.Game) error {
	s, err := Lookup(g, b.Ship)
	if err != nil {
		return err
	}
	if !s.Has(NameCloak) || s.Cloak().On != b.On {
		return fmt.Errorf("%s's cloak is not %v", b.Ship, b.On)
	}
	s.Cloak().Tell = false
	return nil
}
