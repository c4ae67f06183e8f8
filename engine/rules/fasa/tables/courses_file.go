package tables

import (
	"fmt"
	"slices"
	"strings"
)

// courseTables holds the tables of the Advanced and Graduate Courses, which only built-in table
// files may have.
type courseTables struct {
	Stress      *stressTable      `toml:"stress"`
	Detection   *detectionTable   `toml:"detection"`
	Slim        *slimTable        `toml:"slim"`
	Casualties  *casualtyTable    `toml:"casualties"`
	Damage      *damageTable      `toml:"damage"`
	Engineering *engineeringTable `toml:"engineering"`
	Repair      *repairTable      `toml:"repair"`
	Assumed     *assumedTable     `toml:"assumed"`
}

type stressTable struct {
	credits
	ByWarp map[string]rowText `toml:"by_warp"`
	Sum    map[string]int     `toml:"sum"` // check digits
}

type detectionTable struct {
	credits
	Ranges     []spanText `toml:"ranges"`
	Still      []int      `toml:"still"`
	StillLock  []int      `toml:"still_lock"`
	Moving     []int      `toml:"moving"`
	MovingLock []int      `toml:"moving_lock"`
}

type slimTable struct {
	credits
	Needs []int `toml:"needs"`
}

type casualtyTable struct {
	credits
	From    []int `toml:"from"`
	PerCent []int `toml:"per_cent"`
}

type damageTable struct {
	credits
	Charts map[string]map[string]hitsText `toml:"charts"` // by chart and shield, or "all"
}

type engineeringTable struct {
	credits
	Faces []gridText `toml:"faces"`
}

type repairTable struct {
	credits
	Generator   []int `toml:"generator"`
	Sensors     []int `toml:"sensors"`
	Engineering []int `toml:"engineering"`
	Beam        []int `toml:"beam"`
	Missile     []int `toml:"missile"`
}

type assumedTable struct {
	credits
	Stress      string `toml:"stress"`
	DamageChart string `toml:"damage_chart"`
	Cruise      int    `toml:"cruise"`
	Emergency   int    `toml:"emergency"`
	Crew        int    `toml:"crew"`
}

type (
	spanText struct{ from, to int } // "1-10"
	hitsText []Hit                  // "port warp engine /2, sensors"
	rowText  []int                  // "0 0 1 2"
	gridText []string               // "shields weapons"
)

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *spanText) UnmarshalText(text []byte) error {
	from, to, err := parseRange(string(text))
	if err != nil {
		return fmt.Errorf("ranges %s: expected such as \"1-10\"", quoted(string(text)))
	}
	*s = spanText{from, to}
	return nil
}

// UnmarshalText implements encoding.TextUnmarshaler; see parseHit.
func (h *hitsText) UnmarshalText(text []byte) error {
	for part := range strings.SplitSeq(string(text), ",") {
		hit, err := parseHit(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		*h = append(*h, hit)
	}
	return nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *rowText) UnmarshalText(text []byte) error {
	for word := range strings.FieldsSeq(string(text)) {
		n, err := number(word, 0, 99)
		if err != nil {
			return err
		}
		*r = append(*r, n)
	}
	return nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (g *gridText) UnmarshalText(text []byte) error {
	*g = strings.Fields(string(text))
	last := -1
	for _, name := range *g {
		at := slices.Index(grids, name)
		if at <= last {
			return fmt.Errorf("engineering damage %s: expected some of %s, in that order", quoted(string(text)), strings.Join(grids, " "))
		}
		last = at
	}
	return nil
}

var grids = []string{GridShields, GridWeapons, GridMovement}

// takes says what a location of a damage chart may be combined with.
type takes struct{ side, half, casualties bool }

// hitLocations are the locations of detailed damage charts.
var hitLocations = map[string]takes{
	AtShield:         {},
	AtBeam:           {},
	AtMissile:        {},
	AtWeapon:         {},
	AtSensors:        {},
	AtWarp:           {side: true, half: true},
	AtSplit:          {side: true, casualties: true},
	AtImpulse:        {half: true},
	AtSuperstructure: {half: true, casualties: true},
	AtBridge:         {casualties: true},
	AtEngineering:    {casualties: true},
}

// parseHit reads cells such as "port warp engine /2" and "superstructure 2C": side, location,
// casualties, half.
func parseHit(text string) (Hit, error) {
	var h Hit
	rest, half := strings.CutSuffix(text, " /2")
	h.Half = half
	if short, ok := strings.CutSuffix(rest, " 2C"); ok {
		rest, h.Casualties = short, 2
	} else if short, ok := strings.CutSuffix(rest, " C"); ok {
		rest, h.Casualties = short, 1
	}
	for _, side := range []string{PortSide, StarboardSide} {
		if short, ok := strings.CutPrefix(rest, side+" "); ok {
			rest, h.Side = short, side
		}
	}
	h.Location = strings.Replace(rest, " + ", " and ", 1)
	t, ok := hitLocations[h.Location]
	if !ok || h.Side != "" && !t.side || h.Half && !t.half || h.Casualties > 0 && !t.casualties {
		return Hit{}, fmt.Errorf("damage location %s: expected such as \"port warp engine /2\" or \"superstructure 2C\"", quoted(text))
	}
	return h, nil
}
