package sfb

import (
	"cmp"
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
	"starpost/engine/tactical"
)

// Whether a navy's ships have battery cannon in place of drone racks (house 103.0): the option and
// its values.
const (
	optionCannon = "cannon"
	cannonOff    = "off"
	cannonOn     = "on"
)

// fireCannon fires what is left of splits, and then what is ordered.
func (l *rulebook) fireCannon(t *engine.Turn) {
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
			l.skipped(t, s, b.order, fmt.Sprintf("%s: %s, and %s of its split are not fired", state.Of(s).Bank(b.weapon).Name, why, phrase.Points(tactical.Sum(b.left))))
			continue
		}
		l.fireBurst(t, s, b)
	}
	for _, s := range state.Fighting(t.Game) {
		fires := l.orderedFire(t, s)
		for i := range fires {
			o := &fires[i]
			if !o.cannon || o.on > 0 && o.on != t.Phase.No {
				continue
			}
			for _, w := range o.weapons {
				why := cmp.Or(l.unready(t, s, w, 0), l.blocked(s, w, o.along))
				switch {
				case why == "" && !l.judge(t, s, nil, o.when):
					why = "its condition did not come true"
				case why == "" && !l.payCannon(t, s, w, o):
					why = "there is no energy left for it"
				}
				if why != "" {
					l.withheld(t, s, o, w, why)
					continue
				}
				o.done = append(o.done, w)
				left := o.split
				if len(left) == 0 {
					left = []int{l.Charts[state.Of(s).Bank(w).Kind].Shot.Points}
				}
				l.fireBurst(t, s, burst{s.ID, w, o.along, left, o})
			}
		}
	}
}

// blocked tells why a cannon does not bear along a row; one without arcs bears on all six.
func (l *rulebook) blocked(s *engine.Ship, w int, along hex.Heading) string {
	b := state.Of(s).Bank(w)
	if rel := hex.Point(4 * ((int(along) - int(s.Heading) + 6) % 6)); b.Arcs != 0 && !b.Arcs.Bear(rel) {
		return "that row is out of its arc " + b.Arcs.String()
	}
	return ""
}

// payCannon takes the energy for a cannon at the moment; of what takes half an energy the second
// one in a turn is paid by the first.
func (l *rulebook) payCannon(t *engine.Turn, s *engine.Ship, w int, o *fireOrder) bool {
	n, halves := memo(t), l.Charts[state.Of(s).Bank(w).Kind].Shot.Halves
	if halves%2 == 1 && n.halves[s.ID] {
		n.halves[s.ID] = false
		halves--
	} else if halves%2 == 1 {
		n.halves[s.ID] = true
		halves++
	}
	return halves == 0 || l.payFrom(t, s, forCannon, halves/2, o.from, t.Ordered(s.ID, o.line, o.text))
}

// fireBurst fires the next shot of a split, and keeps the rest for the impulses after it.
func (l *rulebook) fireBurst(t *engine.Turn, s *engine.Ship, b burst) {
	bank := state.Of(s).Bank(b.weapon)
	name, short := l.craftName(t, s, "s")
	memo(t).launched[engine.ShipID(strings.ToLower(name))] = t.Because(t.Ordered(s.ID, b.order.line, b.order.text)).Emit(&state.Burst{
		Ship: s.ID, Weapon: bank.Name, Shot: name, Short: short, At: engine.Place{Hex: s.Hex, Heading: b.along},
		Flight: state.Flight{Kind: bank.Kind, Launched: state.Shot{Turn: t.Number(), Impulse: t.Phase.No}, Damage: b.left[0]},
	}, engine.SeeAll(), l.cite(onCannon)...)
	b.left = b.left[1:]
	switch {
	case len(b.left) == 0:
	case t.Phase.No == l.Impulses:
		l.skipped(t, s, b.order, fmt.Sprintf("%s: the turn is over, and %s of its split are not fired", bank.Name, phrase.Points(tactical.Sum(b.left))))
	default:
		memo(t).bursts = append(memo(t).bursts, b)
	}
}

