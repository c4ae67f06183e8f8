package tables

import (
	"maps"
	"slices"
	"strings"

	"starpost/engine/hex"
	"starpost/engine/tactical"
	"starpost/orders"
)

// Library holds the tables of the rule set: firing charts, weapon types, ship designs, firing
// arcs, damage locations and shield numbers. It is immutable; With makes a new one. Builtin has
// all tables; Core leaves Weapons, Designs and Families nil, and its lookups read them when they
// are first needed.
type Library struct {
	Charts    map[string][]int        // highest die that hits, by range-1
	Weapons   map[string]WeaponType   // by name, such as "FH-3"
	Designs   map[string]Design       // by name, such as "constitution-ii"
	Arcs      map[string][]hex.Arc    // by short name, counted from the bow
	Families  map[string]weaponFamily // by name, such as "photon"
	Locations [11]string              // by die 1 to 10 (ruling D19); [0] is empty
	Simple    [11]string              // the same for Book One
	Shields   [6]int                  // number by hex side, clockwise from the bow (ruling D4)
	Origins   []Origin                // sources of the tables other than weapons and designs

	// Tables of the Advanced and Graduate Courses; see the methods that read them.
	Stress      map[string][]int       // by letter and warp-1
	Detection   []Detection            // by range, nearest first
	Slim        []int                  // by -number
	Casualties  []rate                 // by full superstructure, smallest first
	Detailed    map[string]DamageChart // A, B, C and outpost
	Engineering [11][]string           // grids by die 1 to 10; [0] is empty
	Assumed     defaults               // figures of designs for which prints give none
	Repair      map[string][]int       // by track, box by box: generator, sensors, engineering, beam, missile
}

// Kinds of weapon, and of weapon family.
const (
	Beam    = "beam"
	Missile = "missile"
	Plasma  = "plasma"
)

// kinds lists all kinds of weapon, each with the figures of its weapons. A new kind needs a row here and rules in the
// books that have it; kinds that arm with a fixed power count as missiles.
var kinds = []struct {
	name    string
	figures []string
}{
	{Beam, []string{"max_power", "bands"}},
	{Missile, []string{"arm", "damage"}},
	{Plasma, []string{"arm", "plasma"}},
}

// kindFigures returns the figures that weapons of a kind have; nil for an unknown kind.
func kindFigures(name string) []string {
	for _, k := range kinds {
		if k.name == name {
			return k.figures
		}
	}
	return nil
}

func kindNames() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// Origin says where a table comes from and how reliable it is.
type Origin struct {
	Table      string `json:"table"`
	Source     string `json:"source"`
	Confidence string `json:"confidence"`
}

// weaponFamily is what the weapons of a family have in common.
type weaponFamily struct {
	Kind  string `json:"kind"`            // beam, missile or plasma
	Title string `json:"title"`           // the word reports use, such as "photon torpedo"
	Shots int    `json:"shots,omitempty"` // most shots a turn, for beams that fire more than once (stcs 14.2)
}

// Band is bonus damage of a beam at ranges From to To, both included.
type Band struct {
	Bonus int `json:"bonus"`
	From  int `json:"from"`
	To    int `json:"to"`
}

// PlasmaBand is the damage of a plasma bolt at ranges From to To, both included.
type PlasmaBand struct {
	From  int `json:"from"`
	To    int `json:"to"`
	Full  int `json:"full"`
	Graze int `json:"graze"`
}

// WeaponType is one type of weapon. Beams have MaxPower and perhaps Bands,
// missiles Arm and Damage, plasma launchers Arm and Plasma.
type WeaponType struct {
	Name       string       `json:"name"`
	Kind       string       `json:"kind"`   // beam, missile or plasma
	Family     string       `json:"family"` // such as "photon"
	Title      string       `json:"title"`  // the family in words, such as "photon torpedo"
	Chart      string       `json:"chart"`
	MaxPower   int          `json:"max_power,omitempty"` // most power in a shot, and its base damage
	Shots      int          `json:"shots,omitempty"`     // from the family: most shots a turn, if more than one
	Arm        int          `json:"arm,omitempty"`       // power to arm
	Damage     int          `json:"damage,omitempty"`
	Bands      []Band       `json:"bands,omitempty"` // by range, without overlap
	Plasma     []PlasmaBand `json:"plasma,omitempty"`
	WDF        tenths       `json:"wdf,omitzero"` // as published
	Source     string       `json:"source,omitempty"`
	Confidence string       `json:"confidence,omitempty"`
	Note       string       `json:"note,omitempty"`
}

// BankDesign is a bank of a design: mounts of one weapon type that share arcs and fire control.
// nil Bands means those of the weapon type; any other value, even an empty one, replaces them.
type BankDesign struct {
	ID     string   `json:"id"`
	Weapon string   `json:"weapon"`
	Mounts int      `json:"mounts"`
	Arcs   []string `json:"arcs"`
	Bands  []Band   `json:"bands,omitzero"`
}

