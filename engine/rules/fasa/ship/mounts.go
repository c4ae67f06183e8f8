package ship

// ShotsOf is for how many shots a mount is armed, 1 for what fires once.
func (b *PowerSet) ShotsOf(bank string, mount int) int {
	if shots := b.Shots[bank]; mount < len(shots) {
		return max(1, shots[mount])
	}
	return 1
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

// Discharge fires a mount. What cannot be divided evenly is lost with the first shot.
func (m *Mount) Discharge() {
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

// AllDestroyed tells whether none of a bank's mounts works.
func AllDestroyed(b *Bank) bool {
	for _, m := range b.Mounts {
		if !m.Destroyed {
			return false
		}
	}
	return true
}
