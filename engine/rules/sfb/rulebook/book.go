package rulebook

import (
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// Book is a rule set of the family as a value: rule sets differ only in data.
type Book struct {
	Name, Title, Version string
	fitted               // set when the rules are made

	Sources []string
	// Impulses is the number in a turn, Rounds the number of order exchanges in which it can be played. Rounds
	// divides Impulses.
	Impulses, Rounds int
	// Rigging has the rules for repairing boxes in battle.
	Rigging RiggingData
	// Ground has the kinds of terrain that scenarios may use.
	Ground map[string]engine.Ground
	// Controls: ships need a control box to turn and fire.
	Controls bool
	// Research has the rules for probes and shuttles.
	Research ResearchData
	// Boarding has the rules for transporters and boarding parties.
	Boarding BoardingData
	// TractorRange is the range of tractor beams; 0: there are none.
	TractorRange int
	// Keen is the navy with better sensors on all ships.
	Keen string
	// Cannon is the navy that can have battery cannon instead of drone racks, by a game option.
	Cannon string
	// Aiming says who may aim fire at a row of the two-dice chart.
	Aiming Aiming
	// Block is the two-dice chart that allocates all damage of an impulse together. If nil, each point of a volley is
	// allocated by the one-die chart.
	Block BlockChart
	// Again is how many impulses after a shot a weapon may fire again, in a later turn.
	Again  int
	Drone  DroneData
	Cloak  CloakData
	Charts map[sheet.Kind]FireChart
	Cites  map[Topic][]string
	// Docs has help on verbs with energy rules that differ from the cadet game.
	Docs   map[string]string
	Advice []string // for a captain's first turn
	MovementRules
	EnergyRules
}

// MovementRules are a book's rules for speed and turning.
type MovementRules struct {
	MaxSpeed int
	// A speed may be twice last turn's, or Faster more than it, whichever is higher.
	Faster int
	// Quanta are the only speeds allowed, slowest first. If nil, a speed is any number up to MaxSpeed. With Quanta,
	// movement energy is a pool that pays for each hex, and the speed may change by one step in each impulse.
	Quanta []Quantum
	// TurnModes are the turn modes that sheets give by letter.
	TurnModes map[string][]sheet.TurnStep
	// Brakes is the navy with ships that can brake in an emergency.
	Brakes string
	// Meets: a ship turns the shield of her captain's choice to what seeks her.
	Meets bool
	// Hard has the rules for high energy turns.
	Hard HardTurns
	// ImpulseHexes is how many hexes of the speed the impulse engines can power.
	ImpulseHexes int
}

// EnergyRules are a book's rules for energy and its uses.
type EnergyRules struct {
	// Reserve: unallotted energy is kept for the turn and, with the batteries, reinforces shields as they are hit, if
	// a standing order says so.
	Reserve bool
	// Engines is the navy with warp engines that may be overloaded.
	Engines string
	// Needs is the energy that a ship needs before everything else.
	Needs Needs
	// RepairEnergy is the most energy for a turn's repairs, BoxEnergy the energy for a shield box.
	RepairEnergy, BoxEnergy int
	// AllRoundEnergy is the energy for a point of reinforcement on all shields.
	AllRoundEnergy int
}

// Needs is the energy that a ship in battle needs each turn; shields and fire control need none while off.
type Needs struct{ LifeSupport, FireControl, Shields int }

// of returns what a ship uses of the energy she has. Life support is paid first; if there is too little, its captain
// can still give orders.
func (n Needs) of(have int, e *state.Energy) int {
	return min(n.LifeSupport, have) + n.FireControl*BoolInt(!e.NoFire) + n.Shields*BoolInt(!e.Down)
}

// All returns the energy for everything.
func (n Needs) All() int { return n.LifeSupport + n.FireControl + n.Shields }

// DroneData has a book's figures for drones.
type DroneData struct {
	Points, Life, Damage int // damage that destroys it, impulses of flight, damage it does
	Rack                 int // drones in a rack
}

// CloakData is the effect of a cloak: fire at the ship counts as from Times the range plus More, and drones and
// torpedoes miss with a die of at most Miss, otherwise do half damage. Hides: the ship is taken off the map.
type CloakData struct {
	Times, More, Miss int
	Hides             bool
}

// Counted returns the range that counts for a cloaked ship.
func (c CloakData) Counted(rng int) int { return c.Times*rng + c.More }

// PhaseLength returns the number of impulses in a round.
func (b *Book) PhaseLength() int { return b.Impulses / b.Rounds }

// PhaseOf returns the round of an impulse, both counted from 1 (ruling C3).
func (b *Book) PhaseOf(impulse int) int { return (impulse-1)/b.PhaseLength() + 1 }

// Span returns the first and the last impulse of a round.
func (b *Book) Span(phase int) (first, last int) {
	return (phase-1)*b.PhaseLength() + 1, phase * b.PhaseLength()
}

// Moves returns how many hexes a ship moves in an impulse at a speed (ruling C2).
func (b *Book) Moves(speed, impulse int) int {
	return speed*impulse/b.Impulses - speed*(impulse-1)/b.Impulses
}

// MovesIn returns how many hexes a ship moves in a round at a speed.
func (b *Book) MovesIn(speed, phase int) int {
	first, last := b.Span(phase)
	return speed*last/b.Impulses - speed*(first-1)/b.Impulses
}

// Fastest returns the highest speed allowed after a turn at another.
func (b *Book) Fastest(last int) int { return min(b.MaxSpeed, max(2*last, last+b.Faster)) }

// FireChart says what a weapon does at each range: for a phaser, points for each value of the die; for others, fixed
// points if the die is low enough.
type FireChart struct {
	Energy  int   // of each turn of arming; Warp: it must come from the warp engines
	ByTurn  []int // ... if the turns take different energy
	Warp    bool
	Turns   int  // of arming; 0: a shot takes 1 from the capacitors
	Keeps   bool // it may be held armed, for Hold energy of any kind a turn
	Hold    int
	Touches bool  // it may fire at range 0
	Small   int   // added to the die against small craft
	Rows    []Row // nearest first
	// Warheads are the points of a plasma torpedo, by the hexes it has flown. Nil for weapons that fire.
	Warheads []Warhead
	// Pace is how many hexes a torpedo flies in an impulse; 0 means one.
	Pace int
	// Shot is the projectile of a cannon.
	Shot Projectile
	// Beam is the damage of a hit, if it differs on shields and inside.
	Beam BeamHits
	// Over is its overload, if it has one.
	Over Overload
}

// Warhead is the points of a plasma torpedo up to a number of hexes flown.
type Warhead struct{ Upto, Points int }

// ArmingEnergy returns the energy for the next turn of arming, after had turns.
func (c *FireChart) ArmingEnergy(had int) int {
	if had < len(c.ByTurn) {
		return c.ByTurn[had]
	}
	return c.Energy
}

// WarheadsOf returns the warheads of a torpedo that does what a phaser does with the best die, at the range that it
// has flown (house 19.25).
func WarheadsOf(c FireChart) (out []Warhead) {
	for _, r := range c.Rows {
		out = append(out, Warhead{r.Upto, r.ByDie[0]})
	}
	return out
}

// Warhead returns the points of a plasma torpedo that has flown so many hexes.
func (c *FireChart) Warhead(flown int) int {
	for _, w := range c.Warheads {
		if flown <= w.Upto {
			return w.Points
		}
	}
	return 0
}

// Row is a line of the chart: up to Upto hexes, points by die, or Points if the die is at most Need.
type Row struct {
	Upto   int
	ByDie  [6]int
	Need   int
	Points int
}

// At returns the line for a range; ok is false if the weapon cannot fire.
func (c *FireChart) At(rng int) (r Row, ok bool) {
	if rng == 0 && !c.Touches {
		return Row{}, false
	}
	for _, r = range c.Rows {
		if rng <= r.Upto {
			return r, r.Need > 0 || r.ByDie[0] > 0
		}
	}
	return Row{}, false
}

// Reach returns the longest range at which a weapon has any effect.
func (c *FireChart) Reach(b *sheet.Bank) int {
	if n := len(c.Warheads); n > 0 {
		return c.Warheads[n-1].Upto
	}
	if c.Shot.Pace > 0 {
		return c.Shot.Pace * c.Shot.Life
	}
	longest := 0
	if n := len(c.Rows); n > 0 {
		longest = c.Rows[n-1].Upto
	}
	if b.Reach > 0 {
		longest = min(longest, b.Reach)
	}
	return longest
}

// PointsOf returns the points of a shot for a die; more is added to the die.
func (r Row) PointsOf(die, more int) int {
	if r.Need == 0 {
		return r.ByDie[min(die, 6)-1]
	}
	if die+more <= r.Need {
		return r.Points
	}
	return 0
}

// Sixths returns six times the mean points of a shot.
func (r Row) Sixths(more int) int {
	sum := 0
	for die := 1; die <= 6; die++ {
		sum += r.PointsOf(die, more)
	}
	return sum
}

// PhaserRows makes rows from six digits, one for each value of the die.
func PhaserRows(rows ...PhaserRow) []Row {
	out := make([]Row, len(rows))
	for i, r := range rows {
		out[i].Upto = r.Upto
		for die := range out[i].ByDie {
			out[i].ByDie[die] = int(r.Digits[die] - '0')
		}
	}
	return out
}

// PhaserRow is a row of a phaser's chart: the range, and a digit for each value of the die.
type PhaserRow struct {
	Upto   int
	Digits string
}

// Topic is a subject that books have paragraphs on.
type Topic int

// The topics. A book cites nothing on a topic it does not have.
const (
	OnAllocation Topic = iota
	OnVolley
	OnDestruction
	OnEnergy
	OnSpeed
	OnPool
	OnReserve
	OnCannonEnergy
	OnBrake
	OnTractor
	OnHard
	OnBoarding
	OnRigging
	OnEngines
	OnResearch
	OnTurning
	OnOrderOfMoving
	OnFire
	OnOverload
	OnBeam
	OnCannon
	OnAiming
	OnDrones
	OnMeeting
	OnObstacles
	OnPlasma
	OnCloak
	OnReinforcement
	OnRepair
	OnLeaving
	OnSurrender
	OnCrippled
	OnStanding
	OnSkipped
	OnVictory
)

// Cite returns this book's citations for topics, without duplicates.
func (b *Book) Cite(topics ...Topic) []string {
	if len(topics) == 1 {
		return b.Cites[topics[0]]
	}
	var out []string
	for _, t := range topics {
		for _, c := range b.Cites[t] {
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// BoardingData has a book's rules for boarding parties.
type BoardingData struct {
	Range int // of transporters; 0: no boarding
	Uses  int // of transporters, one party each, per energy
	// Raids are the results of a raid on a box, by die.
	Raids [6]RaidResult
	// Casualties are the parties killed, by die and number of attackers up to the longest row.
	Casualties [6][10]int
	// Fierce are the navies with parties that add 1 to their die when they board; the table's row for 6 applies to 7
	// (ruling R3c).
	Fierce []string
}

// RaidResult is the result of a raid: whether the box is lost, and whether the party comes back.
type RaidResult struct{ Lost, Back bool }

// Killed returns how many parties a number of parties kills; those beyond the table form another group.
func (d *BoardingData) Killed(die, parties int) int {
	row := d.Casualties[min(die, len(d.Casualties))-1]
	n := parties / len(row) * row[len(row)-1]
	if rest := parties % len(row); rest > 0 {
		n += row[rest-1]
	}
	return n
}

// Rules is a book ready to be played.
type Rules struct {
	Book

	Classes  map[string]*sheet.Class
	Language *orders.Language
	Self     *engine.Rules // the same rules for the engine
}

// BlockChart is the damage allocation chart of two dice: a row for each sum from 2 on, with what is hit by column.
// After the last column comes excess damage.
type BlockChart [][]Cell

// Cell is what is hit, and whether the print says that a block takes only one box of it.
type Cell struct {
	What string
	Once bool
}

// Aiming has a book's rules for fire at a row of the damage allocation chart.
type Aiming struct {
	// Navy is the navy with ships that may aim within Range, even while moving, and then do half of the damage inside
	// (house 36.1). All ships may aim at range 0 if both are at rest (house 7.59).
	Navy  string
	Range int
}

// HardTurns has a book's rules for high energy turns.
type HardTurns struct {
	// Hexes is how many hexes' energy one takes from the pool; 0: there are none.
	Hexes int
	// Steady is the navy with ships that make them without a breakdown roll (house 58.57).
	Steady string
}

// BeamHits is the damage of one hit of a laser or particle beam: boxes of a shield, or points inside a ship, never
// both (house 56.11, 56.12).
type BeamHits struct{ Shield, Inside int }

// Against returns the points of a hit when a shield and its reinforcement have so much left. The last box absorbs a
// whole hit.
func (h BeamHits) Against(left int) int {
	if left == 0 {
		return h.Inside
	}
	return min(left, h.Shield)
}

// Projectile is a battery cannon's unguided shot along a row of hexes (house 103.1).
type Projectile struct {
	Points int // of a whole shot
	Pace   int // hexes flown in an impulse
	Halves int // half-units of energy to fire it
	Life   int // impulses of flight
}

// Overload is the effect of arming a weapon with extra energy (house 61.4).
type Overload struct {
	// Least and Most limit the extra energy, given in the last turn of arming.
	Least, Most int
	// Reach is the longest range of an overloaded weapon.
	Reach int
	// Each is the extra points for each extra energy; 0: the points are doubled.
	Each int
	// Rows come before those of the chart.
	Rows []Row
	// Blows is the lowest own die that destroys the weapon after the shot.
	Blows int
}

// RiggingData has a book's rules for repairing boxes inside a ship in battle.
type RiggingData struct {
	Energy int // for a try; 0: no repairs
	Mends  int // a try succeeds with this die or a lower one
	Blows  int // a use destroys the box again with this die or a higher one
}

// Quantum is one of the few speeds of a book: its word, and hexes a turn.
type Quantum struct {
	Word  string
	Hexes int
}

// ResearchData has a book's rules for probes and shuttles, which gather data.
type ResearchData struct {
	Range int  // within which data is gathered; 0: no probes or shuttles
	Lab   int  // points of a laboratory, less die and range
	Life  int  // hexes that a probe flies before it stops
	Pace  int  // impulses for each hex
	Hold  int  // points that a shuttle can hold, or send in a turn; 0: no shuttles
	Hits  int  // points of damage that destroy a shuttle; one destroys a probe
	Dark  bool // only for games in the dark
}

// Cannons reports whether ships of the book may have battery cannon.
func (b *Book) Cannons() bool { return b.Charts[sheet.PrimaryCannon].Shot.Pace > 0 }

// Digits returns the points of a phaser by die, as text.
func (r Row) Digits() string {
	between := ""
	if r.ByDie[0] > 9 {
		between = " "
	}
	out := make([]string, len(r.ByDie))
	for i, n := range r.ByDie {
		out[i] = strconv.Itoa(n)
	}
	return strings.Join(out, between)
}