// Design is a type of ship. Power is in units, shields in points a shield.
type Design struct {
	Name           string         `json:"name"` // such as "constitution-ii"
	Title          string         `json:"title"`
	Navy           string         `json:"navy"`
	Class          string         `json:"class,omitempty"` // roman numeral, if known
	Superstructure int            `json:"superstructure"`
	Warp           []int          `json:"warp"` // power of each warp engine
	Impulse        int            `json:"impulse"`
	Move           tactical.Ratio `json:"move"`   // power/movement points (ruling D17); none for outposts
	Shield         tactical.Ratio `json:"shield"` // power/shield points (ruling D18)
	MaxShield      int            `json:"max_shield"`
	Cloak          int            `json:"cloak,omitempty"` // power of the cloak; 0 for none
	Outpost        bool           `json:"outpost,omitempty"`
	Crew           int            `json:"crew,omitempty"`
	Stress         string         `json:"stress,omitempty"`    // letters of warp engines and superstructure; "" for outposts
	DamageChart    string         `json:"damage_chart"`        // A, B, C or outpost
	Cruise         int            `json:"cruise,omitempty"`    // highest safe warp factor; 0 for outposts
	Emergency      int            `json:"emergency,omitempty"` // highest warp factor; 0 for outposts
	Assumed        []string       `json:"assumed,omitempty"`   // those of engines, crew, stress, damage_chart, emergency, cruise that no print gives
	Banks          []BankDesign   `json:"banks"`
	ArcsFrom       string         `json:"arcs,omitempty"` // known or assumed; empty without weapons
	ArcsNote       string         `json:"arcs_note,omitempty"`
	D              tenths         `json:"d,omitzero"` // defence, WDF and CE as published
	WDF            tenths         `json:"wdf,omitzero"`
	CE             tenths         `json:"ce,omitzero"`
	Source         string         `json:"source,omitempty"`
	Confidence     string         `json:"confidence,omitempty"`
	Note           string         `json:"note,omitempty"`
}

// Power returns the total of the engines, in power units.
func (d Design) Power() int {
	total := d.Impulse
	for _, p := range d.Warp {
		total += p
	}
	return total
}

// Clone returns a copy that shares no memory with the original.
func (d Design) Clone() Design {
	d.Warp = slices.Clone(d.Warp)
	d.Assumed = slices.Clone(d.Assumed)
	d.Banks = slices.Clone(d.Banks)
	for i := range d.Banks {
		d.Banks[i].Arcs = slices.Clone(d.Banks[i].Arcs)
		d.Banks[i].Bands = slices.Clone(d.Banks[i].Bands)
	}
	return d
}

// Bolt returns the damage of a plasma bolt at a range, full and grazing; 0 and 0 out of range
// and for other weapons.
func (w WeaponType) Bolt(rng int) (full, graze int) {
	for _, b := range w.Plasma {
		if b.From <= rng && rng <= b.To {
			return b.Full, b.Graze
		}
	}
	return 0, 0
}

// Reach returns the longest range of a chart.
func (l *Library) Reach(chart string) int { return len(l.Charts[chart]) }

// ToHit returns the highest die that hits on a chart at a range (stcs 4.3); 0 for no shot: out
// of range, the same hex, or no such chart.
func (l *Library) ToHit(chart string, rng int) int {
	c := l.Charts[chart]
	if rng < 1 || rng > len(c) {
		return 0
	}
	return c[rng-1]
}

// Design returns the design with a name, ignoring case. The error for an unknown name is an
// *unknownError. Callers may change the design.
func (l *Library) Design(name string) (Design, error) {
	all, err := l.whole()
	if err != nil {
		return Design{}, err
	}
	if d, ok := all.Designs[strings.ToLower(name)]; ok {
		return d.Clone(), nil
	}
	return Design{}, unknown("ship design", name, all.DesignNames())
}

// DesignOf is Design, or, if no name is given, finds a design by its title.
func (l *Library) DesignOf(name, title string) (Design, error) {
	if name != "" || title == "" {
		return l.Design(name)
	}
	all, err := l.whole()
	if err != nil {
		return Design{}, err
	}
	for _, name := range all.DesignNames() {
		if d := all.Designs[name]; d.Title == title {
			return d.Clone(), nil
		}
	}
	return Design{}, unknown("ship design", title, nil)
}

// Weapon returns the weapon type with a name, ignoring case. The error for an unknown name is an
// *unknownError.
func (l *Library) Weapon(name string) (WeaponType, error) {
	all, err := l.whole()
	if err != nil {
		return WeaponType{}, err
	}
	return all.weapon(name)
}

// weapon is Weapon among the types already read.
func (l *Library) weapon(name string) (WeaponType, error) {
	if w, ok := l.Weapons[name]; ok {
		return w, nil
	}
	names := l.WeaponNames()
	for _, n := range names {
		if strings.EqualFold(n, name) {
			return l.Weapons[n], nil
		}
	}
	return WeaponType{}, unknown("weapon type", name, names)
}

// whole returns the library itself or, for Core, Builtin.
func (l *Library) whole() (*Library, error) {
	if l.Designs == nil {
		return Builtin()
	}
	return l, nil
}

// Mounted returns the weapon type of a bank, with the bank's own bands if it has any; errors as
// for Weapon.
func (l *Library) Mounted(b BankDesign) (WeaponType, error) {
	w, err := l.Weapon(b.Weapon)
	if err == nil && b.Bands != nil {
		w.Bands = slices.Clone(b.Bands)
	}
	return w, err
}

// DesignNames returns the names of the designs read, sorted; none for Core.
func (l *Library) DesignNames() []string { return slices.Sorted(maps.Keys(l.Designs)) }

// WeaponNames returns the names of the weapon types read, sorted; none for Core.
func (l *Library) WeaponNames() []string { return slices.Sorted(maps.Keys(l.Weapons)) }

// unknownError is a name that is in no table. Suggestion is the nearest known name, or empty.
type unknownError struct {
	What       string // such as "ship design"
	Name       string
	Suggestion string
}

// Error implements error.
func (e *unknownError) Error() string {
	s := "unknown " + e.What + " " + quoted(e.Name)
	if e.Suggestion != "" {
		s += ", did you mean " + e.Suggestion + "?"
	}
	return s
}

func unknown(what, name string, among []string) error {
	return &unknownError{What: what, Name: name, Suggestion: orders.Suggest(name, among)}
}
