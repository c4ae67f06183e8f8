package tables

// Detection is a row of the cloak detection table: the highest die that finds a ship at ranges
// From to To, by whether the ship stands still or moves and whether the scanner had a lock on
// it (stcs 10.6).
type Detection struct {
	From       int `json:"from"`
	To         int `json:"to"`
	Still      int `json:"still"`
	StillLock  int `json:"still_lock"`
	Moving     int `json:"moving"`
	MovingLock int `json:"moving_lock"`
}

// rate is the per cent of the crew lost with each point of superstructure, on ships with a full
// superstructure of at least From (stcs 15.13).
type rate struct {
	From    int `json:"from"`
	PerCent int `json:"per_cent"`
}

// Hit is a cell of a detailed damage chart (stcs 15.1). Location is its text, "warp engine and
// superstructure" for damage split between the two.
type Hit struct {
	Location   string `json:"location"`
	Side       string `json:"side,omitempty"`       // of warp engines: port, starboard, or "" for a die
	Half       bool   `json:"half,omitempty"`       // the damage is halved, rounded down
	Casualties int    `json:"casualties,omitempty"` // factor on the casualties of the superstructure points: 0, 1 or 2
}

// DamageChart is a detailed damage chart, by number of the shield and die 1 to 10; index 0 is
// unused.
type DamageChart [7][11]Hit

// defaults is what designs get where their prints are silent. Crew is for each point of
// superstructure.
type defaults struct {
	Stress, DamageChart     string
	Cruise, Emergency, Crew int
}

// complete fills in what a design's print does not give, and records that in Assumed. An outpost
// has no warp speeds and no stress.
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

// Locations of the simplified damage chart (stcs 4.7, ruling D19).
const (
	AtShield         = "shield generator"
	AtBeam           = "beam weapon"
	AtMissile        = "missile weapon"
	AtEngine         = "engine"
	AtSuperstructure = "superstructure"
	AtSensors        = "sensors"
)

// Locations that only the detailed damage charts have.
const (
	AtWarp        = "warp engine"
	AtSplit       = "warp engine and superstructure"
	AtImpulse     = "impulse engine"
	AtBridge      = "bridge"
	AtEngineering = "engineering"
	AtWeapon      = "beam or missile weapon" // on outposts
)

// Sides of warp engines.
const (
	PortSide      = "port"
	StarboardSide = "starboard"
)

// OutpostChart is the name of the damage chart of defence outposts; ships have A,
// B or C.
const OutpostChart = "outpost"

// What an engineering hit may put out of order: shield grid, weaponry grid, manoeuvre
// converter (stcs 15.10).
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

// courses returns the library itself or, for Core, the tables of the later courses.
func (l *Library) courses() *Library {
	if l.Stress != nil {
		return l
	}
	all, err := later()
	if err != nil {
		panic(err) // they are embedded in the program, and a test reads them
	}
	return all
}

// StressAt returns the stress of an emergency heading change by a letter of the chart (stcs
// 13.2); 0 below warp 1 and for unknown letters. Above its last row, the last row of the chart
// applies.
func (l *Library) StressAt(letter string, warp int) int {
	column := l.courses().Stress[letter]
	if warp < 1 || len(column) == 0 {
		return 0
	}
	return column[min(warp, len(column))-1]
}

// HitOn returns the cell of a damage chart for a shield, 1 to 6, and a die, 1 to 10 (stcs
// 15.1). ok is false if there is no such cell.
func (l *Library) HitOn(chart string, shield, die int) (h Hit, ok bool) {
	c, ok := l.courses().Detailed[chart]
	if !ok || shield < 1 || shield > 6 || die < 1 || die > 10 {
		return Hit{}, false
	}
	return c[shield][die], true
}

// Grids returns what an engineering hit puts out of order by a die, 1 to 10 (stcs 15.10).
func (l *Library) Grids(die int) []string { return l.courses().Engineering[die] }

// Detect returns the highest die that finds a cloaked ship (stcs 10.6); 0 if none does: in the
// same hex or out of range.
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

// SlimChance returns the highest second die that succeeds for a modified number of 0 or less
// (stcs 14.1); 0 for no chance. Numbers above 0 do not need it, and give 0.
func (l *Library) SlimChance(number int) int {
	if number > 0 || -number >= len(l.courses().Slim) {
		return 0
	}
	return l.courses().Slim[-number]
}

// CasualtyRate returns the per cent of the crew lost with each point of superstructure, on a
// ship with this full superstructure (stcs 15.13).
func (l *Library) CasualtyRate(full int) int {
	rate := 0
	for _, r := range l.courses().Casualties {
		if full >= r.From {
			rate = r.PerCent
		}
	}
	return rate
}

// OutAt returns the number of marked boxes at which a system of a track is beyond repair in
// battle (stcs 11.2, ruling D37).
func (l *Library) OutAt(track string) int { return len(l.courses().Repair[track]) + 1 }

// RepairNumber returns the highest die that repairs a system of a track with so many boxes
// marked (stcs 11.2, ruling D37); 0 if it is beyond repair, or no box is marked.
func (l *Library) RepairNumber(track string, boxes int) int {
	if t := l.courses().Repair[track]; boxes >= 1 && boxes <= len(t) {
		return t[boxes-1]
	}
	return 0
}
