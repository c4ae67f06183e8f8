package ship

import (
	"slices"
	"strconv"

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
	Shots  int                 `json:"shots,omitempty"`  // most shots a turn, of what fires more than once (stcs 14.2)
	Bands  []tables.Band       `json:"bands,omitempty"`
	Plasma []tables.PlasmaBand `json:"plasma,omitempty"` // plasma launchers: damage by range
	Arcs   []string            `json:"arcs"`
	Mounts []Mount             `json:"mounts"`
}

// MountName is how orders and reports name one mount.
func MountName(b *Bank, i int) string {
	if len(b.Mounts) == 1 {
		return b.ID
	}
	return b.ID + "-" + strconv.Itoa(i+1)
}

// BonusAt is the damage modifier of a bank's weapon at a range.
func (b *Bank) BonusAt(rng int) int {
	for _, band := range b.Bands {
		if rng >= band.From && rng <= band.To {
			return band.Bonus
		}
	}
	return 0
}

// Punch is what a hit of a bank's weapon does at a range, at its best.
func (b *Bank) Punch(rng int) int {
	if b.Kind == tables.Plasma {
		full, _ := Bolt(b, rng)
		return full
	}
	return max(b.Max, b.Damage) + b.BonusAt(rng)
}

// Bolt is the damage of a plasma bolt at a range, full and grazing; none beyond the
// bank's reach.
func Bolt(b *Bank, rng int) (full, graze int) { return tables.WeaponType{Plasma: b.Plasma}.Bolt(rng) }

// Bears reports whether a bank can fire from a place into a hex (rulings D5,
// D7), and which of its arcs holds it. A ship cannot fire into its own hex.
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

// AllDestroyed tells whether none of a bank's mounts works.
func AllDestroyed(b *Bank) bool {
	for _, m := range b.Mounts {
		if !m.Destroyed {
			return false
		}
	}
	return true
}

// cloneBanks copies banks; their mounts lie in one row.
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
