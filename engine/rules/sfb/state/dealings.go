package state

import (
	"maps"
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/sheet"
)

// Force is boarding parties on a ship that is not theirs.
type Force struct {
	From    engine.ShipID `json:"from"` // the ship that has sent them
	Parties int           `json:"parties"`
	Fierce  bool          `json:"fierce,omitempty"` // they add 1 to their die
}

// FreeLabs are the boxes of laboratories that are left and not lit for her sensors.
func (s *System) FreeLabs() int { return max(0, s.Sheet.Count(sheet.Lab).Left-s.Purse[ForLabs]) }

// lose takes the boxes of a bank down to so many: those that were mended go first, and for
// good (house 30.7).
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

// NoTurns is the hexes straight before a turn of a ship that cannot turn.
const NoTurns = 1000

// Controlled tells whether a ship has a box left that she can be controlled from, or needs none.
func (s *System) Controlled() bool {
	boxes := s.Sheet.Count(sheet.Bridge, sheet.FlagBridge, sheet.Emergency, sheet.Auxiliary)
	return !s.Steered || boxes.All == 0 || boxes.Left > 0
}

// Dealings are the state of a ship in matters of parts: what she does to others, and they to
// her, beside fire.
type Dealings struct {
	Purse map[string]int `json:"purse,omitempty"` // energy that was set aside, by the verb that did
	Holds []Grip         `json:"holds,omitempty"` // ships in her tractor beams
	Held  engine.ShipID  `json:"held,omitempty"`  // the ship whose tractor beam holds her
	Beams int            `json:"beams,omitempty"` // tractor beams that she has used in this turn
	// Rigged are the boxes that were mended in battle, by their banks.
	Rigged map[string]int `json:"rigged,omitempty"`
	Beyond map[string]int `json:"beyond,omitempty"` // boxes lost for good, by their banks
	Limit  int            `json:"limit,omitempty"`  // one more than the hexes of this turn after which she is stopped; 0: she is not
	Under  Shot           `json:"under,omitzero"`   // when she went under the cloak that she is under, or came out of it
	Probes int            `json:"probes,omitempty"` // that she has launched
	Away   int            `json:"away,omitempty"`   // shuttles that she has launched
	Data   []Datum        `json:"data,omitempty"`   // what she, or a shuttle, knows of others
	Course hex.Hex        `json:"course,omitzero"`  // of a probe or shuttle: where it goes
	dark.Mission
	Steered bool `json:"steered,omitempty"` // she needs a control box to turn and fire
	// Boarding parties: her own aboard, and those of others; whether hers add 1 to their die.
	Parties  int     `json:"parties,omitempty"`
	Boarders []Force `json:"boarders,omitempty"`
	Fierce   bool    `json:"fierce,omitempty"`
	Beamed   int     `json:"beamed,omitempty"`  // parties that her transporters have sent in this turn
	Charged  int     `json:"charged,omitempty"` // parties more that the energy for them is enough for
	Lowered  [6]bool `json:"lowered,omitzero"`  // shields that she has dropped for them until the turn ends
}

func (d Dealings) clone() Dealings {
	d.Purse, d.Holds, d.Rigged, d.Boarders = maps.Clone(d.Purse), slices.Clone(d.Holds), maps.Clone(d.Rigged), slices.Clone(d.Boarders)
	d.Beyond, d.Data = maps.Clone(d.Beyond), slices.Clone(d.Data)
	return d
}

// beginTurn sets what is for one turn to its beginning, with the energy that is set aside.
func (d *Dealings) beginTurn(purse map[string]int) {
	d.Purse, d.Beams, d.Limit, d.Beamed, d.Charged, d.Lowered = maps.Clone(purse), 0, 0, 0, 0, [6]bool{}
}

// Datum is what is known about a ship, in points.
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

// Grip is a ship that is held by a tractor beam, and towed.
type Grip struct {
	Ship engine.ShipID    `json:"ship"`
	Cost int              `json:"cost"` // of a hex, in 60ths
	Mode []sheet.TurnStep `json:"mode"` // her turn mode
}

// HexCost is what a hex takes of a ship with all that she tows (house 71.8), in 60ths.
func (s *System) HexCost() int {
	cost := s.Sheet.HexCost()
	for _, g := range s.Holds {
		cost += g.Cost
	}
	return cost
}

// StraightAt is how many hexes straight come before a turn at a speed; the worst turn mode of
// what is towed together counts (house 71.8).
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

// Stopped tells whether she moves no more after so many hexes of this turn.
func (s *System) Stopped(moved int) bool { return s.Limit > 0 && moved >= s.Limit-1 }

// Sound is how many boxes of a bank are left that were not mended in battle.
func (s *System) Sound(b *sheet.Bank) int { return max(0, b.Left-s.Rigged[b.Name]) }

// Boost is the energy that overloaded engines give beside their own.
func (s *System) Boost(engines []string) (more int) {
	for _, name := range engines {
		more += s.Sound(&s.Sheet.Banks[s.Sheet.Bank(name)])
	}
	return more
}
