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

// Book is a rule set of the family as a value: what differs between them is data.
type Book struct {
	Name, Title, Version string
	fitted               // once the rules are made

	Sources []string
	// Impulses are those of a turn, Rounds the exchanges of orders in which a turn can be
	// played, each of so many impulses that none is left over.
	Impulses, Rounds int
	// Rigging is how boxes are mended in battle.
	Rigging RiggingData
	// Ground are the kinds of terrain that scenarios may have.
	Ground map[string]engine.Ground
	// Controls: ships need a control box to turn and fire.
	Controls bool
	// Research is what probes and shuttles do.
	Research ResearchData
	// Boarding is what transporters and boarding parties do.
	Boarding BoardingData
	// TractorRange is how far tractor beams reach; 0: there are none.
	TractorRange int
	// Keen is the navy whose ships all have uprated sensors.
	Keen string
	// Cannon is the navy whose ships have battery cannon in place of drone racks by an option.
	Cannon string
	// Aiming is who may fire at a row of the chart of two dice.
	Aiming Aiming
	// Block is the chart of two dice by which all damage of an impulse is allocated together;
	// nil: each volley goes point by point by the chart of one die.
	Block BlockChart
	// Again is how many impulses after a shot a weapon may fire again, in another turn.
	Again  int
	Drone  DroneData
	Cloak  CloakData
	Charts map[sheet.Kind]FireChart
	Cites  map[Topic][]string
	// Docs is what the handbook says of verbs whose energy differs from that of the cadet game.
	Docs   map[string]string
	Advice []string // for a captain's first turn
	MovementRules
	EnergyRules
}

// MovementRules are a book's rules of speed and turning.
type MovementRules struct {
	MaxSpeed int
	// A speed may be twice that of the turn before, or Faster more, whichever is more.
	Faster int
	// Quanta are the only speeds there are, slowest first; without any a speed is any number
	// up to MaxSpeed. With them movement energy is a pool, which pays for each hex what it
	// costs the ship, and a speed may change by a step in each impulse.
	Quanta []Quantum
	// TurnModes are those that sheets name by a letter.
	TurnModes map[string][]sheet.TurnStep
	// Brakes is the navy whose ships may slow down in an emergency.
	Brakes string
	// Meets: a ship turns so that the shield of her captain's choice meets what seeks her.
	Meets bool
	// Hard is what high energy turns take.
	Hard HardTurns
	// ImpulseHexes is how much of the speed the impulse engines can give.
	ImpulseHexes int
}

// EnergyRules are a book's rules of what energy there is and what it is for.
type EnergyRules struct {
	// Reserve: energy that is not allotted is kept for the turn, and with what is in the
	// batteries goes to shields as they are struck, if a standing order says so.
	Reserve bool
	// Engines is the navy whose ships may overload their warp engines.
	Engines string
	// Needs is the energy that a ship takes before all else.
	Needs Needs
	// RepairEnergy is what a turn's repairs may take, BoxEnergy what a shield box takes.
	RepairEnergy, BoxEnergy int
	// AllRoundEnergy is what a point of reinforcement on all shields takes.
	AllRoundEnergy int
}

// Needs is what a ship in a fight takes in each turn, unless she has her shields down or
// does without fire control.
type Needs struct{ LifeSupport, FireControl, Shields int }

// of is what a ship takes of so much energy that there is: life support is paid first, and
// what is too little for it keeps no captain from giving orders.
func (n Needs) of(have int, e *state.Energy) int {
	return min(n.LifeSupport, have) + n.FireControl*BoolInt(!e.NoFire) + n.Shields*BoolInt(!e.Down)
}

// All is what a ship takes that does without nothing.
func (n Needs) All() int { return n.LifeSupport + n.FireControl + n.Shields }

// DroneData is what a book says of drones.
type DroneData struct {
	Points, Life, Damage int // damage that kills it, impulses it flies, what it does
	Rack                 int // drones in a rack
}

// CloakData is what a cloak does to what comes at the ship: fire counts as from Times the
// range and More, and what seeks her misses with a die of at most Miss, else does half.
// Hides: the ship is off the map.
type CloakData struct {
	Times, More, Miss int
	Hides             bool
}

// Counted is the range as which one to a cloaked ship counts.
func (c CloakData) Counted(rng int) int { return c.Times*rng + c.More }

// PhaseLength is how many impulses are in a round.
func (b *Book) PhaseLength() int { return b.Impulses / b.Rounds }