// flyShots moves the shots of cannon along their rows, until they hit what is first on their
// hexes. Came are the ships that have left a hex in this impulse.
func (l *rulebook) flyShots(t *engine.Turn, came map[engine.ShipID]engine.Place) {
	for _, d := range t.Game.Ships {
		if d.Kind != engine.KindShot || d.Status != engine.Active {
			continue
		}
		f := state.Of(d).Flight
		shot, age := l.Charts[f.Kind].Shot, l.since(f.Launched, t)
		from := engine.Place{Hex: d.Hex, Heading: d.Heading}
		cause := memo(t).launched[d.ID]
		if hit := l.inWay(t.Game, d.Hex); hit != nil && age > 1 {
			if _, moved := came[hit.ID]; moved || hit.Small() {
				l.shotHits(t, d, hit, 0, from, cause)
				continue
			}
		}
		to, last, flown := from, from, 0
		var hit *engine.Ship
		space, off := l.space(t), false
		for flown < shot.Pace && hit == nil && !off {
			flown++
			last, to.Hex = to, to.Hex.Step(to.Heading)
			hit, off = l.inWay(t.Game, to.Hex), space.Off(to.Hex)
		}
		t.Because(cause).Emit(&engine.Move{Ship: d.ID, Word: fmt.Sprintf("F%d", flown), Cost: flown, From: from, To: to}, engine.SeeAll(), l.cite(onCannon)...)
		dark.In(t).Look(d)
		switch {
		case hit != nil:
			side, _ := steering.Facing(engine.Place{Hex: hit.Hex, Heading: hit.Heading}, last.Hex)
			l.shotHits(t, d, hit, side, last, t.Last())
		case space.Closed[to.Hex] != "":
			t.Out(d, engine.Left, "it strikes the "+space.Closed[to.Hex], nil, l.cite(onCannon, onObstacles)...)
		case off:
			t.Out(d, engine.Left, "it is off the map", nil, l.cite(onCannon)...)
		case age >= shot.Life:
			t.Out(d, engine.Left, "it is spent", nil, l.cite(onCannon)...)
		}
	}
}

// inWay is what a shot hits in a hex, a ship before a drone; nil for nothing. Ships that are off
// the map and plasma are not hit.
func (l *rulebook) inWay(g *engine.Game, h hex.Hex) (found *engine.Ship) {
	for _, s := range g.Ships {
		switch {
		case s.Hex != h || !s.OnMap():
		case !s.Small() && l.fair(s) && !l.hidden(g, s):
			return s
		case (s.Kind == engine.KindDrone || state.IsCraft(s)) && found == nil:
			found = s
		}
	}
	return found
}

// shotHits has a shot hit a side of a ship, or a drone.
func (l *rulebook) shotHits(t *engine.Turn, d, target *engine.Ship, side int, from engine.Place, came engine.Ref) {
	if !target.Small() {
		l.strike(t, d, target, side, l.since(state.Of(d).Flight.Launched, t), from, came)
		return
	}
	f, did := state.Of(target).Flight, state.Of(d).Flight.Damage
	hit := t.Because(came).Emit(&state.Strike{Ship: d.ID, Target: target.ID, Points: did}, engine.SeeAll(), l.cite(onCannon)...)
	t.Because(hit).Emit(&state.Hurt{Ship: target.ID, Before: f.Points, After: max(0, f.Points-did)}, engine.SeeAll(), l.cite(onCannon, onDrones)...)
}

// straightOn is where a ship will be after an impulse if she goes on as she does before another.
func (l *rulebook) straightOn(s *engine.ShipView, begun, impulse int) hex.Hex {
	at := s.Stands()
	known, ok := state.OpenOf(s)
	if !ok {
		return at.Hex
	}
	for i := begun; i <= impulse; i++ {
		at.Hex = at.Hex.StepN(at.Heading, l.moves(known.Speed, i))
	}
	return at.Hex
}
