package fasa

import "starpost/engine/rules/fasa/tables"

// Hull is how a ship takes damage where it is detailed (stcs 15.1).
type Hull struct {
	Chart string `json:"chart"` // A, B, C or outpost
}

// Hull is a ship's.
func (s *System) Hull() *Hull { return shareOf[Hull](s) }

func (*Hull) key() string { return "hull" }

func (h *Hull) clone() Share {
	c := *h
	return &c
}

// detailed tells whether a ship takes damage in detail, so that her weapons can be
// repaired.
func (s *System) detailed() bool { return s.Has("hull") }

// onlyWarp is the name of the warp engine of a ship that has just one.
func (s *System) onlyWarp() (name string, only bool) {
	for _, e := range s.Engines() {
		if e.Warp {
			only, name = name == "", e.Name
		}
	}
	return name, only
}

// engineering is the engineering functions by their names in orders. An outpost, which
// does not manoeuvre, has no converter (stcs 17.3).
func (s *System) engineering() []string {
	names := []string{sysConverter, sysWeaponGrid, sysShieldGrid}
	if s.outpost() {
		return names[1:]
	}
	return names
}

// gridName is the name in orders of what the engineering table puts out of order.
func gridName(what string) string {
	return map[string]string{tables.GridShields: sysShieldGrid, tables.GridWeapons: sysWeaponGrid, tables.GridMovement: sysConverter}[what]
}

func gridTitle(name string) string {
	return map[string]string{
		sysShieldGrid: "the shield power grid", sysWeaponGrid: "the weaponry power grid", sysConverter: "the manoeuvre power converter",
	}[name]
}

// most is the most power that a mount takes: half, rounded down, once it was
// damaged (stcs 16.4, ruling D44).
func (b *Bank) most(m int) int {
	if mt := b.Mounts[m]; mt.Repaired || mt.Destroyed {
		return b.Max / 2
	}
	return b.Max
}

// ruin says what a mount is that is out of order.
func (s *System) ruin(m Mount) string {
	if s.detailed() && !m.Repaired {
		return "damaged"
	}
	return "destroyed"
}

// patches are the repaired weapons of a bank.
func (b *Bank) patches() int {
	n := 0
	for _, m := range b.Mounts {
		if m.Repaired && !m.Destroyed {
			n++
		}
	}
	return n
}

// lasting is a to-hit number with what lasts of its changes: casualties and repaired
// weapons.
func (s *System) lasting(b *Bank, number int) int {
	if number == 0 {
		return 0 // no shot
	}
	return number - shortHanded(s) - b.patches()
}

// pinned is the power that goes to movement whatever the captain wants, while the
// converter is out.
func (s *System) pinned() (power int, pinned bool) {
	return min(s.Alloc.Movement, s.Power), s.gridDown(sysConverter) && s.Alloc.Available > 0
}

// pin keeps a use of power to what it must be.
func (s *System) pin(set settings) settings {
	if power, pinned := s.pinned(); pinned {
		set.points = s.Design.Move.Points(power)
	}
	return set
}

// outpost tells whether this is a defence outpost and no ship.
func (s *System) outpost() bool {
	h, detailed := find[*Hull](s.parts)
	return detailed && h.Chart == tables.OutpostChart
}
