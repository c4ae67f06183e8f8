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

// Plan is an order set ready to be carried out: all names are resolved and, unless it is
// compiled with tell, all power is within bounds. Orders with errors are not in it.
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

// In returns the orders for a phase, by its index.
func (p *Plan) In(n int) PhasePlan {
	if n >= len(p.Phases) {
		return PhasePlan{}
	}
	return p.Phases[n]
}

// at returns the orders for a phase, to be added to.
func (p *Plan) at(n int) *PhasePlan {
	for len(p.Phases) <= n {
		p.Phases = append(p.Phases, PhasePlan{})
	}
	return &p.Phases[n]
}

// Put replaces the orders for a phase.
func (p *Plan) Put(n int, other PhasePlan) {
	p.Phases = slices.Clone(p.Phases)
	*p.at(n) = other
}

// InPhase returns a part's orders for a phase, to be added to.
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
	All    bool // by a group word: weapons that cannot fire are left out silently
	Target engine.ShipID
	When   *orders.Cond
}

// Shot is one mount.
type Shot struct{ Bank, Mount int }

// Lost says which orders of a set may be missing, so that their absence is not treated as
// a mistake.
type Lost struct {
	Move, Arms bool
	phases     []bool
}

// LostIn returns what the lines that were not understood may have said.
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

// LastOrder is a captain's order to end a ship's fight, by self-destruction or surrender,
// after the fire of a phase.
type LastOrder struct {
	Line  int
	Text  string
	Phase int // from 1; 0 for any
	When  *orders.Cond
}

// armWant is the power that the helm wants for a mount.
type armWant struct{ Bank, Mount, Power, shots int }

// shieldWant is the points that science wants for a shield.
type shieldWant struct{ Number, Points int }

// Wants is what the helm and science want, in the order written.
type Wants struct {
	Arms    []armWant
	Shields []shieldWant
}

// Fit arms weapons and raises shields in the order written until the totals are used, and
// returns what went short, in words. A mount that gets less power is armed for no more shots
// than it has units, since each shot takes one (stcs 14.2).
func (w Wants) Fit(sys *ship.State, p *ship.PowerSet, o Totals) (arms, shields []string) {
	left := o.Weapons
	p.Armed, p.Shots, p.Weapons = map[string][]int{}, nil, 0
	for _, a := range w.Arms {
		b := &sys.Banks[a.Bank]
		power := min(a.Power, left)
		if !b.AnyPower() && power < a.Power {
			power = 0 // it takes its whole power or none
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

// Totals is what the engineer allots to systems, in power units (stcs 22.2).
type Totals struct {
	Line                          int
	Text                          string
	Move, Weapons, Shields, Cloak int
	Given                         bool
}

// pointCount is a phase with more or fewer movement words than points.
type pointCount struct {
	phase        int // index
	pos          orders.Pos
	points, used int
}

// figureWanted is a condition on a figure of another ship, which only a question can answer.
type figureWanted struct {
	pos      orders.Pos
	question string
}

// Asking is a sensor question ordered for a phase.
type Asking struct {
	Line     int
	Text     string
	Question string
	When     *orders.Cond
}

// CloakSwitch is an order to switch the cloak after a phase's movement.
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
	Start string        // on, off or ready in the power phase; "" for unchanged
	Later []CloakSwitch // switches ordered in the power section
}

// CloakSwitches returns the orders to switch the cloak after a phase's movement, those of
// the power section first.
func (p *Plan) CloakSwitches(n int) []CloakSwitch {
	var out []CloakSwitch
	for _, o := range ship.Read[CloakPlan](p.Parts).Later {
		if o.Phase == n {
			out = append(out, o)
		}
	}
	return append(out, ship.Read[[]CloakSwitch](p.In(n).Parts)...)
}

// InForce is the order set of a ship that holds, merged from those of all rounds so far, and
// what its phases are compiled with: the ship as she was when power was allotted, so that it
// does not matter when a phase was written.
type InForce struct {
	Block *orders.Block
	Sys   *ship.State
	Last  string // the captain's set of the previous turn
}
