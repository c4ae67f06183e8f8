package templates

import (
	"cmp"
	"strconv"
)

// Map is what is drawn of the field. The zero Map draws nothing.
type Map struct {
	Bounds   *Bounds // nil when the field has no edge
	Counters []Counter
	Terrain  []Mark
	Shots    []Shot
	// Focus is the ID of the counter to centre when the field is
	// larger than the page; empty: the first own counter.
	Focus string
	// Rows limits the height of the ASCII map in hexes; 0 is the default.
	Rows int
	// Caption is a line above the map, such as "Forecast, without interference".
	Caption string
	// Public is set when the reader has no counter and no side.
	Public bool
	// Step is the unit that numbers on paths and shots count; empty: the phase.
	Step string
}

// step returns the unit that numbers on paths and shots count.
func (m *Map) step() string { return cmp.Or(m.Step, "phase") }

// Empty reports whether there is nothing to draw.
func (m Map) Empty() bool {
	return m.Bounds == nil && len(m.Counters) == 0 && len(m.Terrain) == 0 && len(m.Shots) == 0
}

// Bounds is the size of a field with edges; hexes run from 0101.
type Bounds struct{ Cols, Rows int }

// Counter is a ship, an outpost, or the last known place of one.
type Counter struct {
	ID       string // as orders name it
	Name     string
	Short    string // one or two characters for the map, unique; empty: made from Name
	Side     int    // 0.., in the order of the game; chooses the tone; or NoSide
	SideName string
	Col, Row int
	Heading  int    // 0..5 clockwise from up, A..F; others draw no heading
	Own      bool   // the viewer's own ship: centred, shields and arcs drawn
	Foe      bool   // not of the viewer's side: its sign is in lower case
	Dead     bool   // out of the fight, drifting or destroyed
	Fixed    bool   // it never moves: drawn as a station, though it may have a heading
	Cloaked  bool   // it is there, but hidden from others
	Small    bool   // small craft: drawn smaller
	Note     string // a remark for lists and descriptions; lists may show another instead
	Listed   bool   // listed in a panel beside the map, so the lists of the map omit it
	Ghost    bool   // last known place only
	Age      int    // turns (or phases) since a ghost was seen
	Range    int    // from the own ship, in hexes; 0 prints none
	Sensed   byte   // the sign in place of an unknown heading; 0 for none
	Bearing  string // from the own ship, such as "2 ahead" or "fwd/port"
	Hex      string // label; empty: made from Col and Row
	Shields  []Shield
	Arcs     []WeaponArc
	Trail    []Step // places of this turn, oldest first, the start included
}

// listed returns the indices of the counters for the lists of the map, at most most.
func (m *Map) listed(most int) []int {
	list := make([]int, 0, min(len(m.Counters), most))
	for i := range m.Counters {
		if !m.Counters[i].Listed && len(list) < most {
			list = append(list, i)
		}
	}
	return list
}

// station reports whether a counter is drawn as a station instead of a ship.
func (c *Counter) station() bool { return c.Fixed || c.Heading < 0 || c.Heading > 5 }

// Shield is one facing. Side is the hex side it covers, 0..5 clockwise from
// the bow; Number is what the rule set calls it.
type Shield struct {
	Number, Side int
	Now, Max     int
	Down         bool // generator gone or not powered
}

// WeaponArc is where a weapon bears: From..To degrees clockwise from the bow
// (From may be negative or larger than To: 300..60 runs through the bow),
// Reach in hexes.
type WeaponArc struct {
	Name     string
	From, To int
	Reach    int
}

// Step is a place on a trail.
type Step struct{ Phase, Col, Row, Heading int }

// Shot is one line of fire.
type Shot struct {
	FromCol, FromRow, ToCol, ToRow int
	Phase                          int
	Hit                            bool
	Label                          string
	Roll                           int // the die roll; 0: unknown, or none
}

// The kinds of Mark with drawings of their own; others are drawn as '?'.
const (
	Planet    = "planet"
	Moon      = "moon"
	Asteroid  = "asteroid"
	Mine      = "mine"
	Minefield = "minefield" // a hex in which mines may lie; whatever else is there is drawn instead
	Explosion = "explosion"
)

// Mark is something on the field that is not a ship.
type Mark struct {
	Kind     string
	Col, Row int
	Name     string // for the legend; may be empty
	Joined   bool   // part of the same body as the mark before it
}

// body returns the number of marks in the body that begins with the i-th.
func (m *Map) body(i int) int {
	n := 1
	for i+n < len(m.Terrain) && m.Terrain[i+n].Joined {
		n++
	}
	return n
}

// HexName returns the label of a hex: CCRR, both from 01, or "col.row" if either does
// not fit two digits, with numbers written as in the margins of maps.
func HexName(col, row int) string {
	var b [44]byte
	return string(appendHexName(b[:0], col, row))
}

func appendHexName(b []byte, col, row int) []byte {
	if col < 1 || col > 99 || row < 1 || row > 99 {
		return appendCoord(append(appendCoord(b, col), '.'), row)
	}
	return append(b, byte('0'+col/10), byte('0'+col%10), byte('0'+row/10), byte('0'+row%10))
}

// appendCoord appends the number of a column or row, with a leading zero for 1 to 9.
func appendCoord(b []byte, n int) []byte {
	if 1 <= n && n <= 9 {
		b = append(b, '0')
	}
	return strconv.AppendInt(b, int64(n), 10)
}
