package ship

import (
	"starpost/engine/family"
	"starpost/engine/rules/fasa/tables"
)

// Hull is how a ship takes detailed damage (stcs 15.1).
type Hull struct {
	Chart string `json:"chart"` // A, B, C or outpost
}

// Hull returns the share of a ship that takes damage by a chart, which the caller may change; elsewhere a share without
// a chart whose changes are lost: see [State.Detailed].
func (s *State) Hull() *Hull { return ShareOf[Hull](s) }

// Key implements Share.
func (*Hull) Key() string { return "hull" }

// Clone implements Share.
func (h *Hull) Clone() Share {
	c := *h
	return &c
}

// Detailed reports whether a ship takes detailed damage, so that her weapons can be
// repaired.
func (s *State) Detailed() bool { return s.Has("hull") }

// Engineering returns the engineering functions by their names in orders. An outpost, which
// does not manoeuvre, has no converter (stcs 17.3).
func (s *State) Engineering() []string {
	names := []string{NameConverter, NameWeaponGrid, NameShieldGrid}
	if s.Outpost() {
		return names[1:]
	}
	return names
}

// GridName returns the name in orders of a result of the engineering table.
func GridName(what string) string {
	return map[string]string{tables.GridShields: NameShieldGrid, tables.GridWeapons: NameWeaponGrid, tables.GridMovement: NameConverter}[what]
}

// GridTitle returns an engineering function in words.
func GridTitle(name string) string {
	return map[string]string{
		NameShieldGrid: "the shield power grid", NameWeaponGrid: "the weaponry power grid", NameConverter: "the manoeuvre power converter",
	}[name]
}

// Ruin returns the word for a mount that is out of order: damaged or destroyed.
func (s *State) Ruin(m Mount) string {
	if s.Detailed() && !m.Repaired {
		return "damaged"
	}
	return "destroyed"
}

// Lasting applies the lasting modifiers, casualties and repaired weapons, to a to-hit
// number.
func (s *State) Lasting(b *Bank, number int) int {
	if number == 0 {
		return 0 // no shot
	}
	return number - ShortHanded(s) - b.Patches()
}

// Outpost reports whether this is a defence outpost, not a ship.
func (s *State) Outpost() bool {
	h, detailed := family.Find[*Hull](s.parts)
	return detailed && h.Chart == tables.OutpostChart
}

// Names of systems in repair orders; weapon mounts have their own.
const (
	NameSensors    = "sensors"
	NameShieldGrid = "shield-grid"
	NameWeaponGrid = "weapon-grid"
	NameConverter  = "converter"
)
