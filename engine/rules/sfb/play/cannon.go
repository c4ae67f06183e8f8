package play

import (
	"cmp"
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
	"starpost/engine/tactical"
)

// The option for battery cannon instead of drone racks on a navy's ships (house 103.0), and its values.
const (
	OptionCannon = "cannon"
	CannonOff    = "off"
	CannonOn     = "on"
)

// FireCannon fires the remaining shots of splits, and then new orders.
func FireCannon(l *rulebook.Rules, t *engine.Turn) {
	n := memo(t)
	bursts := n.bursts
	n.bursts = nil
	for _, b := range bursts {
		s, ok := t.Game.Ship(b.ship)
		if !ok || s.Status != engine.Active {
			continue
		}
		why := ""
		switch sys := state.Of(s); {
		case state.Cloaked(s):
			why = shipCloaked
		case sys.Bank(b.weapon).Left == 0:
			why = "it is destroyed"
		}
		if why != "" {
			skipped(l, t, s, b.order, fmt.Sprintf("%s: %s, and %s of its split are not fired", state.Of(s).Bank(b.weapon).Name, why, phrase.Points(tactical.Sum(b.left))))
			continue
		}
		fireBurst(l, t, s, b)
	}
	for _, s := range state.Fighting(t.Game) {
		fires := orderedFire(l, t, s)
		for i := range fires {
			o := &fires[i]
			if !o.Cannon || o.On > 0 && o.On != t.Phase.No {
				continue
			}
			for _, w := range o.Weapons {
				why := cmp.Or(unready(l, t, s, w, 0), blocked(s, w, o.Along))
				switch {
				case why == "" && !judge(l, t, s, nil, o.When):
					why = "its condition did not come true"
				case why == "" && !payCannon(l, t, s, w, o):
					why = "there is no energy left for it"
				}
				if why != "" {
					withheld(l, t, s, o, w, why)
					continue
				}
				o.Done = append(o.Done, w)
				left := o.Split
				if len(left) == 0 {
					left = []int{l.Charts[state.Of(s).Bank(w).Kind].Shot.Points}
				}
				fireBurst(l, t, s, burst{s.ID, w, o.Along, left, o})
			}
		}
	}
}

// blocked returns why a cannon does not bear along a row; without arcs it bears on all six.
func blocked(s *engine.Ship, w int, along hex.Heading) string {
	b := state.Of(s).Bank(w)
	if rel := hex.Point(4 * ((int(along) - int(s.Heading) + 6) % 6)); b.Arcs != 0 && !b.Arcs.Bear(rel) {
		return "that row is out of its arc " + b.Arcs.String()
	}
	return ""
}

// payCannon pays a cannon's energy at the moment of fire. If a shot takes half an energy, the first one in a turn
// also pays for the second.
func payCannon(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, w int, o *rulebook.FireOrder) bool {
	n, halves := memo(t), l.Charts[state.Of(s).Bank(w).Kind].Shot.Halves
	if halves%2 == 1 && n.halves[s.ID] {
		n.halves[s.ID] = false
		halves--
	} else if halves%2 == 1 {
		n.halves[s.ID] = true
		halves++
	}
	return halves == 0 || payFrom(l, t, s, rulebook.ForCannon, halves/2, o.From, t.Ordered(s.ID, o.Line, o.Text))
}

// fireBurst fires the next shot of a split, and keeps the rest for later impulses.
func fireBurst(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, b burst) {
	bank := state.Of(s).Bank(b.weapon)
	name, short := craftName(l, t, s, "s")
	memo(t).launched[engine.ShipID(strings.ToLower(name))] = t.Because(t.Ordered(s.ID, b.order.Line, b.order.Text)).Emit(&state.Burst{
		Ship: s.ID, Weapon: bank.Name, Shot: name, Short: short, At: engine.Place{Hex: s.Hex, Heading: b.along},
		Flight: state.Flight{Kind: bank.Kind, Launched: state.Shot{Turn: t.Number(), Impulse: t.Phase.No}, Damage: b.left[0]},
	}, engine.SeeAll(), l.Cite(rulebook.OnCannon)...)
	b.left = b.left[1:]
	switch {
	case len(b.left) == 0:
	case t.Phase.No == l.Impulses:
		skipped(l, t, s, b.order, fmt.Sprintf("%s: the turn is over, and %s of its split are not fired", bank.Name, phrase.Points(tactical.Sum(b.left))))
	default:
		memo(t).bursts = append(memo(t).bursts, b)
	}
}

