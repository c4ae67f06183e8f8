package templates

import (
	"cmp"
	"slices"

	"starpost/templates/clean"
)

// farthest bounds coordinates in drawings: anything beyond is drawn at that distance,
// so that no sum overflows. Labels keep the true figures.
const farthest = 1_000_000

func near(n int) int { return min(max(n, -farthest), farthest) }

// window is a rectangle of hexes; all four limits are inclusive.
type window struct{ c0, r0, c1, r1 int }

func (w window) cols() int { return w.c1 - w.c0 + 1 }
func (w window) rows() int { return w.r1 - w.r0 + 1 }
func (w window) has(c, r int) bool {
	return w.c0 <= c && c <= w.c1 && w.r0 <= r && r <= w.r1
}

func (w window) grown(n int) window {
	return window{w.c0 - n, w.r0 - n, w.c1 + n, w.r1 + n}
}

func (w window) within(o window) window {
	return window{max(w.c0, o.c0), max(w.r0, o.r0), min(w.c1, o.c1), min(w.r1, o.r1)}
}

// extent collects places into the smallest window that holds them.
type extent struct {
	window
	any   bool
	limit *window // places outside do not count
}

func (e *extent) add(col, row int) {
	c, r := near(col), near(row)
	if e.limit != nil && !e.limit.has(c, r) {
		return
	}
	if !e.any {
		e.window, e.any = window{c, r, c, r}, true
		return
	}
	e.c0, e.c1 = min(e.c0, c), max(e.c1, c)
	e.r0, e.r1 = min(e.r0, r), max(e.r1, r)
}

// plan says which part of a map is drawn, and how.
type plan struct {
	near   window // drawn hex by hex
	far    window // the whole battle at a smaller scale; used when small is set
	small  bool
	bounds *window // the field's edges, nil when it has none
}

// Sizes of windows, in hexes.
const (
	leastCols, leastRows = 9, 6 // nothing smaller is drawn unless bounds are
	fieldRows            = 17   // part of a larger field shown around the focus
	insetRows            = 17   // the enlargement under an overview
	defaultRows          = 36   // the highest map drawn hex by hex
	margin               = 2    // hexes around what matters, when there is room
)

// layout decides what is drawn on a page of at most maxCols by maxRows hexes.
func (m *Map) layout(maxCols, maxRows int) plan {
	var p plan
	if m.Bounds != nil {
		p.bounds = &window{1, 1, max(1, near(m.Bounds.Cols)), max(1, near(m.Bounds.Rows))}
		if p.bounds.cols() <= maxCols && p.bounds.rows() <= maxRows {
			p.near = *p.bounds
			return p
		}
	}
	ships, all := m.extents(p.bounds)
	fc, fr := m.focus(p.bounds, all)
	fits := func(w window) bool { return w.cols() <= maxCols && w.rows() <= maxRows }
	for _, e := range [2]extent{all, ships} {
		for gap := margin; gap >= 0 && e.any; gap-- {
			w := p.clip(e.grown(gap))
			if !fits(w) {
				continue
			}
			wantCols, wantRows := leastCols, leastRows
			if p.bounds != nil {
				wantCols, wantRows = maxCols, fieldRows
			}
			p.near.c0, p.near.c1 = p.axis(w.c0, w.c1, min(wantCols, maxCols), fc, false)
			p.near.r0, p.near.r1 = p.axis(w.r0, w.r1, min(wantRows, maxRows), fr, true)
			return p
		}
	}
	e := ships
	if !e.any {
		e = all
	}
	if !e.any { // bounds larger than the page and nothing on them
		e.add(fc, fr)
	}
	p.small = !fits(e.window)
	p.far = p.clip(e.grown(1))
	fight := m.fight(p.bounds, maxCols, min(insetRows, maxRows), window{fc, fr, fc, fr})
	p.near.c0, p.near.c1 = p.axis(fight.c0, fight.c1, maxCols, (fight.c0+fight.c1)/2, false)
	p.near.r0, p.near.r1 = p.axis(fight.r0, fight.r1, min(insetRows, maxRows), (fight.r0+fight.r1)/2, true)
	return p
}

// fight returns the smallest window around the ships where most of both sides are within cols by rows
// hexes, if possible with an own ship and an enemy. If there is no such place it returns otherwise.
func (m *Map) fight(limit *window, cols, rows int, otherwise window) window {
	const most = 64 // ships that are considered
	type place struct {
		c, r     int
		foe, own bool
	}
	var few, band [most]place
	ships := few[:0]
	for i := range m.Counters {
		c := &m.Counters[i]
		if !c.Dead && !c.Ghost && len(ships) < most && (limit == nil || limit.has(near(c.Col), near(c.Row))) {
			ships = append(ships, place{near(c.Col), near(c.Row), c.Foe, c.Own})
		}
	}
	best := 0
	for _, left := range ships {
		among := band[:0] // those in the columns of the window
		for _, c := range ships {
			if left.c <= c.c && c.c < left.c+cols {
				among = append(among, c)
			}
		}
		for _, top := range ships {
			friends, foes, own := 0, 0, 0
			for _, c := range among {
				switch {
				case c.r < top.r || c.r >= top.r+rows:
				case c.foe:
					foes++
				case c.own:
					own = 1
					fallthrough
				default:
					friends++
				}
			}
			score := 4*min(friends, foes) + friends + foes
			if foes > 0 {
				score += 1000 * own
			}
			if foes == 0 || friends == 0 || score <= best {
				continue
			}
			var e extent
			for _, c := range among {
				if top.r <= c.r && c.r < top.r+rows {
					e.add(c.c, c.r)
				}
			}
			best, otherwise = score, e.window
		}
	}
	return otherwise
}

