package fasa

import "fmt"

// shots is for how many shots a mount is armed, 1 for what fires once.
func (b *PowerSet) shots(bank string, mount int) int {
	if shots := b.Shots[bank]; mount < len(shots) {
		return max(1, shots[mount])
	}
	return 1
}

// left is how many shots a mount still has this turn. One that lost power fires
// fewer if it has not one unit for each.
func (m Mount) left() int {
	switch {
	case m.Armed == 0 || m.Fired:
		return 0
	case m.Shots < 2:
		return 1
	}
	return max(0, min(m.Shots-m.Shot, m.Armed-m.Spent))
}

// charge is the power of a mount's next shot, an equal part of what it has left,
// rounded down (stcs 14.2).
func (m Mount) charge() int {
	if n := m.left(); n > 0 {
		return (m.Armed - m.Spent) / n
	}
	return 0
}

// discharge fires a mount. What cannot be divided evenly is lost with the first shot.
func (m *Mount) discharge() {
	if n := m.left(); n > 0 && m.Shots > 1 {
		m.Spent += m.charge() + (m.Armed-m.Spent)%n
		m.Shot++
		m.Fired = m.left() == 0
		return
	}
	m.Fired = true
}

// bearable is the most power that a mount can hold now.
func (b *Bank) bearable(m int) int {
	mt := b.Mounts[m]
	if mt.Shots < 2 {
		return b.most(m)
	}
	return mt.Spent + b.most(m)*mt.left()
}

// shotState is how a mount stands that is armed for several shots.
func (m Mount) shotState() string {
	switch {
	case m.left() == 0:
		return fmt.Sprintf("fired %d in %s", m.Spent, shotCount(m.Shot))
	case m.Shot > 0:
		return fmt.Sprintf("%d of %d shots fired, the next with %d", m.Shot, m.Shots, m.charge())
	}
	return fmt.Sprintf("armed %d for %d shots of %d", m.Armed, m.Shots, m.charge())
}

// shotCount is a number of shots in words.
func shotCount(n int) string {
	if n == 1 {
		return "1 shot"
	}
	return fmt.Sprintf("%d shots", n)
}

// olderWeapons are the topics of the weapons of older ships.
func olderWeapons(b *Bank) []Topic {
	switch {
	case b.Shots > 1:
		return []Topic{Lasers}
	case b.Family == shells:
		return []Topic{AcceleratorCannons}
	}
	return nil
}