// flyShots moves cannon shots along their rows until they hit the first thing in their way. Came has the ships that
// left a hex in this impulse.
func flyShots(l *rulebook.Rules, t *engine.Turn, came map[engine.ShipID]engine.Place) {
	for _, d := range t.Game.Ships {
		if d.Kind != engine.KindShot || d.Status != engine.Active {
			continue
		}
		f := state.Of(d).Flight
		shot, age := l.Charts[f.Kind].Shot, since(l, f.Launched, t)
		from := engine.Place{Hex: d.Hex, Heading: d.Heading}
		cause := memo(t).launched[d.ID]
		if hit := inWay(l, t.Game, d.Hex); hit != nil && age > 1 {
			if _, moved := came[hit.ID]; moved || hit.Small() {
				shotHits(l, t, d, hit, 0, from, cause)
				continue
			}
		}
		to, last, flown := from, from, 0
		var hit *engine.Ship
		space, off := space(l, t), false
		for flown < shot.Pace && hit == nil && !off {
			flown++
			last, to.Hex = to, to.Hex.Step(to.Heading)
			hit, off = inWay(l, t.Game, to.Hex), space.Off(to.Hex)
		}
		t.Because(cause).Emit(&engine.Move{Ship: d.ID, Word: fmt.Sprintf("F%d", flown), Cost: flown, From: from, To: to}, engine.SeeAll(), l.Cite(rulebook.OnCannon)...)
		dark.In(t).Look(d)
		switch {
		case hit != nil:
			side, _ := steering.Facing(engine.Place{Hex: hit.Hex, Heading: hit.Heading}, last.Hex)
			shotHits(l, t, d, hit, side, last, t.Last())
		case space.Closed[to.Hex] != "":
			t.Out(d, engine.Left, "it strikes the "+space.Closed[to.Hex], nil, l.Cite(rulebook.OnCannon, rulebook.OnObstacles)...)
		case off:
			t.Out(d, engine.Left, "it is off the map", nil, l.Cite(rulebook.OnCannon)...)
		case age >= shot.Life:
			t.Out(d, engine.Left, "it is spent", nil, l.Cite(rulebook.OnCannon)...)
		}
	}
}

// inWay returns what a shot hits in a hex, ships before drones, or nil. Hidden ships and plasma are not hit.
func inWay(l *rulebook.Rules, g *engine.Game, h hex.Hex) (found *engine.Ship) {
	for _, s := range g.Ships {
		switch {
		case s.Hex != h || !s.OnMap():
		case !s.Small() && fair(s) && !Hidden(&l.Book, g, s):
			return s
		case (s.Kind == engine.KindDrone || state.IsCraft(s)) && found == nil:
			found = s
		}
	}
	return found
}

// shotHits makes a shot hit a side of a ship, or a drone.
func shotHits(l *rulebook.Rules, t *engine.Turn, d, target *engine.Ship, side int, from engine.Place, came engine.Ref) {
	if !target.Small() {
		strike(l, t, d, target, side, since(l, state.Of(d).Flight.Launched, t), from, came)
		return
	}
	f, did := state.Of(target).Flight, state.Of(d).Flight.Damage
	hit := t.Because(came).Emit(&state.Strike{Ship: d.ID, Target: target.ID, Points: did}, engine.SeeAll(), l.Cite(rulebook.OnCannon)...)
	t.Because(hit).Emit(&state.Hurt{Ship: target.ID, Before: f.Points, After: max(0, f.Points-did)}, engine.SeeAll(), l.Cite(rulebook.OnCannon, rulebook.OnDrones)...)
}

// StraightOn returns where a ship will be after an impulse if she goes straight on from impulse begun.
func StraightOn(l *rulebook.Rules, s *engine.ShipView, begun, impulse int) hex.Hex {
	at := s.Stands()
	known, ok := state.OpenOf(s)
	if !ok {
		return at.Hex
	}
	for i := begun; i <= impulse; i++ {
		at.Hex = at.Hex.StepN(at.Heading, l.Moves(known.Speed, i))
	}
	return at.Hex
}
