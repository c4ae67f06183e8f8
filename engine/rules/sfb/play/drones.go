package play

import (
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
)

// fly moves the drones, each a hex nearer to its target, and makes those that reach it strike (cadet drones). Before
// has the former places of the ships that moved in this impulse.
func fly(l *rulebook.Rules, t *engine.Turn, before map[engine.ShipID]engine.Place) {
	for _, d := range state.Drones(t.Game) {
		f := state.Of(d).Flight
		target := sought(t.Game, d)
		from := engine.Place{Hex: d.Hex, Heading: d.Heading}
		_, came := before[f.Target]
		switch {
		case target == nil || !fair(target) || d.Kind == engine.KindDrone && Hidden(&l.Book, t.Game, target) || losesSight(l, t, d, target):
			t.Out(d, engine.Left, "its target is gone", nil, l.Cite(topicOf(f))...)
			continue
		case target.Hex == d.Hex && came: // the target has moved into its hex
			flown := Flown(&l.Book, f, since(l, f.Launched, t)-1)
			if Does(l, f, flown) <= 0 { // phasers destroyed the rest of its warhead
				t.Out(d, engine.Left, "it is burnt out", nil, l.Cite(topicOf(f))...)
				continue
			}
			strike(l, t, d, target, 0, flown, from, memo(t).launched[d.ID])
			continue
		}
		last := Flown(&l.Book, f, since(l, f.Launched, t))
		for flown := Flown(&l.Book, f, since(l, f.Launched, t)-1) + 1; flown <= last && d.Status == engine.Active; flown++ {
			flyOne(l, t, d, target, flown)
		}
	}
}

// flyOne moves a drone or torpedo one hex; flown counts its hexes, including this one.
func flyOne(l *rulebook.Rules, t *engine.Turn, d, target *engine.Ship, flown int) {
	f := state.Of(d).Flight
	from := engine.Place{Hex: d.Hex, Heading: d.Heading}
	space := space(l, t)
	word, dodges := known(l, t, d).Course(from, target.Hex, flown > 1)
	to := steering.Step(from, word)
	cites := l.Cite(topicOf(f))
	if dodges || space.Closed[to.Hex] != "" {
		cites = l.Cite(topicOf(f), rulebook.OnObstacles)
	}
	t.Because(memo(t).launched[d.ID]).Emit(&engine.Move{Ship: d.ID, Word: word, Cost: 1, From: from, To: to}, engine.SeeAll(), cites...)
	dark.In(t).Look(d)
	switch {
	case space.Closed[to.Hex] != "":
		t.Out(d, engine.Left, "it strikes the "+space.Closed[to.Hex], nil, cites...)
	case Does(l, f, flown) <= 0:
		t.Out(d, engine.Left, "it is burnt out", nil, l.Cite(topicOf(f))...)
	case to.Hex == target.Hex:
		side, _ := steering.Facing(engine.Place{Hex: target.Hex, Heading: target.Heading}, from.Hex)
		came := t.Last()
		strike(l, t, d, target, meet(l, t, d, target, side), flown, from, came)
	case f.Kind == "" && flown >= l.Drone.Life || f.Kind != "" && Does(l, f, flown+1) <= 0:
		t.Out(d, engine.Left, "it is burnt out", nil, l.Cite(topicOf(f))...)
	case t.Game.Bounds != nil && !t.Game.Bounds.Contains(to.Hex):
		t.Out(d, engine.Left, "it is off the map", nil, l.Cite(topicOf(f))...)
	}
}

// Flown returns how many hexes a drone or torpedo flies in a number of impulses.
func Flown(b *rulebook.Book, f *state.Flight, impulses int) int {
	chart := b.Charts[f.Kind]
	return impulses * max(1, chart.Pace)
}

// Does returns the damage of a drone or torpedo after a number of hexes: two points of phasers take one from plasma
// (cadet plasma).
func Does(l *rulebook.Rules, f *state.Flight, flown int) int {
	if f.Kind == "" || f.Kind.Cannon() {
		return f.Damage
	}
	chart := l.Charts[f.Kind]
	return chart.Warhead(flown) - (2*f.Damage-f.Points)/2
}

// strike makes a drone from a place hit a side of its target, 0 to 5.
func strike(l *rulebook.Rules, t *engine.Turn, d, target *engine.Ship, side, flown int, from engine.Place, came engine.Ref) {
	f := state.Of(d).Flight
	b, cites := &state.Strike{Ship: d.ID, Target: target.ID, Shield: side + 1, Points: Does(l, f, flown)}, l.Cite(topicOf(f))
	if flown != since(l, f.Launched, t) {
		b.Flown = flown
	}
	if state.Cloaked(target) && l.Cloak.Miss > 0 {
		cites = l.Cite(topicOf(f), rulebook.OnCloak)
		b.Roll = t.Roll(engine.NameRoll("cloak", target.ID, d.ID), dice.D6, engine.SeeAll(), cites...)
		if b.Points /= 2; b.Roll <= l.Cloak.Miss {
			b.Points = 0
		}
	}
	if hit := t.Because(came).Emit(b, engine.SeeAll(), cites...); b.Points > 0 && !dark.IsEcho(target) { // reports about an echo are as false as the echo
		inflict(l, t, target, side, b.Points, flightSource(d, from.Hex), hit)
	}
}

