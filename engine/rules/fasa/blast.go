package fasa

import (
	"cmp"
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
)

// Blast is what is known of how near a ship is to exploding.
type Blast struct {
	Tested int  `json:"tested,omitempty"` // points of superstructure below 0 at the last roll
	Gone   bool `json:"gone,omitempty"`   // it has exploded
}

// Blast is a ship's.
func (s *System) Blast() *Blast { return shareOf[Blast](s) }

func (*Blast) key() string { return "blast" }

func (b *Blast) clone() Share {
	c := *b
	return &c
}

// The figures of explosions (stcs 9.5, 9.6, ruling D34).
const (
	surely    = 10 // points below 0 at which a ship surely explodes
	halvingTo = 6  // hexes up to which the damage is halved
	blastTo   = 10 // hexes up to which there is any
)

// blastWeapon is what reports call an explosion that does damage.
const blastWeapon = "the explosion"

// blastPart is the events of explosions and the order to explode.
func blastPart(phases int) part {
	return part{
		keeps:  []Share{&Blast{}},
		verbs:  []verb{destructVerb()},
		params: destructParams(phases),
		bodies: []func() engine.Body{
			func() engine.Body { return new(Explode) }, func() engine.Body { return new(Blasted) },
		},
		tell: map[string]func(*narrator, engine.Body, string){
			"explode": func(n *narrator, body engine.Body, cite string) {
				if b, ok := body.(*Explode); ok {
					n.explode(b, cite)
				}
			},
			"blast": func(n *narrator, body engine.Body, cite string) {
				if b, ok := body.(*Blasted); ok {
					n.line(0, cite, fmt.Sprintf("The explosion of %s reaches %s at range %d: %s", n.v.Name(b.From), n.v.Name(b.Ship), b.Range, pointsStrike(b.Damage, b.Shield)))
				}
			},
		},
	}
}

// burst lets ships explode: those whose superstructure gives way, then those whose
// captains have ordered it, and whatever comes of that (stcs 9.5, 9.7, 9.8, 14.6).
func (l *rulebook) burst(sv *salvo) {
	t := sv.t
	l.giveWay(t)
	if ships, by := l.destructing(t); len(ships) > 0 {
		rule := []Topic{SelfDestruction}
		if len(ships) > 1 {
			rule = append(rule, JointDestruction)
		}
		exploded := make([]engine.Ref, len(ships))
		for i, s := range ships {
			exploded[i] = t.Because(by[i]).Emit(&Explode{Ship: s.ID, Power: of(s).Power, Ordered: true, Exploded: true}, engine.SeeAll(), l.cite(rule...)...)
		}
		l.shake(t, ships, exploded, "she was blown up by her own crew", SelfDestruction)
		l.giveWay(t)
	}
}

// giveWay rolls for every ship whose superstructure is below 0 and lower than when it
// was last rolled for, until no more explode (stcs 9.5, 9.7).
func (l *rulebook) giveWay(t *engine.Turn) {
	for {
		var ships []*engine.Ship
		var exploded []engine.Ref
		for _, s := range byPower(t.Game.Ships) {
			if l.tested(t, s) {
				ships, exploded = append(ships, s), append(exploded, t.Last())
			}
		}
		if len(ships) == 0 {
			return
		}
		l.shake(t, ships, exploded, "she exploded", Explosions)
	}
}

// there tells whether a ship can be hurt, or hurt others, in the fight or out of it: what
// has exploded, or does so now, cannot.
func there(s *engine.Ship) bool {
	return (s.Status == engine.Active || s.Status == engine.Crippled) && !of(s).Blast().Gone
}

// tested rolls for a ship if that is due, and tells whether it explodes.
func (l *rulebook) tested(t *engine.Turn, s *engine.Ship) bool {
	sys := of(s)
	below := -sys.Superstructure
	if !there(s) || below <= 0 || below <= sys.Blast().Tested {
		return false
	}
	b := &Explode{Ship: s.ID, Power: sys.Power, Need: below, Exploded: below >= surely}
	see := l.show(t.Game, nil, []*engine.Ship{s}, s.ID)
	if !b.Exploded {
		b.Roll = t.Roll(l.hazard(t, "explode."+s.ID), dice.D10, see, l.cite(Explosions)...)
		b.Exploded = b.Roll <= below
	}
	if b.Exploded {
		see = engine.SeeAll()
	}
	t.Because(ruinOf(t, s.ID)...).Emit(b, see, l.cite(Explosions)...)
	return b.Exploded
}

// byPower orders ships by their power, most first (stcs 9.7, 14.6).
func byPower(ships []*engine.Ship) []*engine.Ship {
	ships = slices.Clone(ships)
	slices.SortStableFunc(ships, func(a, b *engine.Ship) int {
		return cmp.Or(cmp.Compare(of(b).Power, of(a).Power), cmp.Compare(a.ID, b.ID))
	})
	return ships
}

