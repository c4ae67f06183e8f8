package blind

import "strings"

// Level is how much sensors show of something.
type Level int

// The levels. A warp field and a presence show only a place, and only a presence can be aimed at (F13).
const (
	Nothing  Level = iota
	Field          // a warp field
	Presence       // something is there
	Rough          // its size, speed step and heading
	Full           // who it is, and what is left of it
)

// The words for levels in files and reports.
const (
	WordField    = "field"
	WordPresence = "presence"
	WordRough    = "rough"
	WordFull     = "full"
)

// String returns the level's word.
func (l Level) String() string {
	switch l {
	case Nothing:
	case Field:
		return WordField
	case Presence:
		return WordPresence
	case Rough:
		return WordRough
	case Full:
		return WordFull
	}
	return "nothing"
}

// Number returns the level as orders count it: 0 also for a warp field, which cannot be aimed at.
func (l Level) Number() int { return max(0, int(l-Field)) }

// base returns how many hexes plain sensors reach at each level (house 9.71, 9.75).
func base(l Level) int {
	switch l {
	case Field:
		return 30
	case Presence:
		return 20
	case Rough:
		return 10
	case Full:
		return SmallCraft
	case Nothing:
	}
	return 0
}

// SmallCraft is the range within which shuttles, drones and the like are seen, always at the full level. Nothing
// extends it (house 9.72, F3).
const SmallCraft = 2

// Suite is the sensors of a ship.
type Suite struct {
	Uprated bool `json:"uprated,omitempty"` // half as far again (house 9.74)
	Boxes   int  `json:"boxes,omitempty"`   // lit labs and special sensors, a tenth each (house 9.81, 12.3)
	Damaged bool `json:"-"`                 // half as far (F5)
	Probe   bool `json:"-"`                 // of a probe or shuttle: shows size and heading at once, but no fields (F20)
}

// Reach returns how many hexes a suite reaches at a level. Large bodies are seen at twice the range (house 9.73).
// Percentages are added, and the result is rounded down once (F2).
func (s Suite) Reach(l Level, large bool) int {
	if s.Probe {
		switch l {
		case Presence:
			return base(Rough)
		case Field:
			return 0
		case Nothing, Rough, Full:
		}
		return base(l)
	}
	percent, whole := 100+10*s.Boxes, 100
	if s.Uprated {
		percent += 50
	}
	if large {
		percent *= 2
	}
	if s.Damaged {
		whole *= 2
	}
	return base(l) * percent / whole
}

// Signature is how something looks from outside.
type Signature struct {
	Large bool // a starbase, a moon
	Small bool // a shuttle, a drone
	Field bool // it has a warp field
	Cold  bool // it moves without a warp drive (house 21.31)
}

// speedStep is the step in which speed shows at a distance: threes (F7).
const speedStep = 3

// SpeedStep returns a speed as it shows before the ship is identified.
func SpeedStep(speed int) int { return (speed + speedStep - 1) / speedStep * speedStep }

// Detect returns what a suite shows of something at a distance. Each hex of asteroids in between counts as one hex
// more (F6).
func (s Suite) Detect(distance, rocks int, of Signature) Level {
	at := distance + rocks
	if of.Small {
		if at <= SmallCraft {
			return Full
		}
		return Nothing
	}
	for l := Full; l > Field; l-- {
		if at <= s.Reach(l, of.Large) {
			return l
		}
	}
	if of.Field && at <= s.Reach(Field, of.Large) {
		return Field
	}
	return Nothing
}

// ParseLevel parses a level's word or number; a field is F.
func ParseLevel(word string) (Level, bool) {
	switch strings.ToLower(word) {
	case "f", WordField:
		return Field, true
	case "1", WordPresence:
		return Presence, true
	case "2", WordRough:
		return Rough, true
	case "3", WordFull:
		return Full, true
	}
	return Nothing, false
}
