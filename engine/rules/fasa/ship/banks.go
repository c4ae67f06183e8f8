package ship

import (
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/tables"
)

// Bank is a group of mounts of one weapon that share a fire control.
type Bank struct {
	ID     string              `json:"id"`
	Type   string              `json:"type"`
	Kind   string              `json:"kind"`
	Family string              `json:"family"`
	Chart  string              `json:"chart"`
	Max    int                 `json:"max,omitempty"`    // beams: most power in a shot
	Arm    int                 `json:"arm,omitempty"`    // missiles: power to arm
	Damage int                 `json:"damage,omitempty"` // missiles: damage of a hit
	Shots  int                 `json:"shots,omitempty"`  // most shots a turn, of a weapon that fires more than once (stcs 14.2)
	Bands  []tables.Band       `json:"bands,omitempty"`
	Plasma []tables.PlasmaBand `json:"plasma,omitempty"` // plasma launchers: damage by range
	Arcs   []string            `json:"arcs"`
	Mounts []Mount             `json:"mounts"`
}

// MountName returns the name of one mount in orders and reports.
func MountName(b *Bank, i int) string {
	if len(b.Mounts) == 1 {
		return b.ID
	}
	return b.ID + "-" + strconv.Itoa(i+1)
}

// AnyPower reports whether each mount of a bank takes any power up to a maximum; mounts of other banks take a fixed
// power or none.
func (b *Bank) AnyPower() bool { return b.Arm == 0 }

// Group returns the group of weapons that a bank belongs to in orders, damage and repairs:
// weapons that take any power are beams, all others missiles.
func (b *Bank) Group() string {
	if b.AnyPower() {
		return tables.Beam
	}
	return tables.Missile
}

// BonusAt returns the damage modifier of a bank's weapon at a range.
func (b *Bank) BonusAt(rng int) int {
	for _, band := range b.Bands {
		if rng >= band.From && rng <= band.To {
			return band.Bonus
		}
	}
	return 0
}

// Punch returns the most that a hit of a bank's weapon does at a range.
func (b *Bank) Punch(rng int) int {
	if len(b.Plasma) > 0 {
		full, _ := Bolt(b, rng)
		return full
	}
	return max(b.Max, b.Damage) + b.BonusAt(rng)
}

// Bolt returns the damage of a plasma bolt at a range, full and grazing; 0 beyond the bank's
// reach.
func Bolt(b *Bank, rng int) (full, graze int) { return tables.WeaponType{Plasma: b.Plasma}.Bolt(rng) }

// Bears reports whether a bank can fire from a place into a hex (rulings D5, D7), and
// returns the arc in which the hex lies. A ship cannot fire into its own hex.
func (b *Bank) Bears(lib *tables.Library, from engine.Place, at hex.Hex) (string, bool) {
	p, ok := hex.Bearing(from.Hex, at)
	if !ok {
		return "", false
	}
	rel := p.Relative(from.Heading)
	for _, name := range b.Arcs {
		for _, a := range lib.Arcs[name] {
			if a.Contains(rel) {
				return name, true
			}
		}
	}
	return "", false
}

// AllDestroyed reports whether none of a bank's mounts works.
func AllDestroyed(b *Bank) bool {
	return !slices.ContainsFunc(b.Mounts, func(m Mount) bool { return !m.Destroyed })
}

// cloneBanks copies banks; their mounts share one array.
func cloneBanks(banks []Bank) []Bank {
	n := 0
	for i := range banks {
		n += len(banks[i].Mounts)
	}
	mounts, out := make([]Mount, 0, n), slices.Clone(banks)
	for i := range out {
		b := &out[i]
		mounts = append(mounts, b.Mounts...)
		b.Mounts = slices.Clip(mounts[len(mounts)-len(b.Mounts):])
	}
	return out
}

// Mount is one weapon of a bank. Armed is the power in it, 0 for unarmed.
type Mount struct {
	Armed     int  `json:"armed,omitempty"`
	Fired     bool `json:"fired,omitempty"`
	Destroyed bool `json:"destroyed,omitempty"` // out of order, for good unless it can be repaired
	Repaired  bool `json:"repaired,omitempty"`  // it was out of order before; the next hit is final (stcs 16.1)
	Shots     int  `json:"shots,omitempty"`     // shots that it is armed for, if several (stcs 14.2); Fired is set after the last
	Shot      int  `json:"shot,omitempty"`      // shots already fired
	Spent     int  `json:"spent,omitempty"`     // power used by those shots
}

// Left returns how many shots a mount still has this turn. A mount that lost power fires
// fewer shots if it has less than one unit for each.
func (m Mount) Left() int {
	switch {
	case m.Armed == 0 || m.Fired:
		return 0
	case m.Shots < 2:
		return 1
	}
	return max(0, min(m.Shots-m.Shot, m.Armed-m.Spent))
}

// Charge returns the power of a mount's next shot, an equal part of what it has left,
// rounded down (stcs 14.2).
func (m Mount) Charge() int {
	if n := m.Left(); n > 0 {
		return (m.Armed - m.Spent) / n
	}
	return 0
}

// discharge fires a mount. Power that cannot be divided evenly is lost with the first shot.
func (m *Mount) discharge() {
	if n := m.Left(); n > 0 && m.Shots > 1 {
		m.Spent += m.Charge() + (m.Armed-m.Spent)%n
		m.Shot++
		m.Fired = m.Left() == 0
		return
	}
	m.Fired = true
}

// Most returns the most power that a mount takes in a shot: half, rounded down, once it was
// damaged (stcs 16.4, ruling D44).
func (b *Bank) Most(m int) int {
	if mt := b.Mounts[m]; mt.Repaired || mt.Destroyed {
		return b.Max / 2
	}
	return b.Max
}

// Bearable returns the most power that a mount can hold now.
func (b *Bank) Bearable(m int) int {
	mt := b.Mounts[m]
	if mt.Shots < 2 {
		return b.Most(m)
	}
	return mt.Spent + b.Most(m)*mt.Left()
}

// Patches returns the number of repaired weapons in a bank.
func (b *Bank) Patches() int {
	n := 0
	for _, m := range b.Mounts {
		if m.Repaired && !m.Destroyed {
			n++
		}
	}
	return n
}

// GroupWords returns the words for groups of weapons.
func GroupWords() []string { return []string{"all", "beams", "missiles"} }

// GroupWord reports whether a word means a group of weapons, and of which kind; "" for all.
func GroupWord(w string) (kind string, group bool) {
	switch strings.ToLower(w) {
	case "all":
		return "", true
	case "beams":
		return tables.Beam, true
	case "missiles":
		return tables.Missile, true
	}
	return "", false
}

// Modifier is one change of a to-hit number.
type Modifier struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
}
