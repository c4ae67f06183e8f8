package rulebook

import (
	"cmp"
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
)

// DarkRules returns a course's rules for games in the dark (house 9.7); nil for a course that
// cannot be played in the dark.
func (l *Rules) DarkRules(tell func(b engine.Body, to *dark.Observer) (engine.Body, []string)) *dark.Rules {
	if !l.Dark {
		return nil
	}
	rules := &dark.Rules{
		Signature: signature, Rough: l.rough, Called: calledInTheDark,
		Damaged: func(g *engine.Game, s *engine.Ship) bool {
			return ship.Of(s).NoFire > (max(1, g.Turn)-1)*l.Split.Phases()
		},
		Lit:  func(s *engine.Ship) blind.Suite { return blind.Suite{Boxes: ship.Of(s).Alloc.Labs} },
		Tell: tell, Decoy: makeDecoy,
	}
	if len(l.Concealments) > 0 {
		rules.Veiled = l.veiled
	}
	if _, rocks := l.Ground[board.Asteroid]; rocks {
		rules.Rocks = RocksBetween
	}
	return rules
}

// calledInTheDark returns a ship's system as her captain knows it: what the sensors told of
// other ships is under the names that the captain had for them then.
func calledInTheDark(system any, name func(id engine.ShipID, when engine.Moment) engine.ShipID) any {
	sys, ok := system.(*ship.State)
	if !ok {
		return system
	}
	called := func(id engine.ShipID, when engine.Moment) engine.ShipID {
		if id == "" {
			return ""
		}
		return cmp.Or(name(id, when), dark.Unnumbered)
	}
	if sys.Has(ship.NameProbe) {
		p := *sys.Probe()
		p.Study, p.Given = called(p.Study, engine.Moment{}), nil
		c := *sys
		c.Put(&p)
		return &c
	}
	if !sys.Has(ship.NameSensors) {
		return system
	}
	k := *sys.Sensors()
	if k.Target == "" && len(k.Locks)+len(k.Learnt)+len(k.Contacts)+len(k.Gone) == 0 {
		return system
	}
	k.Target = called(k.Target, engine.Moment{})
	k.Contacts, k.Gone, k.Learnt = nil, nil, nil
	k.Locks = slices.Clone(k.Locks)
	for i := range k.Locks {
		k.Locks[i].Target = called(k.Locks[i].Target, engine.Moment{})
	}
	for _, a := range sys.Sensors().Learnt {
		a.Target, a.Sensors = called(a.Target, a.When), called(a.Sensors, a.When)
		k.Learn(a)
	}
	c := *sys
	c.Put(&k)
	return &c
}

// Sizes of ships seen at a distance, and the last class of each (F5).
const (
	sizeSmall, sizeMedium, sizeLarge, sizeHuge, sizeBase = "small", "medium", "large", "huge", "base"

	lastSmall, lastMedium, lastLarge = 5, 9, 12
)

// signature returns how a ship looks from outside, and rough what shows of her from nearer.
func signature(s *engine.Ship) blind.Signature {
	return blind.Signature{Large: ship.Of(s).Outpost(), Small: s.Small(), Cold: s.Small()}
}

func (l *Rules) rough(s *engine.Ship) (size string, speed int) {
	if s.Small() {
		return string(s.Kind), 0
	}
	sys, class := ship.Of(s), 0
	if d, ok := l.Designs[sys.Design.Name]; ok {
		class = roman(d.Class)
	}
	switch {
	case sys.Outpost():
		size = sizeBase
	case class == 0 || class > lastMedium && class <= lastLarge: // unprinted classes count as a common one
		size = sizeLarge
	case class <= lastSmall:
		size = sizeSmall
	case class <= lastMedium:
		size = sizeMedium
	default:
		size = sizeHuge
	}
	return size, sys.Alloc.Points
}

// roman reads a ship's class as a Roman numeral; 0 if it is none.
func roman(class string) int {
	value := map[rune]int{'I': 1, 'V': 5, 'X': 10, 'L': 50}
	sum, last := 0, 0
	for _, r := range class {
		v := value[r]
		if v == 0 {
			return 0
		}
		if sum += v; v > last {
			sum -= 2 * last
		}
		last = v
	}
	return sum
}

// Called returns what a ship's captain calls another ship.
func (l *Rules) Called(g *engine.Game, s, other *engine.Ship) string {
	if g.Blind == nil {
		return other.Name
	}
	log := g.Blind.Log(s.Captain)
	if log == nil || s.Captain == other.Captain {
		return other.Name
	}
	switch c := log.Held(other.ID); {
	case c == nil:
		return "that ship"
	case c.Named:
		return other.Name
	default:
		return string(c.Name())
	}
}

