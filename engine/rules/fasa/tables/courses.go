package tables

import "strings"

// Detection is a row of the cloak detection table: the highest die that finds a
// ship at ranges From to To, by whether it stands or moves and whether the
// scanner had a lock on it (stcs 10.6).
type Detection struct {
	From       int `json:"from"`
	To         int `json:"to"`
	Still      int `json:"still"`
	StillLock  int `json:"still_lock"`
	Moving     int `json:"moving"`
	MovingLock int `json:"moving_lock"`
}

// rate is a per cent of the crew for each point of superstructure, of ships with
// a full superstructure of From and more (stcs 15.13).
type rate struct {
	From    int `json:"from"`
	PerCent int `json:"per_cent"`
}

// Hit is a cell of a detailed damage chart (stcs 15.1). Location is what it says,
// "warp engine and superstructure" for one that is split between the two.
type Hit struct {
	Location   string `json:"location"`
	Side       string `json:"side,omitempty"`       // of warp engines: port, starboard, or blank for a die
	Half       bool   `json:"half,omitempty"`       // the damage is halved, rounded down
	Casualties int    `json:"casualties,omitempty"` // times the casualties of the superstructure points: 0, 1 or 2
}

// DamageChart is a detailed damage chart, by number of the shield and die 1 to 10;
// what is numbered 0 is empty.
type DamageChart [7][11]Hit

// defaults is what a design has where its print does not say. Crew is for each point
// of superstructure.
type defaults struct {
	Stress, DamageChart     string
	Cruise, Emergency, Crew int
}

// complete gives a design what its print does not say, and notes it. An outpost has
// no warp speeds and no stress.
func (u defaults) complete(d *Design) {
	assume := func(missing bool, name string, set func()) {
		if missing {
			set()
			d.Assumed = append(d.Assumed, name)
		}
	}
	assume(d.Crew == 0, "crew", func() { d.Crew = u.Crew * d.Superstructure })
	if d.Outpost {
		d.DamageChart = OutpostChart
		return
	}
	assume(d.Stress == "", "stress", func() { d.Stress = u.Stress })
	assume(d.DamageChart == "", "damage_chart", func() { d.DamageChart = u.DamageChart })
	assume(d.Emergency == 0, "emergency", func() { d.Emergency = u.Emergency })
	assume(d.Cruise == 0, "cruise", func() { d.Cruise = min(u.Cruise, d.Emergency) })
}

// Charts are the letters of a design's stress charts, for the warp engines and for
// the superstructure (stcs 13.2); a single letter is both.
func (d Design) Charts() (engines, superstructure string) {
	engines, superstructure, ok := strings.Cut(d.Stress, "/")
	if !ok {
		superstructure = engines
	}
	return engines, superstructure
}

// Locations of the simplified damage chart (stcs 4.7, ruling D19).
const (
	AtShield         = "shield generator"
	AtBeam           = "beam weapon"
	AtMissile        = "missile weapon"
	AtEngine         = "engine"
	AtSuperstructure = "superstructure"
	AtSensors        = "sensors"
)

// Locations of the detailed damage charts that the simplified one does not have.
const (
	AtWarp        = "warp engine"
	AtSplit       = "warp engine and superstructure"
	AtImpulse     = "impulse engine"
	AtBridge      = "bridge"
	AtEngineering = "engineering"
	AtWeapon      = "beam or missile weapon" // of an outpost
)

// Sides of warp engines.
const (
	PortSide      = "port"
	StarboardSide = "starboard"
)

// OutpostChart is the name of the damage chart of defence outposts; ships have A,
// B or C.
const OutpostChart = "outpost"

// What an engineering hit may put out of order: shield grid, weaponry grid and
// manoeuvre converter (stcs 15.10).
const (
	GridShields  = "shields"
	GridWeapons  = "weapons"
	GridMovement = "movement"
)

// Repair tracks.
const (
	TrackGenerator   = "generator"
	TrackSensors     = "sensors"
	TrackEngineering = "engineering"
	TrackBeam        = Beam
	TrackMissile     = Missile
)

// courses is the library itself or, for Core, the tables of the later courses.
func (l *Library) courses() *Library {
	if l.Stress != nil {
		return l
	}
	all, err := later()
	if err != nil {
		panic(err) // they are part of the program, and a test reads them
	}
	return all
}

// StressAt is the stress that an emergency heading change does by a letter of the
// chart (stcs 13.2), 0 below warp 1 and for letters that are not there. Above the
// last row of the chart the last one holds.
func (l *Library) StressAt(letter string, warp int) int {
	column := l.courses().Stress[letter]
	if warp < 1 || len(column) == 0 {
		return 0
	}
	return column[min(warp, len(column))-1]
}

// HitOn is the cell of a damage chart for a shield, 1 to 6, and a die, 1 to 10
// (stcs 15.1). ok is false for what no chart has.
func (l *Library) HitOn(chart string, shield, die int) (h Hit, ok bool) {
	c, ok := l.courses().Detailed[chart]
	if !ok || shield < 1 || shield > 6 || die < 1 || die > 10 {
		return Hit{}, false
	}
	return c[shield][die], true
}

// Grids are what an engineering hit puts out of order by a die, 1 to 10 (stcs 15.10).
func (l *Library) Grids(die int) []string { return l.courses().Engineering[die] }

// Detect is the highest die that finds a cloaked ship (stcs 10.6); 0 is none: in
// the same hex or out of range.
func (l *Library) Detect(rng int, moving, locked bool) int {
	for _, d := range l.courses().Detection {
		switch {
		case rng < d.From || rng > d.To:
		case moving && locked:
			return d.MovingLock
		case moving:
			return d.Moving
		case locked:
			return d.StillLock
		default:
			return d.Still
		}
	}
	return 0
}

// SlimChance is the highest second die that succeeds for a modified number of 0 or
// less (stcs 14.1); 0 is no chance. Numbers above 0 do not need it, and give 0.
func (l *Library) SlimChance(number int) int {
	if number > 0 || -number >= len(l.courses().Slim) {
		return 0
	}
	return l.courses().Slim[-number]
}

// CasualtyRate is the per cent of the crew lost with each point of superstructure
// on a ship with that much of it when whole (stcs 15.13).
func (l *Library) CasualtyRate(full int) int {
	rate := 0
	for _, r := range l.courses().Casualties {
		if full >= r.From {
			rate = r.PerCent
		}
	}
	return rate
}

// OutAt is the count of boxes marked at which a system of a track is out, beyond repair in
// battle (stcs 11.2, ruling D37).
func (l *Library) OutAt(track string) int { return len(l.courses().Repair[track]) + 1 }

// RepairNumber is the highest die that repairs a system of a track with so many
// boxes marked (stcs 11.2, ruling D37): 0 when it is out, and for no boxes.
func (l *Library) RepairNumber(track string, boxes int) int {
	if t := l.courses().Repair[track]; boxes >= 1 && boxes <= len(t) {
		return t[boxes-1]
	}
	return 0
}
