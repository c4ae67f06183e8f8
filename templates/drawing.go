package templates

// drawing is an ASCII map while it is drawn.
type drawing struct {
	page
	m     *Map
	order []int32 // counters by hex
	signs []sign  // by counter
	// What occurred, for the key.
	sawTrail, sawMany, sawOwn, sawDead, sawGhost, sawCrowd, sawFoe, sawFar, sawPresence, sawField bool
	sawTerrain                                                                                    [len(terrainSigns)]bool
}

// terrainSigns are the signs of Planet, Moon, Asteroid, Mine, Minefield, Explosion
// and others.
const (
	terrainSigns = "Oo*x:#?"
	fieldSign    = ':'
)

func terrainIndex(kind string) int {
	switch kind {
	case Planet:
		return 0
	case Moon:
		return 1
	case Asteroid:
		return 2
	case Mine:
		return 3
	case Minefield:
		return 4
	case Explosion:
		return 5
	}
	return 6
}

// digits returns the length of n in print.
func digits(n int) int {
	k := 1
	if n < 0 {
		k, n = 2, -n
	}
	for n >= 10 {
		n /= 10
		k++
	}
	return k
}

// mark returns the character after a sign: the heading, the age of a last known place,
// or Sensed; 0 for none.
func (d *drawing) mark(c *Counter) byte {
	switch {
	case c.Ghost && 0 <= c.Age && c.Age <= 9:
		d.sawGhost = true
		return byte('0' + c.Age)
	case c.Ghost:
		d.sawGhost = true
		return '+'
	case 0 <= c.Heading && c.Heading <= 5:
		return byte('A' + c.Heading)
	}
	d.sawPresence = d.sawPresence || c.Sensed == '?'
	d.sawField = d.sawField || c.Sensed == '~'
	return c.Sensed
}

// sign returns the sign of a counter, in lower case for foes.
func (d *drawing) sign(i int32) sign {
	s := d.signs[i]
	if d.m.Counters[i].Foe {
		d.sawFoe = true
		return sign{lower(s.a), lower(s.b)}
	}
	return sign{upper(s.a), upper(s.b)}
}

// putCoord writes the number of a row at the right end of cells, cut at its left if there is no room.
func putCoord(cells []byte, n int) {
	var few [24]byte
	text := appendCoord(few[:0], n)
	text = text[max(len(text)-len(cells), 0):]
	copy(cells[len(cells)-len(text):], text)
}

// leastSkip is the shortest run of empty rows that is worth leaving out.
const leastSkip = 4