// How events look to a captain who does not know all ships in them: of fire, the captain is told what they detect of
// both ends (D54) and what their own ships do.

// ShieldInTheDark retells a hit on a shield to a captain who does not know all its ships.
func ShieldInTheDark(_ *Rules, b *ship.ShieldHit, to *dark.Observer) (engine.Body, []string) {
	if !to.Own(b.Ship) {
		return nil, nil
	}
	seen := &ShieldSeen{Ship: b.Ship, From: to.Name(b.From), Shield: b.Shield, Before: b.Before, Absorbed: b.Absorbed, After: b.After, Through: b.Through}
	return &dark.Later{Body: seen, Key: struckKey(b.Ship, b.Shield)}, nil
}

// DamageInTheDark retells damage to a captain who does not know all its ships.
func DamageInTheDark(_ *Rules, b *ship.Damage, to *dark.Observer) (engine.Body, []string) {
	if !to.Own(b.Ship) {
		return nil, nil
	}
	seen := DamageSeen{
		Ship: b.Ship, From: to.Name(b.From), Weapon: "a weapon", Table: b.Table, Roll: b.Roll, Location: b.Location, Points: b.Points, Note: b.Note,
		Superstructure: b.Superstructure, Power: b.Power, Engines: b.Engines, Shield: b.Shield, Lost: b.Lost, Sensors: b.Sensors, Tracks: b.Tracks, Second: b.Second,
		Down: b.Down, Casualties: b.Casualties, Spared: b.Spared, ShieldNumber: b.ShieldNumber, LostBank: b.LostBank, LostMount: b.LostMount,
	}
	if seen.From == "" {
		seen.Weapon = "something unseen"
	}
	return &dark.Later{Body: &seen, Key: "0 " + string(b.Ship) + " damage"}, nil // after what struck her shields
}

// RollInTheDark retells a roll to a captain who does not know all ships in its name.
func RollInTheDark(_ *Rules, b *engine.Roll, to *dark.Observer) (engine.Body, []string) {
	if ships := b.Name.Ships(); len(ships) > 0 && to.Own(ships[0]) {
		return to.Retell(b), nil
	}
	return nil, nil
}

// UnlockInTheDark retells a lost lock to a captain who does not know both ships.
func UnlockInTheDark(_ *Rules, b *ship.Unlock, to *dark.Observer) (engine.Body, []string) {
	switch {
	case !to.Own(b.Ship):
		return nil, nil
	case b.Why == HasCloaked: // in the order of movement
		return &dark.Later{Body: to.Retell(b), Key: "2 " + string(b.Ship) + " " + unseenLast(string(to.Alias(b.Target)))}, nil
	}
	return to.Retell(b), nil
}

// BlastInTheDark retells damage by an explosion to a captain who does not know all its ships.
func BlastInTheDark(_ *Rules, b *ship.Blasted, to *dark.Observer) (engine.Body, []string) {
	if !to.Own(b.Ship) {
		return nil, nil
	}
	seen := &ship.Blasted{Ship: b.Ship, From: to.Name(b.From), Shield: b.Shield, Damage: b.Damage}
	if seen.From != "" {
		seen.Range = b.Range
	}
	return seen, nil
}

// WarpInTheDark retells a change of warp speed to a captain who does not know all its ships.
func WarpInTheDark(_ *Rules, b *ship.WarpSet, to *dark.Observer) (engine.Body, []string) {
	if !to.Own(b.Ship) {
		return nil, nil
	}
	seen := ship.WarpSet{Ship: b.Ship, From: b.From, To: b.To, Follows: to.Name(b.Follows), Followed: b.Followed}
	for _, id := range b.FollowedBy {
		if name := to.Name(id); name != "" {
			seen.FollowedBy = append(seen.FollowedBy, name)
		}
	}
	return &seen, nil
}

