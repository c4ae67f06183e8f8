package cup

import (
	"cmp"
	"slices"
)

// history is the information about earlier rounds that pairing needs, by number.
type history struct {
	met   map[[2]int]bool
	sides []int // games with the first side minus games with the second
	last  []int // 1: the first side in the last game, -1: the second
	byes  []int
}

func (c pairer) history() history {
	n := len(c.Entrants) + 1
	h := history{met: map[[2]int]bool{}, sides: make([]int, n), last: make([]int, n), byes: make([]int, n)}
	for i := range c.Matches {
		m := &c.Matches[i]
		if m.Second == 0 {
			h.byes[m.First]++
			continue
		}
		h.met[[2]int{min(m.First, m.Second), max(m.First, m.Second)}] = true
		if c.legs(m) == 1 {
			h.sides[m.First]++
			h.sides[m.Second]--
			h.last[m.First], h.last[m.Second] = 1, -1
		}
	}
	return h
}

// hasMet reports whether two entrants have met.
func (h *history) hasMet(a, b int) bool { return h.met[[2]int{min(a, b), max(a, b)}] }

// alike reports whether both have had the same side once more than the other, so that they cannot both get the other
// side now.
func (h *history) alike(a, b int) bool { return h.sides[a]*h.sides[b] > 0 }

// sided orders a pair. The first side goes to the player who has had it less often, or else less recently.
func (h *history) sided(round, table, a, b int) Match {
	first := cmp.Or(cmp.Compare(h.sides[b], h.sides[a]), cmp.Compare(h.last[b], h.last[a]))
	if first < 0 || first == 0 && table%2 == 1 { // the better one gets it in every second pair
		a, b = b, a
	}
	return Match{Round: round, First: a, Second: b, Both: h.alike(a, b)}
}

// swiss pairs entrants with similar points. The bye goes to the last in the standings who can have it.
func (c pairer) swiss(active []int) ([]Match, error) {
	h, got := c.history(), c.points()
	order := c.seeded(active)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(got[b], got[a]) })
	round := c.Paired + 1
	if len(order)%2 == 0 {
		if pairs := h.pair(order, got); pairs != nil {
			return h.round(round, pairs), nil
		}
		return nil, errExhausted
	}
	for i, last := range slices.Backward(order) {
		if h.byes[last] > 0 {
			continue
		}
		if pairs := h.pair(slices.Concat(order[:i], order[i+1:]), got); pairs != nil {
			return append(h.round(round, pairs), Match{Round: round, First: last}), nil
		}
	}
	return nil, errExhausted
}

func (h *history) round(n int, pairs [][2]int) (out []Match) {
	for table, p := range pairs {
		out = append(out, h.sided(n, table, p[0], p[1]))
	}
	return out
}

// pair pairs everyone in an order of the standings; nil if not everyone can have an opponent. It first pairs as many as
// possible with equal points, the upper half of a group with the lower half; for the rest it allows a growing
// difference, so that the largest is as small as possible. Two with the same side once more than the other are paired
// as a last resort.
func (h *history) pair(order []int, got []points) [][2]int {
	var gaps []points
	for _, a := range distinct(order, got) {
		for _, b := range distinct(order, got) {
			gaps = append(gaps, max(0, a-b))
		}
	}
	slices.Sort(gaps)
	gaps = slices.Compact(gaps)
	m := newMatching(len(order))
	for _, both := range []bool{false, true} {
		for _, most := range gaps {
			m.edge = func(i, k int) bool {
				a, b := order[i], order[k]
				return max(got[a]-got[b], got[b]-got[a]) <= most && (both || !h.alike(a, b)) && !h.hasMet(a, b)
			}
			m.fold(order, got)
			if m.grow(); m.perfect() {
				return m.pairs(order)
			}
		}
	}
	return nil
}

// pairs returns the pairs of a matching, from the top of an order.
func (m *matching) pairs(order []int) [][2]int {
	out := [][2]int{}
	for i, k := range m.mate {
		if i < k {
			out = append(out, [2]int{order[i], order[k]})
		}
	}
	return out
}

// distinct returns the different points, sorted.
func distinct(order []int, got []points) (out []points) {
	for _, n := range order {
		out = append(out, got[n])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// fold pairs, from the top, each unpaired player with the best unpaired opponent: within a group of equal points
// the player half a group below, otherwise the next one.
func (m *matching) fold(order []int, got []points) {
	for i := range order {
		if m.mate[i] >= 0 {
			continue
		}
		from, to := i, i
		for from > 0 && got[order[from-1]] == got[order[i]] {
			from--
		}
		for to < len(order) && got[order[to]] == got[order[i]] {
			to++
		}
		best, cost := -1, 0
		for k := i + 1; k < len(order); k++ {
			if m.mate[k] >= 0 || !m.edge(i, k) {
				continue
			}
			far := k - i
			if k < to {
				far = max(k-i-(to-from)/2, i+(to-from)/2-k)
			}
			if best < 0 || far < cost {
				best, cost = k, far
			}
		}
		if best >= 0 {
			m.join(i, best)
		}
	}
}