// PhaseOf is the round, from 1, of an impulse, from 1 (ruling C3).
func (b *Book) PhaseOf(impulse int) int { return (impulse-1)/b.PhaseLength() + 1 }

// Span is the first and the last impulse of a round.
func (b *Book) Span(phase int) (first, last int) {
	return (phase-1)*b.PhaseLength() + 1, phase * b.PhaseLength()
}

// Moves is how many hexes a ship of some speed moves in an impulse (ruling C2).
func (b *Book) Moves(speed, impulse int) int {
	return speed*impulse/b.Impulses - speed*(impulse-1)/b.Impulses
}

// MovesIn is how many hexes a ship of some speed moves in a round.
func (b *Book) MovesIn(speed, phase int) int {
	first, last := b.Span(phase)
	return speed*last/b.Impulses - speed*(first-1)/b.Impulses
}

// Fastest is the highest speed that a ship may have after a turn at another.
func (b *Book) Fastest(last int) int { return min(b.MaxSpeed, max(2*last, last+b.Faster)) }

// FireChart tells what a weapon does at which range: a phaser a number of points for each
// value of the die, others a fixed number if the die is low enough.
type FireChart struct {
	Energy  int   // of each turn of arming; Warp tells whether the warp engines must give it
	ByTurn  []int // ... where the turns take different energy
	Warp    bool  //
	Turns   int   // that arming takes; 0: a shot takes 1 from the capacitors
	Keeps   bool  // it may be held armed, for Hold energy of any kind a turn
	Hold    int   //
	Touches bool  // it may fire at range 0
	Small   int   // added to the die at small craft
	Rows    []Row // nearest first
	// Warheads are the points of what is launched, and flies and seeks by itself, by the
	// hexes that it has flown: plasma. Nil for weapons that fire.
	Warheads []Warhead
	// Pace is how many hexes it flies in an impulse; 0: one.
	Pace int
	// Shot is what flies straight on from it, where it fires so.
	Shot Projectile
	// Beam is what a hit does, where that differs on shields and inside.
	Beam BeamHits
	// Over is what it does overloaded, where it can be.
	Over Overload
}

// Warhead is the points of a plasma torpedo that has flown up to so many hexes.
type Warhead struct{ Upto, Points int }

// ArmingEnergy is what the turn of arming takes that comes after some others.
func (c *FireChart) ArmingEnergy(had int) int {
	if had < len(c.ByTurn) {
		return c.ByTurn[had]
	}
	return c.Energy
}

// WarheadsOf are those of a torpedo that does what a phaser does with the best die, at the
// range that it has flown (house 19.25).
func WarheadsOf(c FireChart) (out []Warhead) {
	for _, r := range c.Rows {
		out = append(out, Warhead{r.Upto, r.ByDie[0]})
	}
	return out
}

// Warhead is the points of a plasma torpedo that has flown so many hexes.
func (c *FireChart) Warhead(flown int) int {
	for _, w := range c.Warheads {
		if flown <= w.Upto {
			return w.Points
		}
	}
	return 0
}

// Row is a chart's line: up to Upto hexes the points by die, or the points if the die is
// at most Need.
type Row struct {
	Upto   int
	ByDie  [6]int
	Need   int
	Points int
}

// At is the line for a range; ok is false where the weapon cannot fire.
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

// Reach is the longest range at which a weapon can do anything.
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

// PointsOf is what a shot does by its die; more is added to the die.
func (r Row) PointsOf(die, more int) int {
	if r.Need == 0 {
		return r.ByDie[min(die, 6)-1]
	}
	if die+more <= r.Need {
		return r.Points
	}
	return 0
}

// Sixths is six times the mean of the points that a shot does.
func (r Row) Sixths(more int) int {
	sum := 0
	for die := 1; die <= 6; die++ {
		sum += r.PointsOf(die, more)
	}
	return sum
}

// PhaserRows reads rows of six digits, one for each value of the die.
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

// PhaserRow is a row of a phaser's chart: up to so many hexes, a digit for each value of the die.
type PhaserRow struct {
	Upto   int
	Digits string
}

// Topic is a matter that the books have a paragraph on.
type Topic int

// The topics; a book that has nothing on one cites nothing.
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

// Cite gives the citations of topics in this book, each once.
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