// FireInTheDark retells a shot to a captain who does not know both ships.
func FireInTheDark(l *Rules, b *ship.Fire, to *dark.Observer) (engine.Body, []string) {
	from, at := to.Name(b.Ship), to.Name(b.Target)
	switch {
	case to.Own(b.Ship):
		seen := FireSeen{
			Ship: b.Ship, Target: cmp.Or(at, dark.Unnumbered), Weapon: b.Weapon, Model: b.Model, Family: b.Family, Mount: b.Mount, Range: b.Range, Arc: b.Arc, Chart: b.Chart,
			Number: b.Number, Modifiers: b.Modifiers, Need: b.Need, Named: b.Named, Roll: b.Roll, Hit: b.Hit, Base: b.Base, Bonus: b.Bonus, Damage: b.Damage,
			Graze: b.Graze, Evaded: b.Evaded, Rules: b.Rules, Slim: b.Slim, Second: b.Second,
		}
		if to.Level(b.Target) >= blind.Rough {
			seen.Shield = b.Shield
		}
		return &seen, nil
	case from == "" && at == "", from == "" && !b.Hit:
		return nil, nil
	}
	seen := FireSeen{Ship: from, Target: at, Hit: b.Hit}
	later := &dark.Later{Body: &seen, Key: fmt.Sprintf("1 %s %s %t", unseenLast(string(from)), unseenLast(string(at)), b.Hit)}
	if to.Own(b.Target) && b.Hit {
		seen.Shield, later.Key = b.Shield, struckKey(b.Target, b.Shield)
	}
	return later, l.Cite(cites.FireDeclaration)
}

// unseenLast returns a sort key by what a captain calls a ship, unseen ones last. struckKey sorts
// hits on a captain's own ship before all else, shield by shield; hits on one shield stay in the
// order in which they struck, which its remaining points show anyway.
func unseenLast(name string) string { return cmp.Or(name, "~") }

func struckKey(ship engine.ShipID, shield int) string { return fmt.Sprintf("0 %s %d", ship, shield) }

// FireSeen is a shot as told to a captain who does not know both ships. It has the weapon and dice
// of the captain's own shots only; an undetected ship is blank.
type FireSeen ship.Fire

// ShieldSeen is a hit on a captain's own ship by a ship that the captain does not know.
type ShieldSeen ship.ShieldHit

// Strikes implements engine.Striking.
func (b *ShieldSeen) Strikes() engine.ShipID { return b.Ship }

// DamageSeen is the damage that such a hit does inside.
type DamageSeen ship.Damage

// Strikes implements engine.Striking.
func (b *DamageSeen) Strikes() engine.ShipID { return b.Ship }

// Shown returns the ship with an id, or the echo that a ship's captain has in its place.
func (l *Rules) Shown(g *engine.Game, s *engine.Ship, id engine.ShipID) (o *engine.Ship, ok bool) {
	if o, ok = g.Ship(id); !ok {
		o = dark.Echo(l.Self, g, s, string(id))
	}
	return o, o != nil
}

// PlaceMeant returns where a captain has, or last had, the ship that an order names.
func (l *Rules) PlaceMeant(g *engine.Game, s *engine.Ship, word string, foe *engine.Ship) (engine.Place, bool) {
	if _, stands := l.IsAim(word); g.Blind == nil || stands {
		return l.whereabouts(g, s, foe)
	}
	_, at, _, ok := dark.Means(l.Self, g, s.Captain, word)
	return at, ok
}

// LookAfter has the sensors look again after a ship has moved, in the dark.
func LookAfter(t *engine.Turn, s *engine.Ship, from engine.Place) {
	if s.Hex != from.Hex && t.Game.Blind != nil {
		dark.In(t).Look(s)
	}
}

// TiesInTheDark returns who sees a ship's die for the advantage: in the dark no one, since
// a second die would reveal another ship.
func TiesInTheDark(g *engine.Game) engine.See {
	if g.Blind != nil {
		return engine.See{}
	}
	return engine.SeeAll()
}

// AnnounceInTheDark tells each captain the order of advantage of the ships that they know.
func (l *Rules) AnnounceInTheDark(t *engine.Turn, a ship.Advantage, rule ...string) {
	whole := a
	all := t.Emit(&whole, engine.See{}, rule...)
	for _, c := range t.Game.Captains() {
		part := ship.Advantage{How: a.How}
		for _, id := range a.Order {
			if s, ok := t.Game.Ship(id); ok && (s.Captain == c.Name || slices.ContainsFunc(ship.ShipsOf(t.Game, c.Ships), func(o *engine.Ship) bool { return l.detects(t.Game, o, s) >= blind.Full })) {
				part.Order = append(part.Order, id)
			}
		}
		if len(part.Order) > 1 {
			t.Because(all).Emit(&part, engine.SeeOnly(c.Ships...), rule...)
		}
	}
}

// Feels reports whether the target of a volley knows who fires at it: in the dark only if its
// captain detects the firer.
func (l *Rules) Feels(t *engine.Turn, v *Volley) bool {
	return t.Game.Blind == nil || l.Aware(t.Game, v.Target, v.Ship)
}

// HasCloaked is why all locks on a ship that cloaks are lost.
const HasCloaked = "it has cloaked"