func (p *plan) clip(w window) window {
	if p.bounds == nil {
		return w
	}
	return w.within(*p.bounds)
}

// axis widens lo..hi to at least want around the focus, and keeps it inside
// the bounds.
func (p *plan) axis(lo, hi, want, focus int, rows bool) (from, to int) {
	size := max(hi-lo+1, want)
	least, most := -2*farthest, 2*farthest
	if p.bounds != nil {
		least, most = p.bounds.c0, p.bounds.c1
		if rows {
			least, most = p.bounds.r0, p.bounds.r1
		}
	}
	size = min(size, most-least+1)
	from = focus - size/2
	from = min(from, lo)
	from = max(from, hi-size+1)
	from = max(min(from, most-size+1), least)
	return from, from + size - 1
}

// extents returns the extent of ships with their trails and shots, and the same with
// the terrain.
func (m *Map) extents(limit *window) (ships, all extent) {
	ships.limit = limit
	for i := range m.Counters {
		c := &m.Counters[i]
		ships.add(c.Col, c.Row)
		for _, s := range c.Trail {
			ships.add(s.Col, s.Row)
		}
	}
	for i := range m.Shots {
		s := &m.Shots[i]
		ships.add(s.FromCol, s.FromRow)
		ships.add(s.ToCol, s.ToRow)
	}
	all = ships
	for i := range m.Terrain {
		all.add(m.Terrain[i].Col, m.Terrain[i].Row)
	}
	return ships, all
}

// focus returns the hex to keep in the middle.
func (m *Map) focus(limit *window, all extent) (col, row int) {
	best, at := -1, -1
	for i := range m.Counters {
		c := &m.Counters[i]
		if limit != nil && !limit.has(near(c.Col), near(c.Row)) {
			continue
		}
		rank := 0
		switch {
		case m.Focus != "" && c.ID == m.Focus:
			rank = 3
		case c.Own:
			rank = 2
		case !c.Dead && !c.Ghost:
			rank = 1
		}
		if rank > best {
			best, at = rank, i
		}
	}
	switch {
	case at >= 0:
		return near(m.Counters[at].Col), near(m.Counters[at].Row)
	case all.any:
		return (all.c0 + all.c1) / 2, (all.r0 + all.r1) / 2
	case limit != nil:
		return (limit.c0 + limit.c1) / 2, (limit.r0 + limit.r1) / 2
	}
	return 1, 1
}

// even reports whether a column sits half a hex lower.
func even(col int) bool { return col&1 == 0 }

// stacks returns the indices of the counters ordered by hex; within a hex own ships
// come first, then others, those out of the fight, and last known places.
func (m *Map) stacks() []int32 {
	order := make([]int32, len(m.Counters))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		a, b := &m.Counters[i], &m.Counters[j]
		if d := cmp.Compare(near(a.Col), near(b.Col)); d != 0 {
			return d
		}
		if d := cmp.Compare(near(a.Row), near(b.Row)); d != 0 {
			return d
		}
		if d := cmp.Compare(standing(a), standing(b)); d != 0 {
			return d
		}
		return cmp.Compare(i, j)
	})
	return order
}

func standing(c *Counter) int {
	switch {
	case c.Ghost:
		return 3
	case c.Dead:
		return 2
	case c.Own:
		return 0
	}
	return 1
}

// nextStack splits the counters of the first hex off an ordered list.
func (m *Map) nextStack(order []int32) (stack, rest []int32) {
	first := &m.Counters[order[0]]
	n := 1
	for n < len(order) {
		c := &m.Counters[order[n]]
		if near(c.Col) != near(first.Col) || near(c.Row) != near(first.Row) {
			break
		}
		n++
	}
	return order[:n], order[n:]
}

// sign is how a counter is written on a map: one or two ASCII characters.
type sign struct {
	a, b byte // b is 0 for one character
}

// signs returns the sign of every counter. Counters without a valid Short get a free
// letter of their name, or else any free letter.
func (m *Map) signs() []sign {
	out := make([]sign, len(m.Counters))
	var used [128]bool
	left := 0
	for i := range m.Counters {
		s := m.Counters[i].Short
		if s == "" || len(s) > 2 || !graphic(s[0]) || len(s) == 2 && !graphic(s[1]) {
			left++
			continue
		}
		out[i].a = s[0]
		if len(s) == 2 {
			out[i].b = s[1]
		} else {
			used[upper(s[0])] = true
		}
	}
	spare := 0
	for i := range m.Counters {
		if left == 0 {
			break
		}
		if out[i].a != 0 {
			continue
		}
		left--
		out[i].a = freeLetter(m.Counters[i].Name, &used)
		if out[i].a == 0 {
			// More counters than letters: numbers in base 36 after a letter repeat only
			// after 936 counters, and the legend tells those apart.
			const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			out[i] = sign{'A' + byte(spare/36%26), digits[spare%36]}
			spare++
		}
	}
	return out
}

func freeLetter(name string, used *[128]bool) byte {
	for _, r := range name {
		if c := upper(clean.Fold(r)); 'A' <= c && c <= 'Z' && !used[c] {
			used[c] = true
			return c
		}
	}
	for c := byte('A'); c <= 'Z'; c++ {
		if !used[c] {
			used[c] = true
			return c
		}
	}
	return 0
}

func graphic(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c - 'A' + 'a'
	}
	return c
}