// BoardingData is what a book says of boarding parties.
type BoardingData struct {
	Range int // of transporters; 0: there is no boarding
	Uses  int // of transporters, of a party each, that an energy is enough for
	// Raids are what comes of a raid on a box, by die: whether the box is lost, and whether the
	// party comes back.
	Raids [6]RaidResult
	// Casualties are what a number of parties kills, by die and number up to the longest row.
	Casualties [6][10]int
	// Fierce are the navies whose parties add 1 to their die as they board: what the table has for
	// 6 stands for 7 (ruling R3c).
	Fierce []string
}

// RaidResult is what a die of a raid means: whether the box is lost, and whether the party comes back.
type RaidResult struct{ Lost, Back bool }

// Killed are what so many parties kill; those beyond the table are another group.
func (d *BoardingData) Killed(die, parties int) int {
	row := d.Casualties[min(die, len(d.Casualties))-1]
	n := parties / len(row) * row[len(row)-1]
	if rest := parties % len(row); rest > 0 {
		n += row[rest-1]
	}
	return n
}

// Rules is a book that is ready to be played.
type Rules struct {
	Book

	Classes  map[string]*sheet.Class
	Language *orders.Language
	Self     *engine.Rules // as the engine has them
}

// BlockChart is the damage allocation chart of two dice: a row for each sum from 2 on, each
// of what is hit by column. Behind the last column comes excess damage.
type BlockChart [][]Cell

// Cell is one: what is hit, and whether it is printed so that a block takes one box of it.
type Cell struct {
	What string
	Once bool
}

// Aiming is what a book says of fire at a row of the damage allocation chart.
type Aiming struct {
	// Navy is that whose ships may aim within Range, moving or not, and do half of what gets
	// inside (house 36.1). All ships may at range 0, both at rest (house 7.59).
	Navy  string
	Range int
}

// HardTurns is what a book says of high energy turns.
type HardTurns struct {
	// Hexes is how many hexes' energy one takes of the pool; 0: there are none.
	Hexes int
	// Steady is the navy whose ships make them without a roll for breakdown (house 58.57).
	Steady string
}

// BeamHits is what one hit of a laser or particle beam does: boxes of a shield, or points
// inside a ship; it never does both (house 56.11, 56.12).
type BeamHits struct{ Shield, Inside int }

// Against is the points of a hit where a shield and its reinforcement have so much left: its
// last box takes a whole hit.
func (h BeamHits) Against(left int) int {
	if left == 0 {
		return h.Inside
	}
	return min(left, h.Shield)
}

// Projectile is what a battery cannon fires along a row of hexes, without guidance (house 103.1).
type Projectile struct {
	Points int // of a whole shot
	Pace   int // hexes that it flies in an impulse
	Halves int // of energy that firing takes
	Life   int // impulses that it flies
}

// Overload is what a weapon does with more energy than it needs (house 61.4).
type Overload struct {
	// Least and Most are the energy that is more than the arming takes, in its last turn.
	Least, Most int
	// Reach is the longest range of an overloaded weapon.
	Reach int
	// Each is how many points an energy more adds; 0: the points are doubled.
	Each int
	// Rows stand before those of the chart.
	Rows []Row
	// Blows is the least own die with which the weapon is lost after the shot.
	Blows int
}

// RiggingData is what a book says of boxes that are mended in battle, inside a ship.
type RiggingData struct {
	Energy int // that a try takes; 0: none are mended
	Mends  int // a try succeeds with this die or a lower one
	Blows  int // a use blows the box out with this die or a higher one
}

// Quantum is one of the speeds of a book that has but a few: its word, and hexes a turn.
type Quantum struct {
	Word  string
	Hexes int
}

// ResearchData is what a book says of probes and shuttles, which gather data.
type ResearchData struct {
	Range int  // within which data are gathered; 0: there are neither probes nor shuttles
	Lab   int  // points of a laboratory, less die and range
	Life  int  // hexes that a probe flies; then it stays where it is
	Pace  int  // impulses to each of them
	Hold  int  // points that a shuttle holds, or sends in a turn; 0: shuttles are not launched
	Hits  int  // points of damage that destroy a shuttle; a probe is destroyed by one
	Dark  bool // all of it is for games in the dark
}

// Cannons tells whether ships of the book may have battery cannon.
func (b *Book) Cannons() bool { return b.Charts[sheet.PrimaryCannon].Shot.Pace > 0 }

// Digits are the points of a phaser by its die.
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
