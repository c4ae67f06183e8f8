package ship

import (
	"strings"

	"starpost/engine/rules/fasa/tables"
)

// Mount is one weapon of a bank. Armed is the power in it, 0 for unarmed.
type Mount struct {
	Armed     int  `json:"armed,omitempty"`
	Fired     bool `json:"fired,omitempty"`
	Destroyed bool `json:"destroyed,omitempty"` // out of order, for good unless it can be repaired
	Repaired  bool `json:"repaired,omitempty"`  // was out of order before; the next hit is final (stcs 16.1)
	Shots     int  `json:"shots,omitempty"`     // shots that it is armed for, if several (stcs 14.2); Fired after the last
	Shot      int  `json:"shot,omitempty"`      // of them fired
	Spent     int  `json:"spent,omitempty"`     // power gone with them
}

// ShotsOf is for how many shots a mount is armed, 1 for what fires once.
func (b *PowerSet) ShotsOf(bank string, mount int) int {
	if shots := b.Shots[bank]; mount < len(shots) {
		return max(1, shots[mount])
	}
	return 1
}

// ArmFor notes for how many shots a mount is armed.
func (b *PowerSet) ArmFor(bank *Bank, mount, shots int) {
	if b.Shots == nil {
		b.Shots = map[string][]int{}
	}
	if b.Shots[bank.ID] == nil {
		b.Shots[bank.ID] = make([]int, len(bank.Mounts))
	}
	b.Shots[bank.ID][mount] = shots
}

// Left is how many shots a mount still has this turn. One that lost power fires
// fewer if it has not one unit for each.
func (m Mount) Left() int {
	switch {
	case m.Armed == 0 || m.Fired:
		return 0
	case m.Shots < 2:
		return 1
	}
	return max(0, min(m.Shots-m.Shot, m.Armed-m.Spent))
}

// Charge is the power of a mount's next shot, an equal part of what it has left,
// rounded down (stcs 14.2).
func (m Mount) Charge() int {
	if n := m.Left(); n > 0 {
		return (m.Armed - m.Spent) / n
	}
	return 0
}

// discharge fires a mount. What cannot be divided evenly is lost with the first shot.
func (m *Mount) discharge() {
	if n := m.Left(); n > 0 && m.Shots > 1 {
		m.Spent += m.Charge() + (m.Armed-m.Spent)%n
		m.Shot++
		m.Fired = m.Left() == 0
		return
	}
	m.Fired = true
}

// Bearable is the most power that a mount can hold now.
func (b *Bank) Bearable(m int) int {
	mt := b.Mounts[m]
	if mt.Shots < 2 {
		return b.Most(m)
	}
	return mt.Spent + b.Most(m)*mt.Left()
}

// GroupWords are the words for groups of weapons.
func GroupWords() []string { return []string{"all", "beams", "missiles"} }

// GroupWord tells whether a word means a group of weapons, and of which kind.
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