// shake lets ships that explode at the same time, each by an event, do their damage, one after the
// other; then what got through takes effect (stcs 9.6, 9.7).
func (l *rulebook) shake(t *engine.Turn, exploding []*engine.Ship, exploded []engine.Ref, how string, rule ...Topic) {
	power := map[string]int{}
	for _, s := range exploding {
		power[s.ID] = of(s).Power
	}
	var through []penetration
	for i, s := range exploding {
		shift(t, s.ID, t.Because(exploded[i]).Out(s, engine.Destroyed, how, nil, l.cite(append(slices.Clone(rule), Crippling)...)...))
		for _, o := range t.Game.Ships {
			if !there(o) {
				continue
			}
			if p, struck := l.blasted(t, s, o, power[s.ID], exploded[i]); struck && p.through > 0 {
				through = append(through, p)
			}
		}
	}
	l.inflict(t, through)
}

// blasted is what an explosion does to a shield of a ship.
func (l *rulebook) blasted(t *engine.Turn, from, s *engine.Ship, power int, exploded engine.Ref) (p penetration, struck bool) {
	d := hex.Distance(from.Hex, s.Hex)
	damage := blastAt(power, d)
	if damage == 0 {
		return p, false
	}
	shield := l.exposed(s, from.Hex)
	if shield == 0 {
		shield = chosen(of(s))
	}
	blast := t.Because(exploded).Emit(&Blasted{Ship: s.ID, From: from.ID, Range: d, Shield: shield, Damage: damage},
		l.show(t.Game, nil, []*engine.Ship{s}, s.ID), l.cite(BlastDamage)...)
	h := hit{target: s, from: from.ID, at: from.Hex, stood: engine.Place{Hex: s.Hex, Heading: s.Heading}, weapon: blastWeapon, spread: true, cause: blast}
	through, pierced := l.absorb(t, h, shield, damage)
	return penetration{hit: h, shield: shield, through: through, group: "blast." + from.ID + "." + s.ID, pierced: pierced}, true
}

// blastAt is the damage of an explosion of so much power at a distance: twice the
// power in the hex itself, the power beside it, half of that for each hex more, rounded up,
// and one point from 7 to 10 hexes (stcs 9.6, ruling D34).
func blastAt(power, distance int) int {
	switch {
	case power <= 0 || distance > blastTo:
		return 0
	case distance == 0:
		return 2 * power
	case distance > halvingTo:
		return 1
	}
	for ; distance > 1; distance-- {
		power = (power + 1) / 2
	}
	return power
}

// chosen is the shield that takes what comes from the ship's own hex: the one that
// the captain's standing choice names, of all six.
func chosen(sys *System) int {
	low, high := 0, 0
	for i, sh := range sys.Shields {
		if sh.Now < sys.Shields[low].Now {
			low = i
		}
		if sh.Now >= sys.Shields[high].Now {
			high = i
		}
	}
	for n := 1; n <= len(sys.Shields); n++ {
		if sys.Standing.Choose == fmt.Sprint(n) {
			return n
		}
	}
	if sys.Standing.Choose == "weakest" {
		return low + 1
	}
	return high + 1
}

// Explode is a roll for whether a ship explodes, or its explosion (stcs 9.5, 9.8).
type Explode struct {
	Ship     string `json:"ship"`
	Power    int    `json:"power"`             // power units that it still had
	Need     int    `json:"need,omitempty"`    // points of superstructure below 0
	Roll     int    `json:"roll,omitempty"`    // 0: it took none
	Ordered  bool   `json:"ordered,omitempty"` // by its captain
	Exploded bool   `json:"exploded"`
}

// Type implements engine.Body.
func (*Explode) Type() string { return "explode" }

// Apply implements engine.Body.
func (b *Explode) Apply(g *engine.Game) error {
	s, err := system(g, b.Ship)
	if err != nil {
		return err
	}
	if !s.Has("blast") {
		s.Put(&Blast{})
	}
	if !b.Ordered {
		s.Blast().Tested = b.Need
	}
	s.Blast().Gone = b.Exploded
	return nil
}

// Blasted is an explosion that strikes a ship (stcs 9.6).
type Blasted struct {
	Ship   string `json:"ship"`
	From   string `json:"from"` // the ship that exploded
	Range  int    `json:"range"`
	Shield int    `json:"shield"`
	Damage int    `json:"damage"`
}

// Type implements engine.Body.
func (*Blasted) Type() string { return "blast" }

// Apply implements engine.Body: what it does is told by the events after it.
func (*Blasted) Apply(*engine.Game) error { return nil }

func (n *narrator) explode(b *Explode, cite string) {
	name := n.v.Name(b.Ship)
	switch {
	case b.Ordered:
		n.line(0, cite, fmt.Sprintf("%s is blown up by its own crew, with %d power in its engines", name, b.Power))
	case !b.Exploded:
		n.line(0, cite, fmt.Sprintf("%s's superstructure is %d below 0: explodes at %d or less, rolled %d: it holds", name, b.Need, b.Need, b.Roll))
	case b.Roll == 0:
		n.line(0, cite, fmt.Sprintf("%s's superstructure is %d below 0: it explodes, with %d power in its engines", name, b.Need, b.Power))
	default:
		n.line(0, cite, fmt.Sprintf("%s's superstructure is %d below 0: rolled %d: it explodes, with %d power in its engines", name, b.Need, b.Roll, b.Power))
	}
}
