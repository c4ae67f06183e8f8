package cup

// matching is a set of pairs of points 0 to n-1 of a graph, which grows along augmenting paths (Edmonds, "Paths,
// trees, and flowers", 1965): a point with a mate keeps one, though perhaps a different one.
type matching struct {
	edge func(a, b int) bool
	mate []int // -1 for none

	parent, base []int
	reached      []bool
	bloom        []bool
	queue        []int
}

func newMatching(n int) *matching {
	m := &matching{mate: make([]int, n), parent: make([]int, n), base: make([]int, n), reached: make([]bool, n), bloom: make([]bool, n)}
	for i := range m.mate {
		m.mate[i] = -1
	}
	return m
}

func (m *matching) join(a, b int) { m.mate[a], m.mate[b] = b, a }

// perfect reports whether every point has a mate.
func (m *matching) perfect() bool {
	for _, o := range m.mate {
		if o < 0 {
			return false
		}
	}
	return true
}

// grow gives mates to as many points as possible.
func (m *matching) grow() {
	for i := range m.mate {
		if m.mate[i] < 0 {
			m.augment(m.search(i))
		}
	}
}

// augment flips the edges of the path from the root to a free point; -1 is no path.
func (m *matching) augment(end int) {
	for end >= 0 {
		before := m.parent[end]
		next := m.mate[before]
		m.join(end, before)
		end = next
	}
}

// search looks for an alternating path from a root to a point without a mate, and returns its end; -1 if there is none.
// Rings of odd length are contracted to one point.
func (m *matching) search(root int) int {
	for i := range m.mate {
		m.parent[i], m.base[i], m.reached[i] = -1, i, false
	}
	m.reached[root] = true
	m.queue = append(m.queue[:0], root)
	for at := 0; at < len(m.queue); at++ {
		v := m.queue[at]
		for to := range m.mate {
			if m.base[v] == m.base[to] || m.mate[v] == to || to == v || !m.edge(v, to) {
				continue
			}
			switch {
			case to == root || m.mate[to] >= 0 && m.parent[m.mate[to]] >= 0:
				m.contract(v, to)
			case m.parent[to] < 0:
				m.parent[to] = v
				if m.mate[to] < 0 {
					return to
				}
				m.reached[m.mate[to]] = true
				m.queue = append(m.queue, m.mate[to])
			}
		}
	}
	return -1
}

// contract contracts the ring that an edge closes to one point.
func (m *matching) contract(v, to int) {
	top := m.meet(v, to)
	clear(m.bloom)
	m.mark(v, top, to)
	m.mark(to, top, v)
	for i := range m.mate {
		if m.bloom[m.base[i]] {
			m.base[i] = top
			if !m.reached[i] {
				m.reached[i] = true
				m.queue = append(m.queue, i)
			}
		}
	}
}

// meet returns the point where the paths of two points to the root meet.
func (m *matching) meet(a, b int) int {
	seen := map[int]bool{}
	for {
		a = m.base[a]
		seen[a] = true
		if m.mate[a] < 0 {
			break // the root
		}
		a = m.parent[m.mate[a]]
	}
	for {
		if b = m.base[b]; seen[b] {
			return b
		}
		b = m.parent[m.mate[b]]
	}
}

// mark marks the points of a ring from v up to its top.
func (m *matching) mark(v, top, child int) {
	for m.base[v] != top {
		m.bloom[m.base[v]], m.bloom[m.base[m.mate[v]]] = true, true
		m.parent[v] = child
		child = m.mate[v]
		v = m.parent[m.mate[v]]
	}
}
