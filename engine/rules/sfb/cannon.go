package sfb

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/family"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/phrase"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/steering"
	"starpost/engine/tactical"
	"starpost/orders"
)

// Whether a navy's ships have battery cannon in place of drone racks (house 103.0): the option and
// its values.
const (
	optionCannon = "cannon"
	cannonOff    = "off"
	cannonOn     = "on"
)

// cannonPart is battery cannon.
var cannonPart = part{
	has:   func(b *Book) bool { return b.Charts[sheet.PrimaryCannon].Shot.Pace > 0 },
	verbs: func(*Book) (power, phase []orders.Verb) { return nil, nil },
	params: map[string]orders.Param{
		"HEADING": {Class: orders.Choice, Choices: strings.Split("A B C D E F", " "), Doc: "a direction on the map, A to F: A is up, then clockwise"},
		"PART":    {Class: orders.Number, Doc: "points of a shot"},
		"SOURCE":  {Class: orders.Choice, Choices: []string{fromPool, fromCapacitors, fromReserve, fromBatteries}, Doc: "what pays for it: the movement pool, the capacitors, the reserve or the batteries"},
	},
	act: func(l *rulebook, t *engine.Turn) { l.fireCannon(t) },
	events: []event{family.Own("burst", told[state.Burst]{
		Tell: says(func(_ *rulebook, v *engine.View, b *state.Burst) string {
			return fmt.Sprintf("%s fires %s along %s: %s, %s", v.Name(b.Ship), b.Weapon, b.At.Heading, b.Shot, phrase.Points(b.Flight.Damage))
		}),
		Why: func(l *rulebook, _ *engine.Story, _ int, b *state.Burst) []string {
			shot := l.Charts[b.Flight.Kind].Shot
			return []string{fmt.Sprintf("a %s fires %s in all, split as its captain likes, a shot an impulse; each flies straight on, %s an impulse for %d impulses, from the next one on", b.Flight.Kind.Title(), phrase.Points(shot.Points), phrase.Hexes(shot.Pace), shot.Life)}
		},
	})},
}

// alongForms are the forms of an order to fire cannon.
func alongForms() []orders.Form {
	return []orders.Form{
		"fire WEAPON... along HEADING split PART... from SOURCE... [on IMPULSE]", "fire WEAPON... along HEADING split PART... [on IMPULSE]",
		"fire WEAPON... along HEADING from SOURCE... [on IMPULSE]", "fire WEAPON... along HEADING [on IMPULSE]",
	}
}

// along compiles where cannon are to fire, and how their shots are split; false for what cannot
// be, which has been told.
func (c *compiler) along(f *fireOrder, a orders.Arg, st orders.Statement) bool {
	f.cannon = true
	f.along, _ = hex.ParseHeading(a.Text)
	for _, part := range st.All("PART") {
		if part.Num == 0 {
			c.fail(part.Pos, "E227", "leave it out", "a shot has a point at least")
			return false
		}
		f.split = append(f.split, part.Num)
	}
	f.from = sourcesOf(st)
	sum := tactical.Sum(f.split)
	f.weapons = slices.DeleteFunc(f.weapons, func(w int) bool {
		b := c.sys.Bank(w)
		whole := c.book.Charts[b.Kind].Shot.Points
		switch {
		case !b.Kind.Cannon():
			c.fail(st.Pos, "E228", "fire "+b.Name+" at a ship", "%s is no battery cannon: it does not fire along a row of hexes", b.Name)
		case sum > whole:
			c.fail(st.All("PART")[0].Pos, "E229", fmt.Sprintf("lower it by %d", sum-whole), "%s has %s to split, and these are %d", b.Name, phrase.Points(whole), sum)
		default:
			c.effect(st.Pos.Line, "%s fires along %s: %s, for %s energy of %s", b.Name, a.Text, partsWords(f.split, whole), sheet.Fraction(c.book.Charts[b.Kind].Shot.Halves*sheet.MoveParts/2), phrase.Payers(f.from))
			return false
		}
		return true
	})
	return true
}

// partsWords are the shots of a split, or the whole one, in words.
func partsWords(split []int, whole int) string {
	if len(split) == 0 {
		return "a shot of " + phrase.Points(whole)
	}
	out := make([]string, len(split))
	for i, n := range split {
		out[i] = strconv.Itoa(n)
	}
	return phrase.Counted(len(split), "shot", "shots") + " of " + strings.Join(out, ", ") + ", one an impulse"
}

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

// cannonReach is for how many impulses of a shot's flight a robot reckons with where ships will be.
const cannonReach = 2

// withCannon adds to a robot's orders those to fire its cannon at an enemy who will be on a row of hexes from
// it if she goes straight on, in the first impulse of some rounds that serves, and with no ship of its side in the way.
func (l *rulebook) withCannon(v *engine.View, s *engine.ShipView, sys *state.System, round, upto int, text string) string {
	loaded := sys.Names(func(b *sheet.Bank) bool { return b.Kind.Cannon() && b.Left > 0 })
	if len(loaded) == 0 {
		return text
	}
	path := l.check(v, s.ID, *l.read(text)).Path
	pace := l.Charts[sys.Bank(sys.Weapon(loaded[0])).Kind].Shot.Pace // a ship has cannon of one kind
	begun, _ := l.span(round)
	_, last := l.span(upto)
	for i := begun; i <= last; i++ {
		at := s.Stands()
		for _, step := range path {
			if step.Phase <= i {
				at = step.At
			}
		}
		for flown := 1; flown <= cannonReach && i+flown <= l.Impulses; flown++ {
			var nearest [6]int // along each row, how far away a ship will be
			var enemy [6]bool
			for _, o := range v.Ships {
				if o.ID == s.ID || o.Kind != engine.KindShip || o.Hex == nil || o.Status != engine.Active || o.Sight != engine.Seen {
					continue
				}
				to := l.straightOn(o, begun, i+flown)
				p, apart := hex.Bearing(at.Hex, to)
				if d := hex.Distance(at.Hex, to); apart && p%4 == 0 && (nearest[p/4] == 0 || d < nearest[p/4]) {
					nearest[p/4], enemy[p/4] = d, o.Side != s.Side
				}
			}
			for row, d := range nearest {
				if heading := fmt.Sprintf("phase %d\n", l.phaseOf(i)); enemy[row] && d > (flown-1)*pace && d <= flown*pace {
					return strings.Replace(text, heading, fmt.Sprintf("%s  fire %s along %s on %d\n", heading, strings.Join(loaded, " "), hex.Heading(row), i), 1)
				}
			}
		}
	}
	return text
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
