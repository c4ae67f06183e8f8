package robot

import (
	"slices"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// Plain returns the orders of a plain, sensible captain: close with the nearest enemy with the
// strongest shield towards it, arm what will bear, and fire at good odds, choosier early in the
// turn than late. A ship that its side's goal wants off the map runs for that edge instead; one
// without a weapon that could ever fire again leaves the battle, unless a goal needs it there.
func (l *Rules) Plain(v *engine.View, id engine.ShipID) (set orders.Set) {
	s, sys, ok := ship.Own(v, id)
	if !ok || s.Hex == nil {
		return nil
	}
	foe := v.Nearest(s)
	if edge, wanted := v.WayOut(id); wanted && v.Bounds != nil {
		return l.runFor(v, s, sys, foe, edge)
	}
	task := dark.TaskOf(v, s, sys.Labs().Boxes)
	if len(task.Orders) > 0 {
		set.Add("", 0, task.Orders...)
	}
	if foe == nil && v.Dark {
		return slices.Concat(set, l.lookFor(v, s, sys, task))
	}
	if foe == nil {
		return l.Book.Template(v, id)
	}
	r := &pilot{Rules: l, View: v, Ship: s, State: sys, Foe: foe, rng: board.Distance(s, foe)}
	if !r.armedShip() {
		return slices.Concat(awayOrder(v, s, sys), l.Book.Template(v, id))
	}
	r.face()
	power := r.power()
	set.Append(ship.PowerOrders(sys, power))
	for n, points := range l.Split.Points(power.Points) {
		set.Add("phase", n+1)
		if points > 0 {
			set.Say("phase", n+1, "pursue", foe.Name, "to", r.want(), "showing", r.Shown)
		}
		if len(power.Armed) > 0 {
			set.Say("phase", n+1, "fire all at", foe.Name, AtOdds(l.Odds.Plain[n]))
		}
	}
	return slices.Concat(set, l.Book.OfferStanding(v, s, sys, standing(v, s, sys)))
}

// pilot is what a robot knows and decides for a ship.
type pilot struct {
	Rules *Rules
	View  *engine.View
	Ship  *engine.ShipView
	State *ship.State      // of the ship, less the power already reserved
	Foe   *engine.ShipView // the enemy to fight; nil for none
	Shown int              // number of the shield to turn to the enemy

	rng int // range to the enemy
}

// armedShip reports whether any weapon could still be used.
func (r *pilot) armedShip() bool {
	return slices.ContainsFunc(r.State.Banks, func(b ship.Bank) bool {
		return slices.ContainsFunc(b.Mounts, func(m ship.Mount) bool {
			return !m.Destroyed && r.Rules.Book.Usable(&b) && (b.AnyPower() || b.Arm <= r.State.Power)
		})
	})
}

// want returns the range to fight at: the longest at which the ship's weapons still do three
// quarters of their best, so that the enemy's do as little as possible. It varies from turn to
// turn, since two ships that stand still may do so where few weapons bear, and in a long fight
// the robot comes closer.
func (r *pilot) want() int {
	if r.Foe != nil && r.Foe.Side == "" && dark.SureOfFriends(r.View, r.Ship) > 0 {
		return r.Ship.Reach.Full // near enough to identify the other ship
	}
	const nearest, farthest = 3, 12
	best, d := r.value(nearest), farthest
	for d > nearest && 4*r.value(d) < 3*best {
		d--
	}
	return max(2, d+r.View.Due%2-max(0, r.View.Due-6)/3)
}

// value returns the expected damage of all working weapons at a range, times ten.
func (r *pilot) value(d int) int {
	total := 0
	for i := range r.State.Banks {
		b := &r.State.Banks[i]
		for _, m := range b.Mounts {
			if !m.Destroyed && r.Rules.Book.Usable(b) {
				total += r.Rules.ToHit(b.Chart, d) * b.Punch(d)
			}
		}
	}
	return total
}

// face chooses the shield to show: of those without generator damage, the one over which most
// weapons bear.
func (r *pilot) face() {
	if r.State.Outpost() && r.Foe != nil && r.rng > 0 { // an outpost cannot turn another shield to the enemy
		r.Shown, _ = r.Rules.Facing(engine.Place{Hex: *r.Ship.Hex, Heading: *r.Ship.Heading}, *r.Foe.Hex)
		return
	}
	r.Shown = r.Rules.Ahead()
	best := -1
	for _, n := range r.Rules.Foremost() {
		if r.State.Shields[n-1].Down {
			continue
		}
		if w := r.weight(n); w > best {
			best, r.Shown = w, n
		}
	}
}

// weight returns the punch of the working weapons that bear over the middle of a shield.
func (r *pilot) weight(shield int) int {
	at := engine.Place{}
	to := at.Hex.StepN(hex.Heading(r.Rules.Ring.Side(shield)), 4)
	total := 0
	for i := range r.State.Banks {
		b := &r.State.Banks[i]
		if _, ok := b.Bears(r.Rules.Library, at, to); !ok || !r.Rules.Book.Usable(b) {
			continue
		}
		for _, m := range b.Mounts {
			if !m.Destroyed {
				total += max(b.Max, b.Damage, b.Arm)
			}
		}
	}
	return total
}

// power splits the turn's power: enough movement to close, weapons that will bear over the shown
// shield, and shields, the shown one first.
func (r *pilot) power() ship.Settings {
	sys := r.State
	set := ship.Settings{Shields: make([]int, 6), Armed: map[int][]int{}}
	inReach := r.rng - len(board.Way(engine.Place{}, r.Rules.straight()))*r.Rules.MovementPoints(sys, sys.Power/2)
	far := true
	for i := range sys.Banks {
		far = far && inReach > r.Rules.Reach(sys.Banks[i].Chart)
	}
	switch {
	case far:
		set.Points = r.Rules.MovementPoints(sys, sys.Power*3/4)
		set = sys.Pin(set)
		ship.Raise(sys, &set, r.Rules.Ring.Nearest(r.Shown), sys.Power)
		return set
	case r.rng > 8:
		set.Points = r.Rules.MovementPoints(sys, sys.Power*2/5)
	default:
		set.Points = min(max(r.Rules.Split.Phases(), r.Rules.MovementPoints(sys, sys.Power/4)), r.Rules.MovementPoints(sys, sys.Power/2))
	}
	set = sys.Pin(set)
	budget := sys.Power - sys.Design.Move.Cost(set.Points)
	screen := budget / 2 // kept for shields
	Arm(sys, &set, r.byPunch(), screen)
	ship.Raise(sys, &set, r.Rules.Ring.Nearest(r.Shown), sys.Power)
	return set
}

// Arm puts power into the weapons of some banks in order, reserving the power of screen for shields.
func Arm(sys *ship.State, set *ship.Settings, banks []int, screen int) {
	for _, i := range banks {
		b := &sys.Banks[i]
		for m, mt := range b.Mounts {
			want := b.Arm
			if b.AnyPower() {
				want = min(b.Most(m), sys.Power-screen-set.Cost(sys))
			}
			if mt.Destroyed || want < 1 || set.Cost(sys)+want > sys.Power-screen && set.Cost(sys) > sys.Design.Move.Cost(set.Points) {
				continue
			}
			if set.Cost(sys)+want > sys.Power {
				continue
			}
			if set.Armed[i] == nil {
				set.Armed[i] = make([]int, len(b.Mounts))
			}
			set.Armed[i][m] = want
		}
	}
}

// byPunch returns the banks that bear over the shown shield, the best damage for its power
// first.
func (r *pilot) byPunch() []int {
	at := engine.Place{}
	to := at.Hex.StepN(hex.Heading(r.Rules.Ring.Side(r.Shown)), 4)
	d := min(max(r.want(), 1), r.rng)
	var out []int
	worth := map[int]int{}
	for i := range r.State.Banks {
		b := &r.State.Banks[i]
		if _, ok := b.Bears(r.Rules.Library, at, to); !ok || !r.Rules.Book.Usable(b) {
			continue
		}
		worth[i] = r.Rules.ToHit(b.Chart, d) * b.Punch(d) * 10 / max(1, max(b.Max, b.Arm))
		if worth[i] > 0 {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return worth[b] - worth[a] })
	return out
}

// awayOrder returns the order to leave the battle, if the ship can and no goal of its side needs it there.
func awayOrder(v *engine.View, s *engine.ShipView, sys *ship.State) orders.Set {
	switch h := sys.Helm(); {
	case sys.Outpost(), v.Needs(s):
		return nil
	case h.Warp > 0 && h.Warp == h.Top:
		return orders.Set{{Orders: []orders.Order{orders.Say("warp -1")}}}
	}
	return orders.Set{{Orders: []orders.Order{orders.Say("warp +1")}}}
}
