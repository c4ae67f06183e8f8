package templates

import (
	"slices"
	"strconv"

	"starpost/templates/clean"
)

// legendGrid lists the counters of a map: sign, name, hex, heading, range,
// bearing, side, remarks.
type legendGrid struct {
	d    *drawing
	cols []Column
	hex  []string // labels, made once
	list []int    // counters
}

var legendHead = [...]Column{
	{Name: "Map"},
	{Name: "Ship"},
	{Name: "Hex"},
	{Name: "Head"},
	{Name: "Range", Right: true},
	{Name: "Bearing"},
	{Name: "Side"},
	{},
}

func (g *legendGrid) rows() int      { return len(g.list) }
func (g *legendGrid) head() []Column { return g.cols }

func (g *legendGrid) cell(row, col int) string {
	row = g.list[row]
	c := &g.d.m.Counters[row]
	switch col {
	case 0:
		return g.sign(row)
	case 1:
		if c.Name == "" {
			return c.ID
		}
		return c.Name
	case 2:
		return g.hex[row]
	case 3:
		return headingName(c.Heading)
	case 4:
		if c.Range > 0 {
			return strconv.Itoa(c.Range)
		}
	case 5:
		return c.Bearing
	case 6:
		return c.SideName
	case 7:
		return remark(c)
	}
	return ""
}

// sign returns the counter's sign as the map shows it.
func (g *legendGrid) sign(row int) string {
	s := g.d.sign(int32(row))
	if s.b == 0 {
		return oneByte(s.a)
	}
	return string([]byte{s.a, s.b})
}

// oneByte returns a string of one ASCII letter or digit without an allocation.
func oneByte(c byte) string {
	const all = " 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	switch {
	case '0' <= c && c <= '9':
		c = c - '0' + 1
	case 'A' <= c && c <= 'Z':
		c = c - 'A' + 11
	case 'a' <= c && c <= 'z':
		c = c - 'a' + 37
	default:
		c = 0
	}
	return all[c : c+1]
}

// headingName returns the letter of a heading, or "" for none.
func headingName(h int) string {
	if h < 0 || h > 5 {
		return ""
	}
	return "ABCDEF"[h : h+1]
}

// remark returns a brief remark on what the columns of a legend do not show.
func remark(c *Counter) string {
	switch {
	case c.Ghost && c.Age > 0:
		return "age " + strconv.Itoa(c.Age)
	case c.Ghost:
		return "last known"
	case c.Dead:
		return "out"
	case c.Own && c.Cloaked:
		return "own, cloaked"
	case c.Cloaked:
		return "cloaked"
	case c.Own && c.Fixed:
		return "own outpost"
	case c.Fixed:
		return "outpost"
	case c.Own && c.Note == "":
		return "own"
	}
	return c.Note
}

// legend lists the counters and explains the signs that occurred.
func (d *drawing) legend() {
	n := len(d.m.Counters)
	if list := d.m.listed(n); len(list) > 0 {
		d.newline()
		g := &legendGrid{d: d, cols: legendHead[:], hex: make([]string, n), list: list}
		d.hexNames(g.hex)
		table(&d.page, g)
	}
	d.key()
}

// hexNames fills in the labels of all counters, which share one string.
func (d *drawing) hexNames(hex []string) {
	all := make([]byte, 0, 4*len(hex))
	for i := range hex {
		if c := &d.m.Counters[i]; c.Hex == "" {
			all = appendHexName(all, c.Col, c.Row)
		}
	}
	rest := string(all)
	for i := range hex {
		c := &d.m.Counters[i]
		hex[i] = c.Hex
		if c.Hex == "" {
			var few [44]byte
			n := len(appendHexName(few[:0], c.Col, c.Row))
			hex[i], rest = rest[:n], rest[n:]
		}
	}
}

// key explains the signs that occurred.
func (d *drawing) key() {
	at := 0
	add := func(saw bool, s string) {
		switch {
		case !saw:
			return
		case at == 0:
			d.newline()
		case at+2+len(s) < pageWidth:
			d.b = append(d.b, ", "...)
			d.b = append(d.b, s...)
			at += 2 + len(s)
			return
		default:
			d.b = append(d.b, ',', '\n')
		}
		d.spaces(2)
		d.b = append(d.b, s...)
		at = 2 + len(s)
	}
	if at := slices.IndexFunc(d.m.Counters, func(c Counter) bool { return !c.Foe }); d.m.Public && at >= 0 {
		add(d.sawFoe, "small letters: not on the side "+clean.Clip(d.m.Counters[at].SideName, 30))
	} else {
		add(d.sawFoe && !d.m.Public, "small letters: not on your side")
	}
	add(d.sawFar, "overview: sign and heading, = own, ~ out of the fight")
	add(d.sawFar && d.sawGhost, "?2 last known place, two turns ago")
	add(d.sawOwn, "== own ship")
	add(d.sawDead, "~~ out of the fight")
	add(d.sawGhost, "?? last known place, with its age in turns")
	add(d.sawPresence, "_? something unidentified")
	add(d.sawField, "_~ a warp field, no target")
	add(d.sawMany, "+3 three in one hex")
	add(d.sawCrowd, "+ more than fit")
	add(d.sawTrail, "dot and sign: path this turn, .. of several")
	names := [len(terrainSigns)]string{"O planet", "o moon", "* asteroids", "x mine", ": minefield", "# explosion", "? something else"}
	for i, saw := range d.sawTerrain {
		add(saw, names[i])
	}
	if at > 0 {
		d.newline()
	}
	first := true
	for i := range d.m.Terrain {
		t := &d.m.Terrain[i]
		if t.Name == "" {
			continue
		}
		if first && at == 0 {
			d.newline()
		}
		first = false
		var place [44]byte
		d.para("  ", 4, string(appendHexName(place[:0], t.Col, t.Row))+" "+t.Name)
	}
}