// launches carries out the orders to launch, before any fire (cadet drones).
func launches(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range state.Fighting(t.Game) {
		for i := range orderedFire(l, t, s) {
			o := &orderedFire(l, t, s)[i]
			if !o.Launch || o.On > 0 && o.On != t.Phase.No {
				continue
			}
			target := aim(l, t.Game, s, o.Target)
			for _, w := range o.Weapons {
				why := cannotLaunch(l, t, s, w, target)
				if why == "" && !judge(l, t, s, target, o.When) {
					continue
				}
				if why == "" {
					launch(l, t, s, w, target, o)
					o.Done = append(o.Done, w)
				} else {
					withheld(l, t, s, o, w, why)
				}
			}
		}
	}
}

// cannotLaunch returns why a rack cannot launch at a target now, or "".
func cannotLaunch(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, w int, target *engine.Ship) string {
	sys := state.Of(s)
	weapon, b := &sys.Weapons[w], sys.Bank(w)
	switch why := silenced(s, w); {
	case why != "":
		return why
	case b.Kind.Rack() && weapon.Drones == 0:
		return "no drone is left in it"
	case weapon.Armed < l.Charts[b.Kind].Turns:
		return "it is not armed"
	case forPhasers(sys) < b.Kind.Shot():
		return "the capacitors are empty"
	case weapon.Fired.Turn == t.Number() || tooSoon(l, weapon, t):
		return "it launched too short a time ago"
	case target == nil:
		return "there is no such ship on the map now"
	case target.Hex == s.Hex:
		return "the target is in the same hex"
	}
	if p, _ := hex.Bearing(s.Hex, target.Hex); !b.Kind.Rack() && !b.Arcs.Bear(p.Relative(s.Heading)) {
		return "the target is out of its arc " + b.Arcs.String()
	}
	return ""
}

// launch puts a drone on the map, headed for its target.
func launch(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, w int, target *engine.Ship, o *rulebook.FireOrder) {
	at := headed(engine.Place{Hex: s.Hex, Heading: s.Heading}, target.Hex)
	b := state.Of(s).Bank(w)
	drawForPhasers(l, t, s, b.Kind.Shot(), o.Cause(t, s.ID))
	letter := "d"
	flight := state.Flight{Target: target.ID, Launched: state.Shot{Turn: t.Number(), Impulse: t.Phase.No}, Points: l.Drone.Points, Damage: l.Drone.Damage}
	if !b.Kind.Rack() {
		chart := l.Charts[b.Kind]
		letter = "p"
		flight.Kind, flight.Damage = b.Kind, chart.Warhead(0)
		flight.Points = 2 * flight.Damage
	}
	name, short := craftName(l, t, s, letter)
	memo(t).launched[engine.ShipID(strings.ToLower(name))] = t.Because(o.Cause(t, s.ID)).Emit(&state.Launch{
		Ship: s.ID, Weapon: b.Name, Drone: name, Short: short, Target: target.ID, At: at, Flight: flight,
	}, engine.SeeAll(), l.Cite(topicOf(&flight))...)
}

// headed returns a place with the heading nearest to a hex.
func headed(at engine.Place, to hex.Hex) engine.Place {
	at.Heading = steering.Toward(at, to, 0)
	return at
}

// meet turns a ship that is about to be hit, so that the shield of her captain's choice takes the hit, and returns
// the side that does. At most once an impulse, she turns by one side if she may turn before her next hex, or freely
// if she is stopped (house 200.1, ruling R19).
func meet(l *rulebook.Rules, t *engine.Turn, d, s *engine.Ship, side int) int {
	n, sys := memo(t), state.Of(s)
	if !l.Meets || dark.IsEcho(s) || sys.Standing.Choose == "" || n.met[s.ID] == t.Phase.No || !sys.Controlled() || !whole(l, t.Game, s, d) {
		return side
	}
	turns, h := []int{-1, 1}, n.helm(s)
	switch {
	case sys.Speed == 0:
		turns = append(turns, -2, 2, 3)
	case h.straight < sys.StraightAt(sys.Speed) || sys.Held != "" || sys.Stopped(h.moved):
		return side
	}
	best, by := side, 0
	for _, turn := range turns {
		if other := (side - turn + 6) % 6; sys.Prefers(other, best) {
			best, by = other, turn
		}
	}
	if by == 0 {
		return side
	}
	n.met[s.ID] = t.Phase.No
	turned := t.Because(t.OrderedIn(s.ID, "standing", "choose")).Emit(&state.Facing{Ship: s.ID, Heading: s.Heading.Turn(by)}, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnMeeting)...)
	if h.straight > 0 && sys.Speed > 0 {
		h.straight = 0
		t.Because(turned).Emit(&state.Helm{Ship: s.ID, Straight: 0}, seenBy(&l.Book, t.Game, s), l.Cite(rulebook.OnMeeting)...)
	}
	return best
}
