package rulebook

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
	"starpost/orders"
)

// Plan is an order set made ready to carry out: all names resolved, all power
// within bounds, unless it is made to tell. What had an error is not in it.
type Plan struct {
	Power     ship.PowerSet
	Phases    []PhasePlan
	Standing  ship.Standing
	Warp      bool
	Surrender []LastOrder
	Parts     []any // the orders of parts for the whole turn, each by its type
	Diags     []orders.Diagnostic
	Effects   []engine.Effect
	Spent     []tactical.Spending
	Unsure    Lost
}

// PhasePlan is the part of a plan that is for one phase.
type PhasePlan struct {
	Moves []MoveOrder
	Fires []FireOrder
	Parts []any // the orders of parts, each by its type
}

// In is what is ordered for a phase, by its index.
func (p *Plan) In(n int) PhasePlan {
	if n >= len(p.Phases) {
		return PhasePlan{}
	}
	return p.Phases[n]
}

// at is what is ordered for a phase, to be added to.
func (p *Plan) at(n int) *PhasePlan {
	for len(p.Phases) <= n {
		p.Phases = append(p.Phases, PhasePlan{})
	}
	return &p.Phases[n]
}

// Put gives a phase other orders.
func (p *Plan) Put(n int, other PhasePlan) {
	p.Phases = slices.Clone(p.Phases)
	*p.at(n) = other
}

// InPhase is a part's orders for a phase, to be added to.
func InPhase[T any](p *Plan, n int) *[]T { return ship.Edit[[]T](&p.at(n).Parts) }

// MoveOrder is one movement order of a phase.
type MoveOrder struct {
	board.Maneuver
	Line   int
	Text   string
	Words  []string
	Target engine.ShipID
	When   *orders.Cond
}

// FireOrder is one fire order of a phase.
type FireOrder struct {
	Line   int
	Text   string
	Shots  []Shot
	All    bool // by a group word: what cannot fire is left out without a word
	Target engine.ShipID
	When   *orders.Cond
}

// Shot is one mount.
type Shot struct{ Bank, Mount int }

// Lost tells of which orders of a set some may be missing, so that no mistake should
// be made of that.
type Lost struct {
	Move, Arms bool
	phases     []bool
}

// LostIn is what lines that were not understood may have said.
func LostIn(b *orders.Block, phases int) Lost {
	out := Lost{phases: make([]bool, phases)}
	g, _ := b.Group("power", 0)
	out.Arms = b.Faulty || g.Faulty
	out.Move = out.Arms && len(g.All("move")) == 0
	for n := range out.phases {
		g, _ := b.Group("phase", n+1)
		out.phases[n] = b.Faulty || g.Faulty
	}
	return out
}

// LastOrder is a captain's order to end his ship's fight, by blowing her up or by
// striking, after the fire of a phase.
type LastOrder struct {
	Line  int
	Text  string
	Phase int // from 1; 0 for any
	When  *orders.Cond
}

// armWant is what helm wants for a mount.
type armWant struct{ Bank, Mount, Power, shots int }

// shieldWant is what science wants for a shield.
type shieldWant struct{ Number, Points int }

// Wants is what helm and science want, in the order written.
type Wants struct {
	Arms    []armWant
	Shields []shieldWant
}

// Fit arms weapons and raises shields in the order written until the totals are used, and
// says what is left over. A mount that gets less power is armed for as many shots as it has a
// unit for, since each takes one (stcs 14.2).
func (w Wants) Fit(sys *ship.State, p *ship.PowerSet, o Totals) (arms, shields []string) {
	left := o.Weapons
	p.Armed, p.Shots, p.Weapons = map[string][]int{}, nil, 0
	for _, a := range w.Arms {
		b := &sys.Banks[a.Bank]
		power := min(a.Power, left)
		if !b.AnyPower() && power < a.Power {
			power = 0 // it is armed or it is not
		}
		shots := min(a.shots, power)
		if power < a.Power {
			left := fmt.Sprintf("%s gets %d of %d power", ship.MountName(b, a.Mount), power, a.Power)
			if power > 0 && shots < a.shots {
				left += fmt.Sprintf(", for %d of %d shots", shots, a.shots)
			}
			arms = append(arms, left)
		}
		if power == 0 {
			continue
		}
		if p.Armed[b.ID] == nil {
			p.Armed[b.ID] = make([]int, len(b.Mounts))
		}
		p.Armed[b.ID][a.Mount] += power
		if shots > 1 {
			p.ArmFor(b, a.Mount, shots)
		}
		p.Weapons += power
		left -= power
	}
	most := sys.Design.Shield.Points(o.Shields)
	p.ShieldPoints = make([]int, 6)
	for _, s := range w.Shields {
		points := min(s.Points, most)
		if points < s.Points {
			shields = append(shields, fmt.Sprintf("shield %d gets %d of %d points", s.Number, points, s.Points))
		}
		p.ShieldPoints[s.Number-1] += points
		most -= points
	}
	p.Shields = sys.Design.Shield.Cost(tactical.Sum(p.ShieldPoints))
	return arms, shields
}

// Totals are what the engineer gives to systems, in power units (stcs 22.2).
type Totals struct {
	Line                          int
	Text                          string
	Move, Weapons, Shields, Cloak int
	Given                         bool
}

// pointCount is a phase that has more or fewer movement words than points.
type pointCount struct {
	phase        int // index
	pos          orders.Pos
	points, used int
}

// figureWanted is what a condition asks of another ship that takes a question.
type figureWanted struct {
	pos      orders.Pos
	question string
}

// Asking is a question that a captain ordered for a sensors phase.
type Asking struct {
	Line     int
	Text     string
	Question string
	When     *orders.Cond
}

// CloakSwitch is an order to switch the cloak when a phase's movement is over.
type CloakSwitch struct {
	Line  int
	Text  string
	Phase int // the phase's index
	On    bool
	When  *orders.Cond
}

// CloakPlan is the part of a plan that is about the cloak.
type CloakPlan struct {
	Line  int
	Text  string
	Start string        // on, off or ready in the power phase; blank for as it was
	Later []CloakSwitch // that were ordered with the power
}

// CloakSwitches are the orders to switch the cloak when a phase's movement is over: those
// of the power first.
func (p *Plan) CloakSwitches(n int) []CloakSwitch {
	var out []CloakSwitch
	for _, o := range ship.Read[CloakPlan](p.Parts).Later {
		if o.Phase == n {
			out = append(out, o)
		}
	}
	return append(out, ship.Read[[]CloakSwitch](p.In(n).Parts)...)
}

// InForce is the order set of a ship that holds, made of those of all rounds so
// far, and what its phases are compiled with: the ship as it was when the power
// was allotted, so that it is all the same when a phase was written.
type InForce struct {
	Block *orders.Block
	Sys   *ship.State
	Last  string // the captain's set of the turn before
}
