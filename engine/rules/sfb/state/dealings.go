package state

import (
	"maps"
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/sheet"
)

// Force is a group of boarding parties on another ship.
type Force struct {
	From    engine.ShipID `json:"from"` // the ship that sent them
	Parties int           `json:"parties"`
	Fierce  bool          `json:"fierce,omitempty"` // they add 1 to their die
}

// FreeLabs returns the remaining laboratories that are not powering her sensors.
func (s *System) FreeLabs() int { return max(0, s.Sheet.Count(sheet.Lab).Left-s.Purse[ForLabs]) }

// lose reduces the boxes of a bank. Boxes that were repaired in battle are lost first, and for good (house 30.7).
func (s *System) lose(bank, left int) {
	b := &s.Sheet.Banks[bank]
	if n := min(b.Left-left, s.Rigged[b.Name]); n > 0 {
		s.Rigged[b.Name] -= n
		if s.Beyond == nil {
			s.Beyond = map[string]int{}
		}
		s.Beyond[b.Name] += n
	}
	b.Left = left
	s.Settle()
}

// NoTurns is the hexes straight before a turn for a ship that cannot turn.
const NoTurns = 1000

// Controlled reports whether a ship has a control box left, or needs none.
func (s *System) Controlled() bool {
	boxes := s.Sheet.Count(sheet.Bridge, sheet.FlagBridge, sheet.Emergency, sheet.Auxiliary)
	return !s.Steered || boxes.All == 0 || boxes.Left > 0
}

// Dealings is the part of a ship's state used by parts of the rules: what she does to other ships, and they to her,
// other than fire.
type Dealings struct {
	Purse map[string]int `json:"purse,omitempty"` // energy set aside, by verb of the order
	Holds []Grip         `json:"holds,omitempty"` // ships in her tractor beams
	Held  engine.ShipID  `json:"held,omitempty"`  // the ship whose tractor beam holds her
	Beams int            `json:"beams,omitempty"` // tractor beams used this turn
	// Rigged counts the boxes repaired in battle, by bank.
	Rigged map[string]int `json:"rigged,omitempty"`
	Beyond map[string]int `json:"beyond,omitempty"` // boxes lost for good, by bank
	Limit  int            `json:"limit,omitempty"`  // one more than the hexes after which she is stopped this turn; 0: she is not stopped
	Under  Shot           `json:"under,omitzero"`   // when she last cloaked or decloaked
	Probes int            `json:"probes,omitempty"` // launched so far
	Away   int            `json:"away,omitempty"`   // shuttles launched and not back
	Data   []Datum        `json:"data,omitempty"`   // what she, or a shuttle, knows about others
	Course hex.Hex        `json:"course,omitzero"`  // of a probe or shuttle: its destination
	dark.Mission
	Steered bool `json:"steered,omitempty"` // she needs a control box to turn and fire
	// Boarding parties: her own aboard, and those of others; whether hers add 1 to their die.
	Parties  int     `json:"parties,omitempty"`
	Boarders []Force `json:"boarders,omitempty"`
	Fierce   bool    `json:"fierce,omitempty"`
	Beamed   int     `json:"beamed,omitempty"`  // parties her transporters sent this turn
	Charged  int     `json:"charged,omitempty"` // further parties that the energy allows
	Lowered  [6]bool `json:"lowered,omitzero"`  // shields dropped for transporters until the end of the turn
}

func (d Dealings) clone() Dealings {
	d.Purse, d.Holds, d.Rigged, d.Boarders = maps.Clone(d.Purse), slices.Clone(d.Holds), maps.Clone(d.Rigged), slices.Clone(d.Boarders)
	d.Beyond, d.Data = maps.Clone(d.Beyond), slices.Clone(d.Data)
	return d
}

// beginTurn resets what lasts one turn, and sets the energy set aside.
func (d *Dealings) beginTurn(purse map[string]int) {
	d.Purse, d.Beams, d.Limit, d.Beamed, d.Charged, d.Lowered = maps.Clone(purse), 0, 0, 0, 0, [6]bool{}
}

// Datum is how much is known about a ship, in points.
type Datum struct {
	About  engine.ShipID `json:"about"`
	Points int           `json:"points"`
}

// Learn adds points about a ship.
func (d *Dealings) Learn(about engine.ShipID, n int) {
	i := slices.IndexFunc(d.Data, func(k Datum) bool { return k.About == about })
	if i < 0 {
		i = len(d.Data)
		d.Data = append(d.Data, Datum{About: about})
	}
	d.Data[i].Points += n
	d.Data = slices.DeleteFunc(d.Data, func(k Datum) bool { return k.Points <= 0 })
}

// Grip is a ship held and towed by a tractor beam.
type Grip struct {
	Ship engine.ShipID    `json:"ship"`
	Cost int              `json:"cost"` // of a hex, in 60ths
	Mode []sheet.TurnStep `json:"mode"` // her turn mode
}

// HexCost returns the energy of a hex for a ship and all she tows (house 71.8), in 60ths.
func (s *System) HexCost() int {
	cost := s.Sheet.HexCost()
	for _, g := range s.Holds {
		cost += g.Cost
	}
	return cost
}

// StraightAt returns how many hexes straight must come before a turn at a speed: by the worst turn mode of the ship
// and those she tows (house 71.8).
func (s *System) StraightAt(speed int) int {
	if !s.Controlled() {
		return NoTurns
	}
	n := s.Sheet.Straight(speed)
	for _, g := range s.Holds {
		n = max(n, (&sheet.Sheet{TurnMode: g.Mode}).Straight(speed))
	}
	return n
}

// Stopped reports whether she stops for this turn after moving so many hexes.
func (s *System) Stopped(moved int) bool { return s.Limit > 0 && moved >= s.Limit-1 }

// Sound counts the remaining boxes of a bank that were not repaired in battle.
func (s *System) Sound(b *sheet.Bank) int { return max(0, b.Left-s.Rigged[b.Name]) }

// Boost returns the extra energy of overloaded engines.
func (s *System) Boost(engines []string) (more int) {
	for _, name := range engines {
		more += s.Sound(&s.Sheet.Banks[s.Sheet.Bank(name)])
	}
	return more
}
